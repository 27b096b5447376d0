package yaml

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// MaxErrors is the maximum number of errors reported for a file.
const MaxErrors = 20

// Limits of the effort for a file with errors: how often it is parsed, and how many bytes in total.
// After that, the rest of the file is left out.
const (
	maxParses = 100
	maxParsed = 64 << 20
)

// maxFollowing is how many errors in a row may follow from one error. After that, the rest of the
// document is not worth reading.
const maxFollowing = 3

// ParseTolerant reads f like Parse, and continues where Parse gives up: the smallest entry around an
// error becomes an Invalid node, and parsing goes on with the next entry. It returns all errors that
// are not consequences of others, that of Parse first. For a file without errors, the tree is that of
// Parse.
//
// The parser knows nothing about this. ParseTolerant replaces the broken entry with spaces and parses
// the text again, until the parser accepts the rest: a few times at most, and only for a file with
// errors.
func ParseTolerant(f *source.File, opt Options) (*Tree, diag.List) {
	t, err := Parse(f, opt)
	if err == nil {
		return t, nil
	}
	r := rescue{file: f, opt: opt, src: f.Data(), found: diag.Of(err)}
	if _, bad := check(f); bad != nil && !r.replaceInvalid() {
		r.src = blanked(f.Data(), 0)
		r.holes = []hole{{start: 0, end: len(r.src), col: -1}}
	} else {
		r.src = withoutLoneReturns(r.src)
		if bad == nil {
			r.found = nil // the first parse finds the error again, with the entry around it
		}
	}
	return r.tree(), r.found
}

// Errors returns all errors of a file that Parse or Check rejects, sorted by place.
func Errors(f *source.File, opt Options, strict bool) diag.List {
	t, list := ParseTolerant(f, opt)
	list = append(list, t.Check(strict)...)
	list.Sort()
	return list[:min(len(list), MaxErrors)]
}

// Holes returns the parts of the file that could not be parsed, in order. Trees of Parse have none.
func (t *Tree) Holes() []source.Span {
	var spans []source.Span
	for _, h := range t.holes {
		spans = append(spans, t.file.Span(h.start, h.end))
	}
	return spans
}

// hole is an entry of a text that is replaced with spaces.
type hole struct {
	start, end int
	col        int  // the column of the entry; -1 for a whole document
	local      bool // the error concerns only its own line
}

// rescue parses the valid parts of a text that the parser rejects.
type rescue struct {
	file  *source.File
	opt   Options
	src   []byte // the text, with spaces in the holes
	holes []hole // in order
	found diag.List

	following int  // how many errors in a row were consequences of the previous one
	tabs      bool // a tab was reported; the message counts the others
}

// replaceInvalid replaces each byte that YAML forbids with an x, so that the rest can be parsed. It
// returns false if there is no text to parse: it is in another encoding, or binary.
func (r *rescue) replaceInvalid() bool {
	if otherEncoding(r.file) != nil || bytes.IndexByte(r.src, 0) >= 0 {
		return false
	}
	r.src = bytes.Clone(r.src)
	for i := 0; i < len(r.src); {
		c, n := utf8.DecodeRune(r.src[i:])
		if c == utf8.RuneError && n == 1 || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			r.src[i] = 'x'
		}
		i += n
	}
	return true
}

// tree parses until the rest has no errors.
func (r *rescue) tree() *Tree {
	for parses := 1; ; parses++ {
		p := newParser(r.file, r.src, 0, 0, r.opt)
		d := p.try()
		if d == nil {
			t := p.tree(r.opt)
			t.holes = r.holes
			t.showHoles(r.file.Data())
			t.attachComments(0)
			return t
		}
		h := p.broken(d)
		switch {
		case r.canDrop(d):
			r.following, h.local = 0, true
		case r.follows(d, h):
			r.following++
			h.start = min(h.start, r.last().start)
			if r.following > maxFollowing {
				h.end = p.documentEndFrom(h.start)
			}
		default:
			r.following = 0
			r.found = append(r.found, d)
			r.tabs = r.tabs || d.Code == CodeTab
			if len(r.found) >= MaxErrors || hopeless(p, d) {
				h.end = len(r.src)
			}
		}
		if parses >= maxParses || parses*len(r.src) > maxParsed {
			h.end = len(r.src)
		}
		if r.following > 2*maxFollowing || parses >= maxParses+maxFollowing {
			h = hole{start: 0, end: len(r.src), col: -1} // an empty text has no errors
		}
		r.cut(h)
	}
}

