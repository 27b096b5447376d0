//go:build !race

package emit

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// A document that is one long string takes its text once more to be written, and no more than that.
// Under the race detector, strings are copied that are shared otherwise.
func TestLongStringsTakeLittleMemory(t *testing.T) {
	const size = 4 << 20
	for name, line := range map[string]string{"plain": "y\n", "block": "  some text\n"} {
		text := strings.Repeat(line, size/len(line))
		if name == "block" {
			text = "|\n" + text
		}
		docs := documentsOf(t, text)
		inYAML := func(w io.Writer, docs []tree.Doc) (int64, error) { return YAML(w, docs, 0) }
		for format, write := range map[string]func(io.Writer, []tree.Doc) (int64, error){
			"YAML": inYAML, "JSON": JSON,
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if CheckJSON(docs) != nil {
				t.Fatal("JSON cannot express a string")
			}
			if _, err := write(io.Discard, docs); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > size+size/4 {
				t.Errorf(
					"%s as %s: %d bytes of text took %d bytes of memory",
					name,
					format,
					size,
					took,
				)
			}
		}
	}
}

func documentsOf(t *testing.T, text string) []tree.Doc {
	t.Helper()
	f, err := new(source.Set).Add("in.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	syntax, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return []tree.Doc{{Value: tree.FromSyntax(syntax, syntax.Root(syntax.First()))}}
}
