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
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// This file enforces limits where Starlark counts a single step: a function that visits a range of
// a billion numbers counts a billion steps, and operations that create large values are checked
// before they allocate. Operations on few elements, or less than a megabyte, cost nothing.

// Limits is what code may use.
type Limits struct {
	MaxSteps uint64
	Memory   *budget.Memory

	// Large is called before an operation on a megabyte or more, which may take seconds.
	Large func(*starlark.Thread)

	tuples tupleWeights
}

// TooManySteps is the message of a LimitError when code takes more than MaxSteps.
const TooManySteps = "too many steps"

const (
	minChargedElements = 1 << 12 // fewer elements are not checked against the limits
	minChargedBytes    = 1 << 20 // nor are fewer bytes

	// maxValue is the maximum size in bytes of a value that one operation creates, whatever the
	// budget is. Starlark has the same limit for repeated strings.
	maxValue = 1 << 30

	// maxMade is the maximum length of a text that is built in pieces, as in text templates.
	maxMade = 256 << 20

	// maxIntBits is the maximum size of an integer: 315,653 digits. Operations on larger ones take
	// time and cannot be interrupted.
	maxIntBits = 1 << 20
	// MaxDigits is the maximum number of digits in the text of an integer.
	MaxDigits = 300_000
)

// The size of an element in bytes: 16 for the slot in a list, plus its contents.
const (
	slot    = 16
	ofList  = 32
	ofDict  = 96
	ofTuple = 24 + 2*slot
	ofText  = 2 * slot // its header, and the slot that points to it
)

// limitsOf returns the limits of a thread, or nil.
func limitsOf(thread *starlark.Thread) *Limits {
	return hostOf(thread).Limits
}

// charge counts n steps, and returns an error if n elements of this size would exceed the limits.
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

// fits returns an error if this many bytes would exceed the limits.
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
	if l.Large != nil {
		l.Large(thread)
	}
	if err := l.Memory.Fits(bytes); err != nil {
		e := err.(*budget.Error)
		return &LimitError{Message: e.Message, Hint: e.Hint}
	}
	return nil
}

// room returns an error if a text of this many bytes cannot grow by more.
func room(thread *starlark.Thread, bytes, more int) error {
	if bytes+more > maxMade {
		return &LimitError{Message: fmt.Sprintf("the text is longer than %s", budget.Size(maxMade))}
	}
	if more >= minChargedBytes {
		return fits(thread, uint64(bytes)+uint64(more))
	}
	return nil
}

// checkEncoded returns an error if the text of v would exceed the limits: a list may contain one
// string a million times.
func checkEncoded(thread *starlark.Thread, v tree.Value) error {
	return room(thread, 0, textLength(v))
}

// textLength returns the total length of the computed strings in v, or more than maxMade.
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

// product returns a * b, or the maximum uint64 if that overflows.
func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 1<<64 - 1
	}
	return lo
}

// limited are the Starlark functions that visit all elements of their argument, with the bytes that
// they allocate for each.
var limited = lazy.Value[map[string]uint64]{New: func() map[string]uint64 {
	return map[string]uint64{
		"all": 0, "any": 0, "bytes": 1, "dict": ofDict, "enumerate": slot + ofTuple, "list": ofList,
		"max": 0, "min": 0,
		"reversed": ofList, "set": ofDict, "sorted": ofList, "tuple": ofList,
	}
}}

// limitUniverse adds the functions that replace Starlark's own where those have no limits.
func limitUniverse(universe starlark.StringDict) {
	for name, each := range limited.Get() {
		replaceBuiltin(universe, name, limitedBy(each))
	}
	replaceBuiltin(universe, "zip", limitedZip)
	replaceBuiltin(universe, "int", limitedInt)
	replaceBuiltin(universe, "getattr", guardedGetattr)
}

// builtin replaces a Starlark function, which it receives.
type builtin func(
	thread *starlark.Thread, original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error)

func replaceBuiltin(universe starlark.StringDict, name string, f builtin) {
	original := starlark.Universe[name].(*starlark.Builtin)
	universe[name] = starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		return f(thread, original, args, kwargs)
	})
}

// limitedBy returns a replacement for a function in limited that charges this many bytes per
// element.
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
			err = checkWeight(thread, v)
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
		err = checkWeight(thread, v)
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

// counted returns args. If the first one has no known length, such as the characters of a string, a
// list replaces it.
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

// Method returns the builtin for `x.name(…)`, where name is a method that takes more than one step,
// for script.Helpers. x may be any value with such a method.
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

// Bound returns the builtin for `x.name`, where name is such a method and is not called directly,
// for script.Helpers.
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

// guarded returns v, the attribute of x, or the limited method that replaces it.
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

// callLimited calls b, a method of x, if that stays within the limits.
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
	if _, isSet := x.(*starlark.Set); isSet && len(args) == 0 && len(kwargs) == 0 {
		switch name { // these methods would panic
		case "difference", "intersection", "issubset", "issuperset", "symmetric_difference":
			return nil, fmt.Errorf("%s: got 0 arguments, want 1", name)
		}
	}
	v, err := b.CallInternal(thread, args, kwargs)
	if err == nil && (name == "items" || name == "popitem") {
		err = checkWeight(thread, v)
	}
	return v, err
}

// owned reports whether x has a type of Starlark's own with such methods.
func owned(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, *starlark.List, *starlark.Dict, *starlark.Set:
		return true
	}
	return false
}

// attr returns x.name, as Starlark does.
func attr(x starlark.Value, name string) (starlark.Value, error) {
	obj, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, noAttr(x, name)
	}
	v, err := obj.Attr(name)
	if v != nil && err == nil {
		return v, nil
	}
	missing := noAttr(x, name)
	if known, ok := err.(starlark.NoSuchAttrError); ok {
		missing = errors.New(string(known))
	} else if err != nil {
		return nil, err
	}
	if near := diag.Nearest(name, obj.AttrNames()); near != "" {
		return nil, &diag.Hinted{
			Err: missing, Hint: "did you mean ." + near + "?", Bare: true,
			Was: name, Right: near,
		}
	}
	return nil, missing
}

func noAttr(x starlark.Value, name string) error {
	return fmt.Errorf("%s has no .%s field or method", x.Type(), name)
}

// checkMethod returns an error if a method call would exceed the limits. Invalid arguments are left
// to the method, which reports them.
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

// words returns the number of words in a text.
func words(s string) (n int) {
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

func checkJoin(thread *starlark.Thread, sep string, list starlark.Value) error {
	x, ok := list.(starlark.Iterable)
	if !ok || starlark.Len(list) < 0 {
		return nil // no longer than the text
	}
	n := starlark.Len(list)
	if err := charge(thread, n, 0); err != nil {
		return err
	}
	total := product(uint64(n), uint64(len(sep)))
	for e := range starlark.Elements(x) {
		s, ok := e.(starlark.String)
		if !ok {
			return nil // join reports the error
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

// Adding returns the builtin for `x += y`, which becomes `x += Adding(x, y)`, for script.Helpers.
// Lists are changed in place by Starlark itself.
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

// checkPlus returns an error if the sum of two values would exceed the limits.
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

// checkTimes returns an error if x repeated n times would exceed the limits.
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
		return nil // Starlark rejects it
	}
	return charge(thread, int(total), slot)
}

// checkText returns an error if a formatted text would exceed the limits. It assumes that each value
// occurs as often as the format has placeholders, because a named one can be repeated.
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
