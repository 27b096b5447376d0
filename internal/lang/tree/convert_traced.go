package tree

import "go.starlark.net/starlark"

// traced sets the origins of values that were computed from data values. If code passes on a whole
// map, each value in it gets its own origin.
type traced struct {
	*Trace
	Parts
}

// Parts returns what the parts of a collection were computed from.
type Parts struct {
	// Of returns what the element of x with a key or an index was computed from, unless x is a data
	// value.
	Of func(x, key starlark.Value, i int) Slice
	// Key returns what decided that the element exists: for a dict, what its key was computed from.
	Key func(x, key starlark.Value, i int) Slice
	// From returns the origin of the value x that was computed from s, and exists because of key.
	From func(s, key Slice, x starlark.Value) Origin
}

// FromStarlark is FromStarlarkWithin in a traced run: the values in x get their origins.
func (t *Trace) FromStarlark(
	x starlark.Value, maxNodes int, parts Parts,
) (v Value, err error) {
	c := converter{left: maxNodes, maxNodes: maxNodes, traced: &traced{t, parts}, literals: t.Literals}
	t.WithoutReads(func() { v, err = c.convert(x, 0) })
	return v, err
}

// field returns the value of a field of x, with its origin. The receiver may be nil.
func (t *traced) field(x starlark.Value, pair starlark.Tuple, v Value) Value {
	if t == nil {
		return v
	}
	name, ok := pair[0].(starlark.String)
	if r := t.Data(x); r != nil && ok && t.Data(pair[1]) == nil {
		return v.WithOrigin(t.From(r.of(string(name)).scalar(pair[1]), 0, pair[1]))
	}
	return t.part(x, pair[0], -1, pair[1], v)
}

// item returns e, item i of x, with its origin. The receiver may be nil.
func (t *traced) item(x starlark.Value, i int, e starlark.Value, v Value) Value {
	if t == nil {
		return v
	}
	if r := t.Data(x); r != nil && i < r.length && t.Data(e) == nil && !isFragment(e) {
		return v.WithOrigin(t.From(r.item(i).scalar(e), 0, e))
	}
	return t.part(x, nil, i, e, v)
}

// part returns e, an element of x, with its origin.
func (t *traced) part(x, key starlark.Value, i int, e starlark.Value, v Value) Value {
	s := t.Of(x, key, i)
	if r := t.Data(e); r != nil && s == 0 {
		s = r.Slice(Whole)
	}
	of := t.Key(x, key, i)
	if s == 0 && of == 0 {
		return v
	}
	return v.WithOrigin(t.From(s, of, e))
}
