package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file has the hints: what to write instead. Following a hint resolves the error, does what
// was most likely meant, and never loses existing data.

// addHint returns a hint for allowing that nothing matches.
func (e *explainer) addHint(p *overlay.Plan) string {
	joined := linter{e.opt}.joined(p.Notes.Get(overlay.NoteMatch))
	merges := p.Op == overlay.OpMerge && p.Kind != tree.DocumentNode
	switch {
	case !p.At.IsValid():
		return "a dict has no annotations: to add missing keys, write " +
			"`#@overlay/match-child-defaults missing_ok=True` above the key that holds it; " +
			"without a key, write the overlay as a YAML function, with `#@overlay/match " +
			"missing_ok=True` in it"
	case joined != "":
		return fmt.Sprintf("@overlay/match is used twice, and only the last one counts; "+
			"combine the two: `%s`", joined)
	case p.Notes.Get(overlay.NoteChildDefaults) != nil && p.Below.Any() && p.Expect.Counts == nil:
		return "@overlay/match-child-defaults applies only below its node: write " +
			ownMatch(p) + " for the node itself"
	case p.Kind == tree.DocumentNode:
		return "if the document was renamed, match what it is called now; if it may be missing write " +
			"`missing_ok=True` or `expects=\"0+\"`"
	case merges && p.Expect.Counts != nil && p.By != nil:
		return "to change only what matches, even if nothing does, write `when=\"1+\"` " +
			"instead of `expects`"
	case merges && lostOf(e.opt, p) != nil:
		return "to change it only where it exists, write `when=1`"
	case merges && p.By != nil && p.By.Kind != overlay.MatchMapKey:
		return "to change only what matches, even if nothing does, write `when=1`"
	case merges:
		return "to add it where it is missing write `missing_ok=True`; to change it only where " +
			"it exists, `when=1`"
	case p.Op == overlay.OpReplace && p.OrAdd:
		return "or_add=True does not allow zero matches: write `#@overlay/match " +
			"missing_ok=True` too"
	case p.Op == overlay.OpReplace && p.Kind == tree.MapItem && p.By == nil && p.Expect.Counts == nil:
		return "to replace it only where it exists, write `#@overlay/match when=1`; to add it " +
			"where it is missing, `#@overlay/match missing_ok=True` and `#@overlay/replace " +
			"or_add=True`"
	case p.Expect.Counts != nil:
		return "if it may be missing write `expects=\"0+\"`"
	}
	return "if it may be missing write `missing_ok=True`"
}

// belowDash returns where the annotation of a hint belongs if its key shares a line with the dash
// of an item: above that line it would apply to the item.
func belowDash(o *overlay.Options, p *overlay.Plan, hint string) string {
	asks := strings.Contains(hint, "when=1") || strings.Contains(hint, "missing_ok=True")
	if !asks || p.Kind != tree.MapItem || p.HasMatch || !p.At.IsValid() || o.Files == nil {
		return ""
	}
	f := o.Files.File(p.At.Pos)
	if f == nil {
		return ""
	}
	off := p.At.Pos.Offset()
	before := bytes.TrimRight(f.Data()[f.LineStart(off):off], " ")
	if !bytes.HasSuffix(before, []byte("-")) {
		return ""
	}
	return fmt.Sprintf("; `#@overlay/match ...` goes between the `-` and `%s:`, each on a line of "+
		"its own", plainKey(p.Key.Value))
}

// ownMatch returns a match annotation for a node that repeats the defaults it sets for the nodes
// below.
func ownMatch(p *overlay.Plan) string {
	how := "missing_ok=True"
	if p.Below.MissingOK == nil {
		how = "when=1"
		if p.Below.Expects != nil && p.Op == overlay.OpMerge && p.By == nil {
			how = "missing_ok=True"
		}
	}
	if p.By != nil {
		return "`" + how + "` into its @overlay/match"
	}
	return "`#@overlay/match " + how + "`"
}

