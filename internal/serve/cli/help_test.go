package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"weft/internal/serve/cli/process"
)

// The help of weft is 25 lines at most, also on a narrow terminal.
func TestHelpFits(t *testing.T) {
	for _, columns := range []string{"60", "80", ""} {
		t.Setenv("COLUMNS", columns)
		var out bytes.Buffer
		Main([]string{"--help"}, strings.NewReader(""), &out, io.Discard)
		if n := strings.Count(out.String(), "\n"); n > 25 || n < 20 {
			t.Errorf("COLUMNS=%s: %d lines\n%s", columns, n, out.String())
		}
	}
}

// Help is as wide as the terminal, within bounds. Only examples, which are pasted, keep their lines.
func TestHelpWidth(t *testing.T) {
	for columns, want := range map[string]int{"60": 60, "20": 56, "300": 100, "": 100, "x": 100} {
		t.Setenv("COLUMNS", columns)
		for _, args := range [][]string{{"--help"}, {"help", "diff"}, {"help", "secrets"}} {
			var out bytes.Buffer
			if code := Main(args, strings.NewReader(""), &out, io.Discard); code != process.ExitOK {
				t.Fatalf("%v: exit code %d", args, code)
			}
			before, rest, _ := strings.Cut(out.String(), "\nExamples:\n")
			_, after, _ := strings.Cut(rest, "\n\n")
			widest := 0
			for line := range strings.Lines(before + after) {
				n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
				if !strings.Contains(strings.TrimSpace(line), " ") {
					continue // one word, which is not broken
				}
				widest = max(widest, n)
			}
			if widest > want || columns == "60" && widest < 50 {
				t.Errorf("COLUMNS=%s weft %v: %d columns", columns, args, widest)
			}
		}
	}
}
