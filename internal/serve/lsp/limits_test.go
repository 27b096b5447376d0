package lsp_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
	"weft/internal/testing/cases"
)

// TestManySymbols asks for the symbols of files that have more than an editor can show.
func TestManySymbols(t *testing.T) {
	t.Parallel()
	var documents, keys strings.Builder
	keys.WriteString("#@ a = 1\n---\n")
	for i := range 6000 {
		fmt.Fprintf(&documents, "---\nkind: ConfigMap\nmetadata:\n  name: c%d\n", i)
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	files := map[string]string{"documents.yml": "#@ a = 1\n" + documents.String(), "keys.yml": keys.String()}
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	for name, text := range files {
		c.open(name, text)
		var list []protocol.DocumentSymbol
		c.call("textDocument/documentSymbol", c.document(name), &list)
		if n := countSymbols(list); n < 4900 || n > 5010 {
			t.Errorf("%s: there are %d symbols", name, n)
		}
		if last := list[len(list)-1].Name; !strings.Contains(last, "the rest is not listed") {
			t.Errorf("%s: the last symbol is %s", name, last)
		}
	}
}

// longest is how long an answer may take that would take as long again for each use or anchor. It takes a tenth of a
// second, and the race detector and tests that run at the same time make it thirty times slower.
func longest() time.Duration {
	if cases.Race {
		return 30 * time.Second
	}
	return 3 * time.Second
}

// TestManyUses completes in functions that are used very often. Each use is read once at most.
func TestManyUses(t *testing.T) {
	t.Parallel()
	recursive := "#@ def f():\nspec:\n" + strings.Repeat("  a: #@ f()\n", 4) + "  ‸\n#@ end\n"
	var chain strings.Builder
	chain.WriteString("#@ def f0():\nspec:\n  ‸\n#@ end\n")
	for i := range 5 {
		fmt.Fprintf(&chain, "#@ def f%d():\n", i+1)
		for j := range 8 {
			fmt.Fprintf(&chain, "k%d: #@ f%d()\n", j, i)
		}
		chain.WriteString("#@ end\n")
	}
	dir := t.TempDir()
	files := map[string]string{"recursive.yml": recursive, "chain.yml": chain.String()}
	c := dial(t, dir, nil)
	for name, text := range files {
		start := time.Now()
		c.completeTyped(name, text)
		if took := time.Since(start); took > longest() {
			t.Errorf("%s takes %v", name, took)
		}
	}
}

// TestManyAnchors completes an alias in a file with more anchors than an editor shows.
func TestManyAnchors(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "k%d: &anchor%d some text that makes the file longer\n", i, i)
	}
	c := dial(t, t.TempDir(), nil)
	start := time.Now()
	list := c.completeTyped("anchors.yml", b.String()+"last: *anchor‸\n")
	if len(list) != 500 || list[0].Label != "anchor19999" {
		t.Errorf("there are %d items", len(list))
	}
	if took := time.Since(start); took > longest() {
		t.Errorf("it takes %v", took)
	}
}

// TestAnchorsOfDocument offers the anchors above the cursor in its document, whatever a text contains.
func TestAnchorsOfDocument(t *testing.T) {
	t.Parallel()
	c := dial(t, t.TempDir(), nil)
	var got []string
	for _, item := range c.completeTyped("a.yml", "x: &other 1\n--- # next\n"+
		"a: &first 1\nb: |\n  text\n\n  ---\nc: &second \"\n ---\n \"\nd: &first 2\ne: *‸\nf: &late 3\n---\ng: &after 1\n") {
		got = append(got, item.Label)
	}
	c.expect("anchors", got, "first", "second")
	got = nil
	for _, item := range c.completeTyped("b.yml", "a: &first 1\nb: |2\n  x\n  ---y\n---z: &odd 2\nc: *‸\n") {
		got = append(got, item.Label)
	}
	c.expect("anchors beside odd keys", got, "odd", "first")
}

func countSymbols(list []protocol.DocumentSymbol) int {
	n := len(list)
	for _, s := range list {
		n += countSymbols(s.Children)
	}
	return n
}

