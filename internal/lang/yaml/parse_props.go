package yaml

import (
	"strings"

	"weft/internal/lang/diag"
)

// propsAt holds the properties of a node that is not parsed yet.
type propsAt struct {
	props
	start int // where the first one is
}

func (pr *propsAt) empty() bool {
	return pr.anchor == pr.anchorEnd && pr.tag == pr.tagEnd && pr.indent == 0
}

// addProps stores pr for node id and defines its anchor.
func (p *parser) addProps(pr propsAt, id NodeID) uint32 {
	p.props = append(p.props, pr.props)
	if pr.anchor != pr.anchorEnd {
		if p.anchors == nil {
			p.anchors = map[string]int{}
		}
		p.anchors[string(p.src[pr.anchor:pr.anchorEnd])] = len(p.anchored)
		p.anchored = append(p.anchored, id)
	}
	return uint32(len(p.props) - 1)
}

// join adds the properties of one line to those of earlier lines: `&a`, then `!!map` below it.
func (p *parser) join(outer, inner propsAt) propsAt {
	if outer.empty() {
		return inner
	}
	if inner.empty() {
		return outer
	}
	if inner.anchor != inner.anchorEnd {
		if outer.anchor != outer.anchorEnd {
			p.failTwice(outer, inner, "anchors")
		}
		outer.anchor, outer.anchorEnd = inner.anchor, inner.anchorEnd
	}
	if inner.tag != inner.tagEnd {
		if outer.tag != outer.tagEnd {
			p.failTwice(outer, inner, "tags")
		}
		outer.tag, outer.tagEnd = inner.tag, inner.tagEnd
	}
	return outer
}

// property reads the anchor or tag at pos into pr.
func (p *parser) property(pr *propsAt, flow bool) {
	start := p.pos
	one := propsAt{start: start}
	if pr.empty() {
		pr.start = start
	}
	if p.src[start] == '&' {
		end := p.nameEnd(start + 1)
		if end == start+1 {
			p.failNoName(start)
		}
		one.anchor, one.anchorEnd = uint32(start+1), uint32(end)
		p.pos = end
	} else {
		end := p.tagEnd(start, flow)
		one.tag, one.tagEnd = uint32(start), uint32(end)
		p.pos = end
	}
	first := pr.start
	*pr = p.join(*pr, one)
	pr.start = first
	p.last = p.pos
	if !p.is(p.pos, white) && !(flow && p.is(p.pos, flowMark)) {
		p.failGlued(start)
	}
}

// nameEnd returns the end of the name of an anchor or alias: it may contain anything but white
// space and flow indicators.
func (p *parser) nameEnd(i int) int {
	for !p.is(i, white|flowMark) {
		i++
	}
	return i
}

// tagEnd checks the tag at start and returns its end.
func (p *parser) tagEnd(start int, flow bool) int {
	i := start + 1
	if p.at(i) == '<' {
		i++
		for p.isURI(i) || p.is(i, flowMark) || p.at(i) == '!' {
			i++
		}
		if p.at(i) != '>' {
			p.failTag(start, i, "expected `>` at the end of a tag that begins with `!<`")
		}
		if i == start+2 {
			p.failTag(start, i+1, "the tag is empty")
		}
		return i + 1
	}
	handle := -1 // the end of a handle
	for ; ; i++ {
		c := p.at(i)
		if c == '!' {
			if handle >= 0 {
				p.failTag(start, i+1, "a tag cannot have a third `!`")
			}
			handle = i + 1
			continue
		}
		if c == ',' && p.lenient && !flow {
			continue // `!!str, x`: ytt reads the comma as part of the tag
		}
		if !p.isURI(i) {
			break
		}
		if c == '%' && !(isHex(p.at(i+1)) && isHex(p.at(i+2))) {
			p.failTag(start, i+1, "expected two hexadecimal digits after `%%` in a tag")
		}
	}
	if handle < 0 {
		return i
	}
	h := string(p.src[start:handle])
	if !isHandle(h) {
		p.failTag(
			start,
			handle,
			"%s is not a tag handle, which has letters, digits and `-` between its exclamation marks",
			shown([]byte(h)),
		)
	}
	if i == handle {
		p.failTag(start, i, "expected a name after the tag handle %s", shown([]byte(h)))
	}
	if h != "!!" {
		if p.tags == nil || p.tags.handles[h] == "" {
			p.fail(
				diag.Errorf(p.span(start, handle), CodeTag,
					"the tag handle %s is not declared in this document", shown([]byte(h))).
					WithHint("declare it before the `---` of this document, as in `%%TAG %s "+
						"tag:example.com,2026:`", excerpt(h)),
			)
		}
	}
	return i
}

// isURI reports whether the byte at i may be in a tag. Flow indicators and `!` may be only between
// `<` and `>`.
func (p *parser) isURI(i int) bool {
	c := p.at(i)
	return isTagWord(c) || c != 0 && strings.IndexByte("%#;/?:@&=+$_.!~*'()", c) >= 0 && c != '!'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// alias reads the alias at pos and returns its node without adding it.
func (p *parser) alias() node {
	start := p.pos
	end := p.nameEnd(start + 1)
	i, ok := p.anchors[string(p.src[start+1:end])]
	if !ok && p.src[end-1] == ':' && p.is(end, white) && p.lenient {
		// Strictly, `*a: 1` is an alias of the anchor "a:", but authors mean a key.
		if i, ok = p.anchors[string(p.src[start+1:end-1])]; ok {
			end--
		}
	}
	if end == start+1 {
		p.failNoName(start)
	}
	if !ok {
		p.failUnknownAnchor(start, end)
	}
	target := p.anchored[i]
	if p.nodes[target].next == 0 {
		p.failSelf(start, end, target)
	}
	p.pos, p.last = end, end
	return node{
		kind:  Alias,
		start: uint32(start),
		off:   uint32(start),
		end:   uint32(end),
		ref:   uint32(target),
	}
}

// pushAlias adds a node returned by alias and counts the nodes it refers to.
func (p *parser) pushAlias(n node) {
	id := p.push(n, propsAt{})
	p.expand(id, NodeID(n.ref))
}
