package yaml

import (
	"bytes"
	"math"

	"weft/internal/lang/source"
)

// Changed lists the plain scalars of a tree that YAML 1.1 prints differently from how they are
// written: `on` as `true`, `0644` as `420`, `1.10` as `1.1`. Check finds them.
type Changed struct {
	First []ChangedScalar // at most changedShown
	Count int
}

// ChangedScalar is a plain scalar that is printed differently from how it is written.
type ChangedScalar struct {
	At            source.Span
	Text, Printed string
}

// changedShown is the number of scalars in Changed.First, so that messages can name a few.
const changedShown = 3

// Add appends the scalars of another tree, whose text follows.
func (c *Changed) Add(more Changed) {
	c.Count += more.Count
	c.First = append(c.First, more.First[:min(len(more.First), changedShown-len(c.First))]...)
}

// Changed returns the changed scalars of the tree. Call Check first.
func (t *Tree) Changed() Changed { return t.changed }

// isWholeFloat reports whether text is a whole number followed by a point and zeros only.
func isWholeFloat(text []byte) bool {
	whole, part, ok := bytes.Cut(bytes.TrimPrefix(text, []byte("-")), []byte("."))
	return ok && len(whole) > 0 && countDigits(whole) == len(whole) &&
		len(bytes.Trim(part, "0")) == 0
}

// noteChanged records scalar n, which has no tag, if it is printed differently from text.
func (t *Tree) noteChanged(n NodeID, text []byte) {
	becomes, ok := changed(text)
	if !ok || isWholeFloat(text) || t.isFileMode(n, text) { // people who write `20.0` expect 20
		return
	}
	if t.changed.Count++; len(t.changed.First) < changedShown {
		t.changed.First = append(
			t.changed.First,
			ChangedScalar{At: t.Span(n), Text: string(text), Printed: becomes},
		)
	}
}

// isFileMode reports whether scalar n is an octal number with a name that ends in mode, such as
// `defaultMode: 0644`. People who write it expect 420, and so do all programs that take a number.
func (t *Tree) isFileMode(n NodeID, text []byte) bool {
	if len(text) < 4 || text[0] != '0' || countDigits(text) != len(text) || n == 0 {
		return false
	}
	key := &t.nodes[n-1]
	return key.kind == Scalar && key.next == n && t.IsItem(n-1) && !t.IsItem(n) &&
		(bytes.HasSuffix(t.Text(n-1), []byte("mode")) || bytes.HasSuffix(t.Text(n-1), []byte("Mode")))
}

// suspect reports whether text needs a call of changed. Nearly all scalars are words or simple
// numbers, and a few comparisons rule them out.
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

// changed returns the printed form of text, a plain scalar without a tag, if YAML 1.1 changes its
// value. Other spellings of the same value do not count: all versions read True, ~ and 0x1F as
// true, null and 31.
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
	printed := AppendValue(room[:0], v, nil, 0)
	if bytes.Equal(printed, text) {
		return "", false
	}
	return string(printed), true
}
