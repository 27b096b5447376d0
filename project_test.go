package weft_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/project/fleet"
)

// variedProject has environments that differ in data values, inputs, marks and flags.
func variedProject(tb testing.TB) *weft.Project {
	tb.Helper()
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte(`weft: ytt
inputs: [common]
values: {a: 1}
environments:
  a: {}
  b: {values: {a: 2}}
  c: {inputs: [extra.yml]}
  d: {inputs: [extra.yml, text.txt], marks: {text.txt: {type: text-plain}}}
  e: {replace: [inputs], inputs: [extra.yml]}
  f: {flags: {strict: true}, overlays: [overlay.yml]}
  g: {exclude: ['second.yml'], output: {format: json}}
  'x-*': {each: envs/x-*.yml}
`)},
		"common/schema.yml": {Data: []byte("#@data/values-schema\n---\na: 0\n")},
		"common/first.yml": {Data: []byte(
			"#@ load(\"@ytt:data\", \"data\")\n---\nfirst: #@ data.values.a\n")},
		"common/second.yml": {Data: []byte(
			"#@ load(\"@ytt:data\", \"data\")\n---\nsecond: #@ data.values.a + 1\n")},
		"extra.yml":     {Data: []byte("extra: #@ 1 + 1\n")},
		"text.txt":      {Data: []byte("text")},
		"overlay.yml":   {Data: []byte("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"1+\"\n---\n#@overlay/match missing_ok=True\nover: true\n")},
		"envs/x-1.yml":  {Data: []byte("a: 11\n")},
		"envs/x-2.yml":  {Data: []byte("a: 12\n")},
		"envs/other.md": {},
	}
	p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{FS: fsys})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func runsOf(p *weft.Project, base weft.Options) weft.ProjectRuns {
	names := p.Names()
	return weft.ProjectRuns{
		Names: names, Options: func(i int) (weft.Options, error) { return p.Options(names[i], base) },
	}
}

// text is a result with its files, as text.
func textOf(res *weft.Result) string {
	var b strings.Builder
	_, _ = res.WriteTo(&b)
	for _, f := range res.Files() {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Path, f.Data)
	}
	return b.String()
}

// What is rendered side by side is what each environment gives alone.
func TestRenderAllIsManyRenders(t *testing.T) {
	ctx := context.Background()
	p := variedProject(t)
	runs := runsOf(p, weft.Options{})
	if len(runs.Names) != 9 {
		t.Fatalf("%d environments", len(runs.Names))
	}
	want := map[string]string{}
	for i, name := range runs.Names {
		opts, err := runs.Options(i)
		if err != nil {
			t.Fatal(name, err)
		}
		res, err := weft.Render(ctx, opts)
		if err != nil {
			t.Fatal(name, err)
		}
		want[name] = textOf(res)
	}
	got := map[string]string{}
	var mu sync.Mutex
	err := weft.RenderAll(ctx, runs, func(i int, r weft.EnvironmentResult) {
		mu.Lock()
		defer mu.Unlock()
		if r.Err != nil || r.Name != runs.Names[i] {
			t.Errorf("%s: %v", r.Name, r.Err)
			return
		}
		got[r.Name] = textOf(r.Result)
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-alone +together):\n%s", diff)
	}
}

// Files that environments have in common are compiled once, also if their other inputs differ.
func TestRenderAllCounts(t *testing.T) {
	p := variedProject(t)
	timings := &weft.Timings{}
	runs := runsOf(p, weft.Options{Observe: weft.Observe{Timings: timings}})
	runs.Names = slices.Delete(runs.Names, 5, 7) // f and g have other flags
	err := weft.RenderAll(context.Background(), runs, func(int, weft.EnvironmentResult) {})
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]int{}
	for _, f := range timings.Slowest(1 << 30) {
		compiled[f.Path] = f.Compiled
	}
	for _, path := range []string{"common/first.yml", "common/second.yml", "extra.yml"} {
		if compiled[path] != 1 {
			t.Errorf("%s: compiled %d times", path, compiled[path])
		}
	}
}

