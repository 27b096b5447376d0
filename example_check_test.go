package weft_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing/fstest"

	"weft"
)

// Text in weft's style: only white space changes.
func ExampleFormatText() {
	text, err := weft.FormatText("app.yml", []byte("ports:\n    - 80\n    - 443\n"), weft.FormatOptions{
		Sequences: weft.SequencesFlush,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// ports:
	// - 80
	// - 443
}

// folder writes files to a new directory, and returns its path.
func folder(files map[string]string) string {
	dir, err := os.MkdirTemp("", "weft")
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	if err != nil {
		panic(err)
	}
	return dir
}

// Files on disk are formatted in memory first. WriteFiles writes those that change.
func ExampleFormatFiles() {
	dir := folder(map[string]string{"app.yml": "a:\n    b: 1\n"})
	defer os.RemoveAll(dir)
	ctx := context.Background()
	report, err := weft.FormatFiles(ctx, []string{dir}, weft.FormatOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(report.Changed()), "file to format", report.Err())
	fmt.Println(report.WriteFiles(ctx))
	text, _ := os.ReadFile(filepath.Join(dir, "app.yml"))
	fmt.Print(string(text))
	// Output:
	// 1 file to format <nil>
	// <nil>
	// a:
	//   b: 1
}

// The findings of the linter, one by one.
func ExampleLint() {
	opts := weft.Options{Files: []weft.File{
		{Path: "app.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\nname: app\nname: web\n")},
	}}
	report, err := weft.Lint(context.Background(), []weft.Options{opts}, weft.LintOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings() {
		fmt.Printf("%s:%d %s %s\n", f.File, f.Line, f.Severity, f.Code)
	}
	// Output:
	// app.yml:1 warning template/unused-load
	// app.yml:3 error eval/duplicate-key
}

// A baseline has the findings that are known: later reports have only those that are new.
func ExampleLintReport_Without() {
	lint := func(text string) *weft.LintReport {
		opts := weft.Options{Files: []weft.File{{Path: "app.yml", Data: []byte(text)}}}
		report, err := weft.Lint(context.Background(), []weft.Options{opts}, weft.LintOptions{})
		if err != nil {
			fmt.Println(err)
		}
		return report
	}
	var known bytes.Buffer
	n, err := lint("#@ load(\"@ytt:data\", \"data\")\nname: app\n").WriteBaseline(&known)
	fmt.Println(n, "known", err)
	left, err := lint("#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\nname: app\n").
		Without("baseline", known.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = left.Write(os.Stdout, weft.ReportOptions{})
	// Output:
	// 1 known <nil>
	// app.yml:2:23: warning: 'json' is loaded and not used [template/unused-load]
	//   |
	// 2 | #@ load("@ytt:json", "json")
	//   |                       ^^^^
	// hint: remove the load
}

// Fixes are proved by rendering before and after.
func ExampleLintFix() {
	dir := folder(map[string]string{"app.yml": "#@ load(\"@ytt:data\", \"data\")\nname: app\n"})
	defer os.RemoveAll(dir)
	opts := weft.Options{Inputs: []string{dir}}
	report, err := weft.LintFix(context.Background(), []weft.Options{opts}, weft.LintOptions{}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := report.Diff(io.Discard)
	fmt.Println(report.Fixed, "fixed in", len(changed), "file,", len(report.Left.Findings()), "left", err)
	// Output:
	// 1 fixed in 1 file, 0 left <nil>
}

// What changes in a file, so that it means the same in edition 2026.
func ExampleMigrate() {
	m, err := weft.Migrate(context.Background(), nil, weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("enabled: yes\nmode: 0644\n")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(m.Unproven), "unproven")
	_ = m.Write(os.Stdout, weft.ReportOptions{Format: weft.Patch})
	// Output:
	// 0 unproven
	// --- app.yml
	// +++ app.yml
	// @@ -1,2 +1,2 @@
	// -enabled: yes
	// -mode: 0644
	// +enabled: true
	// +mode: 420
}

// Tests of a project, with what they cover.
func ExampleTest() {
	dir := folder(map[string]string{
		"app.yml": "#@ load(\"@ytt:data\", \"data\")\n---\nkind: App\nreplicas: #@ data.values.replicas\n",
		"app.test.yml": "tests:\n- name: three\n  values: {replicas: 3}\n  expect:\n" +
			"  - select: kind=App\n    equal: {replicas: 3}\n",
	})
	defer os.RemoveAll(dir)
	report, err := weft.Test(context.Background(), weft.TestOptions{
		Options:  weft.Options{Inputs: []string{filepath.Join(dir, "app.yml")}},
		Files:    []string{filepath.Join(dir, "app.test.yml")},
		Coverage: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = report.Write(os.Stdout, weft.ReportOptions{Format: weft.TAP})
	fmt.Println(report.Failed(), "failed", report.Coverage().Require(100))
	// Output:
	// TAP version 14
	// 1..1
	// ok 1 - three
	// 0 failed <nil>
}

// The environments of a project, side by side: inputs that they share are read and compiled once.
func ExampleRenderAll() {
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte("weft: 2026\ninputs: [app.yml]\nenvironments:\n" +
			"  dev: {values: {replicas: 1}}\n  prod: {values: {replicas: 5}}\n")},
		"app.yml": {Data: []byte(
			"#@ load(\"@ytt:data\", \"data\")\n---\nreplicas: #@ data.values.replicas\n")},
	}
	ctx := context.Background()
	p, err := weft.OpenProject(ctx, weft.ProjectOptions{FS: fsys})
	if err != nil {
		fmt.Println(err)
		return
	}
	runs := weft.ProjectRuns{Names: p.Names()}
	runs.Options = func(i int) (weft.Options, error) { return p.Options(runs.Names[i], weft.Options{}) }
	texts := make([]bytes.Buffer, len(runs.Names))
	err = weft.RenderAll(ctx, runs, func(i int, r weft.EnvironmentResult) {
		if r.Err == nil {
			_, r.Err = r.Result.WriteTo(&texts[i])
		}
		if r.Err != nil {
			fmt.Fprintln(&texts[i], r.Err)
		}
	})
	for i, name := range runs.Names {
		fmt.Print(name, ": ", texts[i].String())
	}
	fmt.Println(err)
	// Output:
	// dev: replicas: 1
	// prod: replicas: 5
	// <nil>
}

// Finds the environments that differ between two sides, and how.
func ExampleDiffAll() {
	side := func(replicas map[string]int) weft.ProjectRuns {
		names := slices.Sorted(maps.Keys(replicas))
		return weft.ProjectRuns{Names: names, Options: func(i int) (weft.Options, error) {
			text := fmt.Sprintf("kind: App\nmetadata: {name: web}\nreplicas: %d\n", replicas[names[i]])
			return weft.Options{Files: []weft.File{{Path: "app.yml", Data: []byte(text)}}}, nil
		}}
	}
	before, after := side(map[string]int{"dev": 1, "prod": 3}), side(map[string]int{"dev": 1, "prod": 5, "qa": 1})
	_, err := weft.DiffAll(context.Background(), before, after, &weft.DiffOptions{},
		func(name, change string, d *weft.DiffReport, failed [2]error) error {
			fmt.Println(name, change)
			return d.Write(os.Stdout, weft.ReportOptions{Summary: true})
		})
	fmt.Println(err)
	// Output:
	// prod changed
	// ~ App/web  1 change
	// = 0 documents
	// qa added
	// + App/web
	// = 0 documents
	// <nil>
}

// One file for each document, named by what it is.
func ExampleResult_Split() {
	res, err := weft.Render(context.Background(), weft.Options{Files: []weft.File{
		{Path: "all.yml", Data: []byte("kind: App\nmetadata: {name: web}\n---\nkind: App\nmetadata: {name: db}\n")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := res.Split("{kind|lower}-{name}.yml")
	for _, f := range files {
		fmt.Println(f.Path, len(f.Data), "bytes")
	}
	fmt.Println(err)
	// Output:
	// app-web.yml 32 bytes
	// app-db.yml 31 bytes
	// <nil>
}

// A program that logs what it renders leaves out what is secret.
func ExampleWithRedactor() {
	var redactor weft.Redactor
	ctx := weft.WithRedactor(context.Background(), &redactor)
	_, err := weft.Explain(ctx, weft.Options{Files: []weft.File{
		{Path: "db.yml", Data: []byte("kind: Secret\nstringData: {password: swordfish}\n")},
	}}, weft.ExplainOptions{})
	fmt.Printf("%s %v\n", redactor.Redact([]byte("connecting with swordfish")), err)
	// Output:
	// connecting with ‹secret› <nil>
}

// The next run with the same options reads only what has changed.
func ExampleCache() {
	dir := folder(nil)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "app.yml")
	var cache weft.Cache
	for _, text := range []string{"name: app\n", "name: web\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			fmt.Println(err)
			return
		}
		cache.Changed(path)
		res, err := weft.Render(context.Background(), weft.Options{Inputs: []string{path}, Cache: &cache})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = res.WriteTo(os.Stdout)
	}
	// Output:
	// name: app
	// name: web
}

// What an environment of a project is in the end, with where each key comes from.
func ExampleProject_WriteConfig() {
	p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{FS: fstest.MapFS{
		"weft.yml": {Data: []byte("weft: 2026\ninputs: [app.yml]\nenvironments:\n" +
			"  prod: {labels: {tier: live}, values: {replicas: 5}}\n")},
		"app.yml": {Data: []byte("kind: App\n")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	envs, err := p.Environments(p.Names()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range envs {
		fmt.Println(e.Name, e.Labels)
		_ = p.WriteConfig(os.Stdout, e.Name, false)
	}
	// Output:
	// prod map[tier:live]
	// weft: 2026         # weft.yml:1
	// environment: prod  # weft.yml:4
	// labels:
	//   tier: live       # weft.yml:4
	// inputs:
	//   - app.yml        # weft.yml:2
	// values:
	//   replicas: 5      # weft.yml:4
}
