package modules

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file holds code to its limits where Starlark itself takes a single step: a function that
// goes over a range of a billion numbers counts as many steps as that, and what makes something
// large is asked before it takes the memory. What stays below few elements or a megabyte costs
// nothing.

// Limits is what code may take. It is found in the thread, under LimitsKey.
type Limits struct {
	MaxSteps uint64
	Memory   *budget.Memory

	tuples tupleWeights
}

// LimitsKey is where a thread keeps its Limits.
const LimitsKey = "weft.limits"

// TooManySteps is the message of a LimitError when code takes more than MaxSteps.
const TooManySteps = "too many steps"

const (
	minChargedElements = 1 << 12 // elements that need no look at the limits
	minChargedBytes    = 1 << 20 // bytes that do

	// maxValue is how many bytes a value may take that is made at once, whatever the budget is.
	// Starlark has the same limit for texts that it repeats.
	maxValue = 1 << 30

	// maxMade is how long a text may become that is made bit by bit, as those of text templates.
	maxMade = 256 << 20

	// maxIntBits is the maximum size of an integer: 315,653 digits. Operations on larger ones take
	// time and cannot be interrupted.
	maxIntBits = 1 << 20
	// MaxDigits is how many digits an integer may be written with.
	MaxDigits = 300_000
)

// What an element takes, in bytes: the slot in a list is 16, and something is in it.
const (
	slot    = 16
	ofList  = 32
	ofDict  = 96
	ofTuple = 24 + 2*slot
	ofText  = 2 * slot // its header, and the slot that points to it
)

// limitsOf returns the limits of a thread, or nil.
func limitsOf(thread *starlark.Thread) *Limits {
	if thread == nil {
		return nil
	}
	l, _ := thread.Local(LimitsKey).(*Limits)
	return l
}

// charge counts n steps, and says whether n elements of so many bytes may be made.
func charge(thread *starlark.Thread, n int, each uint64) error {
	if n <= 0 {
		return nil
	}
	if thread != nil {
		thread.Steps += uint64(n)
	}
	if n < minChargedElements {
		return nil
	}
	if l := limitsOf(thread); l != nil && thread.Steps >= l.MaxSteps {
		return &LimitError{Message: TooManySteps}
	}
	return fits(thread, product(uint64(n), each))
}

// fits says whether so many bytes may be taken.
func fits(thread *starlark.Thread, bytes uint64) error {
	if bytes < minChargedBytes {
		return nil
	}
	if bytes > maxValue {
		return &LimitError{Message: fmt.Sprintf("this needs %s of memory at once, but no value "+
			"may take more than %s", budget.Size(bytes), budget.Size(maxValue))}
	}
	l := limitsOf(thread)
	if l == nil {
		return nil
	}
	if err := l.Memory.Fits(bytes); err != nil {
		e := err.(*budget.Error)
		return &LimitError{Message: e.Message, Hint: e.Hint}
	}
	return nil
}

// room says whether a text of so many bytes may grow by more.
func room(thread *starlark.Thread, bytes, more int) error {
	if bytes+more > maxMade {
		return &LimitError{Message: fmt.Sprintf("the text is longer than %s", budget.Size(maxMade))}
	}
	if more >= minChargedBytes {
		return fits(thread, uint64(bytes)+uint64(more))
	}
	return nil
}

// checkEncoded says whether v can be written as a text: one string may be in a list a million
// times.
func checkEncoded(thread *starlark.Thread, v tree.Value) error {
	return room(thread, 0, textLength(v))
}

// textLength returns how many bytes the strings in v have that code has made, or more than maxMade.
func textLength(v tree.Value) (n int) {
	if _, _, written := v.Syntax(); written {
		return 0
	}
	if s, ok := v.Starlark().(starlark.String); ok {
		return len(s)
	}
	items := v.Entries()
	for i := range items {
		if n += textLength(items[i].Key) + textLength(items[i].Value); n > maxMade {
			break
		}
	}
	return n
}

// product returns a * b, or the largest number there is.
func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 1<<64 - 1
	}
	return lo
}

// limited are Starlark's own functions that go over all that they are given, with the bytes that
// they take for each element.
var limited = map[string]uint64{
	"all": 0, "any": 0, "bytes": 1, "dict": ofDict, "enumerate": slot + ofTuple, "list": ofList,
	"max": 0, "min": 0,
	"reversed": ofList, "set": ofDict, "sorted": ofList, "tuple": ofList,
}

