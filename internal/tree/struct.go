package tree

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Struct is a Starlark struct: named values that are read as attributes or by key, and cannot be changed.
type Struct struct {
	names  []string
	fields map[string]starlark.Value
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
	for _, v := range s.fields {
		v.Freeze()
	}
}

// Truth implements starlark.Value.
func (s *Struct) Truth() starlark.Bool { return len(s.names) > 0 }

// Hash implements starlark.Value.
func (s *Struct) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: struct") }

// Len implements starlark.Sequence.
func (s *Struct) Len() int { return len(s.names) }

// Attr implements starlark.HasAttrs.
func (s *Struct) Attr(name string) (starlark.Value, error) {
	if v, ok := s.fields[name]; ok {
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
	v, ok := s.fields[string(name)]
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
		pairs[i] = starlark.Tuple{starlark.String(name), s.fields[name]}
	}
	return pairs
}
