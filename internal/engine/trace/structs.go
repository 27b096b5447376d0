package trace

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file handles structs that code creates. Like those of data values, they record which of
// their fields are read.

// recordStruct records the parts of a struct that was created from named arguments.
func (tr *Tracer) recordStruct(x *tree.Struct, parts []part) {
	of := make([]tree.Slice, x.Len())
	for _, p := range parts {
		if p.i < len(of) {
			of[p.i] = tr.Union(of[p.i], p.from)
		}
	}
	tr.RecordFields(x, of)
}

// encoded sets the parts of a struct that was created from a collection, and of the structs in it.
// It returns false if they are unknown.
func (tr *Tracer) encoded(x *tree.Struct, of starlark.Value) bool {
	from, ok := of.(starlark.Mapping)
	if !ok {
		return false
	}
	tr.Pause()
	defer func() { tr.ResumeAt(tr.PauseLevel() - 1) }()
	parts := make([]tree.Slice, 0, x.Len())
	for _, pair := range x.Items() {
		was, found, err := from.Get(pair[0])
		if !found || err != nil {
			return false
		}
		part := tr.Union(tr.fieldOf(of, pair[0], was), tr.shapeOf(was))
		if !tr.copyParts(pair[1], was, Elements) {
			part = tr.Union(part, tr.everything(was))
		}
		parts = append(parts, part)
	}
	tr.RecordFields(x, parts)
	return true
}

// fieldOf returns what v, the named field of x, was computed from.
func (tr *Tracer) fieldOf(x, name, v starlark.Value) tree.Slice {
	if r := tr.Data(x); r != nil {
		return r.Field(string(name.(starlark.String))).Of(v)
	}
	return tr.element(x, name, -1)
}

// decodedParts sets the parts of a dict that was created from a struct in code, and of the dicts in
// it.
func (tr *Tracer) decodedParts(c *contents, x *starlark.Dict, of *tree.Struct) {
	tr.Pause()
	defer func() { tr.ResumeAt(tr.PauseLevel() - 1) }()
	for _, pair := range of.Items() {
		name := string(pair[0].(starlark.String))
		if v, ok, _ := x.Get(pair[0]); ok {
			part := of.Part(name)
			if !tr.copyParts(v, pair[1], Elements) {
				part = tr.Union(part, tr.everything(pair[1]))
			}
			c.put(name, part)
		}
	}
}

// shapeOf returns what decided which elements a collection has.
func (tr *Tracer) shapeOf(x starlark.Value) tree.Slice {
	if m, ok := x.(*tree.Map); ok {
		return tr.Presence(m)
	}
	if e := tr.elements(x); e != nil {
		return e.shape
	}
	if r := tr.Data(x); r != nil {
		return r.Slice(tree.Shape)
	}
	return 0
}

// everything returns what x was computed from, including x itself if it is a map of data values.
func (tr *Tracer) everything(x starlark.Value) tree.Slice {
	s := tr.all(x)
	if r := tr.Data(x); r != nil {
		s = tr.Union(s, r.Slice(tree.Whole))
	}
	return s
}
