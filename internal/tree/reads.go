package tree

import (
	"sync"

	"go.starlark.net/starlark"
)

// Reads notes which data values are read, by however many threads. One that is made of a map notes
// which of its fields are; the zero Reads has noted nothing.
//
// What is asked is whether anybody reads a value at all. So it is never forgotten, and copies of
// the values may share one.
type Reads struct {
	fields sync.Map // from the name of a field that was read to its *Reads
}

// StructOf is what the function of that name gives, and notes what is read of it. The receiver may
// be nil.
func (r *Reads) StructOf(v Value) starlark.Value { return structOf(v, r) }

// of notes that a field is read.
func (r *Reads) of(name string) *Reads {
	if f, ok := r.fields.Load(name); ok {
		return f.(*Reads)
	}
	f, _ := r.fields.LoadOrStore(name, &Reads{})
	return f.(*Reads)
}

// Unread calls f with what is in v and was never read: the items of maps, each with the way to it.
// Of a map that was never read only the map itself is told, and what arrays hold counts as read
// with the array.
func (r *Reads) Unread(v Value, f func(path []Value, it Item)) { r.unread(v, nil, f) }

func (r *Reads) unread(v Value, path []Value, f func(path []Value, it Item)) {
	m, ok := v.Map()
	if !ok {
		return
	}
	for _, it := range m.items {
		path := append(path, it.Key)
		if inner, ok := r.fields.Load(KeyText(it.Key)); ok {
			inner.(*Reads).unread(it.Value, path, f)
		} else {
			f(path, it)
		}
	}
}
