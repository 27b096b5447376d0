package tree

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/diag"
)

// Struct is a Starlark struct: named values that are read as attributes or by key, and cannot be changed.
//
// The fields of one that StructOf made are made when they are first read, because data values may be large and each file has its own copy. It belongs to one thread until
// it is frozen; from then on several may read it.
type Struct struct {
	names  []string
	values []starlark.Value // by name; nil if not made yet
	index  map[string]int   // of many names
	from   *Map             // what values are made of
	reads  *Reads           // who wants to know what is read, if anybody does
	frozen bool
	mu     sync.Mutex // guards values once it is frozen
}

// StructOf is v as data.values gives it: a struct for each map, a list of its own for each array.
func StructOf(v Value) starlark.Value { return structOf(v, nil) }

func structOf(v Value, reads *Reads) starlark.Value {
	switch x := v.Starlark().(type) {
	case *Map:
		s := &Struct{names: make([]string, len(x.items)), values: make([]starlark.Value, len(x.items)), from: x, reads: reads}
		for i := range x.items {
			s.names[i] = keyText(x.items[i].Key)
		}
		return s
	case *Array:
		elems := make([]starlark.Value, len(x.items))
		for i := range x.items {
			elems[i] = structOf(x.items[i].Value, nil)
		}
		return starlark.NewList(elems)
	default:
		return x
	}
}

// Copy is s as if StructOf had made it anew: what threads change in lists of the one does not show in the other. s must have been made by StructOf, and be frozen.
func (s *Struct) Copy() *Struct {
	return &Struct{names: s.names, values: make([]starlark.Value, len(s.names)), index: s.index, from: s.from, reads: s.reads}
}

// keyText is the name of a field. Keys that are no strings go by their text in YAML.
func keyText(v Value) string {
	switch k := v.Starlark().(type) {
	case starlark.String:
		return string(k)
	case starlark.NoneType:
		return "null"
	case starlark.Bool:
		return strconv.FormatBool(bool(k))
	default:
		return k.String()
	}
}

// manyNames is from how many fields on a struct has an index: few names are found faster by looking at each.
const manyNames = 16

// find is the field of a name, or -1.
func (s *Struct) find(name string) int {
	if len(s.names) < manyNames {
		return slices.Index(s.names, name)
	}
	if s.index == nil {
		s.index = make(map[string]int, len(s.names))
		for i, n := range s.names {
			if _, ok := s.index[n]; !ok { // of the keys 1 and "1" the first counts
				s.index[n] = i
			}
		}
	}
	if i, ok := s.index[name]; ok {
		return i
	}
	return -1
}

// shared reports whether several threads may make fields at the same time.
func (s *Struct) shared() bool { return s.frozen && s.from != nil }

// field is the value of a field, made if it is not yet.
func (s *Struct) field(name string) (starlark.Value, bool) {
	if s.shared() {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	i := s.find(name)
	if i < 0 {
		return nil, false
	}
	return s.at(i), true
}

// at is the value of field i.
func (s *Struct) at(i int) starlark.Value {
	reads := s.reads
	if reads != nil {
		reads = reads.of(s.names[i])
	}
	v := s.values[i]
	if v == nil {
		v = structOf(s.from.items[i].Value, reads)
		if s.frozen {
			v.Freeze()
		}
		s.values[i] = v
	}
	return v
}

var (
	_ starlark.HasAttrs        = (*Struct)(nil)
	_ starlark.IterableMapping = (*Struct)(nil)
	_ starlark.Sequence        = (*Struct)(nil)
)

// NewStruct makes a struct of the fields, in the order of names, which it keeps.
func NewStruct(names []string, fields map[string]starlark.Value) *Struct {
	s := &Struct{names: names, values: make([]starlark.Value, len(names))}
	for i, name := range names {
		s.values[i] = fields[name]
	}
	return s
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
	s.find("") // makes the index, which nobody can from now on
	for _, v := range s.values {
		if v != nil {
			v.Freeze()
		}
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
	if v, ok := s.field(name); ok {
		return v, nil
	}
	return nil, &noField{s, name}
}

// noField says that a struct has no field of a name. The text is made only if somebody reads it: hasattr and getattr do not.
type noField struct {
	s    *Struct
	name string
}

func (e *noField) Error() string {
	msg := fmt.Sprintf("struct has no .%s field or method", e.name)
	near := diag.Nearest(e.name, e.s.names)
	switch {
	case near != "":
		msg += fmt.Sprintf(" (did you mean .%s?)", near)
	case len(e.s.names) == 0 && e.s.from != nil:
		msg += " (hint: it is empty; data.values is, where data values and their schema are worked out)"
	}
	return msg
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
	if s.reads != nil {
		for _, name := range s.names {
			s.reads.of(name) // who asks for the names has seen what is there
		}
	}
	return &iterator{n: len(s.names), at: func(i int) starlark.Value { return starlark.String(s.names[i]) }}
}

// Items implements starlark.IterableMapping.
func (s *Struct) Items() []starlark.Tuple {
	if s.shared() {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	pairs := make([]starlark.Tuple, len(s.names))
	for i, name := range s.names {
		pairs[i] = starlark.Tuple{starlark.String(name), s.at(i)}
	}
	return pairs
}
