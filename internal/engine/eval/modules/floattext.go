package modules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file formats floats as templates expect: at most six significant digits, and no point in a
// whole number, whereas Starlark prints all digits and a point. `%`, format, str and the others
// remain Starlark's own: their arguments are wrapped so that the floats in them are formatted
// differently.

// Universe returns the functions that replace Starlark's own functions of the same name because
// they format values.
var Universe = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	table := make(starlark.StringDict)
	for _, name := range []string{"str", "repr", "print", "fail"} {
		original := starlark.Universe[name].(*starlark.Builtin)
		table[name] = starlark.NewBuiltin(
			name,
			func(
				thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
			) (starlark.Value, error) {
				var s showing
				for _, a := range args {
					if err := checkIntText(thread, a); err != nil {
						return nil, err
					}
				}
				v, err := original.CallInternal(thread, s.wrapAll(args), kwargs)
				return s.result(v, err)
			},
		)
	}
	limitUniverse(table)
	table.Freeze()
	return table
}}

// Percent returns the builtin for `x % y`, for script.Helpers. When it formats text, each verb gets
// a value that is already wrapped, or replaced with its text. Invalid operands are left to the
// operator, which rejects them.
func Percent(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("%%: got %d operands, want 2", len(args))
	}
	x, y := args[0], args[1]
	if format, ok := x.(starlark.String); ok {
		var room [64]byte
		if text, ok := appendPercent(room[:0], string(format), y); ok {
			return simpleText(thread, text)
		}
		if err := checkPercent(thread, string(format), y); err != nil {
			return nil, err
		}
		var s showing
		if again, values, ok := s.percent(string(format), y); ok {
			v, err := starlark.Binary(syntax.PERCENT, again, values)
			return s.result(v, err)
		}
		if err := s.check(); err != nil {
			return nil, err
		}
	} else if err := checkIntegers(thread, syntax.PERCENT, x, y); err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.PERCENT, x, y)
}

// checkPercent returns an error if the text of `format % y` would exceed the limits.
func checkPercent(thread *starlark.Thread, format string, y starlark.Value) error {
	switch y := y.(type) {
	case starlark.String:
		return fits(thread, uint64(len(format)+len(y)))
	case starlark.Int:
		return checkIntText(thread, y)
	case starlark.Tuple:
		for _, v := range y {
			if err := checkIntText(thread, v); err != nil {
				return err
			}
		}
		return checkText(thread, format, 0, false, y, nil)
	case *starlark.Dict:
		if places := strings.Count(format, "%("); places > 0 {
			return checkText(thread, format, places, true, nil, y.Items())
		}
	}
	return nil
}

// Format returns the builtin for `x.format(…)`, for script.Helpers.
func Format(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("format: got no receiver")
	}
	x, args := args[0], args[1:]
	if str, ok := x.(starlark.String); ok {
		if len(kwargs) == 0 {
			var room [64]byte
			if text, ok := appendFormat(room[:0], string(str), args); ok {
				return simpleText(thread, text)
			}
		}
		method, err := str.Attr("format")
		if err != nil {
			return nil, err
		}
		verbs := strings.Count(string(str), "{")
		if err := checkText(thread, string(str), verbs, true, args, kwargs); err != nil {
			return nil, err
		}
		var s showing
		v, err := method.(*starlark.Builtin).CallInternal(
			thread,
			s.wrapAll(args),
			s.wrapNamed(kwargs),
		)
		return s.result(v, err)
	}
	if obj, ok := x.(starlark.HasAttrs); ok {
		method, err := obj.Attr("format")
		if err != nil {
			return nil, err
		}
		if method != nil {
			return starlark.Call(thread, method, args, kwargs)
		}
	}
	return nil, fmt.Errorf("%s has no .format field or method", x.Type())
}

