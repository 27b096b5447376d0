package yaml

// flowAsBlock parses the flow collection at pos where a block node is expected. If a `:` follows, the
// collection is the first key of a block mapping, whose node is inserted before it. outer are the
// properties on earlier lines, inner those on the line of the collection. The outer ones belong to the
// mapping, if there is one, and otherwise to the collection.
func (p *parser) flowAsBlock(start, n int, outer, inner propsAt, first, firstTab int, where place) {
	id := NodeID(len(p.nodes))
	open, line := p.pos, p.ls
	p.flowCollection(start, n, inner)
	if i := p.skipBlanks(p.pos); p.at(i) == ':' && p.spaced(i+1) && p.ls == line {
		p.pos = i
		p.needKeyPlace(where, firstTab, open)
		p.needFlowKeyShort(open)
		p.enter(open)
		p.insertMapping(
			id,
			node{kind: Mapping, style: Block, start: uint32(start), off: uint32(first)},
		)
		p.lateProps(id, outer)
		p.nodes[id+1].start = uint32(first)
		p.itemAt(id + 1)
		p.valueAt(first-line, afterKey)
		p.mapping(id, first-line)
		return
	}
	p.lateProps(id, p.join(outer, inner))
	p.gap()
	p.endNode()
}

// lateProps sets the properties of node id after its children were parsed. An anchor of the same
// name among the children comes later in the text, so it wins.
func (p *parser) lateProps(id NodeID, pr propsAt) {
	if pr.empty() {
		return
	}
	name := string(p.src[pr.anchor:pr.anchorEnd])
	old, known := p.anchors[name]
	p.nodes[id].ref = p.addProps(pr, id)
	if known && p.anchored[old] > id {
		p.anchors[name] = old
	}
}

// flowKey parses a flow collection that must be a key of a block mapping.
func (p *parser) flowKey(first, col int, pr propsAt) {
	open, line := p.pos, p.ls
	id := NodeID(len(p.nodes))
	p.flowCollection(first, col, pr)
	p.itemAt(id)
	i := p.skipBlanks(p.pos)
	if p.at(i) != ':' || !p.spaced(i+1) || p.ls != line {
		p.failFlowKey(open)
	}
	p.pos = i
	p.needFlowKeyShort(open)
}

func (p *parser) needFlowKeyShort(open int) {
	if p.pos-open > maxKey {
		p.failLongKey(open)
	}
}

// flowCollection parses the collection whose opening bracket is at pos. n is the indentation of the
// block around it.
func (p *parser) flowCollection(start, n int, pr propsAt) {
	open := p.pos
	p.enter(open)
	kind, closing := Sequence, byte(']')
	if p.src[open] == '{' {
		kind, closing = Mapping, '}'
	}
	id := p.push(node{kind: kind, style: Flow, start: uint32(start), off: uint32(open)}, pr)
	p.pos++
	p.last = p.pos
	for {
		p.flowGap(n, open)
		c := p.src[p.pos]
		if c == closing {
			break
		}
		switch {
		case c == ',':
			p.failNoEntry()
		case c == ']' || c == '}':
			p.failFlow(open)
		case kind == Mapping:
			p.flowPair(p.pos, n, open, id)
		default:
			entry := NodeID(len(p.nodes))
			p.flowItem(n, open)
			p.itemAt(entry)
		}
		p.flowGap(n, open)
		if p.src[p.pos] == ',' {
			p.pos++
			p.last = p.pos
			continue
		}
		if p.src[p.pos] != closing {
			p.failFlow(open)
		}
		break
	}
	p.pos++
	p.last = p.pos
	p.close(id)
	p.depth--
}

// flowGap moves to the next content inside the flow collection that began at open.
func (p *parser) flowGap(n, open int) {
	p.gap()
	if p.col < 0 {
		p.failUnclosed(open)
	}
	if p.broke && !p.lenient && p.col <= n {
		p.failFlowIndent(open, n)
	}
}

