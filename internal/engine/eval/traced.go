package eval

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/trace"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file connects a traced run to the builder: it records the origins of nodes and texts.

// NewTracer returns a tracer of evaluations that fills o.
func NewTracer(o *tree.Origins) *trace.Tracer {
	return trace.New(o, trace.Host{
		Here: Here,
		Around: func(
			t *starlark.Thread, left trace.LeftOut,
		) (document, parent source.Pos, offset int) {
			b := &procOf(t).build
			document, parent = b.placeOfAbsent(left)
			if offset = -1; !left.Nodes {
				offset = b.written()
			}
			return document, parent, offset
		},
		Module: func(t *starlark.Thread, name string) any {
			p := procOf(t)
			at, err := p.site.find(name)
			if err != nil {
				return nil
			}
			if m := p.run.known(at); m != nil {
				return m.proc
			}
			return nil
		},
	})
}

// tracedOps replaces builtins with versions that also record what was read.
func tracedOps(d starlark.StringDict, u *compile.Unit) {
	trace.Builtins(d, u.Builtins, u.File, u.Traced.Sites)
	code := func(p *proc, args starlark.Tuple) { // before the node is created
		tr := p.run.opt.Trace
		tr.Unread(args[len(args)-1])
		p.build.code, p.build.reads = u.Traced.Code[small(args[0])], tr.EndStatement()
	}
	before(d, compile.OpSet, code)
	before(d, compile.OpSetKey, code)
	before(d, compile.OpNote, func(p *proc, _ starlark.Tuple) { p.build.noted = p.run.opt.Trace.EndStatement() })
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

// before replaces a builtin with one that calls first, then the original.
func before(d starlark.StringDict, op compile.Op, first func(p *proc, args starlark.Tuple)) {
	f := d[string(op)].(*starlark.Builtin)
	d[f.Name()] = starlark.NewBuiltin(f.Name(), func(
		t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		first(procOf(t), args)
		return f.CallInternal(t, args, kwargs)
	})
}

// tracedText replaces a builtin that writes text. of is the file that contains the text literally,
// or nil.
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
		p.build.recordText(script.Span(u.File, t.CallFrame(1).Pos), of)
		return starlark.None, p.build.write(s)
	})
}

// textOps has the traced versions of the builtins that create keys and texts.
var textOps = [...]struct {
	op compile.Op
	f  opFunc
}{
	{compile.OpKey, func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		c := p.build.top()
		c.key, c.hasKey, c.keyFrom = tree.Of(args[1]), true, p.run.opt.Trace.EndStatement()
		return starlark.None, nil
	}},
	{compile.OpBegin, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		p.run.opt.Trace.BeginText()
		p.build.begin()
		return starlark.None, nil
	}},
	{compile.OpEnd, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		p.run.opt.Trace.EndText()
		return p.build.end(), nil
	}},
	{compile.OpSpeak, func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		p.run.opt.Trace.ReadText()
		return p.build.leave(true), nil
	}},
}

// recordText records what the next text is computed from, and the location of its code. of is the file
// that contains the text literally, or nil.
func (b *builder) recordText(at source.Span, of *source.File) {
	reads := b.trace.TextReads()
	c := b.top()
	if len(c.texts) > 0 {
		return // it is part of a value
	}
	from := b.trace.Set(tree.Value{}, b.trace.Setting(at, reads)).Origin()
	c.pieces = append(c.pieces, trace.Piece{Start: len(c.text), From: from, Of: of})
}

// traced returns constant nodes with their origin: the conditions around them, and what their key
// was computed from.
func (b *builder) traced(r *compile.Stretch) *compile.Stretch {
	o := b.trace.Constant(b.keyed())
	if o == 0 {
		return r
	}
	set := *r
	set.Items = withOrigin(r.Items, o)
	return &set
}

// tracedValue returns the value of the next node, whose code returned x.
func (b *builder) tracedValue(x starlark.Value, maxNodes int) (tree.Value, error) {
	key := b.keyed()
	s := b.trace.Setting(b.code, b.trace.Union(b.reads, b.trace.Derived(key)))
	s.Key = key
	return b.trace.FromCode(x, maxNodes, s)
}

// FromArgument converts an argument of a builtin to a tree value. In a traced run each part records
// what it was computed from.
func FromArgument(t *starlark.Thread, x starlark.Value) (tree.Value, error) {
	tr := procOf(t).run.opt.Trace
	if tr == nil {
		return procOf(t).run.literals.FromStarlarkWithin(x, tree.MaxNodes)
	}
	tr.Literals = procOf(t).run.literals
	v, err := tr.FromCode(x, tree.MaxNodes, tr.Setting(Here(t), tr.Given(x)))
	return tr.Follow(v).Spread(), err
}

// splicing makes the code of a template.replace the origin of results that have none, until end is
// called.
func (b *builder) splicing(code source.Span) (end func()) {
	tr := b.trace
	if tr == nil {
		return func() {}
	}
	b.spliced = tr.Set(tree.Value{}, tr.Setting(code, tr.Union(b.reads, tr.Peek()))).Origin()
	return func() { b.spliced = 0 }
}

// written returns the length of the file's text so far, or -1 if the current value is not part of
// that text.
func (b *builder) written() int {
	if c := b.top(); len(b.contexts) == 1 && len(c.texts) == 0 {
		return len(c.text)
	}
	return -1
}

// placeOfAbsent returns the positions of the document and the node that would contain nodes that were
// left out.
func (b *builder) placeOfAbsent(left trace.LeftOut) (document, parent source.Pos) {
	for i := len(b.contexts) - 1; i >= 0; i-- {
		c := &b.contexts[i]
		for j := len(c.frames) - 1; j >= 0; j-- {
			f := &c.frames[j]
			inside := i < len(b.contexts)-1 || !left.Nodes // inside the node that calls a function
			if j < len(c.frames)-1 {
				in := &c.frames[j+1] // the value of the last item of f
				inside = inside || in.start < left.Start && left.End <= in.end
			}
			switch {
			case f.kind == documents && len(f.docs) > 0 && (j < len(c.frames)-1):
				document = f.docs[len(f.docs)-1].Pos
				if !parent.IsValid() {
					parent = document
				}
				return document, parent
			case !parent.IsValid() && inside && j < len(c.frames)-1 && len(f.items) > 0:
				parent = f.items[len(f.items)-1].Pos
			}
		}
	}
	return document, parent
}

// withOrigin returns items with origin o where they have none.
func withOrigin(items []tree.Item, o tree.Origin) []tree.Item {
	items = slices.Clone(items)
	for i := range items {
		if items[i].Value.Origin() == 0 {
			items[i].Value = items[i].Value.WithOrigin(o)
		}
	}
	return items
}
