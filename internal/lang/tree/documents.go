package tree

import (
	"slices"

	"go.starlark.net/starlark"
)

// This file makes a traced run follow values that functions of overlays read from other documents, as if
// these were data values.

// Source is a document that code reads values from, in a traced run.
type Source struct {
	Value Value // with an origin for each scalar
	reads *Reads
}

// Source returns the document v, which people call by this name.
func (t *Trace) Source(name string, v Value) Source {
	if s, ok := t.sources[v]; ok {
		return s
	}
	reads := t.Traced(DataValues{Document: name, Value: v}, nil)
	s := Source{t.readFrom(reads, v), reads}
	if t.sources == nil {
		t.sources = map[Value]Source{}
	}
	t.sources[v] = s
	return s
}

// readFrom returns v with r as the origin of what code reads in it.
func (t *Trace) readFrom(r *Reads, v Value) Value {
	items := slices.Clone(v.Entries())
	switch v.Kind() {
	case MapKind:
		for i := range items {
			items[i].Value = t.readFrom(r.of(KeyText(items[i].Key)), items[i].Value)
		}
		return Of(NewMap(items, v.Start())).WithOrigin(v.Origin())
	case ArrayKind:
		for i := range items {
			items[i].Value = t.readFrom(r.item(i), items[i].Value)
		}
		return Of(NewArray(items, v.Start())).WithOrigin(v.Origin())
	}
	s := r.scalar(v.Starlark())
	return t.Set(v, Setting{By: ByTemplate, Reads: s, Copied: s})
}

// Part is a value in a Source.
type Part struct {
	Value Value
	reads *Reads
}

// At returns the value at the end of a path.
func (s Source) At(way []Step, v Value) Part {
	r := s.reads
	for _, step := range way {
		if step.Index >= 0 {
			r = r.item(step.Index)
		} else {
			r = r.of(step.Key)
		}
	}
	return Part{v, r}
}

// Hold records which values list has.
func (t *Trace) Hold(list *starlark.List, parts []Part) {
	if len(parts) == 0 {
		return
	}
	r := &Reads{trace: t, length: len(parts)}
	for _, p := range parts {
		kind := Whole
		if p.Value.Kind() == ScalarKind {
			kind = Scalar
		}
		r.items = append(r.items, p.reads)
		r.known[Whole] = t.Union(r.known[Whole], p.reads.Slice(kind))
	}
	r.known[Shape] = t.Derived(r.known[Whole])
	t.held[list] = r
	t.Maybe(list)
}

// isFragment reports whether x is a map or an array of a document. Its values have their own origins.
func isFragment(x starlark.Value) bool {
	switch x.(type) {
	case *Map, *Array:
		return true
	}
	return false
}

// isFromDocument reports whether a leaf is a value of a document.
func (o *Origins) isFromDocument(l Leaf) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	x := o.leaves[l-1]
	return int(x.values) < len(o.values) && o.values[x.values].Document != ""
}