// limitUniverse adds the functions that are in for Starlark's own where these know no limit.
func limitUniverse(own starlark.StringDict) {
	for name, each := range limited {
		replaceBuiltin(own, name, limitedBy(each))
	}
	replaceBuiltin(own, "zip", limitedZip)
	replaceBuiltin(own, "int", limitedInt)
	replaceBuiltin(own, "getattr", guardedGetattr)
}

// builtin is a function that is in for one of Starlark's own, which it is given.
type builtin func(
	thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error)

func replaceBuiltin(own starlark.StringDict, name string, f builtin) {
	original := starlark.Universe[name].(*starlark.Builtin)
	own[name] = starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		return f(thread, original, args, kwargs)
	})
}

// limitedBy returns a function of limited, which charges so many bytes for each element.
func limitedBy(each uint64) builtin {
	return func(
		thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		name := original.Name()
		if len(args) == 1 || name == "enumerate" && len(args) > 1 {
			if err := charge(thread, starlark.Len(args[0]), each); err != nil {
				return nil, err
			}
			var err error
			if args, err = counted(thread, args, each); err != nil {
				return nil, err
			}
		}
		switch name {
		case "max", "min", "sorted":
			kwargs = orderedKeys(kwargs)
			ordered := starlark.Value(args)
			if len(args) == 1 {
				ordered = args[0]
			}
			if err := checkOrdered(thread, ordered); err != nil {
				return nil, err
			}
		}
		v, err := original.CallInternal(thread, args, kwargs)
		if name == "tuple" && err == nil {
			err = checkHeld(thread, v)
		}
		return v, err
	}
}

func limitedZip(
	thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := charge(thread, shortest(args), slot+24+uint64(len(args))*ofList); err != nil {
		return nil, err
	}
	v, err := original.CallInternal(thread, args, kwargs)
	if err == nil {
		err = checkHeld(thread, v)
	}
	return v, err
}

func limitedInt(
	thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if s, ok := first(args).(starlark.String); ok && len(s) > MaxDigits {
		return nil, &LimitError{
			Message: fmt.Sprintf("int: the text has %d characters, but "+
				"an integer may have at most %d digits", len(s), MaxDigits),
		}
	}
	return original.CallInternal(thread, args, kwargs)
}

func guardedGetattr(
	thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	v, err := original.CallInternal(thread, args, kwargs)
	if len(args) > 1 && err == nil {
		if name, ok := args[1].(starlark.String); ok {
			v = guarded(args[0], string(name), v)
		}
	}
	return v, err
}

func first(args starlark.Tuple) starlark.Value {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// counted is args, with a list in place of a first one that cannot tell how long it is, such as the
// characters of a string.
func counted(thread *starlark.Thread, args starlark.Tuple, each uint64) (starlark.Tuple, error) {
	x, ok := args[0].(starlark.Iterable)
	if !ok || starlark.Len(x) >= 0 {
		return args, nil
	}
	var elems []starlark.Value
	for e := range starlark.Elements(x) {
		if elems = append(elems, e); len(elems)%minChargedElements == 0 {
			if err := charge(thread, minChargedElements, 0); err != nil {
				return nil, err
			}
			if err := fits(thread, uint64(len(elems))*(each+slot)); err != nil {
				return nil, err
			}
		}
	}
	return append(starlark.Tuple{starlark.NewList(elems)}, args[1:]...), nil
}

// shortest returns the length of the shortest sequence, or 0.
func shortest(args starlark.Tuple) int {
	n := -1
	for _, a := range args {
		if m := starlark.Len(a); m >= 0 && (n < 0 || m < n) {
			n = m
		}
	}
	return max(n, 0)
}

// Method returns the builtin for `x.name(…)` for the name of a method that takes more than a
// step, for script.Helpers. X may be anything that has such a method.
func Method(name string) *starlark.Builtin {
	return starlark.NewBuiltin(
		name,
		func(
			thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			if len(args) == 0 {
				return nil, fmt.Errorf("%s: got no receiver", name)
			}
			x, args := args[0], args[1:]
			method, err := attr(x, name)
			if err != nil {
				return nil, err
			}
			if b, ok := method.(*starlark.Builtin); ok && owned(x) && b.Receiver() == x {
				return callLimited(thread, b, x, name, args, kwargs)
			}
			return starlark.Call(thread, method, args, kwargs)
		},
	)
}

// Bound returns the builtin for `x.name` for the name of such a method where it is not called at
// once, for script.Helpers.
func Bound(
	_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("got %d arguments, want 2", len(args))
	}
	name := string(args[1].(starlark.String))
	v, err := attr(args[0], name)
	if err != nil {
		return nil, err
	}
	return guarded(args[0], name, v), nil
}

