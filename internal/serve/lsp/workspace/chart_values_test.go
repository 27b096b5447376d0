//go:build !playground

package workspace

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// chartWithAliases returns the files of a chart whose dependency has a number of aliases.
func chartWithAliases(n int) map[string][]byte {
	var b strings.Builder
	b.WriteString("name: c\ndependencies:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {name: sub, alias: sub%d}\n", i)
	}
	return map[string][]byte{
		"c/Chart.yaml": []byte(b.String()), "c/values.yaml": []byte("a: 1\n"),
		"c/charts/sub/values.yaml": []byte("b: 1\n"), "c/charts/zoo/values.yaml": []byte("c: 1\n"),
	}
}

// A chart may have dependencies with many aliases, of which some are read.
func TestChartAliases(t *testing.T) {
	t.Parallel()
	for aliases, want := range map[int]int{3: 1 + 3 + 1, maxDependencies + 70: 1 + maxDependencies} {
		s := &Snapshot{files: &Files{open: chartWithAliases(aliases)}}
		got := (&chartCache{}).of(t.Context(), s, "c")
		if got == nil {
			t.Fatal("the chart says nothing")
		}
		if len(got.defaults) != want || len(got.Schemas) != want {
			t.Errorf("with %d aliases, there is %d times values, but expected %d", aliases, len(got.defaults), want)
		}
	}
}

// watchedContext is a context that has ended. It notes whether a lock was held when it was asked.
type watchedContext struct {
	context.Context
	mu   *sync.Mutex
	held bool
}

func (c *watchedContext) Err() error {
	if c.mu.TryLock() {
		c.mu.Unlock()
	} else {
		c.held = true
	}
	return context.Canceled
}

// A chart that takes long keeps no other chart waiting, and ends with its context.
func TestChartIsCancelled(t *testing.T) {
	t.Parallel()
	var k chartCache
	ctx := &watchedContext{Context: t.Context(), mu: &k.mu}
	files := &chartFiles{s: &Snapshot{files: &Files{open: chartWithAliases(3)}}, chart: "c"}
	r := chartReader{ctx: ctx, files: files, out: &ChartValues{texts: map[string][]byte{}}}
	r.read()
	if n := len(r.out.defaults); n != 0 {
		t.Errorf("after the end, there is %d times values", n)
	}
	if k.of(ctx, files.s, "c") != nil || k.known != nil {
		t.Error("what is not complete is kept")
	}
	if ctx.held {
		t.Error("others wait while a chart is read")
	}
}

// A dependency that is added is read, although no file that was read before has changed.
func TestChartGetsDependency(t *testing.T) {
	t.Parallel()
	var k chartCache
	files := chartWithAliases(1)
	before := k.of(t.Context(), &Snapshot{files: &Files{open: files}}, "c")
	if again := k.of(t.Context(), &Snapshot{files: &Files{open: files}}, "c"); again != before {
		t.Error("a chart that is the same is read again")
	}
	files = chartWithAliases(1)
	files["c/charts/new/values.yaml"] = []byte("d: 1\n")
	after := k.of(t.Context(), &Snapshot{files: &Files{open: files}}, "c")
	if got, want := len(after.Schemas), len(before.Schemas)+1; got != want {
		t.Errorf("with a new dependency, there are %d values, but expected %d", got, want)
	}
}

// packed returns an archive with files, in the order of the arguments: a name, then its text.
func packed(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		h := &tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Dependencies that are archives have values, too, in a chart that is a directory or an archive.
// Archives that are too large or lead out of their folder have none.
func TestChartPackedDependencies(t *testing.T) {
	t.Parallel()
	const chart = "name: c\ndependencies:\n- {name: redis, alias: cache}\n"
	redis := packed(t, "redis/Chart.yaml", "name: redis\n", "redis/values.yaml", "port: 6379\n")
	bomb := packed(t, "bomb/Chart.yaml", "name: bomb\n", "bomb/big", strings.Repeat("x", maxPacked+1),
		"bomb/values.yaml", "b: 1\n")
	escape := packed(t, "../values.yaml", "e: 1\n")
	files := map[string][]byte{
		"c/Chart.yaml": []byte(chart), "c/values.yaml": []byte("a: 1\n"), "c/charts/redis-1.2.3.tgz": redis,
		"c/charts/bomb-1.tgz": bomb, "c/charts/escape-1.tgz": escape, "c/charts/text-1.tgz": []byte("no archive"),
		"c.tgz": packed(t, "c/Chart.yaml", chart, "c/values.yaml", "a: 1\n",
			"c/charts/redis-1.2.3.tgz", string(redis)),
	}
	for _, name := range []string{"c", "c.tgz"} {
		got := (&chartCache{}).of(t.Context(), &Snapshot{files: &Files{open: files}}, name)
		var keys []string
		for _, d := range got.defaults {
			keys = append(keys, d.under)
		}
		if len(keys) != 2 || keys[0] != "" || keys[1] != "cache" {
			t.Errorf("%s: values of %q, want those of the chart and of cache", name, keys)
		}
		if at, _, _ := got.Default([]string{"cache", "port"}); at != "" {
			t.Errorf("%s: a default in an archive is at %s", name, at)
		}
	}
}
