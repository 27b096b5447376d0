package compile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/text"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// textTemplated is the annotation that makes the strings below it text templates.
const textTemplated = "yaml/text-templated-strings"

// meta is a comment that is code, a value or an annotation.
type meta struct {
	kind  metaKind
	owner yaml.NodeID
	name  string // of an annotation
	code  script.Fragment
	at    source.Span

	static int // the index of the annotation in yamlCompiler.notes, or none: see readStatic
}

type metaKind uint8

const (
	codeMeta metaKind = iota
	valueMeta
	annotationMeta
)

// yamlCompiler compiles a YAML template in one depth-first walk over the tree, in source order.
type yamlCompiler struct {
	compiler
	opt   Options
	tree  *yaml.Tree
	metas []meta
	next  int // the first meta of a node that is not visited yet
	// mappings with duplicate keys. A duplicate is an error only if its item is created, so these
	// mappings are created item by item.
	dups []yaml.NodeID

	merges  []yaml.NodeID
	notes   []tree.Annotation // the static annotations
	moving  []int             // moving[i] is the number of metas before metas[i] that are not static
	stretch *Stretch          // constant siblings that are not added yet
	first   int               // the first pending step: one that no call in the program runs yet
	repeats bool              // the current mapping has duplicate keys

	texts []nodes // nodes whose strings are text templates
}

func (c *yamlCompiler) compile() {
	t := c.tree
	if len(t.Holes()) == 0 {
		c.readStatic()
	}
	for doc := range t.Documents() {
		n := Node{Kind: tree.DocumentNode, Start: doc, End: t.Next(doc), Pos: t.Start(doc)}
		c.node(n, t.Root(doc), false)
	}
	c.flush()
	c.make()
	c.trailing()
}

// trailing compiles the comments after the last node, which belong to an empty document after all
// others. That document is never printed, but it may be an overlay, contain data values or get a
// value from code.
func (c *yamlCompiler) trailing() {
	metas := c.take(yaml.NoOwner)
	if len(metas) == 0 {
		return
	}
	c.oneRole(metas)
	about := slices.IndexFunc(
		metas,
		func(m meta) bool { return m.kind != codeMeta },
	) // the first one about the document
	at := metas[max(about, 0)].at
	behind := yaml.NodeID(c.tree.Len())
	n := Node{Kind: tree.DocumentNode, Start: behind, End: behind + 1, Pos: at.Pos}
	id := c.addNode(n)
	value, closing := c.before(metas, id, at.Offset())
	switch n.Notes = c.unit.Nodes[id].Notes; {
	case value != nil:
		c.expression(id, *value, nil)
	case about >= 0 || closing != nil:
		c.stretch = &Stretch{Node: n, Items: []tree.Item{{Value: tree.Null, Pos: n.Pos}}}
		c.flush()
		c.make()
	}
	if closing != nil {
		c.b.End(*closing)
	}
}

// readComments sorts the comments into code, values and annotations.
func (c *yamlCompiler) readComments() {
	t := c.tree
	c.metas = c.work.metas[:0]
	defer func() { c.work.metas = c.metas }()
	for _, cm := range t.Comments() {
		body := t.CommentText(cm)
		at := t.CommentSpan(cm)
		switch {
		case bytes.HasPrefix(body, []byte("!")),
			bytes.HasPrefix(body, []byte("@comment ")),
			string(body) == "@comment":
		case bytes.HasPrefix(body, []byte("@")):
			c.metas = append(c.metas, c.readMeta(cm, body[1:], at))
		case !c.opt.IgnoreUnknownComments:
			d := diag.Errorf(at, CodeComment,
				"in a template every comment begins with `#@` (code, annotation) or `#!` "+
					"(comment), but this one begins with neither").
				WithHint("write `#!%s`, or use --ignore-unknown-comments; edition 2026 allows it",
					firstWords(body)).
				WithFix("#", "#!")
			if rest, ok := bytes.CutPrefix(bytes.TrimLeft(body, " \t"), []byte("@")); ok {
				d.WithHint("remove the space: write `#@%s`; or `#!%s` for a comment",
					firstWords(rest), firstWords(body)).Fix = nil
			} else if looksLikeAnnotation(body) {
				d.WithHint("write `#@%s`, with an @, if it is an annotation; `#!%s` if not",
					firstWords(body), firstWords(body)).Fix = nil
			} else if looksLikeCode(body) {
				d.WithHint("write `#@%s`, with an @, if it is code; `#!%s` if not",
					firstWords(body), firstWords(body)).Fix = nil
			}
			c.fail(d)
			c.b.Skip(script.Fragment{Text: body, Off: at.Offset() + 1})
		default:
			c.almostAnnotation(body, at)
		}
	}
}

