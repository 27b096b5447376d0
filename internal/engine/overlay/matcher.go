package overlay

import (
	"errors"
	"fmt"
	"hash/maphash"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Matcher is a matcher of @ytt:overlay, created by overlay.subset(...) and similar functions. To
// Starlark it is a function of index, left and right; a plan recognizes its type and never calls
// it.
type Matcher struct {
	kind  MatcherKind
	index starlark.Int
	key   string
	want  starlark.Value      // read when the overlay is applied: a dict may change until then
	of    []starlark.Callable // operands of and_op, or_op and not_op
	paths []path.Pattern
	texts []string // the patterns as written
}

type MatcherKind uint8

const (
	MatchAll MatcherKind = iota
	MatchIndex
	MatchMapKey
	MatchSubset
	MatchAnd
	MatchOr
	MatchNot
	MatchPath // at any depth, see reach.go
	MatchFunc // the author's function
)

var _ starlark.Callable = (*Matcher)(nil)

// All matches everything. Called without arguments, as in `by=overlay.all()`, it returns itself.
var All = &Matcher{kind: MatchAll}

// Index implements overlay.index(i).
func Index(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	x, err := oneArgument(args, kwargs)
	if err != nil {
		return nil, err
	}
	i, ok := x.(starlark.Int)
	if !ok {
		return nil, fmt.Errorf("expected an integer, but was %s", x.Type())
	}
	return &Matcher{kind: MatchIndex, index: i}, nil
}

// MapKey implements overlay.map_key(name).
func MapKey(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	x, err := oneArgument(args, kwargs)
	if err != nil {
		return nil, err
	}
	s, ok := x.(starlark.String)
	if !ok {
		return nil, fmt.Errorf("expected a string, but was %s", x.Type())
	}
	return &Matcher{kind: MatchMapKey, key: string(s)}, nil
}

// Subset implements overlay.subset(target).
func Subset(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	if len(args) == 0 && len(kwargs) > 0 {
		return nil, diag.Hintf(
			errors.New("expected exactly one argument, but found keyword arguments"),
			"write a dict, overlay.subset({%q: ...})",
			string(kwargs[0][0].(starlark.String)),
		)
	}
	if len(args) > 1 && len(kwargs) == 0 {
		return nil, diag.Hintf(fmt.Errorf("expected exactly one argument, but found %d", len(args)),
			"write overlay.or_op(overlay.subset(...), overlay.subset(...)) to match any of them")
	}
	x, err := oneArgument(args, kwargs)
	if err != nil {
		return nil, err
	}
	return &Matcher{kind: MatchSubset, want: x}, nil
}

// And implements overlay.and_op(matcher, ...).
func And(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	return combine(MatchAnd, args, kwargs)
}

// Or implements overlay.or_op(matcher, ...).
func Or(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	return combine(MatchOr, args, kwargs)
}

// Not implements overlay.not_op(matcher).
func Not(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	if _, err := oneArgument(args, kwargs); err != nil {
		return nil, err
	}
	return combine(MatchNot, args, kwargs)
}

// Path implements overlay.path(pattern, ...).
func Path(args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	if len(args) == 0 || len(kwargs) > 0 {
		return nil, diag.Hintf(errors.New("expected at least one argument"),
			"write overlay.path(\"**.containers[*].image\")")
	}
	m := &Matcher{kind: MatchPath}
	for i, a := range args {
		text, ok := a.(starlark.String)
		if !ok {
			return nil, diag.Hintf(fmt.Errorf("expected argument %d to be a path, but was %s", i+1,
				a.Type()), "write each path as a string: overlay.path(\"spec.replicas\", \"spec.paused\")")
		}
		p, err := path.Parse("path", string(text))
		if err != nil {
			d := diag.Of(err)[0]
			return nil, diag.Hintf(errors.New(d.Message), "%s", d.Hint)
		}
		m.paths, m.texts = append(m.paths, p), append(m.texts, string(text))
	}
	return m, nil
}

func oneArgument(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, errors.New("expected exactly one argument")
	}
	return args[0], nil
}

func combine(kind MatcherKind, args starlark.Tuple, kwargs []starlark.Tuple) (*Matcher, error) {
	if len(args) == 0 || len(kwargs) > 0 {
		return nil, errors.New("expected at least one argument")
	}
	m := &Matcher{kind: kind}
	for i, a := range args {
		f, ok := a.(starlark.Callable)
		if !ok {
			hint := ""
			switch a.(type) {
			case starlark.String:
				hint = fmt.Sprintf("write overlay.map_key(%s)", a)
			case *starlark.List, starlark.Tuple:
				hint = "write the matchers without brackets around them"
			case *starlark.Dict:
				hint = "write overlay.subset({...})"
			}
			return nil, diag.Hintf(fmt.Errorf(
				"expected argument %d to be a matcher function, but was %s",
				i+1,
				a.Type(),
			), "%s", hint)
		}
		m.of = append(m.of, f)
	}
	return m, nil
}

// Name implements starlark.Callable: the name of the function that created the matcher.
func (m *Matcher) Name() string {
	return [...]string{
		MatchAll: "overlay.all", MatchIndex: "overlay.index",
		MatchMapKey: "overlay.map_key", MatchSubset: "overlay.subset",
		MatchAnd: "overlay.and_op", MatchOr: "overlay.or_op", MatchNot: "overlay.not_op",
		MatchPath: "overlay.path",
	}[m.kind]
}

// Type implements starlark.Value. In ytt, matchers are builtins.
func (m *Matcher) Type() string { return "builtin_function_or_method" }

// String implements starlark.Value.
func (m *Matcher) String() string { return "<built-in function " + m.Name() + ">" }

// Freeze implements starlark.Value.
func (m *Matcher) Freeze() {
	if m.want != nil {
		m.want.Freeze()
	}
	for _, f := range m.of {
		f.Freeze()
	}
}

// Visit implements tree.Holder.
func (m *Matcher) Visit(f func(starlark.Value) bool) {
	if m.want != nil && !f(m.want) {
		return
	}
	for _, of := range m.of {
		if !f(of) {
			return
		}
	}
}

// Truth implements starlark.Value.
func (m *Matcher) Truth() starlark.Bool { return true }

var hashSeed = maphash.MakeSeed()

// Hash implements starlark.Value.
func (m *Matcher) Hash() (uint32, error) { return uint32(maphash.String(hashSeed, m.Name())), nil }

// CallInternal implements starlark.Callable: it takes index, left and right and returns a bool.
func (m *Matcher) CallInternal(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if m.kind == MatchAll && len(args) == 0 && len(kwargs) == 0 {
		return m, nil
	}
	if m.kind == MatchPath {
		return nil, diag.Hintf(errors.New("overlay.path finds nodes by itself, and cannot be called"),
			"write `by=overlay.path(...)` without a function around it")
	}
	if len(args) != 3 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: a matcher takes exactly 3 arguments (index, left, right), "+
			"but was given %d", m.Name(), len(args)+len(kwargs))
	}
	left, err := tree.FromStarlark(args[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	right, err := tree.FromStarlark(args[2])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	opt := &Options{}
	t, err := (&planner{opt: opt}).newTest(m, right)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	at := Place{Key: args[0]}
	if i, ok := args[0].(starlark.Int); ok {
		at.Index, _ = i.Int64()
		at.Key = nil
	}
	c := Caller{opt: opt, thread: thread, Borrowed: true}
	ok, err := t.Run(&c, at, Cell{v: left})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	return starlark.Bool(ok), nil
}
