package script

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.starlark.net/resolve"
)

// Undefined names cost what they are long, however many names they could be meant as. Counted are
// the bytes that the search for the right name allocates: it lists all names for each use.
func TestUndefinedGrowth(t *testing.T) {
	for name, code := range map[string]func(n int) string{
		"many names": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "known%06d = unknown%06d\n", i, i)
			}
			return b.String()
		},
		"one name, many times": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "known%06d = unknown\n", i)
			}
			return b.String()
		},
		"in a function": func(n int) string {
			var b strings.Builder
			b.WriteString("def f():\n")
			for i := range n {
				fmt.Fprintf(&b, "known%06d = unknown%06d\n", i, i)
			}
			return b.String() + "end\n"
		},
		"long names": func(n int) string {
			var b strings.Builder
			long := strings.Repeat("x", n/4)
			for i := range 40 {
				fmt.Fprintf(&b, "a%s%d = b%s%d\n", long, i, long, i)
			}
			return b.String()
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) float64 {
				file, err := Parse(sourceFile(t, "x.star", code(n)))
				if err != nil {
					t.Fatal(err)
				}
				names := Names{Predeclared: func(string) bool { return false }}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err = names.Resolve(file)
				runtime.ReadMemStats(&after)
				if got, want := len(err.(resolve.ErrorList)), strings.Count(code(n), "= "); got != want {
					t.Errorf("%d of %d undefined names are errors", got, want)
				}
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			if once, four := work(2000), work(8000); four > 5*once {
				t.Errorf("four times the code takes %.1f times the memory", four/once)
			}
		})
	}
}

func TestUndefinedHints(t *testing.T) {
	file, err := Parse(sourceFile(t, "x.star", "replicas = 3\nx = replcias\ny = "+strings.Repeat("z", 200)))
	if err != nil {
		t.Fatal(err)
	}
	names := Names{Predeclared: func(string) bool { return false }}
	_, err = names.Program(file)
	want := []string{"undefined: replcias (did you mean replicas?)", "undefined: " + strings.Repeat("z", 200)}
	for i, e := range err.(resolve.ErrorList) {
		if e.Msg != want[i] {
			t.Errorf("error %d is %q, want %q", i, e.Msg, want[i])
		}
	}
}