// almostAnnotation warns about a plain comment that would be an annotation without the space before
// its @.
func (c *yamlCompiler) almostAnnotation(body []byte, at source.Span) {
	text, ok := bytes.CutPrefix(bytes.TrimLeft(body, " \t"), []byte("@"))
	if !ok {
		return
	}
	name, _, _ := bytes.Cut(text, []byte(" "))
	if tree.Means(string(name)) {
		c.warn(diag.Warningf(at, CodeAlmost, "a blank before `@` makes this a plain comment").
			WithHint("write `#@%s`, or `#! ` for a comment", name))
	}
}

// looksLikeAnnotation reports whether a comment would be an annotation if it had an @.
func looksLikeAnnotation(body []byte) bool {
	group, _, ok := bytes.Cut(body, []byte("/"))
	return ok &&
		slices.Contains(
			[]string{"overlay", "data", "schema", "yaml", "template", "library", "assert"},
			string(group),
		)
}

// looksLikeCode reports whether a comment would be a line of code if it had an @.
func looksLikeCode(body []byte) bool {
	text := bytes.TrimSpace(body)
	word, _, _ := bytes.Cut(text, []byte(" "))
	switch string(word) {
	case "if", "if/end", "elif", "for", "for/end", "def", "while":
		return bytes.HasSuffix(text, []byte(":"))
	case "end", "else:":
		return len(word) == len(text)
	}
	return forgotten.Get().Match(text) || bytes.HasPrefix(text, []byte("load(\"@ytt:"))
}

// firstWords returns the beginning of a comment, for a hint.
func firstWords(b []byte) string {
	const maxBytes = 30
	if len(b) <= maxBytes {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b[:maxBytes], nil)) + "…"
}

// readMeta reads the text after `#@`: a name, one space, and the rest.
func (c *yamlCompiler) readMeta(cm yaml.Comment, body []byte, at source.Span) meta {
	name, rest := body, body[len(body):]
	if i := bytes.IndexByte(body, ' '); i >= 0 {
		name, rest = body[:i], body[i+1:]
	}
	m := meta{owner: cm.Owner(), at: at, static: none}
	var known bool
	m.name, known = c.work.noteName(name)
	m.code = script.Fragment{Text: rest, Off: at.End() - len(rest)}
	switch m.name {
	case "":
		// On the line of a node it is the node's value; above the node it is code.
		if cm.Owner() != yaml.NoOwner &&
			c.sameLine(c.tree.Start(cm.Owner()).Offset(), at.Offset()) {
			m.kind = valueMeta
		}
	case "template/code":
	case "template/value":
		m.kind = valueMeta
	default:
		m.kind = annotationMeta
		if strings.HasPrefix(m.name, "output/") && known {
			c.lintOutput(m.name, at, cm.Owner())
		}
		if !known {
			c.lintName(m.name, body, at, cm.Owner())
		}
		c.unit.Overlay = c.unit.Overlay || strings.HasPrefix(m.name, "overlay/")
	}
	return m
}

// sameLine reports whether two offsets are on the same line.
func (c *yamlCompiler) sameLine(a, b int) bool {
	return a <= b && !bytes.ContainsAny(c.unit.File.Data()[a:b], "\r\n")
}

