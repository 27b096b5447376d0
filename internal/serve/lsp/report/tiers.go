package report

import (
	"context"
	"slices"
	"time"

	"weft/internal/engine/compile"
	"weft/internal/engine/shortcut"
	"weft/internal/serve/lsp/workspace"
)

// work is what is to be done after an edit.
type work struct {
	quick, deep chan struct{} // one token each: something has changed
	idle        chan struct{} // is closed when nothing is left to do
	pending     int
	closed      bool
}

func newWork() work {
	w := work{quick: make(chan struct{}, 1), deep: make(chan struct{}, 1), idle: make(chan struct{})}
	close(w.idle)
	return w
}

func (w *work) add(queue chan struct{}) {
	select {
	case queue <- struct{}{}:
		w.pending++
	default: // whoever takes the existing token looks at the newest snapshot
	}
}

// begin records that there is a new snapshot.
func (f *folder) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.work.closed {
		return
	}
	if f.work.pending == 0 {
		f.work.idle = make(chan struct{})
	}
	f.work.add(f.work.quick)
}

// finished records that the work of a token is done.
func (f *folder) finished() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.work.pending--; f.work.pending == 0 {
		close(f.work.idle)
	}
}

// end ends the tiers.
func (f *folder) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.work.closed = true
	close(f.work.quick)
	close(f.work.deep)
}

func (f *folder) hasEnded() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.work.closed
}

// settle waits until nothing is left to do.
func (f *folder) settle(ctx context.Context) error {
	for {
		f.mu.Lock()
		idle, pending := f.work.idle, f.work.pending
		f.mu.Unlock()
		if pending == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-idle:
		}
	}
}

// runQuickTiers runs tiers 1 and 2 after each edit.
func (f *folder) runQuickTiers() {
	for range f.work.quick {
		f.Guard("tier 1", func() {
			s := f.Snapshot()
			f.first(s)
			f.second(s)
			if !f.ReadsDisk() { // there is no tier 3
				f.publishAll(s)
			}
		})
		f.mu.Lock()
		if f.ReadsDisk() && !f.work.closed {
			f.work.add(f.work.deep)
		}
		f.mu.Unlock()
		f.finished()
	}
}

// deeply runs tier 3 once nothing has changed for a moment.
func (f *folder) deeply() {
	for range f.work.deep {
		f.Guard("tier 3", func() {
			s := f.Snapshot()
			select {
			case <-s.Context().Done(): // the next edit sends another token
			case <-time.After(f.reporter.opt.Debounce):
				f.reporter.requests.wait(s.Context())
				f.runTier3(s)
			}
		})
		f.finished()
	}
}

// first is tier 1: each open document by itself.
func (f *folder) first(s *workspace.Snapshot) {
	for _, d := range s.OpenDocuments() {
		if s.Context().Err() != nil {
			return
		}
		d.LoadNew(s.Context())
		f.askForProject(d)
		if f.noteAnalyzed(d) {
			f.publish(s, d.Path())
		}
	}
}

// askForProject reports once per folder that it is unknown which files are rendered together with a
// document.
func (f *folder) askForProject(d *workspace.TextDocument) {
	if !d.NeedsProject() {
		return
	}
	f.mu.Lock()
	asked := f.asked
	f.asked = true
	f.mu.Unlock()
	if !asked {
		f.reporter.opt.Unknown(d)
	}
}

// second is tier 2: the documents that have changed, evaluated with what is known about the rest.
func (f *folder) second(s *workspace.Snapshot) {
	for _, d := range s.OpenDocuments() {
		if f.wasEvaluated(d) || s.Context().Err() != nil {
			continue
		}
		v := d.View()
		if v == nil || v.Latest() == nil || d.Project().IsUnknown() { // tier 3 handles it
			continue
		}
		a := d.Analysis()
		if len(a.Errors) > 0 || a.Role != compile.ForOutput || a.Kind == compile.PlainText {
			continue
		}
		if out := v.EvaluateFile(s.Context(), s, d.Path()); out != nil {
			f.noteEvaluated(d, v, out)
			f.publish(s, d.Path())
		}
	}
}

// runTier3 is tier 3: everything, the active environment of each project first.
func (f *folder) runTier3(s *workspace.Snapshot) {
	f.bulk.grow(evaluationHeap)
	defer f.bulk.pause()
	projects := s.OpenProjects()
	tallies := map[*workspace.Configuration]*shortcut.Tally{}
	for _, p := range projects {
		tallies[p] = &shortcut.Tally{}
	}
	for _, active := range []bool{true, false} {
		for _, p := range projects {
			for _, v := range p.Views() {
				if (v.Env == p.Active()) != active || s.Context().Err() != nil {
					continue
				}
				ctx := shortcut.InEnvironment(shortcut.WithTally(s.Context(), tallies[p]), v.Env)
				if v.Evaluate(ctx, s) != nil {
					_ = v.Values(s.Context(), s) // so that features do not wait for them
					f.publishAll(s)
				}
			}
		}
	}
	if s.Context().Err() == nil {
		f.retain(projects)
		f.publishAll(s)
		f.refresh(s, RefreshHints)
		f.lintAll(s, projects, tallies)
		_, _ = s.Indexes(s.Context(), nil) // so that the next request does not wait for the indexes
	}
}

// retain forgets projects without open documents.
func (f *folder) retain(open []*workspace.Configuration) {
	f.Retain(open)
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.linted {
		if !slices.ContainsFunc(open, func(p *workspace.Configuration) bool { return p.Key() == key }) {
			delete(f.linted, key)
			delete(f.lintedOf, key)
		}
	}
}

// refresh makes clients send requests again, except those for features that the user has turned off.
func (f *folder) refresh(s *workspace.Snapshot, what Refresh) {
	settings := s.Settings()
	if !settings.InlayHints {
		what &^= RefreshHints
	}
	if !settings.CodeLenses {
		what &^= RefreshLenses
	}
	if what != 0 {
		f.reporter.opt.Refresh(what)
	}
}
