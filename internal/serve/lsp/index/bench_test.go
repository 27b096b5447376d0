package index

import (
	"fmt"
	"testing"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
)

const benchTemplate = `#@ load("@ytt:data", "data")
#@ load("/lib.star", "label")
#@ app = data.values.app
---
kind: ConfigMap
metadata:
  name: #@ label(app, more="x")
data:
  size: #@ app.size
  name: #@ data.values.app.name
  #@ for p in app.ports:
  port: #@ p.port
  #@ end
`

// BenchmarkReadFile is what an edit costs.
func BenchmarkReadFile(b *testing.B) {
	var set source.Set
	f, err := set.Add("a.yml", []byte(benchTemplate))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		ReadFile(compile.Analyse(f, compile.YAML, compile.Options{}))
	}
}

// BenchmarkProject joins a thousand files and finds all places of a data value.
func BenchmarkProject(b *testing.B) {
	var sources []*Source
	for i := range 1000 {
		name := fmt.Sprintf("d%d/t%d.yml", i%20, i)
		file := read(b, name, benchTemplate, compile.YAML)
		sources = append(sources, &Source{Path: name, Input: name, File: file})
	}
	lib := read(b, "lib.star", "def label(app, more):\n  return app.name\nend\n", compile.Starlark)
	sources = append(sources, &Source{Path: "lib.star", Input: "lib.star", File: lib})
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		New(sources).Reads(Value{Path: []string{"app", "name"}}, func(*Source, *Read, bool) { n++ })
		if n != 1001 {
			b.Fatalf("%d reads", n)
		}
	}
}
