package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Assign checks doc against t and completes it: keys that maps leave out are filled in with their
// defaults, after the others, in the order of the schema. That includes maps in arrays and nullable
// ones. The list has all violations.
//
// checked is an earlier result of Assign, or Default: what doc shares with it is valid and is not
// checked again, so that many small steps over large values cost no more than the changes.
func (t *Type) Assign(doc, checked tree.Doc) (tree.Doc, diag.List) {
	return t.AssignStep(doc, checked, &Steps{})
}

// Steps is state that several calls of AssignStep share.
type Steps struct {
	// Parts are the collections in checked that represent larger ones: see the type Parts.
	Parts Parts

	// Origins records what is filled in. It may be nil.
	Origins *tree.Origins

	guess int // how many names were compared for suggestions
}

// Parts are collections that represent larger ones, whose remaining entries are valid.
type Parts struct {
	// Maps contain only some of their keys. The document had all of these keys before it was changed.
	Maps map[*tree.Map]bool

	// Ends are empty arrays, with the number of items that they omit: the document appends to them.
	Ends map[*tree.Array]int
}

// Clear removes everything.
func (p *Parts) Clear() {
	clear(p.Maps)
	clear(p.Ends)
}

// AssignStep is Assign as one of many steps.
func (t *Type) AssignStep(doc, checked tree.Doc, s *Steps) (tree.Doc, diag.List) {
	c := checker{Steps: s}
	doc.Value = c.assign(t, documentNode(doc), checked.Value)
	return doc, c.list
}

// checker is one run of Assign.
type checker struct {
	*Steps
	list diag.List
	path path
}

// assign checks the value of n and returns it completed. Parts that are the same as in old are valid.
func (c *checker) assign(t *Type, n node, old tree.Value) tree.Value {
	if t.kind == anyKind || n.value == old && old != (tree.Value{}) {
		return n.value
	}
	if t.union != nil {
		return c.assignUnion(t, n, old)
	}
	switch t.kind {
	case mapKind:
		if m, ok := n.value.Map(); ok {
			return c.assignMap(t, n, m, old)
		}
	case arrayKind:
		if a, ok := n.value.Array(); ok {
			return c.assignArray(t, n, a, old)
		}
	default:
		if n.value.Kind() == tree.ScalarKind && t.kind.takes(n.value.Starlark()) {
			return n.value
		}
	}
	if !t.nullable || !n.value.IsNull() {
		c.mismatch(t, &n)
	}
	return n.value
}

// takes reports whether a scalar is of the kind. A float may be written as an integer.
func (k kind) takes(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String:
		return k == stringKind
	case starlark.Int:
		return k == intKind || k == floatKind
	case starlark.Float:
		return k == floatKind
	case starlark.Bool:
		return k == boolKind
	}
	return false
}

func (c *checker) assignMap(t *Type, n node, m *tree.Map, old tree.Value) tree.Value {
	entries := m.Entries()
	var before []tree.Item
	part := false
	if o, ok := old.Map(); ok {
		before = o.Entries()
		part = c.Parts.Maps[o]
	}
	// Unknown keys come first: they often cause the rest.
	known := 0
	for i := range entries {
		if _, ok := t.lookup(entries[i].Key, i); ok {
			known++
			continue
		}
		if t.open != nil && t.open.takes(entries[i].Key) {
			continue
		}
		child := itemNode(&entries[i], tree.MapItem, n.pos)
		if t.open != nil {
			c.refusedKey(t, &child)
		} else {
			c.unknownKey(t, &child)
		}
	}
	edit := edits{from: entries, room: len(t.fields) - known}
	var given []bool // for each field, whether it is set; nil if no field is missing
	if part {
		edit.room = 0
	}
	if edit.room > 0 {
		given = make([]bool, len(t.fields))
	}
	next := 0 // in a part: the first place where the item may have been
	for i := range entries {
		typ := t.rest()
		if at, ok := t.lookup(entries[i].Key, i); ok {
			typ = t.fields[at].typ
			if given != nil {
				given[at] = true
			}
		}
		if typ == nil {
			continue
		}
		j := i
		if part {
			for next < len(before) && before[next].Key != entries[i].Key {
				next++ // the item was removed
			}
			j = next
		}
		was := tree.Value{}
		if j < len(before) && before[j].Key == entries[i].Key {
			was = before[j].Value
		}
		c.path = append(c.path, step{key: entries[i].Key, index: -1})
		edit.set(i, c.assign(typ, itemNode(&entries[i], tree.MapItem, n.pos), was))
		c.path = c.path[:len(c.path)-1]
	}
	for i, ok := range given {
		if !ok && !t.fields[i].typ.unset() {
			edit.add(t.fields[i].filled(c.Origins))
		}
	}
	if part {
		for _, i := range t.lost(before, entries) {
			edit.add(t.fields[i].filled(c.Origins))
		}
	}
	if edit.items == nil {
		return n.value
	}
	return tree.Of(tree.NewMap(edit.items, m.Pos)).WithOrigin(n.value.Origin())
}

