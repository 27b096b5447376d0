package feature

import (
	"context"
	"strings"
	"unicode"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// maxWorkspaceSymbols limits the symbols that are sent: clients ask again when the user types more.
const maxWorkspaceSymbols = 500

// WorkspaceSymbols returns the documents by kind and name, the functions and variables that others can
// load, and the data values of all files of open projects. In a workspace that is not trusted, it
// returns those of open documents.
func WorkspaceSymbols(
	ctx context.Context, snaps []*workspace.Snapshot, p protocol.WorkspaceSymbolParams,
) ([]protocol.SymbolInformation, error) {
	f := symbolFinder{
		query: []rune(strings.ToLower(p.Query)), list: []protocol.SymbolInformation{},
		seen: map[protocol.Location]bool{},
	}
	for _, snap := range snaps {
		projects, err := snap.Indexes(ctx, nil)
		if err != nil {
			return nil, err
		}
		f.locator = newLocator(snap)
		seen := map[string]bool{}
		for _, p := range projects {
			for _, src := range p.Sources {
				seen[src.Path] = true
				f.file(p, src)
			}
		}
		for _, doc := range snap.OpenDocuments() {
			if !seen[doc.Path()] {
				all, document, err := doc.Index(ctx, false)
				if err != nil {
					return nil, err
				}
				f.file(all, document)
			}
		}
	}
	return f.list, nil
}

// symbolFinder collects the symbols that match what was typed.
type symbolFinder struct {
	*locator
	query []rune
	list  []protocol.SymbolInformation
	seen  map[protocol.Location]bool
}

func (f *symbolFinder) file(p *index.Index, src *index.Source) {
	for _, o := range src.File.Objects {
		f.add(src, o.Name, protocol.SymbolModule, o.At)
	}
	for _, b := range src.File.Bindings {
		switch {
		case b.Kind == index.FunctionName:
			f.add(src, b.Name, protocol.SymbolFunction, b.At)
		case b.Kind == index.Variable && b.Global:
			f.add(src, b.Name, protocol.SymbolVariable, b.At)
		}
	}
	for i := range src.File.Keys {
		k := &src.File.Keys[i]
		if k.Kind == index.Declares || k.Kind == index.Sets {
			f.add(src, strings.Trim(show(index.Value{Path: k.Path}), "'"), protocol.SymbolProperty, k.At)
		}
	}
}

func (f *symbolFinder) add(
	src *index.Source, name string, kind protocol.SymbolKind, at index.Range,
) {
	if len(f.list) == maxWorkspaceSymbols || !matches(f.query, name) {
		return
	}
	l, ok := f.location(src, at)
	if !ok || f.seen[l] {
		return
	}
	f.seen[l] = true
	f.list = append(f.list, protocol.SymbolInformation{
		Name: name, Kind: kind, Location: l, ContainerName: src.Path,
	})
}

// matches reports whether a name contains the characters of a query, in lower case, in their order.
func matches(query []rune, name string) bool {
	for _, c := range name {
		if len(query) > 0 && unicode.ToLower(c) == query[0] {
			query = query[1:]
		}
	}
	return len(query) == 0
}
