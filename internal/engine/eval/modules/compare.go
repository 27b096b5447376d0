package modules

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/tree"
)

// This file compares values as Starlark does, and counts the steps. To Starlark a comparison is one
// step, however large the values are. Comparing a list that contains another a thousand times,
// nested a few levels deep, would take years, and nothing could interrupt it.

// Compare returns the builtin for `x op y`, for script.Helpers.
func Compare(op syntax.Token) *starlark.Builtin {
	return operator(op.String(), func(
		thread *starlark.Thread, x, y starlark.Value,
	) (starlark.Value, error) {
		c := comparison{thread: thread}
		holds, err := c.compare(op, x, y, starlark.CompareLimit)
		return starlark.Bool(holds), err
	})
}

// In returns the builtin for `x in y` or `x not in y`, for script.Helpers.
func In(op syntax.Token) *starlark.Builtin {
	return operator(op.String(), func(
		thread *starlark.Thread, x, y starlark.Value,
	) (starlark.Value, error) {
		if !isSlice(y) || !isNested(x) {
			in, err := starlark.Binary(syntax.IN, x, y)
			if err == nil && op == syntax.NOT_IN {
				in = !in.Truth()
			}
			return in, err
		}
		c := comparison{thread: thread}
		i, err := c.index(x, y.(starlark.Indexable))
		return starlark.Bool((i >= 0) == (op == syntax.IN)), err
	})
}

// isSlice reports whether v is a sequence that Starlark searches by comparing its elements.
func isSlice(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple:
		return true
	}
	return false
}

// isNested reports whether comparing v may take more than one step.
func isNested(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Dict, *tree.Map, *tree.Array, *tree.DocumentSet:
		return true
	}
	return false
}

// comparison is one comparison of two values.
type comparison struct {
	thread  *starlark.Thread
	counted int // values since the limits were last checked
}

// index returns the index of x in a list, or -1.
func (c *comparison) index(x starlark.Value, list starlark.Indexable) (int, error) {
	for i := range list.Len() {
		if eq, err := c.compare(syntax.EQL, x, list.Index(i), starlark.CompareLimit); err != nil ||
			eq {
			return i, err
		}
	}
	return -1, nil
}

// checkFound returns an error if searching for x in a list would exceed the limits.
func checkFound(thread *starlark.Thread, list, x starlark.Value) error {
	l, ok := list.(*starlark.List)
	if !ok || !isNested(x) {
		return nil
	}
	c := comparison{thread: thread}
	_, err := c.index(x, l)
	return err
}

var errTooDeep = errors.New("comparison exceeded maximum recursion depth") // Starlark's own

// compare is like starlark.CompareDepth, with limits.
func (c *comparison) compare(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
	if !isNested(x) || !isNested(y) {
		return starlark.CompareDepth(op, x, y, depth)
	}
	if depth < 1 {
		return false, errTooDeep
	}
	switch x := x.(type) {
	case *starlark.List:
		if y, ok := y.(*starlark.List); ok {
			return c.slices(op, x, y, depth)
		}
	case starlark.Tuple:
		if y, ok := y.(starlark.Tuple); ok {
			return c.slices(op, x, y, depth)
		}
	case *starlark.Dict:
		if y, ok := y.(*starlark.Dict); ok && (op == syntax.EQL || op == syntax.NEQ) {
			eq, err := c.dicts(x, y, depth)
			return eq == (op == syntax.EQL), err
		}
	default:
		// Fragments know their size.
		nodes, _ := tree.Of(x).Weight()
		others, _ := tree.Of(y).Weight()
		if err := charge(c.thread, min(nodes, others), 0); err != nil {
			return false, err
		}
	}
	return starlark.CompareDepth(op, x, y, depth)
}

// count counts a compared value.
func (c *comparison) count() error {
	if c.counted++; c.counted%minChargedElements != 0 {
		return nil
	}
	return charge(c.thread, minChargedElements, 0)
}

func (c *comparison) slices(op syntax.Token, x, y starlark.Indexable, depth int) (bool, error) {
	if x.Len() != y.Len() && (op == syntax.EQL || op == syntax.NEQ) {
		return op == syntax.NEQ, nil
	}
	for i := range min(x.Len(), y.Len()) {
		if err := c.count(); err != nil {
			return false, err
		}
		eq, err := c.compare(syntax.EQL, x.Index(i), y.Index(i), depth-1)
		switch {
		case err != nil:
			return false, err
		case eq:
		case op == syntax.EQL || op == syntax.NEQ:
			return op == syntax.NEQ, nil
		default:
			return c.compare(op, x.Index(i), y.Index(i), depth-1)
		}
	}
	return starlark.Compare(op, starlark.MakeInt(x.Len()), starlark.MakeInt(y.Len()))
}

func (c *comparison) dicts(x, y *starlark.Dict, depth int) (bool, error) {
	if x.Len() != y.Len() {
		return false, nil
	}
	for key, v := range x.Entries() {
		if err := c.count(); err != nil {
			return false, err
		}
		other, found, _ := y.Get(key)
		if !found {
			return false, nil
		}
		if eq, err := c.compare(syntax.EQL, v, other, depth-1); err != nil || !eq {
			return false, err
		}
	}
	return true, nil
}

// checkOrdered returns an error if sorting the elements of a sequence would exceed the limits,
// measured by comparing each element with itself.
func checkOrdered(thread *starlark.Thread, v starlark.Value) error {
	x, ok := v.(starlark.Iterable)
	if !ok || !isSlice(v) {
		return nil
	}
	c := comparison{thread: thread}
	for e := range starlark.Elements(x) {
		if isSlice(e) {
			if _, err := c.compare(syntax.EQL, e, e, starlark.CompareLimit); err != nil &&
				!errors.Is(err, errTooDeep) {
				return err
			}
		}
	}
	return nil
}

// orderedKeys returns the keyword arguments of sorted, max or min. If there is a key function, its
// results are checked to be sortable within the limits.
func orderedKeys(kwargs []starlark.Tuple) []starlark.Tuple {
	out := kwargs
	for i, kv := range kwargs {
		f, ok := kv[1].(starlark.Callable)
		if kv[0] != starlark.String("key") || !ok {
			continue
		}
		key := starlark.NewBuiltin(
			f.Name(),
			func(
				thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
			) (starlark.Value, error) {
				v, err := starlark.Call(thread, f, args, kwargs)
				if err != nil || !isSlice(v) {
					return v, err
				}
				return v, checkOrdered(thread, starlark.Tuple{v})
			},
		)
		out = append(
			append(append([]starlark.Tuple(nil), kwargs[:i]...), starlark.Tuple{kv[0], key}),
			kwargs[i+1:]...)
	}
	return out
}
