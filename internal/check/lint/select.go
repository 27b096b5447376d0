package lint

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// selection is the lines of files that produce the selected documents.
type selection struct {
	any   []selector.Selector
	used  []bool // which selectors have selected a document
	names []string
	lines map[fileLine]bool
}

type fileLine struct {
	file string
	line int
}

// add adds the lines that produce the selected documents of a run.
func (s *selection) add(docs []tree.Doc, origins *tree.Origins, files *source.Set) {
	if len(s.any) == 0 {
		return
	}
	all := selector.Of(docs, files)
	s.names = selector.Names(all)
	chosen := make([]bool, len(docs))
	for k, one := range s.any {
		for i, ok := range one.Select(all) {
			chosen[i], s.used[k] = chosen[i] || ok, s.used[k] || ok
		}
	}
	for i, ok := range chosen {
		if ok {
			s.document(docs, i, origins, files)
		}
	}
}

// document adds the lines of one document: those of its values and, in its own file, all lines
// between them, which may be code.
func (s *selection) document(docs []tree.Doc, i int, origins *tree.Origins, files *source.Set) {
	own := files.File(docs[i].Pos)
	if own == nil {
		return
	}
	first := own.Line(docs[i].Pos.Offset())
	next := own.Lines() + 1 // where another document begins
	for k := range docs {
		if files.File(docs[k].Pos) == own {
			if line := own.Line(docs[k].Pos.Offset()); line > first {
				next = min(next, line)
			}
		}
	}
	last := first
	note := func(at source.Pos) {
		f := files.File(at)
		if f == nil {
			return
		}
		line := f.Line(at.Offset())
		s.lines[fileLine{f.Shown(), line}] = true
		if f == own && line < next {
			last = max(last, line)
		}
	}
	eachPlace(docs[i].Value, origins, note)
	for line := first; line <= last; line++ {
		s.lines[fileLine{own.Shown(), line}] = true
	}
}

// eachPlace calls f with the places where a value, and everything below it, is written.
func eachPlace(v tree.Value, origins *tree.Origins, f func(source.Pos)) {
	f(v.Start())
	if setter, ok := origins.Of(v.Origin()); ok {
		f(setter.At.Pos)
	}
	for _, it := range v.Entries() {
		f(it.Pos)
		eachPlace(it.Value, origins, f)
	}
}

// has reports whether a finding is about a selected document. An error affects all of them, because
// nothing is rendered.
func (s *selection) has(d *diag.Diagnostic, files *source.Set) bool {
	if len(s.any) == 0 || d.Severity == diag.Error {
		return true
	}
	f := files.File(d.At.Pos)
	if f == nil {
		return false
	}
	for line := f.Line(d.At.Offset()); line <= f.Line(d.At.End()); line++ {
		if s.lines[fileLine{f.Shown(), line}] {
			return true
		}
	}
	return false
}

// unused returns an error about a selector that selects no document in any environment, or nil.
func (s *selection) unused() error {
	if i := slices.Index(s.used, false); i >= 0 {
		return selector.Unknown("--select "+s.any[i].String(), s.any[i].String(), s.names)
	}
	return nil
}
