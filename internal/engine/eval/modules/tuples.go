package modules

import (
	"fmt"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// This file bounds tuples that hold the same tuple over and over. Starlark goes through all of
// them whenever a tuple is the key of a dict, each as often as it is held, and nothing interrupts
// it: t = (t, t), sixty times over, is a key that it would take years to look up. So a tuple is
// weighed when it is made, where two of its elements may be tuples.

const (
	// maxTuple is how many values a tuple may consist of, each counted as often as it is held, if
	// it holds other tuples.
	maxTuple = 10_000_000

	// lightTuple is up to which weight a tuple is weighed again each time, which is cheaper than to
	// remember it.
	lightTuple = 64
)

// Tuple returns the builtin for `(x, y)`, for script.Helpers.
func Tuple(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	return args, checkTuple(thread, args)
}

// Held returns the builtin that weighs the tuples that it is given, which Starlark has made, for
// script.Helpers.
func Held(
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

// checkTuple says whether t is one that can be handled.
func checkTuple(thread *starlark.Thread, t starlark.Tuple) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(t) {
		return nil
	}
	return tooHeavy(l.tuples.weigh(t))
}

// checkTuples says whether there is room for the elements of two tuples in one.
func checkTuples(thread *starlark.Thread, x, y starlark.Tuple) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(x) && !holdsTuple(y) {
		return nil
	}
	return tooHeavy(l.tuples.weigh(x) + l.tuples.weigh(y))
}

// checkAgain says whether there is room for a tuple with the elements of t so many times.
func checkAgain(thread *starlark.Thread, t starlark.Tuple, times int64) error {
	l := limitsOf(thread)
	if l == nil || !holdsTuple(t) {
		return nil
	}
	return tooHeavy(int(min(product(uint64(l.tuples.weigh(t)), uint64(times)), 1<<40)))
}

// checkHeld says whether the tuples in v, a result of Starlark's own, are such that can be handled.
func checkHeld(thread *starlark.Thread, v starlark.Value) error {
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

// tupleWeights remembers what heavy tuples weigh, so that to put a tuple into another takes one
// look at it.
type tupleWeights map[tree.TupleID]int

// weigh returns the number of values that t consists of, or more than maxTuple.
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
