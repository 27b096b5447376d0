package emit

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// benchDocuments are documents such as people have, as a file of plain YAML gives them.
func benchDocuments(b *testing.B, n int) []tree.Doc {
	b.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-%d
  labels: {app: web, "tier": 'front'}
data:
  port: "8080"
  ratio: 0.25
  empty: ""
  motd: |
    Welcome to number %d.
    Be kind.
  hosts: [a.example.com, b.example.com, "yes"]
`, i, i)
	}
	f, err := new(source.Set).Add("in.yml", []byte(text.String()))
	if err != nil {
		b.Fatal(err)
	}
	t, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var docs []tree.Doc
	for doc := range t.Documents() {
		docs = append(
			docs,
			tree.Doc{Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc)},
		)
	}
	if len(docs) != n {
		b.Fatalf("got %d documents, want %d", len(docs), n)
	}
	return docs
}

func BenchmarkEmit(b *testing.B) {
	for _, form := range []struct {
		name  string
		write func(io.Writer, []tree.Doc) (int64, error)
	}{
		{"YAML", func(w io.Writer, docs []tree.Doc) (int64, error) { return YAML(w, docs, 0) }},
		{"JSON", JSON},
	} {
		for _, n := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%d", form.name, n), func(b *testing.B) {
				docs := benchDocuments(b, n)
				b.ReportAllocs()
				for b.Loop() {
					size, err := form.write(io.Discard, docs)
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(size)
				}
			})
		}
	}
}
