package lsp_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/lsp/protocol"
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
	most := make(chan uint64)
	done := make(chan struct{})
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
	c.open("big.yml", files["big.yml"])
	c.settle()
	close(done)
	if n := <-most; n > 1700<<20 {
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
