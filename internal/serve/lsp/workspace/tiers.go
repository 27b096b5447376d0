package workspace

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	"weft/internal/engine/budget"
	"weft/internal/engine/compile"
)

// work is what is to be done after an edit.
type work struct {
	quick, deep chan struct{} // one token each: something has changed
	idle        chan struct{} // is closed when nothing is left to do
	pending     int
}

func newWork() work {
	w := work{quick: make(chan struct{}, 1), deep: make(chan struct{}, 1), idle: make(chan struct{})}
	close(w.idle)
	return w
}

// begin notes that there is something to do. The caller holds the lock of the folder.
func (w *work) begin() {
	if w.pending == 0 {
		w.idle = make(chan struct{})
	}
	w.add(w.quick)
}

func (w *work) add(queue chan struct{}) {
	select {
	case queue <- struct{}{}:
		w.pending++
	default: // who takes it looks at the newest snapshot
	}
}

// finished notes that a token was worked off.
func (f *Folder) finished() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.work.pending--; f.work.pending == 0 {
		close(f.work.idle)
	}
}

// settle waits until nothing is left to do.
func (f *Folder) settle(ctx context.Context) error {
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

// quickly looks at what is open after each edit: tiers 1 and 2.
func (f *Folder) quickly() {
	for range f.work.quick {
		f.guarded("tier 1", func() {
			s := f.current()
			f.first(s)
			f.second(s)
			if f.disk == nil { // else tier 3 does
				f.publishAll(s)
			}
		})
		f.mu.Lock()
		if f.disk != nil && !f.closed {
			f.work.add(f.work.deep)
		}
		f.mu.Unlock()
		f.finished()
	}
}

// deeply looks at everything once nothing has changed for a moment: tier 3.
func (f *Folder) deeply() {
	for range f.work.deep {
		f.guarded("tier 3", func() {
			s := f.current()
			select {
			case <-s.ctx.Done(): // the next edit brings another token
			case <-time.After(f.session.opt.Debounce):
				f.session.asked.wait(s.ctx)
				f.third(s)
			}
		})
		f.finished()
	}
}

// guarded keeps the server alive if a tier has a bug.
func (f *Folder) guarded(what string, do func()) {
	defer func() {
		if v := recover(); v != nil {
			f.session.panicked(what, v)
		}
	}()
	do()
}

// first is tier 1: what each open document says by itself.
func (f *Folder) first(s *Snapshot) {
	for _, d := range s.OpenDocuments() {
		if s.ctx.Err() != nil {
			return
		}
		f.settleKind(s, d)
		f.wonder(d)
		if a := d.Analysis(); !f.reports.knows(d.buffer, a) { // a project file may change what it says
			f.reports.first(d.buffer, a)
			f.publish(s, d.path)
		}
	}
}

// settleKind sees to it that the project of a document has heard of it: what it is read as depends
// on that.
func (f *Folder) settleKind(s *Snapshot, d *Document) {
	v := d.View()
	if v == nil {
		return
	}
	if _, known := v.kindOf(d.path); !known {
		_, _ = v.Session(s.ctx, s) // what is wrong, tier 3 tells
	}
}

// second is tier 2: the documents that have changed, evaluated with what is known of the rest.
func (f *Folder) second(s *Snapshot) {
	for _, d := range s.OpenDocuments() {
		if f.reports.seconded(d.buffer) || s.ctx.Err() != nil {
			continue
		}
		v := d.View()
		if v == nil || v.Latest() == nil || d.Project().IsUnknown() { // tier 3 looks at everything
			continue
		}
		a := d.Analysis()
		if len(a.Errors) > 0 || a.Role != compile.ForOutput || !isEvaluated(a.Kind) {
			continue
		}
		session, err := v.Session(s.ctx, s)
		if err != nil {
			continue
		}
		only := v.affected(s.ctx, session, d.path)
		if len(only) == 0 {
			continue
		}
		if out := v.evaluate(s.ctx, s, only); out != nil {
			f.reports.second(d.buffer, v, out)
			f.publish(s, d.path)
		}
	}
}

func isEvaluated(k compile.Kind) bool { return k != compile.PlainText }

// third is tier 3: everything, the active environment of each project first.
func (f *Folder) third(s *Snapshot) {
	projects := f.openProjects(s)
	end := func() {}
	if !slices.ContainsFunc(projects, (*Project).wasEvaluated) { // all is new, and little is garbage
		end = budget.Bulk(bulkGarbage)
	}
	defer end()
	for _, active := range []bool{true, false} {
		for _, p := range projects {
			for _, v := range p.Views() {
				if (v.Env == p.env) != active || s.ctx.Err() != nil {
					continue
				}
				if out := v.evaluate(s.ctx, s, nil); out != nil {
					v.keep(out)
					_ = v.Values(s.ctx, s) // features want to know, and do not wait
					f.publishAll(s)
				}
			}
		}
	}
	if s.ctx.Err() == nil {
		f.retain(projects)
		f.publishAll(s)
		f.session.refresh(RefreshHints)
		large := f.seek(s, projects)
		for _, p := range projects {
			f.warm(s, p)
		}
		end()
		if large {
			debug.FreeOSMemory() // the next time is a while away
		}
	}
}

// wasEvaluated reports whether an environment of the project was evaluated before.
func (p *Project) wasEvaluated() bool {
	return slices.ContainsFunc(p.Views(), func(v *View) bool { return v.Latest() != nil })
}

// openProjects returns the projects of the open documents.
func (f *Folder) openProjects(s *Snapshot) []*Project {
	var list []*Project
	for _, d := range s.OpenDocuments() {
		if p := f.projectOf(s, d.path); p != nil && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *Project) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	return list
}

// retain forgets projects of which no document is open.
func (f *Folder) retain(open []*Project) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, p := range f.projects {
		if !slices.Contains(open, p) {
			delete(f.projects, key)
			delete(f.linted, key)
		}
	}
}
