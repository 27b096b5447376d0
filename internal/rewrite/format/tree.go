package format

import (
	"bytes"

	"weft/internal/engine/compile"
	"weft/internal/lang/yaml"
)

// layout determines the columns of the lines of a YAML file.
type layout struct {
	*page
	t        *yaml.Tree
	code     *code
	indented bool // lists below a key are indented

	open []column // the block collections around the last item
	next int      // the first comment without a column
}

// column is the old and the new column of a block collection.
type column struct{ old, now int }

func layoutYAML(a *compile.Analysis, opt Options) []byte {
	l := &layout{page: newPage(a.Tree.Source()), t: a.Tree}
	l.code = readCode(a)
	l.findOff()
	l.indented = opt.Sequences == Indented ||
		opt.Sequences == Majority && mostlyIndented(l.page, l.t)
	for doc := range l.t.Documents() {
		l.document(doc)
	}
	l.comments(len(l.text)+1, 0, 0)
	l.notes()
	return l.bytes()
}

// findOff marks the lines between `#! weft-fmt: off` and `#! weft-fmt: on`.
func (l *layout) findOff() {
	from := unset
	set := func(to int) {
		for i := from; from != unset && i < to; i++ {
			l.rows[i].off = true
		}
	}
	for _, c := range l.t.Comments() {
		if c.Trailing() {
			continue
		}
		at := l.line(l.t.CommentSpan(c).Offset())
		switch onOff(l.t.CommentText(c)) {
		case "off":
			if from == unset {
				from = at
			}
		case "on":
			set(at + 1)
			from = unset
		}
	}
	set(len(l.rows))
}

// onOff returns the formatting directive in a comment, given without its `#`.
func onOff(comment []byte) string {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(comment, []byte("!")), " \t"),
		[]byte("weft-fmt:"))
	if !ok {
		return ""
	}
	return string(bytes.TrimSpace(rest))
}

// mostlyIndented reports whether more lists below a key are indented than not.
func mostlyIndented(p *page, t *yaml.Tree) bool {
	balance := 0
	for n := t.First(); t.More(n); n++ {
		if t.Kind(n) != yaml.Mapping || t.Style(n) != yaml.Block {
			continue
		}
		for key, value := range t.Pairs(n) {
			if t.Kind(value) == yaml.Sequence && t.Style(value) == yaml.Block && value+1 < t.Next(value) {
				dash := t.Start(value + 1).Offset()
				switch {
				case !p.startsLine(dash):
				case p.column(dash) > p.column(t.Start(key).Offset()):
					balance++
				default:
					balance--
				}
			}
		}
	}
	return balance > 0
}

func (l *layout) document(doc yaml.NodeID) {
	root := l.t.Root(doc)
	l.comments(l.t.Begin(doc).Offset(), 0, 0)
	if l.t.Explicit(doc) {
		l.comments(l.t.Start(doc).Offset(), 0, 0)
		l.open = l.open[:0]
	}
	if root >= l.t.Next(doc) {
		return
	}
	if l.isBlock(root) {
		l.collection(root, 0, 0)
		return
	}
	l.rest(root, 0, column{}) // it stays in place: in the first column it could be a document marker
	if text := l.t.Text(root); l.t.Kind(root) == yaml.Scalar && len(bytes.TrimSpace(text)) == 0 {
		l.keepBlank(root)
	}
}

// keepBlank leaves the blank lines of a document that is a block scalar without text as they are: without
// their spaces, the line after them could be its text.
func (l *layout) keepBlank(root yaml.NodeID) {
	span := l.t.Span(root)
	from, to := l.line(span.Offset()), l.line(max(span.End()-1, span.Offset()))
	for i := from + 1; i <= to; i++ {
		r := &l.rows[i]
		r.block, r.body, r.inside = true, l.lead(r), true
	}
}

// isBlock reports whether a node is a block collection.
func (l *layout) isBlock(n yaml.NodeID) bool {
	k := l.t.Kind(n)
	return (k == yaml.Mapping || k == yaml.Sequence) && l.t.Style(n) == yaml.Block
}

// begin sets the column of the line that begins at an offset. It returns how far the line moves.
func (l *layout) begin(off, col int) int {
	r := &l.rows[l.line(off)]
	if r.column == unset {
		r.column = col
	}
	return col - (off - r.start)
}

// collection lays out the items of a block collection in a column. depth is the number of block
// collections around it.
func (l *layout) collection(n yaml.NodeID, col, depth int) {
	mapping := l.t.Kind(n) == yaml.Mapping
	for item := n + 1; item < l.t.Next(n); {
		at := l.t.Start(item).Offset()
		l.comments(at, depth, col)
		old := l.column(at)
		l.open = append(l.open[:depth], column{old, col})
		if l.startsLine(at) {
			l.begin(at, col)
		}
		in := entry{at: at, old: old, now: col, depth: depth}
		if !mapping {
			l.value(item, in)
			item = l.t.Next(item)
			continue
		}
		value := l.t.Next(item)
		if l.text[min(at, len(l.text)-1)] == '?' && l.t.Explicit(item) {
			l.value(item, in)
		}
		in.at, in.key = l.t.Start(value).Offset(), true
		if in.at < len(l.text) && l.text[in.at] == ':' {
			if l.startsLine(in.at) && in.at != at { // a key with `?`
				l.comments(in.at, depth, col)
				l.begin(in.at, col)
			}
			l.value(value, in)
		}
		item = l.t.Next(value)
	}
}

