package workspace

import (
	"context"

	"weft/internal/engine"
	"weft/internal/project/fleet"
)

// Before returns the last outcome without errors from before the user began to edit a file, or nil: an
// overlay that is half written may change or remove what the user wants to change. If it was so already when
// it was opened, the rest is evaluated without it, in the background, and until then the outcome has it.
func (v *View) Before(ctx context.Context, s *Snapshot, path string) *Outcome {
	before, known := v.knownBefore(path)
	if known {
		return before
	}
	if s.inBackground(ctx, "the output without "+path, func(ctx context.Context) { v.undo(ctx, path) }) == nil {
		before, _ = v.knownBefore(path)
	}
	return before
}

// knownBefore returns the last outcome without errors, and whether the file has changed nothing in it.
func (v *View) knownBefore(path string) (*Outcome, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.edited == path && v.before != nil:
		return v.before, true
	case v.good == nil || v.good.Session == nil:
		return v.good, true
	}
	_, isOverride := v.overrides(path)
	return v.good, !isOverride && !hasOverlays(v.good.inputs[path].File)
}

// undo evaluates the last good outcome without the text of a file. Only one call does so at a time.
func (v *View) undo(ctx context.Context, path string) {
	v.undoing.Lock()
	defer v.undoing.Unlock()
	good, known := v.knownBefore(path)
	if known {
		return
	}
	files := good.Snapshot.Files().also(map[string][]byte{path: nil})
	limit, stop := limited(ctx)
	defer stop()
	session, err := good.Session.Reload(limit, engine.FileChanges{FS: files, Paths: []string{path}})
	if err != nil {
		return
	}
	res, err := session.Evaluate(limit, engine.Request{Partial: true, JSON: v.opts.Format == fleet.JSON})
	if ctx.Err() != nil {
		return
	}
	before := good // also if the rest needs the file
	if err == nil {
		before = &Outcome{Snapshot: good.Snapshot, Session: session, Result: res, inputs: good.inputs}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.good == good {
		v.edited, v.before = path, before
	}
}
