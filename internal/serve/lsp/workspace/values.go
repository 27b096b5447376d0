package workspace

import (
	"context"
	"slices"

	"weft/internal/engine"
)

// facts are computed for a session on demand.
type facts struct {
	of     *engine.Session
	values *engine.DataValuesOf
	good   *engine.DataValuesOf // the last values without errors

	explained   *engine.Result // what overlays did
	explainedOf *engine.Session
}

// Values returns the data values of a snapshot: their type, the files that set them, and the result.
// If there are errors, it returns the last values without errors. It returns nil if there are none.
func (v *View) Values(ctx context.Context, s *Snapshot) *engine.DataValuesOf {
	session, err := v.Session(ctx, s)
	if err != nil {
		return v.KnownValues()
	}
	v.mu.Lock()
	values, known := v.facts.values, v.facts.of == session
	v.mu.Unlock()
	if known {
		return values
	}
	err = s.inBackground(ctx, "data values", func(ctx context.Context) { values = v.findValues(ctx, session) })
	if err != nil {
		return v.KnownValues()
	}
	return values
}

// findValues computes the data values of a session. Only one call does so at a time.
func (v *View) findValues(ctx context.Context, session *engine.Session) *engine.DataValuesOf {
	v.valuing.Lock()
	defer v.valuing.Unlock()
	v.mu.Lock()
	values, known := v.facts.values, v.facts.of == session
	v.mu.Unlock()
	if known {
		return values
	}
	now, err := session.DataValues(ctx)
	if ctx.Err() != nil {
		return v.KnownValues()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		v.facts.good = now
	} else if now.Type == nil && v.facts.good != nil {
		now = v.facts.good
	}
	if now.Type == nil {
		now = nil
	}
	v.facts.of, v.facts.values = session, now
	return now
}

// KnownValues returns the result of the last call of Values. It does not wait.
func (v *View) KnownValues() *engine.DataValuesOf {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.facts.values != nil {
		return v.facts.values
	}
	return v.facts.good
}

// Explained returns what the overlays of a snapshot match and change, without documents. If ctx ends before
// that is known, it returns the last that is known, and the evaluation goes on until the next edit. It
// returns nil if the evaluation fails.
func (v *View) Explained(ctx context.Context, s *Snapshot) *engine.Result {
	if t := v.LatestTrace(); t != nil && t.Snapshot.ID == s.ID && t.Result != nil {
		return t.Result
	}
	var res *engine.Result
	err := s.inBackground(ctx, "overlays", func(ctx context.Context) { res = v.explain(ctx, s) })
	if err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.facts.explained
	}
	return res
}

// explain evaluates a snapshot for Explained. Only one call does so at a time.
func (v *View) explain(ctx context.Context, s *Snapshot) *engine.Result {
	session, err := v.Session(ctx, s)
	if err != nil {
		return nil
	}
	v.explaining.Lock()
	defer v.explaining.Unlock()
	v.mu.Lock()
	known, of := v.facts.explained, v.facts.explainedOf
	v.mu.Unlock()
	if of == session {
		return known
	}
	limit, stop := limited(ctx)
	defer stop()
	res, _ := session.Evaluate(limit, engine.Request{Partial: true, Explain: true})
	if res == nil || ctx.Err() != nil {
		return nil
	}
	res = &engine.Result{Steps: res.Steps, Files: res.Files, Secrets: res.Secrets}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.facts.explained, v.facts.explainedOf = res, session
	return res
}

// LatestSteps returns what the overlays of the last evaluation match and change, or nil if that is
// not known yet. It does not wait.
func (v *View) LatestSteps() *engine.Result {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch t, last := v.traced, v.outcome; {
	case last == nil:
		return nil
	case t != nil && t.Result != nil && t.Snapshot.Content == last.Snapshot.Content:
		return t.Result
	case v.facts.explainedOf == last.Session:
		return v.facts.explained
	}
	return nil
}

// IsValues reports whether an environment has the document as a plain file of data values.
func (d *TextDocument) IsValues() bool {
	p := d.Project()
	return p != nil && slices.ContainsFunc(p.Views(), func(v *View) bool { return v.layers[d.path] })
}
