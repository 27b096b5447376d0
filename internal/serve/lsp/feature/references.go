package feature

import (
	"context"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// References returns the uses of what is at a place in all files of the project: first those in the
// index, then reads of a data value in the last traced evaluation.
func References(
	ctx context.Context, doc *workspace.TextDocument, p protocol.ReferenceParams,
) ([]protocol.Location, error) {
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil || s == nil {
		return []protocol.Location{}, err
	}
	found := w.newLocations()
	w.eachUse(s, func(u use) {
		if !u.defines || p.Context.IncludeDeclaration {
			found.add(u.source, u.at)
		}
	})
	if view := doc.View(); view != nil && len(s.values) > 0 {
		reads := view.RunTimeReads(ctx, w.snap)
		for _, v := range s.values {
			w.atRunTime(reads, v, found.add)
		}
	}
	return found.list, nil
}

// use is a place that uses a subject.
type use struct {
	source  *index.Source
	at      index.Range
	defines bool // it is the definition
	writes  bool // it assigns a value
}

// eachUse calls f with each use that the index finds.
func (w *indexedDoc) eachUse(s *subject, f func(use)) {
	switch {
	case s.path != nil:
		w.eachPath(s.source, s.path, f)
	case s.isSymbol():
		for _, u := range w.all.Uses(s.symbol) {
			def := u.Bound && u.Source == s.symbol.Source
			f(use{u.Source, u.At, def, u.Bound})
		}
	}
	for _, v := range s.values {
		w.all.Keys(v, func(src *index.Source, k *index.Key) {
			f(use{src, k.At, k.Kind == index.Declares, k.Kind == index.Declares || k.Kind == index.Sets})
		})
		w.all.Reads(v, func(src *index.Source, r *index.Read, _ bool) {
			f(use{source: src, at: r.At})
		})
	}
}

// eachPath calls f with the paths that refer to the same file as a path.
func (w *indexedDoc) eachPath(from *index.Source, p *index.Path, f func(use)) {
	want := w.targets(from, p)
	for _, src := range w.all.Sources {
		for i := range src.File.Paths {
			x := &src.File.Paths[i]
			if p.Kind == index.Environment {
				if x.Kind == p.Kind && x.Text == p.Text {
					f(use{src, x.At, x.Defines, x.Defines})
				}
				continue
			}
			if x.Kind == index.Environment || len(want) == 0 {
				continue
			}
			if got := w.targets(src, x); len(got) == len(want) && got[0] == want[0] {
				f(use{source: src, at: x.At})
			}
		}
	}
}

// Highlights returns the uses in the document of what is at a place.
func Highlights(
	ctx context.Context, doc *workspace.TextDocument, p protocol.HighlightParams,
) ([]protocol.DocumentHighlight, error) {
	list := []protocol.DocumentHighlight{}
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil || s == nil {
		return list, err
	}
	seen := map[index.Range]bool{}
	w.eachUse(s, func(u use) {
		if u.source != w.own || seen[u.at] {
			return
		}
		seen[u.at] = true
		if at, ok := w.positions(u.source, u.at); ok {
			h := protocol.DocumentHighlight{Range: at, Kind: protocol.HighlightRead}
			if u.writes {
				h.Kind = protocol.HighlightWrite
			}
			list = append(list, h)
		}
	})
	return list, nil
}
