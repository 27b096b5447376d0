package eval

import (
	"maps"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// trackFunc is one of the builtins of script.Trackers.
type trackFunc func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value

// tracker returns such a builtin as programs call it.
func tracker(name string, f trackFunc) *starlark.Builtin {
	return starlark.NewBuiltin(name, f.call)
}

func (f trackFunc) call(
	t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return f(procOf(t).run.opt.Trace, t, args), nil
}

// trackers adds the builtins that a unit uses, which was compiled for a traced run.
func trackers(d starlark.StringDict, u *compile.Unit) {
	for _, name := range u.Builtins {
		op, ok := strings.CutPrefix(name, string(compile.OpTrack))
		if !ok || d[name] != nil {
			continue
		}
		if f := everyTracker()[op]; f != nil {
			d[name] = f
			continue
		}
		for _, x := range siteTrackers {
			if x.name == op {
				d[name] = tracker(name, x.of(u))
			}
		}
	}
	tracedOps(d, u)
}

// everyTracker returns the builtins that are the same for every unit.
var everyTracker = sync.OnceValue(func() map[string]*starlark.Builtin {
	all := map[string]*starlark.Builtin{}
	for _, x := range trackFuncs {
		all[x.name] = tracker(string(compile.OpTrack)+x.name, x.f)
	}
	return all
})

// trackFuncs is what they do. It is an array, as the other tables here: a map would be built before main.
var trackFuncs = [...]struct {
	name string
	f    trackFunc
}{
	{"use", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.use(args[0], args[1])
		return args[0]
	}},
	{"shut", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.soft(args[1])
		return asShade(tr.Union(tr.take(), tr.top().around().reads))
	}},
	{"more", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		var by starlark.Value
		if len(args) > 3 {
			by = tr.popTerm()
		}
		s := tr.Union(tr.take(), tr.top().around().reads)
		tr.grow(args[1], by, s)
		s = tr.Union(s, shadeOf(args[2]))
		if key(args[1]) == nil {
			s = tr.Derived(s)
		}
		return asShade(s)
	}},
	{"done", func(tr *Tracer, _ *starlark.Thread, _ starlark.Tuple) starlark.Value {
		tr.take()
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
		tr.soft(args[0])
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
		tr.soft(args[2])
		i, s := small(args[0]), tr.unmark()
		if len(args) == 3 {
			tr.parts = append(tr.parts, part{i: i, from: s})
		} else if s != 0 {
			tr.Read(s) // it decides what the collection has
			tr.parts = append(tr.parts, part{i: i, early: s})
		}
		return args[2]
	}},
	{"named", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.parts = append(tr.parts, part{i: small(args[0]), from: shadeOf(args[2])})
		return args[1]
	}},
	{"made", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.created(args[1])
		return args[1]
	}},
	{"term", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.term(args[0])
		if len(args) > 1 { // what it is added to, which is another afterwards if it is a tuple
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
			tr.Softly(d)
		}
		return args[0]
	}},
	{"at", func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
		tr.soft(args[1])
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
		tr.like(args[1], script.Copy(small(args[0])))
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
	{"loaded", func(_ *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
		return procOf(t).loadedShades(args)
	}},
}

// siteTrackers make the builtins that know the sites of a unit.
var siteTrackers = [...]struct {
	name string
	of   func(u *compile.Unit) trackFunc
}{
	{"if", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.decide(&u.Traced.Sites[small(args[0])], args[1])
			return args[1]
		}
	}},
	{"pop", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.over(&u.Traced.Sites[small(args[0])], args[1:])
		}
	}},
	{"for", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.loop(&u.Traced.Sites[small(args[0])], args[1])
		}
	}},
	{"each", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.each(&u.Traced.Sites[small(args[0])], args[2])
		}
	}},
	{"enter", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return tr.call(t, u, &u.Traced.Sites[small(args[0])])
		}
	}},
	{"into", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, t *starlark.Thread, args starlark.Tuple) starlark.Value {
			return starlark.Tuple{tr.call(t, u, &u.Traced.Sites[small(args[0])])}
		}
	}},
	{"arg", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			tr.soft(args[3])
			s := tr.unmark()
			call := &u.Traced.Sites[small(args[0])]
			tr.pending = append(tr.pending, argument{call, args[1], s, args[3]})
			return args[3]
		}
	}},
	{"name", func(u *compile.Unit) trackFunc {
		return func(tr *Tracer, _ *starlark.Thread, args starlark.Tuple) starlark.Value {
			s := shadeOf(args[3])
			call := &u.Traced.Sites[small(args[0])]
			tr.pending = append(tr.pending, argument{call, args[1], s, args[2]})
			return args[2]
		}
	}},
}

