package overlay

import (
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// test is a matcher made ready for one node of an overlay: what it compares with is read once, and
// only a matchFunc ever calls Starlark.
type test struct {
	kind  matcherKind
	index starlark.Int
	n     int64 // index as a number, or -1 if no list is so long
	key   key   // of matchMapKey
	right mapKeyRight
	want  pattern
	whole tree.Value // what want was made of, or arg
	of    []*test
	fn    starlark.Callable
	arg   starlark.Value // the right node as fn sees it
}

// mapKeyRight is what the overlay's node has under the key of overlay.map_key.
type mapKeyRight struct {
	value tree.Value
	key   tree.ScalarKey
	state fieldState
	typ   string // the type of the node, if it is no map
}

// place is where a candidate stands: an index of a document or an array item, or the key of a map
// item.
type place struct {
	index int64
	key   starlark.Value // nil if it has an index
}

// newTest makes a test of by, a matcher or any other function, for a node whose value is right.
func (c *planner) newTest(by starlark.Callable, right tree.Value) (*test, error) {
	m, ok := by.(*Matcher)
	if !ok {
		return &test{kind: matchFunc, fn: by, arg: right.ForCode(), whole: right}, nil
	}
	t := &test{kind: m.kind, index: m.index}
	switch m.kind {
	case matchIndex:
		if n, ok := m.index.Int64(); ok {
			t.n = n
		} else {
			t.n = -1
		}
	case matchMapKey:
		t.key = keyOf(tree.String(m.key))
		t.right = rightOf(t.key, right)
	case matchSubset:
		v, err := c.opt.fromStarlark(m.want)
		if err != nil {
			return nil, err
		}
		var r reader
		t.want, t.whole = r.newPattern(v), v
	case matchAnd, matchOr, matchNot:
		for _, f := range m.of {
			x, err := c.newTest(f, right)
			if err != nil {
				return nil, err
			}
			t.of = append(t.of, x)
		}
	}
	return t, nil
}

// byKey returns the test of `by="name"`.
func byKey(name string, right tree.Value) *test {
	k := keyOf(tree.String(name))
	return &test{kind: matchMapKey, key: k, right: rightOf(k, right)}
}

func rightOf(k key, right tree.Value) mapKeyRight {
	if right.Kind() != tree.MapKind {
		return mapKeyRight{typ: right.TypeName(), value: right}
	}
	v, ok := right.Lookup(k.text)
	if !ok {
		return mapKeyRight{state: lacking}
	}
	r := mapKeyRight{value: v, state: collection}
	if sk, ok := v.ScalarKey(); ok {
		r.key, r.state = sk, scalar
	}
	return r
}

// positional reports whether the test asks for the place of a candidate, so that it depends on how
// many come before it. Only functions of the user's and overlay.index do.
func (t *test) positional() bool {
	switch t.kind {
	case matchIndex, matchFunc:
		return true
	}
	for _, x := range t.of {
		if x.positional() {
			return true
		}
	}
	return false
}

// run tests one candidate. The error is a *diag.Diagnostic without a place, or that of a function.
func (t *test) run(c *caller, at place, left cell) (bool, error) {
	switch t.kind {
	case matchAll:
		return true, nil
	case matchIndex:
		if at.key != nil {
			return false, diag.Errorf(source.Span{}, CodeMatcher, "overlay.index counts "+
				"documents and array items, but this is a map item").
				WithHint("match a map item by its key, which needs no `by`, or with `by=lambda " +
					"key, left, right: ...`")
		}
		return at.index == t.n, nil
	case matchMapKey:
		return t.runMapKey(left)
	case matchSubset:
		return t.want.in(left), nil
	case matchAnd, matchOr:
		for _, x := range t.of {
			ok, err := x.run(c, at, left)
			if err != nil || ok == (t.kind == matchOr) {
				return ok, err
			}
		}
		return t.kind == matchAnd, nil
	case matchNot:
		ok, err := t.of[0].run(c, at, left)
		return !ok, err
	}
	return t.call(c, at, left)
}

func (t *test) runMapKey(left cell) (bool, error) {
	if left.kind() == tree.ScalarKind && t.right.typ != "" && !t.right.value.IsNull() {
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every "+
			"candidate to be a map with key %q, but this one is %s", t.key.text,
			diag.Article(left.typeName())).
			WithHint("scalars have no keys: use `by=overlay.subset(%s)` to match equal ones",
				literal(t.right.value))
	}
	if left.kind() != tree.MapKind {
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every "+
			"candidate to be a map with key %q, but this one is %s", t.key.text,
			diag.Article(left.typeName())).
			WithHint("`by=overlay.subset({%q: ...})` skips candidates without the key",
				t.key.text)
	}
	v, ok := left.lookup(t.key)
	if !ok {
		d := diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected every candidate "+
			"to have key %q, but this one does not", t.key.text)
		if hint := byHint(t.key.text, left); hint != "" {
			return false, d.WithHint("%s", hint)
		}
		if near := nearest(t.key.text, left.keyTexts()); near != "" {
			return false, d.WithHint("did you mean %q?", near)
		}
		if b, ok := left.boolKey(t.key.text); ok {
			return false, d.WithHint("without quotes YAML reads the key %s as %s: write it in "+
				"quotes, or compare with `by=overlay.subset({%s: ...})`", t.key.text,
				strings.ToLower(b.String()), b)
		}
		return false, d.WithHint("`by=overlay.subset({%q: ...})` skips candidates without the "+
			"key", t.key.text)
	}
	switch t.right.state {
	case absent:
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected the "+
			"overlay's item to be a map with key %q, but it is %s", t.key.text,
			diag.Article(t.right.typ)).
			WithHint("write the value to look for below it, as `%s: ...`", t.key.text)
	case lacking:
		return false, diag.Errorf(source.Span{}, CodeMapKey, "overlay.map_key: expected the "+
			"overlay's item to have key %q, but it does not", t.key.text).
			WithHint("write the value to look for below it, as `%s: ...`", t.key.text)
	case collection:
		return false, nil
	}
	return v.kind() == tree.ScalarKind && tree.SameScalar(t.right.value, v.v), nil
}

// boolKey returns the boolean that a word such as `n` is without quotes, if the cell is a map with
// that key.
func (c cell) boolKey(word string) (starlark.Bool, bool) {
	v := yaml.Compat.Resolve([]byte(word))
	if v.Kind != yaml.Bool {
		return false, false
	}
	b := starlark.Bool(v.Bool())
	_, ok := c.lookup(keyOf(tree.Of(b)))
	return b, ok
}

// call asks a function of the user's.
func (t *test) call(c *caller, at place, left cell) (bool, error) {
	where := at.key
	if where == nil {
		where = starlark.MakeInt64(at.index)
	}
	v := left.value()
	c.compares(v, t.whole)
	res, err := c.call(t.fn, where, v.ForCode(), t.arg)
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
