package weft_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	goBlock  = regexp.MustCompile("(?s)```go\n(.*?)```\n")
	goSource = regexp.MustCompile("<!-- code: ([^\n]*) -->\n+$")
)

// TestGoInDocs finds each block of Go code in the documentation in the file that the comment above it names, so
// that what readers copy compiles and runs. Indentation may differ.
func TestGoInDocs(t *testing.T) {
	blocks := 0
	for _, page := range docPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goBlock.FindAllStringSubmatchIndex(string(text), -1) {
			blocks++
			source := goSource.FindStringSubmatch(string(text[:m[0]]))
			if source == nil {
				t.Errorf("%s: no comment <!-- code: FILE --> above the Go code", page)
				continue
			}
			code, err := os.ReadFile(source[1])
			if err != nil {
				t.Fatal(err)
			}
			block := string(text[m[2]:m[3]])
			if !strings.Contains(withoutIndent(string(code)), "\n"+withoutIndent(block)) {
				t.Errorf("%s: %s does not have\n%s", page, source[1], block)
			}
		}
	}
	if blocks == 0 {
		t.Error("found no Go code in the documentation")
	}
}

func withoutIndent(code string) string {
	lines := strings.SplitAfter(code, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "")
}

// TestReadmeIsShort has README.md lead readers to eight pages, and have the two commands for a fresh clone.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?:^|[^!])\[[^\]]*\]\([^)]*\)`).FindAllString(string(text), -1)
	if len(links) != 8 {
		t.Errorf("got %d links, want 8: %q", len(links), links)
	}
	for _, command := range []string{"go run ./cmd/weft -f examples/quickstart", "go test ./..."} {
		if !strings.Contains(string(text), "\n\n    "+command+"\n\n") {
			t.Errorf("README.md does not have the command %q in a separate block", command)
		}
	}
}
