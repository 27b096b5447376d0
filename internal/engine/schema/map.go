package schema

import (
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// restKey is the key of the item that declares the values of all other keys of a map with
// @schema/map. In other maps it is an ordinary key.
const restKey = "_"

// openMap is the content of @schema/map, for a map with arbitrary keys.
type openMap struct {
	item  *Type          // the type of the value of each key
	keys  *regexp.Regexp // what all keys must match; nil if there is no such rule
	rules *rules         // rules about the number of keys; nil if there are none
}

// takes reports whether an undeclared key of the map may be set.
func (o *openMap) takes(key tree.Value) bool {
	if o.keys != nil {
		return o.keys.MatchString(tree.KeyText(key))
	}
	return !key.IsString(restKey)
}

// rest returns the type of the values of arbitrary keys, or nil.
func (t *Type) rest() *Type {
	if t.open == nil {
		return nil
	}
	return t.open.item
}

// Opens reports whether some keys are absent by default. Documents that set such keys do not need
// missing_ok.
func (t *Type) Opens() bool { return t.opens }

// OpensAt returns the type of the value of a key, or nil, and whether the key may be absent.
func (t *Type) OpensAt(key tree.Value, guess int) (typ *Type, absent bool) {
	if t.union != nil { // which alternative it is, is not known yet
		return t.ofKey(key, guess), true
	}
	if i, ok := t.lookup(key, guess); ok {
		return t.fields[i].typ, t.fields[i].typ.unset()
	}
	return t.rest(), t.open != nil
}

// unset reports whether the value is absent by default.
func (t *Type) unset() bool { return t.required || t.computed != nil }

// openMap reads @schema/map.
func (b *builder) openMap(n node) *openMap {
	a := n.notes.Get(noteMap)
	if a == nil {
		return nil
	}
	for _, other := range []string{noteNullable, noteType} {
		if x := n.notes.Get(other); x != nil {
			relate(b.refuse(n, a, "@schema/map does not go with @"+other), noteSpan(x), "it is here").
				WithHint("%s", besideMap(other))
			return nil
		}
	}
	if n.value.Kind() != tree.MapKind {
		b.refuse(n, a, "@schema/map is for maps, but found "+diag.Article(n.value.TypeName())).
			WithHint("write the type of all values below it, under the key `_`")
		return nil
	}
	o := &openMap{}
	b.mapArguments(o, n, a)
	return o
}

// besideMap returns what to write instead of an annotation beside @schema/map.
func besideMap(name string) string {
	if name == noteNullable {
		return "a map with arbitrary keys is empty by default: remove `#@schema/nullable`"
	}
	return "`#@schema/map` gives each value the type of `_`: put `#@schema/type any=True` above `_` to " +
		"allow any value"
}

// mapArguments reads the keywords of @schema/map.
func (b *builder) mapArguments(o *openMap, n node, a *tree.Annotation) {
	takes, _ := tree.MeaningOf(noteMap)
	c := ruleCompiler{note: a, node: n, takes: takes, rules: &rules{at: noteSpan(a), schema: true}}
	if len(a.Args) > 0 {
		c.fail("expected only keyword arguments, but found: %s", a.Args[0]).
			WithHint("keywords are %s", strings.Join(takes.KeywordNames(), ", "))
	}
	for _, kw := range a.Kwargs {
		name, _ := starlark.AsString(kw[0])
		switch {
		case name == "keys":
			o.keys = c.pattern(name, kw[1])
		case takes.Takes(name):
			c.keyword(name, kw[1])
		default:
			c.known(kw[0])
		}
	}
	for _, d := range c.list {
		b.fail(d)
	}
	if c.rules.list != nil {
		o.rules = c.rules
	}
}

// pattern reads a keyword argument that is a regular expression.
func (c *ruleCompiler) pattern(name string, x starlark.Value) *regexp.Regexp {
	text, ok := starlark.AsString(x)
	if !ok {
		c.fail("expected keyword argument %q to be a string, but was %s", name, x.Type()).
			WithHint("write a regular expression: %s=\"^[a-z]+$\"", name)
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		c.fail("keyword argument %q is not a regular expression: %s", name,
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")).
			WithHint("the syntax is that of @ytt:regexp: https://golang.org/s/re2syntax")
		return nil
	}
	return re
}

// inferRest derives the type of the values of arbitrary keys from the item `_`.
func (b *builder) inferRest(t *Type, n node) {
	for _, name := range restRefuses {
		if a := n.notes.Get(name); a != nil {
			b.refuse(n, a, "@"+name+" not supported on `_`, which stands for keys that users set").
				WithHint("annotate the map itself, above, or what is in `_`")
		}
	}
	b.path = append(b.path, step{key: n.key, index: -1})
	t.open.item = b.build(n)
	b.path = b.path[:len(b.path)-1]
	t.contains(t.open.item)
	t.opens = true
}

// restRefuses are the annotations that have no meaning on the item `_`, which has no default.
var restRefuses = [...]string{noteDefault, noteRequired, noteComputed}

// checkRest reports a map with @schema/map that does not declare the type of its values.
func (b *builder) checkRest(t *Type, n node) {
	if t.open == nil || t.open.item != nil {
		return
	}
	t.open.item = Any()
	b.refuse(n, n.notes.Get(noteMap), "@schema/map expects an item with the key `_`, but found none").
		WithHint("write the type of all values under the key `_`")
}

// refusedKey reports a key that a map with arbitrary keys does not allow.
func (c *checker) refusedKey(t *Type, n *node) {
	expected := "another key: `_` stands for all keys in the schema"
	if t.open.keys != nil {
		expected = "a key that matches " + t.open.keys.String()
	}
	d := diag.Errorf(n.span(), CodeKey, "given data value has a key that is not allowed: found %s, expected %s",
		typedKey(n.key), expected)
	d.Path = append(slices.Clip(c.path), step{key: n.key, index: -1}).String()
	switch near := c.nearest(t, tree.KeyText(n.key)); {
	case near != "":
		d.WithHint("did you mean %q?", near).WithFix(tree.KeyText(n.key), near)
	case t.open.keys != nil:
		d.WithHint("rename the key, or change `keys` of `#@schema/map` in the schema")
	default:
		d.WithHint("rename the key, or allow it in the schema with `keys` of `#@schema/map`")
	}
	c.list = append(c.list, relate(d, t.at, "the map is declared here"))
}