// FloatText returns the text of a float.
func FloatText(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// Text returns the text of a value, like str.
func Text(v starlark.Value) (string, error) {
	if s, ok := v.(starlark.String); ok {
		return string(s), nil
	}
	var t texter
	t.value(v, 0)
	return t.b.String(), t.err
}

// showing is one call that formats values. Texts are produced on demand, by a method that cannot
// fail, so errors are kept here.
type showing struct {
	err     error
	wrapped []starlark.Value // by percent
}

// check returns an error if the values that percent wrapped before it found a mistake cannot be
// formatted: the operator formats them before it reaches the mistake.
func (s *showing) check() error {
	for _, v := range s.wrapped {
		if _, err := Text(v); err != nil {
			return err
		}
	}
	return nil
}

// wrapAll returns a copy of args in which everything that may contain a float is wrapped.
func (s *showing) wrapAll(args starlark.Tuple) starlark.Tuple {
	var out starlark.Tuple
	for i, a := range args {
		if !mayHoldFloat(a) {
			continue
		}
		if out == nil {
			out = append(make(starlark.Tuple, 0, len(args)), args...)
		}
		out[i] = shown{a, s}
	}
	if out == nil {
		return args
	}
	return out
}

func (s *showing) wrapNamed(kwargs []starlark.Tuple) []starlark.Tuple {
	var out []starlark.Tuple
	for i, kv := range kwargs {
		if !mayHoldFloat(kv[1]) {
			continue
		}
		if out == nil {
			out = append(make([]starlark.Tuple, 0, len(kwargs)), kwargs...)
		}
		out[i] = starlark.Tuple{kv[0], shown{kv[1], s}}
	}
	if out == nil {
		return kwargs
	}
	return out
}

// result returns the result of the call, unless formatting one of the texts failed.
func (s *showing) result(v starlark.Value, err error) (starlark.Value, error) {
	if s.err != nil {
		return nil, s.err
	}
	return v, err
}

// percent returns format and its values, changed so that Starlark's operator returns the expected
// text. It returns false if there is nothing to change, or if something is wrong.
func (s *showing) percent(format string, y starlark.Value) (starlark.String, starlark.Tuple, bool) {
	given, isTuple := y.(starlark.Tuple)
	if !isTuple {
		given = starlark.Tuple{y}
	}
	mapping, isMapping := y.(starlark.Mapping)
	if !isMapping && !slices.ContainsFunc(given, mayHoldFloat) &&
		!strings.ContainsAny(format, "gG") {
		return "", nil, false // almost always; the rest handles rare cases exactly
	}
	var again strings.Builder
	var values starlark.Tuple
	changed, index := false, 0
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			break
		}
		again.WriteString(format[:i])
		format = format[i+1:]
		if strings.HasPrefix(format, "%") {
			again.WriteString("%%")
			format = format[1:]
			continue
		}
		v, rest, ok := verbValue(format, given[min(index, len(given)):], mapping)
		if !ok {
			return "", nil, false
		}
		format = rest[1:]
		verb := rest[0]
		switch verb {
		case 's', 'r':
			if mayHoldFloat(v) {
				s.wrapped = append(s.wrapped, v)
				v, changed = shown{v, s}, true
			}
		case 'e', 'f', 'g', 'E', 'F', 'G':
			if text, ok := verbText(verb, v); ok {
				verb, v, changed = 's', text, true
			}
		case '%', '(':
			return "", nil, false // no verb with a value after a key: too rare to handle
		}
		again.WriteByte('%')
		again.WriteByte(verb)
		values = append(values, v)
		index++
	}
	if !changed || index < len(given) && !isMapping {
		return "", nil, false
	}
	again.WriteString(format)
	return starlark.String(again.String()), values, true
}

// verbValue returns the value for the first verb of format, which follows a percent sign, and format
// from that verb on. The value is the first of given or, if a key in parentheses comes first, that of
// the key in mapping, which may be nil. It returns false if the value or the verb is missing.
func verbValue(format string, given starlark.Tuple, mapping starlark.Mapping) (starlark.Value, string, bool) {
	if !strings.HasPrefix(format, "(") {
		if len(given) == 0 {
			return nil, "", false
		}
		return given[0], format, format != ""
	}
	key, rest, ok := strings.Cut(format[1:], ")")
	if !ok || mapping == nil || rest == "" {
		return nil, "", false
	}
	v, found, _ := mapping.Get(starlark.String(key))
	return v, rest, found
}

// verbText returns the text of a number for a float verb, if it differs from Starlark's: %g has all
// digits but no point in a whole number, and infinities are capitalized.
func verbText(verb byte, v starlark.Value) (starlark.String, bool) {
	f, ok := starlark.AsFloat(v)
	if !ok {
		return "", false
	}
	if verb == 'g' || verb == 'G' || math.IsInf(f, 0) || math.IsNaN(f) {
		return starlark.String(strconv.FormatFloat(f, verb, -1, 64)), true
	}
	return "", false
}

// mayHoldFloat reports whether v is a float, or a collection that Starlark prints in full.
func mayHoldFloat(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Float, *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		return true
	}
	return false
}

// shown is a value that is formatted as templates expect. It exists only during a call.
type shown struct {
	starlark.Value
	s *showing
}

// String implements starlark.Value.
func (w shown) String() string {
	text, err := Text(w.Value)
	if err != nil && w.s.err == nil {
		w.s.err = err
	}
	return text
}

// The limits of a text. A list may contain another many times, and so on, until the text is too
// large for any machine. It may also be nested too deeply for the stack.
const (
	maxText      = 64 << 20
	maxTextDepth = 10_000
)

