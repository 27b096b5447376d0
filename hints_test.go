package weft_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/testing/cases"
)

// TestHintsLead follows hints. Each archive in testdata/hints begins with a mistake as people
// make it. The lines of its part `hint` must appear on standard error; those that begin with "+ "
// must also appear in the files after it, which replace the files of the same name. The repaired
// run must print nothing on standard error and give want.yaml.
func TestHintsLead(t *testing.T) {
	cases.Each(t, "testdata/hints/*.txtar", func(t *testing.T, path string) {
		a := cases.Archive(t, path)
		mistake, repaired := &txtar.Archive{}, map[string][]byte{}
		var told []string
		for _, f := range a.Files {
			switch {
			case f.Name == "hint":
				told = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			case f.Name == yamlPart:
			case told == nil:
				mistake.Files = append(mistake.Files, f)
			default:
				repaired[f.Name] = f.Data
			}
		}
		_, stderr, _ := runGolden(t, mistake)
		follow := follows(t, told, string(stderr))
		right := &txtar.Archive{}
		var all string
		for _, f := range mistake.Files {
			if data, ok := repaired[f.Name]; ok {
				f.Data = data
				all += string(data)
			}
			right.Files = append(right.Files, f)
		}
		for _, text := range follow {
			if !strings.Contains(all, text) {
				t.Errorf("the hint is not followed: %s", text)
			}
		}
		stdout, stderr, code := runGolden(t, right)
		if code != 0 || len(stderr) > 0 {
			t.Errorf("with the hint, exit code %d:\n%s", code, stderr)
		}
		if diff := cmp.Diff(string(stdout), string(part(a, yamlPart))); diff != "" {
			t.Errorf("with the hint (-got +want):\n%s", diff)
		}
	})
}

// follows are the lines that the repaired files have to have, once all lines are known to be told.
func follows(t *testing.T, lines []string, stderr string) []string {
	t.Helper()
	var follow []string
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, "+ ")
		if ok {
			follow = append(follow, text)
		}
		if !strings.Contains(stderr, text) {
			t.Errorf("not told: %s\nbut:\n%s", text, stderr)
		}
	}
	return follow
}
