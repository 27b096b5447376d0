package keep

import (
	"bytes"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// printer writes documents. Only one goroutine may use it.
type printer struct {
	what  What
	files *Files
	set   *source.Set

	dst   []byte
	start int // where the output of the current file begins in dst

	// The current document.
	step, dash int              // its indentation
	anchors    map[string]entry // anchors that can be referred to, by name
	blockEnd   int              // where the last block scalar ends
	sticky     int              // where a block scalar ends that would include blank lines after it
	bare       int              // depth inside expanded aliases, which have no comments

	src  *source.File // the last file that was looked up
	file *File
}

// has reports whether the given things are kept here.
func (p *printer) has(what What) bool { return p.what&what != 0 && p.bare == 0 }

// copies reports whether text may be copied here.
func (p *printer) copies() bool { return p.what == Everything && p.bare == 0 }

// at returns the entry of a mapping or a sequence, or the document, at pos.
func (p *printer) at(pos source.Pos, in yaml.Kind) entry {
	if !pos.IsValid() {
		return entry{}
	}
	if p.src == nil || p.src.Pos(pos.Offset()) != pos {
		if p.src = p.set.File(pos); p.src == nil {
			return entry{}
		}
		p.file = p.files.of(p.src)
	}
	if p.file == nil {
		return entry{}
	}
	pt := p.file.partAt(pos.Offset())
	if pt == nil {
		return entry{}
	}
	t := pt.t
	for n := t.NodeAt(pos.Offset()); t.More(n) && t.Start(n) == pos; n++ {
		switch isDoc := t.Kind(n) == yaml.Document; {
		case in == yaml.Document && isDoc,
			in != yaml.Document && !isDoc && t.IsItem(n) && t.Kind(pt.parent[n]) == in:
			return entry{pt, n}
		}
	}
	return entry{}
}

// collection is a map, an array or a stream of documents that is being written.
type collection struct {
	kind   yaml.Kind // of the collection; Document for a stream
	col    int
	main   entry // the collection in its file, if known
	scope  int32 // the function that produced it
	moved  bool  // it was written elsewhere, so blank lines above it stay there
	joined bool  // the current entry is printed below the comments of another

	prev    entry
	cursors []placeCursor
	seen    []yaml.NodeID // entries of main that were written, if comments depend on them
}

// kindOf returns the YAML kind of a value.
func kindOf(v tree.Value) yaml.Kind {
	switch v.Kind() {
	case tree.MapKind:
		return yaml.Mapping
	case tree.ArrayKind:
		return yaml.Sequence
	}
	return yaml.Scalar
}

// mainOf returns the collection of v in its file, and the function that produced it. origin is the
// entry that contains it.
func (p *printer) mainOf(v tree.Value, origin entry, items []tree.Item) (in entry, scope int32) {
	kind := kindOf(v)
	var want, first entry
	scope = none
	if origin.ok() {
		if n := origin.p.t.Target(origin.value()); origin.p.t.Kind(n) == kind {
			want = entry{origin.p, n}
		}
	}
	for i := range items {
		e := p.at(items[i].Pos, kind)
		if !e.ok() {
			continue
		}
		in := entry{e.p, e.p.parent[e.n]}
		if in == want || !first.ok() {
			first, scope = in, e.p.code.scope(e.p.t.Start(e.n).Offset())
		}
		if in == want || !want.ok() {
			break
		}
	}
	return first, scope
}

// block writes the entries of v in column col, each on its own lines. If dash is not none, the
// first entry follows a dash in that column, if nothing belongs between them.
func (p *printer) block(v tree.Value, origin entry, col, dash int) {
	items := v.Entries()
	c := collection{kind: kindOf(v), col: col}
	c.main, c.scope = p.mainOf(v, origin, items)
	c.moved = !origin.ok() || c.main != (entry{origin.p, origin.p.t.Target(origin.value())})
	for i := range items {
		e, bare := p.owner(&c, &items[i])
		p.bare += bare
		afterDash := i == 0 && dash != none
		if afterDash {
			p.dst = append(p.dst, '\n')
		}
		at := len(p.dst)
		e = p.leadOf(&c, e, items[i].Annotations)
		if afterDash && len(p.dst) == at {
			p.dst = appendSpaces(p.dst[:at-1], col-dash-1)
		} else {
			p.dst = appendSpaces(p.dst, col)
		}
		p.entry(&items[i], e, &c)
		p.below(e, col)
		p.bare -= bare
	}
	p.finish(&c)
}

// owner returns the entry whose comments an item gets. It also returns 1 if there is none because the
// item was written elsewhere and merged here.
func (p *printer) owner(c *collection, it *tree.Item) (origin entry, bare int) {
	origin = p.at(it.Pos, c.kind)
	switch {
	case !origin.ok():
		return origin, 0
	case c.main.ok() && origin.p == c.main.p && origin.p.parent[origin.n] != c.main.n &&
		origin.p.t.Merges(c.main.n):
		return entry{}, 1
	case origin == c.prev && c.kind == yaml.Mapping && !p.sameKey(it, origin) &&
		!bytes.Contains(origin.p.t.Raw(origin.n), []byte("(@")):
		return entry{}, 0 // one of several items that template.replace inserted
	}
	return origin, 0
}

// sameKey reports whether a map item has the key of the entry.
func (p *printer) sameKey(it *tree.Item, origin entry) bool {
	if t, n, ok := it.Key.Syntax(); ok && t == origin.p.t && n == origin.n {
		return true
	}
	return origin.p.t.Kind(origin.n) == yaml.Scalar &&
		tree.SameScalar(tree.FromSyntax(origin.p.t, origin.n), it.Key)
}

// entry writes an entry, with the cursor in its column, and ends its last line.
func (p *printer) entry(it *tree.Item, origin entry, c *collection) {
	if p.copies() && origin.ok() && p.isUntouched(it, origin, c.kind) && p.copyEntry(origin, c.col) {
		return
	}
	if c.kind == yaml.Sequence {
		p.dst = append(p.dst, '-')
		p.value(it.Value, origin, c.col, true)
		return
	}
	if p.key(it, origin, c.col) {
		p.dst = append(p.dst, ':')
		p.value(it.Value, origin, c.col, false)
		return
	}
	p.dst = append(appendSpaces(append(p.dst, '\n'), c.col), ':')
	p.value(it.Value, origin, c.col, true)
}

// value writes what follows the colon or the dash of an entry in column col.
func (p *printer) value(v tree.Value, origin entry, col int, dash bool) {
	if origin.ok() && origin.p.t.Kind(origin.value()) == yaml.Alias {
		p.bare++ // the comments are printed with the anchor's value
		defer func() { p.bare-- }()
	}
	note := p.note(origin)
	switch {
	case v.Kind() == tree.ScalarKind || v.Empty():
		p.short(v, note, col)
	case p.copies() && p.brackets(v, origin, note, col):
	case p.copies() && p.inBrackets(v, origin) && p.flowLine(v, note):
	default:
		at := p.childColumn(v, origin, col, dash)
		if dash && len(note) == 0 {
			p.block(v, origin, at, col)
			return
		}
		p.dst = append(append(p.dst, note...), '\n')
		p.block(v, origin, at, none)
	}
}

// childColumn returns the column of the collection in an entry in column col.
func (p *printer) childColumn(v tree.Value, origin entry, col int, dash bool) int {
	if p.copies() && origin.ok() {
		t, n := origin.p.t, origin.value()
		if t.Kind(n) == kindOf(v) && t.Style(n) == yaml.Block {
			if by := origin.p.column(n+1) - origin.column(); by > 0 || by == 0 && !dash {
				return col + by
			}
		}
	}
	switch {
	case dash:
		return col + 2
	case v.Kind() == tree.ArrayKind:
		return col + p.dash
	}
	return col + p.step
}

// note returns the comment after an entry, with the blanks before it.
func (p *printer) note(origin entry) []byte {
	if !origin.ok() || !p.has(Comments) {
		return nil
	}
	s, ok := origin.p.trailing[origin.n]
	if !ok {
		return nil
	}
	from := s.from
	for p.copies() && from > 0 && (origin.p.text[from-1] == ' ' || origin.p.text[from-1] == '\t') {
		from--
	}
	if from < s.from {
		return origin.p.text[from:s.to]
	}
	return append([]byte{' '}, origin.p.text[s.from:s.to]...)
}

const blanks = "                                                                "

func appendSpaces(dst []byte, n int) []byte {
	for ; n > len(blanks); n -= len(blanks) {
		dst = append(dst, blanks...)
	}
	return append(dst, blanks[:max(n, 0)]...)
}
