package overlay

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// mostMissed is how many overlays are left out before the others are no longer tried. Each one costs
// a search for what nearly matched, and nothing reads more.
const mostMissed = 20

// missed is the overlays that match no document, or too many. Nothing has changed at that point, so
// the overlays after them are still tried, and all errors are reported at once.
type missed struct {
	list  diag.List
	plans []*Plan
}

// add takes the error of an overlay, if the documents that it matches are what is wrong.
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

// explains reports whether p may go wrong only because an overlay before it was left out: it matches
// what that one would have written, or that one would have removed what it matches.
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
