package outline_test

import (
	"strings"
	"testing"

	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/outline"
)

// show returns the path of a cursor, and what is typed.
func show(c *outline.Cursor) string {
	if c == nil {
		return "nowhere"
	}
	var b strings.Builder
	for _, s := range c.Path {
		if s.Item {
			b.WriteString("[" + string(rune('0'+s.Index)) + "]")
		} else {
			b.WriteString("." + s.Key)
		}
	}
	if c.Key {
		b.WriteString(" key")
	}
	return strings.TrimSpace(b.String() + " " + c.Word)
}

// The path of what is typed comes from the parser, whatever is missing.
func TestTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"‸":                       "key",
		"a‸":                      "key a",
		"a: ‸":                    ".a",
		"a:‸":                     ".a",
		"\"a‸":                    "key a",
		"a: b‸ # c":               ".a b",
		"a: # b‸":                 "nowhere",
		"a:\n  ‸":                 ".a key",
		"a:\n  b: 1\n  ‸\nc: 2\n": ".a key",
		"a:\n  b: 1\n    ‸\n":     "nowhere",
		"a:\n- ‸":                 ".a[0] key",
		"a:\n- b: 1\n  c‸":        ".a[0] key c",
		"a:\n- b: 1\n- ‸":         ".a[1] key",
		"- - b‸":                  "[0][0] key b",
		"a: {b‸":                  ".a key b",
		"a: {b: ‸":                ".a.b",
		"a: {b: [x, ‸":            ".a.b[1]",
		"a: [{b: c}, {d‸}]":       ".a[1] key d",
		"a: \"b‸\"":               ".a b",
		"a: \"b‸":                 ".a b",
		"a: 'b‸'":                 ".a b",
		"a: |\n  b‸\n":            "nowhere",
		"a: b\n  c‸\n":            "nowhere",
		"ab‸cd: 1":                "key ab",
		"a: #@ x\nb‸":             "key b",
		"a: [\n---\nb:\n  c‸\n":   ".b key c",
		"a: 1\nb: [\nc:\n  d‸\n":  ".c key d",
		"\ufeffa:\n  b‸":          ".a key b",
		"a:\r\n  b‸\r\nc: 1":      ".a key b",
		"ä:\n  ö‸":                ".ä key ö",
	} {
		before, after, _ := strings.Cut(text, "‸")
		if got := show(outline.Typed([]byte(before+after), len(before), yaml.Options{})); got != want {
			t.Errorf("%q: found %q, but expected %q", text, got, want)
		}
	}
}

// FuzzCursor looks at any place of any text: what is typed is always what stands before the cursor, and what
// is below it is a part of the text that touches it.
func FuzzCursor(f *testing.F) {
	for _, text := range []string{
		"a: {b: [c, d", "- a: 'b\n  c: |\n   d", "#@overlay/match\n---\na: #@ x\n", "? a\n: b", "a: &x b\nc: *x",
		"%YAML 1.2\n--- !t\na: \"b\\\n c\"", "<<: {a: b}", "\t- a", "a: b: c", "{{ .x }}: 1", "---\n---\n...\na",
	} {
		for off := range len(text) + 1 {
			f.Add(text, off)
		}
	}
	f.Fuzz(func(t *testing.T, text string, off int) {
		if off < 0 || off > len(text) || len(text) > 1000 {
			return
		}
		data := []byte(text)
		if c := outline.Typed(data, off, yaml.Options{}); c != nil {
			if !strings.HasSuffix(text[:off], c.Word) || strings.ContainsAny(c.Word, "\r\n") {
				t.Errorf("the word %q does not stand before the cursor", c.Word)
			}
			c.Siblings()
		}
		if c := outline.Over(data, off, yaml.Options{}); c != nil {
			if start, end := c.Span(c.Node); start > off || off > end || end > len(text) {
				t.Errorf("%d to %d does not contain %d", start, end, off)
			}
		}
	})
}