// texter writes values as Starlark does, except for floats.
type texter struct {
	b   strings.Builder
	err error
	// the lists and dicts around a value: the outer ones, which are compared one by one,
	near [16]starlark.Value
	deep map[starlark.Value]bool // and those further in

	written map[starlark.Value]extent // the texts of lists and dicts, see remember
	cycles  int                       // how often one was found inside itself
}

type extent struct{ start, end int }

// Short texts and those at the beginning are not remembered: most values are small.
const (
	shortText = 64
	fewTexts  = 64 << 10
)

// remember records where the text of v is, so that a value that contains v many times is written by
// copying. If v contains itself, its text may be different elsewhere.
func (t *texter) remember(v starlark.Value, start, cycles int) {
	if end := t.b.Len(); end > fewTexts && end-start > shortText && cycles == t.cycles &&
		t.err == nil {
		if t.written == nil {
			t.written = make(map[starlark.Value]extent)
		}
		t.written[v] = extent{start, end}
	}
}

// again writes the text of v if it is remembered.
func (t *texter) again(v starlark.Value) bool {
	if t.written == nil {
		return false
	}
	x, ok := t.written[v]
	if ok {
		t.b.WriteString(t.b.String()[x.start:x.end])
	}
	return ok
}

// value writes v, which is nested in depth lists and dicts.
func (t *texter) value(v starlark.Value, depth int) {
	switch v := v.(type) {
	case starlark.Float:
		t.b.WriteString(FloatText(float64(v)))
	case starlark.String:
		t.quoted(string(v))
	case *starlark.List:
		if t.again(v) {
			break
		}
		start, cycles := t.b.Len(), t.cycles
		t.b.WriteByte('[')
		if t.enter(v, depth) {
			for i := range v.Len() {
				t.element(i, v.Index(i), depth+1)
			}
			t.leave(v, depth)
		}
		t.b.WriteByte(']')
		t.remember(v, start, cycles)
	case starlark.Tuple:
		t.b.WriteByte('(')
		if t.enter(nil, depth) {
			for i, e := range v {
				t.element(i, e, depth+1)
			}
		}
		if len(v) == 1 {
			t.b.WriteByte(',')
		}
		t.b.WriteByte(')')
	case *starlark.Dict:
		if t.again(v) {
			break
		}
		start, cycles := t.b.Len(), t.cycles
		t.b.WriteByte('{')
		if t.enter(v, depth) {
			i := 0
			for key, e := range v.Entries() {
				t.element(i, key, depth+1)
				t.b.WriteString(": ")
				t.element(0, e, depth+1)
				i++
			}
			t.leave(v, depth)
		}
		t.b.WriteByte('}')
		t.remember(v, start, cycles)
	case *starlark.Set:
		t.b.WriteString("set([")
		i := 0
		for e := range v.Elements() {
			t.element(i, e, depth+1)
			i++
		}
		t.b.WriteString("])")
	default:
		t.b.WriteString(v.String())
	}
	if t.b.Len() > maxText && t.err == nil {
		t.err = &LimitError{
			Message: fmt.Sprintf("the text of a value is longer than %d MiB", maxText>>20),
		}
	}
}

// quoted writes a string in quotes. Most have nothing to escape.
func (t *texter) quoted(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			t.b.WriteString(syntax.Quote(s, false))
			return
		}
	}
	t.b.WriteByte('"')
	t.b.WriteString(s)
	t.b.WriteByte('"')
}

// element writes element i of a collection, unless there is an error already.
func (t *texter) element(i int, v starlark.Value, depth int) {
	if t.err != nil {
		return
	}
	if i > 0 {
		t.b.WriteString(", ")
	}
	t.value(v, depth)
}

// enter reports whether to write the elements of v: not if v is inside itself. A tuple cannot be,
// and is passed as nil.
func (t *texter) enter(v starlark.Value, depth int) bool {
	if depth > maxTextDepth {
		t.err = &LimitError{
			Message: fmt.Sprintf("a value is nested more than %d levels deep", maxTextDepth),
		}
		return false
	}
	if v == nil {
		if depth < len(t.near) {
			t.near[depth] = nil
		}
		return true
	}
	for _, outer := range t.near[:min(depth, len(t.near))] {
		if outer == v {
			return t.cycle()
		}
	}
	if t.deep[v] {
		return t.cycle()
	}
	if depth < len(t.near) {
		t.near[depth] = v
		return true
	}
	if t.deep == nil {
		t.deep = make(map[starlark.Value]bool)
	}
	t.deep[v] = true
	return true
}

// cycle writes the placeholder for a value inside itself.
func (t *texter) cycle() (enter bool) {
	t.b.WriteString("...")
	t.cycles++
	return false
}

func (t *texter) leave(v starlark.Value, depth int) {
	if depth >= len(t.near) {
		delete(t.deep, v)
	}
}
