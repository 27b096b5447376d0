package tree

import "go.starlark.net/starlark"

// parts holds what code computed the fields of a struct from, in a traced run. Reading a field reads
// only what that field was computed from.
type parts struct {
	trace *Trace
	of    []Slice // by field
}

// RecordFields records what the fields of s, which code has created, were computed from.
func (t *Trace) RecordFields(s *Struct, of []Slice) { s.parts = &parts{t, of} }

// Part returns what a field of s was computed from, or 0 if code did not create s.
func (s *Struct) Part(name string) Slice {
	if i := s.find(name); i >= 0 && s.parts != nil {
		return s.parts.of[i]
	}
	return 0
}

// HasParts reports whether it is known what the fields of s were computed from.
func (s *Struct) HasParts() bool { return s.parts != nil }

// got records that code has read field i, which is x. Collections record their own reads.
func (p *parts) got(i int, x starlark.Value) {
	if p == nil {
		return
	}
	p.trace.Read(p.of[i])
	switch x.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set, *Map, *Array, *DocumentSet:
		p.trace.Maybe(x)
	}
}
