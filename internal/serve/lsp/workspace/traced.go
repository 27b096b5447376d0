package workspace

import (
	"context"
	"slices"
	"sync"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/lang/secret"
	"weft/internal/origin/blame"
	"weft/internal/serve/lsp/wire"
)

// Traced is an evaluation that records where its output comes from, for `weft blame`, `weft explain`
// and `weft lint`. It costs several times as much as other evaluations.
type Traced struct {
	Snapshot *Snapshot
	Session  *engine.Session // nil if the files could not be loaded
	Result   *engine.Result  // nil if nothing could be rendered
	Failure  Failure         // the errors of Err, or nil
	Err      error           // the error of the pipeline

	// Again is set if templates do the same as in the last evaluation that was linted. Then nothing else
	// is known.
	Again *lint.Again

	of *View

	reporting sync.Mutex // held while the report is used
	report    *blame.Report
}

// Rendered returns the outcome of a snapshot, and evaluates it if necessary. The error is that of
// ctx, or that there is a newer snapshot.
func (v *View) Rendered(ctx context.Context, s *Snapshot) (*Outcome, error) {
	if out := v.Latest(); out != nil && out.Snapshot.ID == s.ID {
		return out, nil
	}
	if out := v.evaluate(ctx, s, nil); out != nil {
		v.keepGood(out)
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, wire.ErrModified
}

// Trace evaluates a snapshot with origins, unless it is the one that was traced last. The error is
// that of ctx.
func (v *View) Trace(ctx context.Context, s *Snapshot) (*Traced, error) {
	select {
	case v.tracing <- struct{}{}:
		defer func() { <-v.tracing }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if t := v.LatestTrace(); t != nil && t.Snapshot.Content == s.Content {
		return t, nil
	}
	t := v.trace(ctx, s)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.traced = t
	return t, nil
}

// LatestTrace returns the last traced evaluation that was kept, or nil. It does not wait.
func (v *View) LatestTrace() *Traced {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.traced
}

// TraceAll traces the views of the project one after another, and calls visit with each evaluation
// until ctx ends, in the order of the project: a finding names the first environment that has it. It keeps the
// one of the active environment for features, unless it is too large.
func (p *Configuration) TraceAll(ctx context.Context, s *Snapshot, visit func(*View, *Traced)) {
	var last *Traced
	views := p.Views()
	slices.SortFunc(views, func(a, b *View) int { return slices.Index(p.names, a.Env) - slices.Index(p.names, b.Env) })
	for _, v := range views {
		t := v.openTraced(ctx, s, last)
		t.run(ctx, v.lastLinted(s))
		switch { // the linter needs these analyses, too
		case t.Again != nil:
			v.indexAnalysed(s, t.Again.Declaring())
		case t.Session != nil:
			v.indexAnalysed(s, t.Session.Analyse(ctx))
		}
		if ctx.Err() != nil {
			return
		}
		visit(v, t)
		if v.Env == p.env && t.Again == nil {
			v.offerTrace(t)
			v.noteReads(t)
		}
		last = &Traced{Session: t.Session, of: v} // the result is no longer needed
	}
}

// offerTrace keeps a traced evaluation without errors, unless it is too large.
func (v *View) offerTrace(t *Traced) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if t.Result == nil || t.Failure != nil {
		return // features use the last one
	}
	v.traced = nil
	if len(t.Result.Docs) <= v.folder.session.opt.MaxKeptTrace {
		v.traced = t
	}
}

// lastLinted returns what the linter has seen in the last evaluation, if that was too large to keep. It
// returns nil if the snapshot has errors, since the evaluation then ends early, and if its warnings are not
// those of the linter.
func (v *View) lastLinted(s *Snapshot) *lint.Seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	if out := v.outcome; out == nil || out.Snapshot.ID != s.ID || out.Failed || len(out.Stale) > 0 ||
		v.config.Warnings != engine.WarningsOn {
		return nil
	}
	return v.linted
}

// NoteLinted keeps what the linter has seen in an evaluation. One that is kept itself is evaluated again,
// so that features have its newest state.
func (v *View) NoteLinted(t *Traced, seen *lint.Seen) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.linted = nil
	if t.Again != nil || t.Result != nil && len(t.Result.Docs) > v.folder.session.opt.MaxKeptTrace {
		v.linted = seen
	}
}

// trace evaluates a snapshot with origins.
func (v *View) trace(ctx context.Context, s *Snapshot) *Traced {
	t := v.openTraced(ctx, s, nil)
	t.run(ctx, nil)
	return t
}

// openTraced loads a snapshot for an evaluation with origins. It shares compiled files with that of another
// environment unless like is nil, and texts with the session of the view.
func (v *View) openTraced(ctx context.Context, s *Snapshot, like *Traced) *Traced {
	t := &Traced{Snapshot: s, of: v}
	// A table of origins only grows, so each traced evaluation has its own session. It uses only one
	// worker, to leave processors for requests.
	config := lint.Config(loading(v.config, s.Files()), false)
	config.Workers, config.Load.Workers, config.Eval.Workers = 1, 1, 1
	if like != nil && like.Session != nil && sameButValues(like.of.config, v.config) {
		t.Session = like.Session.Sibling(config)
		return t
	}
	if base, err := v.Session(ctx, s); err == nil {
		if t.Session, err = base.Variant(ctx, config, s.Stale()...); err == nil {
			return t
		}
	}
	session, err := engine.Open(ctx, config)
	if t.fail(err); err == nil {
		t.Session = session
	}
	return t
}

// run evaluates a session that could be loaded. Unless was is nil, templates that do the same as then are not
// evaluated.
func (t *Traced) run(ctx context.Context, was *lint.Seen) {
	if t.Session == nil {
		return
	}
	limit, stop := limited(ctx)
	defer stop()
	if was != nil {
		if t.Again = was.Again(limit, t.Session); t.Again != nil {
			return
		}
	}
	var err error
	t.Result, err = t.Session.Evaluate(limit, engine.Request{Explain: true})
	t.fail(err)
}

func (t *Traced) fail(err error) { t.Failure, t.Err = failureOf(err), err }

func hiding(texts []string) (rules secret.Rules) {
	rules.Hide(texts)
	return rules
}

// Blame calls use with a report on where each line of the output comes from, with secrets hidden. It
// returns false if the evaluation failed. A report computes parts on demand, so only one use runs at
// a time.
func (v *View) Blame(t *Traced, use func(*blame.Report)) bool {
	if t.Failure != nil || t.Result == nil {
		return false
	}
	t.reporting.Lock()
	defer t.reporting.Unlock()
	if t.report == nil {
		in := blame.Input{
			Docs: t.Result.Docs, Files: t.Result.Files, Origins: t.Result.Origins,
			Secrets: hiding(t.Result.Secrets),
		}
		for _, out := range t.Result.Outputs {
			if out.Text != "" {
				in.Texts = append(in.Texts, blame.Text{
					File: out.File.Input.Path, Text: out.Text, Lines: out.Lines,
				})
			}
		}
		t.report = blame.New(in)
	}
	use(t.report)
	return true
}
