package tree

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Struct is a Starlark struct: named values that are read as attributes or by key, and cannot be changed.
//
// The fields of one that StructOf made are made when they are first read, because data values may be large and each file has its own copy. It belongs to one thread until
// it is frozen, which makes all the rest.
type Struct struct {
	names  []string
	fields map[string]starlark.Value
	from   *Map // where fields that are not made yet come from
	frozen bool
}

// StructOf is v as data.values gives it: a struct for each map, a list of its own for each array.
func StructOf(v Value) starlark.Value {
	switch x := v.Starlark().(type) {
	case *Map:
		s := &Struct{names: make([]string, len(x.items)), fields: make(map[string]starlark.Value, len(x.items)), from: x}
		for i := range x.items {
			s.names[i] = keyText(x.items[i].Key)
		}
		return s
	case *Array:
		elems := make([]starlark.Value, len(x.items))
		for i := range x.items {
			elems[i] = StructOf(x.items[i].Value)
		}
		return starlark.NewList(elems)
	default:
		return x
	}
}

// keyText is the name of a field. Keys that are no strings go by their text.
func keyText(v Value) string {
	switch k := v.Starlark().(type) {
	case starlark.String:
		return string(k)
	default:
		return k.String()
	}
}

// field is the value of a field, made if it is not yet.
func (s *Struct) field(name string) (starlark.Value, bool) {
	if v, ok := s.fields[name]; ok {
		return v, true
	}
	if s.from != nil {
		for i, n := range s.names {
			if n == name {
				v := StructOf(s.from.items[i].Value)
				s.fields[name] = v
				return v, true
			}
		}
	}
	return nil, false
}

var (
	_ starlark.HasAttrs        = (*Struct)(nil)
	_ starlark.IterableMapping = (*Struct)(nil)
	_ starlark.Sequence        = (*Struct)(nil)
)

// NewStruct makes a struct of the fields, in the order of names. It keeps both.
func NewStruct(names []string, fields map[string]starlark.Value) *Struct {
	return &Struct{names: names, fields: fields}
}

// Type implements starlark.Value.
func (s *Struct) Type() string { return "struct" }

// String implements starlark.Value. The text is the reference's.
func (s *Struct) String() string { return "struct(...)" }

// Freeze implements starlark.Value.
func (s *Struct) Freeze() {
	if s.frozen {
		return
	}
	s.frozen = true
	for _, name := range s.names {
		v, _ := s.field(name)
		v.Freeze()
	}
	s.from = nil
}

// Truth implements starlark.Value.
func (s *Struct) Truth() starlark.Bool { return len(s.names) > 0 }

// Hash implements starlark.Value.
func (s *Struct) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: struct") }

// Len implements starlark.Sequence.
func (s *Struct) Len() int { return len(s.names) }

// Attr implements starlark.HasAttrs.
func (s *Struct) Attr(name string) (starlark.Value, error) {
	if v, ok := s.field(name); ok {
		return v, nil
	}
	return nil, nil
}

// AttrNames implements starlark.HasAttrs.
func (s *Struct) AttrNames() []string { return s.names }

// Get implements starlark.Mapping.
func (s *Struct) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := key.(starlark.String)
	if !ok {
		return nil, false, nil
	}
	v, ok := s.field(string(name))
	return v, ok, nil
}

// Iterate implements starlark.Iterable: over the names.
func (s *Struct) Iterate() starlark.Iterator {
	return &iterator{n: len(s.names), at: func(i int) starlark.Value { return starlark.String(s.names[i]) }}
}

// Items implements starlark.IterableMapping.
func (s *Struct) Items() []starlark.Tuple {
	pairs := make([]starlark.Tuple, len(s.names))
	for i, name := range s.names {
		v, _ := s.field(name)
		pairs[i] = starlark.Tuple{starlark.String(name), v}
	}
	return pairs
}
