package feature

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/schema"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

var (
	annotationName    = lazy.Regexp{Text: `^([\w/-]*)$`}
	annotationKeyword = lazy.Regexp{Text: `^([\w/-]+) (?:.*[,(] *| *)(\w*)$`}
	annotationValue   = lazy.Regexp{Text: `^([\w/-]+) .*?\b(\w+) *= *("?)([\w+/.-]*)$`}
)

// annotation completes the name of an annotation, its keywords, and their values.
func (c *completion) annotation(text string) {
	if m := annotationName.Get().FindStringSubmatch(text); m != nil {
		c.annotationNames(m[1])
		return
	}
	name, args, _ := strings.Cut(text, " ")
	if _, quoted := openIn(args); quoted == 0 || strings.TrimSpace(args) == "" {
		switch name {
		case "library/ref":
			if quoted == 0 {
				c.libraries("@", args[1:])
				return
			}
		case "overlay/inside":
			c.insides(args)
		}
	}
	cur := c.cursor(args)
	if cur != nil && cur.Kind == index.KeyPlace {
		c.leftKeys(name, cur)
	}
	if cur != nil && (cur.Call != nil || cur.Kind != index.NamePlace && cur.Kind != index.InText) {
		c.at(cur, false)
		return
	}
	quoted := cur != nil && cur.Kind == index.InText
	if m := annotationValue.Get().FindStringSubmatch(text); m != nil {
		c.keywordValues(m[1], m[2], m[3], m[4])
	} else if m := annotationKeyword.Get().FindStringSubmatch(text); m != nil && !quoted {
		c.keywords(m[1], args, m[2])
	}
	before := ""
	if cur != nil {
		before = strings.TrimSpace(strings.TrimSuffix(args, cur.typed))
	}
	if cur != nil && !quoted &&
		(cur.typed != "" || before != "" && !strings.ContainsAny(before[len(before)-1:], ",=")) {
		c.names(cur, false)
	}
}

// leftKeys completes the keys of what an overlay may change, which is a parameter of the lambda in an
// annotation: `by=lambda index, left, right: left["name"]`.
func (c *completion) leftKeys(name string, cur *cursor) {
	left := map[string]int{"overlay/match": 1, "overlay/replace": 0, "overlay/assert": 0}
	want, ok := left[name]
	if !ok {
		return
	}
	cur.src.File.ParameterOf(cur.Of, func(position int, keys []string) {
		if position == want {
			c.foundIn(cur, keys)
		}
	})
}

// insides completes what a string that an overlay changes holds.
func (c *completion) insides(args string) {
	quote, typed := `"`, strings.TrimSpace(args)
	if typed != "" {
		quote, typed = "", typed[1:]
	}
	for _, name := range []string{"yaml", "json"} {
		c.add(0, len(typed), quote+name+quote, protocol.CompletionItem{Label: name, Kind: protocol.CompleteValue})
	}
}

// annotationNames completes names that may be on the node: of a group, or groups and then all names that may
// be meant.
func (c *completion) annotationNames(typed string) {
	group, _, grouped := strings.Cut(typed, "/")
	on := c.nodeKind()
	list := slices.Collect(annotationsOn(on))
	if !grouped {
		c.groups(list, typed)
	}
	for _, m := range list {
		prefix, rest, _ := strings.Cut(m.Name, "/")
		item := protocol.CompletionItem{
			Kind: protocol.CompleteProperty, Detail: "@" + m.Name,
			Documentation: &protocol.MarkupContent{Kind: protocol.Markdown, Value: sentence(m.Doc)},
		}
		switch {
		case grouped && prefix == group:
			c.add(0, len(typed)-len(group)-1, rest, item)
		case !grouped && typed != "":
			c.add(1, len(typed), m.Name, item)
		}
	}
}

// groups completes the groups of annotations, and code.
func (c *completion) groups(list []tree.Meaning, typed string) {
	seen := []string{}
	for _, m := range list {
		prefix, _, _ := strings.Cut(m.Name, "/")
		if slices.Contains(seen, prefix) {
			continue
		}
		seen = append(seen, prefix)
		c.add(0, len(typed), prefix+"/", protocol.CompletionItem{Kind: protocol.CompleteModule})
	}
	if typed == "" {
		c.add(1, 0, " ", protocol.CompletionItem{
			Label: "#@ code", Kind: protocol.CompleteKeyword, Detail: "code, or a computed value",
		})
	}
}

