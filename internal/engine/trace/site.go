package trace

import (
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// PlacedSite is a Site and, for a condition or a loop, its place in the file.
type PlacedSite struct {
	Site
	At source.Span // the condition, or the expression that the loop iterates over

	// what is left out if the condition is false or the loop has no items, and what is left out if
	// the condition is true
	True, False LeftOut
}

// LeftOut is nodes or text that a condition may leave out.
type LeftOut struct {
	What  source.Span // invalid if nothing is left out
	Start yaml.NodeID // the first node
	End   yaml.NodeID
	Nodes bool // nodes are left out, not text
}

// Add extends What by a part of the file.
func (l *LeftOut) Add(start, end int, f *source.File) {
	if l.What.IsValid() {
		start, end = min(start, l.What.Offset()), max(end, l.What.End())
	}
	l.What = f.Span(start, end)
}