// TestMuchMemory evaluates what would take ten gigabytes. The server reports it where it is, and goes on.
func TestMuchMemory(t *testing.T) {
	if testing.Short() || cases.Race {
		t.Skip("it takes a gigabyte")
	}
	dir := t.TempDir()
	files := map[string]string{"big.yml": "a: #@ [\"a\" * 50000000 for i in range(200)]\n", "other.yml": "b: #@ 1\n"}
	write(t, dir, files)
	c := dial(t, dir, nil)
	n := mostInUse(func() {
		c.open("big.yml", files["big.yml"])
		c.settle()
	})
	if n > 1700<<20 {
		t.Errorf("%d MB were in use", n>>20)
	}
	c.expect("published", c.lines(), "big.yml:1 eval/limit")
	hint := c.diagnostics("big.yml")[0].Message
	if strings.Contains(hint, "--max-memory") || !strings.Contains(hint, "weft render may use more") {
		t.Errorf("the server has no such flag: %s", hint)
	}
	c.change("big.yml", protocol.ContentChange{Text: "a: #@ undefined\n"})
	c.settle()
	c.expect("published after that", c.lines(), "big.yml:1 script/undefined")
	debug.FreeOSMemory()
}

// TestManySteps evaluates an endless loop. The hint names nothing that the server does not have.
func TestManySteps(t *testing.T) {
	t.Parallel()
	const text = "#@ def f():\n#@ for i in range(1000000000):\n#@ x = i\n#@ end\n#@ end\na: #@ f()\n"
	dir := t.TempDir()
	write(t, dir, map[string]string{"loop.yml": text})
	c := dial(t, dir, nil)
	c.open("loop.yml", text)
	c.settle()
	c.expect("published", c.lines(), "loop.yml:3 eval/limit")
	for _, d := range c.diagnostics("loop.yml") {
		if strings.Contains(d.Message, "--max") || d.Code == "eval/limit" && !strings.Contains(d.Message, "endless loop") {
			t.Error(d.Message)
		}
	}
}

// mostInUse returns how many bytes of the heap were in use at most while do ran.
func mostInUse(do func()) uint64 {
	runtime.GC() // other tests leave garbage
	most, done := make(chan uint64), make(chan struct{})
	go func() {
		var m runtime.MemStats
		var high uint64
		for {
			runtime.ReadMemStats(&m)
			high = max(high, m.HeapAlloc)
			select {
			case <-done:
				most <- high
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	do()
	close(done)
	return <-most
}

// TestLargeTexts opens projects with a text that is too large, also one that is not open. Its only diagnostic
// is at its beginning and says why nothing is evaluated, and other files keep the errors that they have by
// themselves. In long runs, the texts have 50 MB.
func TestLargeTexts(t *testing.T) {
	size := workspace.MaxText + 1
	if cases.Long() {
		size = 50_000_000
	}
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)+1) }
	weftYML := "weft: 2026\ninputs: [other.yml, schema.yml]\nenvironments:\n  a: {valueFiles: [values.yml]}\n"
	schema := "#@data/values-schema\n---\n#@schema/type any=True\nlist: []\n"
	for name, p := range map[string]struct {
		large string
		files map[string]string
	}{
		"documents": {"large.yml", map[string]string{"large.yml": "#@ x = 1\n" + repeat("key: value\n---\n")}},
		"strings": {"large.yml", map[string]string{
			"large.yml": "#@ x = 1\nlist:\n" + repeat("- \""+strings.Repeat("s", 1000)+"\"\n"),
		}},
		"code": {"large.star", map[string]string{"large.star": repeat("x = 1\n")}},
		"values": {"values.yml", map[string]string{
			"weft.yml": weftYML, "schema.yml": schema, "values.yml": "list:\n" + repeat("- key: value\n"),
		}},
	} {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s open=%v", name, open), func(t *testing.T) {
				dir := t.TempDir()
				p.files["other.yml"] = "a: #@ undefined\n"
				write(t, dir, p.files)
				c := dial(t, dir, nil)
				start := time.Now()
				n := mostInUse(func() {
					c.open("other.yml", p.files["other.yml"])
					if open {
						c.open(p.large, p.files[p.large])
						c.ask(p.large, protocol.Position{Line: 1, Character: 1})
					}
					c.settle()
				})
				if took := time.Since(start); took > 10*longest() {
					t.Errorf("it takes %v", took)
				}
				if n > 1<<30 {
					t.Errorf("%d MB were in use", n>>20)
				}
				want := []string{p.large + ":1 load/too-large", "other.yml:1 script/undefined"}
				slices.Sort(want)
				c.expect("published", c.lines(), want...)
				if list := c.diagnostics(p.large); len(list) > 0 && !strings.Contains(list[0].Message, "the limit is 8 MiB") {
					t.Errorf("it is not plain: %s", list[0].Message)
				}
				c.healthy()
			})
		}
	}
}
