package trace

import (
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"unicode/utf8"
)

// Funcs returns the functions that rewritten templates call: see Rewrite. They take and return values as
// package template has them, so that nothing is lost on the way.
func (t *Tracer) Funcs() template.FuncMap {
	return template.FuncMap{
		"__a": t.argument,
		"__e": t.expanded,
		"__f": t.file,
		"__r": t.result,
		"__s": stripValue,
		"__t": t.template,
		"__v": t.field,
		"__w": t.write,
	}
}

// text returns the text that a value is.
func text(v reflect.Value) (string, bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return "", false
	}
	return v.String(), true
}

// stripValue returns a value without marks.
func stripValue(v reflect.Value) reflect.Value {
	if s, ok := text(v); ok && HasMarks(s) {
		return reflect.ValueOf(Strip(s))
	}
	return v
}

// argument remembers an argument of a call until its result is there, and returns it without marks.
func (t *Tracer) argument(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		t.stack = append(t.stack, v.String())
	case reflect.Map, reflect.Slice:
		t.stack = append(t.stack, v)
	default:
		t.stack = append(t.stack, nil)
	}
	return stripValue(v)
}

// result returns the result of a call with n remembered arguments. Some functions keep marks.
func (t *Tracer) result(name string, n int, v reflect.Value) reflect.Value {
	args := t.stack[len(t.stack)-n:]
	t.stack = t.stack[:len(t.stack)-n]
	if keep, ok := keepers[name]; ok {
		if s, ok := text(v); ok && s != "" {
			if marked := keep(t, args, s); marked != s {
				return reflect.ValueOf(marked)
			}
		}
	}
	return v
}

// field returns a field's value, which has the path of a value of the chart as its mark if it is one.
func (t *Tracer) field(v, of reflect.Value, path string) reflect.Value {
	s, ok := text(v)
	if !ok || strings.Trim(s, blank) == "" || HasMarks(s) {
		return v
	}
	place, ok := t.valueAt(of, path, s)
	if !ok {
		return v
	}
	return reflect.ValueOf(markLines(s, func(int) int { return t.chain(0, place) }))
}

// valueAt returns the place of a value of the chart that is put out as text.
func (t *Tracer) valueAt(of reflect.Value, path, text string) (int, bool) {
	p, ok := t.values.at(of, path, text)
	if !ok {
		return 0, false
	}
	return t.value(p), true
}

// write returns what an action puts out, with marks of its line. A field has what it is a field of, and its
// path.
func (t *Tracer) write(place int, v reflect.Value, field ...reflect.Value) (reflect.Value, error) {
	s, ok := printed(v)
	if !ok || strings.Trim(s, blank) == "" {
		return v, nil
	}
	if len(field) == 2 && !HasMarks(s) {
		path, _ := text(field[1])
		if value, ok := t.valueAt(field[0], path, s); ok {
			s = markLines(s, func(int) int { return t.chain(0, value) })
		}
	}
	return reflect.ValueOf(t.through(s, place)), nil
}

var (
	stringerType = reflect.TypeFor[fmt.Stringer]()
	errorType    = reflect.TypeFor[error]()
)

// printed returns the text that package template prints for a value. It is false for values without one:
// nothing, and what cannot be printed.
func printed(v reflect.Value) (string, bool) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() || v.Kind() == reflect.Pointer && prints(v.Type()) {
			break
		}
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	if !prints(v.Type()) {
		switch {
		case v.CanAddr() && prints(reflect.PointerTo(v.Type())):
			v = v.Addr()
		case v.Kind() == reflect.Chan || v.Kind() == reflect.Func:
			return "", false
		}
	}
	return fmt.Sprint(v.Interface()), true
}

func prints(t reflect.Type) bool { return t.Implements(errorType) || t.Implements(stringerType) }

// expanded returns the result of tpl. If only marks are left, the result is empty.
func (t *Tracer) expanded(v reflect.Value) reflect.Value {
	if s, ok := text(v); ok {
		if bare := Strip(s); strings.Trim(bare, blank) == "" {
			return reflect.ValueOf(bare)
		}
	}
	return v
}

// template returns the text of a template for tpl, in which functions compute without marks, too.
func (t *Tracer) template(v reflect.Value) reflect.Value {
	s, ok := text(v)
	if !ok {
		return v
	}
	s = cleanTemplate(s)
	if strings.Contains(s, "{{") {
		if rewritten, err := t.Rewrite("", "tpl", s); err == nil {
			s = rewritten
		}
	}
	return reflect.ValueOf(s)
}

// cleanTemplate returns the text of a template without marks where they would do harm: in actions, and where
// `-}}` removes white space.
func cleanTemplate(s string) string {
	if !HasMarks(s) {
		return s
	}
	var b strings.Builder
	inside, trims := false, false
	eachPart(s, func(part string, m int) {
		if part != "" {
			inside, trims = delimiters(part, inside)
		}
		b.WriteString(part)
		if m > 0 && !inside && !trims {
			b.WriteString(mark(m))
		}
	})
	return b.String()
}

// delimiters returns whether the end of a text is inside an action, and whether it is white space that `-}}`
// removes.
func delimiters(s string, inside bool) (in, trims bool) {
	for {
		delimiter := "{{"
		if inside {
			delimiter = "}}"
		}
		i := strings.Index(s, delimiter)
		if i < 0 {
			break
		}
		trims = inside && strings.HasSuffix(s[:i], "-")
		s = s[i+len(delimiter):]
		inside = !inside
	}
	return inside, !inside && trims && strings.Trim(s, blank) == ""
}

// file returns the text of a file of the chart, with its lines as marks.
func (t *Tracer) file(v reflect.Value) reflect.Value {
	s, ok := text(v)
	if !ok || !utf8.ValidString(s) || HasMarks(s) {
		return v
	}
	name, ok := t.files[s]
	if !ok {
		return v
	}
	return reflect.ValueOf(markLines(s, func(i int) int { return t.chain(0, t.line(name, i+1)) }))
}
