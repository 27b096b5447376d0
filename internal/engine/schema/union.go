package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// union is what @schema/any-of or @schema/one-of says: the alternatives that a value may be.
type union struct {
	alts  []*Type
	by    string   // the key whose value names the alternative, of @schema/one-of
	names []string // of the alternatives, of @schema/one-of
}

// Tagged reports whether some values are maps with @schema/one-of. If the tag of such a map changes, the
// whole map does.
func (t *Type) Tagged() bool { return t.tagged }

// union reads @schema/any-of and @schema/one-of.
func (b *builder) union(t *Type, n node) bool {
	a, tagged := n.notes.Get(noteAnyOf), n.notes.Get(noteOneOf)
	if a == nil && tagged == nil {
		return false
	}
	note := a
	if note == nil {
		note = tagged
	}
	if n.what == tree.DocumentNode {
		b.refuse(n, note, "@"+note.Name+" not supported on a document").WithHint("annotate single keys")
		return false
	}
	for _, other := range []string{noteType, noteMap, noteOneOf} {
		if x := n.notes.Get(other); x != nil && x != note {
			relate(b.refuse(n, note, "@"+note.Name+" does not go with @"+other), noteSpan(x), "it is here").
				WithHint("remove one of the two")
			return false
		}
	}
	if a != nil {
		b.anyOf(t, n, a)
	} else {
		b.oneOf(t, n, tagged)
	}
	return true
}

// anyOf reads @schema/any-of: examples of the alternatives, or functions that return them.
func (b *builder) anyOf(t *Type, n node, a *tree.Annotation) {
	const hint = "write examples of at least two types: `#@schema/any-of 80, \"http\"`"
	t.kind, t.union, t.def = unionKind, &union{}, n.value
	if len(a.Kwargs) > 0 || len(a.Args) < 2 {
		b.refuse(n, a, "@schema/any-of expects at least two examples, and no keywords").WithHint(hint)
		return
	}
	for _, x := range a.Args {
		v, ok := b.example(n, a, x)
		if !ok {
			continue
		}
		if v.Kind() == tree.MapKind {
			b.refuse(n, a, "an alternative of @schema/any-of is a map").
				WithHint("tell maps apart by one of their keys: `#@schema/one-of by=\"type\", s3=s3(), gcs=gcs()`")
			continue
		}
		alt := b.build(node{key: n.key, value: v, pos: n.pos, what: n.what})
		t.union.alts = append(t.union.alts, alt)
		t.contains(alt)
	}
}

// example returns an argument as a value: a function returns it.
func (b *builder) example(n node, a *tree.Annotation, x starlark.Value) (tree.Value, bool) {
	if _, ok := x.(starlark.Callable); ok {
		b.refuse(n, a, fmt.Sprintf("an alternative of @%s is a function", a.Name)).
			WithHint("call it: what it returns is the alternative")
		return tree.Value{}, false
	}
	return b.value(n, a, x)
}

// oneOf reads @schema/one-of: maps that a key tells apart.
func (b *builder) oneOf(t *Type, n node, a *tree.Annotation) {
	const hint = "write the key and the alternatives: `#@schema/one-of by=\"type\", s3=s3(), gcs=gcs()`"
	t.kind, t.union, t.def = mapKind, &union{}, n.value
	if len(a.Args) > 0 {
		b.refuse(n, a, "@schema/one-of takes only keyword arguments").WithHint(hint)
		return
	}
	for _, kw := range a.Kwargs {
		name, _ := starlark.AsString(kw[0])
		by, ok := starlark.AsString(kw[1])
		if name == "by" && !ok {
			b.refuse(n, a, fmt.Sprintf("expected keyword argument \"by\" to be a string, but was %s", kw[1].Type())).
				WithHint(hint)
			return
		}
		if name == "by" {
			t.union.by = by
		}
	}
	if t.union.by == "" || len(a.Kwargs) < 3 {
		b.refuse(n, a, "@schema/one-of expects by=, a string, and at least two alternatives").WithHint(hint)
		return
	}
	for _, kw := range a.Kwargs {
		name, _ := starlark.AsString(kw[0])
		if name == "by" {
			continue
		}
		v, ok := b.example(n, a, kw[1])
		if !ok {
			continue
		}
		m, ok := v.Map()
		if !ok {
			b.refuse(n, a, fmt.Sprintf("alternative '%s' of @schema/one-of is %s, not a map", name,
				diag.Article(v.TypeName()))).WithHint(hint)
			continue
		}
		b.alternative(t, n, name, m)
	}
	t.opens, t.tagged = true, true
}

