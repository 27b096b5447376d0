package cekit

import (
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// TestPlainScalarsOfCEKit has what CEKit's reader makes of plain scalars.
func TestPlainScalarsOfCEKit(t *testing.T) {
	for text, want := range map[string]string{
		"": "null", "~": "null", "null": "null", "NULL": "null", "nUll": "str",
		"y": "str", "n": "str", "yes": "true", "No": "false", "ON": "true", "off": "false", "tRue": "str",
		"0": "0", "00": "0", "08": "str", "017": "15", "-017": "-15", "0o17": "str", "0x1F": "31", "0X1F": "str", "0b11": "3", "-0b1": "-1",
		"1_000": "1000", "_1": "str", "0_": "0", "0x_": "0", "1__0": "10",
		"1:30": "90", "01:30": "str", "1:60": "str", "1:5:9": "3909", "-1:30": "-90", "1:30.5": "90.5", "190:20:30": "685230",
		"1e3": "str", "12e03": "str", "0123e4": "str", "1.0e+3": "1000.0", "1.0e3": "str", "1.": "1.0", ".5": "0.5", "-.5": "str", ".": "str", "1_0.5": "10.5",
		".inf": ".inf", "-.INF": "-.inf", ".nan": ".nan", "-.nan": "str",
		"2001-01-01": "date", "2001-1-1": "str", "2001-1-1 1:02:03": "date", "2001-01-01T01:02:03Z": "date", "2001-01-01 01:02:03.5 +1:30": "date", "2001-01-01x": "str",
		"9223372036854775808": "9223372036854775808", "-9223372036854775809": "-9.223372036854776e+18",
		"text": "str", "-": "str", "+": "str", "1.2.3": "str",
	} {
		kind, v := pyPlain([]byte(text))
		got := ""
		switch kind {
		case pyNull:
			got = "null"
		case pyStr:
			got = "str"
		case pyDate:
			got = "date"
		case pyFloat:
			got = string(edit.AppendScalar(nil, tree.Of(starlark.Float(v.Float()))))
		default:
			got = string(yaml.AppendValue(nil, v, nil, 0))
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestDestination(t *testing.T) {
	for in, want := range map[string]string{"/": "//", "/x": "/x/", "/x/": "/x/", "rel": "rel/", "/a/../b/./c//": "/b/c/", "//x": "//x/", "": "./"} {
		if got := normalDest(in); got != want {
			t.Errorf("normalDest(%q) = %q, want %q", in, got, want)
		}
	}
}
