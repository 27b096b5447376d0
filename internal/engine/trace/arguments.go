package trace

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// arguments records, for each parameter of a called function, what its argument was computed from.
type arguments struct {
	*Tracer
	site     *PlacedSite
	shades   starlark.Tuple // of the parameters
	frame    starlark.DebugFrame
	rest     tree.Slice // what may belong to any parameter
	defaults tree.Slice // what the default values were computed from
}

// assign assigns an argument to its parameter.
func (a *arguments) assign(x argument) {
	i := a.parameter(x.name)
	switch {
	case i < 0:
		a.spread(x)
	case i == a.site.Rest && a.giveRest(small(x.name)-a.site.Positional, x.from):
	case i == a.site.Kwargs && a.giveNamed(x.name, x.from):
	default:
		a.add(i, x.from)
	}
}

// add adds to what a parameter was computed from.
func (a *arguments) add(i int, s tree.Slice) {
	a.shades[i] = asShade(a.Union(sliceOf(orNone(a.shades[i])), s))
}

// parameter returns the index of the parameter that an argument binds to, or -1 if it may be any.
func (a *arguments) parameter(name starlark.Value) int {
	if s, ok := name.(starlark.String); ok {
		if i := slices.Index(a.site.Params, string(s)); i >= 0 {
			return i
		}
		return a.site.Kwargs
	}
	if i := small(name); i < a.site.Positional {
		return i // -1 for *args
	}
	return a.site.Rest
}

// spread assigns an argument that expands to any number of arguments. Those of a dict have names.
func (a *arguments) spread(x argument) {
	d, ok := x.x.(*starlark.Dict)
	if !ok || a.elements(d) == nil {
		a.rest = a.Union(a.rest, a.Union(x.from, a.all(x.x)))
		return
	}
	a.rest = a.Union(a.rest, a.Union(x.from, a.elements(d).shape))
	for _, k := range d.Keys() {
		a.assign(argument{name: k, from: a.element(d, k, -1)})
	}
}

// giveRest records what element i of *args was computed from. It returns false if the tuple is
// unknown.
func (a *arguments) giveRest(i int, s tree.Slice) bool {
	t, ok := a.local(a.site.Rest).(starlark.Tuple)
	if !ok || i >= len(t) {
		return false
	}
	c := a.contentsOf(t)
	for len(c.list) < len(t) {
		c.list = append(c.list, 0)
	}
	c.list[i] = s
	return true
}

// giveNamed is like giveRest for **kwargs.
func (a *arguments) giveNamed(name starlark.Value, s tree.Slice) bool {
	d, ok := a.local(a.site.Kwargs).(*starlark.Dict)
	if ok {
		a.contentsOf(d).put(string(name.(starlark.String)), s)
	}
	return ok
}

// local returns the value of a parameter. If a nested function also uses the parameter, the result
// is an internal cell of the interpreter, not a Starlark value.
func (a *arguments) local(param int) starlark.Value {
	for i := range a.frame.NumLocals() {
		if b, v := a.frame.Local(i); b.Name == a.site.Params[param] {
			return v
		}
	}
	return nil
}

// end adds whatever may belong to any parameter to the parameters without an argument.
func (a *arguments) end() {
	for i := range a.shades {
		if a.shades[i] != nil {
			continue
		}
		s := a.rest
		if i != a.site.Rest && i != a.site.Kwargs {
			s = a.Union(s, a.defaults)
		}
		a.shades[i] = asShade(s)
	}
}
