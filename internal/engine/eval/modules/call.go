package modules

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// function is a function of a module. Its errors need not name it: newBuiltin does.
type function func(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error)

// newBuiltin returns a builtin for f. If f calls a function that fails, the error stays in the
// chain, with its stack.
func newBuiltin(name string, f function) *starlark.Builtin {
	return starlark.NewBuiltin(
		name,
		func(
			thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
		) (starlark.Value, error) {
			v, err := f(thread, args, kwargs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return v, nil
		},
	)
}

// operator returns a builtin that is named after an operator, for script.Helpers.
func operator(
	name string, f func(thread *starlark.Thread, x, y starlark.Value) (starlark.Value, error),
) *starlark.Builtin {
	call := func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
	) (starlark.Value, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("%s: got %d operands, want 2", name, len(args))
		}
		return f(thread, args[0], args[1])
	}
	return starlark.NewBuiltin(name, call)
}

// ofString adapts a function that takes one string.
func ofString(f func(s string) (starlark.Value, error)) function {
	return func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		s, err := oneString(args)
		if err != nil {
			return nil, err
		}
		if err := fits(thread, 2*uint64(len(s))); err != nil {
			return nil, err
		}
		look(thread, s)
		return f(s)
	}
}

func look(thread *starlark.Thread, text string) {
	if hook := hostOf(thread).Text; hook != nil {
		hook(thread, text)
	}
}

// getter returns a function without parameters that always returns v.
func getter(v starlark.Value) function {
	return func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if err := exactly(0, args); err != nil {
			return nil, err
		}
		return v, nil
	}
}

// exactly checks the number of arguments.
func exactly(n int, args starlark.Tuple) error {
	if len(args) == n {
		return nil
	}
	switch n {
	case 0:
		return errors.New("expected no argument")
	case 1:
		return errors.New("expected exactly one argument")
	case 2:
		return errors.New("expected exactly two arguments")
	}
	return fmt.Errorf("expected exactly %d arguments", n)
}

func oneString(args starlark.Tuple) (string, error) {
	if err := exactly(1, args); err != nil {
		return "", err
	}
	return toString(args[0])
}

func toString(v starlark.Value) (string, error) {
	s, ok := v.(starlark.String)
	if !ok {
		return "", fmt.Errorf("expected a string, but was %s", v.Type())
	}
	return string(s), nil
}

// keyword returns the value of a keyword argument, or nil.
func keyword(kwargs []starlark.Tuple, name string) starlark.Value {
	for _, kv := range kwargs {
		if kv[0] == starlark.String(name) {
			return kv[1]
		}
	}
	return nil
}

// flag returns the value of a Boolean keyword argument.
func flag(kwargs []starlark.Tuple, name string, otherwise bool) (bool, error) {
	switch v := keyword(kwargs, name).(type) {
	case nil:
		return otherwise, nil
	case starlark.Bool:
		return bool(v), nil
	default:
		return false, fmt.Errorf("expected starlark.Bool, but was %T", v)
	}
}

// indentation returns the value of the keyword argument indent.
func indentation(kwargs []starlark.Tuple) (int, error) {
	switch v := keyword(kwargs, "indent").(type) {
	case nil:
		return 0, nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok || n < 0 || n > 8 {
			return 0, errors.New("indent value must be between 0 and 8")
		}
		return int(n), nil
	default:
		return 0, fmt.Errorf("expected starlark.Int, but was %T", v)
	}
}
