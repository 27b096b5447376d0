package playground

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/engine/budget"
)

var usual = Limits{Steps: 20e6, Time: time.Minute, Memory: 2 << 30}

// filesOf are the files of a txtar.
func filesOf(text string) (files []File) {
	for _, f := range txtar.Parse([]byte(text)).Files {
		files = append(files, File{f.Name, string(f.Data)})
	}
	return files
}

const app = `
-- app.yml --
#@ load("@ytt:data", "data")
---
kind: Deployment
spec:
  replicas: #@ data.values.replicas
-- prod.yml --
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
spec:
  replicas: 5
-- schema.yml --
#@data/values-schema
---
#@schema/desc "how many"
replicas: 2
`

func TestRunAnswersAllWants(t *testing.T) {
	res := Run(context.Background(), Request{
		Files: filesOf(app), Values: []string{"replicas=3"}, Pinned: "kind: Deployment\nspec:\n  replicas: 4\n",
		Want: []string{"output", "form", "explain", "blame", "diff", "lint"},
	}, usual)
	if res.Failed {
		t.Fatal(res.Diagnostics)
	}
	if want := "kind: Deployment\nspec:\n  replicas: 5\n"; res.Output != want {
		t.Errorf("output %q, expected %q", res.Output, want)
	}
	for what, has := range map[string][2]string{
		"schema":  {string(res.Form.Schema), `"description":"how many"`},
		"values":  {string(res.Form.Values), `{"replicas":3}`},
		"explain": {string(res.Explain), `"path": "spec.replicas"`},
		"diff":    {res.Diff.Text, "4 → 5"},
		"patch":   {res.Diff.Patch, "-  replicas: 4\n+  replicas: 5\n"},
	} {
		if !strings.Contains(compact(has[0]), compact(has[1])) {
			t.Errorf("%s is %s, expected %s", what, has[0], has[1])
		}
	}
	var lines struct {
		Lines []struct {
			Line int
			Text string
			Node *int
		}
		Nodes []struct{ History []struct{ Op, At string } }
	}
	if err := json.Unmarshal(res.Blame, &lines); err != nil {
		t.Fatal(err)
	}
	last := lines.Lines[2]
	if last.Line != 3 || last.Text != "  replicas: 5" || last.Node == nil {
		t.Fatalf("blame has %+v", last)
	}
	history := lines.Nodes[*last.Node].History
	if at := history[len(history)-1].At; at != "prod.yml:5:3" {
		t.Errorf("the last writer of the line is %s", at)
	}
}

func compact(s string) string { return strings.ReplaceAll(s, " ", "") }

// TestRunSuggests applies what is suggested for an edited output: the files then produce that output.
func TestRunSuggests(t *testing.T) {
	const edited = "kind: Deployment\nspec:\n  replicas: 7\n  paused: true\n"
	project := `
-- weft.yml --
weft: 2026
inputs: [schema.yml, app.yml]
environments:
  dev:
    values: {replicas: 4}
  prod: {}
-- schema.yml --
#@data/values-schema
---
replicas: 2
-- app.yml --
#@ load("@ytt:data", "data")
---
kind: Deployment
spec:
  replicas: #@ data.values.replicas
`
	for name, files := range map[string][]File{"files": filesOf(app), "project": filesOf(project)} {
		req := Request{Files: files, Edited: edited, Want: []string{"suggest"}, Environment: "dev"}
		res := Run(context.Background(), req, usual)
		if res.Failed || res.Suggested == nil || len(res.Suggested.Files) == 0 {
			t.Fatalf("%s: %+v", name, res)
		}
		if strings.Contains(res.Suggested.Text, " -f ") {
			t.Errorf("%s: the page has no flags, but it says\n%s", name, res.Suggested.Text)
		}
		for _, f := range res.Suggested.Files {
			at := slices.IndexFunc(files, func(old File) bool { return old.Path == f.Path })
			if at < 0 {
				files = append(files, f)
			} else {
				files[at] = f
			}
		}
		req = Request{Files: files, Want: []string{"output"}, Environment: "dev"}
		if got := Run(context.Background(), req, usual).Output; got != edited {
			t.Errorf("%s: the files now produce\n%s\n%s", name, got, res.Suggested.Text)
		}
	}
	res := Run(context.Background(), Request{
		Files: filesOf(app), Edited: "kind: [\n", Want: []string{"suggest"},
	}, usual)
	if !res.Failed || res.Suggested != nil || res.Diagnostics[0].At.File != "output.yml" {
		t.Errorf("YAML that cannot be read: %+v", res)
	}
}

