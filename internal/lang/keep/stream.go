package keep

import (
	"bytes"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Source is an input file and its output.
type Source struct {
	File *source.File
	Docs []tree.Doc
}

// Bytes returns the text of the documents of a file. set has all files that they come from.
func (fs *Files) Bytes(set *source.Set, from Source) []byte {
	if fs.Whole(from) {
		return from.File.Data()
	}
	f := fs.of(from.File)
	p := printer{what: fs.What, files: fs, set: set, step: 2}
	p.stream(f, from.Docs)
	if fs.What == Everything && f != nil && edit.EndsCRLF(from.File.Data()) {
		return bytes.ReplaceAll(p.dst, []byte("\n"), []byte("\r\n"))
	}
	return p.dst
}

// Whole reports whether a file is printed unchanged, since all of its documents are unchanged.
func (fs *Files) Whole(from Source) bool {
	f := fs.of(from.File)
	return fs.What == Everything && f != nil && f.isWhole(from.Docs)
}

// Document returns the text of one document, without the comments of the file around it.
func (fs *Files) Document(set *source.Set, doc tree.Doc) []byte {
	p := printer{what: fs.What, files: fs, set: set, step: 2}
	p.root(doc, p.at(doc.Pos, yaml.Document))
	return p.dst
}

// Join concatenates the texts of several files, which were parsed with opt, into one stream.
func Join(texts [][]byte, opt yaml.Options) []byte {
	var all []byte
	for _, text := range texts {
		if len(text) == 0 {
			continue
		}
		if len(all) > 0 {
			all = edit.Closed(all, opt)
			text = edit.WithoutMark(text)
			all = append(all, separator(all, text)...)
		}
		all = append(all, text...)
	}
	return all
}

// separator returns what to write between two texts: nothing if the second begins with `---`, so
// that the comments above it do not become a document.
func separator(above, below []byte) string {
	between := edit.Between(above, below)
	for line := range bytes.Lines(below) {
		switch line = bytes.TrimRight(line, " \t\r\n"); {
		case len(line) == 0 || line[0] == '#':
			continue
		case between == "---\n" && string(bytes.Fields(line)[0]) == "---":
			return ""
		}
		return between
	}
	return ""
}

// Header returns the first line of a file if it must also be the first line of the output, because
// programs look for it only there.
func (fs *Files) Header(f *source.File) (source.Span, bool) {
	const mark = "#cloud-config"
	file := fs.of(f)
	if file == nil {
		return source.Span{}, false
	}
	p := file.partAt(0)
	if p == nil {
		return source.Span{}, false
	}
	at := bytes.Index(f.Data()[:p.header], []byte(mark))
	if at < 0 {
		return source.Span{}, false
	}
	return f.Span(at, at+len(mark)), true
}

// isWhole reports whether docs are all documents of a file, unchanged. Empty ones may be missing.
func (f *File) isWhole(docs []tree.Doc) bool {
	for i := range f.parts {
		t := f.parts[i].t
		if f.Template && hasWeftComments(t) {
			return false
		}
		c := yaml.Composer{Tree: t}
		for doc := range t.Documents() {
			root := t.Target(t.Root(doc))
			if len(docs) > 0 {
				if u, n, ok := docs[0].Value.Syntax(); ok && u == t && n == root {
					docs = docs[1:]
					continue
				}
			}
			if !c.Empty(root) {
				return false
			}
		}
	}
	return len(docs) == 0
}

// hasWeftComments reports whether a template has comments for weft, which are not printed.
func hasWeftComments(t *yaml.Tree) bool {
	for _, c := range t.Comments() {
		text := t.CommentText(c)
		if isWeftComment(text) &&
			!(t.CommentSpan(c).Offset() == 0 && bytes.HasPrefix(text, []byte("!/"))) {
			return true
		}
	}
	return false
}

// stream writes the documents of file f, which may be nil.
func (p *printer) stream(f *File, docs []tree.Doc) {
	c := collection{kind: yaml.Document, scope: none}
	if f != nil {
		c.main = entry{f.partAt(0), yaml.NoOwner}
	}
	var last entry
	for _, d := range docs {
		if d.Value.Empty() {
			continue
		}
		first := !c.prev.ok() && len(p.dst) == p.start
		if first && c.main.ok() {
			p.top(c.main.p)
		}
		origin := p.at(d.Pos, yaml.Document)
		if origin.ok() && p.what == Everything {
			p.step, p.dash = origin.p.step, origin.p.dash
		}
		clear(p.anchors)
		origin = p.leadOf(&c, origin, d.Annotations)
		p.document(d, origin, first)
		p.below(origin, 0)
		if last = origin; !origin.ok() {
			c.prev = entry{}
		}
	}
	if len(p.dst) > p.start && f != nil {
		p.tail(&c, f, last)
	}
}

// top writes the top of a file: its header, and comments before the first document.
func (p *printer) top(pt *part) {
	if !p.has(Comments) {
		return
	}
	header := bytes.TrimPrefix(pt.text[:pt.header], []byte("\ufeff"))
	p.dst = appendMoved(p.dst, header, 0, pt.returns)
	if pt.header > 0 && !bytes.HasSuffix(header, []byte("\n")) {
		p.dst = append(p.dst, '\n')
	}
	g := pt.topGap()
	if g == nil {
		return
	}
	out := p.lines(pt, 0, 0)
	out.exact = g.bare && p.copies()
	for _, l := range g.top(pt) {
		switch {
		case l.kind == blank:
			out.blank()
		case l.kind == comment && l.owner == ofTop && l.scope == none:
			out.comment(l)
		}
	}
	out.end()
}

// topGap returns the lines before the first entry of a first document without `---`.
func (p *part) topGap() *gap {
	t, root := p.t, p.t.Root(p.t.First())
	if t.More(root) && !t.Explicit(t.First()) && t.Style(root) == yaml.Block {
		return p.gap(root + 1)
	}
	return nil
}

// top returns the lines of g that belong to the top of the file.
func (g *gap) top(p *part) []line {
	lines := g.leadLines(p)
	end := 0
	for i, l := range lines {
		if l.kind == comment && l.owner == ofTop || l.kind == blank && end == i && i > 0 {
			end = i + 1
		}
	}
	return lines[:end]
}

// document writes a document, with `---` if it is not the first, or if it has one and the layout is
// kept.
func (p *printer) document(d tree.Doc, origin entry, first bool) {
	if p.copies() && origin.ok() && p.copyDocument(d, origin, first) {
		return
	}
	note := p.note(origin)
	if !first || len(note) > 0 || p.copies() && origin.ok() && origin.p.t.Explicit(origin.n) {
		p.dst = append(append(append(p.dst, "---"...), note...), '\n')
	}
	p.root(d, origin)
}

// copyDocument copies an unchanged document. If it cannot, it changes nothing and returns false.
func (p *printer) copyDocument(d tree.Doc, origin entry, first bool) bool {
	t := origin.p.t
	root := t.Root(origin.n)
	if u, n, ok := d.Value.Syntax(); !ok || u != t || n != t.Target(root) {
		return false
	}
	from := t.Begin(origin.n).Offset()
	if !t.Explicit(origin.n) {
		if g := origin.p.gap(root + 1); g != nil && g.heads(origin.p) {
			return false // the comment above the first entry is printed with the entry
		}
		from = t.Start(root).Offset()
		from -= origin.p.column(root)
	}
	to := origin.p.lineEnd(max(t.ContentEnd(root), t.Start(origin.n).Offset(), from))
	if origin.p.hasDropped(from, to) || t.IsCut(t.Next(root)-1) {
		return false
	}
	directed := from < t.Start(origin.n).Offset()
	switch {
	case first:
	case directed && !bytes.HasSuffix(p.dst, []byte("\n...\n")):
		p.dst = append(p.dst, "...\n"...)
	case !t.Explicit(origin.n):
		p.dst = append(p.dst, "---\n"...)
	}
	p.dst = append(appendMoved(p.dst, origin.p.text[from:to], 0, origin.p.returns), '\n')
	if t.KeepsBreaks(t.Next(root) - 1) {
		p.sticky = len(p.dst)
	}
	if g := origin.p.gap(t.Next(origin.n)); g != nil {
		out := p.lines(origin.p, 0, 0)
		out.exact = g.bare
		for _, l := range origin.p.lines[g.from:g.feet] {
			if l.kind == blank {
				out.blank()
			} else if l.owner == ofFoot {
				out.comment(l)
			}
		}
	}
	if t.Ended(origin.n) {
		p.dst = append(p.dst, "...\n"...)
	}
	return true
}

// root writes the value of a document.
func (p *printer) root(d tree.Doc, origin entry) {
	v := d.Value
	if v.Kind() == tree.ScalarKind || v.Empty() {
		at := len(p.dst)
		p.short(v, nil, 0)
		p.dst = append(p.dst[:at], p.dst[at+1:]...) // without the blank before it
		return
	}
	at := len(p.dst)
	if p.copies() && (p.brackets(v, origin, nil, 0) || p.inBrackets(v, origin) && p.flowLine(v, nil)) {
		p.dst = append(p.dst[:at], p.dst[at+1:]...)
		return
	}
	col := 0
	if p.copies() && origin.ok() {
		t, root := origin.p.t, origin.p.t.Root(origin.n)
		if t.Kind(root) == kindOf(v) && t.Style(root) == yaml.Block {
			col = origin.p.column(root + 1)
		}
	}
	p.block(v, origin, col, none)
}

// tail writes what follows the last document of a file.
func (p *printer) tail(c *collection, f *File, last entry) {
	pt := f.parts[len(f.parts)-1].generator()
	g := pt.gap(yaml.NodeID(pt.t.Len()))
	if g == nil || !p.has(Comments|BlankLines) {
		return
	}
	out := p.lines(pt, 0, 0)
	isLast := last.ok() && last.p == pt && int(pt.t.Next(last.n)) == pt.t.Len()
	out.exact = g.bare && isLast && p.copies()
	s := placeCursor{p: pt, in: yaml.NoOwner, scope: none}
	for _, l := range g.leadLines(pt) {
		switch {
		case l.kind == blank:
			out.blank()
		case l.kind == comment && l.owner == ofPlace && c.isGenerated(&s, l, 0):
			out.comment(l)
		}
	}
	if out.exact {
		out.end()
	}
}
