package modules

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file limits arithmetic with large integers: to Starlark an operation is one step, however
// many digits there are. No integer may exceed maxIntBits, and long operations count as many steps.

// Arithmetic returns the builtin for `x op y`, for script.Helpers.
func Arithmetic(op syntax.Token) *starlark.Builtin {
	return operator(op.String(), func(
		thread *starlark.Thread, x, y starlark.Value,
	) (starlark.Value, error) {
		if err := checkIntegers(thread, op, x, y); err != nil {
			return nil, err
		}
		return starlark.Binary(op, x, y)
	})
}

// Operand returns the builtin for `x op= y`, which becomes `x op= Operand(x, y)`, for
// script.Helpers. It returns y.
func Operand(op syntax.Token) *starlark.Builtin {
	return operator(op.String()+"=", func(
		thread *starlark.Thread, x, y starlark.Value,
	) (starlark.Value, error) {
		return y, checkIntegers(thread, op, x, y)
	})
}

// checkIntegers returns an error if an operation on two integers would exceed the limits. Other
// operands are left to Starlark.
func checkIntegers(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) error {
	m, ok1 := x.(starlark.Int)
	n, ok2 := y.(starlark.Int)
	if !ok1 || !ok2 {
		return nil
	}
	a, b := bitsOf(m), bitsOf(n)
	if op == syntax.LTLT {
		if by, ok := n.Int64(); ok && by > 0 && by < 512 { // Starlark rejects larger shifts
			return checkBits(thread, op, a+int(by), 1)
		}
		return nil
	}
	if a <= 64 && b <= 64 {
		return nil
	}
	switch op {
	case syntax.PLUS, syntax.MINUS:
		return checkBits(thread, op, max(a, b)+1, 1)
	case syntax.STAR:
		return checkBits(thread, op, a+b, intWords(min(a, b)))
	case syntax.SLASHSLASH, syntax.PERCENT:
		return chargeWords(thread, a, intWords(b))
	case syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX:
		return chargeWords(thread, max(a, b), 1)
	}
	return nil
}

// checkBits returns an error if an operation would exceed the limits. bits is the size of its result,
// and times is how often it passes over these bits.
func checkBits(thread *starlark.Thread, op syntax.Token, bits, times int) error {
	if bits > maxIntBits {
		return &LimitError{
			Message: fmt.Sprintf(
				"the result of %s is an integer of %d bits, but the limit is %d",
				op,
				bits,
				maxIntBits,
			),
		}
	}
	return chargeWords(thread, bits, times)
}

// chargeWords counts the steps of passing over an integer with this many bits this many times. One
// Starlark step takes as long as one or two dozen words.
func chargeWords(thread *starlark.Thread, bits, times int) error {
	return charge(thread, intWords(bits)*times/16, 0)
}

// checkIntText returns an error if v is an integer whose text would exceed the limits.
func checkIntText(thread *starlark.Thread, v starlark.Value) error {
	n, ok := v.(starlark.Int)
	if !ok {
		return nil
	}
	bits := bitsOf(n)
	return chargeWords(thread, bits, intWords(bits))
}

func intWords(bits int) int { return (bits + 63) / 64 }

// bitsOf returns the number of bits of an integer.
func bitsOf(n starlark.Int) int {
	if _, small := n.Int64(); small {
		return 64
	}
	return n.BigInt().BitLen()
}
