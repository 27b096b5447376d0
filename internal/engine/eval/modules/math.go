package modules

import (
	"errors"
	"fmt"
	"math"

	"go.starlark.net/starlark"
)

// warnMath warns, once per run, that results may differ in their last digits.
func (e *Env) warnMath() {
	if e.Warn == nil {
		return
	}
	e.warned.Do(func() {
		e.Warn(
			"a function from the @ytt:math module is used in this invocation; this module does " +
				"not guarantee bit-identical results across CPU architectures.",
		)
	})
}

// newMath returns the module for one run. Each function calls used first.
func newMath(used func()) starlark.StringDict {
	functions := map[string]function{
		"ceil":  rounding(used, math.Ceil),
		"floor": rounding(used, math.Floor),
		"log":   logarithm(used),
	}
	for name, f := range map[string]func(float64) float64{
		"fabs": math.Abs, "round": math.Round, "exp": math.Exp, "sqrt": math.Sqrt, "gamma": math.Gamma,
		"acos": math.Acos, "asin": math.Asin, "atan": math.Atan,
		"cos": math.Cos, "sin": math.Sin, "tan": math.Tan,
		"acosh": math.Acosh, "asinh": math.Asinh, "atanh": math.Atanh,
		"cosh": math.Cosh, "sinh": math.Sinh, "tanh": math.Tanh,
		"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
		"radians": func(x float64) float64 { return x * (math.Pi / 180) },
	} {
		functions[name] = func(
			_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
		) (starlark.Value, error) {
			used()
			x, err := floats(1, args)
			if err != nil {
				return nil, err
			}
			return starlark.Float(f(x[0])), nil
		}
	}
	for name, f := range map[string]func(x, y float64) float64{
		"copysign": math.Copysign, "mod": math.Mod, "pow": math.Pow,
		"remainder": math.Remainder, "atan2": math.Atan2, "hypot": math.Hypot,
	} {
		functions[name] = func(
			_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
		) (starlark.Value, error) {
			used()
			x, err := floats(2, args)
			if err != nil {
				return nil, err
			}
			return starlark.Float(f(x[0], x[1])), nil
		}
	}
	return export("math", functions, starlark.StringDict{
		"e":  starlark.Float(math.E),
		"pi": starlark.Float(math.Pi),
	})
}

// rounding returns a function that returns an integer of any size.
func rounding(used func(), f func(float64) float64) function {
	return func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		used()
		x, err := floats(1, args)
		if err != nil {
			return nil, err
		}
		if i, ok := args[0].(starlark.Int); ok {
			return i, nil // unchanged, even if a float could not represent it
		}
		return starlark.NumberToInt(starlark.Float(f(x[0])))
	}
}

func logarithm(used func()) function {
	return func(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		used()
		if base := keyword(kwargs, "base"); base != nil && len(args) == 1 {
			args = starlark.Tuple{args[0], base}
		}
		switch len(args) {
		case 1:
			x, err := floats(1, args)
			if err != nil {
				return nil, err
			}
			return starlark.Float(math.Log(x[0])), nil
		case 2:
			x, err := floats(2, args)
			if err != nil {
				return nil, err
			}
			if x[1] == 1 {
				return nil, errors.New("there is no logarithm to the base 1")
			}
			return starlark.Float(math.Log(x[0]) / math.Log(x[1])), nil
		}
		return nil, errors.New("expected one or two arguments")
	}
}

// floats returns n arguments, ints or floats, as floats. n is at most two.
func floats(n int, args starlark.Tuple) (x [2]float64, err error) {
	if err := exactly(n, args); err != nil {
		return x, err
	}
	for i, a := range args {
		f, ok := starlark.AsFloat(a)
		if !ok {
			return x, fmt.Errorf("expected float value, but was %T", a)
		}
		x[i] = f
	}
	return x, nil
}
