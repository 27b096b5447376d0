package process

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"weft"
)

func TestFold(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"  ~ Deployment/web  spec.replicas: 1 → 2\n", "  ~ Deployment/web\n      spec.replicas:\n      1 → 2\n"},
		{"\x1b[1mone two\x1b[0m three four five\n", "\x1b[1mone two\x1b[0m three four\n    five\n"},
		{"a-word-that-is-too-long-for-it b\n", "a-word-that-is-too-long-for-it\n    b\n"},
		{"  ~ a-word-that-is-too-long-for-it\n", "  ~ a-word-that-is-too-long-for-it\n"},
		{"no end of line", "no end of line"},
	} {
		if got := string(fold([]byte(tt.text), 20)); got != tt.want {
			t.Errorf("%q became\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

// FuzzFold folds texts: no word is lost or broken, no line is too wide if it can be broken, and a text that
// fits stays as it is.
func FuzzFold(f *testing.F) {
	f.Add("  ~ Deployment/web  spec.replicas: 1 → 2\n", 20)
	f.Add("one two three\nfour", 9)
	f.Fuzz(func(t *testing.T, text string, width int) {
		odd := strings.ContainsAny(text, "\x1b\r\t\v\f\u0085\u00a0")
		if width < 20 || width > 200 || !utf8.ValidString(text) || odd {
			return
		}
		got := string(fold([]byte(text), width))
		if !slices.Equal(strings.Fields(got), strings.Fields(text)) {
			t.Errorf("the words are %q, want %q", strings.Fields(got), strings.Fields(text))
		}
		fits := true
		for line := range strings.Lines(text) {
			fits = fits && utf8.RuneCountInString(strings.TrimRight(line, "\n")) <= width
		}
		if fits && got != text {
			t.Errorf("%q became %q", text, got)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimRight(line, " \n")
			gap := strings.LastIndex(line, " ")
			if utf8.RuneCountInString(line) > width && strings.TrimSpace(line[:max(0, gap)]) != "" &&
				utf8.RuneCountInString(line[:gap]) > width {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
	})
}

// A secret is hidden before lines are folded: in two parts, it would not be found.
func TestFoldedSecret(t *testing.T) {
	var msg Messages
	msg.Redactor = &weft.Redactor{}
	_, err := weft.Render(weft.WithRedactor(context.Background(), msg.Redactor), weft.Options{Files: []weft.File{{
		Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n#@schema/secret\npassword: correct horse battery\n"),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := reportWriter{w: &out, msg: &msg, columns: 20}
	if _, err := w.Write([]byte("the password is correct horse battery\n")); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, "horse") || !strings.Contains(got, "password is") {
		t.Errorf("got %q", got)
	}
}
