package editortest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"weft/editors/editortest"
)

// conversation is what the official client has seen.
type conversation struct {
	Capabilities map[string]json.RawMessage
	Checks       int
	Problems     []string
	Answers      map[string]json.RawMessage
	Own          map[string]json.RawMessage
	Diagnostics  map[string][]diagnostic
	After        []diagnostic
	Exit         any
}

type diagnostic struct {
	Range struct {
		Start struct{ Line, Character int }
	}
	Code    string
	Source  string
	Message string
}

// converse lets the official client talk to weft lsp, and the compiler check what it was sent.
func converse(t *testing.T, encoding string) conversation {
	t.Helper()
	node := editortest.Program(t, "node")
	modules := absolute(t, "node_modules")
	if _, err := os.Stat(modules); err != nil {
		editortest.Missing(t, "npm ci has not been run in editors/editortest")
	}
	out := t.TempDir()
	var c conversation
	editortest.Run(t, &c, ".", nil, node, filepath.Join("testdata", "oracle.mjs"),
		editortest.Weft(t), editortest.Project(t), out, encoding)
	if err := os.Symlink(modules, filepath.Join(out, "node_modules")); err != nil {
		t.Fatal(err)
	}
	tsc := exec.Command(node, filepath.Join(modules, "typescript", "bin", "tsc"), "--noEmit", "--strict",
		"--skipLibCheck", "--target", "es2022", "--module", "preserve", "--types", "node", "check.ts")
	tsc.Dir = out
	if text, err := tsc.CombinedOutput(); err != nil {
		t.Errorf("the types of the protocol do not allow what the server sends: %v\n%s%s", err, text,
			excerpt(t, filepath.Join(out, "check.ts"), string(text)))
	}
	return c
}

// excerpt is the lines of a file up to where the first error of the compiler points.
func excerpt(t *testing.T, name, errors string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	_, after, _ := strings.Cut(errors, "(")
	number, _, _ := strings.Cut(after, ",")
	n := 0
	if err := json.Unmarshal([]byte(number), &n); err != nil || n > len(lines) {
		return ""
	}
	return strings.Join(lines[max(0, n-20):n], "\n")
}

// TestOracle talks to the server as the protocol's own library does, in both encodings.
func TestOracle(t *testing.T) {
	for _, encoding := range []string{"utf-16", "utf-8,utf-16"} {
		t.Run(encoding, func(t *testing.T) {
			c := converse(t, encoding)
			for _, p := range c.Problems {
				t.Error(p)
			}
			for name, answer := range c.Answers {
				var failed struct{ Error string }
				if json.Unmarshal(answer, &failed) == nil && failed.Error != "" {
					t.Errorf("%s is promised, and fails: %s", name, failed.Error)
				}
			}
			want(t, "exit code", c.Exit, any(0.0))
			t.Logf("%d capabilities, %d answers, %d values checked",
				len(c.Capabilities), len(c.Answers), c.Checks)

			broken := c.Diagnostics["config/broken.yml"]
			if len(broken) != 1 {
				t.Fatalf("diagnostics of config/broken.yml: %v", broken)
			}
			wantText(t, "the diagnostic", broken[0].Message, "nmae", "did you mean")
			want(t, "its line", broken[0].Range.Start.Line, 4)
			want(t, "its source", broken[0].Source, "weft")
			want(t, "diagnostics of config/app.yml", len(c.Diagnostics["config/app.yml"]), 0)
			want(t, "diagnostics after the mistake is corrected", len(c.After), 0)

			var e struct {
				Project string
				Names   []string
				Active  string
			}
			decode(t, c.Own["environments"], &e)
			want(t, "environments", strings.Join(e.Names, " "), "dev prod")
			want(t, "the active environment", e.Active, "dev")
			want(t, "the project", e.Project, "weft.yml")
		})
	}
}

func decode(t *testing.T, data json.RawMessage, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}
