package jsonschema

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// typeOf returns the type of a value. An integer is a number too.
func typeOf(v tree.Value) types {
	switch v.Kind() {
	case tree.MapKind:
		return objectType
	case tree.ArrayKind:
		return arrayType
	}
	switch val, _ := v.Scalar(); val.Kind {
	case yaml.Null:
		return nullType
	case yaml.Bool:
		return booleanType
	case yaml.Int, yaml.Uint:
		return integerType | numberType
	case yaml.Float:
		if f := val.Float(); f == math.Trunc(f) && !math.IsInf(f, 0) {
			return integerType | numberType
		}
		return numberType
	}
	return stringType
}

// keywordType returns the type of a keyword's value. Numbers in schemas may be as large as in JSON: those
// beyond the range of floats, which are strings as data values, are numbers too.
func keywordType(v tree.Value) types {
	is := typeOf(v)
	t, n, ok := v.Syntax()
	if is != stringType || !ok || t.Style(n) != yaml.Plain {
		return is
	}
	if _, err := strconv.ParseFloat(v.Text(), 64); !errors.Is(err, strconv.ErrRange) {
		return is
	}
	switch r, ok := new(big.Rat).SetString(v.Text()); {
	case !ok: // more than a million digits
		return is
	case !r.IsInt():
		return numberType
	}
	return integerType | numberType
}

// compare compares two numbers.
func compare(a, b tree.Value) int {
	x, _ := a.Scalar()
	y, _ := b.Scalar()
	if x.Kind == yaml.Int && y.Kind == yaml.Int {
		switch {
		case x.Int() < y.Int():
			return -1
		case x.Int() > y.Int():
			return 1
		}
		return 0
	}
	if x.Kind == yaml.Float && math.IsInf(x.Float(), 0) {
		return int(math.Copysign(1, x.Float()))
	}
	return rational(a).Cmp(rational(b))
}

// rational returns the exact value of a number as written, which a float may only approximate.
func rational(v tree.Value) *big.Rat {
	if r, ok := new(big.Rat).SetString(v.Text()); ok {
		return r
	}
	return new(big.Rat)
}

// isMultiple reports whether a number is a multiple of another.
func isMultiple(v, of tree.Value) bool {
	by := rational(of)
	return by.Sign() == 0 || new(big.Rat).Quo(rational(v), by).IsInt()
}

// canonical returns the same text for values that JSON Schema considers equal: the order of fields
// does not matter, and 1 equals 1.0.
func canonical(v tree.Value) string {
	var b strings.Builder
	writeCanonical(&b, v)
	return b.String()
}

func writeCanonical(b *strings.Builder, v tree.Value) {
	switch v.Kind() {
	case tree.MapKind:
		fields := map[string]tree.Value{}
		for _, it := range v.Entries() {
			fields[tree.KeyText(it.Key)] = it.Value
		}
		b.WriteByte('{')
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			b.WriteString(strconv.Quote(key) + ":")
			writeCanonical(b, fields[key])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case tree.ArrayKind:
		b.WriteByte('[')
		for x := range v.Elements() {
			writeCanonical(b, x)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	default:
		writeScalar(b, v)
	}
}

func writeScalar(b *strings.Builder, v tree.Value) {
	switch val, text := v.Scalar(); val.Kind {
	case yaml.String:
		b.WriteString(strconv.Quote(string(text)))
	case yaml.Float:
		if f := val.Float(); math.IsInf(f, 0) || math.IsNaN(f) {
			b.WriteString(v.Text())
			return
		}
		b.WriteString(rational(v).RatString())
	default:
		b.WriteString(v.Text())
	}
}
