package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Selector selects the documents that any of its parts selects. The zero value selects all.
type Selector struct{ any []selector.Selector }

// ParseSelector reads the values of --select. A document is selected if any of them matches. Empty values
// are ignored.
func ParseSelector(flags []string) (Selector, error) {
	var sel Selector
	for _, text := range flags {
		s, err := selector.Parse("--select", text)
		if err != nil {
			return sel, err
		}
		if !s.IsZero() {
			sel.any = append(sel.any, s)
		}
	}
	return sel, nil
}

// IsZero reports whether s selects everything.
func (s Selector) IsZero() bool { return len(s.any) == 0 }

// selects reports whether a document is selected, and counts it.
func (m *merger) selects(d selector.Selectable) bool {
	chosen := m.opt.Select.IsZero()
	for i := range m.opt.Select.any {
		if m.opt.Select.any[i].Matches(d) {
			chosen, m.chosen[i] = true, true
		}
	}
	if chosen {
		m.selected++
	}
	return chosen
}

// documentAt returns a document with the name of its file, if that is known.
func (m *merger) documentAt(at docPlace, v tree.Value) selector.Selectable {
	d := selector.Selectable{Value: v, N: at.doc + 1}
	if at.file < len(m.opt.Files) {
		d.File = m.opt.Files[at.file]
	}
	return d
}

// unselected records the flags that selected nothing.
func (m *merger) unselected() {
	for i, a := range m.opt.Select.any {
		if m.chosen[i] {
			continue
		}
		d := diag.Errorf(source.Span{}, CodeNoMatch, "--select %s matches no document", a)
		if !m.opt.Strict {
			d.Severity = diag.Warning
			if m.selected == 0 {
				d.Message += ", so nothing is changed"
			}
		}
		m.problems = append(m.problems, d)
	}
}
