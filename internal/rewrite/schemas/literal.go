package schemas

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// quoted returns a text as a literal of weft's Starlark, which has no \u: characters that are not shown
// are written as their bytes.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		}
	}
	return b.String() + `"`
}

// starlarkOf returns a value as a literal of Starlark, on one line.
func starlarkOf(v tree.Value) string {
	var items []string
	for _, it := range v.Entries() {
		text := starlarkOf(it.Value)
		if v.Kind() == tree.MapKind {
			text = starlarkOf(it.Key) + ": " + text
		}
		items = append(items, text)
	}
	switch v.Kind() {
	case tree.MapKind:
		return "{" + strings.Join(items, ", ") + "}"
	case tree.ArrayKind:
		return "[" + strings.Join(items, ", ") + "]"
	}
	if s, ok := starlark.AsString(v.Starlark()); ok {
		return quoted(s)
	}
	return v.Starlark().String()
}

// isPlain reports whether a value can be written as a literal of Starlark: it has neither infinite
// numbers, nor texts that are not UTF-8, nor keys that are not strings.
func isPlain(v tree.Value) bool {
	switch v.Kind() {
	case tree.MapKind:
		seen := map[string]bool{}
		for _, it := range v.Entries() {
			key, ok := starlark.AsString(it.Key.Starlark())
			if !ok || seen[key] || !utf8.ValidString(key) || !isPlain(it.Value) {
				return false
			}
			seen[key] = true
		}
		return true
	case tree.ArrayKind:
		for item := range v.Elements() {
			if !isPlain(item) {
				return false
			}
		}
		return true
	}
	switch x := v.Starlark().(type) {
	case starlark.Float:
		return !math.IsInf(float64(x), 0) && !math.IsNaN(float64(x))
	case starlark.String:
		return utf8.ValidString(string(x))
	case starlark.NoneType, starlark.Bool, starlark.Int:
		return true
	}
	return false
}

// inYAML returns what follows a key or a dash in column indent: a space and the value, or the value on the
// next lines. All YAML parsers read it the same way.
func inYAML(v tree.Value, indent int) string {
	if v.Kind() == tree.ScalarKind {
		return " " + scalarInYAML(v, indent)
	}
	if v.Len() == 0 {
		if v.Kind() == tree.MapKind {
			return " {}"
		}
		return " []"
	}
	var b strings.Builder
	dash, more := "", indent
	if v.Kind() == tree.ArrayKind {
		dash, more = "-", max(indent, 0) // indent is negative for the root
	} else {
		more += 2
	}
	for _, it := range v.Entries() {
		b.WriteString("\n" + strings.Repeat(" ", more))
		if dash == "" {
			b.WriteString(keyText(it.Key) + ":" + inYAML(it.Value, more))
			continue
		}
		below := inYAML(it.Value, more)
		if it.Value.Kind() == tree.ArrayKind && it.Value.Len() > 0 {
			below = inYAML(it.Value, more+2) // a list below a dash is further to the right
		}
		if first, ok := strings.CutPrefix(below, "\n"+strings.Repeat(" ", more+2)); ok {
			below = " " + first
		}
		b.WriteString(dash + below)
	}
	return b.String()
}

// scalarInYAML returns a scalar below a key or a dash whose column is indent.
func scalarInYAML(v tree.Value, indent int) string {
	switch x := v.Starlark().(type) {
	case starlark.Float:
		return floatText(float64(x))
	case starlark.String:
		return stringInYAML(string(x), indent)
	}
	val, text := v.Scalar()
	return string(yaml.AppendValue(nil, val, text, indent+2))
}

// stringInYAML returns a text as YAML. The empty text is in double quotes, as in most examples.
func stringInYAML(s string, indent int) string {
	if s == "" {
		return `""`
	}
	text := yaml.AppendString(nil, []byte(s), indent+2)
	if bytes.ContainsAny(text, "\r\u0085\u2028\u2029") || text[0] == '|' && !blockIsSafe(s) {
		text = yaml.AppendDouble(nil, []byte(s))
	}
	return string(text)
}

// blockIsSafe reports whether all parsers read a text the same way if it is written as a block scalar.
func blockIsSafe(s string) bool {
	return !strings.HasPrefix(s, " ") && !strings.HasPrefix(s, "\n") && !strings.ContainsRune(s, '\t')
}

// floatText returns a float with a point or an exponent, so that it is not read as an integer.
func floatText(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return string(yaml.AppendFloat(nil, f))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// keyText returns a key as YAML. It may be a number or a boolean.
func keyText(key tree.Value) string {
	if s, ok := starlark.AsString(key.Starlark()); ok {
		return keyInYAML(s)
	}
	return scalarInYAML(key, 0)
}

// keyInYAML returns a string as the YAML of a key.
func keyInYAML(key string) string {
	if key == "" {
		return `""`
	}
	if yaml.QuotingOf([]byte(key)) == yaml.AsPlain && !strings.ContainsAny(key, "<=:#?[]{},&*!|>'\"%@`") {
		return key
	}
	return string(yaml.AppendDouble(nil, []byte(key)))
}

// maxKey is the maximum length of a key: readers of YAML take up to 1024 characters.
const maxKey = 500

// asFloat returns a number as a float, and other values as they are.
func asFloat(v tree.Value) tree.Value {
	if x, ok := v.Starlark().(starlark.Int); ok {
		return tree.Of(x.Float())
	}
	return v
}

// asInt returns a float without a fraction as an integer, as JSON Schema reads it.
func asInt(v tree.Value) tree.Value {
	x, ok := v.Starlark().(starlark.Float)
	if !ok || float64(x) != math.Trunc(float64(x)) || math.Abs(float64(x)) >= 1<<53 {
		return v
	}
	return number(int(x))
}

// number returns an integer as a value.
func number(n int) tree.Value { return tree.Of(starlark.MakeInt(n)) }

// truth returns a boolean as a value.
func truth(b bool) tree.Value { return tree.Of(starlark.Bool(b)) }

// emptyMap returns a map without items.
func emptyMap() tree.Value { return tree.Of(tree.NewMap(nil, source.Pos{})) }

// takesKey reports whether a map with arbitrary keys allows a key. Without a pattern, only `_` is
// forbidden.
func takesKey(pattern, key string) bool {
	if pattern == "" {
		return key != restKey
	}
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(key)
}

// restKey stands for other keys in a schema.
const restKey = "_"
