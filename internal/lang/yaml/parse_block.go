package yaml

// place is where a node begins, which decides whether a block collection may begin there.
type place uint8

const (
	ownLine  place = iota // first on its line
	compact               // after `-`, `?` or the `:` of an explicit key: `- - a`, `- a: b`
	afterKey              // after the `:` of a key, or after `---`: no block collection
)

// blockNode parses the node at pos, the value of something at indentation n, and moves to the
// content after it. Its entry begins at start. inMap means that the parent is a mapping, whose
// sequences need no extra indentation.
func (p *parser) blockNode(start, n int, where place, inMap bool) {
	var outer, pr propsAt // properties on earlier lines, and on this line
	first := p.pos        // the first token of this line: where a mapping begins
	firstTab := p.tab
	for {
		c := p.at(p.pos)
		if c != '&' && c != '!' {
			break
		}
		p.property(&pr, false)
		p.gap()
		if p.broke {
			outer, pr = p.join(outer, pr), propsAt{}
			if !p.inside(n, inMap) {
				p.empty(start, outer)
				return
			}
			where, first, firstTab = ownLine, p.pos, p.tab
		}
	}

	c := p.at(p.pos)
	switch c {
	case '-', '?', ':':
		if p.spaced(p.pos + 1) {
			p.needCollectionPlace(where, firstTab, &pr)
			if c == '-' {
				p.blockSequence(start, outer)
				return
			}
			m, col := p.openMapping(start, first, outer), first-p.ls
			if c == ':' && !pr.empty() { // `!!null : a`
				p.itemAt(p.empty(first, pr))
				p.valueAt(col, afterKey)
			} else {
				p.col = col
			}
			p.mapping(m, col)
			return
		}
	case '|', '>':
		p.blockScalar(start, n, p.join(outer, pr))
		p.endNode()
		return
	case '[', '{':
		p.flowAsBlock(start, n, outer, pr, first, firstTab, where)
		return
	}

	key, isKey := p.keyToken(n)
	if isKey {
		p.needKeyPlace(where, firstTab, first)
		m, col := p.openMapping(start, first, outer), first-p.ls
		p.pushKey(key, pr, first)
		// The rest of this entry, then the other entries.
		p.mappingValue(m, col)
		p.mapping(m, col)
		return
	}
	key.start = uint32(start)
	if key.kind == Alias {
		if all := p.join(outer, pr); !all.empty() {
			p.failAliasProps(all, key)
		}
		p.pushAlias(key)
	} else {
		p.push(key, p.join(outer, pr))
	}
	p.gap()
	p.endNode()
}

// inside reports whether the content at pos belongs to a parent at indentation n.
func (p *parser) inside(n int, inMap bool) bool {
	return p.col > n || inMap && p.col == n && p.atDash()
}

func (p *parser) atDash() bool { return p.at(p.pos) == '-' && p.spaced(p.pos+1) }

// empty adds a node without content, after the last token.
func (p *parser) empty(start int, pr propsAt) NodeID {
	off := uint32(max(start, p.last))
	return p.push(node{kind: Scalar, start: uint32(start), off: off, end: off}, pr)
}

// endNode checks that the content after a value begins on a new line.
func (p *parser) endNode() {
	if !p.broke && p.col >= 0 {
		p.failAfterValue()
	}
}

// needCollectionPlace rejects a block collection where none is allowed.
func (p *parser) needCollectionPlace(where place, tab int, pr *propsAt) {
	if tab >= 0 {
		p.tab = tab
		p.failTab()
	}
	if where == afterKey || !pr.empty() && p.src[p.pos] != ':' {
		p.failCollectionPlace(where, pr)
	}
}

// needKeyPlace rejects a block mapping where none is allowed. Its first key was read, and pos is at
// the `:`.
func (p *parser) needKeyPlace(where place, tab, first int) {
	if tab >= 0 {
		p.tab = tab
		p.failTab()
	}
	if where == afterKey {
		p.failNested(p.pos, first)
	}
}

