package tree

import (
	"bytes"
	"math"
	"slices"
	"unsafe"

	"go.starlark.net/starlark"

	"weft/internal/lang/yaml"
)

// Literals finds the scalar of a file that a data value was written as, if code only passed the value
// on: through variables, arguments, lists and loops.
//
// A string or a float is identified by its address. Computed ones have other addresses, and data
// values keep theirs as long as they exist. Small integers have no address and are found only by
// path: see At.
//
// Scalars that are spelled the way weft prints them are not included. A nil *Literals is empty.
type Literals struct {
	root   *Struct
	placed map[unsafe.Pointer]Value
}

// LiteralsOf returns the literals of data values that StructOf created, or nil if there are none.
func LiteralsOf(values starlark.Value) *Literals {
	s, ok := values.(*Struct)
	if !ok {
		return nil
	}
	l := &Literals{root: s, placed: map[unsafe.Pointer]Value{}}
	if !l.addFields(s.shape) {
		return nil
	}
	return l
}

// addFields adds the content of a map, and reports whether it has any literals.
func (l *Literals) addFields(s *shape) (any bool) {
	for i := range s.fields {
		if key := s.fields[i].key; isLiteralKey(key) {
			any = true
			if at := placeOf(s.key(i)); at != nil {
				l.placed[at] = key
			}
		}
	}
	return l.addAll(s.fields) || any
}

// isLiteralKey reports whether a key is written differently from how weft writes the name of its field,
// which is a string. Keys that are not strings count if YAML 1.2 and 1.1 read them differently.
func isLiteralKey(key Value) bool {
	if !isScalarSyntax(key) || key.tree.IsTyped() {
		return false
	}
	val, _ := key.Scalar()
	if val.Kind != yaml.String {
		return key.tree.Schema() == yaml.Core && key.tree.IsAmbiguous(key.node)
	}
	return isLiteral(key)
}

func (l *Literals) addAll(prototypes []prototype) (any bool) {
	for i := range prototypes {
		m := &prototypes[i]
		m.once.Do(m.open)
		switch {
		case m.fields != nil:
			any = l.addFields(m.fields) || any
		case m.scalar == nil:
			any = l.addAll(m.elems) || any
		case isLiteral(m.from):
			any = true
			if at := placeOf(m.scalar); at != nil {
				l.placed[at] = m.from
			}
		}
	}
	return any
}

// WithoutLiterals returns v without the original spelling of scalars: values from flags have none
// to keep.
func (v Value) WithoutLiterals() Value {
	if v.Kind() == ScalarKind {
		if isLiteral(v) {
			return v.Materialized()
		}
		return v
	}
	items, changed := slices.Clone(v.Entries()), false
	for i := range items {
		was := items[i]
		items[i].Key, items[i].Value = was.Key.WithoutLiterals(), was.Value.WithoutLiterals()
		changed = changed || items[i].Key != was.Key || items[i].Value != was.Value
	}
	switch {
	case !changed:
		return v
	case v.Kind() == MapKind:
		return Of(NewMap(items, v.Start())).WithOrigin(v.origin)
	}
	return Of(NewArray(items, v.Start())).WithOrigin(v.origin)
}

// isLiteral reports whether a scalar is spelled differently from how weft writes it.
func isLiteral(v Value) bool {
	t, n, ok := v.Syntax()
	if !ok {
		return false
	}
	val, text := v.Scalar()
	return !bytes.Equal(t.Raw(n), yaml.AppendValue(nil, val, text, 0))
}

// placeOf returns the address of a string or a float, or nil if equal values may share an address: in
// Go, all empty strings do, and so do some of the smallest numbers.
func placeOf(x starlark.Value) unsafe.Pointer {
	const small = 1 << 8
	switch x := x.(type) {
	case starlark.String:
		if x == "" {
			return nil
		}
	case starlark.Float:
		if math.Float64bits(float64(x)) < small {
			return nil
		}
	default:
		return nil
	}
	// an interface is a type and a pointer; this is the pointer
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1]
}

// FromStarlarkWithin is like the function FromStarlarkWithin, but returns data values as they are
// spelled in their files.
func (l *Literals) FromStarlarkWithin(x starlark.Value, maxNodes int) (Value, error) {
	c := converter{left: maxNodes, maxNodes: maxNodes, literals: l}
	return c.convert(x, 0)
}

// of returns the literal of a string or a float, or its value if it has none.
func (l *Literals) of(x starlark.Value) Value {
	if l == nil {
		return Value{x: x}
	}
	if v, ok := l.placed[placeOf(x)]; ok {
		return v
	}
	return Value{x: x}
}

// field returns the key and value of field i of x, with the value as its literal if it has one.
func (l *Literals) field(x starlark.Value, i int, key, v Value) (Value, Value) {
	if s, ok := x.(*Struct); ok && l != nil && s.fields != nil {
		return key, literal(s.fields[i].from, v) // the key is found by its place
	}
	return key, v
}

// At returns v, spelled as in its file if it is the data value at a path.
func (l *Literals) At(path []string, v Value) Value {
	if l == nil || v.Kind() != ScalarKind {
		return v
	}
	s := l.root.shape
	for i, name := range path {
		k := s.find(name)
		if k < 0 || s.fields == nil {
			return v
		}
		m := &s.fields[k]
		if i == len(path)-1 {
			return literal(m.from, v)
		}
		m.once.Do(m.open)
		if s = m.fields; s == nil {
			return v
		}
	}
	return v
}

// literal returns written if it is a scalar with the value of v, and otherwise v.
func literal(written, v Value) Value {
	if isScalarSyntax(written) && isLiteral(written) && SameScalar(written, v) {
		return written.WithOrigin(v.origin)
	}
	return v
}

func isScalarSyntax(v Value) bool { return v.tree != nil && v.Kind() == ScalarKind }
