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
		"beside a star": func(n int) string {
			var b strings.Builder
			b.WriteString("load('a', 'x*')\n")
			for i := range n {
				fmt.Fprintf(&b, "known%06d = unknown%06d\n", i, i)
			}
			return b.String()
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
				src := sourceFile(t, "x.star", code(n))
				file, err := Parse(src)
				if err != nil {
					t.Fatal(err)
				}
				names := Names{Predeclared: func(string) bool { return false }}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err = names.Resolve(file)
				Errors(src, err)
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

// Of a file with many mistakes the first ones are reported: each takes as long as its line is.
func TestUndefinedReported(t *testing.T) {
	src := sourceFile(t, "x.star", "x = ["+strings.Repeat("json, ", 5000)+strings.Repeat("unknown, ", 5000)+"]\n")
	file, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	names := Names{Predeclared: func(string) bool { return false }}
	err = names.Resolve(file)
	if n := len(err.(resolve.ErrorList)); n != 10_000 {
		t.Errorf("%d errors", n)
	}
	if list := Errors(src, err); len(list) == 0 || len(list) > maxResolveErrors {
		t.Errorf("%d errors are reported", len(list))
	}
}

// A name that is not defined either is no suggestion.
func TestUndefinedNotSuggested(t *testing.T) {
	file, err := Parse(sourceFile(t, "x.star", "def f():\nx = color_one\ny = color_two\nend\n"))
	if err != nil {
		t.Fatal(err)
	}
	names := Names{Predeclared: func(string) bool { return false }}
	for _, e := range names.Resolve(file).(resolve.ErrorList) {
		if strings.Contains(e.Msg, "did you mean") {
			t.Errorf("%s", e.Msg)
		}
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
