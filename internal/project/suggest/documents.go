package suggest

import (
	"weft/internal/lang/edit"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
)

// plainDocuments are the printed documents that are written in files without code, which may get others.
type plainDocuments struct {
	files  []*source.File // for each printed document, its file, or nil
	only   *source.File   // the only file, if all of them are there
	byName map[selector.Object][]int
}

// newDocumentOptions gives documents that were added the option to be written to a file without code that only
// this environment reads: that of the document before or after, or the only one.
func (s *search) newDocumentOptions(list []*choice) {
	if s.attempt.as != Auto {
		return
	}
	for _, c := range list {
		x := &c.change
		if x.Object.A >= 0 || x.Object.B < 0 || len(x.Path) > 0 {
			continue
		}
		f := s.fileFor(x.Object.B)
		if f == nil {
			continue
		}
		c.options = append(c.options, option{
			at: spot{file: f.Shown(), offset: -1, document: x.Object.B + 1}, kind: Literal,
			value: &s.edited[x.Object.B].Value, name: x.Object.Name.String(),
		})
	}
}

// fileFor returns the file for a document that was added, or nil.
func (s *search) fileFor(edited int) *source.File {
	plain := s.plainDocuments()
	for _, i := range []int{edited - 1, edited + 1} {
		if i < 0 || i >= len(s.edited) {
			continue
		}
		v := s.edited[i].Value
		for _, j := range plain.byName[selector.ObjectOf(v)] {
			if f := plain.files[j]; edit.Equal(s.docs[j].Value, v) {
				return f
			}
		}
	}
	if len(s.environments()) == 1 {
		return nil
	}
	return plain.only
}

// plainDocuments returns the printed documents that are written in files without code. They are looked for once.
func (s *search) plainDocuments() *plainDocuments {
	if s.plain != nil {
		return s.plain
	}
	p := &plainDocuments{files: make([]*source.File, len(s.docs)), byName: map[selector.Object][]int{}}
	known := map[*source.File]bool{}
	several := false
	for i, d := range s.docs {
		f := s.res.Files.File(d.Value.Start())
		if f == nil {
			continue
		}
		ok, seen := known[f]
		if !seen {
			ok = !f.IsRendered() && s.mayChange(f) && !s.isTemplate(f) && !s.isShared(f.Shown())
			known[f] = ok
		}
		if !ok {
			continue
		}
		several = several || p.only != nil && p.only != f
		object := selector.ObjectOf(d.Value)
		p.files[i], p.only, p.byName[object] = f, f, append(p.byName[object], i)
	}
	if several {
		p.only = nil
	}
	s.plain = p
	return p
}
