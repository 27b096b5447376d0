package tree

import (
	"fmt"
	"reflect"

	"go.starlark.net/starlark"
)

// Freeze makes values immutable, with everything they contain.
//
// Starlark's own Freeze visits tuples and functions each time it reaches them: t = (t, t), repeated
// sixty times, would take years, and a function that refers to itself would never end. So this
// function visits tuples and functions once each, and calls Starlark's Freeze only for lists and
// other values that know whether they are frozen. Starlark still visits the tuples and functions in
// those. If that would take too long, Freeze returns a *LimitError and freezes nothing.
func Freeze(v starlark.Value) error {
	if frozen(v) {
		return nil
	}
	if q := (visitCounter{left: maxQuickVisits}); q.visit(v) {
		v.Freeze()
		return nil
	}
	f := freezing{seen: map[starlark.Value]bool{}, visits: map[any]int{}}
	f.count(v)
	for i := 0; i < len(f.mutable); i++ { // the slice grows in the loop
		n := 1
		eachContained(f.mutable[i], func(x starlark.Value) bool {
			n = min(n+f.count(x), heaviest)
			return true
		})
		if f.total = min(f.total+n, heaviest); f.total > maxVisits {
			return &LimitError{
				Message: fmt.Sprintf(
					"a %s holds the same tuples or functions over and over: more than %d, "+
						"counted as often as they are held",
					f.mutable[i].Type(),
					maxVisits,
				),
				Hint: "look for a loop that puts a value into itself",
			}
		}
	}
	for _, m := range f.mutable {
		m.Freeze()
	}
	return nil
}

const (
	maxQuickVisits = 1 << 12   // up to this number, Starlark's Freeze is called without counting exactly
	maxVisits      = 100 << 20 // takes a second or two
)

// Holder is a value of weft's own types that contains other values, which Freeze must visit, and that
// does not know whether it is frozen.
type Holder interface {
	starlark.Value
	// Visit calls f for each value in it, until f returns false.
	Visit(f func(starlark.Value) bool)
}

// visitCounter counts the values that Starlark would visit, without remembering any.
type visitCounter struct{ left int }

// visit reports whether there are few enough.
func (q *visitCounter) visit(v starlark.Value) bool {
	if q.left--; q.left < 0 {
		return false
	}
	if frozen(v) {
		return true
	}
	small := true
	eachContained(v, func(x starlark.Value) bool {
		small = q.visit(x)
		return small
	})
	return small
}

// freezing finds values to freeze and estimates how long that takes.
type freezing struct {
	mutable []starlark.Value // values that are not frozen yet
	seen    map[starlark.Value]bool
	// the number of visits that freezing a tuple or function takes, up to the mutable values in it
	visits map[any]int
	total  int
}

// count returns how many visits Starlark needs to freeze v, up to the mutable values that it reaches.
// Those are counted separately, because they are visited only once.
func (f *freezing) count(v starlark.Value) int {
	key := identity(v)
	switch {
	case frozen(v):
		return 1
	case key == nil:
		if !f.seen[v] {
			f.seen[v] = true
			f.mutable = append(f.mutable, v)
		}
		return 1
	}
	if n, ok := f.visits[key]; ok {
		return n
	}
	f.visits[key] = heaviest // in case it contains itself
	n := 1
	eachContained(v, func(x starlark.Value) bool {
		n = min(n+f.count(x), heaviest)
		return true
	})
	f.visits[key] = n
	return n
}

// identity returns a key for a value that Starlark visits each time it reaches it, or nil if v can
// never change.
func identity(v starlark.Value) any {
	switch v := v.(type) {
	case starlark.Tuple:
		return TupleKey(v)
	case *starlark.Function, *starlark.Builtin:
		return v
	case Holder:
		if reflect.ValueOf(v).Comparable() {
			return v
		}
		return new(byte) // a key that equals no other
	}
	return nil
}

// TupleID identifies a tuple: tuples are slices, which cannot be compared.
type TupleID struct {
	first *starlark.Value
	n     int
}

// TupleKey returns the identity of t, which may be empty.
func TupleKey(t starlark.Tuple) TupleID {
	if len(t) == 0 {
		return TupleID{}
	}
	return TupleID{&t[0], len(t)}
}

// frozen reports whether there is nothing to freeze in v.
func frozen(v starlark.Value) bool {
	switch v := v.(type) {
	case nil, starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String,
		starlark.Bytes, *Map, *Array, *DocumentSet, Nothing:
		return true
	case *Struct:
		return v.frozen
	// Starlark's lists do not say whether they are frozen. Setting an element to itself changes
	// nothing, and fails if the list is frozen.
	case *starlark.List:
		return v.Len() > 0 && v.SetIndex(0, v.Index(0)) != nil
	case *starlark.Dict:
		key, x := firstEntry(v)
		return key != nil && v.SetKey(key, x) != nil
	}
	return false
}

func firstEntry(d *starlark.Dict) (key, value starlark.Value) {
	for key, value := range d.Entries() {
		return key, value
	}
	return nil, nil
}

// eachContained calls f for each value in v, until f returns false.
func eachContained(v starlark.Value, f func(starlark.Value) bool) {
	switch v := v.(type) {
	case starlark.Tuple:
		for _, x := range v {
			if !f(x) {
				return
			}
		}
	case *starlark.List:
		for i := range v.Len() {
			if !f(v.Index(i)) {
				return
			}
		}
	case *starlark.Dict:
		for key, x := range v.Entries() {
			if !f(key) || !f(x) {
				return
			}
		}
	case *starlark.Set:
		for x := range v.Elements() {
			if !f(x) {
				return
			}
		}
	case *Struct:
		for _, x := range v.values {
			if x != nil && !f(x) {
				return
			}
		}
	case *starlark.Function:
		eachBound(v, f)
	case *starlark.Builtin:
		if x := v.Receiver(); x != nil {
			f(x)
		}
	case Holder:
		v.Visit(f)
	}
}

// eachBound calls f for each value that a function refers to besides its globals, until f returns
// false.
func eachBound(fn *starlark.Function, f func(starlark.Value) bool) {
	for i := range fn.NumParams() {
		if x := fn.ParamDefault(i); x != nil && !f(x) {
			return
		}
	}
	for i := range fn.NumFreeVars() {
		if _, x := fn.FreeVar(i); x != nil && !f(x) {
			return
		}
	}
}
