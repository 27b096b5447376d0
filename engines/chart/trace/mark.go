package trace

import (
	"strings"
	"unicode/utf8"
)

// A mark is two characters that no text has next to each other: one from U+F0000 and one from U+100000 on,
// which are for private use, with 15 bits of a number each.
const (
	markHigh = 0xf0000
	markLow  = 0x100000
	markBits = 15
	markSize = 8      // bytes
	markByte = '\xf3' // begins all marks
)

// mark returns the mark with a number.
func mark(n int) string {
	return string([]rune{markHigh + rune(n>>markBits), markLow + rune(n&(1<<markBits-1))})
}

// markAt returns the number of the mark that a text begins with.
func markAt(s string) (int, bool) {
	if len(s) < markSize || s[0] != markByte {
		return 0, false
	}
	high, _ := utf8.DecodeRuneInString(s)
	low, _ := utf8.DecodeRuneInString(s[markSize/2:])
	h, l := int(high)-markHigh, int(low)-markLow
	if h < 0 || h >= 1<<markBits || l < 0 || l >= 1<<markBits {
		return 0, false
	}
	return h<<markBits | l, true
}

// HasMarks reports whether a text has what looks like a mark.
func HasMarks(s string) bool {
	for {
		i := strings.IndexByte(s, markByte)
		if i < 0 {
			return false
		}
		if _, ok := markAt(s[i:]); ok {
			return true
		}
		s = s[i+1:]
	}
}

// Strip returns a text without its marks.
func Strip(s string) string {
	if !HasMarks(s) {
		return s
	}
	var b strings.Builder
	eachPart(s, func(text string, _ int) { b.WriteString(text) })
	return b.String()
}

// eachPart calls f with each part of a text and the mark that follows it, which is 0 at the end.
func eachPart(s string, f func(text string, mark int)) {
	from := 0
	for i := 0; i < len(s); {
		next := strings.IndexByte(s[i:], markByte)
		if next < 0 {
			break
		}
		i += next
		n, ok := markAt(s[i:])
		if !ok {
			i++
			continue
		}
		f(s[from:i], n)
		i += markSize
		from = i
	}
	f(s[from:], 0)
}

// split returns a line without marks, and its marks.
func (t *Tracer) split(line string) (string, []int) {
	if !HasMarks(line) {
		return line, nil
	}
	var b strings.Builder
	var marks []int
	eachPart(line, func(text string, mark int) {
		b.WriteString(text)
		if mark > 0 && mark < len(t.chains) {
			marks = append(marks, mark)
		}
	})
	return b.String(), marks
}

// blank are the characters that marks do not follow, so that lines with nothing else have no marks.
const blank = " \t\r\n\v\f"

// markLines adds a mark after the last character of each line that is not blank. The mark has the number that
// number returns for the index of the line, or none for 0.
func markLines(s string, number func(i int) int) string {
	var b strings.Builder
	i := 0
	for line := range strings.SplitAfterSeq(s, "\n") {
		end := len(strings.TrimRight(line, blank))
		b.WriteString(line[:end])
		if end > 0 {
			if n := number(i); n != 0 {
				b.WriteString(mark(n))
			}
		}
		b.WriteString(line[end:])
		i++
	}
	return b.String()
}

// through returns a text that was put out at a place: marks get the place as the outermost, and lines without
// marks get the place alone.
func (t *Tracer) through(s string, place int) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(s, "\n") {
		if !HasMarks(line) {
			b.WriteString(markLines(line, func(int) int { return t.chain(0, place) }))
			continue
		}
		eachPart(line, func(text string, m int) {
			b.WriteString(text)
			if m > 0 && m < len(t.chains) {
				b.WriteString(mark(t.chain(m, place)))
			}
		})
	}
	return b.String()
}