// findDuplicates finds the mappings with duplicate keys, and the merge keys.
func (c *yamlCompiler) findDuplicates() {
	composer := yaml.Composer{Tree: c.tree}
	for n := range yaml.NodeID(c.tree.Len()) {
		if c.tree.Kind(n) != yaml.Mapping {
			continue
		}
		if composer.Repeats(n) {
			c.dups = append(c.dups, n)
		}
		if c.tree.Merges(n) {
			for key := range c.tree.Pairs(n) {
				if c.tree.IsMerge(key) {
					c.merges = append(c.merges, key)
				}
			}
		}
	}
	slices.Sort(c.merges) // merge keys of nested mappings come between those of the mappings around them
}

// take returns the metas of the current node, owner.
func (c *yamlCompiler) take(owner yaml.NodeID) []meta {
	start := c.next
	for c.next < len(c.metas) && c.metas[c.next].owner <= owner {
		c.next++
	}
	return c.metas[start:c.next]
}

// dynamic reports whether anything between two nodes has to be evaluated.
func (c *yamlCompiler) dynamic(from, to yaml.NodeID, templated bool) bool {
	if c.next < len(c.metas) && c.metas[c.next].owner < to {
		return true
	}
	if between(c.dups, from, to) {
		return true
	}
	if templated {
		for n := from; n < to; n++ {
			if c.tree.Kind(n) == yaml.Scalar && c.isTemplate(n) {
				return true
			}
		}
	}
	return false
}

// isTemplate reports whether scalar n is a string that contains code.
func (c *yamlCompiler) isTemplate(n yaml.NodeID) bool {
	if c.tree.Kind(n) != yaml.Scalar ||
		!bytes.Contains(c.tree.Raw(n), []byte("(@")) &&
			!bytes.Contains(c.tree.Raw(n), []byte("@)")) {
		return false
	}
	composer := yaml.Composer{Tree: c.tree}
	v, _ := composer.Scalar(n)
	return v.Kind == yaml.String
}

// node compiles a document, map item or array item with the given value. templated means that
// strings are text templates here.
func (c *yamlCompiler) node(n Node, value yaml.NodeID, templated bool) {
	metas := c.take(n.Start)
	if n.Kind == tree.DocumentNode {
		c.oneRole(metas)
	}
	for _, m := range metas {
		if !templated && m.kind == annotationMeta && m.name == textTemplated {
			templated = true
			c.texts = append(c.texts, nodes{n.Start, n.End})
		}
	}
	if c.tree.Kind(value) == yaml.Invalid {
		c.invalid(n, metas)
		return
	}
	if !templated && len(c.moving) > 0 && c.isStatic(&n, metas, value) {
		c.static(n, metas, value)
		return
	}
	keyTemplate := templated && n.Kind == tree.MapItem && c.isTemplate(n.Start)
	constant := !keyTemplate && !c.dynamic(value, n.End, templated)
	if len(metas) == 0 && constant {
		c.constant(n, value)
		return
	}
	c.flush()
	id := c.addNode(n)
	off := n.Pos.Offset()
	computed, closing := c.before(metas, id, off)
	n.Notes = c.unit.Nodes[id].Notes
	var key syntax.Expr
	if keyTemplate {
		if key = c.template(n.Start); computed == nil {
			c.make()
			c.do(OpKey, off, id, key)
		}
	}
	t := c.tree
	switch {
	case computed != nil:
		c.computed(n, id, value, *computed, key)
	case constant || keyTemplate && !c.dynamic(value, n.End, templated):
		c.constant(n, value)
		c.flush()
	case t.Kind(value) == yaml.Mapping || t.Kind(value) == yaml.Sequence:
		nd := &c.unit.Nodes[id]
		nd.Array, nd.Inner = t.Kind(value) == yaml.Sequence, t.Start(value)
		c.step(Step{ID: int32(id)})
		c.children(value, templated)
		c.flush()
	default:
		text := c.template(value)
		c.unit.values = append(
			c.unit.values,
			extent{int32(t.Span(value).Offset()), int32(t.Span(value).End())},
		)
		c.unit.Traced.code(id, c.unit.File, t.Span(value).Offset(), t.Span(value).End())
		c.unit.Nodes[id].Before = c.end()
		c.do(OpSet, off, id, text)
	}
	if closing != nil {
		c.make()
		c.b.End(*closing)
	}
}