// last returns the last hole.
func (r *rescue) last() hole {
	if len(r.holes) == 0 {
		return hole{start: len(r.src)}
	}
	return r.holes[len(r.holes)-1]
}

// follows reports whether d, about the entry h, may be a consequence of an earlier error.
func (r *rescue) follows(d *diag.Diagnostic, h hole) bool {
	if len(r.holes) == 0 {
		return len(r.found) >= MaxErrors
	}
	last := r.last()
	if len(r.found) >= MaxErrors || h.start < last.end || d.At.Offset() < last.end {
		return true // it refers to something that was left out
	}
	return !last.local && !hasContent(r.src[last.end:h.start])
}

// hasContent reports whether a text has more than blank lines and comments.
func hasContent(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimLeft(line, " \t\r\n"); len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}

// canDrop reports whether d can be dropped: the hint about tabs counts them all, and the target of
// an alias or a tag may have been left out.
func (r *rescue) canDrop(d *diag.Diagnostic) bool {
	switch d.Code {
	case CodeTab:
		return r.tabs
	case CodeAnchor:
		return r.leftOut(anchorOf(r.src, d))
	case CodeTag:
		return r.leftOut([]byte("%TAG"))
	}
	return false
}

// leftOut reports whether a text is in a hole.
func (r *rescue) leftOut(text []byte) bool {
	return slices.ContainsFunc(r.holes, func(h hole) bool {
		return bytes.Contains(r.file.Data()[h.start:h.end], text)
	})
}

// anchorOf returns the name of the missing anchor that d, about an alias, mentions.
func anchorOf(src []byte, d *diag.Diagnostic) []byte {
	name := bytes.TrimPrefix(src[d.At.Offset():d.At.End()], []byte("*"))
	return append([]byte("&"), name...)
}

// hopeless reports whether there is no point in continuing after d: the file is too large, or it is
// a template for another program, where every other line is an error.
func hopeless(p *parser, d *diag.Diagnostic) bool {
	start := p.lineStart(d.At.Offset())
	return d.Code == CodeLimit || isTemplate(p.src[start:p.lineEnd(start)])
}

// cut leaves out h, merged with the holes that touch it.
func (r *rescue) cut(h hole) {
	for len(r.holes) > 0 && r.last().end >= h.start {
		last := r.last()
		h.start, h.end = min(h.start, last.start), max(h.end, last.end)
		if last.start == h.start {
			h.col = last.col
		}
		h.local = false
		r.holes = r.holes[:len(r.holes)-1]
	}
	r.holes = append(r.holes, h)
	r.src = bytes.Clone(r.src)
	copy(r.src[h.start:h.end], blanked(r.src[:h.end], h.start))
}

// blanked returns the text from an offset on with everything but its line breaks replaced by
// spaces.
func blanked(src []byte, from int) []byte {
	out := bytes.Clone(src[from:])
	for i, c := range out {
		if classes[c]&lineEnd == 0 {
			out[i] = ' '
		}
	}
	return out
}

// broken returns the smallest entry around the error d, at which the parser stopped.
func (p *parser) broken(d *diag.Diagnostic) hole {
	if p.inConflict(d) {
		return p.conflict(p.lineStart(d.At.Offset()))
	}
	at := min(d.At.Offset(), p.pos)
	isOpen := func(nd node) bool { return nd.next == 0 && nd.style == Flow }
	if i := slices.IndexFunc(p.nodes, isOpen); i >= 0 {
		at = min(at, int(p.nodes[i].off)) // lines inside brackets are not entries
	}
	h := p.documentAround(at)
	if d.Code == CodeDirective {
		h = hole{start: p.lineStart(d.At.Offset()), col: -1}
		h.end = p.lineEnd(h.start)
		return h
	}
	innermost := -1
	for _, l := range p.levels() {
		innermost = l.col
		entry, _ := p.lastEntry(l.id)
		if entry == 0 || int(p.nodes[entry].start) > at {
			continue
		}
		h.start, h.col = int(p.nodes[entry].start), l.col
	}
	// The parser may not have added an entry for the line yet.
	lead := p.lead(at)
	if col := p.column(lead); lead > h.start && col <= innermost && !p.inToken(lead) {
		h.start, h.col = lead, col
	}
	if h.col >= 0 {
		h.end = p.entryEnd(h.start, h.col)
	}
	h.local = p.isLocal(d, h)
	return h
}

