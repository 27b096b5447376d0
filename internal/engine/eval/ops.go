package eval

import (
	"fmt"
	"maps"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/tree"
)

// procKey is the thread-local key of the proc that a thread runs.
const procKey = "weft.proc"

// procOf returns the proc that a thread runs: the one of the file that calls a function, wherever
// the function is defined.
func procOf(t *starlark.Thread) *proc { return t.Local(procKey).(*proc) }

// opFunc is a builtin that compiled programs call.
type opFunc func(p *proc, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// define adds a builtin to d. The builtin finds its proc through the thread.
func define(d starlark.StringDict, name compile.Op, f opFunc) {
	d[string(name)] = starlark.NewBuiltin(string(name), f.call)
}

func (f opFunc) call(
	t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	return f(procOf(t), args, kwargs)
}

// predeclare returns the builtins that a unit uses. Builtins that need its tables are created for
// it.
func predeclare(u *compile.Unit) starlark.StringDict {
	d := make(starlark.StringDict, len(u.Builtins))
	every := everyUnits()
	for _, name := range u.Builtins {
		if f, ok := every[name]; ok {
			d[name] = f
		}
	}
	for _, op := range unitOps {
		d[string(op.name)] = starlark.NewBuiltin(string(op.name), func(
			t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			return op.call(u, t, args, kwargs)
		})
	}
	if u.Traced != nil {
		tracedOps(d, u)
	}
	if u.Cover != nil {
		coverers(d, u)
	}
	return d
}

// unitOp is a builtin that knows the tables of its unit.
type unitOp func(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error)

// unitOps are the builtins that are created for each unit.
var unitOps = [...]struct {
	name compile.Op
	call unitOp
}{
	{compile.OpMake, opMake},
	{compile.OpSet, opSet},
	{compile.OpSetKey, opSetKey},
	{compile.OpJoin, opJoin},
	{compile.OpDrop, opDrop},
	{compile.OpNote, opNote},
	{compile.OpEnter, opEnter},
	{compile.OpText, opText},
}

func opMake(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return starlark.None, procOf(t).build.take(u, small(args[0]))
}

func opSet(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return setNode(u, t, args[0], nil, args[1])
}

func opSetKey(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return setNode(u, t, args[0], args[1], args[2])
}

// setNode creates a node with a value, and with a key unless that is nil.
func setNode(u *compile.Unit, t *starlark.Thread, node, key, value starlark.Value) (starlark.Value, error) {
	p, id := procOf(t), small(node)
	n := &u.Nodes[id]
	if err := p.build.before(u, n); err != nil {
		return nil, err
	}
	if key != nil {
		c := p.build.top()
		c.key, c.hasKey = tree.Of(key), true
	}
	p.build.copies = u.Copies[id]
	if err := p.set(n, value); err != nil {
		return nil, err
	}
	p.build.cover.hit(u, u.NodeCounter(id))
	return starlark.None, nil
}

func opJoin(
	u *compile.Unit, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return join(u, &u.Forms[small(args[0])], args[1:])
}

func opDrop(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if d := &u.Drops[small(args[0])]; (d.Changes != "") == (args[1] == starlark.None) {
		procOf(t).drop(t, u, d, args[1])
	}
	return args[1], nil
}

func opNote(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	build := procOf(t).build
	c := build.top()
	c.pending = c.pending.With(tree.Annotation{
		Name: string(args[1].(starlark.String)), Args: args[3:], Kwargs: kwargs,
		Pos: u.File.Pos(small(args[2])), Reads: build.noted,
	})
	return starlark.None, nil
}

func opEnter(
	u *compile.Unit, t *starlark.Thread, _ starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	procOf(t).build.enter(u, t.CallStackDepth()-1) // without the frame of this builtin
	return starlark.None, nil
}

func opText(
	u *compile.Unit, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	build, id := procOf(t).build, small(args[0])
	if err := build.write(u.Literals[id]); err != nil {
		return nil, err
	}
	build.cover.hit(u, u.LiteralCounter(id))
	return starlark.None, nil
}

// everyUnits returns the builtins that all units share, created once.
func everyUnits() starlark.StringDict {
	common.Do(func() { common.builtins = commonBuiltins() })
	return common.builtins
}

var common struct {
	sync.Once
	builtins starlark.StringDict
}

func commonBuiltins() starlark.StringDict {
	d := starlark.StringDict{}
	for name, f := range map[compile.Op]opFunc{
		compile.OpKey: func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			c := p.build.top()
			c.key, c.hasKey = tree.Of(args[1]), true
			return starlark.None, nil
		},
		compile.OpPrint: func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, p.build.print(args[0])
		},
		compile.OpBegin: func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.begin()
			return starlark.None, nil
		},
		compile.OpEnd: func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.end(), nil
		},
		compile.OpReturn: func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.leave(false)
			return args[0], nil
		},
		compile.OpLeave: func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.leave(false), nil
		},
		compile.OpSpeak: func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.leave(true), nil
		},
		compile.OpLoad: func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.loadNames(args)
		},
		compile.OpValues: func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.values(args[0])
		},
	} {
		define(d, name, f)
	}
	d[string(compile.OpPercent)] = starlark.NewBuiltin("%", modules.Percent)
	d[string(compile.OpFormat)] = starlark.NewBuiltin("format", modules.Format)
	d[string(compile.OpPlus)] = starlark.NewBuiltin("+", modules.Plus)
	d[string(compile.OpTimes)] = starlark.NewBuiltin("*", modules.Times)
	d[string(compile.OpAdding)] = starlark.NewBuiltin("+=", modules.Adding)
	d[string(compile.OpSpread)] = starlark.NewBuiltin("*", modules.Spread)
	d[string(compile.OpBound)] = starlark.NewBuiltin("getattr", modules.Bound)
	d[string(compile.OpTuple)] = starlark.NewBuiltin("tuple", modules.Tuple)
	d[string(compile.OpVarargs)] = starlark.NewBuiltin("*", modules.Varargs)
	for _, op := range compile.Comparisons {
		d[string(compile.OpOperator)+op.String()] = modules.Compare(op)
	}
	for _, op := range compile.Memberships {
		d[string(compile.OpOperator)+op.String()] = modules.In(op)
	}
	for _, op := range compile.Arithmetics {
		d[string(compile.OpOperator)+op.String()] = modules.Arithmetic(op)
		d[string(compile.OpOperand)+op.String()] = modules.Operand(op)
	}
	for _, name := range compile.Methods {
		d[string(compile.OpMethod)+name] = modules.Method(name)
	}
	maps.Copy(d, modules.Universe.Get())
	return d
}

