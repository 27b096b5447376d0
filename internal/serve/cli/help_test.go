package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"weft/docs"
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

// The page for agents has a header that YAML parsers read, all commands and all topics, and is one page.
func TestSkill(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"help", "--skill"}, strings.NewReader(""), &out, &errs); code != process.ExitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	parts := strings.SplitN(out.String(), "---\n", 3)
	var header struct{ Name, Description string }
	if len(parts) != 3 || yaml.Unmarshal([]byte(parts[1]), &header) != nil {
		t.Fatalf("no header:\n%s", out.String())
	}
	if header.Name != "weft" || !strings.HasSuffix(header.Description, "check the change.") {
		t.Errorf("the header is %+v", header)
	}
	for _, name := range shownNames() {
		if !strings.Contains(parts[2], "\n- `weft "+name) {
			t.Errorf("the command %s is missing", name)
		}
	}
	for _, name := range docs.Topics() {
		if !strings.Contains(parts[2], "\n- `"+name+"`: ") {
			t.Errorf("the topic %s is missing", name)
		}
	}
	if n := strings.Count(out.String(), "\n"); n > 100 {
		t.Errorf("%d lines are more than a page", n)
	}
	if strings.Contains(out.String(), "](../") {
		t.Error("it has links that lead nowhere")
	}
	if code := Main([]string{"help", "--skill", "render"}, strings.NewReader(""), io.Discard, &errs); code != 2 ||
		!strings.Contains(errs.String(), "--skill is one page about weft: remove 'render'") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
