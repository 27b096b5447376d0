package modules

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

var assertModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("assert", map[string]function{
		"equals":       assertEquals,
		"fail":         assertFail,
		"try_to":       assertTryTo,
		"min":          limit(syntax.GE, "<"),
		"max":          limit(syntax.LE, ">"),
		"min_len":      limitLen(func(n, limit float64) bool { return n >= limit }),
		"max_len":      limitLen(func(n, limit float64) bool { return n <= limit }),
		"one_of":       assertOneOf,
		"not_null":     assertNotNull,
		"one_not_null": assertOneNotNull,
	}, nil)
}}

// assertEquals compares the YAML text of two values, so that a fragment can equal a dict.
func assertEquals(
	thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := want(2, args); err != nil {
		return nil, err
	}
	var text [2][]byte
	for i, x := range args {
		if _, ok := x.(starlark.Callable); ok {
			return nil, fmt.Errorf("expected argument not to be a function, but was %T", x)
		}
		var err error
		if text[i], err = encodeYAML(thread, x); err != nil {
			return nil, err
		}
	}
	if !bytes.Equal(text[0], text[1]) {
		//lint:ignore ST1005 the reference's text, which assert.try_to shows to programs
		return nil, fmt.Errorf(
			"Not equal:\n(expected type: %s)\n%s\n\n(was type: %s)\n%s",
			args[0].Type(),
			text[0],
			args[1].Type(),
			text[1],
		)
	}
	return starlark.None, nil
}

func assertFail(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	msg, err := oneString(args)
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("fail: %s", msg)
}

// assertTryTo does not catch errors that end the whole run, so that a program cannot ignore them.
func assertTryTo(
	thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := want(1, args); err != nil {
		return nil, err
	}
	f, ok := args[0].(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("expected argument to be a function, but was %T", args[0])
	}
	call := func() (starlark.Value, error) { return starlark.Call(thread, f, nil, nil) }
	var v starlark.Value
	var err error
	if hook := hostOf(thread).TryTo; hook != nil {
		v, err = hook(call)
	} else {
		v, err = call()
	}
	switch {
	case err == nil:
		return starlark.Tuple{v, starlark.None}, nil
	case ends(err):
		return nil, err
	}
	return starlark.Tuple{starlark.None, starlark.String(err.Error())}, nil
}

// ends reports whether err means that the thread was cancelled or a limit was exceeded. Starlark's
// own errors of that kind have only a text, no type. The text of the innermost error is compared
// because a program cannot choose it.
func ends(err error) bool {
	if _, ok := errors.AsType[*LimitError](err); ok {
		return true
	}
	for next := err; next != nil; next = errors.Unwrap(err) {
		err = next
	}
	text := err.Error()
	return strings.HasPrefix(text, "Starlark computation cancelled: ") ||
		text == "Starlark stack overflow"
}

// limit returns the function min or max. Values are compared as YAML, so that fragments can be
// compared with lists.
func limit(op syntax.Token, violated string) function {
	return func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if err := want(1, args); err != nil {
			return nil, err
		}
		at := args[0]
		return &assertion{holds: at, param: "value", check: func(x starlark.Value) error {
			have, err := plain(x)
			if err != nil {
				return err
			}
			bound, err := plain(at)
			if err != nil {
				return err
			}
			ok, err := starlark.CompareDepth(op, have, bound, compareDepth)
			if err != nil {
				return err
			}
			if !ok {
				text, err := Text(at)
				if err != nil {
					return err
				}
				return fmt.Errorf("fail: value %s %s", violated, text)
			}
			return nil
		}}, nil
	}
}

// compareDepth is the depth to which values are compared. Starlark's own limit of ten is for values
// that contain themselves.
const compareDepth = 1000

// limitLen returns the function min_len or max_len.
func limitLen(ok func(n, limit float64) bool) function {
	return func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if err := want(1, args); err != nil {
			return nil, err
		}
		limit, isNumber := starlark.AsFloat(args[0])
		if !isNumber {
			return nil, fmt.Errorf("expected value to be an number, but was %s", args[0].Type())
		}
		return &assertion{param: "value", check: func(x starlark.Value) error {
			n := starlark.Len(x)
			if n < 0 {
				return fmt.Errorf("len: value of type %s has no len", x.Type())
			}
			if !ok(float64(n), limit) {
				return fmt.Errorf("fail: length = %d", n)
			}
			return nil
		}}, nil
	}
}

// assertOneOf takes the allowed values one by one or as a sequence.
func assertOneOf(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	var allowed starlark.Iterable
	switch len(args) {
	case 0:
		return nil, errors.New("got 0 arguments, want at least 1")
	case 1:
		seq, ok := args[0].(starlark.Sequence)
		if !ok {
			return nil, fmt.Errorf("expected a sequence, but was a '%s'", args[0].Type())
		}
		allowed = seq
	default:
		allowed = slices.Clone(args)
	}
	return &assertion{holds: allowed, param: "val", check: func(x starlark.Value) error {
		have, err := plain(x)
		if err != nil {
			return err
		}
		for e := range starlark.Elements(allowed) {
			one, err := plain(e)
			if err != nil {
				return err
			}
			same, err := starlark.EqualDepth(have, one, compareDepth)
			if err != nil {
				return err
			}
			if same {
				return nil
			}
		}
		return errors.New("fail: not one of allowed values")
	}}, nil
}

