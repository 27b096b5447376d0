package overlay

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// maxMissed is the number of failed overlays after which the rest are not tried. Each one costs a
// search for near misses, and few people read more errors.
const maxMissed = 20

// missed collects the overlays that match no document, or too many. They have changed nothing, so
// the overlays after them are still tried, and all errors are reported at once.
type missed struct {
	list  diag.List
	plans []*Plan
}

// add collects the error of an overlay if it is about the number of documents matched, and reports
// whether it did.
func (m *missed) add(e *editor, p *Plan, err error) bool {
	x, ok := err.(*diag.Diagnostic)
	if !ok || x.Code != CodeCount || x.At != p.At {
		return false
	}
	if !m.explains(e, p) {
		m.list = append(m.list, x)
	}
	m.plans = append(m.plans, p)
	return true
}

// explains reports whether p may fail only because an earlier overlay was skipped: p matches what
// that overlay would have written, or what it would have removed.
func (m *missed) explains(e *editor, p *Plan) bool {
	docs := make([]tree.Doc, len(m.plans))
	for i, before := range m.plans {
		if before.Op != OpMerge && before.Op != OpAssert {
			return true
		}
		docs[i] = tree.Doc{Value: before.Right}
	}
	base := len(e.found)
	err := e.match(e.drafts.documents(docs, 0), p, 0)
	n := len(e.found) - base
	e.found = e.found[:base]
	return err != nil || n > 0
}
