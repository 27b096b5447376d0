package tree

import "go.starlark.net/starlark"

// parts is what the fields of a struct that code has made were made of, in a traced run. Who reads a
// field reads what that was made of, and no more.
type parts struct {
	trace *Trace
	of    []Slice // by field
}

// MadeOf notes what the fields of s, which code has made, were made of, by field.
func (t *Trace) MadeOf(s *Struct, of []Slice) { s.parts = &parts{t, of} }

// Part returns what a field of s was made of; 0 if code has not made s.
func (s *Struct) Part(name string) Slice {
	if i := s.find(name); i >= 0 && s.parts != nil {
		return s.parts.of[i]
	}
	return 0
}

// HasParts reports whether it is known what the fields of s were made of.
func (s *Struct) HasParts() bool { return s.parts != nil }

// got notes that code has come to field i, which is x. Collections say themselves what they are made
// of.
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
