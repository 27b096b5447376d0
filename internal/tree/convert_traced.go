package tree

import "go.starlark.net/starlark"

// traced gives what is made of data values its origins: of a map that is taken over whole, each
// value comes from one of its own.
type traced struct {
	*Trace
	from func(s Slice) Origin // what sets a value that is copied from the one data value in s
}

// FromStarlark is FromStarlarkWithin in a traced run. From makes the origins of those values that
// are data values, and lie in x.
func (t *Trace) FromStarlark(
	x starlark.Value, most int, from func(s Slice) Origin,
) (v Value, err error) {
	c := converter{left: most, most: most, traced: &traced{t, from}}
	t.Quietly(func() { v, err = c.convert(x, 0) })
	return v, err
}

// field is the value of a field of x, as set by what it comes from. The receiver may be nil.
func (t *traced) field(x starlark.Value, pair starlark.Tuple, v Value) Value {
	if t == nil {
		return v
	}
	if r := t.Data(pair[1]); r != nil {
		return v.WithOrigin(t.from(r.Slice(Whole)))
	}
	r := t.Data(x)
	name, ok := pair[0].(starlark.String)
	if r == nil || !ok {
		return v
	}
	return v.WithOrigin(t.from(r.of(string(name)).scalar(pair[1])))
}

// item is item i of x, which is e, as set by what it comes from. The receiver may be nil.
func (t *traced) item(x starlark.Value, i int, e starlark.Value, v Value) Value {
	if t == nil {
		return v
	}
	if r := t.Data(e); r != nil {
		return v.WithOrigin(t.from(r.Slice(Whole)))
	}
	if r := t.Data(x); r != nil && i < r.length {
		return v.WithOrigin(t.from(r.item(i).scalar(e)))
	}
	return v
}