// keyToken reads a scalar or alias that may turn out to be a key. If it is one, pos is at its `:`.
func (p *parser) keyToken(n int) (nd node, isKey bool) {
	start := p.pos
	switch p.at(start) {
	case '"', '\'':
		nd = p.quoted(n)
		oneLine := int(nd.off) >= p.ls
		if i := p.skipBlanks(p.pos); p.at(i) == ':' && p.spaced(i+1) {
			if !oneLine {
				p.failNested(i, start)
			}
			p.pos = i
			p.needShortKey(start)
			return nd, true
		}
		return nd, false
	case '*':
		nd = p.alias()
		if i := p.skipBlanks(p.pos); p.at(i) == ':' && p.spaced(i+1) {
			p.pos = i
			return nd, true
		}
		return nd, false
	}
	p.needPlainStart(start, false)
	end, stop := p.plainLine(start)
	p.work += stop - start
	if p.at(stop) != ':' {
		end = p.beforeOdd(start, end)
	}
	nd = node{
		kind:  Scalar,
		style: Plain,
		start: uint32(start),
		off:   uint32(start),
		end:   uint32(end),
	}
	p.pos, p.last = stop, end
	if p.at(stop) == ':' {
		p.needShortKey(start)
		return nd, true
	}
	if p.at(stop) != '#' {
		p.plainRest(&nd, n)
	}
	return nd, false
}

func (p *parser) needShortKey(start int) {
	if p.pos-start > maxKey && !p.lenient {
		p.failLongKey(start)
	}
}

func (p *parser) skipBlanks(i int) int {
	for p.is(i, blank) {
		i++
	}
	return i
}

// pushKey adds a key returned by keyToken.
func (p *parser) pushKey(key node, pr propsAt, first int) {
	key.start = uint32(first)
	key.flags |= item
	if key.kind == Alias {
		if !pr.empty() {
			p.failAliasProps(pr, key)
		}
		p.pushAlias(key)
		return
	}
	p.push(key, pr)
}

func (p *parser) openMapping(start, off int, pr propsAt) NodeID {
	p.enter(off)
	return p.push(node{kind: Mapping, style: Block, start: uint32(start), off: uint32(off)}, pr)
}

// mapping parses the entries of mapping m from pos on, as long as they begin in column col. The
// caller may already have parsed the first.
func (p *parser) mapping(m NodeID, col int) {
	for p.col == col {
		if p.tab >= 0 { // an entry begins its line, so the tab is in the indentation
			p.failTab()
		}
		first := p.pos
		c := p.src[first]
		if classes[c]&indicator == 0 && p.simpleEntry(m, col) {
			continue
		}
		if c == '?' && p.spaced(first+1) {
			p.explicitEntry(m, col)
			continue
		}
		if c == ':' && p.spaced(first+1) {
			p.last = first
			p.itemAt(p.empty(first, propsAt{}))
			p.mappingValue(m, col)
			continue
		}
		if c == '-' && p.spaced(first+1) {
			p.failItemInMapping(m)
		}
		p.implicitEntry(m, col)
	}
	if p.col > col {
		p.failStray()
	}
	p.close(m)
	p.depth--
}

// itemAt marks node id as one that can own comments.
func (p *parser) itemAt(id NodeID) { p.nodes[id].flags |= item }

// simpleEntry parses an entry whose key is a plain scalar. For other keys it changes nothing and
// returns false.
//
// Most lines of most files are `key: value` with a plain key and a plain value, followed by a line
// that is not indented deeper. This function parses them quickly, one line at a time.
func (p *parser) simpleEntry(m NodeID, col int) bool {
	src, first := p.src, p.pos
	end, stop := p.plainLine(first)
	p.work += stop - first
	if stop == len(src) || src[stop] != ':' || stop-first > maxKey {
		return false
	}
	if len(p.nodes)+2 > cap(p.nodes) {
		p.growNodes()
	}
	p.nodes = append(p.nodes, node{
		start: uint32(first), off: uint32(first), end: uint32(end),
		next: NodeID(len(p.nodes) + 1), kind: Scalar, flags: item,
	})
	p.pos, p.last = stop, end
	if end-first == 2 && src[first] == '<' && src[first+1] == '<' {
		p.nodes[m].flags |= merges
	}
	colon := stop
	v := colon + 2
	if v >= len(src) || src[colon+1] != ' ' || classes[src[v]]&(indicator|white|odd) != 0 {
		p.valueAt(col, afterKey)
		return true
	}
	end, stop = p.plainLine(v)
	p.work += stop - v
	if src[end-1] >= 0x80 {
		end = p.beforeOdd(v, end)
	}
	next := stop + 1
	i := next
	for i < len(src) && src[i] == ' ' {
		i++
	}
	if i >= len(src) || src[stop] != '\n' || i-next > col || classes[src[i]]&(blank|lineEnd|odd) != 0 ||
		src[i] == '#' ||
		i == next && p.atMarker(i) {
		p.valueAt(col, afterKey)
		return true
	}
	p.nodes = append(p.nodes, node{
		start: uint32(colon), off: uint32(v), end: uint32(end),
		next: NodeID(len(p.nodes) + 1), kind: Scalar,
	})
	p.pos, p.ls, p.last = i, next, end
	p.col, p.broke, p.tab = i-next, true, -1
	return true
}