func TestRunRendersProjects(t *testing.T) {
	files := filesOf(`
-- weft.yml --
weft: 2026
inputs: [config]
environments:
  dev: {}
  prod: {values: {replicas: 7}}
-- config/app.yml --
#@ load("@ytt:data", "data")
count: #@ data.values.replicas
-- config/schema.yml --
#@data/values-schema
---
replicas: 1
-- notes.yml --
some: notes
`)
	for _, tt := range []struct{ env, rendered, output string }{
		{"", "dev", "count: 1\n"},
		{"prod", "prod", "count: 7\n"},
		{"gone", "dev", "count: 1\n"},
	} {
		res := Run(context.Background(), Request{
			Files: files, Environment: tt.env, Want: []string{"output"},
		}, usual)
		if res.Failed || res.Output != tt.output || res.Environment != tt.rendered || !res.Project {
			t.Errorf("environment %q: %+v", tt.env, res)
		}
		if diff := cmp.Diff([]string{"dev", "prod"}, res.Environments); diff != "" {
			t.Error(diff)
		}
	}
	res := Run(context.Background(), Request{
		Files: files, Inputs: []string{"notes.yml"}, Want: []string{"output"},
	}, usual)
	if res.Output != "some: notes\n" || res.Project {
		t.Errorf("with inputs, the project is not looked at: %+v", res)
	}
	broken := Run(context.Background(), Request{
		Files: []File{{"weft.yml", "weft: 2026\ninput: [a]\n"}}, Want: []string{"output"},
	}, usual)
	if !broken.Failed || len(broken.Diagnostics) == 0 || broken.Diagnostics[0].At.Line != 2 {
		t.Errorf("a broken project: %+v", broken)
	}
}

func TestRunGivesTextsFixesAndPlaces(t *testing.T) {
	res := Run(context.Background(), Request{Want: []string{"output"}, Files: filesOf(`
-- motd.txt --
Hello (@= "you" @)
-- app.yml --
#@ print("seen")
a: 1
`)}, usual)
	if diff := cmp.Diff([]File{{"motd.txt", "Hello you\n"}}, res.Texts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"seen"}, res.Prints); diff != "" {
		t.Error(diff)
	}
	res = Run(context.Background(), Request{Want: []string{"output"}, Files: []File{{
		"app.yml", "#@ load(\"@ytt:data\", \"data\")\n#@data/values-shema\n---\n" +
			"x: 1 #@ \"😀\" + data.value\n",
	}}}, usual)
	if !res.Failed {
		t.Fatalf("got %+v", res)
	}
	d := res.Diagnostics[0]
	if d.At.File != "app.yml" || d.At.Line == 0 || d.At.Column == 0 {
		t.Errorf("the place is %+v", d.At)
	}
}

func TestRunFormats(t *testing.T) {
	ask := func(file string) Response {
		return Run(context.Background(), Request{
			Files: []File{{"a.yml", "a:   1\n"}, {"bad.yml", "a: [\n"}}, File: file,
			Want: []string{"format"},
		}, usual)
	}
	if res := ask("a.yml"); res.Formatted == nil || *res.Formatted != "a: 1\n" {
		t.Errorf("got %+v", res)
	}
	if res := ask("bad.yml"); !res.Failed || res.Diagnostics[0].At.File != "bad.yml" {
		t.Errorf("got %+v", res)
	}
	if res := ask("none.yml"); !res.Failed {
		t.Errorf("got %+v", res)
	}
}

