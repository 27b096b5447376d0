package schema

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Read returns the value that a text on a command line means for the type: a number in decimal
// digits, true or false, or null where that is allowed. It returns false for texts that are strings
// for the type, and for texts that are not valid for it.
func (t *Type) Read(text string) (starlark.Value, bool) {
	if t.nullable && text == "null" {
		return starlark.None, true
	}
	if t.kind == unionKind {
		for _, alt := range t.union.alts {
			if x, ok := alt.Read(text); ok || alt.kind == stringKind {
				return x, ok
			}
		}
		return nil, false
	}
	return t.kind.read(text)
}

// read returns the number or boolean of the given kind that a text without quotes means.
func (k kind) read(text string) (starlark.Value, bool) {
	switch k {
	case intKind:
		return readInt(text)
	case floatKind:
		if n, ok := readInt(text); ok {
			return n, true
		}
		return readFloat(text)
	case boolKind:
		return starlark.Bool(text == "true"), text == "true" || text == "false"
	}
	return nil, false
}

// readInt reads an integer that all YAML versions read in the same way, unlike 0644 and 1_000.
func readInt(text string) (starlark.Value, bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	if digits == "" || digits[0] == '0' && digits != "0" || strings.Trim(digits, "0123456789") != "" ||
		len(text) > len(digits)+1 {
		return nil, false
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, false
	}
	return starlark.MakeBigInt(n), true
}

// readFloat reads a finite number with a fraction or an exponent.
func readFloat(text string) (starlark.Value, bool) {
	if strings.Trim(text, "0123456789.eE+-") != "" || !strings.ContainsAny(text, ".eE") {
		return nil, false
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		return nil, false
	}
	return starlark.Float(x), true
}
