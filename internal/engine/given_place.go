package engine

import (
	"bytes"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// markGiven marks the wrong value in a call of with_data_values. All values have the place of the
// call, so it searches the text of the call for the value. If the value is not written there, it
// marks the name of the function.
func markGiven(d *diag.Diagnostic, f *source.File) {
	call, name := textOfCall(f, d.At.Offset())
	for i := range d.Related {
		if d.Related[i].At.Pos == d.At.Pos {
			d.Related[i].At = name
		}
	}
	if d.Word.Text != "" { // the word is known already
		return
	}
	start, end, ok := valueInDict(call, strings.Split(d.Path, "."))
	if !ok {
		d.At = name
		return
	}
	d.At = f.Pos(d.At.Offset() + start).To(d.At.Offset() + end)
}

// textOfCall returns the text of a method call, from the dot to the end of its first argument, and
// the place of the name.
func textOfCall(f *source.File, dot int) ([]byte, source.Span) {
	text := f.Data()[dot:]
	open := bytes.IndexByte(text, '(')
	if open < 1 { // the method has another name
		return nil, f.Pos(dot).To(dot + 1)
	}
	end := open + 1 + len(element(text[open+1:]))
	return text[:end], f.Pos(dot + 1).To(dot + open)
}

// valueInDict finds the value at a path in the text of a dict, key by key, or the last key if no
// value follows it.
func valueInDict(text []byte, keys []string) (start, end int, ok bool) {
	for _, key := range keys {
		at := quoted(text[end:], key)
		if at < 0 {
			return 0, 0, false
		}
		start = end + at
		end = start + len(key) + len(`""`)
	}
	value, isValue := bytes.CutPrefix(bytes.TrimLeft(text[end:], " \t"), []byte(":"))
	if value = bytes.TrimLeft(value, " \t"); !isValue || len(value) == 0 || value[0] == '\n' {
		return start, end, true
	}
	start = len(text) - len(value)
	return start, start + len(bytes.TrimRight(element(value), " \t\r\n")), true
}

// quoted returns the offset of a key as a string in the text, or -1.
func quoted(text []byte, key string) int {
	at := bytes.Index(text, []byte(`"`+key+`"`))
	if single := bytes.Index(text, []byte("'"+key+"'")); at < 0 || single >= 0 && single < at {
		return single
	}
	return at
}

// element returns the text up to the end of an element of a list, of a dict or of arguments.
func element(text []byte) []byte {
	depth, in := 0, byte(0)
	for i, c := range text {
		switch {
		case in != 0:
			if c == in && text[i-1] != '\\' {
				in = 0
			}
		case c == '"' || c == '\'':
			in = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ',' && depth == 0:
			return text[:i]
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return text[:i]
			}
		}
	}
	return text
}
