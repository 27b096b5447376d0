//go:build unix

package weft_test

import (
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"weft"
)

// Reports on eight times as much take about eight times as long, and eight times the memory: what takes
// the square of the input takes 64 times. The bytes that are allocated are the same in every run. The time
// is that of the processors, the best of several runs. It still depends on what else the machine does: up to
// 16 times were seen, and 40 are allowed.
func TestReportsGrowWithTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	lines := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%d", strconv.Itoa(i)))
		}
		return b.String()
	}
	file := func(path, text string) weft.File { return weft.File{Path: path, Data: []byte(text)} }
	documents := func(n int) []weft.File {
		return []weft.File{
			file("docs.yml", lines("---\nkind: A\nname: n%d\nvalue: 1\n", n)),
			file("over.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n"+
				"#@overlay/match by=overlay.all, expects=\"1+\"\n---\nvalue: 5\n"),
		}
	}
	values := func(n int) []weft.File {
		return []weft.File{
			file("values.yml", "#@data/values\n---\n"+lines("key%d: 1\n", n)),
			file("t.yml", "#@ load(\"@ytt:data\", \"data\")\n"+lines("k%d: #@ data.values.key%d\n", n)),
		}
	}
	oneLine := func(n int) []weft.File { // as JSON often is
		return []weft.File{file("a.yml", "# comment\nx: {"+lines("k%d: {a: 1}, ", n)+"}\n")}
	}
	keep := func(opts weft.Options) error {
		opts.Edition = weft.Edition2026
		res, err := weft.Render(t.Context(), opts)
		if err != nil {
			return err
		}
		_, err = res.WriteTo(io.Discard)
		return err
	}
	explain := func(opts weft.Options) error {
		x, err := weft.Explain(t.Context(), opts, weft.ExplainOptions{})
		if err != nil {
			return err
		}
		return x.Write(io.Discard, weft.ReportOptions{})
	}
	blame := func(opts weft.Options) error {
		b, err := weft.Blame(t.Context(), opts, weft.BlameOptions{})
		if err != nil {
			return err
		}
		return b.Write(io.Discard, weft.ReportOptions{})
	}
	lint := func(opts weft.Options) error {
		_, err := weft.Lint(t.Context(), []weft.Options{opts}, weft.LintOptions{})
		return err
	}
	// The last file is the output of the others, edited.
	edited := func(source, output string) func(n int) []weft.File {
		return func(n int) []weft.File {
			return []weft.File{
				file("a.yml", "kind: A\nplace: #@ 1\nlist:\n- name: first\n"+lines(source, n)),
				file("edited.yml", "kind: A\nplace: 1\nlist:\n- name: first\n"+lines(output, n)),
			}
		}
	}
	// Every third of many documents is removed or changed.
	some := func(place, third string) func(n int) []weft.File {
		return func(n int) []weft.File {
			const doc = "---\nkind: A\nmetadata: {name: n%d}\nplace: 1\n"
			var source, output strings.Builder
			for i := range n / 4 {
				text := strings.ReplaceAll(doc, "%d", strconv.Itoa(i))
				source.WriteString(text)
				if i%3 == 0 {
					text = strings.ReplaceAll(third, "%d", strconv.Itoa(i))
				}
				output.WriteString(text)
			}
			return []weft.File{
				file("a.yml", strings.ReplaceAll(source.String(), "place: 1", "place: "+place)),
				file("edited.yml", output.String()),
			}
		}
	}
	removed := func(place string) func(n int) []weft.File { return some(place, "") }
	changed := func(place string) func(n int) []weft.File {
		return some(place, "---\nkind: A\nmetadata: {name: n%d}\nplace: 2\n")
	}
	suggest := func(opts weft.Options) error {
		in := weft.SuggestOptions{FS: fstest.MapFS{}, Edited: opts.Files[len(opts.Files)-1:]}
		for _, f := range opts.Files[:len(opts.Files)-1] {
			in.FS.(fstest.MapFS)[f.Path] = &fstest.MapFile{Data: f.Data}
			in.Options.Inputs = append(in.Options.Inputs, f.Path)
		}
		r, err := weft.Suggest(t.Context(), in)
		if err == nil && !r.Found() {
			return errors.New("no suggestion")
		}
		return err
	}
	for name, c := range map[string]struct {
		files func(n int) []weft.File
		run   func(weft.Options) error
	}{
		"explain of one overlay on many documents": {documents, explain},
		"blame of one overlay on many documents":   {documents, blame},
		"lint of one overlay on many documents":    {documents, lint},
		"blame of many values in one document":     {values, blame},
		"a long line in edition 2026":              {oneLine, keep},
		"suggestion of many new items":             {edited("", "- name: n%d\n"), suggest},
		"suggestion of many new documents":         {edited("", "---\nkind: B\nname: n%d\n"), suggest},
		"suggestion to remove documents":           {removed("#@ 1"), suggest},
		"suggestion to remove documents of a file": {removed("1"), suggest},
		"suggestion to change documents":           {changed("#@ 1"), suggest},
		"suggestion to change documents of a file": {changed("1"), suggest},
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) (best time.Duration, bytes uint64) {
				opts := weft.Options{Files: c.files(n)}
				best = time.Hour
				for range 3 {
					began, before := processorTime(t), allocated()
					if err := c.run(opts); err != nil {
						t.Fatal(err)
					}
					best, bytes = min(best, processorTime(t)-began), allocated()-before
				}
				return best, bytes
			}
			const n = 4000
			few, fewBytes := took(n)
			many, manyBytes := took(8 * n)
			if many > 40*few {
				t.Errorf("%d take %s, and eight times as many %s", n, few, many)
			}
			if manyBytes > 12*fewBytes {
				t.Errorf("%d allocate %d bytes, and eight times as many %d", n, fewBytes, manyBytes)
			}
		})
	}
}

// allocated returns how many bytes this process has allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// processorTime returns the time that this process has used.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
