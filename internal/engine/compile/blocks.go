package compile

import (
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// Blocks returns the places where code in the comments of a template begins and ends blocks, in
// order.
func (a *Analysis) Blocks() []script.Mark {
	var marks []script.Mark
	var frags []script.Fragment
	owner := yaml.NoOwner
	flush := func() {
		if len(frags) > 0 {
			marks = append(marks, script.Outline(a.File, frags)...)
			frags = frags[:0]
		}
	}
	for _, m := range a.Marks {
		if m.Kind != CodeMark {
			continue
		}
		if m.Owner != owner { // a node is between them
			flush()
			owner = m.Owner
		}
		const lead = len("#@")
		frags = append(frags, script.Fragment{
			Text: a.File.Data()[m.At.Offset()+lead : m.At.End()], Off: m.At.Offset() + lead,
		})
	}
	flush()
	return marks
}