// What a request has may come from anybody.
func TestRunRefuses(t *testing.T) {
	big := strings.Repeat("x", largestInput)
	many := make([]File, maxFiles+1)
	for name, req := range map[string]Request{
		"up":          {Files: []File{{"../a.yml", ""}}},
		"absolute":    {Files: []File{{"/etc/passwd", ""}}},
		"backslash":   {Files: []File{{`a\b.yml`, ""}}},
		"drive":       {Files: []File{{`C:a.yml`, ""}}},
		"empty":       {Files: []File{{"", ""}}},
		"root":        {Files: []File{{".", ""}}},
		"long":        {Files: []File{{strings.Repeat("a", 301), ""}}},
		"twice":       {Files: []File{{"a.yml", ""}, {"a.yml", ""}}},
		"file/dir":    {Files: []File{{"a.yml", ""}, {"a.yml/b", ""}}},
		"large":       {Files: []File{{"a.yml", big}, {"b.yml", "x"}}},
		"pinned":      {Pinned: big + "x"},
		"values":      {Values: []string{big + "x"}},
		"many":        {Files: many},
		"many values": {Values: make([]string, maxValues+1)},
		"want":        {Want: []string{"everything"}},
		"format":      {Format: "toml"},
		"url":         {Inputs: []string{"http://127.0.0.1/"}},
		"stdin":       {Inputs: []string{"-"}},
		"outside":     {Inputs: []string{"../secret"}},
	} {
		if res := Run(context.Background(), req, usual); !res.Failed ||
			len(res.Diagnostics) != 1 || res.Diagnostics[0].Message == "" {
			t.Errorf("%s: %+v", name, res)
		}
	}
	res := Run(context.Background(), Request{
		Files: []File{{"weft.yml", "weft: 2026\ninputs: [https://127.0.0.1/a.yml]\n"}},
		Want:  []string{"output"},
	}, usual)
	if !res.Failed {
		t.Errorf("a project may not fetch: %+v", res)
	}
}

func TestRunStops(t *testing.T) {
	for name, code := range map[string]string{
		"steps":  "#@ for i in range(1000*1000*1000*1000):\n#@ end\na: 1\n",
		"memory": "a: #@ \"x\" * (1000*1000*1000*100)\n",
		"nodes":  "#@ for i in range(100*1000*1000):\n- 1\n#@ end\n",
	} {
		began := time.Now()
		res := Run(context.Background(), Request{
			Files: []File{{"a.yml", code}}, Want: []string{"output", "blame", "lint"},
		}, Limits{Steps: 2e6, Time: 20 * time.Second, Memory: 1 << 30})
		if !res.Failed || len(res.Diagnostics) == 0 || time.Since(began) > 30*time.Second {
			t.Errorf("%s: %+v", name, res)
		}
		for _, d := range res.Diagnostics {
			if strings.Contains(d.Hint, "--max") {
				t.Errorf("%s: the page has no such flag: %s", name, d.Hint)
			}
		}
	}
	res := Run(context.Background(), Request{
		Files: []File{{"a.yml", "#@ for i in range(1000*1000*1000*1000):\n#@ end\na: 1\n"}},
		Want:  []string{"output"},
	}, Limits{Steps: 1e12, Time: 50 * time.Millisecond, Memory: 1 << 30})
	if !res.Failed || !strings.Contains(res.Diagnostics[0].Message, "stopped after 50ms") {
		t.Errorf("at the deadline: %+v", res)
	} else if d := res.Diagnostics[0]; d.At.File != "a.yml" || d.At.Line != 1 {
		t.Errorf("at the deadline there is no place: %+v", d)
	}
}