// implicitEntry parses `key: value`.
func (p *parser) implicitEntry(m NodeID, col int) {
	first := p.pos
	var pr propsAt
	for c := p.src[first]; c == '&' || c == '!'; c = p.at(p.pos) {
		p.property(&pr, false)
		p.gap()
		if p.broke {
			p.pos = int(max(pr.anchorEnd, pr.tagEnd))
			p.failNoColon(m, first)
		}
	}
	if c := p.at(p.pos); c == '[' || c == '{' {
		p.flowKey(first, col, pr)
	} else if !pr.empty() && c == ':' && p.spaced(p.pos+1) {
		p.itemAt(p.empty(first, pr))
	} else {
		key, isKey := p.keyToken(col)
		if !isKey {
			p.failNoColon(m, first)
		}
		p.pushKey(key, pr, first)
	}
	p.mappingValue(m, col)
}

// mappingValue parses the value of the key that was added last; pos is at the `:`.
func (p *parser) mappingValue(m NodeID, col int) {
	p.noteMerge(m, NodeID(len(p.nodes)-1))
	p.valueAt(col, afterKey)
}

// noteMerge marks mapping m if key is a merge key.
func (p *parser) noteMerge(m, key NodeID) {
	nd := &p.nodes[key]
	is := nd.isMerge(p.src)
	if nd.ref != 0 {
		t := Tree{
			text:       p.src,
			nodes:      p.nodes,
			props:      p.props,
			directives: p.directives,
		} // as far as the parser can tell
		is = t.IsMerge(key)
	}
	if is {
		p.nodes[m].flags |= merges
	}
}

// valueAt parses the value after the `:` at pos.
func (p *parser) valueAt(col int, where place) {
	colon := p.pos
	p.pos++
	p.last = p.pos
	p.gap()
	switch {
	case p.broke:
		if !p.inside(col, true) {
			p.empty(colon, propsAt{})
			return
		}
		p.blockNode(colon, col, ownLine, true)
	default:
		p.blockNode(colon, col, where, true)
	}
}

// explicitEntry parses `? key` and the `: value` below it.
func (p *parser) explicitEntry(m NodeID, col int) {
	mark := p.pos
	id := NodeID(len(p.nodes))
	p.pos++
	p.last = p.pos
	p.gap()
	switch {
	case !p.broke:
		p.blockNode(mark, col, compact, true)
	case p.inside(col, true):
		p.blockNode(mark, col, ownLine, true)
	default:
		p.empty(mark, propsAt{})
	}
	p.nodes[id].flags |= explicit | item
	p.noteMerge(m, id)
	if p.col == col && p.at(p.pos) == ':' && p.spaced(p.pos+1) {
		if p.tab >= 0 {
			p.failTab()
		}
		p.valueAt(col, compact)
		return
	}
	p.empty(p.last, propsAt{})
}

// blockSequence parses the sequence whose first `-` is at pos.
func (p *parser) blockSequence(start int, pr propsAt) {
	p.enter(p.pos)
	col := p.pos - p.ls
	id := p.push(node{kind: Sequence, style: Block, start: uint32(start), off: uint32(p.pos)}, pr)
	for {
		dash := p.pos
		entry := NodeID(len(p.nodes))
		p.pos++
		p.last = p.pos
		p.gap()
		switch {
		case !p.broke:
			p.blockNode(dash, col, compact, false)
		case p.col > col:
			p.blockNode(dash, col, ownLine, false)
		default:
			p.empty(dash, propsAt{})
		}
		p.itemAt(entry)
		if p.col != col || !p.atDash() {
			break
		}
		if p.tab >= 0 {
			p.failTab()
		}
	}
	if p.col > col {
		p.failStray()
	}
	p.close(id)
	p.depth--
}
