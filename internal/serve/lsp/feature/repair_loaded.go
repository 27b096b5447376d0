package feature

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// respellLoaded corrects a name in a load that its file does not have: the one that a finding is about, or the one
// that should be what the code names. An undefined name is found before the files that are loaded are looked at.
func respellLoaded(doc *workspace.TextDocument, x report.Finding) []repair {
	all, src, err := doc.Index(doc.Context(), true)
	f := fileAt(x)
	if err != nil || f == nil || !doc.Is(f) || !f.SameText(src.File.Text) {
		return nil
	}
	at := x.Of.Marked(x.Files)
	named := string(f.Data()[at.Offset():at.End()])
	for _, n := range src.File.Names {
		from := all.Find(src, src.File.Bindings[n.Binding].Module)
		was := string(f.Data()[n.At.Start:n.At.End])
		if !n.Module || from == nil || from.File.Broken || from.File.Export(was) != index.None {
			continue
		}
		names := []string{named}
		if n.At == (index.Range{Start: at.Offset(), End: at.End()}) {
			names = loadableFrom(from)
		} else if from.File.Export(named) == index.None {
			continue
		}
		if name := diag.Nearest(was, names); name != "" {
			return respelled(doc, x, src, n, name)
		}
	}
	return nil
}

// loadableFrom returns the names that other files may load from a file.
func loadableFrom(s *index.Source) (names []string) {
	for _, d := range defsOf(s.File) {
		if !strings.HasPrefix(d.name, "_") {
			names = append(names, d.name)
		}
	}
	return names
}

// respelled gives a loaded name and its uses in the file another spelling.
func respelled(
	doc *workspace.TextDocument, x report.Finding, src *index.Source, loaded index.Name, name string,
) []repair {
	f, edits := fileAt(x), workspace.Edits{}
	if !edits.Add(doc.Snapshot(), f, loaded.At.Start, loaded.At.End, name) {
		return nil
	}
	was := string(f.Data()[loaded.At.Start:loaded.At.End])
	for _, n := range src.File.Names {
		isUse := n.Binding == loaded.Binding && !n.Bound && !n.Module
		if isUse && src.File.Bindings[n.Binding].Name == was && !edits.Add(doc.Snapshot(), f, n.At.Start, n.At.End, name) {
			return nil
		}
	}
	return []repair{{title: "load " + name + " instead of " + was, edits: edits, likely: true}}
}