// clashHint returns a hint for merging into entry i, whose value is of a different kind.
func clashHint(d overlay.View, i int32, p *overlay.Plan) string {
	left := d.Cell(i)
	replace := fmt.Sprintf("`#@overlay/replace` puts the %s in its place", p.Right.TypeName())
	switch left.Kind() {
	case tree.ArrayKind:
		if left.Empty() {
			return replace
		}
		return fmt.Sprintf("a `- ` is missing: write `- ` before %s, and %s above it; without a "+
			"match the item is appended", firstKey(p.Right), matchEvery(p.Right))
	case tree.MapKind:
		nodes := p.Children()
		switch {
		case left.Empty():
			return replace
		case len(nodes) > 0 && nodes[0].Inner == tree.MapKind && nodes[0].HasMatch:
			return "this is a map, not a list: remove the `- ` and the @overlay/match " +
				"above it"
		case len(nodes) > 0 && nodes[0].Inner == tree.MapKind:
			return "this is a map, not a list: remove the `- `"
		}
		return fmt.Sprintf("this is a map with %s, not a list: write the keys to change "+
			"below it", listed(left.Keys(), "key"))
	}
	return textHint(left.Value(), p, replace)
}

// textHint returns a hint for merging a map or an array into a scalar. The scalar may be text that
// is itself YAML or JSON, which should not be lost.
func textHint(v tree.Value, p *overlay.Plan, replace string) string {
	s, ok := v.Starlark().(starlark.String)
	if !ok {
		return replace
	}
	module, options := structured(string(s), p.Inner)
	switch {
	case module != "":
		return fmt.Sprintf("the value is text: change its contents with `#@overlay/replace "+
			"via=lambda left, right: %[1]s.encode(overlay.apply(%[1]s.decode(left), "+
			"right)%[2]s)` above it, and `#@ load(\"@ytt:%[1]s\", \"%[1]s\")` at the top of the "+
			"file", module, options)
	case strings.Contains(strings.TrimRight(string(s), "\n"), "\n"):
		return "the value is multi-line text, not a " + p.Right.TypeName() +
			": change it with a function such as `#@overlay/replace via=lambda left, right: " +
			"left.replace(\"old\", \"new\")`"
	}
	return replace
}

// structured returns the module that decodes a text to a collection of the given kind, and the
// options for encoding it again. It returns "" if there is none.
func structured(s string, kind tree.Kind) (module, options string) {
	const maxBytes = 1 << 20
	trimmed := strings.TrimSpace(s)
	if len(s) > maxBytes || trimmed == "" {
		return "", ""
	}
	if json.Valid([]byte(s)) && (trimmed[0] == '{') == (kind == tree.MapKind) &&
		(trimmed[0] == '[') == (kind == tree.ArrayKind) {
		if strings.Contains(trimmed, "\n") {
			options = ", indent=2"
		}
		return "json", options
	}
	var set source.Set
	f, err := set.Add("", []byte(s))
	if err != nil {
		return "", ""
	}
	t, err := yaml.Parse(f, yaml.Options{})
	if err != nil || t.Check(false).Failed() {
		return "", ""
	}
	if doc := t.First(); t.More(doc) && !t.More(t.Next(doc)) &&
		tree.FromSyntax(t, t.Root(doc)).Kind() == kind {
		return "yaml", ""
	}
	return "", ""
}

// firstKey returns the first key of a map, for a message.
func firstKey(v tree.Value) string {
	if m, ok := v.Map(); ok && len(m.Entries()) > 0 {
		return "`" + plainKey(m.Entries()[0].Key) + ":`"
	}
	return "it"
}

// matchEvery returns an annotation for a list item that was written without its dash.
func matchEvery(v tree.Value) string {
	if s := matchItem(v); !strings.Contains(s, "...") {
		return s + " (or `by=overlay.all, expects=\"1+\"` for every item)"
	}
	return "`#@overlay/match by=overlay.all, expects=\"1+\"` (or another `by`)"
}

