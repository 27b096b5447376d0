package modules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

var jsonModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("json", map[string]function{
		"encode": jsonEncode,
		"decode": ofString(jsonDecode),
	}, nil)
}}

func jsonEncode(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	for _, kv := range kwargs {
		if name := string(kv[0].(starlark.String)); name != "indent" && name != "escape_html" {
			return nil, fmt.Errorf("invalid argument name: %s", name)
		}
	}
	indent, err := indentation(kwargs)
	if err != nil {
		return nil, err
	}
	html, err := flag(kwargs, "escape_html", true)
	if err != nil {
		return nil, err
	}
	v, err := tree.FromStarlark(args[0])
	if err != nil {
		return nil, err
	}
	if err := checkEncoded(thread, v); err != nil {
		return nil, err
	}
	w := jsonWriter{indent: indent, html: html}
	if err := w.value(v, 0); err != nil {
		return nil, err
	}
	return starlark.String(w.dst), nil
}

// jsonWriter writes JSON with sorted keys, so that equal data has equal text, to be hashed or
// compared. yaml.JSONWriter keeps the order of keys.
type jsonWriter struct {
	dst    []byte
	buf    []byte // the text of the current string
	indent int    // 0 means a single line
	html   bool   // escape characters that are special in HTML
}

func (w *jsonWriter) value(v tree.Value, level int) error {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		return w.object(x, level)
	case *tree.Array:
		w.dst = append(w.dst, '[')
		for i, item := range x.Entries() {
			w.entry(i, level+1)
			if err := w.value(item.Value, level+1); err != nil {
				return err
			}
		}
		w.end(']', len(x.Entries()), level)
	case starlark.String:
		w.string(string(x))
	case starlark.Float:
		var ok bool
		if w.dst, ok = yaml.AppendJSONFloat(w.dst, float64(x)); !ok {
			return fmt.Errorf("JSON has no infinity and no NaN, but found %s", FloatText(float64(x)))
		}
	default:
		w.dst = appendScalar(w.dst, v)
	}
	return nil
}

func appendScalar(dst []byte, v tree.Value) []byte {
	scalar, text := v.Scalar()
	return yaml.AppendValue(dst, scalar, text, 0)
}

// object writes a map. A key that is not a string is written as its YAML text, as with --output
// json.
func (w *jsonWriter) object(m *tree.Map, level int) error {
	type entry struct {
		key   string
		value tree.Value
	}
	entries := make([]entry, len(m.Entries()))
	for i, item := range m.Entries() {
		switch key := item.Key.Starlark().(type) {
		case starlark.String:
			entries[i].key = string(key)
		case *tree.Map, *tree.Array:
			return fmt.Errorf("expected keys to be scalars, but found %s", describe(key))
		default:
			entries[i].key = string(appendScalar(nil, item.Key))
		}
		entries[i].value = item.Value
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	w.dst = append(w.dst, '{')
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key {
			return fmt.Errorf("two keys of a map are both written %q in JSON", e.key)
		}
		w.entry(i, level+1)
		w.string(e.key)
		w.dst = append(w.dst, ':')
		if w.indent > 0 {
			w.dst = append(w.dst, ' ')
		}
		if err := w.value(e.value, level+1); err != nil {
			return err
		}
	}
	w.end('}', len(entries), level)
	return nil
}

// entry writes the separator and indentation before entry i of a collection.
func (w *jsonWriter) entry(i, level int) {
	if i > 0 {
		w.dst = append(w.dst, ',')
	}
	w.line(level)
}

// end closes a collection of n entries.
func (w *jsonWriter) end(closing byte, n, level int) {
	if n > 0 {
		w.line(level)
	}
	w.dst = append(w.dst, closing)
}

func (w *jsonWriter) line(level int) {
	if w.indent == 0 {
		return
	}
	w.dst = append(w.dst, '\n')
	for range level * w.indent {
		w.dst = append(w.dst, ' ')
	}
}

// string writes a string. Without escaping for HTML, the special characters are written as they
// are, between the pieces that are encoded.
func (w *jsonWriter) string(s string) {
	w.buf = append(w.buf[:0], s...)
	if w.html || !strings.ContainsAny(s, "<>&") {
		w.dst = yaml.AppendJSONString(w.dst, w.buf)
		return
	}
	w.dst = append(w.dst, '"')
	for rest := w.buf; ; {
		i := slices.IndexFunc(rest, func(c byte) bool { return c == '<' || c == '>' || c == '&' })
		piece := rest
		if i >= 0 {
			piece = rest[:i]
		}
		quote := len(w.dst)
		w.dst = yaml.AppendJSONString(w.dst, piece)
		w.dst = slices.Delete(w.dst, quote, quote+1)
		w.dst = w.dst[:len(w.dst)-1]
		if i < 0 {
			break
		}
		w.dst = append(w.dst, rest[i])
		rest = rest[i+1:]
	}
	w.dst = append(w.dst, '"')
}

// jsonDecode decodes JSON. As in ytt, all numbers become floats, keys are sorted, and messages are
// those of Go's parser.
func jsonDecode(s string) (starlark.Value, error) {
	var x any
	if err := json.Unmarshal([]byte(s), &x); err != nil {
		return nil, err
	}
	if i := loneSurrogate(s); i >= 0 {
		line := 1 + strings.Count(s[:i], "\n")
		return nil, fmt.Errorf(
			"%s in line %d is half of a surrogate pair, and the other half is missing",
			s[i:i+6],
			line,
		)
	}
	return fromGo(x)
}

// loneSurrogate returns the offset in the JSON text s of an escape sequence for half of a surrogate
// pair without the other half, or -1. Go's parser replaces it with U+FFFD. Backslashes occur only
// in strings.
func loneSurrogate(s string) int {
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '\\')
		if j < 0 {
			return -1
		}
		i += j
		switch r := escapedUnit(s, i); {
		case r < 0:
			i += 2
		case !utf16.IsSurrogate(r):
			i += 6
		case utf16.DecodeRune(r, escapedUnit(s, i+6)) == utf8.RuneError:
			return i
		default:
			i += 12
		}
	}
}

// escapedUnit returns the value of the escape sequence \uXXXX at i, or -1 if there is none.
func escapedUnit(s string, i int) rune {
	if len(s) < i+6 || s[i] != '\\' || s[i+1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