// assertNotNull returns an assertion or, if it is given a value, checks it immediately.
func assertNotNull(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	check := func(x starlark.Value) error {
		if isNull(x) {
			return errors.New("fail: value is null")
		}
		return nil
	}
	switch len(args) {
	case 0:
		return &assertion{param: "value", check: check}, nil
	case 1:
		if err := check(args[0]); err != nil {
			return nil, err
		}
		return starlark.True, nil
	}
	return nil, fmt.Errorf("got %d arguments, want at most 1", len(args))
}

func isNull(x starlark.Value) bool {
	switch x.(type) {
	case starlark.NoneType, tree.Nothing:
		return true
	}
	return false
}

func assertOneNotNull(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	var keys starlark.Sequence // nil means all keys
	switch {
	case len(args) > 1:
		return nil, fmt.Errorf("got %d arguments, want 1", len(args))
	case len(args) == 1 && args[0] != starlark.True:
		seq, ok := args[0].(starlark.Sequence)
		if !ok {
			return nil, fmt.Errorf("expected a sequence of keys, but was a '%s'", args[0].Type())
		}
		keys = seq
	}
	return &assertion{holds: keys, check: func(x starlark.Value) error {
		m, ok := x.(starlark.IterableMapping)
		if !ok {
			return fmt.Errorf("check: value must be a map or dict, but was '%s'", x.Type())
		}
		if starlark.Len(m) == 0 {
			return errors.New("check: value is empty")
		}
		var in starlark.Iterable = m
		if keys != nil {
			in = keys
		}
		var filled []starlark.Value
		for key := range starlark.Elements(in) {
			v, found, err := m.Get(key)
			if _, missing := errors.AsType[*tree.NoField](err); err != nil && !missing {
				return fmt.Errorf("check: %w", err)
			}
			if found && !isNull(v) {
				filled = append(filled, key)
			}
		}
		switch len(filled) {
		case 0:
			return errors.New("check: all values are null")
		case 1:
			return nil
		}
		text, err := Text(starlark.NewList(filled))
		if err != nil {
			return err
		}
		return fmt.Errorf("check: %s are not null", text)
	}}, nil
}

// want checks the number of arguments. Its messages are those of ytt's module.
func want(n int, args starlark.Tuple) error {
	if len(args) != n {
		return fmt.Errorf("got %d arguments, want %d", len(args), n)
	}
	return nil
}

// assertion is an object that checks values. Most functions of the module return one.
type assertion struct {
	holds starlark.Value // a value that check reads and a program could change; may be nil
	param string         // the name of the parameter of check; "" for one_not_null
	check func(starlark.Value) error
}

var (
	_ starlark.HasAttrs = (*assertion)(nil)
	_ tree.Opaque       = (*assertion)(nil)
)

// Type implements starlark.Value.
func (a *assertion) Type() string { return "@ytt:assert.assertion" }

// String implements starlark.Value.
func (a *assertion) String() string { return a.Type() }

// Freeze implements starlark.Value.
func (a *assertion) Freeze() {
	if a.holds != nil {
		a.holds.Freeze()
	}
}

// Visit implements tree.Holder.
func (a *assertion) Visit(f func(starlark.Value) bool) {
	if a.holds != nil {
		f(a.holds)
	}
}

// Truth implements starlark.Value.
func (a *assertion) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (a *assertion) Hash() (uint32, error) { return unhashable(a) }

// Attr implements starlark.HasAttrs. The method has a as its receiver, so that freezing the method
// freezes a.
func (a *assertion) Attr(name string) (starlark.Value, error) {
	if name != "check" {
		return nil, nil
	}
	return starlark.NewBuiltin("check", checkValue).BindReceiver(a), nil
}

// AttrNames implements starlark.HasAttrs.
func (a *assertion) AttrNames() []string { return []string{"check"} }

// NotYAML implements tree.Opaque.
func (a *assertion) NotYAML() error {
	return &diag.Hinted{
		Err:  errors.New(a.Type() + " does not encode"),
		Hint: "did you mean to call check()?",
		Bare: true,
	}
}

// checkValue returns the method check. Its messages for a wrong number of arguments are those of a
// function written in Starlark, except for one_not_null.
func checkValue(
	_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	a := b.Receiver().(*assertion)
	if v := keyword(kwargs, a.param); v != nil && len(args) == 0 {
		args = starlark.Tuple{v}
	}
	switch {
	case len(args) != 1 && a.param == "":
		return nil, fmt.Errorf("check: got %d arguments, want 1", len(args))
	case len(args) == 0:
		return nil, fmt.Errorf("function lambda missing 1 argument (%s)", a.param)
	case len(args) > 1:
		return nil, fmt.Errorf(
			"function lambda accepts 1 positional argument (%d given)",
			len(args),
		)
	}
	if err := a.check(args[0]); err != nil {
		return nil, err
	}
	return starlark.True, nil
}
