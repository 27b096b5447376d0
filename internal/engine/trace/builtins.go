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
		if !strings.HasPrefix(name, Prefix) || d[name] != nil {
			continue
		}
		if f := sharedBuiltins.Get()[name]; f != nil {
			d[name] = f
			continue
		}
		for _, x := range siteBuiltins {
			if x.name == name {
				d[name] = newBuiltin(name, x.of(f, sites))
			}
		}
	}
}

// sharedBuiltins returns the builtins that are the same for every unit.
var sharedBuiltins = lazy.Value[map[string]*starlark.Builtin]{New: func() map[string]*starlark.Builtin {
	all := map[string]*starlark.Builtin{}
	for _, x := range builtinFuncs {
		all[x.name] = newBuiltin(x.name, x.f)
	}
	return all
}}

// builtinFuncs implements the shared builtins. It is an array because a map would be built before
// main.
var builtinFuncs = [...]struct {
	name string
	f    builtinFunc
}{
	{opUse, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.use(args[0], args[1])
		return args[0]
	}},
	{opAssign, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[1])
		return asShade(tr.Union(tr.EndStatement(), tr.top().around().reads))
	}},
	{opMore, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
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
	{opDone, func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		tr.EndStatement()
		return starlark.None
	}},
	{opLeave, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		x := args[len(args)-1]
		tr.returned(x)
		return x
	}},
	{opDef, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		if s := tr.Peek(); s != 0 {
			tr.defaults[args[0].(starlark.Callable)] = s
		}
		return args[0]
	}},
	{opMark, func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		tr.mark()
		return starlark.None
	}},
	{opHold, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.hold(args[0], args[1])
		return args[0]
	}},
	{opBase, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[0])
		tr.bases = append(tr.bases, args[0])
		return args[0]
	}},
	{opKey, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		last := len(tr.bases) - 1
		x := tr.bases[last]
		tr.bases = tr.bases[:last]
		tr.indexed(x, args[0])
		return args[0]
	}},
	{opPart, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
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
	{opNamed, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.parts = append(tr.parts, part{i: small(args[0]), from: sliceOf(args[2])})
		return args[1]
	}},
	{opComplete, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.created(args[1])
		return args[1]
	}},
	{opTerm, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.term(args[0])
		if len(args) > 1 { // the operand that is added to: for a tuple, += creates a new one
			if old, ok := args[1].(starlark.Tuple); ok {
				tr.Read(tr.all(old))
			}
		}
		return args[0]
	}},
	{opSum, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		return tr.sum(args[0])
	}},
	{opZip, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.zipped(small(args[0]), args[1])
		return args[1]
	}},
	{opShallow, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		if d, ok := args[0].(*starlark.Dict); ok && tr.contents[d] != nil {
			tr.UseWithoutContent(d)
		}
		return args[0]
	}},
	{opAt, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.Unread(args[1])
		s := tr.unmark()
		tr.Read(s)
		tr.changesAt(args[1], s)
		return args[1]
	}},
	{opUnpack, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.unpacked(args[1].(starlark.Tuple))
		return args[1]
	}},
	{opShares, func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		return tr.shared()
	}},
	{opCopying, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.copying(args[0])
		return args[0]
	}},
	{opCopied, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.copied(args[1], Copy(small(args[0])))
		return args[1]
	}},
	{opCount, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.counted(args[0])
		return args[0]
	}},
	{opTested, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.tested(args[0])
		return args[0]
	}},
	{opDerived, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.derived(args[0], args[2])
		return args[2]
	}},
	{opHas, func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.has(args[0])
		return args[0]
	}},
	{opLoaded, func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
		return tr.loaded(t, args)
	}},
}

// siteBuiltins creates the builtins that know the sites of a unit.
var siteBuiltins = [...]struct {
	name string
	of   func(f *source.File, sites []PlacedSite) builtinFunc
}{
	{opIf, func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.decide(&sites[small(args[0])], args[1])
			return args[1]
		}
	}},
	{opPop, func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.over(&sites[small(args[0])], args[1:])
		}
	}},
	{opFor, func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.loop(&sites[small(args[0])], args[1])
		}
	}},
	{opEach, func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.each(&sites[small(args[0])], args[2])
		}
	}},
	{opEnter, func(f *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.call(t, f, &sites[small(args[0])])
		}
	}},
	{opInto, func(f *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return starlark.Tuple{tr.call(t, f, &sites[small(args[0])])}
		}
	}},
	{opArg, func(_ *source.File, sites []PlacedSite) builtinFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.Unread(args[3])
			s := tr.unmark()
			call := &sites[small(args[0])]
			tr.pending = append(tr.pending, argument{call, args[1], s, args[3]})
			return args[3]
		}
	}},
	{opName, func(_ *source.File, sites []PlacedSite) builtinFunc {
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
