package blame

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		note  string
		width int
		want  []string
	}{
		{"= name  -v name=shop", 40, []string{"= name  -v name=shop"}},
		{
			"> app.yml:11  3 = replicas  prod.yml:1", 30,
			[]string{"> app.yml:11  3 = replicas", "  prod.yml:1"},
		},
		{
			"~ a  schema.yml:7 default, b  prod.yml:3  > app.yml:2", 30,
			[]string{"~ a  schema.yml:7 default,", "  b  prod.yml:3  > app.yml:2"},
		},
		{
			"= name  a/very/long/path/that/does/not/fit/values.yml:3", 20,
			[]string{"= name", "  a/very/long/path/that/does/not/fit/values.yml:3"},
		},
		{"? größe  wörter.yml:1  ü.yml:2", 22, []string{"? größe  wörter.yml:1", "  ü.yml:2"}},
	}
	for _, x := range tests {
		if got := wrap(x.note, x.width); !slices.Equal(got, x.want) {
			t.Errorf("%q in %d columns:\n%s\nwant\n%s", x.note, x.width,
				strings.Join(got, "\n"), strings.Join(x.want, "\n"))
		}
	}
}

// FuzzWrap holds wrapping to its laws: no word is lost or broken, and a line is too wide only if it
// is one word.
func FuzzWrap(f *testing.F) {
	f.Add("= name  -v name=shop, b  c.yml:1  > app.yml:11  3 = replicas", 20)
	f.Add("+ x", 1)
	f.Add("a  b", 3)
	f.Add("  = ", 2)
	f.Fuzz(func(t *testing.T, note string, width int) {
		if width < 4 || width > 200 || !utf8.ValidString(note) || strings.ContainsAny(note, "\n\t\r") {
			t.Skip()
		}
		lines := wrap(note, width)
		if got, want := words(strings.Join(lines, " ")), words(note); !slices.Equal(got, want) {
			t.Errorf("words became %q, were %q", got, want)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > width && len(words(line)) > 1 {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
	})
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
}
