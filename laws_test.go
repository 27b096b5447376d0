package weft_test

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"testing"
	"time"

	"weft"
	"weft/internal/testing/cases"
)

// FuzzTemplate: no bytes make weft panic or hang, whatever kind of template they are taken for.
// What is wrong has a place and a message.
func FuzzTemplate(f *testing.F) {
	for _, path := range goldens(f) {
		a := cases.Archive(f, path)
		if strings.Contains(path, "limit_") {
			continue // made to be large
		}
		for _, file := range inputs(a) {
			f.Add(kindOf(file.Name), file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		const enough = 20 * time.Second // the limits end everything long before
		ctx, cancel := context.WithTimeout(t.Context(), enough)
		defer cancel()
		_, err := weft.Render(ctx, weft.Options{
			Files: []weft.File{
				{Path: "in" + kinds[int(kind)%len(kinds)], Data: data},
				{Path: "lib.star", Data: []byte("one = 1\ndef f(x):\n  return [x, x]\nend\n")},
				{Path: "note.md", Data: []byte("note")},
			},
			Limits: weft.Limits{Steps: 10_000, Nodes: 10_000, Depth: 100},
		})
		if ctx.Err() != nil {
			t.Fatalf("not done after %s", enough)
		}
		if err == nil {
			return
		}
		e, ok := errors.AsType[*weft.Error](err)
		if !ok {
			t.Fatalf("an error that is no *weft.Error: %v", err)
		}
		list := e.Diagnostics()
		if len(list) == 0 {
			t.Fatal("an error that says nothing")
		}
		for _, d := range list {
			if d.Message == "" || d.Line == 0 {
				t.Errorf("an error without a place: %+v", d)
			}
		}
		if err := e.Render(io.Discard, false); err != nil {
			t.Error(err)
		}
	})
}

// kinds are the ends of names that make the kinds of templates.
var kinds = []string{".yml", ".txt", ".star", ".lib.yml", ".lib.txt"}

func kindOf(name string) byte {
	for i := len(kinds) - 1; i >= 0; i-- {
		if strings.HasSuffix(name, kinds[i]) {
			return byte(i)
		}
	}
	return 0
}

// TestSameForAnyNumberOfThreads: output, prints and errors do not depend on how many threads there
// are, or on luck.
func TestSameForAnyNumberOfThreads(t *testing.T) {
	const runs = 20
	for _, tt := range []struct {
		name  string
		files []weft.File
	}{
		{"good", manyFiles(false)},
		{"bad", manyFiles(true)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := ""
			for i := range runs {
				got := withThreads(i%8+1, func() string { return renderAll(tt.files) })
				switch {
				case i == 0:
					want = got
				case got != want:
					t.Fatalf(
						"run %d, with %d threads, differs:\n%s\nfirst run:\n%s",
						i,
						i%8+1,
						got,
						want,
					)
				}
			}
			if good := strings.Contains(want, "name: file 00"); good != (tt.name == "good") {
				t.Errorf("the files are not what they should be:\n%s", want)
			}
		})
	}
}

func withThreads(n int, f func() string) string {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	return f()
}

// renderAll is all that a run shows.
func renderAll(files []weft.File) string {
	var b strings.Builder
	res, err := weft.Render(
		context.Background(),
		weft.Options{Files: files, Observe: weft.Observe{Print: func(line string) { fmt.Fprintln(&b, line) }}},
	)
	if err != nil {
		if e, ok := errors.AsType[*weft.Error](err); ok {
			fmt.Fprintf(&b, "%+v\n", e.Diagnostics())
		}
		return b.String()
	}
	_, _ = res.WriteTo(&b)
	return b.String()
}

// manyFiles are templates that print, and load modules that load each other. Bad ones also fail: by
// themselves, in modules, and in a cycle that each enters elsewhere.
func manyFiles(bad bool) []weft.File {
	const n = 40
	var files []weft.File
	add := func(name, format string, args ...any) {
		files = append(files, weft.File{Path: name, Data: fmt.Appendf(nil, format, args...)})
	}
	for i := range n {
		dir := []string{"", "a/", "a/b/", "c/"}[i%4]
		load := ""
		if bad && i%5 == 0 {
			load = fmt.Sprintf("#@ load(\"/cycle%d.star\", \"x\")\n", i/5%3)
		} else if bad && i%7 == 0 {
			load = "#@ load(\"/broken.star\", \"x\")\n"
		} else if bad && i%3 == 0 {
			load = "#@ 1 // 0\n"
		}
		add(fmt.Sprintf("%sfile%02d.yml", dir, i), `%s#@ load("/lib%d.star", "shout")
#@ print("file %02d")
#@ for/end i in range(%d):
---
name: file %02d
text: #@ shout(str(i))
`, load, i%4, i, i%3+1, i)
	}
	for i := range 4 {
		add(
			fmt.Sprintf("lib%d.star", i),
			"load(\"lib%d.lib.yml\", \"mark\")\nprint(\"lib %d\")\ndef shout(s):\n  return s + mark()[\"mark\"]\nend\n",
			(i+1)%4,
			i,
		)
		add(
			fmt.Sprintf("lib%d.lib.yml", i),
			"#@ print(\"yaml lib %d\")\n#@ def mark():\nmark: \"!\"\n#@ end\n",
			i,
		)
	}
	if bad {
		for i := range 3 {
			add(fmt.Sprintf("cycle%d.star", i), "load(\"cycle%d.star\", \"x\")\n", (i+1)%3)
		}
		add("broken.star", "print(\"broken\")\nx = [][1]\n")
	}
	return files
}

// BenchmarkRender renders 100 templates of a usual kind.
func BenchmarkRender(b *testing.B) {
	var files []weft.File
	for i := range 100 {
		files = append(
			files,
			weft.File{
				Path: path.Join("config", fmt.Sprintf("app%03d.yml", i)),
				Data: []byte(typicalTemplate),
			},
		)
	}
	b.ReportAllocs()
	for b.Loop() {
		res, err := weft.Render(b.Context(), weft.Options{Files: files})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if n, err := res.WriteTo(&out); err != nil {
			b.Fatal(err)
		} else {
			b.SetBytes(n)
		}
	}
}

// typicalTemplate is what benchmarks of all stages work on.
//
//go:embed testdata/typical.yml
var typicalTemplate string