// small returns a number that the compiler wrote into the program.
func small(v starlark.Value) int {
	i, _ := v.(starlark.Int).Int64()
	return int(i)
}

// loadNames implements a load inside an if: it returns the values of the names, in order.
func (p *proc) loadNames(args starlark.Tuple) (starlark.Value, error) {
	module, _ := starlark.AsString(args[0])
	globals, err := p.load(module)
	if err != nil {
		return nil, err
	}
	values := make(starlark.Tuple, 0, len(args)-1)
	for _, a := range args[1:] {
		name, _ := starlark.AsString(a)
		v, ok := globals[name]
		if !ok {
			return nil, fmt.Errorf("load: name %s not found in module %s", name, module)
		}
		values = append(values, v)
	}
	return values, nil
}

// values implements `x.values`, where x may be the data module. Its values are those of the file
// that the thread runs.
func (p *proc) values(x starlark.Value) (starlark.Value, error) {
	// A function exported by a library keeps the values of the library.
	if d, ok := x.(*dataModule); ok && d.p.run.family == p.run.family {
		return p.dataValues(), nil
	}
	attrs, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .values field or method", x.Type())
	}
	v, err := attrs.Attr("values")
	if err == nil && v == nil {
		err = starlark.NoSuchAttrError(fmt.Sprintf("%s has no .values field or method", x.Type()))
	}
	return v, err
}
