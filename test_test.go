package weft_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft"
	"weft/internal/serve/cli"
)

// TestExamples runs the tests of every project among the examples, with coverage.
func TestExamples(t *testing.T) {
	projects := 0
	err := filepath.WalkDir("examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "weft.yml" {
			return err
		}
		projects++
		t.Run(filepath.ToSlash(filepath.Dir(path)), func(t *testing.T) {
			var out, errs bytes.Buffer
			code := cli.Main([]string{"test", "--coverage", "--project", path}, strings.NewReader(""), &out, &errs)
			if code != 0 {
				t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
			}
			if !strings.Contains(out.String(), " · nodes ") {
				t.Errorf("found no coverage:\n%s", out.String())
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if projects == 0 {
		t.Error("there is no project among the examples")
	}
}

// manyTests is a project of many templates with many tests, in a directory of its own.
func manyTests(tb testing.TB, templates, tests int) {
	tb.Helper()
	tb.Chdir(tb.TempDir())
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	write("weft.yml", "weft: 2026\ninputs: [config]\n")
	write("config/schema.yml", "#@data/values-schema\n---\nname: a\nreplicas: 1\nports: [80]\n")
	for i := range templates {
		write(fmt.Sprintf("config/app%03d.yml", i), fmt.Sprintf(`#@ load("@ytt:data", "data")
---
kind: Deployment
metadata:
  name: #@ "{}-%d".format(data.values.name)
  labels: {app: web, tier: web}
spec:
  #@ if data.values.replicas > 1:
  replicas: #@ data.values.replicas
  #@ end
  containers:
  #@ for p in data.values.ports:
  - name: #@ "port-{}".format(p)
    image: app:v1
  #@ end
`, i))
	}
	var b strings.Builder
	b.WriteString("tests:\n")
	for i := range tests {
		fmt.Fprintf(&b, `- name: test %d
  values: {name: n%d, replicas: %d, ports: [%d]}
  expect:
  - select: metadata.name=n%d-7
    equal: {spec.replicas: %d}
`, i, i, i+2, i, i, i+2)
		write(fmt.Sprintf("envs/env%04d.yml", i), fmt.Sprintf("{name: n%d, replicas: %d, ports: [%d]}\n",
			i, i+2, i))
	}
	write("tests/many.test.yml", b.String())
}

// BenchmarkTest compares tests with a fleet of the same renders, whose results nothing looks at.
func BenchmarkTest(b *testing.B) {
	const templates, tests = 50, 1000
	manyTests(b, templates, tests)
	b.Run("tests", func(b *testing.B) {
		for b.Loop() {
			p, err := weft.OpenProject(context.Background(), weft.ProjectOptions{})
			if err != nil {
				b.Fatal(err)
			}
			out, err := weft.Test(context.Background(), weft.TestOptions{Project: p})
			if err != nil || out.Failed() > 0 {
				b.Fatal(err, out.Failed())
			}
		}
	})
	b.Run("fleet", func(b *testing.B) {
		for b.Loop() {
			opts := weft.FleetOptions{Options: weft.Options{
				Inputs: []string{"config"}, Edition: weft.Edition2026,
			}}
			for i := range tests {
				opts.Environments = append(opts.Environments, weft.Environment{
					Values: fmt.Sprintf("envs/env%04d.yml", i),
				})
			}
			err := weft.Fleet(context.Background(), opts, func(_ int, r weft.EnvironmentResult) {
				if r.Err != nil {
					b.Error(r.Err)
				}
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Tests read and compile their inputs once, and their data values are found without a search through
// all of them.
func TestManyTests(t *testing.T) {
	manyTests(t, 8, 200)
	p, err := weft.OpenProject(t.Context(), weft.ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Test(t.Context(), weft.TestOptions{Project: p})
	if err != nil {
		t.Fatal(err)
	}
	if out.Failed() > 0 {
		var b strings.Builder
		_ = out.Write(&b, weft.ReportOptions{Summary: true})
		t.Error(b.String())
	}
}
