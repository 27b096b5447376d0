package override

import (
	"slices"
	"strconv"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// fingerprint returns a text that is the same for two values if and only if they are equal. The
// order of keys does not matter, and identity decides which scalars are equal.
func fingerprint(v tree.Value, identity func([]byte, tree.Value) []byte) string {
	return string(appendFingerprint(nil, v, identity))
}

func appendFingerprint(dst []byte, v tree.Value, identity func([]byte, tree.Value) []byte) []byte {
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		var parts []string
		for _, it := range r.Items(nil, v) {
			parts = append(parts, fingerprint(it.Key, identity)+":"+fingerprint(it.Value, identity))
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
			dst = append(appendFingerprint(dst, it.Value, identity), ',')
		}
		return append(dst, ']')
	}
	return identity(dst, v)
}

// appendIdentity is the identity of scalars in YAML.
func appendIdentity(dst []byte, v tree.Value) []byte {
	val, text := v.Scalar()
	dst = append(dst, "nbiuf\""[val.Kind])
	if val.Kind == yaml.String {
		return strconv.AppendQuote(dst, string(text))
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
