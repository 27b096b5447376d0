package tree

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// This file reads values without allocating: most values that are read are still syntax nodes, and
// most of them stay so.

// Kind is the kind of a value.
type Kind uint8

// The kinds of value.
const (
	ScalarKind Kind = iota
	MapKind
	ArrayKind
)

// Kind reports whether v is a map, an array or a scalar.
func (v Value) Kind() Kind {
	if v.tree != nil {
		switch v.tree.Kind(v.node) {
		case yaml.Mapping:
			return MapKind
		case yaml.Sequence:
			return ArrayKind
		}
		return ScalarKind
	}
	switch v.x.(type) {
	case *Map:
		return MapKind
	case *Array:
		return ArrayKind
	}
	return ScalarKind
}

// IsNull reports whether v is null.
func (v Value) IsNull() bool {
	if v.tree == nil {
		return v.x == nil || v.x == starlark.None
	}
	if v.tree.Kind(v.node) != yaml.Scalar {
		return false
	}
	val, _ := v.Scalar()
	return val.Kind == yaml.Null
}

// TypeName returns the name of v's type in messages.
func (v Value) TypeName() string {
	switch v.Kind() {
	case MapKind:
		return "map"
	case ArrayKind:
		return "array"
	}
	val, _ := v.Scalar()
	return [...]string{
		yaml.Null: "null", yaml.Bool: "boolean", yaml.Int: "integer",
		yaml.Uint: "integer", yaml.Float: "float", yaml.String: "string",
	}[val.Kind]
}

// IsString reports whether v is the string s, without creating a Starlark value.
func (v Value) IsString(s string) bool {
	if x, ok := v.x.(starlark.String); ok {
		return string(x) == s
	}
	return v.tree != nil && v.tree.IsString(v.node, s)
}

// Fingerprint returns a hash of a string: strings with different fingerprints differ. It is 0 for
// values without one.
func (v Value) Fingerprint() uint32 {
	if s, ok := v.x.(starlark.String); ok {
		return FingerprintOf(string(s))
	}
	t := v.tree
	if t == nil || t.Kind(v.node) != yaml.Scalar || t.Style(v.node) != yaml.Plain ||
		t.HasTag(v.node) {
		return 0
	}
	raw := t.Raw(v.node)
	if len(raw) == 0 || bytes.IndexByte(raw, '\n') >= 0 {
		return 0
	}
	return fingerprint(len(raw), raw[0], raw[len(raw)-1])
}

// FingerprintOf returns the fingerprint of a string.
func FingerprintOf(s string) uint32 {
	if s == "" {
		return 0
	}
	return fingerprint(len(s), s[0], s[len(s)-1])
}

func fingerprint(n int, first, last byte) uint32 {
	return uint32(n)<<16 | uint32(first)<<8 | uint32(last) | 1<<31
}

// ScalarKey is a scalar as a key of a Go map: two of them are equal if the scalars have the same type
// and value. Maps and arrays have no ScalarKey.
type ScalarKey struct {
	value yaml.Value
	text  string
}

// ScalarKey returns v as a key, if it is a scalar.
func (v Value) ScalarKey() (ScalarKey, bool) {
	if v.Kind() != ScalarKind {
		return ScalarKey{}, false
	}
	val, text := v.Scalar()
	switch {
	case val.Kind == yaml.Float && val.Float() == 0:
		return ScalarKey{value: yaml.FloatValue(0)}, true // -0.0 equals it, but has other bits
	case val.Kind != yaml.String:
		return ScalarKey{value: val}, true
	}
	if s, ok := v.x.(starlark.String); ok {
		return ScalarKey{value: val, text: string(s)}, true
	}
	return ScalarKey{value: val, text: string(text)}, true
}

// ScalarKeyIn11 returns the ScalarKey of v as parsers of YAML 1.1 read it, if it is a scalar.
func (v Value) ScalarKeyIn11() (ScalarKey, bool) {
	if t, n, ok := v.Syntax(); ok && t.Kind(n) == yaml.Scalar && t.IsAmbiguous(n) && !t.IsTyped() {
		if val := yaml.Compat.Resolve(t.Raw(n)); val.Kind != yaml.String {
			return ScalarKey{value: val}, true
		}
	}
	return v.ScalarKey()
}

// SameScalar reports whether two values are scalars of the same type and value: 1 is neither 1.0 nor
// "1".
func SameScalar(a, b Value) bool {
	if s, ok := a.x.(starlark.String); ok {
		return b.IsString(string(s))
	}
	if s, ok := b.x.(starlark.String); ok {
		return a.IsString(string(s))
	}
	x, ok := a.ScalarKey()
	if !ok {
		return false
	}
	y, ok := b.ScalarKey()
	return ok && x == y
}

