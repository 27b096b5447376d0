package workspace

import (
	"context"
	"slices"

	"weft/internal/engine"
)

// facts are what is found out about a session once someone asks.
type facts struct {
	of     *engine.Session
	values *engine.DataValuesOf
	good   *engine.DataValuesOf // the last values without errors

	explained   *engine.Result // what overlays did
	explainedOf *engine.Session
}

// Values returns what is known of the data values in a snapshot: their type, who sets them, what
// comes out. What is wrong now is as it was when it was right. It is nil if nothing is known.
func (v *View) Values(ctx context.Context, s *Snapshot) *engine.DataValuesOf {
	session, err := v.Session(ctx, s)
	if err != nil {
		return v.KnownValues()
	}
	v.mu.Lock()
	if v.facts.of == session {
		defer v.mu.Unlock()
		return v.facts.values
	}
	v.mu.Unlock()
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

// KnownValues returns what was known of the data values when someone looked last; no one waits.
func (v *View) KnownValues() *engine.DataValuesOf {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.facts.values != nil {
		return v.facts.values
	}
	return v.facts.good
}

// Explained returns what the overlays of a snapshot match and change; nil if that cannot be told.
// It has no documents.
func (v *View) Explained(ctx context.Context, s *Snapshot) *engine.Result {
	if t := v.LatestTrace(); t != nil && t.Snapshot.ID == s.ID && t.Result != nil {
		return t.Result
	}
	session, err := v.Session(ctx, s)
	if err != nil {
		return nil
	}
	v.mu.Lock()
	known, of := v.facts.explained, v.facts.explainedOf
	v.mu.Unlock()
	if of == session {
		return known
	}
	limit, stop := limited(ctx)
	defer stop()
	made, _ := session.Evaluate(limit, engine.Request{Partial: true, Explain: true})
	if made == nil || ctx.Err() != nil {
		return nil
	}
	made = &engine.Result{Steps: made.Steps, Files: made.Files, Secrets: made.Secrets}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.facts.explained, v.facts.explainedOf = made, session
	return made
}

// IsValues reports whether the document is a plain file of data values, in any environment.
func (d *TextDocument) IsValues() bool {
	p := d.Project()
	return p != nil && slices.ContainsFunc(p.Views(), func(v *View) bool { return v.layers[d.path] })
}