// invalid compiles the comments of a node that cannot be parsed, so that errors in its code are
// reported too.
func (c *yamlCompiler) invalid(n Node, metas []meta) {
	c.flush()
	id := c.addNode(n)
	value, closing := c.before(metas, id, n.Pos.Offset())
	if value != nil {
		c.expression(id, *value, nil)
	}
	if closing != nil {
		c.make()
		c.b.End(*closing)
	}
}

// addNode adds n and returns its index.
func (c *yamlCompiler) addNode(n Node) int {
	c.unit.Nodes = append(c.unit.Nodes, n)
	return len(c.unit.Nodes) - 1
}

// before adds the code and then the annotations of a node, whatever their order in the source. It
// returns the node's value, if code computes it, and the place of a block to close after the node.
func (c *yamlCompiler) before(metas []meta, id, off int) (value *meta, closing *source.Span) {
	for i := range metas {
		m := &metas[i]
		switch m.kind {
		case codeMeta:
			c.make()
			if closing != nil {
				c.fail(
					diag.Errorf(m.at, CodeNodeBlock,
						"unexpected code after use of '*/end', expected YAML node").
						WithRelated(*closing, "the block is opened here for the one node that follows").
						WithHint("put this code above the block; or open the block without " +
							"`/end`, and close it with `#@ end`"),
				)
				continue
			}
			code, block := script.NodeBlock(m.code)
			if block {
				closing = &m.at
			}
			c.b.Code(code)
		case valueMeta:
			value = m
		}
	}
	c.annotate(metas, id)
	return value, closing
}

// annotate adds the annotations of node id. If their arguments are literals, they are stored in the
// node; otherwise the program creates them before the node.
func (c *yamlCompiler) annotate(metas []meta, id int) {
	static := true
	for i := range metas {
		static = static && (metas[i].kind != annotationMeta || metas[i].static != none)
	}
	if static {
		for i := range metas {
			if metas[i].kind == annotationMeta {
				c.role(&metas[i], &c.unit.Nodes[id])
			}
		}
		c.unit.Nodes[id].Notes = c.annotations(metas)
		return
	}
	for i := range metas {
		if metas[i].kind == annotationMeta {
			c.annotation(&metas[i], id)
		}
	}
}

// annotation adds an annotation to node id. Its text is compiled as the arguments of a call.
func (c *yamlCompiler) annotation(m *meta, id int) {
	args, err := c.b.CallArgs(m.code)
	if err != nil {
		list := diag.Of(err)
		switch {
		case strings.HasPrefix(m.name, "\t"):
			list[0].WithHint("put a space, not a tab, between `#@` and code")
		case strings.HasSuffix(m.name, ":") || codeWord(m.name) != "" || isAssigned(m.name, c.body(m)):
			list[0].WithHint("write `#@ %s`, with a space, for code", cmp.Or(codeWord(m.name), m.name))
			list[0].Fix = addSpace(m.at)
		case list[0].Hint == "":
			list[0].WithHint(
				"what follows `#@%s` is read as the arguments of a call, with commas between them",
				m.name,
			)
		}
		c.errs = append(c.errs, list...)
		c.b.Skip(script.Piece(c.unit.File, m.at.Offset()+len("#@"), m.at.End()))
		return
	}
	if m.static == none { // static ones are already checked
		c.lintKeywords(m, keywordsOf(args))
		c.coverNote(m, nil, args)
	}
	c.role(m, &c.unit.Nodes[id])
	c.make()
	off := m.at.Offset()
	pos := c.b.Position(off)
	name, place := &syntax.Literal{
		Token:    syntax.STRING,
		TokenPos: pos,
		Value:    m.name,
	}, &syntax.Literal{
		Token:    syntax.INT,
		TokenPos: pos,
		Value:    int64(off),
	}
	c.do(OpNote, off, id, append([]syntax.Expr{name, place}, args...)...)
}