// TestRunReportsWhatIsEvaluated: a page that has to end a run knows the file.
func TestRunReportsWhatIsEvaluated(t *testing.T) {
	var files []string
	ctx := budget.Watch(context.Background(), func(file string, line int) { files = append(files, file) })
	if res := Run(ctx, Request{Files: filesOf(app), Want: []string{"output"}}, usual); res.Failed {
		t.Fatal(res.Diagnostics)
	}
	slices.Sort(files)
	if diff := cmp.Diff([]string{"app.yml", "prod.yml", "schema.yml"}, slices.Compact(files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestRunLimitsOutput(t *testing.T) {
	res := Run(context.Background(), Request{
		Files: []File{{"a.yml", "a: #@ \"é\" * (3*1000*1000)\n"}}, Want: []string{"output"},
	}, usual)
	if res.Failed || !res.Truncated || len(res.Output) > largestOutput {
		t.Errorf("got %d bytes, %v", len(res.Output), res.Diagnostics)
	}
	res = Run(context.Background(), Request{
		Files: []File{{"a.yml", "#@ for i in range(2000):\n#@   print(i)\n#@ end\na: 1\n"}},
		Want:  []string{"output"},
	}, usual)
	if len(res.Prints) != maxPrints {
		t.Errorf("got %d lines", len(res.Prints))
	}
}

func TestMemoryIsAFileSystem(t *testing.T) {
	files := []File{{"a.yml", "a"}, {"dir/b.yml", "bb"}, {"dir/sub/c.yml", ""}}
	if err := fstest.TestFS(memory(files), "a.yml", "dir/b.yml", "dir/sub/c.yml"); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(memory(files), "dir"); err == nil {
		t.Error("a directory can be read")
	}
}

// Whatever comes in, there is an answer that says whether it failed.
func FuzzRun(f *testing.F) {
	f.Add("a.yml", "a: 1\n", "x=1", "output")
	f.Add("weft.yml", "weft: 2026\ninputs: [a]\n", "=", "blame")
	f.Add("a/../b", "#@ x", "a.b=[", "diff")
	f.Add("a.txt", "(@ for x in [1]: @)", "\x00", "form")
	f.Fuzz(func(t *testing.T, path, data, value, want string) {
		res := Run(context.Background(), Request{
			Files: []File{{path, data}}, Values: []string{value}, Pinned: data, File: path,
			Want: []string{"output", want},
		}, Limits{Steps: 10_000, Time: time.Second, Memory: 1 << 30})
		if res.Failed != hasError(res) {
			t.Errorf("failed is %v, with %v", res.Failed, res.Diagnostics)
		}
		if strings.Contains(res.text(), "internal error") {
			t.Error(res.text())
		}
		if _, err := json.Marshal(res); err != nil {
			t.Error(err)
		}
	})
}

func hasError(res Response) bool {
	for _, d := range res.Diagnostics {
		if d.Severity == "error" {
			return true
		}
	}
	return false
}

func (res Response) text() (all string) {
	for _, d := range res.Diagnostics {
		all += d.Message + "\n"
	}
	return all
}

// The page shows secrets in files and in the output, and nowhere else.
func TestRunHidesSecrets(t *testing.T) {
	const secret = "Xk3vQ9wLm2Rt7ZpB"
	res := Run(context.Background(), Request{
		Files: filesOf(`
-- app.yml --
#@ load("@ytt:data", "data")
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  password: #@ data.values.password
  url: #@ "db://u:" + data.values.password + "@host"
-- prod.yml --
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
spec:
  #@overlay/replace via=lambda l, r: l + r
  password: x
-- schema.yml --
#@data/values-schema
---
#@schema/secret
password: ""
`),
		Values: []string{"password=" + secret},
		Pinned: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\n" +
			"spec:\n  password: " + secret + "\n  url: " + secret + "\n",
		Want: []string{"output", "explain", "blame", "diff", "lint"},
	}, usual)
	if res.Failed || !strings.Contains(res.Output, secret) {
		t.Fatalf("%+v", res)
	}
	res.Output = ""
	b, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(b), secret[:9]); i >= 0 {
		t.Errorf("the answer has the secret: %s", b[max(0, i-200):i+20])
	}
	if len(res.Blame) == 0 || len(res.Explain) == 0 || res.Diff == nil || res.Diff.Same {
		t.Errorf("an answer is missing: %s", b)
	}
}
