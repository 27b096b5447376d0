package feature

import (
	"context"
	"slices"
	"time"

	"weft/internal/engine"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// maxExplaining limits how long a request waits for the steps of overlays.
const maxExplaining = 3 * time.Second

// Implementation returns, for a node of an overlay, the nodes that it changes, and for a document of
// an overlay, the documents that it matches. For other nodes and documents, it returns the overlays'
// side. It evaluates the active environment.
func Implementation(
	ctx context.Context, doc *workspace.TextDocument, p protocol.DefinitionParams,
) ([]protocol.Location, error) {
	ctx, cancel := context.WithTimeout(ctx, maxExplaining)
	defer cancel()
	m, off := newMatcher(ctx, doc, p.Position)
	if m == nil {
		return []protocol.Location{}, nil
	}
	if m.nodes(); len(m.found) == 0 {
		m.documents(off)
	}
	return m.locations(), nil
}

// newMatcher returns a matcher for a position, and the offset of the position in the text that was evaluated.
// It returns nil if there is none.
func newMatcher(
	ctx context.Context, doc *workspace.TextDocument, at protocol.Position,
) (*matcher, int) {
	view := doc.View()
	if view == nil {
		return nil, 0
	}
	res := view.Explained(ctx, doc.Snapshot())
	if res == nil {
		return nil, 0
	}
	file, off, ok := evaluatedAt(res, doc, doc.Mapper().Offset(at))
	if !ok {
		return nil, 0
	}
	return &matcher{
		doc: doc, result: res, file: file, line: file.Line(off), seen: map[source.Pos]bool{},
	}, off
}

// evaluatedAt returns the text of a document that was evaluated, and the offset in it of what is at an offset
// of the document.
func evaluatedAt(res *engine.Result, doc *workspace.TextDocument, off int) (*source.File, int, bool) {
	i := slices.IndexFunc(res.Files.All(), doc.Is)
	if i < 0 {
		return nil, 0, false
	}
	file := res.Files.All()[i]
	off, ok := workspace.NewShift(file.Data(), doc.File().Data()).Then(off)
	return file, off, ok
}

// matcher finds the places that overlays connect with a place.
type matcher struct {
	doc    *workspace.TextDocument
	result *engine.Result
	file   *source.File
	line   int
	found  []source.Span
	seen   map[source.Pos]bool
}

// locations returns the places that were found, for the client.
func (m *matcher) locations() []protocol.Location {
	list := []protocol.Location{}
	for _, at := range m.found {
		l, ok := m.doc.Snapshot().LocationNow(m.result.Files, at)
		if ok && !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

func (m *matcher) add(at source.Span) {
	if at.IsValid() && !m.seen[at.Pos] {
		m.seen[at.Pos] = true
		m.found = append(m.found, at)
	}
}

// isHere reports whether a node begins on the requested line.
func (m *matcher) isHere(at source.Span) bool {
	return at.IsValid() && m.file.Holds(at.Pos) && m.file.Line(at.Offset()) == m.line
}

// nodes finds the other side of changes.
func (m *matcher) nodes() {
	for i := range m.result.Steps {
		s := &m.result.Steps[i]
		for _, c := range s.Effects {
			switch {
			case c.Path == "": // a change of the whole document
			case m.isHere(c.At):
				m.add(otherSide(s, c))
			case m.isHere(c.Was):
				m.add(c.At)
			}
		}
	}
}

// otherSide returns the place that was changed, or the document that something was added to.
func otherSide(s *explain.Step, c explain.Effect) source.Span {
	if c.Was.IsValid() {
		return c.Was
	}
	if c.Target >= 0 {
		return s.Matched[c.Target].At
	}
	return source.Span{}
}

// documents finds the documents that the overlay around an offset matches, or the overlays that match
// the document there.
func (m *matcher) documents(off int) {
	inside := m.around(off)
	for i := range m.result.Steps {
		s := &m.result.Steps[i]
		if inside(s.Overlay) {
			for _, t := range s.Matched {
				m.add(t.At)
			}
		}
		for _, t := range s.Matched {
			if inside(t.At) {
				m.add(s.Overlay)
			}
		}
	}
}

// around returns a function that reports whether a place is in the document of YAML around an offset.
func (m *matcher) around(off int) func(at source.Span) bool {
	a, _ := m.doc.LastGood()
	if a == nil || a.Tree == nil {
		return func(source.Span) bool { return false }
	}
	t := a.Tree
	start, end := 0, len(m.file.Data())
	for doc := range t.Documents() {
		from := begins(t, doc)
		if from > off {
			end = from
			break
		}
		start = from
	}
	return func(at source.Span) bool {
		return at.IsValid() && m.file.Holds(at.Pos) && start <= at.Offset() &&
			at.Offset() < end
	}
}

// begins returns where a document begins: at its first comment, since annotations are above it.
func begins(t *yaml.Tree, doc yaml.NodeID) int {
	from := t.Start(doc).Offset()
	for _, c := range t.Comments() {
		if at := t.CommentSpan(c).Offset(); c.Owner() == doc && at < from {
			from = at
		}
	}
	return from
}
