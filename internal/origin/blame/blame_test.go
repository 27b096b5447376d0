package blame_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
)

// evaluate evaluates files in memory; traced says that origins are kept.
func evaluate(files []load.Memory, traced bool) (*engine.Result, error) {
	config := engine.Config{Load: load.Options{Memory: files}, Origins: traced, Once: true}
	config.Eval.MaxSteps = 200_000
	s, err := engine.Open(context.Background(), config)
	if err != nil {
		return nil, err
	}
	return s.Evaluate(context.Background(), engine.Request{})
}

// report is the report about files, and what they render to without one.
func report(t *testing.T, files []load.Memory) (r *blame.Report, want string, ok bool) {
	t.Helper()
	plain, err := evaluate(files, false)
	if err != nil {
		return nil, "", false
	}
	res, err := evaluate(files, true)
	if err != nil {
		t.Fatalf("a traced run fails, and no other does: %v", err)
	}
	in := blame.Input{Docs: res.Docs, Files: res.Files, Origins: res.Origins}
	in.Secrets.Show = true
	for _, out := range res.Outputs {
		if out.Text != "" {
			in.Texts = append(in.Texts, blame.Text{
				File: out.File.Input.Path, Text: out.Text, Lines: out.Lines,
			})
		}
	}
	return blame.New(in), string(emit.Bytes(plain.Docs)), true
}

// check holds a report to its laws: without its margins it is the output, and every history ends
// with what is printed.
func check(t *testing.T, r *blame.Report, want string) {
	t.Helper()
	var got strings.Builder
	for _, line := range r.Parts[0].Lines {
		if line.Absent == nil {
			got.WriteString(line.Text + "\n")
		}
	}
	if got.String() != want {
		t.Fatalf("the lines are\n%s\nwant\n%s", got.String(), want)
	}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		history := r.History(n)
		last := history[len(history)-1]
		if n.Value.Kind() == tree.ScalarKind && !tree.SameScalar(last.Value, n.Value) {
			t.Errorf("%s: the history ends with %v, and %v is printed", r.Path(n), last.Value.Go(),
				n.Value.Go())
		}
		for j, e := range history {
			if e.New != (j == 0) && e.By != tree.ByTemplate && j > 0 {
				t.Errorf("%s: event %d of %d is new", r.Path(n), j+1, len(history))
			}
		}
	}
	for _, write := range []func() error{
		func() error { return r.WriteText(new(strings.Builder), nil, 100, true) },
		func() error { return r.WriteLong(new(strings.Builder), nil, false) },
		func() error { return r.WriteJSON(new(strings.Builder), nil) },
		func() error { return r.WriteHTML(new(strings.Builder), nil) },
		func() error { return r.WriteMap(new(strings.Builder)) },
	} {
		if err := write(); err != nil {
			t.Error(err)
		}
	}
}

// goldenInputs are the inputs of the goldens that need no flags.
func goldenInputs(t testing.TB) map[string][]load.Memory {
	t.Helper()
	all := map[string][]load.Memory{}
	root := filepath.Join("..", "..", "..", "testdata", "golden")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".txtar" || strings.Contains(p, "limit") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		var files []load.Memory
		for _, f := range txtar.Parse(data).Files {
			switch {
			case f.Name == "flags":
				return nil
			case !strings.HasPrefix(f.Name, "want") && !strings.HasPrefix(f.Name, "out"):
				files = append(files, load.Memory{Path: f.Name, Data: f.Data})
			}
		}
		all[filepath.ToSlash(p)] = files
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLaws(t *testing.T) {
	n := 0
	for name, files := range goldenInputs(t) {
		r, want, ok := report(t, files)
		if !ok {
			continue
		}
		n++
		t.Run(filepath.Base(name), func(t *testing.T) { check(t, r, want) })
	}
	if n < 100 {
		t.Errorf("only %d goldens were looked at", n)
	}
}

// FuzzLaws: whatever a template and an overlay make, the report about it is the output.
func FuzzLaws(f *testing.F) {
	f.Add("a: #@ data.values.a\n", "#@overlay/match missing_ok=True\nb: 2\n")
	f.Add("#@ for x in data.values.l:\n- #@ x\n#@ end\n", "#@overlay/remove\na: 1\n")
	f.Add("#@ if data.values.a > 1:\n---\nkind: A\n#@ end\n---\nx: |\n  a\n  b\n", "a: 1\n")
	f.Add("? a\n: b\n---\n\"\\t\": [1, {x: y}]\n---\nnull\n", "")
	f.Fuzz(func(t *testing.T, template, over string) {
		files := []load.Memory{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\na: 1\nl: [x]\nm: {b: y}\n")},
			{Path: "values.yml", Data: []byte("#@data/values\n---\nl: [p, q]\n")},
			{Path: "a.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\n" + template)},
			{Path: "o.yml", Data: []byte("#@ load(\"@ytt:overlay\", \"overlay\")\n" +
				"#@overlay/match by=overlay.all, expects=\"0+\"\n---\n" + over)},
		}
		if r, want, ok := report(t, files); ok {
			check(t, r, want)
		}
	})
}

// A report on twice as many data values takes about twice the memory, and so twice the time: of a
// list none is read again for each of its items, and what a loop leaves out is told once.
func TestReportGrowsWithItsValues(t *testing.T) {
	allocated := func(n int) float64 {
		var values strings.Builder
		values.WriteString("#@data/values\n---\nitems:\n")
		for range n {
			values.WriteString("- name: a\n- name: b\n")
		}
		r, _, ok := report(t, []load.Memory{
			{Path: "values.yml", Data: []byte(values.String())},
			{Path: "a.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\nlist:\n" +
				"#@ for x in data.values.items:\n#@ if x.name == \"b\":\n#@ continue\n#@ end\n" +
				"- #@ x.name\n#@ end\n")},
		})
		if !ok {
			t.Fatal("it does not render")
		}
		var before, after runtime.MemStats
		var text strings.Builder
		runtime.ReadMemStats(&before)
		if err := r.WriteText(&text, nil, 0, false); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if want := fmt.Sprintf("  %d times\n", n); strings.Count(text.String(), want) != 1 {
			t.Errorf("%q is not told once:\n%.300s", want, text.String())
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := allocated(500), allocated(2000); many > 8*few {
		t.Errorf("four times as many values take %.1f times the memory", many/few)
	}
}