// Options of the caller win over those of the project, and lists get longer.
func TestProjectOptions(t *testing.T) {
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte(`weft: 2026
inputs: [a.yml]
exclude: ['*.md']
marks: {a.yml: {type: yaml-plain}}
overrides: [a.yml]
output: {dir: out, format: json}
flags:
  strict: true
  ignore-unknown-comments: true
  implicit-map-key-overrides: true
  warn-unused: true
  yaml: 1.1
  keep: [comments, blank-lines]
  warnings: error
  jobs: 3
  max-depth: 4
  max-nodes: 5
  max-steps: 6
  data-value-file: [x=a.yml]
  allow-symlink-destination: [.]
  quiet: true
`)},
		"a.yml": {Data: []byte("a: 1\n")},
	}
	p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	o, err := p.Options("", weft.Options{Limits: weft.Limits{Parallelism: 7}, Inputs: []string{"b.yml"}})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(o.Inputs, o.Exclude, o.Marks, o.Overrides, o.Edition, o.Format, o.Strict,
		o.IgnoreUnknownComments, o.ImplicitMapKeyOverrides, o.WarnUnused, o.YAML,
		o.Keep == weft.KeepComments|weft.KeepBlankLines, o.Warnings, o.Limits.Parallelism, o.Limits.Depth,
		o.Limits.Nodes, o.Limits.Steps, o.DataValues.KVFile, o.Symlinks.Allowed)
	const want = "[a.yml b.yml] [*.md **/*.test.yml **/*.test.yaml] [a.yml:type=yaml-plain] " +
		"[{a.yml true }] 2026 json true true true true 1.1 true error 7 4 5 6 [x=a.yml] [.]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var flags []string
	err = p.EachFlag("", func(name string, _ []string) error {
		flags = append(flags, name)
		return nil
	})
	if err != nil || !slices.Equal(flags, []string{"quiet"}) {
		t.Errorf("EachFlag gives %v, %v", flags, err)
	}
	given := fleet.WithGiven(t.Context(), func(flag string) bool { return flag == "strict" })
	if p, err = weft.OpenProject(given, weft.ProjectOptions{FS: fsys}); err != nil {
		t.Fatal(err)
	}
	o, err = p.Options("", weft.Options{Limits: weft.Limits{Depth: 9}})
	if err != nil || o.Strict || o.Limits.Depth != 4 {
		t.Errorf("strict is %v, depth %d, %v", o.Strict, o.Limits.Depth, err)
	}
}

func TestOpenProjectFails(t *testing.T) {
	ctx := context.Background()
	if _, err := weft.OpenProject(ctx, weft.ProjectOptions{FS: fstest.MapFS{}}); !errors.Is(err, weft.ErrNoProject) {
		t.Errorf("without a file: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := weft.OpenProject(ended, weft.ProjectOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	runs := runsOf(variedProject(t), weft.Options{})
	if err := weft.RenderAll(ended, runs, func(int, weft.EnvironmentResult) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	wrong := fstest.MapFS{"weft.yml": {Data: []byte("weft: 2026\ninpust: []\n")}}
	_, err := weft.OpenProject(ctx, weft.ProjectOptions{FS: wrong})
	e, ok := errors.AsType[*weft.Error](err)
	if !ok || len(e.Diagnostics()) != 1 || e.Diagnostics()[0].Line != 2 {
		t.Errorf("wrong: %v", err)
	}
	if _, err := variedProject(t).Options("nothing", weft.Options{}); err == nil {
		t.Error("an environment that there is not has options")
	}
}

// A broken input that only some environments have fails only those.
func TestRenderAllFails(t *testing.T) {
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte("weft: ytt\ninputs: [a.yml]\nenvironments:\n" +
			"  good: {}\n  bad: {inputs: [b.yml]}\n  worse: {inputs: [b.yml], values: {a: 1}}\n")},
		"a.yml": {Data: []byte("a: 1\n")},
		"b.yml": {Data: []byte("a: #@ nothing\n")},
	}
	p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	failed := map[string]bool{}
	err = weft.RenderAll(context.Background(), runsOf(p, weft.Options{}), func(_ int, r weft.EnvironmentResult) {
		mu.Lock()
		defer mu.Unlock()
		failed[r.Name] = r.Err != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"good": false, "bad": true, "worse": true}
	if diff := cmp.Diff(want, failed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
