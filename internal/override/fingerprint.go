package override

import (
	"math"
	"slices"
	"strconv"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// fingerprint is a text that two values have in common if and only if they are equal. The order of keys does not count. In Python's eyes true, 1 and
// 1.0 are equal.
func fingerprint(v tree.Value, python bool) string { return string(appendFingerprint(nil, v, python)) }

func appendFingerprint(dst []byte, v tree.Value, python bool) []byte {
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		var parts []string
		for _, it := range r.Items(nil, v) {
			parts = append(parts, fingerprint(it.Key, python)+":"+fingerprint(it.Value, python))
		}
		slices.Sort(parts)
		dst = append(dst, '{')
		for _, p := range parts {
			dst = append(append(dst, p...), ',')
		}
		return append(dst, '}')
	case tree.ArrayKind:
		dst = append(dst, '[')
		for _, it := range r.Items(nil, v) {
			dst = append(appendFingerprint(dst, it.Value, python), ',')
		}
		return append(dst, ']')
	}
	val, text := v.Scalar()
	if python {
		val, text = pythonScalar(v)
	}
	if !python {
		dst = append(dst, "nbiuf\""[val.Kind])
	}
	switch val.Kind {
	case yaml.String:
		return strconv.AppendQuote(dst, string(text))
	case yaml.Bool:
		if python {
			return append(dst, map[bool]byte{false: '0', true: '1'}[val.Bool()])
		}
	case yaml.Float:
		if f := val.Float(); python && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return strconv.AppendInt(dst, int64(f), 10)
		}
	}
	return yaml.AppendValue(dst, val, nil, 0)
}

// isFalse reports whether v counts as false: null, "", 0, false, or an empty collection.
func isFalse(v tree.Value) bool {
	if v.Kind() != tree.ScalarKind {
		return v.Len() == 0
	}
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.String:
		return len(text) == 0
	case yaml.Float:
		return val.Float() == 0
	}
	return val.Kind == yaml.Null || val == yaml.BoolValue(false) || val == yaml.IntValue(0)
}