// guarded returns v, the attribute of x, or the method with its limits that is in for it.
func guarded(x starlark.Value, name string, v starlark.Value) starlark.Value {
	b, ok := v.(*starlark.Builtin)
	if !ok || !owned(x) || b.Receiver() != x {
		return v
	}
	return starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		if name == "format" {
			return Format(thread, nil, append(starlark.Tuple{x}, args...), kwargs)
		}
		return callLimited(thread, b, x, name, args, kwargs)
	}).
		BindReceiver(x)
}

// callLimited calls b, the method of x, if it may do what it is called for.
func callLimited(
	thread *starlark.Thread,
	b *starlark.Builtin,
	x starlark.Value,
	name string,
	args starlark.Tuple,
	kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := checkMethod(thread, x, name, args); err != nil {
		return nil, err
	}
	v, err := b.CallInternal(thread, args, kwargs)
	if err == nil && (name == "items" || name == "popitem") {
		err = checkHeld(thread, v)
	}
	return v, err
}

// owned reports whether x is one of Starlark's own values that have such methods.
func owned(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, *starlark.List, *starlark.Dict, *starlark.Set:
		return true
	}
	return false
}

// attr is x.name, as Starlark gives it.
func attr(x starlark.Value, name string) (starlark.Value, error) {
	none := fmt.Sprintf("%s has no .%s field or method", x.Type(), name)
	obj, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s", none)
	}
	v, err := obj.Attr(name)
	if v != nil && err == nil {
		return v, nil
	}
	if missing, ok := err.(starlark.NoSuchAttrError); ok {
		none = string(missing)
	} else if err != nil {
		return nil, err
	}
	if near := diag.Nearest(name, obj.AttrNames()); near != "" {
		return nil, &diag.Hinted{
			Err: errors.New(none), Hint: "did you mean ." + near + "?", Bare: true,
			Was: name, Right: near,
		}
	}
	return nil, errors.New(none)
}

// checkMethod says whether a method may do what it is called for. What is wrong with the arguments
// is left to the method to say.
func checkMethod(
	thread *starlark.Thread, x starlark.Value, name string, args starlark.Tuple,
) error {
	s, isString := x.(starlark.String)
	if !isString {
		switch name {
		case "items", "popitem":
			return nil
		case "index", "remove":
			return checkFound(thread, x, first(args))
		}
		each := uint64(ofDict)
		if name == "extend" {
			each = ofList
		}
		for _, a := range args {
			if err := charge(thread, starlark.Len(a), each); err != nil {
				return err
			}
		}
		return nil
	}
	switch name {
	case "join":
		return checkJoin(thread, string(s), first(args))
	case "replace":
		if len(args) >= 2 {
			from, ok1 := args[0].(starlark.String)
			to, ok2 := args[1].(starlark.String)
			if ok1 && ok2 {
				return checkReplace(thread, string(s), string(from), string(to))
			}
		}
	case "split", "rsplit", "splitlines":
		if len(s)*ofText < minChargedBytes {
			return nil
		}
		sep, ok := first(args).(starlark.String)
		var parts int
		switch {
		case name == "splitlines":
			parts = strings.Count(string(s), "\n") + 1
		case ok && sep != "":
			parts = strings.Count(string(s), string(sep)) + 1
		default:
			parts = words(string(s))
		}
		return charge(thread, parts, ofText+slot)
	}
	return nil
}

// words returns how many parts a text has between blanks.
func words(s string) (n int) {
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

func checkJoin(thread *starlark.Thread, sep string, list starlark.Value) error {
	x, ok := list.(starlark.Iterable)
	if !ok || starlark.Len(list) < 0 {
		return nil // no longer than a text is
	}
	n := starlark.Len(list)
	if err := charge(thread, n, 0); err != nil {
		return err
	}
	total := product(uint64(n), uint64(len(sep)))
	for e := range starlark.Elements(x) {
		s, ok := e.(starlark.String)
		if !ok {
			return nil // which join will say
		}
		total += uint64(len(s))
	}
	return fits(thread, total)
}

func checkReplace(thread *starlark.Thread, s, from, to string) error {
	more := len(to) - len(from)
	if more <= 0 || product(uint64(len(s)+1), uint64(len(to))) < minChargedBytes {
		return nil
	}
	n := utf8.RuneCountInString(s) + 1
	if from != "" {
		n = strings.Count(s, from)
	}
	return fits(thread, uint64(len(s))+product(uint64(n), uint64(more)))
}

// Plus returns the builtin for `x + y`, for script.Helpers.
func Plus(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := checkPlus(thread, args); err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.PLUS, args[0], args[1])
}

