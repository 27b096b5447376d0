package trace

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file handles builtins that copy collections. The copy records what each of its elements was
// computed from.

// copying records that x is about to be copied.
func (tr *Tracer) copying(x starlark.Value) {
	tr.Unread(x)
	tr.bases = append(tr.bases, x)
	tr.Pause()
}

// copied records that x has the elements of the original, copied as how describes.
func (tr *Tracer) copied(x starlark.Value, how Copy) {
	last := len(tr.bases) - 1
	of := tr.bases[last]
	tr.bases = tr.bases[:last]
	tr.ResumeAt(tr.PauseLevel() - 1)
	tr.Read(tr.shapeOf(of))
	if !tr.copyParts(x, of, how) {
		tr.Read(tr.everything(of))
	}
	tr.reached(x)
}

// copyParts copies the parts of the original to x. It returns false if they are unknown.
func (tr *Tracer) copyParts(x, of starlark.Value, how Copy) bool {
	switch x := x.(type) {
	case *starlark.List:
		return tr.copyList(x, of, how)
	case *starlark.Dict:
		return tr.copyDict(x, of)
	case *tree.Struct:
		return tr.encoded(x, of)
	}
	return false
}

// copyList copies the parts of the original to a list.
func (tr *Tracer) copyList(x *starlark.List, of starlark.Value, how Copy) bool {
	c := tr.contentsOf(x)
	c.pairs = how == Pairs
	c.list = make([]tree.Slice, x.Len())
	switch of := of.(type) {
	case *starlark.List, starlark.Tuple, *tree.Array:
		if tr.elements(of) == nil {
			return len(c.list) == 0
		}
		items := of.(starlark.Indexable)
		for i := range min(len(c.list), items.Len()) {
			j := i
			if how == Reversed {
				j = items.Len() - 1 - i
			}
			c.list[i] = tr.element(of, nil, j)
			tr.copyParts(x.Index(i), items.Index(j), Elements)
		}
		return true
	case *starlark.Dict:
		known := tr.contents[of]
		if known == nil {
			return true
		}
		part := tr.element
		if how == Keys {
			part = tr.keyOf
		}
		for i, k := range of.Keys()[:min(of.Len(), len(c.list))] {
			c.list[i] = part(of, k, -1)
		}
		c.rest = known.rest
		return true
	case *tree.Map:
		for i := range c.list {
			c.list[i] = tr.element(of, nil, i)
		}
		return true
	case *tree.Struct: // the keys of a struct
		for i := range c.list {
			j := i
			if how == Reversed {
				j = len(c.list) - 1 - i
			}
			c.list[i] = tr.KeyOf(of, j)
		}
	}
	return false
}

// copyDict copies the parts of the original to a dict.
func (tr *Tracer) copyDict(x *starlark.Dict, of starlark.Value) bool {
	c := tr.contentsOf(x)
	switch of := of.(type) {
	case *tree.Map:
		for _, it := range of.Entries() {
			if name, ok := it.Key.Starlark().(starlark.String); ok {
				c.put(string(name), tr.scalar(it.Value))
			}
		}
		return true
	case *tree.Struct:
		if of.HasParts() {
			tr.decodedParts(c, x, of)
			return true
		}
		r := tr.Data(of)
		if r != nil {
			tr.decoded(c, x, of, r)
		}
		return r != nil
	case *starlark.Dict:
		if known := tr.contents[of]; known != nil {
			for name, s := range known.dict {
				c.put(name, s)
			}
			c.rest, c.mixed = known.rest, known.mixed
		}
		return true
	case *starlark.List:
		return tr.pairParts(c, of)
	}
	return false
}

// pairParts sets the parts of a dict that was created from pairs. It returns false if the origin of
// each half is unknown.
func (tr *Tracer) pairParts(c *contents, of *starlark.List) bool {
	if tr.elements(of) == nil {
		return false
	}
	for i := range of.Len() {
		pair, ok := of.Index(i).(starlark.Tuple)
		if !ok || len(pair) != 2 || tr.elementValue(of, nil, i) != 0 {
			return false
		}
		if name, ok := pair[0].(starlark.String); ok {
			c.put(string(name), tr.elementValue(pair, nil, 1))
		}
		c.rest = tr.Union(c.rest, tr.Union(tr.elementValue(pair, nil, 0), tr.keyOf(of, nil, i)))
	}
	return true
}

// decoded sets the parts of a dict that was created from a map of data values, and of the dicts in
// it.
func (tr *Tracer) decoded(c *contents, x *starlark.Dict, of *tree.Struct, r *tree.Reads) {
	tr.Pause()
	defer func() { tr.ResumeAt(tr.PauseLevel() - 1) }()
	for _, pair := range of.Items() {
		name, ok := pair[0].(starlark.String)
		v, found, _ := x.Get(pair[0])
		if !ok || !found {
			continue
		}
		c.put(string(name), r.Field(string(name)).Of(pair[1]))
		tr.copyParts(v, pair[1], Elements)
	}
	c.rest = tr.Union(c.rest, r.Slice(tree.Shape))
}
