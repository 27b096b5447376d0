package overlay

import (
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Test is a matcher prepared for one node of an overlay: the values that it compares with are read
// once, and only a MatchFunc calls Starlark.
type Test struct {
	Kind  MatcherKind
	Index starlark.Int
	N     int64 // index as a number, or -1 if no list is that long
	Key   Key   // for MatchMapKey
	right mapKeyRight
	Want  Pattern
	Whole tree.Value // the value that Want was built from, or arg
	Of    []*Test
	Func  starlark.Callable
	arg   starlark.Value // the overlay's node as fn sees it
	Paths path.Patterns  // for MatchPath
	Texts []string       // the patterns as written
}

// mapKeyRight is the overlay's value for the key of overlay.map_key.
type mapKeyRight struct {
	value tree.Value
	key   tree.ScalarKey
	state fieldState
	typ   string // the type of the node if it is not a map
}

// Wanted returns the value that overlay.map_key looks for. ok is false unless it is a scalar.
func (t *Test) Wanted() (v tree.Value, ok bool) { return t.right.value, t.right.state == scalar }

// Place locates a candidate: by index for a document or an array item, by key for a map item.
type Place struct {
	Index int64
	Key   starlark.Value // nil if the candidate has an index
}

// newTest returns a test for by, a matcher or another function, and a node with the value right.
func (c *planner) newTest(by starlark.Callable, right tree.Value) (*Test, error) {
	m, ok := by.(*Matcher)
	if !ok {
		c.calls = true
		return &Test{Kind: MatchFunc, Func: by, arg: right.ForCode(), Whole: right}, nil
	}
	t := &Test{Kind: m.kind, Index: m.index}
	switch m.kind {
	case MatchIndex:
		if n, ok := m.index.Int64(); ok {
			t.N = n
		} else {
			t.N = -1
		}
	case MatchMapKey:
		t.Key = KeyOf(tree.String(m.key))
		t.right = rightOf(t.Key, right)
	case MatchSubset:
		v, err := c.opt.fromStarlark(m.want)
		if err != nil {
			return nil, err
		}
		var r Reader
		t.Want, t.Whole = r.newPattern(v), v
	case MatchPath:
		t.Paths, t.Texts = path.AnyOf(m.paths...), m.texts
	case MatchAnd, MatchOr, MatchNot:
		for _, f := range m.of {
			x, err := c.newTest(f, right)
			if err != nil {
				return nil, err
			}
			if x.Kind == MatchPath {
				return nil, combinedPath(m)
			}
			t.Of = append(t.Of, x)
		}
	}
	return t, nil
}

// byKey returns the test for `by="name"`.
func byKey(name string, right tree.Value) *Test {
	k := KeyOf(tree.String(name))
	return &Test{Kind: MatchMapKey, Key: k, right: rightOf(k, right)}
}

func rightOf(k Key, right tree.Value) mapKeyRight {
	if right.Kind() != tree.MapKind {
		return mapKeyRight{typ: right.TypeName(), value: right}
	}
	v, ok := right.Lookup(k.Text)
	if !ok {
		return mapKeyRight{state: lacking}
	}
	r := mapKeyRight{value: v, state: collection}
	if sk, ok := v.ScalarKey(); ok {
		r.key, r.state = sk, scalar
	}
	return r
}

// Positional reports whether the test uses the position of a candidate and so depends on the
// candidates before it. Only overlay.index and the author's functions do.
func (t *Test) Positional() bool {
	switch t.Kind {
	case MatchIndex, MatchFunc:
		return true
	}
	for _, x := range t.Of {
		if x.Positional() {
			return true
		}
	}
	return false
}

// Run tests one candidate. The error is a *diag.Diagnostic without a position, or a function's
// error.
func (t *Test) Run(c *Caller, at Place, left Cell) (bool, error) {
	switch t.Kind {
	case MatchAll:
		return true, nil
	case MatchIndex:
		if at.Key != nil {
			return false, diag.Errorf(source.Span{}, CodeMatcher, "overlay.index counts "+
				"documents and array items, but this is a map item").
				WithHint("match a map item by its key, which needs no `by`, or with `by=lambda " +
					"key, left, right: ...`")
		}
		return at.Index == t.N, nil
	case MatchMapKey:
		return t.runMapKey(left)
	case MatchSubset:
		return t.Want.In(left), nil
	case MatchAnd, MatchOr:
		for _, x := range t.Of {
			ok, err := x.Run(c, at, left)
			if err != nil || ok == (t.Kind == MatchOr) {
				return ok, err
			}
		}
		return t.Kind == MatchAnd, nil
	case MatchNot:
		ok, err := t.Of[0].Run(c, at, left)
		return !ok, err
	}
	return t.call(c, at, left)
}

func (t *Test) runMapKey(left Cell) (bool, error) {
	if left.Kind() == tree.ScalarKind && t.right.typ != "" && !t.right.value.IsNull() {
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every "+
			"candidate to be a map with key %q, but this one is %s", t.Key.Text,
			diag.Article(left.TypeName())).
			WithHint("scalars have no keys: use `by=overlay.subset(%s)` to match equal ones",
				Literal(t.right.value))
	}
	if left.Kind() != tree.MapKind {
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every "+
			"candidate to be a map with key %q, but this one is %s", t.Key.Text,
			diag.Article(left.TypeName())).
			WithHint("`by=overlay.subset({%q: ...})` skips candidates without the key",
				t.Key.Text)
	}
	v, ok := left.Lookup(t.Key)
	if !ok {
		d := diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every candidate "+
			"to have key %q, but this one does not", t.Key.Text)
		if hint := byHint(t.Key.Text, left); hint != "" {
			return false, d.WithHint("%s", hint)
		}
		if near := Nearest(t.Key.Text, left.Keys()); near != "" {
			return false, d.WithHint("did you mean %q?", near).WithFix(t.Key.Text, near)
		}
		if b, ok := left.boolKey(t.Key.Text); ok {
			return false, d.WithHint("without quotes YAML reads the key %s as %s: write it in "+
				"quotes, or compare with `by=overlay.subset({%s: ...})`", t.Key.Text,
				strings.ToLower(b.String()), b)
		}
		return false, d.WithHint("`by=overlay.subset({%q: ...})` skips candidates without the "+
			"key", t.Key.Text)
	}
	switch t.right.state {
	case absent:
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected the "+
			"overlay's item to be a map with key %q, but it is %s", t.Key.Text,
			diag.Article(t.right.typ)).
			WithHint("write the value to look for below it, as `%s: ...`", t.Key.Text)
	case lacking:
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected the "+
			"overlay's item to have key %q, but it does not", t.Key.Text).
			WithHint("write the value to look for below it, as `%s: ...`", t.Key.Text)
	case collection:
		return false, nil
	}
	return v.Kind() == tree.ScalarKind && tree.SameScalar(t.right.value, v.v), nil
}

