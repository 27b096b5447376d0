package feature

import (
	"context"
	"path"
	"strings"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// maxFolderFiles limits the files of a folder that are listed.
const maxFolderFiles = 100

// Definition returns where a name is bound; where a data value that is read is set and then where it is declared;
// where a key of data values is declared; the file of a path; what the key of an overlay changes; or where a
// chart has the default of a value.
func Definition(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
) ([]protocol.Location, error) {
	return definitions(ctx, doc, p, func(s *subject) bool {
		return s.key != nil && s.key.Kind != index.Declares
	})
}

// Declaration returns where a data value is declared, or else set. For everything else it is like
// Definition.
func Declaration(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
) ([]protocol.Location, error) {
	return definitions(ctx, doc, p, func(*subject) bool { return true })
}

// definitions returns where a name is bound, or where a data value is declared, or else where it is set; the
// other way round if declaredFirst says no.
func definitions(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
	declaredFirst func(*subject) bool,
) ([]protocol.Location, error) {
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil {
		return []protocol.Location{}, err
	}
	if s == nil {
		off := doc.Mapper().Offset(p.Position)
		if doc.IsTestFile() {
			return testDefinitions(ctx, doc, off), nil
		}
		if list := memberDefinitions(ctx, doc, off); list != nil {
			return list, nil
		}
		if !isOverlayKey(doc, off) {
			return chartDefinitions(ctx, doc, off), nil
		}
		return overlaid(ctx, doc, p), nil
	}
	if s.values == nil {
		return w.bound(s), nil
	}
	if declaredFirst(s) {
		return w.keys(s.values, index.Declares, index.Sets), nil
	}
	if s.key != nil {
		return w.keys(s.values, index.Sets, index.Declares), nil
	}
	return append(w.keys(s.values, index.Sets), w.keys(s.values, index.Declares)...), nil
}

// TypeDefinition returns where a data value is declared, even for a variable whose value it is.
func TypeDefinition(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
) ([]protocol.Location, error) {
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil || s == nil {
		return []protocol.Location{}, err
	}
	values := s.values
	if s.isSymbol() {
		values = w.all.Means(s.symbol)
	}
	return w.keys(values, index.Declares), nil
}

// keys returns the keys of data values of the first of the kinds of which there are any.
func (w *indexedDoc) keys(values []index.Value, kinds ...index.KeyKind) []protocol.Location {
	for _, kind := range kinds {
		found := w.newLocations()
		for _, v := range values {
			if len(v.Path) == 0 {
				continue
			}
			w.all.Keys(v, func(src *index.Source, k *index.Key) {
				if k.Kind == kind {
					found.add(src, k.At)
				}
			})
		}
		if len(found.list) > 0 {
			return found.list
		}
	}
	return []protocol.Location{}
}

// bound returns where a name is bound, or the files that a path names.
func (w *indexedDoc) bound(s *subject) []protocol.Location {
	found := w.newLocations()
	if s.path != nil {
		for _, src := range w.targets(s.source, s.path) {
			found.add(src, index.Range{})
		}
		if s.path.Kind == index.Environment {
			w.environment(s.path, found)
		}
		if s.path.Kind == index.Input && len(found.list) == 0 { // a file that no environment reads
			d := w.doc.Snapshot().Document(path.Join(path.Dir(s.source.Path), s.path.Text))
			if d != nil {
				found.list = append(found.list, protocol.Location{URI: d.URI()})
			}
		}
		return found.list
	}
	for _, u := range w.all.Uses(s.symbol) {
		if u.Bound && u.Source == s.symbol.Source {
			found.add(u.Source, u.At)
		}
	}
	return found.list
}

// environment returns the files that an environment names, or where it is defined.
func (w *indexedDoc) environment(p *index.Path, found *locations) {
	for _, src := range w.all.Sources {
		for i := range src.File.Paths {
			def := &src.File.Paths[i]
			if def.Kind != index.Environment || !def.Defines || def.Text != p.Text {
				continue
			}
			if p != def {
				found.add(src, def.At)
				continue
			}
			for j := range src.File.Paths {
				if x := &src.File.Paths[j]; x.Of != nil && *x.Of == def.At {
					for _, file := range w.targets(src, x) {
						found.add(file, index.Range{})
					}
				}
			}
		}
	}
}

// targets returns the files that a path names.
func (w *indexedDoc) targets(src *index.Source, p *index.Path) []*index.Source {
	switch p.Kind {
	case index.Module, index.Data:
		if to := w.all.Find(src, p.Text); to != nil {
			return []*index.Source{to}
		}
	case index.Folder:
		return w.below(func(to *index.Source) string { return to.Input }, w.all.FolderDir(src, p.Text))
	case index.Library:
		list := w.all.Below(w.all.LibraryDir(src, p.Text))
		return list[:min(len(list), maxFolderFiles)]
	case index.Input:
		name := path.Join(path.Dir(src.Path), p.Text)
		if to := w.all.Source(name); to != nil {
			return []*index.Source{to}
		}
		return w.below(func(to *index.Source) string { return to.Path }, name)
	}
	return nil
}

// below returns the files below a directory.
func (w *indexedDoc) below(nameOf func(*index.Source) string, dir string) []*index.Source {
	var list []*index.Source
	for _, to := range w.all.Sources {
		name := nameOf(to)
		if name != "" && (dir == "" || dir == "." || strings.HasPrefix(name, dir+"/")) {
			if list = append(list, to); len(list) == maxFolderFiles {
				break
			}
		}
	}
	return list
}