// Adding returns the builtin for `x += y`, which becomes `x += Adding(x, y)`, for
// script.Helpers: lists are changed in place, and that is left to Starlark.
func Adding(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) == 2 {
		if _, ok := args[0].(*starlark.List); ok {
			if err := charge(thread, starlark.Len(args[1]), ofList); err != nil {
				return nil, err
			}
		}
	}
	if err := checkPlus(thread, args); err != nil {
		return nil, err
	}
	return args[1], nil
}

// Spread returns the builtin for `f(*x)`, which becomes `f(*Spread(x))`, for script.Helpers.
func Spread(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("*: got %d operands, want 1", len(args))
	}
	if err := charge(thread, starlark.Len(args[0]), ofList); err != nil {
		return nil, err
	}
	return args[0], nil
}

// checkPlus says whether there is room for the sum of two values.
func checkPlus(thread *starlark.Thread, args starlark.Tuple) error {
	if len(args) != 2 {
		return fmt.Errorf("+: got %d operands, want 2", len(args))
	}
	switch x := args[0].(type) {
	case starlark.String:
		if y, ok := args[1].(starlark.String); ok {
			return fits(thread, uint64(len(x)+len(y)))
		}
	case starlark.Bytes:
		if y, ok := args[1].(starlark.Bytes); ok {
			return fits(thread, uint64(len(x)+len(y)))
		}
	case starlark.Int:
		return checkIntegers(thread, syntax.PLUS, x, args[1])
	case starlark.Tuple:
		if y, ok := args[1].(starlark.Tuple); ok {
			if err := checkTuples(thread, x, y); err != nil {
				return err
			}
			return fits(thread, uint64(len(x)+len(y))*slot)
		}
	case *starlark.List:
		if y, ok := args[1].(*starlark.List); ok {
			return fits(thread, uint64(x.Len()+y.Len())*slot)
		}
	}
	return nil
}

// Times returns the builtin for `x * y`, for script.Helpers.
func Times(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("*: got %d operands, want 2", len(args))
	}
	x, y := args[0], args[1]
	if n, ok := y.(starlark.Int); ok {
		if err := checkTimes(thread, x, n); err != nil {
			return nil, err
		}
	} else if n, ok := x.(starlark.Int); ok {
		if err := checkTimes(thread, y, n); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// checkTimes says whether there is room for x, n times.
func checkTimes(thread *starlark.Thread, x starlark.Value, n starlark.Int) error {
	if m, ok := x.(starlark.Int); ok {
		return checkIntegers(thread, syntax.STAR, m, n)
	}
	times, ok := n.Int64()
	if !ok || times <= 0 {
		return nil
	}
	switch x := x.(type) {
	case starlark.String:
		return fits(thread, product(uint64(len(x)), uint64(times)))
	case starlark.Bytes:
		return fits(thread, product(uint64(len(x)), uint64(times)))
	case *starlark.List:
		return checkRepeat(thread, x.Len(), times)
	case starlark.Tuple:
		if err := checkAgain(thread, x, times); err != nil {
			return err
		}
		return checkRepeat(thread, len(x), times)
	}
	return nil
}

func checkRepeat(thread *starlark.Thread, n int, times int64) error {
	hi, total := bits.Mul64(uint64(n), uint64(times))
	if hi != 0 || total > 1<<62 {
		return nil // which Starlark refuses
	}
	return charge(thread, int(total), slot)
}

// checkText says whether there is room for a text in which each of the values may be as often as
// its format has places: named ones can be named again.
func checkText(
	thread *starlark.Thread,
	format string,
	places int,
	again bool,
	values starlark.Tuple,
	named []starlark.Tuple,
) error {
	longest, total := 0, 0
	add := func(v starlark.Value) {
		switch v := v.(type) {
		case starlark.String:
			longest = max(longest, len(v))
			total += len(v)
		case starlark.Int:
			digits := bitsOf(v) / 3
			longest = max(longest, digits)
			total += digits
		}
	}
	for _, v := range values {
		add(v)
	}
	for _, kv := range named {
		add(kv[1])
	}
	if again {
		return fits(thread, product(uint64(places), uint64(longest))+uint64(len(format)))
	}
	return fits(thread, uint64(total+len(format)))
}