// tracedOps replaces builtins by those that take what was read with them.
func tracedOps(d starlark.StringDict, u *compile.Unit) {
	code := func(p *proc, args starlark.Tuple) { // before the nodes that are made with this one
		tr := p.run.opt.Trace
		tr.soft(args[len(args)-1])
		p.build.code, p.build.reads = u.Traced.Code[small(args[0])], tr.take()
	}
	before(d, compile.OpSet, code)
	before(d, compile.OpSetKey, code)
	before(d, compile.OpNote, func(p *proc, _ starlark.Tuple) { p.build.noted = p.run.opt.Trace.take() })
	tracedText(d, compile.OpText, u, u.File, func(args starlark.Tuple) (string, error) {
		return u.Literals[small(args[0])], nil
	})
	tracedText(d, compile.OpPrint, u, nil, func(args starlark.Tuple) (string, error) {
		return printed(args[0])
	})
	for _, x := range textOps {
		if _, ok := d[string(x.op)]; ok {
			define(d, x.op, x.f)
		}
	}
}

// before replaces a builtin by one that does something first.
func before(d starlark.StringDict, op compile.Op, first func(p *proc, args starlark.Tuple)) {
	f := d[string(op)].(*starlark.Builtin)
	d[f.Name()] = starlark.NewBuiltin(f.Name(), func(
		t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		first(procOf(t), args)
		return f.CallInternal(t, args, kwargs)
	})
}

// tracedText replaces a builtin that writes text, which is written in a file if of is not nil.
func tracedText(
	d starlark.StringDict, op compile.Op, u *compile.Unit, of *source.File,
	text func(args starlark.Tuple) (string, error),
) {
	d[string(op)] = starlark.NewBuiltin(string(op), func(
		t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
	) (starlark.Value, error) {
		s, err := text(args)
		if err != nil {
			return nil, err
		}
		p := procOf(t)
		p.run.opt.Trace.says(&p.build, script.Span(u.File, t.CallFrame(1).Pos), of)
		return starlark.None, p.build.write(s)
	})
}

// textOps has the builtins that make keys and texts, as they are in a traced run.
var textOps = [...]struct {
	op compile.Op
	f  opFunc
}{
	{compile.OpKey, func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		c := p.build.top()
		c.key, c.hasKey, c.keyFrom = tree.Of(args[1]), true, p.run.opt.Trace.take()
		return starlark.None, nil
	}},
	{compile.OpBegin, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		tr := p.run.opt.Trace
		a := tr.top()
		a.texts = append(a.texts, outerText{a.text, a.decided, tr.Open()})
		a.text, a.decided = 0, 0
		p.build.begin()
		return starlark.None, nil
	}},
	{compile.OpEnd, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		tr := p.run.opt.Trace
		a := tr.top()
		was := a.texts[len(a.texts)-1]
		a.texts = a.texts[:len(a.texts)-1]
		s := tr.Union(tr.Union(a.text, a.decided), tr.Close(was.window))
		a.text, a.decided = was.text, tr.Union(was.decided, a.decided)
		tr.Read(s)
		return p.build.end(), nil
	}},
	{compile.OpSpeak, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		tr := p.run.opt.Trace
		a := tr.top()
		tr.Read(tr.Union(a.text, a.decided))
		return p.build.leave(true), nil
	}},
}

// loadedShades returns the shades of what a load has bound.
func (p *proc) loadedShades(args starlark.Tuple) starlark.Value {
	out := make(starlark.Tuple, len(args)-1)
	name, _ := starlark.AsString(args[0])
	var shades map[string]tree.Slice
	if at, err := p.site.find(name); err == nil {
		if m := p.run.known(at); m != nil {
			shades = p.run.opt.Trace.shades[m.proc]
		}
	}
	for i, a := range args[1:] {
		name, _ := starlark.AsString(a)
		out[i] = asShade(shades[name])
	}
	return out
}

// takeShades takes the shades out of the globals of a file.
func (p *proc) takeShades(globals starlark.StringDict) {
	tr := p.run.opt.Trace
	if tr == nil {
		return
	}
	shades := map[string]tree.Slice{}
	maps.DeleteFunc(globals, func(name string, x starlark.Value) bool {
		of, ok := script.ShadeOf(name)
		if ok {
			shades[of] = shadeOf(x)
		}
		return ok
	})
	tr.shades[p] = shades
}