// flowPair parses one entry of a flow mapping: `key: value`, `key`, `? key : value`, `: value`.
func (p *parser) flowPair(start, n, open int, m NodeID) {
	id := len(p.nodes)
	mark := false
	if p.src[p.pos] == '?' && p.is(p.pos+1, white|flowMark) {
		mark = true
		p.pos++
		p.last = p.pos
		p.flowGap(n, open)
	}
	json := false
	if p.flowEnd() || p.atFlowColon(false) {
		p.empty(start, propsAt{})
	} else {
		json = p.flowNode(start, n, open)
	}
	p.itemAt(NodeID(id))
	if mark {
		p.nodes[id].flags |= explicit
	}
	p.noteMerge(m, NodeID(id))
	p.flowGap(n, open)
	if !p.atFlowColon(json) {
		p.empty(p.last, propsAt{})
		return
	}
	if p.broke && p.col <= n {
		p.failFlowIndent(open, n)
	}
	p.flowValue(n, open)
}

// flowEnd reports whether an entry ends at pos.
func (p *parser) flowEnd() bool {
	c := p.src[p.pos]
	return c == ',' || c == ']' || c == '}'
}

// atFlowColon reports whether pos is at the `:` of a pair. After a key in quotes or brackets, as in
// JSON, it needs no space after it.
func (p *parser) atFlowColon(json bool) bool {
	return p.at(p.pos) == ':' && (json || p.is(p.pos+1, white|flowMark))
}

// flowValue parses the value after the `:` at pos.
func (p *parser) flowValue(n, open int) {
	colon := p.pos
	p.pos++
	p.last = p.pos
	p.flowGap(n, open)
	if p.flowEnd() {
		p.empty(colon, propsAt{})
		return
	}
	p.flowNode(colon, n, open)
}

// flowItem parses one entry of a flow sequence: a node, or a mapping of one pair without braces.
func (p *parser) flowItem(n, open int) {
	start, line := p.pos, p.ls
	id := NodeID(len(p.nodes))
	if p.src[start] == '?' && p.is(start+1, white|flowMark) || p.atFlowColon(false) {
		p.enter(start)
		p.push(
			node{kind: Mapping, style: Flow, start: uint32(start), off: uint32(start)},
			propsAt{},
		)
		p.flowPair(start, n, open, id)
		p.close(id)
		p.depth--
		return
	}
	json := p.flowNode(start, n, open)
	i := p.skipBlanks(p.pos)
	if p.at(i) != ':' || !json && !p.is(i+1, white|flowMark) {
		return
	}
	p.pos = i
	if p.ls != line || i-start > maxKey {
		p.failFlowKeyLines(open, start)
	}
	p.enter(start)
	p.insertMapping(id, node{kind: Mapping, style: Flow, start: uint32(start), off: uint32(start)})
	p.itemAt(id + 1)
	p.noteMerge(id, id+1)
	p.flowValue(n, open)
	p.close(id)
	p.depth--
}

// flowNode parses a node inside a flow collection. It reports whether the node is written as in
// JSON: quoted or in brackets.
func (p *parser) flowNode(start, n, open int) (json bool) {
	var pr propsAt
	for c := p.src[p.pos]; c == '&' || c == '!'; c = p.src[p.pos] {
		p.property(&pr, true)
		p.flowGap(n, open)
	}
	switch p.src[p.pos] {
	case '[', '{':
		p.flowCollection(start, n, pr)
		return true
	case '"', '\'':
		nd := p.quoted(n)
		nd.start = uint32(start)
		p.push(nd, pr)
		return true
	case '*':
		nd := p.alias()
		nd.start = uint32(start)
		if !pr.empty() {
			p.failAliasProps(pr, nd)
		}
		p.pushAlias(nd)
		return false
	}
	if !pr.empty() && (p.flowEnd() || p.atFlowColon(false)) {
		p.empty(start, pr)
		return false
	}
	nd := p.flowPlain(n)
	nd.start = uint32(start)
	p.push(nd, pr)
	return false
}
