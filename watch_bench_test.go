package weft_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"weft"
)

// thousand makes a project of 1,000 templates.
func thousand(tb testing.TB) string {
	dir := tb.TempDir()
	file(tb, dir, "schema.yml", "#@data/values-schema\n---\nname: app\nreplicas: 2\n")
	for i := range 1000 {
		file(tb, dir, fmt.Sprintf("t%04d.yml", i), template(i, 0))
	}
	return dir
}

// template is the text of template i, as it is after an edit.
func template(i, edit int) string {
	return fmt.Sprintf(`#@ load("@ytt:data", "data")
#@ def labels():
app: #@ data.values.name
number: %d
#@ end
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ data.values.name + "-%d"
  labels: #@ labels()
spec:
  replicas: #@ data.values.replicas
  template:
    spec:
      containers:
      #@ for c in range(3):
      - name: #@ "c{}".format(c)
        image: nginx:%d
        ports:
        - containerPort: #@ 8000 + c
      #@ end
`, i, i, edit)
}

func file(tb testing.TB, dir, name, text string) string {
	tb.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkRenderAgain renders 1,000 templates after one has changed, and prints them. Compare it
// with BenchmarkRenderFirst.
func BenchmarkRenderAgain(b *testing.B) {
	dir := thousand(b)
	cache := &weft.Cache{}
	opts := weft.Options{Inputs: []string{dir}, Cache: cache}
	renderTo(b, opts)
	edit := 0
	for b.Loop() {
		edit++
		cache.Changed(file(b, dir, "t0500.yml", template(500, edit)))
		renderTo(b, opts)
	}
}

// BenchmarkRenderFirst renders 1,000 templates, and prints them.
func BenchmarkRenderFirst(b *testing.B) {
	dir := thousand(b)
	for b.Loop() {
		renderTo(b, weft.Options{Inputs: []string{dir}, Cache: &weft.Cache{}})
	}
}

func renderTo(tb testing.TB, opts weft.Options) string {
	tb.Helper()
	res, err := weft.Render(tb.Context(), opts)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := res.WriteTo(&out); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// reports are the commands that look at a run, as functions of its options. Old is files in c of a
// revision.
var reports = []struct {
	name string
	run  func(ctx context.Context, opts weft.Options, old fs.FS, w io.Writer) error
}{
	{"lint", func(ctx context.Context, opts weft.Options, _ fs.FS, w io.Writer) error {
		made, err := weft.Lint(ctx, []weft.Options{opts}, weft.LintOptions{All: true})
		if err != nil {
			return err
		}
		return made.Write(w, weft.ReportOptions{})
	}},
	{"lint static", func(ctx context.Context, opts weft.Options, _ fs.FS, w io.Writer) error {
		made, err := weft.Lint(ctx, []weft.Options{opts}, weft.LintOptions{Static: true, All: true})
		if err != nil {
			return err
		}
		return made.Write(w, weft.ReportOptions{})
	}},
	{"blame", func(ctx context.Context, opts weft.Options, _ fs.FS, w io.Writer) error {
		made, err := weft.Blame(ctx, opts, weft.BlameOptions{})
		if err != nil {
			return err
		}
		_ = made.Warnings().Render(w, false)
		return made.Write(w, weft.ReportOptions{})
	}},
	{"diff of values", func(ctx context.Context, opts weft.Options, _ fs.FS, w io.Writer) error {
		a, b := weft.Side{Options: opts, Name: "a"}, weft.Side{Options: opts, Name: "b"}
		b.DataValues.KVYAML = []string{"replicas=7"}
		return writeDiff(ctx, a, b, w)
	}},
	{"diff of a revision", func(ctx context.Context, opts weft.Options, old fs.FS, w io.Writer) error {
		a, b := weft.Side{Options: opts, Name: "a"}, weft.Side{Options: opts, Name: "b"}
		a.FS, a.Revision, a.Inputs = old, "old", []string{"c"}
		a.DataValues.Files, a.Overrides = nil, nil
		return writeDiff(ctx, a, b, w)
	}},
	{diffOfPlain, func(ctx context.Context, opts weft.Options, _ fs.FS, w io.Writer) error {
		a, b := weft.Side{Options: opts, Name: "a"}, weft.Side{Options: opts, Name: "b"}
		a.Plain, b.Plain = true, true
		b.Inputs = []string{opts.Inputs[0] + "/../other"}
		b.DataValues.Files, a.DataValues.Files = nil, nil
		return writeDiff(ctx, a, b, w)
	}},
}

const diffOfPlain = "diff of plain files"

// asInput returns a template, or for a report that takes data, its data.
func asInput(report, text string) string {
	if report == diffOfPlain {
		return strings.ReplaceAll(text, "#@", "#")
	}
	return text
}

// revisionOf is the templates of a project as they are before any edit.
func revisionOf(templates int) fs.FS {
	files := fstest.MapFS{
		"c/schema.yml": {Data: []byte("#@data/values-schema\n---\nname: app\nreplicas: 2\n")},
	}
	for i := range templates {
		files[fmt.Sprintf("c/t%04d.yml", i)] = &fstest.MapFile{Data: []byte(template(i, 0))}
	}
	return files
}

func writeDiff(ctx context.Context, a, b weft.Side, w io.Writer) error {
	d, err := weft.Diff(ctx, a, b, weft.DiffOptions{Causes: true})
	if err != nil {
		return err
	}
	_ = d.Warnings().Render(w, false)
	return d.Write(w, weft.ReportOptions{})
}

// BenchmarkReportAgain runs reports on 1,000 templates after one has changed. Compare it with
// BenchmarkReportFirst.
func BenchmarkReportAgain(b *testing.B) {
	for _, r := range reports {
		b.Run(r.name, func(b *testing.B) {
			dir := thousand(b)
			file(b, filepath.Dir(dir), "other/x.yml", "a: 1\n")
			old := revisionOf(1000)
			cache := &weft.Cache{}
			opts := weft.Options{Inputs: []string{dir}, Cache: cache}
			if err := r.run(b.Context(), opts, old, io.Discard); err != nil {
				b.Fatal(err)
			}
			edit := 0
			for b.Loop() {
				edit++
				cache.ChangedOnly(file(b, dir, "t0500.yml", template(500, edit)))
				if err := r.run(b.Context(), opts, old, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReportFirst runs reports on 1,000 templates.
func BenchmarkReportFirst(b *testing.B) {
	for _, r := range reports {
		b.Run(r.name, func(b *testing.B) {
			dir := thousand(b)
			file(b, filepath.Dir(dir), "other/x.yml", "a: 1\n")
			old := revisionOf(1000)
			for b.Loop() {
				opts := weft.Options{Inputs: []string{dir}, Cache: &weft.Cache{}}
				if err := r.run(b.Context(), opts, old, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
