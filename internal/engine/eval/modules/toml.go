package modules

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"go.starlark.net/starlark"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

var tomlModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("toml", map[string]function{
		"encode": tomlEncode,
		"decode": ofString(tomlDecode),
	}, nil)
}}

func tomlEncode(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(1, args); err != nil {
		return nil, err
	}
	indent, err := indentation(kwargs)
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
	m, ok := v.Map()
	if !ok {
		return nil, fmt.Errorf("expected a map, because a TOML document is a table, but was "+
			"%s", args[0].Type())
	}
	table, err := toTable(m, 1)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	if indent > 0 { // 0 means the default of two, as in ytt
		e.Indent = strings.Repeat(" ", indent)
	}
	if err := e.Encode(table); err != nil {
		return nil, err
	}
	return starlark.String(b.String()), nil
}

func toTable(m *tree.Map, depth int) (map[string]any, error) {
	table := make(map[string]any, len(m.Entries()))
	for _, item := range m.Entries() {
		key, ok := item.Key.Starlark().(starlark.String)
		if !ok {
			return nil, fmt.Errorf(
				"expected keys to be strings, but found %s",
				describe(item.Key.Starlark()),
			)
		}
		v, err := toTOML(item.Value, depth+1)
		if err != nil {
			return nil, err
		}
		table[string(key)] = v
	}
	return table, nil
}

// toTOML converts v for the encoder. It omits keys whose value is nil.
func toTOML(v tree.Value, depth int) (any, error) {
	if depth > maxTOMLDepth {
		return nil, errTOMLDepth()
	}
	switch x := v.Starlark().(type) {
	case *tree.Map:
		return toTable(x, depth)
	case *tree.Array:
		list := make([]any, len(x.Entries()))
		for i, item := range x.Entries() {
			e, err := toTOML(item.Value, depth+1)
			if err != nil {
				return nil, err
			}
			if e == nil {
				return nil, fmt.Errorf("TOML has no null, but item %d of an array is null", i)
			}
			list[i] = e
		}
		return list, nil
	case starlark.Bool:
		return bool(x), nil
	case starlark.Int:
		i, ok := x.Int64()
		if !ok {
			return nil, fmt.Errorf("integer %s is out of range: TOML takes integers from -2^63 to 2^63-1", x)
		}
		return i, nil
	case starlark.Float:
		return float64(x), nil
	case starlark.String:
		return string(x), nil
	}
	return nil, nil
}

// maxTOMLDepth is the maximum nesting of tables and arrays. The library takes quadratic time for
// nested tables because it writes their names in full, so a text of a few kilobytes could take
// minutes.
const maxTOMLDepth = 200

func errTOMLDepth() error {
	return fmt.Errorf("tables and arrays are nested more than %d levels deep", maxTOMLDepth)
}

func tomlDecode(s string) (starlark.Value, error) {
	if !shallow(s) {
		return nil, errTOMLDepth()
	}
	var table map[string]any
	if _, err := toml.Decode(s, &table); err != nil {
		return nil, err
	}
	return fromGo(table)
}

// shallow reports whether the brackets and dotted keys of a TOML text stay within the limit. It
// only knows what strings and comments are, because the library stops at the first mistake in a
// text.
func shallow(s string) bool {
	var around []int // for each open bracket, the levels of the key before it
	depth, dots := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '#':
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = skipTOMLString(s, i) - 1
		case '[', '{':
			around = append(around, dots+1)
			depth += dots + 1
			dots = 0
		case ']', '}':
			if n := len(around); n > 0 {
				depth -= around[n-1]
				around = around[:n-1]
			}
		case '.':
			dots++
		case ',', '\n':
			dots = 0
		}
		if depth+dots > maxTOMLDepth {
			return false
		}
	}
	return true
}

// skipTOMLString returns the offset after the string whose first quote is at i.
func skipTOMLString(s string, i int) int {
	quote, escapes := s[i], s[i] == '"'
	triple := strings.Repeat(s[i:i+1], 3)
	long := strings.HasPrefix(s[i:], triple)
	i++
	if long {
		i += 2
	}
	for ; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case long && strings.HasPrefix(s[i:], triple):
			i += 3
			for range 2 { // up to two quotes that belong to the text may precede the closing ones
				if i < len(s) && s[i] == quote {
					i++
				}
			}
			return i
		case !long && (s[i] == quote || s[i] == '\n'):
			return i + 1
		}
	}
	return len(s)
}

// timeText returns a date or time in TOML syntax. The parser marks those without an offset by the
// name of their location.
func timeText(t time.Time) string {
	switch t.Location().String() {
	case "datetime-local":
		return t.Format("2006-01-02T15:04:05.999999999")
	case "date-local":
		return t.Format(time.DateOnly)
	case "time-local":
		return t.Format("15:04:05.999999999")
	}
	return t.Format(time.RFC3339Nano)
}