// body returns what follows `#@`.
func (c *yamlCompiler) body(m *meta) []byte {
	return bytes.TrimPrefix(c.unit.File.Data()[m.at.Offset():m.at.End()], []byte("#@"))
}

// role returns the role that an annotation gives its document.
func (m *meta) role() Role {
	switch m.name {
	case ValuesAnnotation:
		return ForValues
	case SchemaAnnotation:
		return ForSchema
	}
	return ForOutput
}

// role records that a document contains data values or their schema.
func (c *yamlCompiler) role(m *meta, n *Node) {
	role := m.role()
	if role == ForOutput {
		return
	}
	if n.Kind != tree.DocumentNode {
		c.fail(
			diag.Errorf(m.at, CodeAnnotation,
				"found @%s on %s; only documents (---) can be annotated with @%s", m.name, n.Kind,
				m.name).
				WithRelated(c.firstLine(n.Start), "the annotation belongs to this %s", n.Kind).
				WithHint("put a `---` line below the annotation"),
		)
		return
	}
	if c.unit.Role == ForOutput {
		c.unit.Role = role
	}
}

// oneRole rejects a document with two roles.
func (c *yamlCompiler) oneRole(metas []meta) {
	var first *meta
	for i := range metas {
		m := &metas[i]
		switch {
		case m.role() == ForOutput:
		case first == nil:
			first = m
		case first.name == m.name:
			c.fail(
				diag.Errorf(m.at, CodeAnnotation, "%s annotation may only be used once per document", m.name).
					WithRelated(first.at, "it is already used here").
					WithHint("remove one of the two; or put a `---` line between them, if they are " +
						"meant for two documents"),
			)
		default:
			c.fail(
				diag.Errorf(m.at, CodeAnnotation,
					"found @%s on a document with @%s, but a document has either data values or "+
						"their schema", m.name, first.name).
					WithRelated(first.at, "the other annotation is here").
					WithHint("remove one of the two; a schema already sets the defaults"),
			)
		}
	}
}

func isKeyword(s string) bool {
	switch s {
	case "if", "elif", "else", "for", "while", "def", "return", "load":
		return true
	}
	return false
}

// computed adds a node whose value is an expression. Unless key is nil, the key is an expression too.
func (c *yamlCompiler) computed(n Node, id int, value yaml.NodeID, m meta, key syntax.Expr) {
	if !c.isNull(value) {
		d := diag.Errorf(c.firstLine(n.Start), CodeTwoValues,
			"expected this %s to have either a computed value or a YAML value, but found both",
			n.Kind).
			WithRelated(m.at, "the computed value")
		d.WithRelated(c.tree.Span(value), "the YAML value").WithHint("remove one of the two; " +
			"code that is not the value goes on its own line, above")
		if hint := c.tooDeep(n, value); hint != "" {
			d.WithHint("%s", hint)
		}
		if c.tree.Kind(value) == yaml.Sequence &&
			c.unit.File.Data()[c.tree.Span(value).Offset()] == '-' {
			d.WithHint("to append the items, write them in a function, `def more():` ... `end`, "+
				"and write `#@ overlay.apply(%s, more())`; code that is not the value goes on "+
				"its own line, above", c.shortCode(m.at))
		}
		c.fail(d)
		if kind := c.tree.Kind(value); kind == yaml.Mapping || kind == yaml.Sequence {
			c.children(value, false) // so that the code in it does not end up at the next node
			c.flush()
		}
	}
	c.expression(id, m, key)
}

