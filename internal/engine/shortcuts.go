package engine

import (
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
	docs, err := shortcut.Apply(left, c, shortcut.Options{
		Place:   func(p values.Place) source.Span { return p.In(e.session.project) },
		Origins: e.session.origins,
		Warn:    func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
	})
	if err != nil {
		return err
	}
	for i := range outputs {
		outputs[i].Docs = docs[i]
	}
	return nil
}
