package overlay_test

import (
	"os"
	"regexp"
	"testing"
)

// reference is the page about overlays.
func reference(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/reference/overlays.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestReferenceExamples(t *testing.T) {
	examples := regexp.MustCompile("(?s)```yaml\n([^`]*?)```\n\ngives\n\n```yaml\n(.*?)```").FindAllStringSubmatch(reference(t), -1)
	if len(examples) < 2 {
		t.Fatalf("found %d examples", len(examples))
	}
	for _, x := range examples {
		in := evaluate(t, file{"config.yml", x[1]})
		got, err := in.apply()
		if err != nil {
			t.Errorf("%s\nof:\n%s", in.text(err), x[1])
		} else if got != x[2] {
			t.Errorf("got:\n%s\nwant:\n%s", got, x[2])
		}
	}
}

// TestReferenceHasAllCodes holds the table of codes against the code.
func TestReferenceHasAllCodes(t *testing.T) {
	source, err := os.ReadFile("errors.go")
	if err != nil {
		t.Fatal(err)
	}
	inCode := regexp.MustCompile(`diag.Code = "(overlay/[a-z-]+)"`).FindAllSubmatch(source, -1)
	onPage := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(overlay/[a-z-]+)` \\|").FindAllStringSubmatch(reference(t), -1) {
		onPage[m[1]] = true
	}
	for _, m := range inCode {
		if !onPage[string(m[1])] {
			t.Errorf("%s is not on the page", m[1])
		}
		delete(onPage, string(m[1]))
	}
	for code := range onPage {
		t.Errorf("%s is on the page, and nobody says it", code)
	}
	if len(inCode) == 0 {
		t.Error("no codes")
	}
}