// expression adds node id with the value of an expression.
func (c *yamlCompiler) expression(id int, m meta, key syntax.Expr) {
	if len(bytes.TrimSpace(m.code.Text)) == 0 {
		c.noValue(m)
	}
	e, err := c.b.Expr(m.code)
	if err != nil {
		list := diag.Of(err)
		if word, _, _ := strings.Cut(string(bytes.TrimLeft(m.code.Text, " ")), " "); isKeyword(
			word,
		) ||
			strings.HasPrefix(list[0].Message, "got '=', ") {
			list[0].WithHint("code next to a node is its value, an expression; other code goes " +
				"on its own line")
		}
		c.errs = append(c.errs, list...)
		return
	}
	off := m.code.Off + len(m.code.Text) - len(bytes.TrimLeft(m.code.Text, " "))
	c.unit.values = append(c.unit.values, extent{int32(off), int32(m.at.End())})
	c.unit.Traced.code(id, c.unit.File, off, m.at.End())
	c.unit.Nodes[id].Before = c.end()
	if key != nil {
		c.do(OpSetKey, off, id, key, e)
		return
	}
	c.do(OpSet, off, id, e)
}

// noValue reports `#@` next to a node without an expression after it.
func (c *yamlCompiler) noValue(m meta) {
	d := diag.Warningf(m.at, CodeNoValue, "`#@` has no expression after it").
		WithHint("write the value, as in `#@ data.values.name`, or remove `#@`")
	if c.opt.KnownAnnotations {
		d.Severity = diag.Error
		c.fail(d)
		return
	}
	d.Message += ", so the value is `[]`"
	c.warn(d)
}

// tooDeep returns the hint for a map that is the value of item n only because it is indented too
// deep, or "". Usually its keys are meant to follow n.
func (c *yamlCompiler) tooDeep(n Node, value yaml.NodeID) string {
	item, first := c.tree.Start(n.Start).Offset(), c.tree.Span(value).Offset()
	if n.Kind != tree.MapItem || c.tree.Kind(value) != yaml.Mapping || c.sameLine(item, first) ||
		c.column(first) <= c.column(item) ||
		c.tree.Kind(n.Start) != yaml.Scalar {
		return ""
	}
	key, below := c.tree.Text(n.Start), c.tree.Text(value+1)
	where := "move it to the left margin"
	if n := c.column(item); n > 0 {
		where = fmt.Sprintf("put %d spaces before it", n)
	}
	return fmt.Sprintf(
		"`%s` is indented deeper than `%s`: %s to make it the next key; or remove the computed value",
		firstWords(below),
		firstWords(key),
		where,
	)
}

// column returns the number of bytes before an offset on its line.
func (c *yamlCompiler) column(off int) int {
	return off - 1 - bytes.LastIndexAny(c.unit.File.Data()[:off], "\r\n")
}

// shortCode returns the code of a comment as written, if it is short.
func (c *yamlCompiler) shortCode(at source.Span) string {
	const maxBytes = 60
	text := strings.TrimSpace(
		strings.TrimPrefix(string(c.unit.File.Data()[at.Offset():at.End()]), "#@"),
	)
	if len(text) > maxBytes || strings.Contains(text, "\n") {
		return "..."
	}
	return text
}

func (c *yamlCompiler) isNull(n yaml.NodeID) bool {
	if c.tree.Kind(n) != yaml.Scalar {
		return false
	}
	composer := yaml.Composer{Tree: c.tree}
	v, _ := composer.Scalar(n)
	return v.Kind == yaml.Null
}

// children compiles the items of a collection.
func (c *yamlCompiler) children(n yaml.NodeID, templated bool) {
	t := c.tree
	if t.Kind(n) == yaml.Sequence {
		for child := range t.Items(n) {
			item := Node{Kind: tree.ArrayItem, Start: child, End: t.Next(child), Pos: t.Start(child)}
			c.node(item, child, templated)
		}
		return
	}
	outer := c.repeats
	_, repeats := slices.BinarySearch(c.dups, n)
	defer func() { c.repeats = outer }()
	for key, value := range t.Pairs(n) {
		c.repeats = repeats
		item := Node{
			Kind:  tree.MapItem,
			Start: key,
			End:   t.Next(value),
			Pos:   t.Start(key),
			Key:   c.key(key),
		}
		c.node(item, value, templated)
	}
}

// key returns node n as a key. Keys are compared often, so its Starlark value is created now, unless
// keys are printed as written.
func (c *yamlCompiler) key(n yaml.NodeID) tree.Value {
	key := tree.FromSyntax(c.tree, n)
	if c.opt.Literals {
		return key
	}
	return key.Materialized()
}