// isLocal reports whether d concerns only the single line of h.
func (p *parser) isLocal(d *diag.Diagnostic, h hole) bool {
	switch d.Code {
	case CodeNested, CodeReserved, CodeEscape, CodeAnchor, CodeTag, CodeMissingSpace:
	default:
		return false
	}
	for _, r := range d.Related {
		if d.Code != CodeAnchor && p.lineStart(r.At.Offset()) != p.lineStart(h.start) {
			return false
		}
	}
	return p.sameLine(h.start, h.end)
}

// inToken reports whether i is inside a scalar or a flow collection that was read completely.
func (p *parser) inToken(i int) bool {
	return slices.ContainsFunc(p.nodes, func(nd node) bool {
		return (nd.kind == Scalar || nd.style == Flow) && int(nd.off) < i && i < int(nd.end)
	})
}

// documentAround returns the content after the `---` of the document around offset i.
func (p *parser) documentAround(i int) hole {
	h := hole{col: -1}
	for line := p.lineStart(i); ; line = p.lineStart(line - 1) {
		if p.atMarker(line) {
			h.start = line + 3
			break
		}
		if line == 0 {
			break
		}
	}
	if h.start == 0 && bytes.HasPrefix(p.src, []byte("\ufeff")) {
		h.start = 3
	}
	h.end = p.documentEndFrom(i)
	return h
}

// documentEndFrom returns the end of the document around offset i: the next marker.
func (p *parser) documentEndFrom(i int) int {
	for line := p.nextStart(i); line < len(p.src); line = p.nextStart(line) {
		if p.atMarker(line) {
			return line
		}
	}
	return len(p.src)
}

// nextStart returns the beginning of the line after that of offset i.
func (p *parser) nextStart(i int) int {
	n := bytes.IndexByte(p.src[i:], '\n')
	if n < 0 {
		return len(p.src)
	}
	return i + n + 1
}

// entryEnd returns the end of the entry that begins at start in column col: after its last line
// that is indented deeper. Comments below it belong to what follows.
func (p *parser) entryEnd(start, col int) int {
	end := p.lineEnd(start)
	isItem := p.at(start) == '-'
	for line := p.nextStart(start); line < len(p.src); line = p.nextStart(line) {
		lead := p.skipBlanks(line)
		switch {
		case p.is(lead, lineEnd|endMark) || p.at(lead) == '#':
			continue
		case p.atMarker(line):
			return end
		case lead-line > col:
		case lead-line == col && !isItem && p.at(lead) == '-' && p.is(lead+1, white):
			// The items of a list may be in the column of its key.
		default:
			return end
		}
		end = p.lineEnd(lead)
	}
	return end
}

// inConflict reports whether d is about a line of a Git merge conflict.
func (p *parser) inConflict(d *diag.Diagnostic) bool {
	start := p.lineStart(d.At.Offset())
	return isConflictMarker(p.src[start:p.lineEnd(start)])
}

// conflict returns the two versions around a Git conflict marker.
func (p *parser) conflict(line int) hole {
	h := hole{start: line, end: p.lineEnd(line), col: 0, local: true}
	for i := line; i > 0 && !bytes.HasPrefix(p.src[h.start:], []byte("<<<<<<< ")); {
		i = p.lineStart(i - 1)
		if bytes.HasPrefix(p.src[i:], []byte("<<<<<<< ")) {
			h.start = i
		}
	}
	for i := line; i < len(p.src); i = p.nextStart(i) {
		if bytes.HasPrefix(p.src[i:], []byte(">>>>>>> ")) {
			h.end = p.lineEnd(i)
			break
		}
	}
	return h
}
