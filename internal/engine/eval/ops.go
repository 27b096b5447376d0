package eval

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

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
	for _, name := range u.Builtins {
		if f := sharedBuiltin(name); f != nil {
			d[name] = f
		}
	}
	for _, op := range unitOps {
		if u.Traced == nil && !slices.Contains(u.Builtins, string(op.name)) {
			continue
		}
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

// setNode creates a node with a value and, if key is not nil, a computed key.
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

// shared are the builtins that all units share, by name. A run uses few of them, so they are created
// when a unit names them.
var shared sync.Map

// sharedBuiltin returns the shared builtin with a name, or nil if units do not share it.
func sharedBuiltin(name string) starlark.Value {
	if f, ok := shared.Load(name); ok {
		return f.(starlark.Value)
	}
	f := newShared(name)
	if f == nil {
		return nil
	}
	v, _ := shared.LoadOrStore(name, f)
	return v.(starlark.Value)
}

func newShared(name string) starlark.Value {
	if f := sharedOp(compile.Op(name)); f != nil {
		return starlark.NewBuiltin(name, f.call)
	}
	for _, op := range limitedOps {
		if string(op.name) == name {
			return starlark.NewBuiltin(op.shown, op.call)
		}
	}
	if method, ok := strings.CutPrefix(name, string(compile.OpMethod)); ok {
		return modules.Method(method)
	}
	if operator, ok := strings.CutPrefix(name, string(compile.OpOperator)); ok {
		return newOperator(operator)
	}
	if operator, ok := strings.CutPrefix(name, string(compile.OpOperand)); ok {
		return modules.Operand(token(compile.Arithmetics, operator))
	}
	return modules.Universe.Get()[name]
}

func newOperator(operator string) starlark.Value {
	if op := token(compile.Comparisons, operator); op != syntax.ILLEGAL {
		return modules.Compare(op)
	}
	if op := token(compile.Memberships, operator); op != syntax.ILLEGAL {
		return modules.In(op)
	}
	return modules.Arithmetic(token(compile.Arithmetics, operator))
}

// token returns the token in tokens that is written like this, or ILLEGAL.
func token(tokens []syntax.Token, text string) syntax.Token {
	for _, t := range tokens {
		if t.String() == text {
			return t
		}
	}
	return syntax.ILLEGAL
}

// sharedOp returns the builtin with a name that calls the builder and needs no tables, or nil.
func sharedOp(name compile.Op) opFunc {
	switch name {
	case compile.OpKey:
		return func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			c := p.build.top()
			c.key, c.hasKey = tree.Of(args[1]), true
			return starlark.None, nil
		}
	case compile.OpPrint:
		return func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, p.build.print(args[0])
		}
	case compile.OpBegin:
		return func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.begin()
			return starlark.None, nil
		}
	case compile.OpEnd:
		return func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.end(), nil
		}
	case compile.OpReturn:
		return func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			p.build.leave(false)
			return args[0], nil
		}
	case compile.OpLeave:
		return func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.leave(false), nil
		}
	case compile.OpSpeak:
		return func(p *proc, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.build.leave(true), nil
		}
	case compile.OpLoad:
		return func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.loadNames(args)
		}
	case compile.OpValues:
		return func(p *proc, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return p.values(args[0])
		}
	}
	return nil
}

// limitedOps are the operations of Starlark that may take many steps or much memory at once.
var limitedOps = [...]struct {
	name  compile.Op
	shown string
	call  func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)
}{
	{compile.OpPercent, "%", modules.Percent},
	{compile.OpFormat, "format", modules.Format},
	{compile.OpPlus, "+", modules.Plus},
	{compile.OpTimes, "*", modules.Times},
	{compile.OpAdding, "+=", modules.Adding},
	{compile.OpSpread, "*", modules.Spread},
	{compile.OpBound, "getattr", modules.Bound},
	{compile.OpTuple, "tuple", modules.Tuple},
	{compile.OpVarargs, "*", modules.Varargs},
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
