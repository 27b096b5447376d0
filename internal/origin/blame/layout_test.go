package blame

import (
	"bufio"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzLayout writes a row for terminals of all widths: no word is lost or broken, and no line is too wide if
// it can be broken. Without a width, a row is a line.
func FuzzLayout(f *testing.F) {
	f.Add("app.yml:8", "    name: a longer text, with many words in it", "= name  values.yml:3  = other", 60)
	f.Add("overlays/labels.yml:10", "      team: platform", "+ overlay overlays/labels.yml:6", 40)
	f.Add("a.yml:1", "a: 1", "", 200)
	f.Add("", "---", "", 1)
	f.Fuzz(func(t *testing.T, place, text, note string, columns int) {
		for _, s := range []string{place, text, note} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
				return
			}
		}
		if columns < 1 || columns > 300 || strings.Contains(place, " ") || strings.HasPrefix(note, " ") {
			return
		}
		rows := []row{{place: place, text: text, note: note}}
		if got := written(rows, 0); strings.Count(got, "\n") != 1 {
			t.Errorf("several lines without a terminal: %q", got)
		}
		got := written(rows, columns)
		if want := strings.Fields(place + " " + text + " " + note); !slices.Equal(strings.Fields(got), want) {
			t.Errorf("the words are %q, want %q", strings.Fields(got), want)
		}
		left := min(utf8.RuneCountInString(place), maxPlace) + 2
		for line := range strings.Lines(got) {
			line = strings.TrimRight(line, " \n")
			if len(line) > max(columns, left+minText) && len(strings.Fields(line)) > 2 {
				t.Errorf("%d columns of %d: %q", len(line), columns, line)
			}
		}
	})
}

func written(rows []row, columns int) string {
	var b strings.Builder
	out := bufio.NewWriter(&b)
	newLayout(rows, columns).write(out, rows, false)
	_ = out.Flush() // writing to a builder cannot fail
	return b.String()
}
