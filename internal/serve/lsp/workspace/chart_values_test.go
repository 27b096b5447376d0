//go:build !playground

package workspace

import (
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
	if len(after.Schemas) != len(before.Schemas)+1 {
		t.Errorf("with a new dependency, there are %d values, but expected %d", len(after.Schemas), len(before.Schemas)+1)
	}
}
