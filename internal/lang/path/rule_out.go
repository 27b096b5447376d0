package path

import (
	"bytes"
	"strings"

	"weft/internal/lang/tree"
)

// MayMatchIn reports whether a pattern may match something in v. For values that are still text of a file it
// looks for the keys of the patterns in that text, which is much faster than visiting nodes; it returns true
// if it cannot tell.
func (p *Patterns) MayMatchIn(v tree.Value) bool {
	t, n, ok := v.Syntax()
	if !ok {
		return true
	}
	text := t.Raw(n)
	if !p.lacksKeys(text) {
		return true
	}
	for _, c := range []byte("\\*!") { // keys may be written with escapes, in aliases, or with tags
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return false
}

// lacksKeys reports whether a text lacks a key of each pattern.
func (p *Patterns) lacksKeys(text []byte) bool {
	for i, begin := range p.begins {
		end := len(p.steps)
		if i+1 < len(p.begins) {
			end = p.begins[i+1]
		}
		if hasKeys(text, p.steps[begin:end]) {
			return false
		}
	}
	return true
}

// hasKeys reports whether a text contains the keys of all steps.
func hasKeys(text []byte, steps []step) bool {
	for i := range steps {
		if s := &steps[i]; s.isPlainKey() && !bytes.Contains(text, []byte(s.text)) {
			return false
		}
	}
	return true
}

// isPlainKey reports whether a step leads only to keys whose text is that of the step in every style of
// YAML.
func (s *step) isPlainKey() bool {
	if s.kind != oneKey || s.odd || s.n >= 0 || s.text == "" {
		return false
	}
	isOther := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}
	return strings.IndexFunc(s.text, isOther) < 0
}
