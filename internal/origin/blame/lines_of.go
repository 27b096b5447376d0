package blame

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// SelectSource selects the output lines that a source line produced: those whose values it set at any
// time, and the absences it caused. If there are none, it selects those that depend on the source line in
// another way: it calls the function, or decides the condition or loop, that produced them. It returns nil
// if there are none of these either.
func (r *Report) SelectSource(f *source.File, line int) *Selection {
	here := func(at source.Pos) bool {
		return r.in.Files.File(at) == f && f.Line(at.Offset()) == line
	}
	if s := r.selectLines(func(l *Line) bool { return r.isProducedAt(l, here) }); s != nil {
		return s
	}
	return r.selectLines(func(l *Line) bool { return r.dependsOn(l, here) })
}

// isProducedAt reports whether a line or an absence was produced at a place.
func (r *Report) isProducedAt(l *Line, here func(source.Pos) bool) bool {
	switch {
	case l.Absent != nil:
		a := l.Absent
		return here(a.At) || here(a.Condition) || here(a.Was)
	case l.Node >= 0:
		n := &r.Nodes[l.Node]
		if n.origin == 0 {
			return here(r.writtenAt(n, l))
		}
		if at, ok := r.editedAt(l); ok {
			return here(at)
		}
		return here(n.At) ||
			slices.ContainsFunc(r.History(n), func(e Event) bool { return here(e.At) })
	}
	s, ok := r.in.Origins.Of(l.Origin)
	return ok && here(s.At.Pos)
}

// dependsOn reports whether a call, a condition or a loop at a place led to a line.
func (r *Report) dependsOn(l *Line, here func(source.Pos) bool) bool {
	origin := l.Origin
	if l.Node >= 0 {
		origin = r.Nodes[l.Node].origin
	}
	for s := range r.in.Origins.History(origin) {
		if r.leadsTo(s, here) {
			return true
		}
		if from, ok := r.in.Origins.Of(s.From); ok && r.leadsTo(from, here) {
			return true
		}
	}
	return false
}

func (r *Report) leadsTo(s tree.Setting, here func(source.Pos) bool) bool {
	return slices.ContainsFunc(r.in.Origins.Calls(s.Calls), func(c source.Span) bool {
		return here(c.Pos)
	}) || slices.ContainsFunc(r.in.Origins.When(s.When), func(c tree.Condition) bool {
		return here(c.At.Pos)
	})
}

// SelectNode selects the line of the node at a path of a document, or of its innermost ancestor that is
// not hidden. It returns nil if there is no such document.
func (r *Report) SelectNode(doc int, way path.Path) *Selection {
	at := int32(-1)
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if int(n.Doc) != doc {
			continue
		}
		if n.parent < 0 {
			at = int32(i)
		} else if n.parent == at && len(way) > 0 && sameStep(n.step(), way[0]) {
			at, way = int32(i), way[1:]
		}
	}
	if at < 0 {
		return nil
	}
	return r.selectLines(func(l *Line) bool { return l.Node == at && l.Absent == nil })
}

// SelectText selects a line of a file that is not YAML, counted from 1. It returns nil if there is none.
func (r *Report) SelectText(file string, line int) *Selection {
	for i := range r.Parts {
		if r.Parts[i].File != file || file == "" {
			continue
		}
		lines := r.Parts[i].Lines
		for j := range lines {
			if lines[j].Absent == nil && int(lines[j].Number) == line {
				return &Selection{lines: map[*Line]bool{&lines[j]: true}}
			}
		}
	}
	return nil
}

// selectLines selects lines, each with the first line of its node. It returns nil if there are none.
func (r *Report) selectLines(is func(*Line) bool) *Selection {
	s := &Selection{lines: map[*Line]bool{}}
	for i := range r.Parts {
		lines := r.Parts[i].Lines
		first := -1
		for j := range lines {
			l := &lines[j]
			if l.First || l.Node < 0 {
				first = j
			}
			if is(l) {
				s.lines[l] = true
				if l.Node >= 0 && first >= 0 && lines[first].Node == l.Node {
					s.lines[&lines[first]] = true
				}
			}
		}
	}
	if len(s.lines) == 0 {
		return nil
	}
	return s
}
