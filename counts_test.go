package weft_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// writeCounts writes how often each file was compiled and evaluated.
func writeCounts(w io.Writer, t *weft.Timings) {
	files := t.Slowest(1 << 30)
	slices.SortFunc(files, func(a, b weft.FileTime) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range files {
		fmt.Fprintf(w, "  %s: compiled %d, evaluated %d\n", f.Path, f.Compiled, f.Evaluated)
	}
}

// The work that a run does, counted: no file is parsed and compiled twice, no module is evaluated
// once for each that loads it, and a library that is evaluated many times works out its schema
// once. Times vary from machine to machine; counts do not.
func TestCounts(t *testing.T) {
	file := func(path, text string) weft.File { return weft.File{Path: path, Data: []byte(text)} }
	for _, c := range []struct {
		name  string
		files []weft.File
		want  string
	}{
		{
			name: "templates that load a module that loads another",
			files: []weft.File{
				file("a.yml", "#@ load(\"one.star\", \"one\")\n#@ load(\"two.lib.yml\", \"two\")\na: #@ one\nb: #@ two()\n"),
				file("b.yml", "#@ load(\"one.star\", \"one\")\n#@ load(\"two.lib.yml\", \"two\")\na: #@ one\nb: #@ two()\n"),
				file("one.star", "one = 1\n"),
				file("two.lib.yml", "#@ load(\"one.star\", \"one\")\n#@ def two():\n#@   return one + 1\n#@ end\n"),
				file("plain.yml", "a: 1\n"),
				file("text.txt", "(@= \"x\" @)"),
			},
			want: `  a.yml: compiled 1, evaluated 1
  b.yml: compiled 1, evaluated 1
  one.star: compiled 1, evaluated 1
  plain.yml: compiled 1, evaluated 1
  text.txt: compiled 1, evaluated 1
  two.lib.yml: compiled 1, evaluated 1
`,
		},
		{
			name: "schema, values and overlays",
			files: []weft.File{
				file("schema.yml", "#@data/values-schema\n---\na: 1\n"),
				file("values.yml", "#@data/values\n---\na: 2\n"),
				file("t.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n"),
				file("overlay.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"1+\"\n---\na: 3\n"),
			},
			want: `  overlay.yml: compiled 1, evaluated 1
  schema.yml: compiled 1, evaluated 1
  t.yml: compiled 1, evaluated 1
  values.yml: compiled 1, evaluated 1
`,
		},
		{
			name: "a library that is evaluated ten times",
			files: []weft.File{
				file("main.yml", "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n#@ lib = library.get(\"lib\")\n#@ for i in range(10):\n--- #@ template.replace(lib.with_data_values({\"a\": i}).eval())\n#@ end\n"),
				file("_ytt_lib/lib/schema.yml", "#@data/values-schema\n---\na: 1\n"),
				file("_ytt_lib/lib/values.yml", "#@data/values\n---\na: 2\n"),
				file("_ytt_lib/lib/t.yml", "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"m.star\", \"m\")\na: #@ data.values.a + m\n"),
				file("_ytt_lib/lib/m.star", "m = 1\n"),
			},
			want: `  _ytt_lib/lib/m.star: compiled 1, evaluated 10
  _ytt_lib/lib/schema.yml: compiled 1, evaluated 1
  _ytt_lib/lib/t.yml: compiled 1, evaluated 10
  _ytt_lib/lib/values.yml: compiled 1, evaluated 1
  main.yml: compiled 1, evaluated 1
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var timings weft.Timings
			opts := weft.Options{Files: c.files, Observe: weft.Observe{Timings: &timings}}
			if _, err := weft.Render(t.Context(), opts); err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			writeCounts(&got, &timings)
			if diff := cmp.Diff(got.String(), c.want); diff != "" {
				t.Errorf("(-got +want):\n%s", diff)
			}
		})
	}
}
