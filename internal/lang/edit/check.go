package edit

import (
	"bytes"
	"slices"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file parses edited text again, before anything is written, and compares it with the value
// that it should have. So no side effect of an edit goes unnoticed: a comment swallowed by a block
// scalar, blank lines that become part of one, a missing final line break.
//
// Only what an edit can affect is parsed. Each entry of a block collection begins on a line in the
// collection's column, and such a line ends everything that is open above it. So the lines from the
// beginning of one entry to that of another mean the same on their own as in their document, as
// long as there are no aliases and no directives.

// excerpt is a run of lines of the document that is parsed on its own.
type excerpt struct {
	in       yaml.NodeID // the collection that the lines belong to
	from, to int
	indent   int // the column of the dash, for text that begins after one
	edits    []edit
	items    []tree.Item // the expected items
}

// misread parses an edited document again. It returns nil if the result is as expected, and otherwise
// the collections that contain the edits.
func (e *Editor) misread(doc yaml.NodeID, v tree.Value) []yaml.NodeID {
	slices.SortStableFunc(e.edits, compareEdits)
	e.excerpts = e.excerpts[:0]
	from, to := e.region(doc)
	local := e.excerptsOf(e.t.Root(doc), v, from, to, e.edits)
	if local && !e.aliased && e.t.Begin(doc) == e.t.Start(doc) && e.worthwhile(to-from) {
		if e.readAs(e.excerpts, to) {
			return nil
		}
	}
	if e.readsWhole(doc, v, from, to) {
		return nil
	}
	var around []yaml.NodeID
	for i := range e.excerpts {
		if x := &e.excerpts[i]; !slices.Contains(around, x.in) && !e.readAs(e.excerpts[i:i+1], to) {
			around = append(around, x.in)
		}
	}
	if around == nil {
		around = append(around, e.t.Root(doc))
	}
	return around
}

// worthwhile reports whether parsing the excerpts is less work than parsing the whole document.
func (e *Editor) worthwhile(size int) bool {
	const begin, each = 256, 32 // the cost of starting to parse, and of each excerpt, in bytes
	work := begin
	for _, x := range e.excerpts {
		work += x.to - x.from + each
	}
	return work < size
}

// region returns the text of a document with the comments before and after it.
func (e *Editor) region(doc yaml.NodeID) (from, to int) {
	from, to = e.from, e.to
	if doc != e.t.First() {
		from = e.lineStart(e.t.Begin(doc).Offset())
	}
	if next := e.t.Next(doc); e.t.More(next) {
		to = e.lineStart(e.t.Begin(next).Offset())
	}
	return from, to
}

// excerptsOf collects the excerpts to parse for the edits of collection n, whose text ends before
// offset to. It returns false if they cannot be determined: the entries do not have their own lines,
// edits reach beyond them, or the order of entries differs from that of the value.
func (e *Editor) excerptsOf(n yaml.NodeID, v tree.Value, from, to int, edits []edit) bool {
	if !e.inLines(n, v) {
		return false
	}
	children := e.children(n)
	defer e.done(children)
	first, col := e.start(&children[0]), e.column(n)
	s := excerpting{e: e, n: n, begin: e.lineStart(first), hard: noExcerpt, whole: noExcerpt}
	if !e.firstOnLine(first) {
		s.begin, s.indent = first, col
	}
	if s.begin < from || len(edits) > 0 && edits[0].start < s.begin {
		return false
	}
	pairs := entryPairs{e: e, n: n, children: children, items: itemsOf(v)}
	s.before = pairs.before()
	s.across = len(s.before) > 0
	for i := range children {
		end, ok := e.linesEnd(children, i, col, to)
		if !ok || end <= s.begin {
			return false
		}
		mine := countUpTo(edits, end)
		expected, kept := pairs.next(i)
		s.entry(&children[i], end, edits[:mine], expected, kept)
		edits = edits[mine:]
	}
	s.flush(to)
	return pairs.done() && len(edits) == 0
}

// linesEnd returns where the lines of entry i of a collection end. It returns false if the next entry
// does not begin its line in column col. to is the end of the collection.
func (e *Editor) linesEnd(children []child, i, col, to int) (end int, ok bool) {
	if i+1 == len(children) {
		return to, true
	}
	next := e.start(&children[i+1])
	end = e.lineStart(next)
	return end, e.firstOnLine(next) && next-end == col
}

// noExcerpt is an excerpt that has not begun.
var noExcerpt = excerpt{from: -1}

// excerpting collects the excerpts of collection n, entry by entry.
type excerpting struct {
	e      *Editor
	n      yaml.NodeID
	begin  int         // where the lines of the current entry begin
	indent int         // for text that begins after a dash, its column
	before []tree.Item // the new items before the first entry
	hard   excerpt     // entries that have to be parsed completely, if any
	whole  excerpt     // the previous entry, if no edit touches it
	across bool        // one edit affects both the current entry and the previous one
}

// entry handles entry c, whose lines end at end. edits are those that start in them; expected are its
// item, if it is kept, and the new items after it.
func (s *excerpting) entry(c *child, end int, edits []edit, expected []tree.Item, kept bool) {
	e := s.e
	reaches := slices.ContainsFunc(edits, func(x edit) bool { return x.end > end })
	alone := !s.across && !reaches
	same := kept && e.same(c.last, expected[0].Value)
	above := s.whole
	s.whole = noExcerpt
	switch {
	case alone && same && len(expected) == 1 && len(edits) == 0:
		s.flush(s.begin)
		s.whole = excerpt{in: s.n, from: s.begin, indent: s.indent, edits: edits, items: expected}
	case alone && same && e.onlyAfter(c, edits):
		s.flush(s.begin)
		e.excerpts = append(
			e.excerpts,
			excerpt{in: s.n, from: edits[0].start, to: end, edits: edits, items: expected[1:]},
		)
	case alone && kept && len(expected) == 1 && !same && len(edits) > 0 &&
		e.inside(c, expected[0].Value, s.begin, end, edits):
		s.flush(s.begin)
	default:
		s.grow(above, edits, expected, kept)
	}
	s.across, s.begin, s.indent = reaches, end, 0
}

// grow adds the current entry to the excerpt of entries that have to be parsed completely. above is the
// previous entry, if no edit touches it.
func (s *excerpting) grow(above excerpt, edits []edit, expected []tree.Item, kept bool) {
	switch {
	case s.hard.from >= 0:
	case !kept && above.from >= 0: // the remaining comments now follow the entry above
		s.hard = above
		s.hard.items = slices.Clone(above.items)
	default:
		s.hard = excerpt{in: s.n, from: s.begin, indent: s.indent, edits: edits[:0]}
	}
	s.hard.edits = s.hard.edits[:len(s.hard.edits)+len(edits)]
	s.hard.items = append(append(s.hard.items, s.before...), expected...)
	s.before = nil
}

// flush ends the excerpt of entries that have to be parsed completely, if there is one.
func (s *excerpting) flush(to int) {
	if s.hard.from >= 0 {
		s.hard.to = to
		s.e.excerpts = append(s.e.excerpts, s.hard)
		s.hard = noExcerpt
	}
}

// countUpTo returns the number of edits that start before end, or insert at end.
func countUpTo(edits []edit, end int) (n int) {
	for n < len(edits) && (edits[n].start < end || edits[n].start == end && edits[n].end == end) {
		n++
	}
	return n
}

// entryPairs assigns the items of the new value to the entries of a collection, in order.
type entryPairs struct {
	e        *Editor
	n        yaml.NodeID
	children []child
	items    []tree.Item
	k        int // the next item
}

// before returns the items before the first one that matches an entry.
func (p *entryPairs) before() []tree.Item {
	for p.k < len(p.items) && !p.e.anyMatch(p.n, p.children, p.items[p.k]) {
		p.k++
	}
	return p.items[:p.k]
}

// next returns the item of entry i, if it is kept, and the new items between it and the next entry.
func (p *entryPairs) next(i int) (expected []tree.Item, kept bool) {
	first, last := p.k, i+1 == len(p.children)
	if kept = p.k < len(p.items) && p.e.matches(p.n, &p.children[i], p.items[p.k]); kept {
		p.k++
	}
	for p.k < len(p.items) && (last || !p.e.matches(p.n, &p.children[i+1], p.items[p.k])) {
		if !last && p.e.matchesLater(p.n, p.children[i+2:], p.items[p.k]) {
			break
		}
		p.k++
	}
	return p.items[first:p.k], kept
}

// done reports whether all items are assigned.
func (p *entryPairs) done() bool { return p.k == len(p.items) }

// inside collects the excerpts inside the value of a child. If it cannot, it adds none and returns
// false.
func (e *Editor) inside(c *child, v tree.Value, from, to int, edits []edit) bool {
	n := len(e.excerpts)
	if e.t.Kind(c.last) == yaml.Alias || !e.excerptsOf(c.last, v, from, to, edits) {
		e.excerpts = e.excerpts[:n]
		return false
	}
	return true
}

// inLines reports whether n is a block collection and v a collection of the same kind.
func (e *Editor) inLines(n yaml.NodeID, v tree.Value) bool {
	t := e.t
	if t.Style(n) != yaml.Block || t.Merges(n) || t.Next(n) == n+1 || e.forced[n] {
		return false
	}
	switch t.Kind(n) {
	case yaml.Mapping:
		return v.Kind() == tree.MapKind
	case yaml.Sequence:
		return v.Kind() == tree.ArrayKind
	}
	return false
}

// matches reports whether an item of the new value corresponds to the child.
func (e *Editor) matches(n yaml.NodeID, c *child, it tree.Item) bool {
	if e.t.Kind(n) == yaml.Sequence {
		return e.t.Start(c.first) == it.Pos
	}
	t, key, ok := it.Key.Syntax()
	return ok && t == e.t && key == c.first
}

func (e *Editor) anyMatch(n yaml.NodeID, children []child, it tree.Item) bool {
	return e.matches(n, &children[0], it) || e.matchesLater(n, children[1:], it)
}

// matchesLater reports whether an item corresponds to one of the children, which are in the order
// of the text.
func (e *Editor) matchesLater(n yaml.NodeID, children []child, it tree.Item) bool {
	if e.t.Kind(n) == yaml.Sequence {
		_, found := slices.BinarySearchFunc(
			children,
			it.Pos,
			func(c child, pos source.Pos) int { return e.t.Start(c.first).Compare(pos) },
		)
		return found
	}
	t, key, ok := it.Key.Syntax()
	if !ok || t != e.t {
		return false
	}
	_, found := slices.BinarySearchFunc(
		children,
		key,
		func(c child, key yaml.NodeID) int { return int(c.first) - int(key) },
	)
	return found
}

// onlyAfter reports whether all edits insert lines at one offset, after the end of a child.
func (e *Editor) onlyAfter(c *child, edits []edit) bool {
	if len(edits) == 0 {
		return false
	}
	at := edits[0].start
	if at < e.end(c) || at != e.lineStart(at) {
		return false
	}
	return !slices.ContainsFunc(edits, func(x edit) bool { return x.start != at || x.end != at })
}

// readAs reports whether excerpts, with their edits applied, have the expected values. They are
// parsed at once, as documents of one text: a line `---` ends everything that is open above it. end
// is the end of their document.
func (e *Editor) readAs(excerpts []excerpt, end int) bool {
	e.scratch = e.scratch[:0]
	docs := 0
	for i := range excerpts {
		x := &excerpts[i]
		from := len(e.scratch)
		e.scratch = append(e.scratch, "---\n"...)
		text := len(e.scratch)
		e.scratch = e.splice(appendSpaces(e.scratch, x.indent), x.from, x.to, x.edits)
		if len(e.scratch) == text+x.indent { // everything was removed
			if len(x.items) > 0 || x.indent > 0 {
				return false
			}
			e.scratch = e.scratch[:from]
			continue
		}
		last := i+1 == len(excerpts) && x.to == len(e.src)
		if !last && !endsLine(e.scratch) || !beginsEntry(e.scratch[text:], e.column(x.in)) {
			return false
		}
		docs++
	}
	if docs == 0 {
		return true
	}
	t := e.read(e.scratch)
	return t != nil && e.excerptsMatch(t, excerpts, end)
}

// excerptsMatch reports whether the documents of t have the expected values of the excerpts.
func (e *Editor) excerptsMatch(t *yaml.Tree, excerpts []excerpt, end int) bool {
	doc := t.First()
	for i := range excerpts {
		x := &excerpts[i]
		if len(x.items) == 0 {
			continue
		}
		if !t.More(doc) || !t.Explicit(doc) ||
			t.Ended(doc) && (x.to != end || i+1 < len(excerpts)) {
			return false
		}
		root := t.Root(doc)
		if t.Kind(root) != e.t.Kind(x.in) || t.Style(root) != yaml.Block ||
			!hasItems(t, root, x.items) {
			return false
		}
		doc = t.Next(doc)
	}
	return !t.More(doc)
}

// beginsEntry reports whether text begins with content in column col. Such a line ends everything
// that is open above; a comment or a blank line does not, and may become part of a block scalar.
func beginsEntry(text []byte, col int) bool {
	for i := range col {
		if i == len(text) || text[i] != ' ' {
			return false
		}
	}
	return len(text) > col && bytes.IndexByte([]byte(" \t\r\n#"), text[col]) < 0
}

// readsWhole reports whether a document, with the edits applied, has the expected value.
func (e *Editor) readsWhole(doc yaml.NodeID, v tree.Value, from, to int) bool {
	e.scratch = e.splice(e.scratch[:0], from, to, e.edits)
	if to < len(e.src) && len(e.scratch) > 0 && !endsLine(e.scratch) { // something follows
		return false
	}
	t := e.read(e.scratch)
	if t == nil {
		return false
	}
	only := t.First()
	return t.More(only) && !t.More(t.Next(only)) && t.Explicit(only) == e.t.Explicit(doc) &&
		t.Ended(only) == e.t.Ended(doc) &&
		hasValue(t, t.Root(only), v)
}

// endsLine reports whether text ends with a line break.
func endsLine(text []byte) bool {
	last := text[len(text)-1]
	return last == '\n' || last == '\r'
}

// read parses text with the options of the file. It returns nil if that fails.
func (e *Editor) read(text []byte) *yaml.Tree {
	f, err := (&source.Set{}).Add("", text)
	if err != nil {
		return nil
	}
	opt := e.opt
	// The edited text may exceed the limits that the original was within: expanding an alias makes it
	// longer.
	opt.MaxDepth = 2 * max(opt.MaxDepth, yaml.DefaultMaxDepth)
	opt.MaxNodes = 2 * max(opt.MaxNodes, yaml.DefaultMaxNodes)
	t, err := yaml.Parse(f, opt)
	if err != nil || t.Check(false) != nil {
		return nil
	}
	return t
}