// Lookup returns the value of the item with the key s, if v is a map that has one.
func (v Value) Lookup(s string) (Value, bool) {
	t := v.tree
	if t == nil || t.Kind(v.node) != yaml.Mapping || t.Merges(v.node) {
		m, ok := v.Map()
		if !ok {
			return Value{}, false
		}
		for i := range m.items {
			if m.items[i].Key.IsString(s) {
				return m.items[i].Value, true
			}
		}
		return Value{}, false
	}
	found, ok := Value{}, false
	for key, value := range t.Pairs(v.node) {
		if FromSyntax(t, key).IsString(s) {
			found, ok = FromSyntax(t, value), true // the last of equal keys counts
		}
	}
	return found, ok
}

// Entries returns the items of a map or an array. It creates them if v is still a syntax node.
func (v Value) Entries() []Item {
	switch x := v.Starlark().(type) {
	case *Map:
		return x.Entries()
	case *Array:
		return x.Entries()
	}
	return nil
}

// Len returns the number of items of a map or an array.
func (v Value) Len() int {
	t := v.tree
	if t == nil || t.Kind(v.node) == yaml.Mapping {
		switch x := v.Starlark().(type) {
		case *Map:
			return len(x.items)
		case *Array:
			return len(x.items)
		}
		return 0
	}
	n := 0
	for range t.Items(v.node) {
		n++
	}
	return n
}

// Start returns where v begins in its file. That is known for collections, and for values that are
// still syntax nodes.
func (v Value) Start() source.Pos {
	if v.tree != nil {
		return v.tree.Start(v.node)
	}
	switch x := v.x.(type) {
	case *Map:
		return x.Pos
	case *Array:
		return x.Pos
	}
	return source.Pos{}
}

// Span returns where v is written, as far as that is known.
func (v Value) Span() source.Span {
	if v.tree != nil {
		return v.tree.Span(v.node)
	}
	if pos := v.Start(); pos.IsValid() {
		return pos.To(pos.Offset() + 1)
	}
	return source.Span{}
}

// Elements returns the values of an array in order.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if t := v.tree; t != nil {
			if t.Kind(v.node) != yaml.Sequence {
				return
			}
			for child := range t.Items(v.node) {
				if !yield(FromSyntax(t, child)) {
					return
				}
			}
			return
		}
		if a, ok := v.x.(*Array); ok {
			for i := range a.items {
				if !yield(a.items[i].Value) {
					return
				}
			}
		}
	}
}

// Reader reads the items of collections. It reuses its buffers, so only one goroutine may use it.
type Reader struct {
	composer yaml.Composer
}

// Items adds the items of v, which is a map or an array, to dst.
func (r *Reader) Items(dst []Item, v Value) []Item {
	t := v.tree
	if t == nil {
		switch x := v.x.(type) {
		case *Map:
			return append(dst, x.items...)
		case *Array:
			return append(dst, x.items...)
		}
		return dst
	}
	if cap(dst) == len(dst) {
		dst = slices.Grow(dst, t.Count(v.node))
	}
	switch t.Kind(v.node) {
	case yaml.Mapping:
		if r.composer.Tree != t {
			r.composer.Tree = t
		}
		for key, value := range r.composer.Entries(v.node) {
			dst = append(
				dst,
				Item{Key: FromSyntax(t, key), Value: FromSyntax(t, value), Pos: t.Start(key)},
			)
		}
	case yaml.Sequence:
		for child := range t.Items(v.node) {
			dst = append(dst, Item{Value: FromSyntax(t, child), Pos: t.Start(child)})
		}
	}
	return dst
}

// Without returns a without the annotations whose names begin with prefix. The result may be a
// itself, or nil.
func (a *Annotations) Without(prefix string) *Annotations {
	if !a.Has(prefix) {
		return a
	}
	var rest []Annotation
	for _, x := range a.list {
		if !strings.HasPrefix(x.Name, prefix) {
			rest = append(rest, x)
		}
	}
	if rest == nil {
		return nil
	}
	return &Annotations{list: rest}
}

// Has reports whether a has an annotation whose name begins with prefix. The receiver may be nil.
func (a *Annotations) Has(prefix string) bool {
	if a == nil {
		return false
	}
	for i := range a.list {
		if strings.HasPrefix(a.list[i].Name, prefix) {
			return true
		}
	}
	return false
}
