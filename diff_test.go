package weft_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"weft"
)

// shop is a configuration of many files.
func shop(n int) []weft.File {
	files := []weft.File{{
		Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nreplicas: 1\nenv: dev\n"),
	}}
	for i := range n {
		text := fmt.Sprintf(`#@ load("@ytt:data", "data")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-%d
  labels: {app: "app-%d", env: #@ data.values.env
  }
spec:
  replicas: #@ data.values.replicas
  template:
    containers:
    #@ for c in range(4):
    - name: #@ "c" + str(c)
      image: #@ "registry/app:" + data.values.env
      ports: [{containerPort: 80}, {containerPort: 443}]
    #@ end
`, i, i)
		files = append(files, weft.File{Path: fmt.Sprintf("app-%d.yml", i), Data: []byte(text)})
	}
	return files
}

// BenchmarkDiff is to be compared with BenchmarkDiff/render, which renders both sides by itself:
// diff may take 1.3 times as long.
func BenchmarkDiff(b *testing.B) {
	files := shop(300)
	side := func(values ...string) weft.Side {
		return weft.Side{Options: weft.Options{
			Files: files, DataValues: weft.DataValues{KVYAML: values},
		}}
	}
	ctx := context.Background()
	b.Run("render", func(b *testing.B) {
		for b.Loop() {
			for _, s := range []weft.Side{side(), side("replicas=2")} {
				res, err := weft.Render(ctx, s.Options)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := res.WriteTo(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for name, values := range map[string][]string{
		"same": nil, "changed": {"replicas=2"}, "all changed": {"replicas=2", "env=prod"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				d, err := weft.Diff(ctx, side(), side(values...), weft.DiffOptions{})
				if err != nil {
					b.Fatal(err)
				}
				if err := d.Write(io.Discard, weft.ReportOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Many inputs that differ become few causes: those of one source count as one.
func TestDiffGroupsCauses(t *testing.T) {
	var values, lines []string
	schema, app := "#@data/values-schema\n---\n", "#@ load(\"@ytt:data\", \"data\")\n---\n"
	for i := range 40 {
		schema += fmt.Sprintf("v%d: 0\n", i)
		app += fmt.Sprintf("k%d: #@ data.values.v%d\n", i, i)
		values = append(values, fmt.Sprintf("v%d=1", i))
		lines = append(lines, fmt.Sprintf("v%d: 1\n", i))
	}
	files := []weft.File{
		{Path: "schema.yml", Data: []byte(schema)}, {Path: "app.yml", Data: []byte(app)},
	}
	a := weft.Side{Options: weft.Options{Files: files}, Name: "a"}
	for name, tt := range map[string]struct {
		side weft.Side
		want int // causes
	}{
		"flags": {weft.Side{Options: weft.Options{
			Files: files, DataValues: weft.DataValues{KVYAML: values},
		}}, 32},
		"a file": {weft.Side{Options: weft.Options{
			Files: append(files[:2:2], weft.File{
				Path: "values.yml", Data: []byte("#@data/values\n---\n" + strings.Join(lines, "")),
			}),
		}}, 1},
		"few flags": {weft.Side{Options: weft.Options{
			Files: files, DataValues: weft.DataValues{KVYAML: values[:7]},
		}}, 7},
	} {
		d, err := weft.Diff(context.Background(), a, tt.side, weft.DiffOptions{Causes: true})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := d.Write(&out, weft.ReportOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), " 1 document\n"); got != tt.want {
			t.Errorf("%s: %d causes, want %d\n%s", name, got, tt.want, out.String())
		}
	}
}

// TestDiffSharedStdin guarantees that two sides with one Stdin both read all of it, and
// that readers that Go cannot compare are no reason to panic.
func TestDiffSharedStdin(t *testing.T) {
	differ := func(a, b io.Reader) bool {
		t.Helper()
		side := func(r io.Reader, v weft.Version) weft.Side { // each reads, since the versions differ
			return weft.Side{Options: weft.Options{Inputs: []string{"-"}, Stdin: r, YAML: v}}
		}
		d, err := weft.Diff(context.Background(),
			side(a, weft.YAML11), side(b, weft.YAML12), weft.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return !d.Same()
	}
	if one := strings.NewReader("a: 1\n"); differ(one, one) {
		t.Error("the second side does not read what the first has read")
	}
	uncomparable := func(s string) io.Reader {
		return struct {
			io.Reader
			_ []int
		}{Reader: strings.NewReader(s)}
	}
	if !differ(uncomparable("a: 1\n"), uncomparable("a: 2\n")) {
		t.Error("two readers are taken for one")
	}
}

// TestDiffAllSaysWhatItSearches: a report of more environments than causes are searched in says so.
func TestDiffAllSaysWhatItSearches(t *testing.T) {
	side := func(n, replicas int) weft.ProjectRuns {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("env%02d", i))
		}
		return weft.ProjectRuns{Names: names, Options: func(i int) (weft.Options, error) {
			text := fmt.Sprintf("kind: App\nmetadata: {name: web}\nreplicas: %d\n", replicas+i%2*replicas)
			return weft.Options{Files: []weft.File{{Path: "app.yml", Data: []byte(text)}}}, nil
		}}
	}
	texts := func(n int) (all [3]string) {
		report, err := weft.DiffAll(t.Context(), side(n, 1), side(n, 2), &weft.DiffOptions{Causes: true},
			func(string, string, *weft.DiffReport, [2]error) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		for i, format := range []weft.Format{weft.Text, weft.Markdown, weft.JSON} {
			var b strings.Builder
			if err := report.Write(&b, weft.ReportOptions{Format: format}); err != nil {
				t.Fatal(err)
			}
			all[i] = b.String()
		}
		return all
	}
	for i, text := range texts(53) {
		want := "Causes were searched in 50 of 53 environments, because each search renders"
		if i == 2 {
			want = `"notSearched": ["env47", "env49", "env51"]`
			text = strings.Join(strings.Fields(text), " ")
			want = strings.ReplaceAll(strings.ReplaceAll(want, "[", "[ "), "]", " ]")
		}
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, text := range texts(50) {
		if strings.Contains(text, "earched") {
			t.Errorf("causes were searched in all environments, but the report says\n%s", text)
		}
	}
}