// likelyAnnotations are the annotations that people write most, in order; others follow them.
var likelyAnnotations = []string{
	"overlay/match", "overlay/append", "overlay/remove", "overlay/replace", "overlay/match-child-defaults",
	"overlay/insert", "data/values", "data/values-schema", "schema/desc", "schema/nullable",
	"schema/validation", "schema/default", "schema/type", "schema/title", "schema/examples",
	"schema/required", "output/file", "output/skip", "yaml/text-templated-strings",
}

// annotationsOn returns the annotations that may be on a kind of node, or all for "", the likely ones first.
func annotationsOn(kind string) iter.Seq[tree.Meaning] {
	return func(yield func(tree.Meaning) bool) {
		fits := func(m tree.Meaning) bool { return kind == "" || strings.Contains(m.On, kind) }
		likely := likelyAnnotations
		if kind == "array item" { // which has an order
			likely = append([]string{"overlay/match", "overlay/append", "overlay/insert"}, likely...)
		}
		for i, name := range likely {
			if slices.Contains(likely[:i], name) {
				continue
			}
			if m, _ := tree.MeaningOf(name); fits(*m) && !yield(*m) {
				return
			}
		}
		for _, m := range tree.Meanings() {
			if !slices.Contains(likelyAnnotations, m.Name) && fits(m) && !yield(m) {
				return
			}
		}
	}
}

// nodeKind returns the kind of node that an annotation at the cursor belongs to, by the next line that
// is not a comment, or "" if there is none.
func (c *completion) nodeKind() string {
	f := c.doc.File()
	for n := f.Line(c.off) + 1; n <= f.Lines(); n++ {
		line := bytes.TrimSpace(f.Text(n))
		switch {
		case len(line) == 0 || line[0] == '#':
		case bytes.HasPrefix(line, []byte("---")):
			return "document"
		case line[0] == '-':
			return "array item"
		case bytes.Contains(line, []byte(":")):
			return "map item"
		default:
			return ""
		}
	}
	return ""
}

// keywords completes the keywords of an annotation that it does not have yet.
func (c *completion) keywords(name, args, typed string) {
	m, ok := tree.MeaningOf(name)
	if !ok {
		return
	}
	likely := c.likelyRules()
	for _, k := range m.Keywords {
		if regexp.MustCompile(`\b` + k.Name + ` *=`).MatchString(args) {
			continue
		}
		rank := 1
		if slices.Contains(likely, k.Name) {
			rank = 0
		}
		c.add(rank, len(typed), k.Name+"=", protocol.CompletionItem{
			Kind: protocol.CompleteProperty, Detail: k.Type,
		})
	}
}

// likelyRules returns the keywords of validations that fit the value of the node below the cursor.
func (c *completion) likelyRules() []string {
	t := c.doc.Analysis().Tree
	if t == nil {
		return nil
	}
	n, ok := ownerAt(t, c.off)
	if !ok || t.Kind(n) == yaml.Document {
		return nil
	}
	if next := t.Next(n); t.Kind(n) == yaml.Scalar && t.More(next) && isKey(t, n) {
		n = next
	}
	switch {
	case t.Kind(n) == yaml.Sequence || t.Kind(n) == yaml.Mapping:
		return []string{"min_len", "max_len", "unique", "one_not_null"}
	case t.Kind(n) == yaml.Scalar && t.Style(n) == yaml.Plain && isNumber(t.Text(n)):
		return []string{"min", "max", "one_of", "multiple_of"}
	}
	return []string{"min_len", "max_len", "one_of", "matches", "format"}
}

// isKey reports whether a scalar is the key of a map.
func isKey(t *yaml.Tree, n yaml.NodeID) bool {
	return bytes.HasPrefix(bytes.TrimLeft(t.File().Data()[t.Span(n).End():], " "), []byte(":"))
}

func isNumber(text []byte) bool {
	_, err := strconv.ParseFloat(string(text), 64)
	return err == nil
}

