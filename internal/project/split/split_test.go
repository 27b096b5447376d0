package split

import (
	"path"
	"strings"
	"testing"

	"weft/internal/engine/emit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// FuzzNames: whatever the pattern and the documents are, the names can be written on all systems,
// below the directory, and no two are the same.
func FuzzNames(f *testing.F) {
	f.Add("{kind|lower}-{name}.yml", "Deployment", "web", "Web")
	f.Add("{namespace:-none}/{name|safe}.yml", "a/b", "system:reader", "..")
	f.Add("{file}-{index}", "", "x", "con")
	f.Add("{name}/../{kind}", "..", "ß", "SS")
	f.Add("{group}{version}{apiVersion|safe}", "σ", "ς", "Σ")
	f.Fuzz(func(t *testing.T, pattern, kind, name, other string) {
		p, err := Parse(pattern)
		if err != nil {
			return
		}
		docs := []FileDocument{document(kind, name, 1), document(kind, other, 2)}
		names, err := p.Names(docs)
		if err != nil {
			return
		}
		for _, n := range names {
			if n == "" || path.IsAbs(n) || path.Clean(n) != n || strings.HasPrefix(n, "..") &&
				(n == ".." || n[2] == '/') {
				t.Errorf("pattern %q gives %q", pattern, n)
			}
			for segment := range strings.SplitSeq(n, "/") {
				if problem := emit.WindowsProblem(segment); problem != "" {
					t.Errorf("pattern %q gives %q: %s", pattern, n, problem)
				}
			}
		}
		if folded(names[0]) == folded(names[1]) {
			t.Errorf("pattern %q gives %q twice", pattern, names)
		}
	})
}

func document(kind, name string, index int) FileDocument {
	item := func(key string, v tree.Value) tree.Item {
		return tree.Item{Key: tree.String(key), Value: v}
	}
	meta := tree.NewMap([]tree.Item{item("name", tree.String(name))}, source.Pos{})
	doc := tree.NewMap([]tree.Item{
		item("apiVersion", tree.String("apps/v1")), item("kind", tree.String(kind)),
		item("metadata", tree.Of(meta)),
	}, source.Pos{})
	return FileDocument{
		Doc: tree.Doc{Value: tree.Of(doc)}, File: "dir/app.yml", Index: index,
	}
}