// alternative adds an alternative of @schema/one-of. Its tag is its first key.
func (b *builder) alternative(t *Type, n node, name string, m *tree.Map) {
	tag := tree.Item{Key: tree.String(t.union.by), Value: tree.String(name), Pos: n.pos}
	items := []tree.Item{tag}
	for _, it := range m.Entries() {
		if !it.Key.IsString(t.union.by) {
			items = append(items, it)
		}
	}
	alt := b.build(node{
		key: n.key, value: tree.Of(tree.NewMap(items, n.pos)), pos: n.pos, what: n.what,
	})
	t.union.alts, t.union.names = append(t.union.alts, alt), append(t.union.names, name)
	t.contains(alt)
}

// unionDefault checks the default of a value with alternatives, and completes it.
func (b *builder) unionDefault(t *Type, n node) {
	c := checker{Steps: &Steps{}, path: b.path}
	t.def = c.assign(t, n, tree.Value{})
	for _, d := range c.list {
		d.Message = "invalid schema: the default fits no alternative: " + d.Message
		b.fail(d)
	}
}

// chosen returns the alternative that a value matches. It returns t if t has no alternatives, or if none
// matches. t may be nil.
func (t *Type) chosen(v tree.Value) *Type {
	if t == nil || t.union == nil {
		return t
	}
	if t.union.by != "" {
		if i := t.union.named(v); i >= 0 {
			return t.union.alts[i]
		}
		return t
	}
	for _, alt := range t.union.alts {
		c := checker{Steps: &Steps{}}
		if c.assign(alt, node{value: v}, tree.Value{}); c.list == nil {
			return alt
		}
	}
	return t
}

// named returns the index of the alternative that a map names by its tag, or -1.
func (u *union) named(v tree.Value) int {
	tag, ok := v.Lookup(u.by)
	if !ok {
		return -1
	}
	return slices.IndexFunc(u.names, tag.IsString)
}

// assignUnion checks a value against the alternatives, and completes it.
func (c *checker) assignUnion(t *Type, n node, old tree.Value) tree.Value {
	if t.nullable && n.value.IsNull() {
		return n.value
	}
	if t.union.by != "" {
		return c.assignTagged(t, n, old)
	}
	near := diag.List(nil)
	for _, alt := range t.union.alts {
		try := checker{Steps: c.Steps, path: c.path}
		v := try.assign(alt, n, tree.Value{})
		if try.list == nil {
			return v
		}
		if n.value.Kind() == tree.ArrayKind && alt.kind == arrayKind && near == nil {
			near = try.list
		}
	}
	if near == nil {
		d := diag.Errorf(n.valueSpan(), CodeType, "found %s, expected %s", diag.Article(n.value.TypeName()),
			t.union.kinds())
		d.Path = c.path.String()
		near = diag.List{relate(d, t.at, "the alternatives are declared here")}
	} else {
		near[0].WithHint("this is nearest to the list among the alternatives, which are %s", t.union.kinds())
	}
	c.list = append(c.list, near...)
	return n.value
}

// kinds returns what the alternatives are: "an integer or a string".
func (u *union) kinds() string {
	var names []string
	for _, alt := range u.alts {
		if name := diag.Article(alt.kind.String()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// assignTagged checks a map against the alternative that it names or, without a name, that the default names.
// If a document switches to another alternative, values that it does not set become the defaults of the new
// one.
func (c *checker) assignTagged(t *Type, n node, old tree.Value) tree.Value {
	m, ok := n.value.Map()
	if !ok {
		c.mismatch(t, &n)
		return n.value
	}
	i := t.union.named(n.value)
	if m.Find(starlark.String(t.union.by)) < 0 {
		i = t.union.named(t.def)
	}
	if i < 0 {
		c.noAlternative(t, &n)
		return n.value
	}
	before, had := old.Map()
	if had && t.union.named(old) != i {
		var items []tree.Item
		for _, it := range m.Entries() {
			at := before.Find(it.Key.Starlark())
			if at < 0 || before.Entries()[at].Value != it.Value {
				items = append(items, it)
			}
		}
		n.value = tree.Of(tree.NewMap(items, m.Pos)).WithOrigin(n.value.Origin())
		old = tree.Value{}
	}
	return c.assign(t.union.alts[i], n, old)
}

// noAlternative reports a map that names no alternative.
func (c *checker) noAlternative(t *Type, n *node) {
	found := "no such key"
	at := n.span()
	if m, ok := n.value.Map(); ok {
		if i := m.Find(starlark.String(t.union.by)); i >= 0 {
			tag := itemNode(&m.Entries()[i], tree.MapItem, n.pos)
			found, at = tag.value.TypeName(), tag.valueSpan()
			if s, ok := starlark.AsString(tag.value.Starlark()); ok {
				found = fmt.Sprintf("%q", s)
			}
		}
	}
	d := diag.Errorf(at, CodeType, "the key '%s' says which alternative this is: found %s, expected one of %s",
		t.union.by, found, strings.Join(t.union.names, ", "))
	d.Path = c.path.String()
	c.list = append(c.list, relate(d, t.at, "the alternatives are declared here"))
}
