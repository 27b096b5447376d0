package weft_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

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
