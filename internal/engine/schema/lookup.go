package schema

import (
	"slices"
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Field is a key of a map and the type of its value.
type Field struct {
	Key  string
	Type *Type
}

// Fields returns the keys of a map, in the order of the schema. Other types have none.
func (t *Type) Fields() []Field {
	list := make([]Field, 0, len(t.fields))
	for _, f := range t.fields {
		list = append(list, Field{tree.KeyText(f.key), f.typ})
	}
	return list
}

// Members returns the keys that a value may have: those of a map, or of all alternatives of @schema/one-of.
func (t *Type) Members() []Field {
	list := t.Fields()
	if t.union == nil {
		return list
	}
	for _, alt := range t.union.alts {
		for _, f := range alt.Fields() {
			if !slices.ContainsFunc(list, func(x Field) bool { return x.Key == f.Key }) {
				list = append(list, f)
			}
		}
	}
	return list
}

// Item returns the type of the items of an array, or nil.
func (t *Type) Item() *Type { return t.item }

// Rest returns the type of the values of arbitrary keys, of a map that has them; else nil.
func (t *Type) Rest() *Type { return t.rest() }

// At returns the type at a path of keys, or nil if nothing is declared there. All items of an array
// have the same type, so the key of an item may be anything.
func (t *Type) At(path []string) *Type {
	for _, key := range path {
		if t.kind == arrayKind {
			t = t.item
			continue
		}
		next := t.rest()
		if t.union != nil {
			next = t.union.ofKey(tree.String(key), 0)
		}
		for _, f := range t.fields {
			if tree.KeyText(f.key) == key {
				next = f.typ
				break
			}
		}
		if next == nil {
			return nil
		}
		t = next
	}
	return t
}

// Kind returns the name of the kind of values that the type takes: map, array, string, integer,
// float, boolean or any.
func (t *Type) Kind() string { return t.kind.String() }

// Alternatives describes what a value with alternatives may be, or returns "": "integer or string", or "map;
// type is s3 or gcs".
func (t *Type) Alternatives() string {
	switch {
	case t.union == nil:
		return ""
	case t.union.by != "":
		return "map; " + t.union.by + " is " + strings.Join(t.union.names, " or ")
	}
	var kinds []string
	for _, alt := range t.union.alts {
		name := alt.Kind()
		if alt.item != nil {
			name += " of " + alt.item.Kind()
		}
		if !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return strings.Join(kinds, " or ")
}

// Nullable reports whether null is allowed.
func (t *Type) Nullable() bool { return t.nullable }

// Place returns where the type is declared.
func (t *Type) Place() source.Span { return t.at }

// DefaultValue returns the complete default.
func (t *Type) DefaultValue() tree.Value { return t.def }

// Title returns the text of @schema/title.
func (t *Type) Title() string { return t.title }

// Description returns the text of @schema/desc.
func (t *Type) Description() string { return t.desc }

// Deprecation returns the notice of @schema/deprecated; ok is false if the value is not deprecated.
func (t *Type) Deprecation() (notice string, ok bool) {
	if t.deprecation == nil {
		return "", false
	}
	return *t.deprecation, true
}

// IsSecret reports whether the value is secret.
func (t *Type) IsSecret() bool { return t.secret }

// Rules describes valid values, with a text for each rule.
func (t *Type) Rules() []string {
	if t.rules == nil {
		return nil
	}
	var list []string
	for _, r := range t.rules.list {
		list = append(list, r.must)
	}
	return list
}

// IsComputed reports whether the default is computed from other values.
func (t *Type) IsComputed() bool { return t.computed != nil }

// IsRequired reports whether the value must be set: the schema says so, or the default breaks a rule by
// being null or empty.
func (t *Type) IsRequired() bool {
	if t.required {
		return true
	}
	if t.rules == nil || t.rules.when != nil {
		return false
	}
	if t.def.IsNull() {
		return t.rules.notNull // other rules are not checked
	}
	for _, r := range t.rules.list {
		if r.check != nil && r.check(t.def) != nil {
			return true
		}
	}
	return false
}

// Example is one of @schema/examples.
type Example struct {
	Description string
	Value       tree.Value
}

// Examples returns the examples of @schema/examples.
func (t *Type) Examples() []Example {
	var list []Example
	for _, x := range t.examples {
		list = append(list, Example{x.desc, x.value})
	}
	return list
}
