package trace

import (
	"maps"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// builtinFunc implements one of the builtins that instrumented programs call.
type builtinFunc func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value

// newBuiltin returns the Starlark builtin for f.
func newBuiltin(name string, f builtinFunc) *starlark.Builtin {
	return starlark.NewBuiltin(name, f.call)
}

func (f builtinFunc) call(
	t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return f(t.Local(local).(*Tracer), t, args), nil
}

// local is the thread-local key of the tracer.
const local = "trace"

// Attach makes t report to the tracer, which may be nil.
func (tr *Tracer) Attach(t *starlark.Thread) {
	if tr != nil {
		t.SetLocal(local, tr)
	}
}

// Builtins adds the builtins in names through which programs report to the tracer. They serve the
// program of f, which has these sites.
func Builtins(d starlark.StringDict, names []string, f *source.File, sites []PlacedSite) {
	for _, name := range names {
		op, ok := strings.CutPrefix(name, Prefix)
		if !ok || d[name] != nil {
			continue
		}
		if f := sharedBuiltins.Get()[op]; f != nil {
			d[name] = f
			continue
		}
		for _, x := range siteBuiltins {
			if x.name == op {
				d[name] = newBuiltin(name, x.of(f, sites))
			}
		}
	}
}

// sharedBuiltins returns the builtins that are the same for every unit.
var sharedBuiltins = lazy.Value[map[string]*starlark.Builtin]{New: func() map[string]*starlark.Builtin {
	all := map[string]*starlark.Builtin{}
	for _, x := range builtinFuncs {
		all[x.name] = newBuiltin(Prefix+x.name, x.f)
	}
	return all
}}

// builtinFuncs implements the shared builtins. It is an array because a map would be built before
// main.
var builtinFuncs = [...]struct {
	name string
	f    builtinFunc
}{
	{"use", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.use(args[0], args[1])
		return args[0]
	}},
	{"shut", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[1])
		return asShade(tr.Union(tr.EndStatement(), tr.top().around().reads))
	}},
	{"more", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		var by starlark.Value
		if len(args) > 3 {
			by = tr.popTerm()
		}
		s := tr.Union(tr.EndStatement(), tr.top().around().reads)
		tr.grow(args[1], by, s)
		s = tr.Union(s, sliceOf(args[2]))
		if key(args[1]) == nil {
			s = tr.Derived(s)
		}
		return asShade(s)
	}},
	{"done", func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		tr.EndStatement()
		return starlark.None
	}},
	{"leave", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		x := args[len(args)-1]
		tr.returned(x)
		return x
	}},
	{"def", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		if s := tr.Peek(); s != 0 {
			tr.defaults[args[0].(starlark.Callable)] = s
		}
		return args[0]
	}},
	{"mark", func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		tr.mark()
		return starlark.None
	}},
	{"hold", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.hold(args[0], args[1])
		return args[0]
	}},
	{"base", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[0])
		tr.bases = append(tr.bases, args[0])
		return args[0]
	}},
	{"key", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		last := len(tr.bases) - 1
		x := tr.bases[last]
		tr.bases = tr.bases[:last]
		tr.indexed(x, args[0])
		return args[0]
	}},
	{"part", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[2])
		i, s := small(args[0]), tr.unmark()
		if len(args) == 3 {
			tr.parts = append(tr.parts, part{i: i, from: s})
		} else if s != 0 {
			tr.Read(s) // it decides which elements the collection has
			tr.parts = append(tr.parts, part{i: i, early: s})
		}
		return args[2]
	}},
	{"named", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.parts = append(tr.parts, part{i: small(args[0]), from: sliceOf(args[2])})
		return args[1]
	}},
	{"made", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.created(args[1])
		return args[1]
	}},
	{"term", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.term(args[0])
		if len(args) > 1 { // the operand it is added to: for a tuple, += creates a new one
			if old, ok := args[1].(starlark.Tuple); ok {
				tr.Read(tr.all(old))
			}
		}
		return args[0]
	}},
	{"sum", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		return tr.sum(args[0])
	}},
	{"zip", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.zipped(small(args[0]), args[1])
		return args[1]
	}},
	{"soft", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		if d, ok := args[0].(*starlark.Dict); ok && tr.contents[d] != nil {
			tr.UseWithoutContent(d)
		}
		return args[0]
	}},
	{"at", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[1])
		s := tr.unmark()
		tr.Read(s)
		tr.changesAt(args[1], s)
		return args[1]
	}},
	{"apart", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.apart(args[1].(starlark.Tuple))
		return args[1]
	}},
	{"shares", func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		return tr.shared()
	}},
	{"lend", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.lend(args[0])
		return args[0]
	}},
	{"like", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.like(args[1], Copy(small(args[0])))
		return args[1]
	}},
	{"count", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.counted(args[0])
		return args[0]
	}},
	{"asked", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.asked(args[0])
		return args[0]
	}},
	{"aside", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.aside(args[0], args[2])
		return args[2]
	}},
	{"has", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.has(args[0])
		return args[0]
	}},
	{"loaded", func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
		return tr.loaded(t, args)
	}},
}

// siteBuiltins creates the builtins that know the sites of a unit.
var siteBuiltins = [...]struct {
	name string
	of   func(f *source.File, sites []PlacedSite) builtinFunc
}{
	{"if", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.decide(&sites[small(args[0])], args[1])
			return args[1]
		}
	}},
	{"pop", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.over(&sites[small(args[0])], args[1:])
		}
	}},
	{"for", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.loop(&sites[small(args[0])], args[1])
		}
	}},
	{"each", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.each(&sites[small(args[0])], args[2])
		}
	}},
	{"enter", func(f *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.call(t, f, &sites[small(args[0])])
		}
	}},
	{"into", func(f *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return starlark.Tuple{tr.call(t, f, &sites[small(args[0])])}
		}
	}},
	{"arg", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.Unread(args[3])
			s := tr.unmark()
			call := &sites[small(args[0])]
			tr.pending = append(tr.pending, argument{call, args[1], s, args[3]})
			return args[3]
		}
	}},
	{"name", func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			s := sliceOf(args[3])
			call := &sites[small(args[0])]
			tr.pending = append(tr.pending, argument{call, args[1], s, args[2]})
			return args[2]
		}
	}},
}

// loaded returns the shades of the names that a load has bound.
func (tr *Tracer) loaded(t *starlark.Thread, args starlark.Tuple) starlark.Value {
	out := make(starlark.Tuple, len(args)-1)
	name, _ := starlark.AsString(args[0])
	shades := tr.shades[tr.host.Module(t, name)]
	for i, a := range args[1:] {
		name, _ := starlark.AsString(a)
		out[i] = asShade(shades[name])
	}
	return out
}

// TakeShades removes the shades from the globals of a module and keeps them. The receiver may be
// nil.
func (tr *Tracer) TakeShades(module any, globals starlark.StringDict) {
	if tr == nil {
		return
	}
	shades := map[string]tree.Slice{}
	maps.DeleteFunc(globals, func(name string, x starlark.Value) bool {
		of, ok := shadeOf(name)
		if ok {
			shades[of] = sliceOf(x)
		}
		return ok
	})
	tr.shades[module] = shades
}

// small returns an integer that the compiler wrote into the program.
func small(v starlark.Value) int {
	i, _ := v.(starlark.Int).Int64()
	return int(i)
}