const noWildcard = "`*` is not a wildcard here"

// wildcard reports whether a text that nothing equals was probably meant as a pattern.
func wildcard(s string) bool { return strings.Contains(s, "*") }

// alternatives splits a text such as "A|B", which lists several values. It returns nil for other
// texts.
func alternatives(s string) []string {
	for _, by := range []string{"|", ","} {
		of := strings.Split(strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"), by)
		for i, x := range of {
			of[i] = strings.TrimSpace(x)
		}
		if len(of) > 1 && !slices.Contains(of, "") {
			return of
		}
	}
	return nil
}

// globOf converts a regular expression to a pattern with stars, as far as possible.
func globOf(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(s, ".*", "*"), "^"), "$")
}

// globCondition returns a Starlark condition that tests whether code, an expression, matches a pattern
// with stars.
func globCondition(code, glob string) string {
	parts := strings.Split(glob, "*")
	first, last := parts[0], parts[len(parts)-1]
	var of []string
	if first != "" {
		of = append(of, fmt.Sprintf("%s.startswith(%s)", code, starlark.String(first)))
	}
	for _, mid := range parts[1 : len(parts)-1] {
		if mid != "" {
			of = append(of, fmt.Sprintf("%s in %s", starlark.String(mid), code))
		}
	}
	if last != "" {
		of = append(of, fmt.Sprintf("%s.endswith(%s)", code, starlark.String(last)))
	}
	if len(of) == 0 {
		return "True"
	}
	return strings.Join(of, " and ")
}

// subsetHint returns a hint for overlay.subset if its argument contains a pattern, or a list of
// alternatives. It returns "" if there is neither.
func subsetHint(d overlay.View, p *overlay.Plan, t *overlay.Test) string {
	hint, _ := patternHint(d, p, t)
	return hint
}

// patternHint is like subsetHint, and also reports whether a candidate matches the pattern.
func patternHint(d overlay.View, p *overlay.Plan, t *overlay.Test) (hint string, like bool) {
	switch t.Kind {
	case overlay.MatchAnd, overlay.MatchOr, overlay.MatchNot:
		for _, x := range t.Of {
			if hint, like := patternHint(d, p, x); hint != "" {
				return hint, like
			}
		}
		return "", false
	case overlay.MatchSubset:
	default:
		return "", false
	}
	var left []overlay.Cell
	for i := d.First(); i != overlay.None && len(left) < overlay.MaxCandidates; i = d.Next(i) {
		left = append(left, d.Cell(i))
	}
	c := condition{}
	c.read(&t.Want, "left", left)
	if c.what == "" || c.hopeless {
		return "", false
	}
	fn := fmt.Sprintf("lambda %s, left, right: %s", overlay.IndexWord(p.Kind), strings.Join(c.of, " and "))
	if t != p.By {
		return fmt.Sprintf("%s: write `%s` instead", c.what, fn), c.like
	}
	if !p.Expect.AllowsMore(0) { // nothing should match
		return fmt.Sprintf("%s: write `by=%s`", c.what, fn), c.like
	}
	return fmt.Sprintf("%s: write `by=%s, expects=\"1+\"`", c.what, fn), c.like
}

// star reports whether a test compares with a text that contains a star or lists alternatives.
func star(t *overlay.Test) bool {
	return t.Kind == overlay.MatchSubset && starIn(&t.Want) || slices.ContainsFunc(t.Of, star)
}

func starIn(p *overlay.Pattern) bool {
	if p.Kind == tree.ScalarKind {
		s, ok := p.Scalar.Starlark().(starlark.String)
		return ok && (wildcard(string(s)) || alternatives(string(s)) != nil)
	}
	return slices.ContainsFunc(p.Of, func(x overlay.Pattern) bool { return starIn(&x) })
}

