package lsp_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
)

// tokens(NAME): each line of the file with its tokens.
func (r *markerRun) semanticTokens(at place, args []string) {
	var got protocol.SemanticTokens
	r.call("textDocument/semanticTokens/full", r.document(at.path), &got)
	r.golden(args[0], showTokens(r.t, r.texts[at.path], got.Data))
}

func showTokens(t testing.TB, text string, data []uint32) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	line, char := 0, 0
	for ; len(data) > 0; data = data[5:] {
		if line += int(data[0]); data[0] > 0 {
			char = 0
		}
		char += int(data[1])
		units := utf16.Encode([]rune(lines[line]))
		if char+int(data[2]) > len(units) {
			t.Fatalf("line %d has no characters %d to %d", line+1, char, char+int(data[2]))
		}
		word := string(utf16.Decode(units[char : char+int(data[2])]))
		fmt.Fprintf(&b, "%d:%d %s %s", line+1, char+1, word, feature.TokenLegend.TokenTypes[data[3]])
		for i, m := range feature.TokenLegend.TokenModifiers {
			if data[4]&(1<<i) != 0 {
				b.WriteString(" " + m)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// What a delta makes of the last answer is the next answer, and a range has the tokens in it.
func TestTokenDeltas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "#@ load(\"@ytt:data\", \"data\")\r\na🙂: #@ data.values.x + \"🙂\" + str(1)\r\n#@ def f(a, b=1):\r\n#@   return a\r\n#@ end\r\n"
	c := dial(t, dir, nil)
	c.open("a.yml", text)
	var got protocol.SemanticTokens
	c.call("textDocument/semanticTokens/full", c.document("a.yml"), &got)
	random := rand.New(rand.NewSource(1))
	for range 50 {
		lines := strings.SplitAfter(text, "\r\n")
		i := random.Intn(len(lines))
		switch random.Intn(3) {
		case 0:
			lines = slices.Insert(lines, i, "b: #@ f(1, b=2)\r\n")
		case 1:
			if len(lines) > 1 {
				lines = slices.Delete(lines, i, i+1)
			}
		default:
			lines[i] = "#! 🙂\r\n" + lines[i]
		}
		text = strings.Join(lines, "")
		c.change("a.yml", protocol.ContentChange{Text: text})
		var delta protocol.SemanticTokensDelta
		c.call("textDocument/semanticTokens/full/delta", protocol.SemanticTokensDeltaParams{
			DocumentParams: c.document("a.yml"), PreviousResultID: got.ResultID,
		}, &delta)
		for _, e := range delta.Edits {
			got.Data = slices.Replace(got.Data, e.Start, e.Start+e.DeleteCount, e.Data...)
		}
		var all protocol.SemanticTokens
		c.call("textDocument/semanticTokens/full", c.document("a.yml"), &all)
		if !slices.Equal(all.Data, got.Data) {
			t.Fatalf("%q: got %v, want %v", text, got.Data, all.Data)
		}
		got = all
		p := protocol.SemanticTokensRangeParams{}
		p.DocumentParams = c.document("a.yml")
		p.Range.End.Line = strings.Count(text, "\n") + 1
		var part protocol.SemanticTokens
		c.call("textDocument/semanticTokens/range", p, &part)
		if !slices.Equal(all.Data, part.Data) {
			t.Fatalf("%q: got %v, want %v", text, part.Data, all.Data)
		}
	}
	var fresh protocol.SemanticTokens
	c.call("textDocument/semanticTokens/full/delta", protocol.SemanticTokensDeltaParams{
		DocumentParams: c.document("a.yml"), PreviousResultID: "unknown",
	}, &fresh)
	if !slices.Equal(fresh.Data, got.Data) {
		t.Errorf("got %v, want %v", fresh.Data, got.Data)
	}
}

// A document in another language has another server.
func TestForeignDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"weft.yml": "weft: 2026\ninputs: [config]\n", "config/a.yml": "a: 1\n"})
	c := dial(t, dir, nil)
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.Text = c.uri("a.yml"), "a: #@ [1\n"
	p.TextDocument.LanguageID = "yaml"
	c.conn.Notify("textDocument/didOpen", p)
	for _, method := range []string{
		"textDocument/semanticTokens/full", "textDocument/documentSymbol",
		"textDocument/foldingRange", "textDocument/formatting",
	} {
		var got any
		if c.call(method, c.document("a.yml"), &got); got != nil {
			t.Errorf("%s: got %v", method, got)
		}
	}
	var is protocol.LanguageOf
	if c.call("weft/languageOf", c.document("a.yml"), &is); is.LanguageID != protocol.LanguageTemplate {
		t.Errorf("its language is %q", is.LanguageID)
	}
	p.TextDocument.URI = c.uri("config/a.yml")
	c.conn.Notify("textDocument/didOpen", p)
	c.settle()
	if list := c.diagnostics("a.yml"); len(list) > 0 {
		t.Errorf("a file that is no input has %v", list)
	}
	if list := c.diagnostics("config/a.yml"); len(list) != 1 {
		t.Errorf("an input has %v", list)
	}
}

// 1,000 lines of code take 20 ms at most; the machine that tests may be busy.
func BenchmarkTokens(b *testing.B) {
	c := dial(b, b.TempDir(), nil)
	c.open("a.yml", strings.Repeat("a: #@ data.values.x + f(\"x\", y=1)\n", 1000))
	start := time.Now()
	for b.Loop() {
		var got protocol.SemanticTokens
		c.call("textDocument/semanticTokens/full", c.document("a.yml"), &got)
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds())/float64(b.N), "ms/op")
}