// keywordValues completes the value of a keyword.
func (c *completion) keywordValues(name, keyword, quote, typed string) {
	m, ok := tree.MeaningOf(name)
	if !ok || !m.Takes(keyword) {
		return
	}
	add := func(text string) {
		item := protocol.CompletionItem{Kind: protocol.CompleteValue}
		if quote != "" {
			var isText bool
			if text, isText = strings.CutPrefix(text, `"`); !isText {
				return
			}
			item.Label = strings.TrimSuffix(text, `"`)
			if bytes.HasPrefix(c.doc.File().Data()[c.off:], []byte(`"`)) {
				text = item.Label
			}
		}
		c.add(0, len(typed), text, item)
	}
	kind := ""
	for _, k := range m.Keywords {
		if k.Name == keyword {
			kind = k.Type
		}
	}
	switch {
	case kind == "bool":
		add("True")
		add("False")
	case keyword == "expects", keyword == "when" && strings.HasPrefix(name, "overlay/"):
		for _, text := range []string{"1", `"1+"`, `"0+"`, "[0, 1]"} {
			add(text)
		}
	case keyword == "format":
		for _, name := range schema.FormatNames() {
			add(`"` + name + `"`)
		}
	case keyword == "by" && name == "schema/one-of":
		add(`"type"`)
		add(`"kind"`)
	case keyword == "by":
		for _, key := range c.matchKeys() {
			add(`"` + key + `"`)
		}
		for _, name := range c.matchers() {
			add(name)
		}
		add("overlay.all")
		add("overlay.subset(")
		add("overlay.map_key(")
		add("overlay.path(")
	case kind == "function":
		add("lambda left, right: ")
	}
}

// matchers returns the variables of the document that hold what overlay/match can compare with.
func (c *completion) matchers() (names []string) {
	for name, value := range assigned(c.doc) {
		call, ok := value.(*syntax.CallExpr)
		if !ok {
			continue
		}
		if fn, ok := call.Fn.(*syntax.DotExpr); ok {
			if of, ok := fn.X.(*syntax.Ident); ok && of.Name == "overlay" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// matchKeys returns the keys of items in the documents of the last evaluation, at the place where the
// node below the cursor would be applied.
func (c *completion) matchKeys() []string {
	path, ok := c.listBelow()
	if !ok {
		return nil
	}
	docs, _, _ := lastOutput(c.ctx, c.doc)
	var keys []string
	for _, item := range itemsAt(docs, path) {
		for _, field := range item.Entries() {
			if key := tree.KeyText(field.Key); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	if len(keys) == 0 { // nothing matches yet
		keys = c.itemKeys()
	}
	slices.SortStableFunc(keys, func(a, b string) int { // names are the usual keys to match by
		return boolOrder(b == "name") - boolOrder(a == "name")
	})
	const maxKeys = 20
	return keys[:min(len(keys), maxKeys)]
}

// itemsAt returns the items of the lists that a path leads to in documents.
func itemsAt(docs []tree.Doc, path []string) (items []tree.Value) {
	for _, d := range docs {
		for _, list := range valuesAt(d.Value, path) {
			if list.Kind() == tree.ArrayKind {
				items = append(items, valuesAt(list, []string{""})...)
			}
		}
	}
	return items
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// listBelow returns the path of the list whose item the annotation at the cursor belongs to, with "" for items
// of the lists around it. The item need not be there yet: another one is put below the annotation.
func (c *completion) listBelow() ([]string, bool) {
	at, ok := c.itemBelow()
	if !ok {
		return nil, false
	}
	return pathOf(at.Path[:len(at.Path)-1]), true
}

// itemKeys returns the keys that the overlay has in the items of the list whose item the annotation at the
// cursor belongs to, each once.
func (c *completion) itemKeys() (found []string) {
	at, ok := c.itemBelow()
	if !ok {
		return nil
	}
	for item := range at.Tree.Items(at.Path[len(at.Path)-1].In) {
		for key := range pairs(at.Tree, item) {
			if name := string(at.Tree.Text(key)); !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// itemBelow returns the place of an item that is put below the annotation at the cursor. It returns false if the
// annotation belongs to something else.
func (c *completion) itemBelow() (*outline.Cursor, bool) {
	if kind := c.nodeKind(); kind != "" && kind != "array item" {
		return nil, false
	}
	data := c.doc.File().Data()
	end := len(data)
	if i := bytes.IndexAny(data[c.off:], "\r\n"); i >= 0 {
		end = c.off + i
	}
	indent := c.before[:len(c.before)-len(strings.TrimLeft(c.before, " "))]
	item := "\n" + indent + "- "
	text := slices.Concat(data[:end], []byte(item), data[end:])
	at := outline.Typed(text, end+len(item), c.doc.Syntax())
	if at == nil || len(at.Path) < 2 || !at.Path[len(at.Path)-1].Item {
		return nil, false
	}
	return at, true
}

// ownerAt returns the node that a comment at an offset belongs to.
func ownerAt(t *yaml.Tree, off int) (yaml.NodeID, bool) {
	owner := yaml.NoOwner
	for _, cm := range t.Comments() {
		if s := t.CommentSpan(cm); s.Offset() <= off && off <= s.End() {
			owner = cm.Owner()
		}
	}
	return owner, owner != yaml.NoOwner
}
