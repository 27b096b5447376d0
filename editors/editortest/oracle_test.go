package editortest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// capabilities are those that clients rely on. Others are tested, too, once the server has them.
var capabilities = []string{
	"textDocumentSync", "hoverProvider", "documentSymbolProvider", "foldingRangeProvider",
	"documentFormattingProvider", "executeCommandProvider", "workspace",
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
			for _, name := range capabilities {
				if c.Capabilities[name] == nil {
					t.Errorf("%s is not promised any more", name)
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

			checkOwn(t, c.Own)
			checkCommands(t, c.Answers)
		})
	}
}

// checkOwn looks at the answers to requests that only weft has: docs/reference/lsp.md.
func checkOwn(t *testing.T, own map[string]json.RawMessage) {
	t.Helper()
	var e struct {
		Project string
		Names   []string
		Active  string
	}
	decode(t, own["environments"], &e)
	want(t, "environments", strings.Join(e.Names, " "), "dev prod")
	want(t, "the active environment", e.Active, "dev")
	want(t, "the project", e.Project, "weft.yml")

	languages := map[string]struct{ LanguageID string }{}
	decode(t, own["languages"], &languages)
	want(t, "the language of a template", languages["config/app.yml"].LanguageID, "weft-yaml")
	want(t, "the language of data values", languages["envs/dev.yml"].LanguageID, "yaml")

	var unknown struct {
		Error string
		Code  int
	}
	decode(t, own["unknownEnvironment"], &unknown)
	want(t, "the code for an unknown environment", unknown.Code, -32602)
	wantText(t, "the error for an unknown environment", unknown.Error, "nowhere")

	var tests struct {
		Files []struct {
			Path  string
			Run   struct{ Directory string }
			Tests []struct {
				Name string
				Run  struct{ Arguments []string }
			}
		}
	}
	decode(t, own["tests"], &tests)
	if len(tests.Files) != 1 || len(tests.Files[0].Tests) != 2 {
		t.Fatalf("the tests of the workspace: %s", own["tests"])
	}
	want(t, "the file with tests", tests.Files[0].Path, "tests/app.test.yml")
	want(t, "the name of a test", tests.Files[0].Tests[0].Name, "small")
	want(t, "how it runs", strings.Join(tests.Files[0].Tests[0].Run.Arguments[:3], " "),
		"test "+filepath.FromSlash("./tests/app.test.yml")+" --run")

	var broken, good preview
	decode(t, own["brokenPreview"], &broken)
	want(t, "a preview with errors is stale", broken.Stale, true)
	wantText(t, "the errors of a preview", strings.Join(broken.Errors, "\n"), "config/broken.yml:5:", "nmae")
	decode(t, own["preview"], &good)
	want(t, "a preview without errors is stale", good.Stale, false)
	want(t, "the environment of the preview", good.Environment, "prod")
	want(t, "the language of the preview", good.LanguageID, "yaml")
	wantText(t, "the preview", good.Text, "  name: shop\n", "  replicas: 5\n", "team: web\n")
	good.wantLine(t, "  replicas: 5", "config/app.yml", "  replicas: #@ data.values.replicas")
	good.wantLine(t, "    team: web", "config/overlay.yml", "    team: web")
}

// preview is an answer to weft/preview.
type preview struct {
	Text, LanguageID, Environment string
	Stale                         bool
	Errors, Sources               []string
	Map                           []int
}

// wantLine fails if the map leads from a line of the output elsewhere than to a line of a file.
func (p preview) wantLine(t *testing.T, output, file, line string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(p.Text, "\n"), "\n")
	want(t, "numbers in the map", len(p.Map), 2*len(lines))
	n := slices.Index(lines, output)
	if n < 0 || 2*n+1 >= len(p.Map) || p.Map[2*n] < 0 || p.Map[2*n] >= len(p.Sources) {
		t.Fatalf("the map of the preview has nothing for %q: %v", output, p)
	}
	if source := p.Sources[p.Map[2*n]]; !strings.HasSuffix(source, "/"+file) {
		t.Errorf("%q comes from %s, want %s", output, source, file)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "project", file))
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the source of "+output, strings.Split(string(data), "\n")[p.Map[2*n+1]], line)
}

// checkCommands looks at what the commands of weft say.
func checkCommands(t *testing.T, answers map[string]json.RawMessage) {
	t.Helper()
	for command, parts := range map[string][]string{
		"weft.render":  {"replicas: 1", "name: shop-dev"},
		"weft.explain": {"config/overlay.yml", "Deployment"},
		"weft.blame":   {"spec.replicas", "app.yml:12", "schema.yml:6"},
	} {
		var result struct{ Title, Text, LanguageID string }
		decode(t, answers["executeCommand "+command], &result)
		wantText(t, command, result.Text, parts...)
		if result.Title == "" || result.LanguageID == "" {
			t.Errorf("%s has no title or no language: %+v", command, result)
		}
	}
}

func decode(t *testing.T, data json.RawMessage, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}
