package workspace

import (
	"reflect"
	"slices"
	"sync"

	"weft/internal/serve/lsp/protocol"
)

// published is what folders have found in files. A file that is in several folders has the
// diagnostics of all of them, and a folder that goes takes its own with it.
type published struct {
	mu sync.Mutex
	by map[protocol.DocumentURI]map[*Folder]protocol.PublishDiagnosticsParams
}

// publish tells the client what a folder has found in a file, with what others have.
func (s *Session) publish(f *Folder, p protocol.PublishDiagnosticsParams) {
	s.published.mu.Lock()
	defer s.published.mu.Unlock()
	if f.ctx.Err() == nil { // else the folder has gone in the meantime
		s.published.note(f, p)
		s.opt.Publish(s.published.joined(p.URI))
	}
}

// withdraw takes back what a folder has told, which has gone.
func (s *Session) withdraw(f *Folder) {
	s.published.mu.Lock()
	defer s.published.mu.Unlock()
	for uri, by := range s.published.by {
		if _, ok := by[f]; ok {
			s.published.note(f, protocol.PublishDiagnosticsParams{URI: uri})
			s.opt.Publish(s.published.joined(uri))
		}
	}
}

// note keeps what a folder has found in a file, as long as it is something.
func (x *published) note(f *Folder, p protocol.PublishDiagnosticsParams) {
	if x.by == nil {
		x.by = map[protocol.DocumentURI]map[*Folder]protocol.PublishDiagnosticsParams{}
	}
	if len(p.Diagnostics) == 0 && p.Version == nil {
		if delete(x.by[p.URI], f); len(x.by[p.URI]) == 0 {
			delete(x.by, p.URI)
		}
		return
	}
	if x.by[p.URI] == nil {
		x.by[p.URI] = map[*Folder]protocol.PublishDiagnosticsParams{}
	}
	x.by[p.URI][f] = p
}

// joined returns what all folders have found in a file, each finding once.
func (x *published) joined(uri protocol.DocumentURI) protocol.PublishDiagnosticsParams {
	all := protocol.PublishDiagnosticsParams{URI: uri, Diagnostics: []protocol.Diagnostic{}}
	for _, p := range x.by[uri] {
		if p.Version != nil && (all.Version == nil || *p.Version > *all.Version) {
			all.Version = p.Version
		}
		for _, d := range p.Diagnostics {
			if len(x.by[uri]) == 1 || !slices.ContainsFunc(all.Diagnostics, func(o protocol.Diagnostic) bool {
				return reflect.DeepEqual(o, d)
			}) {
				all.Diagnostics = append(all.Diagnostics, d)
			}
		}
	}
	sortDiagnostics(all.Diagnostics)
	return all
}
