package help

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFold holds folding to its laws: no word is lost, and a line is too wide only if it is one
// word.
func FuzzFold(f *testing.F) {
	f.Add("read PATH: a file, a directory, or - for standard input", 20)
	f.Add("größe und\twörter\n", 5)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		lines := Fold(text, width)
		if got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(text); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("%q became %q", text, lines)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > width && len(strings.Fields(line)) > 1 {
				t.Fatalf("%q in %d columns: %q", text, width, line)
			}
		}
	})
}
