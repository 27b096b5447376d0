package modules

import (
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// This file formats what nearly all templates format, strings and integers up to 64 bits, without
// Starlark's general code, which takes several times as long. Everything else, including errors, is
// left to that code.

// The functions append to a text, which may be on the stack, and return false if they cannot.

// appendSimple appends v as %s and {} format it.
func appendSimple(text []byte, v starlark.Value) ([]byte, bool) {
	if s, ok := v.(starlark.String); ok {
		return append(text, s...), true
	}
	return appendInt(text, v)
}

// appendInt appends v as %d formats it.
func appendInt(text []byte, v starlark.Value) ([]byte, bool) {
	n, ok := v.(starlark.Int)
	if !ok {
		return text, false
	}
	i, ok := n.Int64()
	if !ok {
		return text, false
	}
	return strconv.AppendInt(text, i, 10), true
}

// simpleText returns the text as a value, unless it exceeds the limits.
func simpleText(thread *starlark.Thread, text []byte) (starlark.Value, error) {
	if err := fits(thread, uint64(len(text))); err != nil {
		return nil, err
	}
	return starlark.String(text), nil
}

// tooLong reports whether the length of the text must be checked before the text is built.
func tooLong(format string, values starlark.Tuple) bool {
	n := len(format)
	for _, v := range values {
		if s, ok := v.(starlark.String); ok {
			n += len(s)
		}
	}
	return n >= minChargedBytes
}

// appendPercent appends `format % y`.
func appendPercent(text []byte, format string, y starlark.Value) (_ []byte, ok bool) {
	var one [1]starlark.Value
	values, ok := y.(starlark.Tuple)
	if !ok {
		one[0] = y
		values = one[:]
	}
	if tooLong(format, values) {
		return nil, false
	}
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return append(text, format...), len(values) == 0
		}
		text = append(text, format[:i]...)
		if i+1 == len(format) {
			return nil, false
		}
		verb := format[i+1]
		format = format[i+2:]
		if verb == '%' {
			text = append(text, '%')
			continue
		}
		if len(values) == 0 {
			return nil, false
		}
		if text, ok = appendVerb(text, verb, values[0]); !ok {
			return nil, false
		}
		values = values[1:]
	}
}

func appendVerb(text []byte, verb byte, v starlark.Value) ([]byte, bool) {
	switch verb {
	case 's':
		return appendSimple(text, v)
	case 'd':
		return appendInt(text, v)
	}
	return nil, false
}

// appendFormat appends `format.format(values…)`, where all placeholders are {}.
func appendFormat(text []byte, format string, values starlark.Tuple) (_ []byte, ok bool) {
	if tooLong(format, values) {
		return nil, false
	}
	for {
		i := indexBrace(format)
		if i < 0 {
			return append(text, format...), true // extra values are allowed
		}
		text = append(text, format[:i]...)
		format = format[i:]
		if !strings.HasPrefix(format, "{}") || len(values) == 0 {
			return nil, false
		}
		if text, ok = appendSimple(text, values[0]); !ok {
			return nil, false
		}
		format, values = format[len("{}"):], values[1:]
	}
}

// indexBrace returns the index of the first brace, or -1. Formats are short.
func indexBrace(s string) int {
	for i := range len(s) {
		if s[i] == '{' || s[i] == '}' {
			return i
		}
	}
	return -1
}
