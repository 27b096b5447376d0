package keep

import (
	"bytes"
	"slices"
	"sync"

	"weft/internal/lang/edit"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// part is the table of one syntax tree.
//
// Between two entries there are lines that are blank, comments or code. They form a gap, which is
// before the node after it, and each comment in it has an owner:
//
//	# of the place: parent, before a
//
//	# of a
//	a: 1 # of a
//	# of the loop
//	#@ for x in xs:
//	# of each item
//	- b: 1
//	  # of the map that ends here
//	# of each item, too
//
//	# of the list that ends here, if the loop has made something
//	#@ end
type part struct {
	file *File
	t    *yaml.Tree
	once sync.Once

	text     []byte
	returns  bool          // lines end with "\r\n"
	parent   []yaml.NodeID // for each node, the collection or document around it
	gaps     []gap         // in the order of the nodes
	lines    []line        // of all gaps
	trailing map[yaml.NodeID]span
	feet     map[yaml.NodeID]span // the lines at the end of a collection
	below    map[yaml.NodeID]span // the lines below an entry that ends a block of code
	places   bool                 // some line belongs to a place
	dropped  []int                // the offsets of comments for weft
	code     code
	header   int // the end of the lines at the top that belong to the file

	anchors, aliases []yaml.NodeID
	step, dash       int // how the file is indented
}

// span is a range of offsets, or of lines.
type span struct{ from, to int }

// gap has the lines before node n. At the end of the file, n is one after the last node.
type gap struct {
	n    yaml.NodeID
	span      // its lines
	feet int  // lines before it belong to collections that end in this gap
	bare bool // none of them is code or for weft
}

// line is one line of a gap.
type line struct {
	from, to int // without the line break and the leading blanks
	column   int
	kind     lineKind
	owner    owner
	// for a comment: the block of code that must have produced output, or none; another block whose
	// output is enough, or none; and the function around the comment
	block, instead, scope int32

	in yaml.NodeID // ofFoot: the collection
}

type lineKind uint8

const (
	blank lineKind = iota
	comment
	command // code, an annotation, or a comment for weft
)

type owner uint8

const (
	ofEntry owner = iota // the entry after the gap
	ofPlace              // the place
	ofNone               // a function, or nothing
	ofFoot               // a collection that ends here
	ofAbove              // the entry above it, the last of a block of code
	ofTop                // the place before a first document without `---`
)

// generator returns the table. It is built once.
func (p *part) generator() *part {
	p.once.Do(p.make)
	return p
}

func (p *part) make() {
	t := p.t
	p.text = t.Source()
	p.returns = bytes.IndexByte(p.text, '\r') >= 0
	p.step, p.dash = edit.Indents(t)
	p.anchors, p.aliases = t.References()
	if p.file.Template {
		p.readHeader()
		p.readCode()
		for _, c := range t.Comments() {
			if at := t.CommentSpan(c).Offset(); at >= p.header && isWeftComment(t.CommentText(c)) {
				p.dropped = append(p.dropped, at)
			}
		}
	} else {
		p.readHeader()
	}
	w := walker{part: p}
	w.walk()
}

// isWeftComment reports whether a comment in a template is for weft, or about the template.
func isWeftComment(text []byte) bool { return len(text) > 0 && (text[0] == '@' || text[0] == '!') }

// readHeader finds the lines at the top that belong to the file, where programs look for them.
func (p *part) readHeader() {
	if p.t.File() != p.file.src || p != &p.file.parts[0] {
		return
	}
	rest := bytes.TrimPrefix(p.text, []byte("\ufeff"))
	for len(rest) > 0 {
		line, below, _ := bytes.Cut(rest, []byte("\n"))
		first := len(rest) == len(p.text)
		if !isHeader(bytes.TrimRight(line, " \t\r"), first) {
			return
		}
		rest = below
		p.header = len(p.text) - len(rest)
	}
}

func isHeader(line []byte, first bool) bool {
	return bytes.HasPrefix(line, []byte("#!/")) && first ||
		string(line) == "#cloud-config" ||
		bytes.HasPrefix(line, []byte("## template:")) ||
		bytes.HasPrefix(line, []byte("# yaml-language-server:"))
}

// walker builds the table in one pass over the nodes.
type walker struct {
	*part
	open    []yaml.NodeID               // collections and documents around the node
	ended   []yaml.NodeID               // collections that ended before it, innermost first
	last    int                         // the end of the last text
	item    yaml.NodeID                 // the last entry outside of brackets
	items   map[yaml.NodeID]yaml.NodeID // the last entry of each collection, if there is code
	comment int                         // the first comment without an owner
	flow    yaml.NodeID                 // nodes before it are in brackets
}

func (w *walker) walk() {
	t := w.t
	w.parent = make([]yaml.NodeID, t.Len())
	w.last, w.item = w.header, yaml.NoOwner
	if len(w.code.blocks) > 0 {
		w.items = map[yaml.NodeID]yaml.NodeID{}
	}
	if w.last == 0 && t.More(0) && w.part != &w.file.parts[0] {
		w.last = t.Start(0).Offset()
	}
	for n := yaml.NodeID(0); t.More(n); n++ {
		w.leave(n)
		w.visit(n)
		w.open = append(w.open, n)
	}
	w.leave(yaml.NodeID(t.Len()))
	w.assignTrailing(len(w.text)+1, yaml.NodeID(t.Len())-1)
	w.between(yaml.NodeID(t.Len()), w.end(), -1)
}

// end returns where the text of the part ends.
func (w *walker) end() int {
	for i := range w.file.parts[:len(w.file.parts)-1] {
		if &w.file.parts[i] == w.part {
			next := w.file.parts[i+1].t
			return next.Start(next.First()).Offset()
		}
	}
	return len(w.text)
}

// leave closes what ends before node n.
func (w *walker) leave(n yaml.NodeID) {
	w.ended = w.ended[:0]
	for len(w.open) > 0 && w.t.Next(w.open[len(w.open)-1]) <= n {
		top := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		if k := w.t.Kind(top); k == yaml.Mapping || k == yaml.Sequence {
			if w.t.Style(top) == yaml.Block {
				w.ended = append(w.ended, top)
			} else {
				w.last = max(w.last, w.t.Span(top).End())
			}
		}
	}
}

func (w *walker) visit(n yaml.NodeID) {
	t := w.t
	if len(w.open) > 0 {
		w.parent[n] = w.open[len(w.open)-1]
	}
	start := t.Start(n).Offset()
	if t.IsItem(n) && n >= w.flow {
		w.assignTrailing(start, n-1)
		if at, ok := w.lineStart(start); ok {
			col := start - at
			if t.Kind(n) == yaml.Document {
				at, col = t.Begin(n).Offset(), -1
			}
			w.between(n, at, col)
		}
		w.item = n
		if w.items != nil {
			w.items[entry{w.part, n}.inOf()] = n
		}
	}
	if w.isBareRoot(n) {
		w.assignTrailing(start, n-1)
		if at, ok := w.lineStart(start); ok {
			w.between(w.parent[n], at, -1)
		}
		w.item = w.parent[n]
	}
	switch t.Kind(n) {
	case yaml.Document:
		if t.Explicit(n) {
			w.last = max(w.last, start+len("---"))
		}
	case yaml.Scalar, yaml.Alias:
		if n >= w.flow {
			w.assignTrailing(t.Span(n).Offset(), n-1) // between a key and its value
		}
		w.last = max(w.last, t.ContentEnd(n))
	default:
		if t.Style(n) == yaml.Flow {
			w.flow = max(w.flow, t.Next(n))
		}
	}
}

// isBareRoot reports whether n is the value of a document without `---` and without entries on
// their own lines: comments can only belong to the document.
func (w *walker) isBareRoot(n yaml.NodeID) bool {
	t := w.t
	return t.Kind(n) != yaml.Document && t.Kind(w.parent[n]) == yaml.Document &&
		!t.Explicit(w.parent[n]) && t.Style(n) != yaml.Block
}

// lineStart returns where the line of an offset begins, if only spaces are in between.
func (w *walker) lineStart(off int) (int, bool) {
	i := off
	for i > 0 && w.text[i-1] == ' ' {
		i--
	}
	return i, i == 0 || w.text[i-1] == '\n' || i == len("\ufeff") && w.text[0] == 0xEF
}

// inHeader reports whether a comment follows the header of block scalar n.
func (w *walker) inHeader(n yaml.NodeID, off int) bool {
	t := w.t
	if t.Kind(n) != yaml.Scalar || t.Style(n) != yaml.Literal && t.Style(n) != yaml.Folded {
		return false
	}
	at := t.Span(n).Offset()
	return at < off && bytes.IndexByte(w.text[at:off], '\n') < 0
}

// assignTrailing assigns the comments after entries, up to an offset, to the last entry before them.
// before is the last node there.
func (w *walker) assignTrailing(upTo int, before yaml.NodeID) {
	all := w.t.Comments()
	for ; w.comment < len(all); w.comment++ {
		c := all[w.comment]
		at := w.t.CommentSpan(c)
		if at.Offset() >= upTo {
			return
		}
		if !c.Trailing() || w.item == yaml.NoOwner || w.isDropped(at.Offset()) ||
			at.Offset() < w.last && !w.inHeader(before, at.Offset()) {
			continue // comments inside brackets, or in a multi-line value, come last
		}
		if w.part.trailing == nil {
			w.part.trailing = map[yaml.NodeID]span{}
		}
		w.part.trailing[w.item] = span{at.Offset(), at.End()}
	}
}

func (p *part) isDropped(off int) bool {
	_, found := slices.BinarySearch(p.dropped, off)
	return found
}

// between reads the lines between the last text and the line of node n, which begins at to, in
// column col; col is -1 at the end of a document.
func (w *walker) between(n yaml.NodeID, to, col int) {
	from := w.last
	if from > 0 && from != w.header { // the rest of the line
		i := bytes.IndexByte(w.text[from:max(from, to)], '\n')
		if i < 0 {
			return
		}
		from += i + 1
	}
	if from >= to {
		return
	}
	g := gap{n: n, span: span{len(w.lines), len(w.lines)}, bare: true}
	for from < to {
		end := bytes.IndexByte(w.text[from:to], '\n')
		if end < 0 {
			end = to - from
		}
		l, ok := w.line(from, from+end)
		if from += end + 1; ok {
			w.lines = append(w.lines, l)
			continue
		}
		// Directives, the end of a document, or a property on its own line.
		if bytes.HasPrefix(w.text[l.from:], []byte("...")) && len(w.lines) > g.from {
			g.to = len(w.lines)
			w.assign(&g, -1, true)
			g.from, w.ended = g.to, nil
			continue
		}
		w.lines = w.lines[:g.from]
	}
	if g.to = len(w.lines); g.from == g.to {
		return
	}
	w.assign(&g, col, n == yaml.NodeID(w.t.Len()))
	w.gaps = append(w.gaps, g)
}

// line reads a line of a gap. It returns false if there is something else on the line.
func (w *walker) line(from, to int) (line, bool) {
	text := w.text[from:to]
	trimmed := bytes.TrimLeft(text, " \t\ufeff")
	l := line{column: len(text) - len(trimmed), block: none, instead: none, scope: none}
	trimmed = bytes.TrimRight(trimmed, " \t\r")
	l.from = from + l.column
	l.to = l.from + len(trimmed)
	switch {
	case len(trimmed) == 0:
		return l, true
	case trimmed[0] != '#':
		return l, false
	}
	l.kind = comment
	if w.isDropped(l.from) {
		l.kind = command
	}
	return l, true
}

// assign finds the owners of the lines of g, which is before an entry in column col. col is -1 before
// a document and at the end of the last one.
func (w *walker) assign(g *gap, col int, atEnd bool) {
	lines := w.lines[g.from:g.to]
	for i := range lines {
		if lines[i].kind == command {
			g.bare = false
		}
		if l := &lines[i]; l.kind == comment && len(w.code.blocks) > 0 {
			l.block, l.scope = w.code.around(l.from), w.code.scope(l.from)
		}
	}
	attached := len(lines)
	if col < 0 && !atEnd {
		attached = w.attached(lines)
	}
	g.feet = g.from + w.assignFeet(g, lines[:attached], col)
	target, cond := ofEntry, int32(none)
	place := ofPlace
	if w.item == yaml.NoOwner && col >= 0 {
		place = ofTop
	}
	if atEnd {
		target = place
	}
	for i := g.to - 1; i >= g.feet; i-- {
		l := &w.lines[i]
		switch l.kind {
		case blank:
			target, cond = place, none
		case command:
			if m := w.code.at(l.from, l.to); m != nil {
				switch target, cond = place, none; m.kind {
				case script.Opens, script.Branches:
					target, cond = ofPlace, m.block
				case script.Defines:
					target = ofNone
				}
			}
		case comment:
			w.assignComment(l, target, cond)
			g.bare = g.bare && target != ofNone
		}
	}
}

// attached returns the index of the first line that belongs to the `---` of the document after it.
func (w *walker) attached(lines []line) int {
	for i := len(lines) - 1; i >= 0; i-- {
		l := &lines[i]
		if l.kind == blank || l.kind == comment && l.column > 0 {
			return i + 1
		}
		if m := w.code.at(l.from, l.to); m != nil && (m.kind == script.Ends || m.kind == script.Branches) {
			return i + 1
		}
	}
	return 0
}

// assignComment assigns a comment to its owner. A comment above a block is printed only if the block
// produces output. Above `else`, the comment may also be about the branch before it, so output of
// either branch is enough.
func (w *walker) assignComment(l *line, target owner, cond int32) {
	if cond != none {
		if w.code.blocks[cond].branch {
			l.instead = l.block
		}
		l.block = cond
	}
	if l.owner == ofAbove {
		if l.instead == none {
			return
		}
		l.instead = none // that branch prints the comment below its last entry
	}
	l.owner = target
	w.part.places = w.part.places || target == ofPlace
}

// assignFeet finds the lines that belong to what ends here, and returns their number. They belong to
// collections or, in blocks of code, to the last entries of collections. Such lines are in the column
// of the collection, to the right of what follows; in a block of code, what follows the block does
// not count.
func (w *walker) assignFeet(g *gap, lines []line, col int) (n int) {
	level, parted, direct := 0, false, true
	for i := range lines {
		l := &lines[i]
		if l.kind != comment {
			parted = parted || l.kind == blank
			direct = direct && l.kind != blank && w.code.at(l.from, l.to) == nil
			continue
		}
		base, last := w.base(l.block, g.n)
		for level < len(w.ended) && w.ended[level] != base &&
			(w.column(w.ended[level]+1) > l.column || !w.reaches(w.ended[level], l)) {
			level++
		}
		left := w.ended[level:]
		ends, inside := len(left) > 0 && left[0] == base, slices.Contains(left, base)
		outside := !inside && (len(left) == 0 || l.column <= col)
		switch {
		case direct && last != yaml.NoOwner && (ends || outside):
			w.below = extended(w.below, last, g.from+i)
			l.owner = ofAbove
			continue
		case outside || !inside && parted && col < 0 && l.column == 0:
			return n
		}
		w.part.places = w.part.places || ends // it depends on what the block has produced
		l.owner, l.in, n = ofFoot, w.ended[level], i+1
		w.feet = extended(w.feet, l.in, g.from+i)
	}
	return n
}

// extended returns spans with line i added to the span of node n.
func extended(spans map[yaml.NodeID]span, n yaml.NodeID, i int) map[yaml.NodeID]span {
	if spans == nil {
		spans = map[yaml.NodeID]span{}
	}
	s, ok := spans[n]
	if !ok {
		s.from = i
	}
	s.to = i + 1
	spans[n] = s
	return spans
}

// base returns the collection with the entries of a block of code that ends before node n, and the
// last entry, unless that is in a nested block. Both are none if there is no such block.
func (w *walker) base(id int32, n yaml.NodeID) (in, last yaml.NodeID) {
	in, last = yaml.NoOwner, yaml.NoOwner
	if id == none {
		return in, last
	}
	b := &w.code.blocks[id]
	if b.first >= b.end || n < b.end {
		return in, last
	}
	in = entry{w.part, b.first}.inOf()
	if e, ok := w.items[in]; ok && w.code.around(w.t.Start(e).Offset()) == id {
		last = e
	}
	return in, last
}

// reaches reports whether a line is in the block of code around the entry of collection n, if there
// is one.
func (w *walker) reaches(n yaml.NodeID, l *line) bool {
	if len(w.code.blocks) == 0 {
		return true
	}
	switch in := w.parent[n]; {
	case w.t.Kind(in) == yaml.Document && !w.t.Explicit(in):
		return true
	case w.t.Kind(in) == yaml.Document:
		n = in
	case !w.t.IsItem(n):
		n-- // its key
	}
	id := w.code.around(w.t.Start(n).Offset())
	return id == none || l.from < w.code.blocks[id].to
}

// column returns the column of the entry of node n, from 0. It does not read the line, which may be a
// whole file of JSON.
func (p *part) column(n yaml.NodeID) int {
	return p.t.File().Column(p.t.Start(n).Offset(), source.Bytes) - 1
}

// gap returns the gap before node n, or nil.
func (p *part) gap(n yaml.NodeID) *gap {
	if len(p.gaps) == 0 {
		return nil
	}
	i, found := slices.BinarySearchFunc(
		p.gaps, n, func(g gap, n yaml.NodeID) int { return int(g.n) - int(n) },
	)
	if !found {
		return nil
	}
	return &p.gaps[i]
}

// leadLines returns the lines of g that belong to what follows.
func (g *gap) leadLines(p *part) []line { return p.lines[g.feet:g.to] }

// heads reports whether a comment of g belongs to the entry after it.
func (g *gap) heads(p *part) bool {
	return slices.ContainsFunc(g.leadLines(p), func(l line) bool {
		return l.kind == comment && l.owner == ofEntry
	})
}

// between reports whether one of nodes, which are sorted, is at least from and less than to.
func between(nodes []yaml.NodeID, from, to yaml.NodeID) bool {
	i, _ := slices.BinarySearch(nodes, from)
	return i < len(nodes) && nodes[i] < to
}