// condition is a pattern as a Starlark condition.
type condition struct {
	of       []string
	what     string // the feature that a plain pattern lacks
	like     bool   // a candidate matches the text with a star
	hopeless bool   // the pattern cannot be expressed
}

// read adds the condition that code, an expression, contains want. left are the candidates' values
// for that expression.
func (c *condition) read(want *overlay.Pattern, code string, left []overlay.Cell) {
	switch want.Kind {
	case tree.MapKind:
		for i := range want.Of {
			k := overlay.Literal(want.Keys[i].Value)
			var below []overlay.Cell
			lack := false
			for _, x := range left {
				if y, ok := x.Lookup(want.Keys[i]); ok {
					below = append(below, y)
				} else {
					lack = true
				}
			}
			if lack {
				c.of = append(c.of, fmt.Sprintf("%s in %s", k, code))
			}
			c.read(&want.Of[i], code+"["+k+"]", below)
		}
	case tree.ArrayKind:
		var values []string
		for i := range want.Of {
			if want.Of[i].Kind != tree.ScalarKind {
				c.hopeless = true
				return
			}
			values = append(values, overlay.Literal(want.Of[i].Scalar))
		}
		for _, x := range left {
			if x.Kind() != tree.ScalarKind {
				c.hopeless = true // it compares a list with a list
				return
			}
		}
		if len(left) == 0 {
			c.hopeless = true
			return
		}
		c.what = "a list matches only an equal list, not one of its values"
		c.of = append(c.of, fmt.Sprintf("%s in [%s]", code, strings.Join(values, ", ")))
	default:
		if of := either(want.Scalar, left); of != "" {
			c.what, c.like = "text matches only equal text, not a list of alternatives", true
			c.of = append(c.of, fmt.Sprintf("%s in [%s]", code, of))
			return
		}
		if s, ok := want.Scalar.Starlark().(starlark.String); ok && wildcard(string(s)) &&
			len(left) > 0 && !anyStar(left) {
			c.what = noWildcard
			glob := string(s)
			likes := func(x overlay.Cell) bool { return matchesGlob(x, glob) }
			if like := slices.ContainsFunc(left, likes); !like {
				glob = globOf(glob)
			}
			c.like = c.like || slices.ContainsFunc(left, likes)
			c.of = append(c.of, globCondition(code, glob))
			return
		}
		c.of = append(c.of, code+" == "+overlay.Literal(want.Scalar))
	}
}

// either returns the alternatives in want as code, if a candidate equals one of them. It returns ""
// if there is no such candidate, or if one equals the whole text.
func either(want tree.Value, left []overlay.Cell) string {
	s, ok := want.Starlark().(starlark.String)
	if !ok {
		return ""
	}
	of := alternatives(string(s))
	found := false
	for _, x := range left {
		one, ok := text(x)
		if ok && one == string(s) {
			return ""
		}
		found = found || ok && slices.Contains(of, one)
	}
	if !found {
		return ""
	}
	for i, x := range of {
		of[i] = starlark.String(x).String()
	}
	return strings.Join(of, ", ")
}

// text returns the cell as a string, if it is one.
func text(c overlay.Cell) (string, bool) {
	if c.Kind() != tree.ScalarKind {
		return "", false
	}
	return starlark.AsString(c.Value().Starlark())
}

// matchesGlob reports whether the cell is a text that matches a pattern with stars.
func matchesGlob(c overlay.Cell, glob string) bool {
	s, ok := text(c)
	if !ok {
		return false
	}
	parts := strings.Split(glob, "*")
	rest, ok := strings.CutPrefix(s, parts[0])
	last := parts[len(parts)-1]
	for _, mid := range parts[1 : len(parts)-1] {
		var found bool
		_, rest, found = strings.Cut(rest, mid)
		ok = ok && found
	}
	return ok && strings.HasSuffix(rest, last)
}