// firstLine returns the span of node n on its first line.
func (c *yamlCompiler) firstLine(n yaml.NodeID) source.Span {
	start := c.tree.Start(n)
	f := c.unit.File
	line := f.Data()[start.Offset():f.LineEnd(start.Offset())]
	return start.To(start.Offset() + len(bytes.TrimRight(line, " \r\n")))
}

// constant adds a node without code to the stretch of its siblings.
func (c *yamlCompiler) constant(n Node, value yaml.NodeID) {
	t := c.tree
	merge := n.Kind == tree.MapItem && t.IsMerge(n.Start)
	if merge {
		c.flush()
	}
	if c.stretch == nil {
		c.stretch = &c.work.stretch
		*c.stretch = Stretch{Node: n, Items: c.work.items[:0], Unique: !c.repeats, Merge: merge}
	}
	if merge {
		defer c.flush()
		composer := yaml.Composer{Tree: t}
		from := t.Target(value)
		if t.Kind(from) != yaml.Mapping {
			return // already reported
		}
		for k, v := range composer.Entries(from) {
			c.stretch.Items = append(
				c.stretch.Items,
				tree.Item{
					Key:   c.key(k),
					Value: tree.FromSyntax(t, v),
					Pos:   t.Start(k),
				},
			)
		}
		return
	}
	c.stretch.Items = append(
		c.stretch.Items,
		tree.Item{Key: n.Key, Value: tree.FromSyntax(t, value), Pos: n.Pos},
	)
}

// flush adds the stretch of constant siblings, if there is one.
func (c *yamlCompiler) flush() {
	if c.stretch == nil {
		return
	}
	r := *c.stretch
	c.work.items, r.Items = r.Items, fitting(r.Items)
	c.unit.Stretches = append(c.unit.Stretches, r)
	c.stretch = nil
	c.step(Step{ID: int32(len(c.unit.Stretches) - 1), Stretch: true})
}

// step adds a step, which runs before whatever the program does next.
func (c *yamlCompiler) step(s Step) { c.unit.Steps = append(c.unit.Steps, s) }

// make adds a call to the program that runs the pending steps.
func (c *yamlCompiler) make() {
	first := c.end()
	if first == 0 {
		return
	}
	off := c.unit.At(c.unit.Steps[first-1]).Offset()
	c.do(OpMake, off, int(first-1))
}

// end marks the last of the pending steps. It returns the number of the first, counted from 1, or 0
// if there are none.
func (c *yamlCompiler) end() int32 {
	first := c.first
	if c.first = len(c.unit.Steps); first == c.first {
		return 0
	}
	c.unit.Steps[c.first-1].Last = true
	return int32(first + 1)
}

// template returns an expression for the text of a scalar that is a text template. If the template
// contains more than values, template adds code to the program that builds the text.
func (c *yamlCompiler) template(n yaml.NodeID) syntax.Expr {
	t := c.tree
	body, at := t.Text(n), t.Offsets(n)
	src := textSource{body: body, fragment: func(r text.Range) script.Fragment {
		fr := script.Fragment{Text: body[r.Start:r.End], Off: at(r.Start)}
		for i, b := range fr.Text {
			if b == '\n' {
				fr.Lines = append(fr.Lines, at(r.Start+i+1))
			}
		}
		return fr
	}}
	parts, err := text.Parse(
		body,
		func(start, end int) source.Span { return c.unit.File.Span(at(start), at(end)) },
	)
	if err != nil {
		c.errs = append(c.errs, diag.Of(err)...)
		c.b.Skip(src.fragment(text.Range{End: len(body)}))
		return &syntax.Ident{NamePos: c.b.Position(at(0)), Name: "None"} // never run
	}
	if !slices.ContainsFunc(parts, func(p text.Part) bool { return p.Kind == text.Statement }) {
		return c.join(src, parts, at(0))
	}
	c.make()
	c.do(OpBegin, at(0), none)
	c.text(src, parts)
	return &c.call(OpEnd, at(0), none).call
}
