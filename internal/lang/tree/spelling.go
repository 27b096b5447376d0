package tree

import "go.starlark.net/starlark"

// WithSpelling returns v, the result of a traced run, with the original spelling of each scalar that
// code passed on unchanged. Unlike Literals, it also finds integers and booleans that went through
// functions, loops and lists.
func (o *Origins) WithSpelling(v Value) Value {
	switch x := v.x.(type) {
	case *Map:
		if items, changed := o.withSpelling(x.items); changed {
			v.x = NewMap(items, x.Pos)
		}
	case *Array:
		if items, changed := o.withSpelling(x.items); changed {
			v.x = NewArray(items, x.Pos)
		}
	case starlark.Int, starlark.Bool, starlark.NoneType, starlark.String, starlark.Float:
		if s, ok := o.template(v); ok && s.Copied != 0 {
			return o.source(s, v)
		}
	}
	return v
}

// withSpelling is WithSpelling for items. It also reports whether a value changed.
func (o *Origins) withSpelling(items []Item) (out []Item, changed bool) {
	out = items
	for i := range items {
		v := o.WithSpelling(items[i].Value)
		if v == items[i].Value {
			continue
		}
		if !changed {
			out, changed = append([]Item(nil), items...), true
		}
		out[i].Value = v
	}
	return out, changed
}

// source returns the data value that s is a copy of, if it equals v and is written in a file. Values
// of flags and variables have no spelling to keep.
func (o *Origins) source(s Setting, v Value) Value {
	l := o.leafOf(s.Copied)
	if l == 0 {
		return v
	}
	from, _, by, ok := o.Find(l)
	if set, known := o.Of(by); !ok || known && (set.By == ByFlag || set.By == ByVariable) {
		return v
	}
	return literal(from, v)
}

// Computed calls read for the data values that the scalars in v were computed from, and not copied.
func (o *Origins) Computed(v Value, read func(Leaf)) {
	switch x := v.x.(type) {
	case nil:
	case *Map:
		o.computed(v, x.items, read)
	case *Array:
		o.computed(v, x.items, read)
	default:
		if s, ok := o.template(v); ok && s.Copied != s.Reads {
			for _, l := range o.Leaves(s.Reads) {
				if s.Copied == 0 || l != o.leafOf(s.Copied) {
					read(l)
				}
			}
		}
	}
}

// computed is Computed for the items of collection v. A scalar in it of unknown origin may come from
// anything that the collection was computed from.
func (o *Origins) computed(v Value, items []Item, read func(Leaf)) {
	unknown := false
	for i := range items {
		o.Computed(items[i].Value, read)
		unknown = unknown || items[i].Value.tree == nil && items[i].Value.origin == 0 || isNumber(items[i].Key)
	}
	if s, ok := o.template(v); ok && unknown && s.Copied == 0 {
		for _, l := range o.Leaves(s.Reads) {
			read(l)
		}
	}
}

// isNumber reports whether a key is not text and was created by code, so that its origin is unknown.
func isNumber(key Value) bool {
	_, text := key.x.(starlark.String)
	return key.x != nil && !text
}

// template returns how a template produced v, if one did, even if v was moved afterwards.
func (o *Origins) template(v Value) (Setting, bool) {
	s, ok := o.Of(v.origin)
	for ok && s.By != ByTemplate {
		s, ok = o.Of(s.From)
	}
	return s, ok
}
