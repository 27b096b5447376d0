package tree

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"go.starlark.net/starlark"
)

// Struct is a Starlark struct: named values that are read as attributes or by key and cannot be
// changed.
//
// StructOf creates fields when they are first read, because data values may be large and each file
// has its own copy. A struct belongs to one thread until it is frozen; then several threads may
// read it.
type Struct struct {
	*shape
	values []starlark.Value // by name; nil until it is created
	reads  *Reads           // records reads; may be nil
	parts  *parts           // what code computed the fields from, in a traced run
	frozen bool
	mu     sync.Mutex // guards values once it is frozen
}

// shape is what a struct and its copies share.
type shape struct {
	names  []string
	index  map[string]int // indexes of the names, if there are many
	fields []prototype    // what values are created from; nil if all of them exist
	data   bool           // the struct is a map of data values

	give sync.Once
	keys []starlark.Value // the names as Starlark values: see key
}

// key returns name i. It is always the same value, so that its address shows whether code only passed
// it on.
func (s *shape) key(i int) starlark.Value {
	s.give.Do(func() {
		s.keys = make([]starlark.Value, len(s.names))
		for i, name := range s.names {
			s.keys[i] = starlark.String(name)
		}
	})
	return s.keys[i]
}

// prototype is what the values in structs are copied from. What copies have in common is computed
// once.
type prototype struct {
	once sync.Once
	from Value
	key  Value // the key of a field

	scalar starlark.Value // the same for all copies
	fields *shape         // the fields of a map
	elems  []prototype    // the items of an array
}

// StructOf returns v as data.values: a struct for each map, and a separate list for each array.
func StructOf(v Value) starlark.Value { return structOf(v, nil) }

func structOf(v Value, reads *Reads) starlark.Value {
	m := prototype{from: v}
	return m.make(reads)
}

func (m *prototype) open() {
	switch x := m.from.Starlark().(type) {
	case *Map:
		names := make([]string, len(x.items))
		m.fields = &shape{fields: make([]prototype, len(x.items)), data: true}
		for i := range x.items {
			it, f := &x.items[i], &m.fields.fields[i]
			names[i], f.key, f.from = KeyText(it.Key), it.Key, it.Value
		}
		m.fields.name(names)
	case *Array:
		m.elems = make([]prototype, len(x.items))
		for i := range x.items {
			m.elems[i].from = x.items[i].Value
		}
	default:
		m.scalar = x
	}
}

// make returns a copy.
func (m *prototype) make(reads *Reads) starlark.Value {
	if p := PromiseIn(m.from); p != nil {
		return structOf(p.Compute(), reads)
	}
	m.once.Do(m.open)
	switch {
	case m.scalar != nil:
		return m.scalar
	case m.fields != nil:
		return &Struct{
			shape:  m.fields,
			values: make([]starlark.Value, len(m.fields.names)),
			reads:  reads,
		}
	}
	elems := make([]starlark.Value, len(m.elems))
	for i := range m.elems {
		elems[i] = m.elems[i].element(reads, i)
	}
	return starlark.NewList(elems)
}

// element returns a copy for item i of an array.
func (m *prototype) element(array *Reads, i int) starlark.Value {
	m.once.Do(m.open)
	if m.scalar != nil {
		return m.scalar
	}
	reads := array.item(i)
	x := m.make(reads)
	reads.hold(x)
	return x
}

// Copy returns a copy of s, which StructOf created. Changes that one thread makes to lists in its
// copy do not affect the other.
func (s *Struct) Copy() *Struct {
	return &Struct{shape: s.shape, values: make([]starlark.Value, len(s.names)), reads: s.reads}
}

