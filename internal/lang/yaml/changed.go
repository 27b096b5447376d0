package yaml

import (
	"bytes"
	"math"

	"weft/internal/lang/source"
)

// Changed are the plain scalars of a tree that YAML 1.1 makes something else of than is written:
// `on` is printed as `true`, `0644` as `420`, `1.10` as `1.1`. Check finds them.
type Changed struct {
	First []ChangedScalar // a few
	Count int
}

// ChangedScalar is one of them.
type ChangedScalar struct {
	At            source.Span
	Text, Becomes string
}

// changedShown is how many of them are kept.
const changedShown = 3

// Add adds those of another tree, which come after these.
func (c *Changed) Add(more Changed) {
	c.Count += more.Count
	c.First = append(c.First, more.First[:min(len(more.First), changedShown-len(c.First))]...)
}

// Changed returns those of the tree, after Check.
func (t *Tree) Changed() Changed { return t.changed }

// isWholeFloat reports whether text is a whole number with a point and nothing but zeros after it.
func isWholeFloat(text []byte) bool {
	whole, part, ok := bytes.Cut(bytes.TrimPrefix(text, []byte("-")), []byte("."))
	return ok && len(whole) > 0 && countDigits(whole) == len(whole) &&
		len(bytes.Trim(part, "0")) == 0
}

// noteChanged counts scalar n, which has no tag and is written as text.
func (t *Tree) noteChanged(n NodeID, text []byte) {
	becomes, ok := changed(text)
	if !ok || isWholeFloat(text) { // `20.0` is the same number for who reads `20`
		return
	}
	if t.changed.Count++; len(t.changed.First) < changedShown {
		t.changed.First = append(
			t.changed.First,
			ChangedScalar{At: t.Span(n), Text: string(text), Becomes: becomes},
		)
	}
}

// suspect reports whether changed has to look at text. Nearly all scalars are words and simple
// numbers, which a few comparisons tell.
func suspect(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch opening[text[0]] {
	case opensWord:
		return len(text) <= len("off")
	case opensNumber:
		if len(text) == 1 {
			return false
		}
		if text[0] == '0' || text[0] == '+' || text[0] == '.' {
			return true
		}
		for _, c := range text[1:] {
			switch {
			case c == '.' || c == '_' || c == 'e' || c == 'E' || c == '0' && text[0] == '-':
				return true
			case c < '0' || c > '9':
				return false
			}
		}
		return len(text) > len("9223372036854775807")
	}
	return false
}

// changed returns what text, a plain scalar without a tag, is printed as, if YAML 1.1 changes it.
// Other spellings of the same thing do not count: True, ~ and 0x1F mean true, null and 31 to
// everybody.
func changed(text []byte) (becomes string, ok bool) {
	v := Compat.Resolve(text)
	switch v.Kind {
	case Bool:
		if Core.Resolve(text).Kind == Bool {
			return "", false
		}
	case Int, Uint:
		if digits, _, _ := cutSign(text); len(digits) > 2 && digits[0] == '0' &&
			(digits[1]|0x20 == 'x' || digits[1]|0x20 == 'o') {
			return "", false
		}
	case Float:
		if f := v.Float(); math.IsInf(f, 0) || math.IsNaN(f) {
			return "", false
		}
	default:
		return "", false
	}
	var room [32]byte
	made := AppendValue(room[:0], v, nil, 0)
	if bytes.Equal(made, text) {
		return "", false
	}
	return string(made), true
}
