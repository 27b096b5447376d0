package cli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What only one side changed stays, whichever it is; where both changed, the edited text counts.
func TestMerged(t *testing.T) {
	for _, c := range []struct {
		base, now, edited, want string
		line                    int
	}{
		{"a\nb\nc\n", "a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", 0},
		{"a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "A\nB\nc\n", 0},
		{"a\nb\nc\n", "a\nb\nC\n", "a\nB\nc\n", "a\nB\nC\n", 0},
		{"a\nb\nc\n", "a\nX\nc\n", "a\nB\nc\n", "a\nB\nc\n", 2},
		{"a\nb\nc\n", "a\nc\n", "a\nb\nC\n", "a\nC\n", 0},
		{"a\nb\nc\n", "n\na\nb\nc\n", "a\nc\n", "n\na\nc\n", 0},
		{"a\nb\nc\n", "a\nb\nc\nn\n", "a\nb\nC\n", "a\nb\nC\nn\n", 0},
		{"a\nb\nc\n", "n\na\nb\nc\n", "m\na\nb\nc\n", "m\na\nb\nc\n", 1},
		{"a\nb\nc\nd\n", "a\nX\nY\nd\n", "a\nb\nC\nd\n", "a\nb\nC\nd\n", 3},
	} {
		got, line := merged([]byte(c.base), []byte(c.now), []byte(c.edited))
		if string(got) != c.want || line != c.line {
			t.Errorf("%q, %q, %q: got %q in line %d", c.base, c.now, c.edited, got, line)
		}
	}
}

// FuzzMerged checks the laws of merging: a side that did not change anything leaves the other as it is, equal
// sides give what both have, and each line of the result is one of a side. With changes of lines that do not
// touch, the result has all of them.
func FuzzMerged(f *testing.F) {
	f.Add(uint64(1), "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")
	f.Add(uint64(2), "a\na\na", "a\na\n", "\na\na\na\na")
	f.Add(uint64(3), "", "x", "\n")
	f.Fuzz(func(t *testing.T, seed uint64, base, now, edited string) {
		check := func(now, edited, want string) {
			if got, _ := merged([]byte(base), []byte(now), []byte(edited)); string(got) != want {
				t.Errorf("%q, %q, %q: got %q, want %q", base, now, edited, got, want)
			}
		}
		check(base, edited, edited)
		check(now, base, now)
		check(now, now, now)
		got, _ := merged([]byte(base), []byte(now), []byte(edited))
		sides := slices.Concat(linesOf([]byte(now)), linesOf([]byte(edited)))
		for line := range strings.SplitAfterSeq(string(got), "\n") {
			if whole := line == "" || strings.HasSuffix(line, "\n"); whole && line != "" && !slices.Contains(sides, line) {
				t.Errorf("%q, %q, %q: %q is a line of neither side", base, now, edited, line)
			}
		}
		for i := range uint64(20) {
			checkMergedBoth(t, rand.New(rand.NewPCG(seed, i)))
		}
	})
}

// checkMergedBoth merges changes of lines that do not touch.
func checkMergedBoth(t *testing.T, r *rand.Rand) {
	var base, want []string
	now, edited := []string{}, []string{}
	for i := range 3 + r.IntN(20) {
		line := fmt.Sprintf("line %d\n", i)
		base = append(base, line)
		mine, theirs := []string{line}, []string{line}
		if i%2 == 0 { // lines between stay
			switch r.IntN(5) {
			case 0:
				theirs = nil
			case 1:
				theirs = []string{fmt.Sprintf("now %d\n", i), "more\n"}
			case 2:
				mine = []string{fmt.Sprintf("edited %d\n", i)}
			case 3:
				mine = nil
			}
		}
		now, edited = append(now, theirs...), append(edited, mine...)
		if slices.Equal(mine, []string{line}) {
			mine = theirs
		}
		want = append(want, mine...)
	}
	text := func(lines []string) []byte { return []byte(strings.Join(lines, "")) }
	got, line := merged(text(base), text(now), text(edited))
	if string(got) != string(text(want)) || line != 0 {
		t.Fatalf("%q, %q, %q: got %q in line %d", base, now, edited, got, line)
	}
}
