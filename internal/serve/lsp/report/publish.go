package report

import (
	"maps"
	"reflect"
	"slices"
	"sync"

	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// publishAll publishes the diagnostics of all files.
func (f *folder) publishAll(s *workspace.Snapshot) {
	f.forgetClosed(s)
	outcomes := f.outcomes()
	paths := map[string]bool{}
	for _, d := range s.OpenDocuments() {
		paths[d.Path()] = true
	}
	for _, o := range outcomes {
		for p := range o.found {
			paths[p] = true
		}
	}
	f.mu.Lock()
	for _, l := range f.linted {
		for p := range l {
			paths[p] = true
		}
	}
	for p := range f.sent {
		paths[p] = true
	}
	f.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		f.publishFile(s, p, outcomes)
	}
}

// publish publishes the diagnostics of a file.
func (f *folder) publish(s *workspace.Snapshot, path string) { f.publishFile(s, path, f.outcomes()) }

// publishFile publishes the diagnostics of a file, unless the client has them.
func (f *folder) publishFile(s *workspace.Snapshot, path string, outcomes []outcome) {
	f.sending.Lock()
	defer f.sending.Unlock()
	if s.Context().Err() != nil {
		return // there is a newer snapshot
	}
	p := protocol.PublishDiagnosticsParams{
		URI: s.URI(path), Diagnostics: f.diagnostics(s, path, outcomes),
	}
	if s.OpenText(path) != nil {
		version := s.Document(path).Version()
		p.Version = &version
	}
	if f.noteSent(path, p) {
		f.reporter.publish(f, p)
	}
}

// diagnostics returns the diagnostics of a file, without duplicates.
func (f *folder) diagnostics(
	s *workspace.Snapshot, path string, outcomes []outcome,
) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	for _, x := range f.findings(s, path, outcomes) {
		if d, ok := convert(s, x); ok {
			out = appendNew(out, d)
		}
	}
	sortDiagnostics(out)
	return out
}

func appendNew(list []protocol.Diagnostic, d protocol.Diagnostic) []protocol.Diagnostic {
	if slices.ContainsFunc(list, func(o protocol.Diagnostic) bool { return reflect.DeepEqual(o, d) }) {
		return list
	}
	return append(list, d)
}

// sortDiagnostics sorts diagnostics by their places.
func sortDiagnostics(list []protocol.Diagnostic) {
	slices.SortStableFunc(list, func(a, b protocol.Diagnostic) int {
		if a.Range.Start.Line != b.Range.Start.Line {
			return a.Range.Start.Line - b.Range.Start.Line
		}
		return a.Range.Start.Character - b.Range.Start.Character
	})
}

// noteSent records what the client receives about a file. It reports whether that is new.
func (f *folder) noteSent(path string, p protocol.PublishDiagnosticsParams) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, known := f.sent[path]
	if !known && isNothing(p) || known && reflect.DeepEqual(was, p) {
		return false
	}
	if f.sent[path] = p; isNothing(p) {
		delete(f.sent, path)
	}
	return true
}

// isNothing reports whether a message tells a client nothing that it does not know.
func isNothing(p protocol.PublishDiagnosticsParams) bool {
	return len(p.Diagnostics) == 0 && p.Version == nil
}

// published is what folders have published. A file that is in several folders has the diagnostics of
// all of them, without duplicates; if a folder is removed, so are its diagnostics.
type published struct {
	mu     sync.Mutex
	by     map[protocol.DocumentURI]map[*folder]protocol.PublishDiagnosticsParams
	closed bool
}

// publish publishes the findings of a folder in a file, together with those of other folders.
func (r *Reporter) publish(f *folder, p protocol.PublishDiagnosticsParams) {
	r.published.mu.Lock()
	defer r.published.mu.Unlock()
	if !f.hasEnded() {
		r.send(f, p)
	}
}

// withdraw withdraws what a folder that was closed has published.
func (r *Reporter) withdraw(f *folder) {
	r.published.mu.Lock()
	defer r.published.mu.Unlock()
	for uri, by := range r.published.by {
		if _, ok := by[f]; ok {
			r.send(f, protocol.PublishDiagnosticsParams{URI: uri})
		}
	}
}

// send sends the findings of a folder in a file, together with those of other folders. The caller
// holds the lock.
func (r *Reporter) send(f *folder, p protocol.PublishDiagnosticsParams) {
	r.published.note(f, p)
	if !r.published.closed {
		r.opt.Publish(r.published.joined(p.URI))
	}
}

// note stores the findings of a folder in a file, unless there are none.
func (x *published) note(f *folder, p protocol.PublishDiagnosticsParams) {
	if x.by == nil {
		x.by = map[protocol.DocumentURI]map[*folder]protocol.PublishDiagnosticsParams{}
	}
	if isNothing(p) {
		if delete(x.by[p.URI], f); len(x.by[p.URI]) == 0 {
			delete(x.by, p.URI)
		}
		return
	}
	if x.by[p.URI] == nil {
		x.by[p.URI] = map[*folder]protocol.PublishDiagnosticsParams{}
	}
	x.by[p.URI][f] = p
}

// joined returns the findings of all folders in a file, in its newest version.
func (x *published) joined(uri protocol.DocumentURI) protocol.PublishDiagnosticsParams {
	all := protocol.PublishDiagnosticsParams{URI: uri, Diagnostics: []protocol.Diagnostic{}}
	for _, p := range x.by[uri] {
		if p.Version != nil && (all.Version == nil || *p.Version > *all.Version) {
			all.Version = p.Version
		}
		if len(x.by[uri]) == 1 {
			all.Diagnostics = slices.Clone(p.Diagnostics)
			break
		}
		for _, d := range p.Diagnostics {
			all.Diagnostics = appendNew(all.Diagnostics, d)
		}
	}
	sortDiagnostics(all.Diagnostics)
	return all
}