// KeyText returns the name of the field for a key. For keys that are not strings, it is their text in
// YAML.
func KeyText(v Value) string {
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

// manyNames is the number of fields from which a struct has an index: with fewer, a linear search is
// faster.
const manyNames = 16

// name sets the names of the fields.
func (s *shape) name(names []string) {
	s.names = names
	if len(names) < manyNames {
		return
	}
	s.index = make(map[string]int, len(names))
	for i, n := range names {
		if _, ok := s.index[n]; !ok { // if there are keys 1 and "1", the first counts
			s.index[n] = i
		}
	}
}

// find returns the index of the field with a name, or -1.
func (s *shape) find(name string) int {
	if s.index == nil {
		return slices.Index(s.names, name)
	}
	if i, ok := s.index[name]; ok {
		return i
	}
	return -1
}

// shared reports whether several threads may create fields at the same time.
func (s *Struct) shared() bool { return s.frozen && s.fields != nil }

// field returns the value of a field, and creates it if necessary.
func (s *Struct) field(name string) (starlark.Value, bool) {
	i := s.find(name)
	if i < 0 {
		return nil, false
	}
	if s.shared() {
		s.keep(i)
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return s.at(i), true
}

// at returns the value of field i.
func (s *Struct) at(i int) starlark.Value {
	reads := s.reads
	if reads != nil {
		reads = reads.of(s.names[i])
	}
	v := s.values[i]
	if v == nil {
		v = s.fields[i].make(reads)
		if s.frozen {
			v.Freeze()
		}
		s.values[i] = v
	}
	reads.got(v)
	s.parts.got(i, v)
	return v
}

var (
	_ starlark.HasAttrs        = (*Struct)(nil)
	_ starlark.IterableMapping = (*Struct)(nil)
	_ starlark.Sequence        = (*Struct)(nil)
)

// NewStruct returns a struct with these fields, in the order of names. It keeps names.
func NewStruct(names []string, fields map[string]starlark.Value) *Struct {
	s := &Struct{shape: &shape{}, values: make([]starlark.Value, len(names))}
	s.name(names)
	for i, name := range names {
		s.values[i] = fields[name]
	}
	return s
}

// Type implements starlark.Value.
func (s *Struct) Type() string { return "struct" }

// String implements starlark.Value. The text is that of ytt.
func (s *Struct) String() string { return "struct(...)" }

// Freeze implements starlark.Value.
func (s *Struct) Freeze() {
	if s.frozen {
		return
	}
	s.frozen = true
	for _, v := range s.values {
		if v != nil {
			v.Freeze()
		}
	}
}

// Truth implements starlark.Value.
func (s *Struct) Truth() starlark.Bool { return s.Len() > 0 }

// Hash implements starlark.Value.
func (s *Struct) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: struct") }

// Len implements starlark.Sequence.
func (s *Struct) Len() int {
	s.reads.sawShape()
	return len(s.names)
}

// Attr implements starlark.HasAttrs.
func (s *Struct) Attr(name string) (starlark.Value, error) {
	if v, ok := s.field(name); ok {
		return v, nil
	}
	s.reads.missed(name)
	return nil, &NoField{Struct: s, Name: name}
}

// NoField is the error that a struct has no field of a name. Its text is formatted only on demand:
// hasattr, getattr and `in` do not need it.
type NoField struct {
	Struct *Struct
	Name   string
	Index  bool // it was read by key: x["name"]
}

func (e *NoField) Error() string {
	if e.Index {
		return fmt.Sprintf("key %q not in struct", e.Name)
	}
	return fmt.Sprintf("struct has no .%s field or method", e.Name)
}

// Data reports whether s is a map of data values.
func (s *Struct) Data() bool { return s.data }

// Same reports whether s is t or another thread's copy of it.
func (s *Struct) Same(t *Struct) bool { return s.shape == t.shape }

// AttrNames implements starlark.HasAttrs. dir() sorts the result in place, so this is a copy.
func (s *Struct) AttrNames() []string {
	s.reads.sawShape()
	return slices.Clone(s.names)
}

// Get implements starlark.Mapping.
func (s *Struct) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := key.(starlark.String)
	if !ok {
		return nil, false, nil
	}
	if v, ok := s.field(string(name)); ok {
		return v, true, nil
	}
	s.reads.missed(string(name))
	return nil, false, &NoField{Struct: s, Name: string(name), Index: true}
}

// Iterate implements starlark.Iterable: over the names.
func (s *Struct) Iterate() starlark.Iterator {
	if s.reads != nil {
		for _, name := range s.names {
			s.reads.of(name) // code that asks for the names learns which fields there are
		}
		s.reads.sawShape()
		s.reads.readShape()
	}
	return &iterator{
		n:  len(s.names),
		at: s.key,
	}
}

// Items implements starlark.IterableMapping.
func (s *Struct) Items() []starlark.Tuple {
	s.reads.sawShape()
	if s.shared() {
		for i := range s.fields {
			s.keep(i)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	pairs := make([]starlark.Tuple, len(s.names))
	for i := range s.names {
		pairs[i] = starlark.Tuple{s.key(i), s.at(i)}
	}
	return pairs
}
