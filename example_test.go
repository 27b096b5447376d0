package weft_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"weft"
)

// Files in memory go in, documents come out.
func Example() {
	res, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nreplicas: 1\n")},
			{
				Path: "app.yml",
				Data: []byte(
					"#@ load(\"@ytt:data\", \"data\")\n---\nname: app\nreplicas: #@ data.values.replicas\n",
				),
			},
		},
		DataValues: weft.DataValues{KVYAML: []string{"replicas=3"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
	// replicas: 3
}

// Inputs may be in any file system: one that is embedded in a program, an archive, or a directory that
// no path can leave, as os.Root opens it.
func ExampleRender_fileSystem() {
	fsys := fstest.MapFS{
		"config/app.yml": {Data: []byte("name: app\n")},
		"config/overlay.yml": {
			Data: []byte(
				"#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok=True\nlabels: {team: a}\n",
			),
		},
	}
	res, err := weft.Render(
		context.Background(),
		weft.Options{FS: fsys, Inputs: []string{"config"}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
	// labels:
	//   team: a
}

// If the input is wrong, the error is an *Error. Its text has one line per message, with the place.
// Render prints it as the command does.
func ExampleError() {
	_, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("a: &label 1\nb: *labels\n")}},
	})
	if e, ok := errors.AsType[*weft.Error](err); ok {
		fmt.Println(e)
		fmt.Println()
		_ = e.Render(os.Stdout, false)
	}
	// Output:
	// app.yml:2:4: unknown anchor 'labels' referenced
	//
	// app.yml:2:4: error: unknown anchor 'labels' referenced [yaml/anchor]
	//   |
	// 2 | b: *labels
	//   |    ^^^^^^^
	// hint: did you mean *label?
}

// Programs such as editors use the parts of an error: its place, its code, and how to fix it.
func ExampleError_Diagnostics() {
	_, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("a: &label 1\nb: *labels\n")}},
	})
	if e, ok := errors.AsType[*weft.Error](err); ok {
		for _, d := range e.Diagnostics() {
			fmt.Printf(
				"file %s, line %d, columns %d to %d\n",
				d.File,
				d.Line,
				d.Column,
				d.EndColumn,
			)
			fmt.Println(d.Severity, d.Code)
			fmt.Println(d.Hint)
		}
	}
	// Output:
	// file app.yml, line 2, columns 4 to 11
	// error yaml/anchor
	// did you mean *label?
}

// A context ends a run that takes too long; the error is then the context's.
func ExampleRender_timeout() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := weft.Render(ctx, weft.Options{
		Files: []weft.File{
			{
				Path: "app.yml",
				Data: []byte(
					"#@ def f():\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@ end\n---\na: #@ f()\n",
				),
			},
		},
	})
	fmt.Println(err)
	// Output:
	// context deadline exceeded
}