// anyStar reports whether a candidate contains a star itself.
func anyStar(left []overlay.Cell) bool {
	for _, x := range left {
		if x.Kind() != tree.ScalarKind {
			continue
		}
		if s, ok := x.Value().Starlark().(starlark.String); ok && wildcard(string(s)) {
			return true
		}
	}
	return false
}

// keyHint returns a hint for a key that is a pattern, a path or a placeholder, or "".
func keyHint(d overlay.View, p *overlay.Plan) string {
	k := p.Key.Text
	first, rest, dotted := strings.Cut(k, ".")
	switch {
	case !p.Key.IsString:
		return ""
	case k == "_":
		return "`_` matches any key only with @overlay/match: write `#@overlay/match " +
			"by=overlay.all, " +
			"expects=\"1+\"` above it"
	case strings.Contains(k, "**"):
		return overlay.AnyDepth(k)
	case strings.Trim(k, "*") == "":
		return noWildcard + ": write `_` as the key, and `#@overlay/match by=overlay.all, " +
			"expects=\"1+\"` above it"
	case wildcard(k):
		return fmt.Sprintf("%s: write `#@overlay/match by=lambda key, left, right: %s, "+
			"expects=\"1+\"` above it", noWildcard, globCondition("key", k))
	case dotted && rest != "" && d.Find(overlay.KeyOf(tree.String(first))) != overlay.None:
		return fmt.Sprintf("a key is not a path: write `%s:` and below it, indented, `%s:`", first,
			rest)
	}
	return ""
}

// AmongMany implements overlay.Explainer. If other matches have the key that one lacks, it is not a
// misspelling.
func (e *explainer) AmongMany(err error, d overlay.View, p *overlay.Plan, found []int32) error {
	x, ok := err.(*diag.Diagnostic)
	if !ok {
		return err
	}
	plans := e.missed
	if len(plans) == 0 || len(found) < 2 || len(plans) > 1 && plans[len(plans)-1] != p {
		return err
	}
	plans = plans[:len(plans)-1]
	have := 0
	for _, i := range found {
		if hasValueAt(d.Cell(i), plans) {
			have++
		}
	}
	if have == 0 || len(plans) == 0 {
		return err
	}
	e.missed = nil
	missed := plans[0]
	some := fmt.Sprintf("%d of the %d matches have it", have, len(found))
	if have == 1 {
		some = fmt.Sprintf("1 of the %d matches has it", len(found))
	}
	x.Hint = fmt.Sprintf("%s: to change it only where it exists, write `#@overlay/match "+
		"when=1` above it", some)
	switch {
	case lostOf(e.opt, missed) != nil || missed.Op != overlay.OpMerge:
	case len(plans) == 1 && missed.Inner != tree.ScalarKind && p.Kind != tree.DocumentNode:
		x.Hint += "; if its name differs in each, write `_` as the key, and `#@overlay/match " +
			"by=overlay.all, expects=\"1+\"` above it"
	default:
		x.Hint += "; to add it to the others, `missing_ok=True`"
	}
	x.Hint += belowDash(e.opt, missed, x.Hint)
	return x
}

// hasValueAt reports whether c has a value at the path way, whose innermost key comes first.
func hasValueAt(c overlay.Cell, way []*overlay.Plan) bool {
	for i := len(way) - 1; i >= 0; i-- {
		if way[i].Kind != tree.MapItem || way[i].By != nil {
			return false
		}
		var ok bool
		if c, ok = c.Lookup(way[i].Key); !ok {
			return false
		}
	}
	return true
}

// namespaceHint is for the key that overlays of all documents most often add, and that some
// Kubernetes kinds must not have.
const namespaceHint = "to add it where it is missing write `missing_ok=True`; exclude kinds " +
	"without a namespace with `by=lambda index, left, right: left[\"kind\"] not in " +
	"[\"Namespace\", \"ClusterRole\", \"ClusterRoleBinding\", \"CustomResourceDefinition\"], " +
	"expects=\"1+\"` above the `---`"
