package modules

import (
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file limits tuples that contain the same tuple repeatedly. When a tuple is the key of a
// dict, Starlark visits all tuples in it, each as often as it occurs, and nothing can interrupt it:
// after t = (t, t), sixty times, looking up t would take years. So a tuple is weighed when it is
// created, if two of its elements may be tuples.

const (
	// maxTuple is the maximum number of values in a tuple that contains other tuples, each counted
	// as often as it occurs.
	maxTuple = 10_000_000

	// lightTuple is the weight up to which a tuple is weighed again each time, which is cheaper
	// than remembering it.
	lightTuple = 64
)

// Tuple returns the builtin for `(x, y)`, for script.Helpers.
func Tuple(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return args, checkTuple(thread, args)
}

// Varargs returns the builtin that weighs the tuples in its argument, which Starlark created, for
// script.Helpers.
func Varargs(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	for _, a := range args {
		if t, ok := a.(starlark.Tuple); ok {
			if err := checkTuple(thread, t); err != nil {
				return nil, err
			}
		}
	}
	return starlark.None, nil
}

// checkTuple returns an error if t is too heavy.
func checkTuple(thread *starlark.Thread, t starlark.Tuple) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(t) {
		return nil
	}
	return tooHeavy(l.tuples.weigh(t))
}

// checkTuples returns an error if a tuple with the elements of x and y would be too heavy.
func checkTuples(thread *starlark.Thread, x, y starlark.Tuple) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(x) && !holdsTuple(y) {
		return nil
	}
	return tooHeavy(l.tuples.weigh(x) + l.tuples.weigh(y))
}

// checkAgain returns an error if a tuple that repeats the elements of t would be too heavy.
func checkAgain(thread *starlark.Thread, t starlark.Tuple, times int64) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(t) {
		return nil
	}
	return tooHeavy(int(min(product(uint64(l.tuples.weigh(t)), uint64(times)), 1<<40)))
}

// checkWeight returns an error if a tuple in v, a result of a Starlark function, is too heavy.
func checkWeight(thread *starlark.Thread, v starlark.Value) error {
	switch v := v.(type) {
	case starlark.Tuple:
		return checkTuple(thread, v)
	case *starlark.List:
		for i := range v.Len() {
			if t, ok := v.Index(i).(starlark.Tuple); ok {
				if err := checkTuple(thread, t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func tooHeavy(weight int) error {
	if weight <= maxTuple {
		return nil
	}
	return &LimitError{
		Message: fmt.Sprintf(
			"the tuple contains more than %d values, counting each as often as it occurs",
			maxTuple,
		),
		Hint: "look for a loop that puts a tuple into itself",
	}
}

func holdsTuple(t starlark.Tuple) bool {
	for _, x := range t {
		if _, ok := x.(starlark.Tuple); ok {
			return true
		}
	}
	return false
}

// tupleWeights remembers the weights of heavy tuples, so that adding a tuple to another takes one
// lookup.
type tupleWeights map[tree.TupleID]int

// weigh returns the number of values in t, or more than maxTuple.
func (w *tupleWeights) weigh(t starlark.Tuple) int {
	key := tree.TupleKey(t)
	if n, ok := (*w)[key]; ok {
		return n
	}
	n := 1 + len(t)
	for _, x := range t {
		if inner, ok := x.(starlark.Tuple); ok {
			n = min(n+w.weigh(inner)-1, maxTuple+1)
		}
	}
	if n > lightTuple {
		if *w == nil {
			*w = tupleWeights{}
		}
		(*w)[key] = n
	}
	return n
}