// boolKey returns the boolean that an unquoted word such as `n` means, if the cell is a map with
// that key.
func (c Cell) boolKey(word string) (starlark.Bool, bool) {
	v := yaml.Compat.Resolve([]byte(word))
	if v.Kind != yaml.Bool {
		return false, false
	}
	b := starlark.Bool(v.Bool())
	_, ok := c.Lookup(KeyOf(tree.Of(b)))
	return b, ok
}

// call calls the author's function.
func (t *Test) call(c *Caller, at Place, left Cell) (bool, error) {
	where := at.Key
	if where == nil {
		where = starlark.MakeInt64(at.Index)
	}
	v := left.Value()
	c.compares(v, t.Whole)
	res, err := c.call(t.Func, where, v.ForCode(), t.arg)
	if err != nil {
		return false, err
	}
	b, ok := res.(starlark.Bool)
	if m, isMatcher := res.(*Matcher); isMatcher {
		return false, diag.Errorf(source.Span{}, CodeMatcher, "expected the `by` function to "+
			"return True or False, but it returned a matcher, %s", m.Name()).
			WithHint("a matcher is a function itself: write `by=%s(...)` without the lambda, "+
				"or call it: `%s(...)(index, left, right)`", m.Name(), m.Name())
	}
	if !ok {
		return false, diag.Errorf(source.Span{}, CodeMatcher, "expected the `by` function to "+
			"return True or False, but it returned %s", describe(res)).
			WithHint("compare with == or in, or wrap the result in bool(...)")
	}
	return bool(b), nil
}
