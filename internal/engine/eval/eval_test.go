package eval

import (
	gocontext "context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/engine/load"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// What files make is in testdata/golden at the root; here is what does not show in it.

func library(t testing.TB, files ...load.Memory) *Library {
	t.Helper()
	inputs, err := load.Read(&source.Set{}, load.Options{Memory: files})
	if err != nil {
		t.Fatal(err)
	}
	return NewLibrary(inputs, compile.Options{})
}

func evaluateAll(ctx gocontext.Context, lib *Library, opt Options) (*Result, error) {
	s := lib.Root()
	if err := s.Compile(); err != nil {
		return nil, err
	}
	return Files(ctx, s, s.files(), opt)
}

func memory(path, text string) load.Memory { return load.Memory{Path: path, Data: []byte(text)} }

// Each file is compiled once and each module evaluated once, whatever the number of those who load
// it.
func TestCounts(t *testing.T) {
	lib := []load.Memory{
		memory("a.star", "load(\"b.star\", \"b\")\na = b\n"),
		memory("b.star", "b = 1\n"),
		memory("c.lib.yml", "#@ load(\"a.star\", \"a\")\n#@ def c():\nv: #@ a\n#@ end\n"),
		memory("unused.star", "x = 1\n"),
	}
	var got strings.Builder
	for _, loaders := range []int{1, 2, 10, 100} {
		files := lib
		for i := range loaders {
			files = append(files[:len(files):len(files)], memory(
				fmt.Sprintf("file%03d.yml", i),
				"#@ load(\"a.star\", \"a\")\n#@ load(\"b.star\", \"b\")\n#@ load(\"c.lib.yml\", \"c\")\nx: #@ [a, b, c()]\n",
			))
		}
		l := library(t, files...)
		for run := range 2 {
			res, err := evaluateAll(t.Context(), l, Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(
				&got,
				"%d loaders, run %d: compiled %d, evaluated %d\n",
				loaders,
				run+1,
				res.Stats.Compiled,
				res.Stats.Evaluated,
			)
		}
	}
	// Of n loaders and 4 modules: n+4 files.
	const want = `1 loaders, run 1: compiled 5, evaluated 5
1 loaders, run 2: compiled 5, evaluated 5
2 loaders, run 1: compiled 6, evaluated 6
2 loaders, run 2: compiled 6, evaluated 6
10 loaders, run 1: compiled 14, evaluated 14
10 loaders, run 2: compiled 14, evaluated 14
100 loaders, run 1: compiled 104, evaluated 104
100 loaders, run 2: compiled 104, evaluated 104
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// A run that is cancelled ends at once, in every kind of file, and says why.
func TestCancel(t *testing.T) {
	for _, m := range []load.Memory{
		memory("in.yml", "#@ while True:\n#@ end\na: 1\n"),
		memory("in.txt", "(@ while True: @)(@ end @)"),
		memory("in.star", "while True:\nend\n"),
	} {
		t.Run(m.Path, func(t *testing.T) {
			ctx, cancel := gocontext.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			began := time.Now()
			_, err := evaluateAll(ctx, library(t, m), Options{})
			if err == nil || ctx.Err() == nil {
				t.Errorf("ended by itself: %v", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s to end", took)
			}
		})
	}
}

// Keys of a large map that come again and again cost about the same each, and the map is right in
// the end.
func TestManyOverrides(t *testing.T) {
	const n = 20_000
	lib := library(
		t,
		memory(
			"in.yml",
			fmt.Sprintf(
				"map:\n  #@ for/end i in range(%d):\n  #@yaml/text-templated-strings\n  #@yaml/map-key-override\n  k(@= str(i %% %d) @): #@ i\n",
				3*n,
				n,
			),
		),
	)
	began := time.Now()
	res, err := evaluateAll(t.Context(), lib, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// far more than it takes, far less than if each key moved all others
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	m, _ := res.Outputs[0].Docs[0].Value.Map()
	inner, _ := m.Entries()[0].Value.Map()
	items := inner.Entries()
	if len(items) != n {
		t.Fatalf("got %d items, want %d", len(items), n)
	}
	for i := range items {
		if key, value := items[i].Key.Starlark(), items[i].Value.Starlark(); key != starlark.String(
			fmt.Sprintf("k%d", i),
		) ||
			value != starlark.MakeInt(2*n+i) {
			t.Fatalf("item %d is %v: %v", i, key, value)
		}
	}
}

// Adding to a large map costs about the same for each key.
func BenchmarkLargeMap(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			lib := library(
				b,
				memory(
					"in.yml",
					fmt.Sprintf(
						"map:\n  #@ for/end i in range(%d):\n  #@yaml/text-templated-strings\n  k(@= str(i) @): #@ i\n",
						n,
					),
				),
			)
			for b.Loop() {
				if _, err := evaluateAll(b.Context(), lib, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFile(b *testing.B) {
	typical, err := os.ReadFile("../../../testdata/typical.yml")
	if err != nil {
		b.Fatal(err)
	}
	lib := library(b, memory("in.yml", string(typical)))
	if _, err := evaluateAll(b.Context(), lib, Options{}); err != nil { // compiled once
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := evaluateAll(b.Context(), lib, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Who uses a module without loading it is told how to.
func TestModulesHaveHints(t *testing.T) {
	for _, name := range modules.Names() {
		want := fmt.Sprintf("load it first: load(\"@ytt:%s\", \"%s\")", name, name)
		if got := script.Hint("undefined: "+name, nil); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestThreadsAreReleased: a context that lasts does not keep the threads of finished calls, and still ends
// those that are in use.
func TestThreadsAreReleased(t *testing.T) {
	ctx, cancel := gocontext.WithCancel(t.Context())
	defer cancel()
	res, err := evaluateAll(ctx, library(t, memory("a.yml", "a: 1\n")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 100
	var threads [n]weak.Pointer[starlark.Thread]
	for i := range threads {
		threads[i] = weak.Make(res.Thread(ctx))
	}
	runtime.GC()
	kept := 0
	for _, w := range threads {
		if w.Value() != nil {
			kept++
		}
	}
	if kept > n/2 {
		t.Errorf("%d of %d threads are kept", kept, n)
	}
	endless := "def f():\n  for i in range(1000000000):\n    pass\nf()\n"
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = starlark.ExecFileOptions(&syntax.FileOptions{}, res.Thread(ctx), "f.star", endless, nil)
	if err == nil || !strings.Contains(err.Error(), hints.Interrupted) {
		t.Errorf("got %v, want that the code is interrupted", err)
	}
}
