package diag

import (
	"bytes"
	"slices"

	"weft/internal/lang/source"
)

// Opened returns the list with places that people can open. A place in text that another program made becomes
// the line that the text comes from, and a note shows the text, unless the line is not known. The diagnostics
// of l stay as they are.
func (l List) Opened(files *source.Set) List {
	out := slices.Clone(l)
	for i, d := range out {
		out[i] = d.opened(files)
	}
	return out
}

func (d *Diagnostic) opened(files *source.Set) *Diagnostic {
	if !slices.ContainsFunc(d.places(), func(at source.Span) bool { return isMade(files, at) }) {
		return d
	}
	opened := *d
	opened.Related = slices.Clone(d.Related)
	for i := range opened.Related {
		r := &opened.Related[i]
		r.At, _ = files.Opened(r.At)
	}
	if !isMade(files, d.At) {
		return &opened
	}
	opened.Fix, opened.Word = nil, Word{} // they are about the text
	if at, ok := files.Opened(d.At); ok {
		opened.At = at
		if !bytes.Equal(lineAt(files, at), lineAt(files, d.At)) {
			opened.Related = slices.Insert(opened.Related, 0, Related{d.At, "it is rendered as"})
		}
	}
	return &opened
}

// places returns the places that a diagnostic names.
func (d *Diagnostic) places() []source.Span {
	list := []source.Span{d.At}
	for _, r := range d.Related {
		list = append(list, r.At)
	}
	return list
}

func isMade(files *source.Set, at source.Span) bool {
	f := files.File(at.Pos)
	return f != nil && f.IsRendered()
}

// lineAt returns the line of a place without the white space around it.
func lineAt(files *source.Set, at source.Span) []byte {
	f := files.File(at.Pos)
	return bytes.TrimSpace(f.Text(f.Line(at.Offset())))
}
