package trace

import (
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// PlacedSite is a Site with its place in the file, as far as it is a condition or a loop.
type PlacedSite struct {
	Site
	At source.Span // the condition, or what the loop goes over

	// what is left out if a condition does not hold, or a loop has no items; and what is if it does
	// hold
	True, False LeftOut
}

// LeftOut is nodes or text that a condition may leave out.
type LeftOut struct {
	What  source.Span // invalid if there is nothing
	Start yaml.NodeID // the first node
	End   yaml.NodeID
	Nodes bool // it is nodes, not text
}

// Add adds a part of a file.
func (l *LeftOut) Add(start, end int, f *source.File) {
	if l.What.IsValid() {
		start, end = min(start, l.What.Offset()), max(end, l.What.End())
	}
	l.What = f.Span(start, end)
}
