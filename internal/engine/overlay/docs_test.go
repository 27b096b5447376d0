package overlay_test

import (
	"os"
	"regexp"
	"testing"
)

// reference is the page about overlays.
func reference(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/reference/overlays.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestReferenceExamples(t *testing.T) {
	examples := regexp.MustCompile("(?s)```yaml\n([^`]*?)```\n\nThe result:\n\n```yaml\n(.*?)```").
		FindAllStringSubmatch(reference(t), -1)
	if len(examples) == 0 {
		t.Fatal("found no examples")
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
