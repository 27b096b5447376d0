package chart_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/engines/chart"
	"weft/engines/files"
	"weft/internal/project/engines/wire"
	"weft/internal/testing/cases"
	"weft/internal/testing/charttest"
)

// ask renders a chart as weft-engines does, with files from read.
func ask(t testing.TB, r *wire.Request, read func(string) wire.Reply) *wire.Answer {
	t.Helper()
	ar, aw := io.Pipe()
	br, bw := io.Pipe()
	go func() {
		c := wire.NewConn(ar, bw)
		var r wire.Request
		if err := c.Receive(&r); err == nil {
			err = c.Send(wire.FromEngines{Answer: new(chart.Charts).Render(&r, files.New(c))})
			bw.CloseWithError(err)
		}
	}()
	a, err := wire.NewConn(br, aw).Converse(r, read)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCharts compares what charts render with what Helm prints, and where lines come from.
func TestCharts(t *testing.T) {
	cases.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		c := charttest.Read(t, path)
		a := ask(t, &wire.Request{Chart: c.Chart(), Origins: true}, c.Reader())
		if c.Error != "" {
			if a.Error == nil || !strings.Contains(a.Error.Message, c.Error) {
				t.Fatalf("%+v, expected an error with %q", a.Error, c.Error)
			}
			return
		}
		if a.Error != nil {
			t.Fatal(a.Error)
		}
		got := strings.ReplaceAll(charttest.Print(a.Docs), "\r\n", "\n")
		if got != c.Want {
			t.Errorf("Helm prints\n%s\nnot\n%s", c.Want, got)
		}
		if got := listing(a); *cases.Update {
			update(t, path, got)
		} else if got != c.Origins {
			t.Errorf("lines come from\n%s\nnot\n%s", c.Origins, got)
		}
	})
}

// listing lists the lines of documents and where they come from.
func listing(a *wire.Answer) string {
	var b strings.Builder
	for i := range a.Docs {
		d := &a.Docs[i]
		fmt.Fprintf(&b, "--- %s\n", d.Source)
		for n, line := range strings.Split(strings.TrimSuffix(d.Text, "\n"), "\n") {
			line = strings.TrimRight(line, "\r ")
			if line == "" {
				continue
			}
			var chain []string
			for _, p := range a.Origin(d, n) {
				chain = append(chain, place(p))
			}
			fmt.Fprintf(&b, "%-40s ← %s\n", line, strings.Join(chain, " ‹ "))
		}
	}
	return b.String()
}

func place(p wire.Place) string {
	var s string
	if p.Values != nil {
		s = "." + strings.Join(p.Values, ".")
	}
	if p.File != "" && s != "" {
		s += "@"
	}
	if p.File != "" {
		s += fmt.Sprintf("%s:%d", strings.TrimPrefix(p.File, "chart/"), p.Line)
	}
	return s
}

// update writes the origins of a case.
func update(t *testing.T, path, origins string) {
	a := cases.Archive(t, path)
	var kept []txtar.File
	for _, f := range a.Files {
		if f.Name != "origins" {
			kept = append(kept, f)
		}
	}
	a.Files = append(kept, txtar.File{Name: "origins", Data: []byte(origins)})
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
