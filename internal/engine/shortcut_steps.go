package engine

import (
	"weft/internal/engine/overlay/explain"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// shortcutSteps collects what the short cuts of weft.yml match and change.
type shortcutSteps struct {
	docs    [][]tree.Doc
	byEntry map[*shortcut.Entry]*shortcutStep
}

// shortcutStep is the step of one short cut, and the index of each of its documents.
type shortcutStep struct {
	Step
	index map[[2]int]int
}

// newShortcutSteps returns an empty collection for the documents of files.
func newShortcutSteps(docs [][]tree.Doc) *shortcutSteps {
	return &shortcutSteps{docs: docs, byEntry: map[*shortcut.Entry]*shortcutStep{}}
}

// add adds a value that an entry sets.
func (s *shortcutSteps) add(m shortcut.Match) {
	step := s.byEntry[m.Entry]
	if step == nil {
		step = &shortcutStep{index: map[[2]int]int{}}
		s.byEntry[m.Entry] = step
	}
	at := [2]int{m.File, m.Doc}
	i, ok := step.index[at]
	if !ok {
		i = len(step.Matched)
		step.index[at] = i
		step.Matched = append(step.Matched, explain.TargetOf(s.docs[m.File][m.Doc], m.File))
	}
	e := explain.Effect{
		Kind: explain.Changed, Target: i, Path: m.Path, Old: m.Old, New: m.New, Was: m.Old.Span(),
	}
	switch {
	case !m.Had:
		e.Kind = explain.Added
	case m.Old.Kind() == tree.ScalarKind && tree.SameScalar(m.Old, m.New):
		return
	}
	step.Effects = append(step.Effects, e)
}

// of returns a step for each entry, in their order, also for those that match nothing.
func (s *shortcutSteps) of(c *shortcut.Config, place func(values.Place) source.Span) []Step {
	var steps []Step
	for _, x := range c.Entries() {
		var step Step
		if found := s.byEntry[x]; found != nil {
			step = found.Step
		}
		step.Overlay, step.Shortcut = place(x.At), x.Path()
		for i := range step.Effects {
			step.Effects[i].At = step.Overlay
		}
		steps = append(steps, step)
	}
	return steps
}