// filled returns the item of a missing field.
func (f *field) filled(origins *tree.Origins) tree.Item {
	v := f.typ.def
	if s, ok := origins.Of(v.Origin()); !ok || s.By == tree.ByTemplate {
		// otherwise another schema document has overridden it
		v = origins.Set(v, tree.Setting{By: tree.ByDefault, At: f.typ.at, From: v.Origin()})
	}
	return tree.Item{Key: f.key, Value: v, Pos: f.typ.at.Pos}
}

// lost returns the fields, in order, that were removed from the items.
func (t *Type) lost(before, now []tree.Item) []int {
	if len(now) >= len(before) &&
		(len(before) == 0 || now[len(before)-1].Key == before[len(before)-1].Key) {
		return nil // new items come last
	}
	kept := make(map[int]bool, len(now))
	for i := range now {
		if at, ok := t.lookup(now[i].Key, i); ok {
			kept[at] = true
		}
	}
	var list []int
	for i := range before {
		if at, ok := t.lookup(before[i].Key, i); ok && !kept[at] && !t.fields[at].typ.unset() {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

func (c *checker) assignArray(t *Type, n node, a *tree.Array, old tree.Value) tree.Value {
	entries := a.Entries()
	var before []tree.Item
	first := 0 // the index of the first
	if o, ok := old.Array(); ok {
		before, first = o.Entries(), c.Parts.Ends[o]
	}
	edit := edits{from: entries}
	for i := range entries {
		was := tree.Value{}
		if i < len(before) {
			was = before[i].Value
		}
		c.path = append(c.path, step{index: first + i})
		edit.set(i, c.assign(t.item, itemNode(&entries[i], tree.ArrayItem, n.pos), was))
		c.path = c.path[:len(c.path)-1]
	}
	if edit.items == nil {
		return n.value
	}
	return tree.Of(tree.NewArray(edit.items, a.Pos)).WithOrigin(n.value.Origin())
}

// edits is a list of items that is copied when the first item changes. Usually none does.
type edits struct {
	from, items []tree.Item
	room        int // how many items will be added
}

func (e *edits) copy() {
	if e.items == nil {
		e.items = make([]tree.Item, len(e.from), len(e.from)+e.room)
		copy(e.items, e.from)
	}
}

func (e *edits) set(i int, v tree.Value) {
	if e.from[i].Value != v {
		e.copy()
		e.items[i].Value = v
	}
}

func (e *edits) add(it tree.Item) {
	e.copy()
	e.items = append(e.items, it)
}

// mismatch reports a value of the wrong type.
func (c *checker) mismatch(t *Type, n *node) {
	d := diag.Errorf(
		n.valueSpan(),
		CodeType,
		"found %s, expected %s",
		diag.Article(n.value.TypeName()),
		diag.Article(t.kind.String()),
	)
	d.Path, d.Hint = c.path.String(), retype(t, n.value)
	c.list = append(c.list, relate(d, t.at, "the type is declared here"))
}

// retype returns a hint for converting a value to the type, or "".
func retype(t *Type, v tree.Value) string {
	switch x := v.Starlark().(type) {
	case starlark.NoneType:
		return "allow null in the schema with `#@schema/nullable`, or leave the value out to get the default"
	case starlark.String:
		if _, ok := t.kind.read(string(x)); ok {
			return fmt.Sprintf("%s is a string here: write %s without quotes", x, string(x))
		}
	case starlark.Int, starlark.Bool, starlark.Float:
		if t.kind == stringKind {
			return "put it in quotes to make it a string"
		}
	}
	return ""
}

const (
	maxNamed   = 9       // if there are more keys, a message does not list them
	maxGuesses = 100_000 // if there are more names in one run, wrong ones are not compared with them
)

// unknownKey reports a key that the schema does not declare.
func (c *checker) unknownKey(t *Type, n *node) {
	names := make([]string, 0, maxNamed)
	if len(t.fields) <= maxNamed {
		for _, f := range t.fields {
			names = append(names, typedKey(f.key))
		}
		slices.Sort(names)
	}
	expected := "a key declared in the map"
	switch {
	case len(t.fields) == 0:
		expected = "an empty map"
	case len(t.fields) == 1:
		expected = "a map item with the key named " + names[0]
	case len(names) > 0:
		expected = "one of { " + strings.Join(names, ", ") + " }"
	}
	d := diag.Errorf(
		n.span(),
		CodeKey,
		"given data value is not declared in schema: found %s, expected %s",
		typedKey(n.key),
		expected,
	)
	d.Path = append(c.path[:len(c.path):len(c.path)], step{key: n.key, index: -1}).String()
	key := tree.KeyText(n.key)
	before, after, colon := strings.Cut(key, ":")
	if _, declared := t.lookup(tree.String(before), 0); colon && declared {
		d.WithHint("write `%s: %s`, with a space after the colon", before, after)
	} else if other, ok := t.truth(n.key); ok {
		d.WithHint("the schema declares the boolean %s, not a string: without quotes y, yes, on "+
			"and n, no, off are booleans in YAML, so write the key in quotes there",
			tree.KeyText(other))
	} else if outer, inner, ok := t.joined(key, "_"); ok {
		d.WithHint("%s is in %s: in environment variable names, two underscores separate "+
			"nested keys, as in %s__%s", inner, outer, outer, inner)
	} else if outer, inner, ok := t.joined(key, "."); ok {
		d.WithHint("a key is not a path: write `%s:`, and below it `%s:`", outer, inner)
	} else if near := c.nearest(t, key); near != "" {
		d.WithHint("did you mean %q?", near).WithFix(key, near)
	} else if len(t.fields) == 0 {
		d.WithHint("in a schema {} is a map without keys: allow any with `#@schema/type any=True`")
	} else if len(c.path) > 0 {
		d.WithHint("declare it in the schema; to allow any key, write `#@schema/type any=True` " +
			"above the map there")
	} else {
		d.WithHint("declare it in the schema")
	}
	c.list = append(c.list, relate(d, t.at, "the map is declared here"))
}

// joined returns a key of the type and a key of the map at that key, if text consists of both with
// between in the middle.
func (t *Type) joined(text, between string) (outer, inner string, ok bool) {
	const long = 200 // no one writes longer keys
	if len(text) > long {
		return "", "", false
	}
	for i := strings.Index(text, between); i >= 0 && !ok; {
		outer, inner = text[:i], text[i+len(between):]
		if field, declared := t.lookup(tree.String(outer), 0); declared &&
			t.fields[field].typ != nil {
			_, ok = t.fields[field].typ.lookup(tree.String(inner), 0)
		}
		next := strings.Index(text[i+1:], between)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return outer, inner, ok
}

// truth returns the boolean key that the schema declares instead of the key, because the schema's key
// is written without quotes: `n: 1`.
func (t *Type) truth(key tree.Value) (tree.Value, bool) {
	s, ok := starlark.AsString(key.Starlark())
	if !ok {
		return tree.Value{}, false
	}
	var b starlark.Bool
	switch strings.ToLower(s) {
	case "y", "yes", "on", "true":
		b = true
	case "n", "no", "off", "false":
	default:
		return tree.Value{}, false
	}
	_, ok = t.lookup(tree.Of(b), 0)
	return tree.Of(b), ok
}

// typedKey returns a key for messages: the integer 1 differs from the string "1".
func typedKey(k tree.Value) string {
	if name := k.TypeName(); name != "string" {
		return fmt.Sprintf("%s (%s)", tree.KeyText(k), diag.Article(name))
	}
	return strconv.Quote(tree.KeyText(k))
}

// nearest returns the declared key that key is most likely a misspelling of, or "". Case, `_` and `-`
// are ignored.
func (c *checker) nearest(t *Type, key string) string {
	if c.guess += len(t.fields); c.guess > maxGuesses {
		return ""
	}
	fold := strings.NewReplacer("_", "", "-", "")
	folded := func(s string) string { return strings.ToLower(fold.Replace(s)) }
	want := folded(key)
	names := make([]string, len(t.fields))
	for i, f := range t.fields {
		name := tree.KeyText(f.key)
		if names[i] = folded(name); names[i] == want && name != key {
			return name
		}
	}
	if len(want) < 3 { // two short names are always similar
		return ""
	}
	if near := diag.Nearest(want, names); near != "" && near != want {
		return tree.KeyText(t.fields[slices.Index(names, near)].key)
	}
	return ""
}
