package weft_test

import (
	"os"
	"strings"
	"testing"
)

// TestActionToken: the step of the GitHub action that has the token runs nothing that reads the files
// of a pull request.
func TestActionToken(t *testing.T) {
	text, err := os.ReadFile("integrations/github-action/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, steps, ok := strings.Cut(string(text), "  steps:\n")
	if !ok {
		t.Fatal("the action has no steps")
	}
	posts := 0
	for _, step := range strings.Split("\n"+steps, "\n  - ")[1:] {
		if !strings.Contains(step, "inputs.token") && !strings.Contains(step, "github.token") {
			continue
		}
		posts++
		for _, reads := range []string{"GITHUB_ACTION_PATH", "weft", "inputs.directory"} {
			if strings.Contains(step, reads) {
				t.Errorf("a step with the token has %q:\n%s", reads, step)
			}
		}
	}
	if posts != 1 {
		t.Errorf("%d steps have the token, want 1", posts)
	}
}
