package weft_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
)

// appLibrary is a library, and a file that evaluates it n times.
func appLibrary(n int) []weft.File {
	file := func(path, text string) weft.File { return weft.File{Path: path, Data: []byte(text)} }
	return []weft.File{
		file(
			"_ytt_lib/app/schema.yml",
			"#@ load(\"defaults.star\", \"name\")\n#@data/values-schema\n---\nname: #@ name\nport: 80\n",
		),
		file("_ytt_lib/app/defaults.star", "name = \"app\"\n"),
		file("_ytt_lib/app/values.yml", "#@data/values\n---\nport: 81\n"),
		file(
			"_ytt_lib/app/deploy.yml",
			"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"util.lib.yml\", \"labels\")\n---\nlabels: #@ labels()\nport: #@ data.values.port\n",
		),
		file(
			"_ytt_lib/app/util.lib.yml",
			"#@ load(\"@ytt:data\", \"data\")\n#@ def labels():\napp: #@ data.values.name\n#@ end\n",
		),
		file("_ytt_lib/app/plain.yml", "plain: true\n"),
		file(
			"main.yml",
			fmt.Sprintf(
				"#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n#@ app = library.get(\"app\")\n#@ for i in range(%d):\n--- #@ template.replace(app.with_data_values({\"name\": str(i)}).eval())\n#@ end\n",
				n,
			),
		),
	}
}

