package test

import (
	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/diff"
)

// Golden is a file with the expected documents of a render.
type Golden struct {
	Path  string // the path that messages show
	Files *source.Set
	Docs  []tree.Doc
}

// ReadGolden reads a golden file. The error is a diag.List.
func ReadGolden(path string, data []byte, syntax yaml.Options) (*Golden, error) {
	g := &Golden{Path: path, Files: &source.Set{}}
	f, err := g.Files.AddShown(path, path, data)
	if err != nil {
		return g, diag.List{diag.Failf(CodePath, "%s", err)}
	}
	u, err := compile.Plain(f, compile.Options{YAML: syntax})
	if err != nil {
		return g, diag.Of(err)
	}
	for _, t := range u.Trees {
		for doc := range t.Documents() {
			g.Docs = append(g.Docs, tree.Doc{
				Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc),
			})
		}
	}
	return g, nil
}

// Compare lists the differences between documents and the golden file: as trees, ignoring the order
// of keys and the spelling of scalars.
func (g *Golden) Compare(r *Rendered, syntax yaml.Options) (list []Failure) {
	a := diff.Side{Docs: documents(g.Docs), Files: g.Files}
	b := diff.Side{Docs: documents(r.Docs), Files: r.Files}
	d := diff.Compare(a, b, diff.Options{Order: true, Secrets: r.Secrets, YAML: syntax})
	for i := range d.Changes {
		if i == maxFailureLines {
			list = append(list, Failure{
				Doc: -1, Message: "… " + diag.Count(len(d.Changes)-maxFailureLines, "change") + " more",
			})
			break
		}
		list = append(list, g.change(&d.Changes[i], r))
	}
	return list
}

func documents(docs []tree.Doc) []diff.SideDocument {
	list := make([]diff.SideDocument, 0, len(docs))
	for _, d := range docs {
		if !d.Value.Empty() {
			list = append(list, diff.SideDocument{Value: d.Value, Pos: d.Pos})
		}
	}
	return list
}

// change converts a difference to a failure. Removed values have a place only in the golden file.
func (g *Golden) change(c *diff.Change, r *Rendered) Failure {
	f := Failure{At: g.Path, Doc: c.Object.B, ValuePath: c.Path}
	f.Message, f.Below = c.Lines()
	if file := g.Files.File(c.Was); file != nil {
		f.At = file.WhereLine(c.Was.Offset())
	}
	if c.Op == diff.Removed {
		f.Doc = -1
	} else {
		f.Found = r.where(c.At)
	}
	return f
}