// Documents as Go values, with the place they come from.
func ExampleResult_Documents() {
	res, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{
			{Path: "app.yml", Data: []byte("name: app\nports: [80, 443]\n---\nname: db\n")},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for d := range res.Documents() {
		m := d.Value().(map[string]any)
		fmt.Printf("%s:%d %s %v\n", d.Place().File, d.Place().Line, m["name"], m["ports"])
	}
	// Output:
	// app.yml:1 app [80 443]
	// app.yml:3 db <nil>
}

// The data values alone, before any template is evaluated.
func ExampleInspectDataValues() {
	res, err := weft.InspectDataValues(context.Background(), weft.Options{
		Files: []weft.File{
			{
				Path: "schema.yml",
				Data: []byte("#@data/values-schema\n---\nname: app\nreplicas: 1\n"),
			},
		},
		DataValues: weft.DataValues{KVYAML: []string{"replicas=3"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
	// replicas: 3
}

// The schema of the data values, for other tools.
func ExampleInspectSchema() {
	res, err := weft.InspectSchema(context.Background(), weft.Options{
		Files: []weft.File{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nreplicas: 1\n")},
		},
	}, weft.JSONSchema)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// $schema: https://json-schema.org/draft/2020-12/schema
	// type: object
	// properties:
	//   replicas:
	//     type: integer
	//     default: 1
	// additionalProperties: false
}

// The paths of all inputs, in the order in which they are read.
func ExampleInspectFiles() {
	res, err := weft.InspectFiles(context.Background(), weft.Options{
		Files: []weft.File{{Path: "b.yml"}, {Path: "lib/a.star"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// - b.yml
	// - lib/a.star
}

// One configuration, rendered for two environments.
func ExampleFleet() {
	fsys := fstest.MapFS{
		"app.yml": {
			Data: []byte(
				"#@ load(\"@ytt:data\", \"data\")\n---\nreplicas: #@ data.values.replicas\n",
			),
		},
		"dev.yml":  {Data: []byte("replicas: 1\n")},
		"prod.yml": {Data: []byte("replicas: 5\n")},
	}
	opts := weft.FleetOptions{
		Options: weft.Options{FS: fsys, Inputs: []string{"app.yml"}},
		Environments: []weft.Environment{
			{Name: "dev", Values: "dev.yml"},
			{Name: "prod", Values: "prod.yml"},
		},
	}
	made := make([]string, len(opts.Environments))
	err := weft.Fleet(context.Background(), opts, func(i int, r weft.EnvironmentResult) {
		if r.Err != nil {
			made[i] = r.Err.Error()
			return
		}
		for _, f := range r.Result.Files() {
			made[i] += string(f.Data)
		}
	})
	fmt.Print(made[0], made[1], err)
	// Output:
	// replicas: 1
	// replicas: 5
	// <nil>
}

// What an overlay matched and changed.
func ExampleExplain() {
	opts := weft.Options{Files: []weft.File{
		{Path: "app.yml", Data: []byte("name: app\n")},
		{
			Path: "overlay.yml",
			Data: []byte(
				"#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nname: web\n",
			),
		},
	}}
	x, err := weft.Explain(context.Background(), opts, weft.ExplainOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = x.Write(os.Stdout, weft.ReportOptions{})
	// Output:
	// overlay.yml:3: matched 1 document
	//   app.yml:1 app.yml#1
	//     name: "app" → "web" (overlay.yml:4)
}

// Each line of the output with the file and line it comes from, and the data values in it.
func ExampleBlame() {
	b, err := weft.Blame(context.Background(), weft.Options{Files: []weft.File{
		{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nname: web\n")},
		{
			Path: "app.yml",
			Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nkind: App\nname: #@ data.values.name\n"),
		},
	}}, weft.BlameOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = b.Write(os.Stdout, weft.ReportOptions{})
	// Output:
	// app.yml:3  kind: App
	// app.yml:4  name: web  = name  schema.yml:3 default
}

// The lines of the output that depend on a data value.
func ExampleImpact() {
	x, err := weft.Impact(context.Background(), weft.Options{Files: []weft.File{
		{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nname: web\n")},
		{
			Path: "app.yml",
			Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nkind: App\nname: #@ data.values.name\n"),
		},
	}}, weft.ImpactOptions{Paths: []string{"name"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = x.Write(os.Stdout, weft.ReportOptions{})
	// Output:
	// name = web  schema.yml:3
	//   app.yml#1  name  = app.yml:4
}

// Two configurations, compared by what their documents mean.
func ExampleDiff() {
	side := func(text string) weft.Side {
		file := weft.File{Path: "app.yml", Data: []byte(text)}
		return weft.Side{Options: weft.Options{Files: []weft.File{file}}}
	}
	d, err := weft.Diff(
		context.Background(),
		side("kind: App\nmetadata: {name: web}\nreplicas: 1\n"),
		side("kind: App\nmetadata: {name: web}\nreplicas: 2\n"),
		weft.DiffOptions{},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = d.Write(os.Stdout, weft.ReportOptions{})
	// Output:
	// ~ App/web  replicas: 1 → 2
	// = 0 documents
}

// Overrides change a file without annotations, and leave everything else as it is written.
func ExampleApplyOverrides() {
	res, err := weft.ApplyOverrides(context.Background(), weft.OverrideOptions{
		Inputs:    []string{"-"},
		Stdin:     strings.NewReader("name: app   # the name\nreplicas: 1\n"),
		Overrides: []weft.Override{{Text: "{replicas: 3}"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app   # the name
	// replicas: 3
}

// Errors of every kind have codes and hints, also those that other packages have wrapped.
func ExampleErrorOf() {
	_, err := weft.Render(context.Background(), weft.Options{Inputs: []string{"no-such-file.yml"}})
	err = fmt.Errorf("rendering: %w", err)
	for _, d := range weft.ErrorOf(err).Diagnostics() {
		fmt.Println(d.Severity, d.Code, d.Message)
	}
	// Output:
	// error load/not-found checking file 'no-such-file.yml': no such file or directory
}

// A run that needs more memory than it may have ends with an error that says where.
func ExampleLimitMemory() {
	ctx, stop := weft.LimitMemory(context.Background(), 1<<30)
	defer stop()
	res, err := weft.Render(ctx, weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("name: app\n")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
}

// A document becomes a Go value, by the rules and tags of encoding/json.
func ExampleResult_Decode() {
	res, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("name: app\nports: #@ [8000 + i for i in range(2)]\n")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var app struct {
		Name  string `json:"name"`
		Ports []int  `json:"ports"`
	}
	if err := res.Decode(&app); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(app.Name, app.Ports)
	// Output:
	// app [8000 8001]
}

// WriteFiles replaces each file atomically: a reader sees the old file or the new one.
func ExampleResult_WriteFiles() {
	dir, err := os.MkdirTemp("", "weft")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	res, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("name: app\n")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := res.Diff(context.Background(), io.Discard, weft.Dir{Path: dir})
	fmt.Println(len(changed), "file would change", err)
	done, err := res.WriteFiles(context.Background(), weft.Dir{Path: dir})
	fmt.Println(len(done.Created), "file written", err)
	// Output:
	// 1 file would change <nil>
	// 1 file written <nil>
}

// Where the time of a run goes.
func ExampleTimings() {
	var timings weft.Timings
	_, err := weft.Render(context.Background(), weft.Options{
		Files:   []weft.File{{Path: "app.yml", Data: []byte("name: app\n")}},
		Observe: weft.Observe{Timings: &timings},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range timings.Stages() {
		fmt.Println(s.Name)
	}
	fmt.Println(timings.Slowest(1)[0].Path)
	// Output:
	// load
	// compile
	// schema
	// values
	// templates
	// overlays
	// app.yml
}

// A project says what to render: its environments become options.
func ExampleOpenProject() {
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte(
			"weft: 2026\ninputs: [app.yml]\nenvironments:\n  prod: {values: {replicas: 5}}\n")},
		"app.yml": {Data: []byte(
			"#@ load(\"@ytt:data\", \"data\")\n---\nreplicas: #@ data.values.replicas\n")},
	}
	ctx := context.Background()
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{FS: fsys})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range p.Names() {
		opts, err := p.Options(name, weft.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		res, err := weft.Render(ctx, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("#", name)
		_, _ = res.WriteTo(os.Stdout)
	}
	// Output:
	// # prod
	// replicas: 5
}

// Charts of a project are rendered by the program weft-engines.
func ExampleNewEngines() {
	engines := weft.NewEngines("/opt/weft/weft-engines")
	defer engines.Close()
	fsys := fstest.MapFS{"weft.yml": {Data: []byte(
		"weft: 2026\ncharts: {web: {chart: charts/web, release: web, namespace: web, kubernetes: \"1.31\"}}\n")}}
	p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{FS: fsys, Engines: engines})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(p.Names()), "environments")
	// Output: 0 environments
}

// The documents of an environment, for an editor. Suggest takes them as Edited.
func ExampleEditable() {
	text, err := weft.Editable(context.Background(), weft.SuggestOptions{
		FS: fstest.MapFS{
			"weft.yml": {Data: []byte("weft: 2026\ninputs: [app.yml]\nenvironments:\n  prod: {}\n")},
			"app.yml":  {Data: []byte("replicas: 3 #! not shown\n")},
		},
		Project: "weft.yml", Environment: "prod",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)
	// Output: replicas: 3
}

// A line of the output should be another: what has to change, and where?
func ExampleSuggest() {
	r, err := weft.Suggest(context.Background(), weft.SuggestOptions{
		FS: fstest.MapFS{
			"weft.yml": {Data: []byte("weft: 2026\ninputs: [app.yml]\nenvironments:\n  prod: {values: {replicas: 3}}\n")},
			"app.yml":  {Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nreplicas: #@ data.values.replicas\n")},
		},
		Project: "weft.yml", Environment: "prod", Set: []string{"app.yml#1:replicas=5"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Files() {
		fmt.Printf("%s:\n%s", f.Path, f.New)
	}
	// Output:
	// weft.yml:
	// weft: 2026
	// inputs: [app.yml]
	// environments:
	//   prod: {values: {replicas: 5}}
}
