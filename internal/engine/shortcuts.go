package engine

import (
	"weft/internal/engine/cover"
	"weft/internal/engine/eval"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// shortcuts applies the short cuts of weft.yml for Kubernetes objects.
func (e *evaluation) shortcuts(outputs []eval.Output, log *messages) error {
	c := e.config.Shortcuts
	if c.IsZero() {
		return nil
	}
	defer e.config.Timings.stage("short cuts")()
	left := make([][]tree.Doc, len(outputs))
	for i := range outputs {
		left[i] = outputs[i].Docs
	}
	opt := shortcut.Options{
		Place:   e.session.PlaceOf,
		Origins: e.session.origins,
		Warn:    func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
	}
	var steps *shortcutSteps
	if e.request.Explain {
		steps = newShortcutSteps(left)
		opt.Matched = steps.add
	}
	res, err := shortcut.Apply(left, c, opt)
	if steps != nil {
		e.steps = append(e.steps, steps.of(c, opt.Place)...)
	}
	e.coverShortcuts(c, res)
	shortcut.Record(e.ctx, res, e.files)
	if err != nil {
		return err
	}
	for i := range outputs {
		outputs[i].Docs = res.Docs[i]
	}
	return nil
}

// PlaceOf returns where something in weft.yml is among the files of the session.
func (s *Session) PlaceOf(p values.Place) source.Span { return p.In(s.project) }

// coverShortcuts records which short cuts match something.
func (e *evaluation) coverShortcuts(c *shortcut.Config, res *shortcut.Result) {
	r := e.config.Cover
	if r == nil {
		return
	}
	for _, x := range c.Entries() {
		at := e.session.PlaceOf(x.At)
		f := e.files.File(at.Pos)
		if f == nil {
			continue
		}
		k := cover.Key{Kind: cover.Overlays, Start: int32(at.Offset()), Case: cover.Matched}
		r.Declare(f, cover.Point{Key: k, Miss: x.Path() + ": never matched"})
		if res.Used[x] {
			r.Reach(f, k)
		}
	}
}
