package weft_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// TestRenderAllOptions renders environments together whose options differ in one thing each: each
// is what Render makes of its own.
func TestRenderAllOptions(t *testing.T) {
	fsys := fstest.MapFS{}
	for path, text := range map[string]string{
		"a.yml":      "#@ load(\"@ytt:data\", \"data\")\n# note\nkind: A\nv: #@ data.values\non: yes\n",
		"schema.yml": "#@data/values-schema\n---\n#@schema/validation min_len=1\nname: x\nother: \"\"\n",
		"v.yml":      "other: file\n",
	} {
		fsys[path] = &fstest.MapFile{Data: []byte(text)}
	}
	elsewhere := fstest.MapFS{"a.yml": {Data: []byte("kind: Elsewhere\n")}, "schema.yml": fsys["schema.yml"]}
	change := map[string]func(o *weft.Options){
		"nothing":     func(*weft.Options) {},
		"env":         func(o *weft.Options) { o.Env = []string{"APP_name=other"} },
		"files":       func(o *weft.Options) { o.Files = []weft.File{{Path: "m.yml", Data: []byte("kind: M\n")}} },
		"other files": func(o *weft.Options) { o.Files = []weft.File{{Path: "m.yml", Data: []byte("kind: N\n")}} },
		"plain files": func(o *weft.Options) {
			o.Files = []weft.File{{Path: "m.yml", Data: []byte("kind: #@ 1\n"), Plain: true}}
		},
		"templates": func(o *weft.Options) {
			o.Files = []weft.File{{Path: "m.yml", Data: []byte("kind: #@ 1\n")}}
		},
		"texts": func(o *weft.Options) {
			o.DataValues.Texts = []weft.File{{Path: "t.yml", Data: []byte("other: text\n")}}
		},
		"other texts": func(o *weft.Options) {
			o.DataValues.Texts = []weft.File{{Path: "t.yml", Data: []byte("other: more\n")}}
		},
		"value files": func(o *weft.Options) { o.DataValues.Files = []string{"v.yml"} },
		"value":       func(o *weft.Options) { o.DataValues.KV = []string{"name="} },
		"no checks":   func(o *weft.Options) { o.DataValues.KV, o.DisableValidation = []string{"name="}, true },
		"fs":          func(o *weft.Options) { o.FS = elsewhere },
		"edition":     func(o *weft.Options) { o.Edition = weft.Edition2026 },
		"json":        func(o *weft.Options) { o.Format = weft.JSON },
		"pos":         func(o *weft.Options) { o.Format = weft.Pos },
		"strict":      func(o *weft.Options) { o.Strict = true },
		"comments":    func(o *weft.Options) { o.IgnoreUnknownComments = true },
		"keep":        func(o *weft.Options) { o.IgnoreUnknownComments, o.Keep = true, weft.KeepAll },
		"override":    func(o *weft.Options) { o.Overrides = []weft.Override{{Text: "kind: B"}} },
		"exclude":     func(o *weft.Options) { o.Exclude = []string{"a.yml"} },
		"marks":       func(o *weft.Options) { o.Marks = []string{"a.yml:type=yaml-plain"} },
		"unused":      func(o *weft.Options) { o.WarnUnused, o.Inputs = true, []string{"schema.yml"} },
		"as errors":   func(o *weft.Options) { o.Warnings, o.Inputs = weft.WarningsError, []string{"none.yml"} },
		"steps":       func(o *weft.Options) { o.Limits.Steps = 1 },
		"jobs":        func(o *weft.Options) { o.Limits.Parallelism = 1 },
		"stdin":       func(o *weft.Options) { o.Inputs = append(o.Inputs, "in.yml=-") },
		"stdin too":   func(o *weft.Options) { o.Inputs = append(o.Inputs, "more.yml=-") },
		"other stdin": func(o *weft.Options) {
			o.Inputs, o.Stdin = append(o.Inputs, "in.yml=-"), strings.NewReader("kind: Other\n")
		},
	}
	options := func(name string, stdin io.Reader) weft.Options {
		o := weft.Options{
			FS: fsys, Inputs: []string{"schema.yml", "a.yml"}, Stdin: stdin, Env: []string{"APP_name=env"},
			IgnoreUnknownComments: name != "strict" && name != "nothing",
			DataValues:            weft.DataValues{Env: []string{"APP"}},
		}
		change[name](&o)
		return o
	}
	want, got := map[string]string{}, map[string]string{}
	stdin := strings.NewReader("kind: In\n")
	runs := weft.ProjectRuns{}
	runs.Options = func(i int) (weft.Options, error) { return options(runs.Names[i], stdin), nil }
	for name := range change { // in any order: who is the first must not matter
		res, err := weft.Render(t.Context(), options(name, strings.NewReader("kind: In\n")))
		want[name] = shownOf(t, res, err)
		runs.Names = append(runs.Names, name)
	}
	var mu sync.Mutex
	err := weft.RenderAll(t.Context(), runs, func(i int, r weft.EnvironmentResult) {
		mu.Lock()
		defer mu.Unlock()
		got[runs.Names[i]] = shownOf(t, r.Result, r.Err)
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("rendered alone (-) and together (+):\n%s", d)
	}
}

// shownOf is all that one can see of a result: what it writes, its files and its warnings.
func shownOf(t *testing.T, res *weft.Result, err error) string {
	t.Helper()
	var b strings.Builder
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	if _, err := res.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Files() {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Path, f.Data)
	}
	if err := res.Warnings().Render(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCacheMemory renders with files in memory that change, come and go from run to run.
func TestCacheMemory(t *testing.T) {
	var cache weft.Cache
	data := []byte("kind: A\n")
	for i, files := range [][]weft.File{
		{{Path: "a.yml", Data: data}},
		{{Path: "a.yml", Data: data}, {Path: "b.yml", Data: []byte("kind: B\n")}},
		nil,
		{{Path: "a.yml", Data: data}},
	} {
		data[6] = byte('A' + i) // in place
		opts := weft.Options{Files: files}
		res, err := weft.Render(context.Background(), opts)
		want := shownOf(t, res, err)
		opts.Cache = &cache
		res, err = weft.Render(context.Background(), opts)
		if got := shownOf(t, res, err); got != want {
			t.Errorf("round %d: got\n%s\nwant\n%s", i, got, want)
		}
		cache.Changed()
	}
}
