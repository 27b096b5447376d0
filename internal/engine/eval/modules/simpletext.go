package modules

import (
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// This file formats what nearly all templates format, strings and integers up to 64 bits, without
// Starlark's general code, which takes several times as long. Everything else, including errors, is
// left to that code.

// simpleText builds a text from simple values.
type simpleText struct{ text []byte }

// add appends v as %s and {} format it. It returns false for other values.
func (p *simpleText) add(v starlark.Value) bool {
	if s, ok := v.(starlark.String); ok {
		p.text = append(p.text, s...)
		return true
	}
	return p.addInt(v)
}

// addInt appends v as %d formats it. It returns false for other values.
func (p *simpleText) addInt(v starlark.Value) bool {
	n, ok := v.(starlark.Int)
	if !ok {
		return false
	}
	i, ok := n.Int64()
	if ok {
		p.text = strconv.AppendInt(p.text, i, 10)
	}
	return ok
}

// result returns the text, unless it exceeds the limits.
func (p *simpleText) result(thread *starlark.Thread) (starlark.Value, error) {
	if err := fits(thread, uint64(len(p.text))); err != nil {
		return nil, err
	}
	return starlark.String(p.text), nil
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

// percent builds `format % y`. It returns false if it cannot.
func (p *simpleText) percent(format string, y starlark.Value) bool {
	var one [1]starlark.Value
	values, ok := y.(starlark.Tuple)
	if !ok {
		one[0] = y
		values = one[:]
	}
	if tooLong(format, values) {
		return false
	}
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			p.text = append(p.text, format...)
			return len(values) == 0
		}
		p.text = append(p.text, format[:i]...)
		if i+1 == len(format) {
			return false
		}
		verb := format[i+1]
		format = format[i+2:]
		if verb == '%' {
			p.text = append(p.text, '%')
			continue
		}
		if len(values) == 0 || !p.verb(verb, values[0]) {
			return false
		}
		values = values[1:]
	}
}

func (p *simpleText) verb(verb byte, v starlark.Value) bool {
	switch verb {
	case 's':
		return p.add(v)
	case 'd':
		return p.addInt(v)
	}
	return false
}

// format builds `format.format(values…)`, where all placeholders are {}. It returns false if it
// cannot.
func (p *simpleText) format(format string, values starlark.Tuple) bool {
	if tooLong(format, values) {
		return false
	}
	for {
		i := strings.IndexAny(format, "{}")
		if i < 0 {
			p.text = append(p.text, format...)
			return true // extra values are allowed
		}
		p.text = append(p.text, format[:i]...)
		format = format[i:]
		if !strings.HasPrefix(format, "{}") || len(values) == 0 || !p.add(values[0]) {
			return false
		}
		format, values = format[len("{}"):], values[1:]
	}
}
