package yaml

import "iter"

// AppendSource appends the tree as it was read, byte for byte, token by token; what is between two
// tokens (white space, indicators) comes from the source. A printer that changes some tokens and
// keeps everything else can be based on it.
func (t *Tree) AppendSource(dst []byte) []byte {
	src := t.file.Data()
	at := 0
	for start, end := range t.tokens() {
		dst = append(dst, src[at:start]...)
		dst = append(dst, src[start:end]...)
		at = end
	}
	return append(dst, src[at:]...)
}

// tokens yields the directives, comments, anchors, tags, aliases and scalars, in the order of the
// text. The rest is white space, brackets, commas, dashes, colons, question marks and document
// markers.
func (t *Tree) tokens() iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		comment, directive := 0, 0
		// before yields the comments and directives before an offset.
		before := func(off uint32) bool {
			for {
				c, d := comment < len(t.comments) &&
					t.comments[comment].off < off, directive < len(t.directives) &&
					t.directives[directive].off < off
				switch {
				case d && (!c || t.directives[directive].off <= t.comments[comment].off):
					// There may be comments between the lines of a directive.
					dir := t.directives[directive]
					for comment < len(t.comments) && t.comments[comment].off < dir.end {
						comment++
					}
					if !yield(int(dir.off), int(dir.end)) {
						return false
					}
					directive++
				case c:
					if !yield(int(t.comments[comment].off), int(t.comments[comment].end)) {
						return false
					}
					comment++
				default:
					return true
				}
			}
		}
		token := func(start, end uint32) bool {
			return start == end || before(start) && yield(int(start), int(end))
		}
		for i := range t.nodes {
			nd := &t.nodes[i]
			if nd.kind != Alias && nd.ref != 0 {
				p := &t.props[nd.ref]
				first, firstEnd, second, secondEnd := uint32(0), uint32(0), p.tag, p.tagEnd
				if p.anchor != p.anchorEnd {
					first, firstEnd = p.anchor-1, p.anchorEnd // with its `&`
				}
				if first > second {
					first, firstEnd, second, secondEnd = second, secondEnd, first, firstEnd
				}
				if !token(first, firstEnd) || !token(second, secondEnd) {
					return
				}
			}
			if nd.kind < Scalar {
				continue
			}
			if nd.style != Literal && nd.style != Folded || nd.kind == Alias {
				if !token(nd.off, nd.end) {
					return
				}
				continue
			}
			// The header of a block scalar may be followed by a comment, before the text.
			end := uint32(header(t.text, int(nd.off)).end)
			if !token(nd.off, end) || !token(t.bodyStart(end), max(nd.end, t.bodyStart(end))) {
				return
			}
		}
		before(uint32(len(t.text)) + 1)
	}
}

// bodyStart returns the beginning of the line after a block scalar's header, or the end of the
// text.
func (t *Tree) bodyStart(header uint32) uint32 {
	for int(header) < len(t.text) {
		header++
		if t.text[header-1] == '\n' {
			break
		}
	}
	return header
}