// However often a library is evaluated, its files are read and compiled once, and what does not
// depend on the values that it is given is evaluated once.
func TestLibraryCounts(t *testing.T) {
	var got strings.Builder
	for _, n := range []int{1, 10, 400} {
		var timings weft.Timings
		opts := weft.Options{Files: appLibrary(n), Observe: weft.Observe{Timings: &timings}}
		res, err := weft.Render(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%d evaluations, %d documents\n", n, len(slices.Collect(res.Documents())))
		writeCounts(&got, &timings)
	}
	const want = `1 evaluations, 2 documents
  _ytt_lib/app/defaults.star: compiled 1, evaluated 2
  _ytt_lib/app/deploy.yml: compiled 1, evaluated 1
  _ytt_lib/app/plain.yml: compiled 1, evaluated 1
  _ytt_lib/app/schema.yml: compiled 1, evaluated 1
  _ytt_lib/app/util.lib.yml: compiled 1, evaluated 1
  _ytt_lib/app/values.yml: compiled 1, evaluated 1
  main.yml: compiled 1, evaluated 1
10 evaluations, 20 documents
  _ytt_lib/app/defaults.star: compiled 1, evaluated 11
  _ytt_lib/app/deploy.yml: compiled 1, evaluated 10
  _ytt_lib/app/plain.yml: compiled 1, evaluated 10
  _ytt_lib/app/schema.yml: compiled 1, evaluated 1
  _ytt_lib/app/util.lib.yml: compiled 1, evaluated 10
  _ytt_lib/app/values.yml: compiled 1, evaluated 1
  main.yml: compiled 1, evaluated 1
400 evaluations, 800 documents
  _ytt_lib/app/defaults.star: compiled 1, evaluated 401
  _ytt_lib/app/deploy.yml: compiled 1, evaluated 400
  _ytt_lib/app/plain.yml: compiled 1, evaluated 400
  _ytt_lib/app/schema.yml: compiled 1, evaluated 1
  _ytt_lib/app/util.lib.yml: compiled 1, evaluated 400
  _ytt_lib/app/values.yml: compiled 1, evaluated 1
  main.yml: compiled 1, evaluated 1
`
	if diff := cmp.Diff(got.String(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// Files that evaluate the same library at the same time have the same to say, in the same order,
// however many of them run side by side.
func TestLibrariesSideBySide(t *testing.T) {
	const files = 12
	memory := []weft.File{
		{
			Path: "_ytt_lib/app/schema.yml",
			Data: []byte(
				"#@ print(\"schema\")\n#@data/values-schema\n---\n#@schema/deprecated \"really\"\nold: \"\"\nlist: [0]\nunread: 1\nnum: 0\n",
			),
		},
		{Path: "_ytt_lib/app/values.yml", Data: []byte("#@data/values\n---\nlist: [1, 2]\n")},
		{
			Path: "_ytt_lib/app/t.yml",
			Data: []byte(
				"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:math\", \"math\")\n#@ print(\"template\", data.values.num, math.floor(1.5))\n#@ data.values.list.append(data.values.num)\n---\nlist: #@ data.values.list\n",
			),
		},
		{
			Path: "_ytt_lib/app/f.star",
			Data: []byte(
				"load(\"@ytt:data\", \"data\")\ndef f():\n  return data.values.num\nend\n",
			),
		},
		{
			Path: "shared.star",
			Data: []byte(
				"load(\"@ytt:library\", \"library\")\nf = library.get(\"app\").with_data_values({\"num\": 77}).export(\"f\")\n",
			),
		},
	}
	for i := range files {
		memory = append(
			memory,
			weft.File{Path: fmt.Sprintf("main%02d.yml", i), Data: fmt.Appendf(
				nil,
				"#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"shared.star\", \"f\")\n#@ app = library.get(\"app\")\n#@ for i in range(5):\n--- #@ template.replace(app.with_data_values({\"num\": %d + i, \"old\": \"x\"}).eval())\n---\nf: #@ f()\n#@ end\n",
				10*i,
			)},
		)
	}
	render := func() string {
		var prints []string
		res, err := weft.Render(
			t.Context(),
			weft.Options{
				Files:      memory,
				WarnUnused: true,
				Observe:    weft.Observe{Print: func(s string) { prints = append(prints, s) }},
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := res.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		return out.String() + strings.Join(prints, "\n") + warningsText(t, res)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := render()
	for _, s := range []string{"list:\n- 1\n- 2\n- 114\n", "f: 77\n", "template 0 1\n", "main00.yml:6:", "main11.yml:6:", "unread", "Warning"} {
		if !strings.Contains(want, s) {
			t.Errorf("no %q in\n%s", s, want)
		}
	}
	if n := strings.Count(want, "bit-identical"); n != 1 {
		t.Errorf("the warning of the math module is told %d times, want once", n)
	}
	for _, procs := range []int{2, 8} {
		runtime.GOMAXPROCS(procs)
		for range 3 {
			if diff := cmp.Diff(render(), want); diff != "" {
				t.Fatalf("with %d processors (-got +want):\n%s", procs, diff)
			}
		}
	}
}

// BenchmarkLibrary evaluates a library many times.
func BenchmarkLibrary(b *testing.B) {
	for _, n := range []int{100, 200, 400} {
		files := appLibrary(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := weft.Render(b.Context(), weft.Options{Files: files}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkValues works out many data values.
func BenchmarkValues(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		var schema, vals strings.Builder
		schema.WriteString("#@data/values-schema\n---\n")
		vals.WriteString("#@data/values\n---\n")
		for i := range n {
			fmt.Fprintf(
				&schema,
				"group%d:\n  #@schema/validation min=0\n  number: 1\n  #@schema/nullable\n  text: \"\"\n",
				i,
			)
			fmt.Fprintf(&vals, "group%d:\n  number: %d\n", i, i)
		}
		files := []weft.File{
			{Path: "schema.yml", Data: []byte(schema.String())},
			{Path: "values.yml", Data: []byte(vals.String())},
			{
				Path: "t.yml",
				Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nall: #@ data.values\n"),
			},
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := weft.Render(b.Context(), weft.Options{Files: files}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// warningsText is warnings as people see them.
func warningsText(t *testing.T, res *weft.Result) string {
	t.Helper()
	var b strings.Builder
	if err := res.Warnings().Render(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