// entry is the place of a value: after its dash, colon or question mark.
type entry struct {
	at       int // offset of the indicator
	old, now int // the column of the collection
	depth    int
	key      bool // it is the value of a key
}

// value lays out what follows an indicator.
func (l *layout) value(n yaml.NodeID, in entry) {
	line := l.line(in.at)
	end := l.rows[line].end
	first := in.at + 1
	for first < end && (l.text[first] == ' ' || l.text[first] == '\t') {
		first++
	}
	if first < end && l.text[first] != '#' && first > in.at+1 && !l.rows[line].off {
		l.space(in.at+1, first, 1)
	}
	if l.isBlock(n) {
		l.inner(n, in, line)
		return
	}
	at := l.t.Span(n).Offset()
	shift := in.now - in.old
	if l.t.Span(n).Len > 0 && l.line(at) > line {
		l.between(line+1, l.line(at), in.now+2)
		moved := l.begin(at, l.inColumn(at, in, in.now+2))
		if s := l.t.Style(n); s != yaml.Literal && s != yaml.Folded {
			shift = moved
		}
	}
	l.rest(n, shift, column{in.old, in.now})
}

// inner lays out a block collection inside another.
func (l *layout) inner(n yaml.NodeID, in entry, line int) {
	at := l.t.Start(n + 1).Offset()
	col := in.now + 2
	later := l.line(at) > line
	if later && in.key && l.t.Kind(n) == yaml.Sequence && !l.indented {
		col = in.now
	}
	if later {
		l.between(line+1, l.line(at), in.now+2)
	}
	l.collection(n, l.inColumn(at, in, col), in.depth+1)
}

// inColumn returns the column for what begins at an offset: col, unless formatting is turned off for it
// and it only moves with its parent.
func (l *layout) inColumn(at int, in entry, col int) int {
	if l.rows[l.line(at)].off {
		return max(l.page.column(at)+in.now-in.old, 0)
	}
	return col
}

// between lays out lines that hold only an anchor or a tag.
func (l *layout) between(from, to, col int) {
	for i := from; i < to; i++ {
		r := &l.rows[i]
		first := r.start
		for first < r.end && (l.text[first] == ' ' || l.text[first] == '\t') {
			first++
		}
		if first < r.end && l.text[first] != '#' {
			r.column = col
		}
	}
}

// rest moves the lines of a scalar or a flow collection after its first one. Lines to the right of the
// enclosing collection stay there.
func (l *layout) rest(n yaml.NodeID, shift int, in column) {
	span := l.t.Span(n)
	if span.Len == 0 {
		return
	}
	style := l.t.Style(n)
	block := l.t.Kind(n) == yaml.Scalar && (style == yaml.Literal || style == yaml.Folded)
	end := span.End()
	if block && !l.t.KeepsBreaks(n) {
		end = max(l.t.ContentEnd(n), span.Offset())
	}
	from, to := l.line(span.Offset()), l.line(max(end-1, span.Offset()))
	body := unset
	for i := from + 1; i <= to; i++ {
		r := &l.rows[i]
		if block && body == unset && len(bytes.Trim(l.text[r.start:r.end], " ")) > 0 {
			body = l.bodyColumn(n, i)
		}
		r.shift = shift
		if l.lead(r) > in.old {
			r.floor = in.now + 1
		}
		r.inside = style != yaml.Flow
		r.exact = block || i < to && style == yaml.DoubleQuoted
	}
	for i := from + 1; block && i <= to; i++ {
		l.rows[i].block, l.rows[i].body = true, max(body, 0)
	}
	l.cut = l.cut || block && l.t.IsCut(n)
	if !block && style == yaml.DoubleQuoted && to > from {
		l.rows[from].exact = true
	}
	if style == yaml.Flow {
		l.skipComments(span.Offset(), end)
	}
}

// bodyColumn returns the column in which the text of a block scalar begins. line is its first line
// that is not blank.
func (l *layout) bodyColumn(n yaml.NodeID, line int) int {
	lead := l.lead(&l.rows[line])
	// With an indicator, leading white space in the first line may be text.
	text := l.t.Text(n)
	for len(text) > 0 && text[0] == '\n' {
		text = text[1:]
	}
	for len(text) > 0 && text[0] == ' ' && lead > 0 {
		text, lead = text[1:], lead-1
	}
	return lead
}

// skipComments leaves the comments in a flow collection in place: its lines move together.
func (l *layout) skipComments(from, to int) {
	list := l.t.Comments()
	for i := l.next; i < len(list); i++ {
		at := l.t.CommentSpan(list[i]).Offset()
		if at >= to {
			return
		}
		if at > from {
			l.code.skip(i)
		}
	}
}
