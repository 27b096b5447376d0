package modules

import (
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// This file makes the texts that nearly all templates make, of strings and of integers up to 64
// bits, without Starlark's general way, which takes several times as long. Whatever is anything
// else, or wrong, is left to that way.

// simpleText collects a text that may be all that is needed.
type simpleText struct{ text []byte }

// add appends what %s and {} show of v. It reports false for values that are not plain.
func (p *simpleText) add(v starlark.Value) bool {
	if s, ok := v.(starlark.String); ok {
		p.text = append(p.text, s...)
		return true
	}
	return p.addInt(v)
}

// addInt appends what %d shows of v.
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

// result returns the text, if there is room for it.
func (p *simpleText) result(thread *starlark.Thread) (starlark.Value, error) {
	if err := fits(thread, uint64(len(p.text))); err != nil {
		return nil, err
	}
	return starlark.String(p.text), nil
}

// tooLong reports whether a text of these parts must be measured before it is made.
func tooLong(format string, values starlark.Tuple) bool {
	n := len(format)
	for _, v := range values {
		if s, ok := v.(starlark.String); ok {
			n += len(s)
		}
	}
	return n >= minChargedBytes
}

// percent makes `format % y`. It reports false if it cannot.
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

// format makes `format.format(values…)`, where all places are {}. It reports false if it cannot.
func (p *simpleText) format(format string, values starlark.Tuple) bool {
	if tooLong(format, values) {
		return false
	}
	for {
		i := strings.IndexAny(format, "{}")
		if i < 0 {
			p.text = append(p.text, format...)
			return true // values that are left over are allowed
		}
		p.text = append(p.text, format[:i]...)
		format = format[i:]
		if !strings.HasPrefix(format, "{}") || len(values) == 0 || !p.add(values[0]) {
			return false
		}
		format, values = format[len("{}"):], values[1:]
	}
}
