package yaml

import "bytes"

// needPlainStart rejects characters that cannot begin a plain scalar.
func (p *parser) needPlainStart(i int, flow bool) {
	c := p.at(i)
	if classes[c]&(indicator|white) == 0 {
		return
	}
	if (c == '-' || c == '?' || c == ':') && !p.spaced(i+1) && !(flow && p.is(i+1, flowMark)) {
		return
	}
	if c == '-' && flow && p.lenient && !p.is(i+1, blank) {
		return
	}
	p.failPlainStart(i, flow)
}

// plainLine scans a plain scalar from i to its end on this line. It returns the offset after its
// last character, and the offset where the scan stopped: at the `:` of a key, the `#` of a comment,
// the end of the line or the end of the text.
func (p *parser) plainLine(i int) (end, stop int) {
	src := p.src
	for {
		for i < len(src) && classes[src[i]]&plainStop == 0 {
			i++
		}
		if i == len(src) {
			return i, i
		}
		switch src[i] {
		case ' ', '\t':
			end = i
			for i < len(src) && classes[src[i]]&blank != 0 {
				i++
			}
			if i == len(src) || classes[src[i]]&lineEnd != 0 || src[i] == '#' ||
				src[i] == ':' && (p.is(i+1, white) || p.oddBreaks(i+1) > 0) {
				return end, i
			}
			i++
		case ':':
			if p.is(i+1, white) || p.oddBreaks(i+1) > 0 {
				return i, i
			}
			i++
		case '\n', '\r':
			return i, i
		default: // a `#` inside a word, or a bracket
			i++
		}
	}
}

// plainRest extends a plain scalar in block context by the lines that continue it; pos is at the
// end of its first line.
func (p *parser) plainRest(nd *node, n int) {
	for {
		line, i, ok := p.nextLine(p.pos, n)
		if !ok {
			return
		}
		if p.src[i] == '#' {
			return
		}
		if p.src[i] == ':' && p.spaced(i+1) {
			p.failNested(i, int(nd.off))
		}
		if n := p.oddBreaks(i); n > 0 {
			p.ls, p.pos = line, i+n
			continue
		}
		end, stop := p.plainLine(i)
		p.work += stop - i
		if p.at(stop) == ':' {
			p.failDeepKey(nd, i, stop)
		}
		end = p.beforeOdd(i, end)
		p.ls, p.pos, p.last = line, stop, end
		nd.end = uint32(end)
		nd.flags |= cooked
		if p.at(stop) == '#' {
			return
		}
	}
}

// nextLine finds the next line with text after pos, which is at the end of a line, and returns the
// offsets of the line and of its text. It returns false if that line does not belong to a scalar
// inside a parent at indentation n. The parser does not move.
func (p *parser) nextLine(pos, n int) (line, text int, ok bool) {
	src := p.src
	i := pos
	for {
		for i < len(src) && src[i] != '\n' { // the rest of a comment, or a carriage return
			i++
		}
		if i == len(src) {
			return 0, 0, false
		}
		i++
		line = i
		for i < len(src) && src[i] == ' ' {
			i++
		}
		spaces := i - line
		for i < len(src) && classes[src[i]]&blank != 0 {
			i++
		}
		if i == len(src) {
			p.work += i - pos
			return 0, 0, false
		}
		if classes[src[i]]&lineEnd != 0 {
			continue
		}
		p.work += i - pos
		return line, i, spaces > n && !(i == line && p.atMarker(i))
	}
}

func (p *parser) lineStart(i int) int { return bytes.LastIndexByte(p.src[:i], '\n') + 1 }

// flowPlain scans the plain scalar at pos inside a flow collection, across lines.
func (p *parser) flowPlain(n int) node {
	start := p.pos
	p.needPlainStart(start, true)
	nd := node{kind: Scalar, style: Plain, off: uint32(start)}
	i := start
	for {
		end, stop := p.flowPlainLine(i)
		p.work += stop - i
		nd.end = uint32(end)
		p.pos, p.last = stop, end
		if !p.is(stop, lineEnd) {
			break
		}
		if p.lenient {
			n = -1
		}
		line, next, ok := p.nextLine(stop, n)
		// The gap that follows reports what is wrong with a line that does not belong here.
		if !ok || p.src[next] == '#' || p.is(next, flowMark) ||
			p.src[next] == ':' && p.is(next+1, white|flowMark) {
			break
		}
		nd.flags |= cooked
		p.ls = line
		i = next
	}
	return nd
}

// flowPlainLine is plainLine inside a flow collection, where `,[]{}` end a plain scalar too.
func (p *parser) flowPlainLine(i int) (end, stop int) {
	start := i
	for end = i; ; i++ {
		c := p.at(i)
		switch {
		case classes[c]&plainStop == 0:
			end = i + 1
		case classes[c]&lineEnd != 0:
			return p.beforeOdd(start, end), i
		case classes[c]&(flowMark|endMark) != 0:
			return end, i
		case c == ':' && p.is(i+1, white|flowMark):
			return end, i
		case c == '#' && i > end:
			return end, i
		case classes[c]&blank == 0:
			end = i + 1
		}
	}
}

// quoted scans the quoted scalar at pos, across lines.
func (p *parser) quoted(n int) node {
	src, start := p.src, p.pos
	quote := src[start]
	nd := node{kind: Scalar, style: DoubleQuoted, start: uint32(start), off: uint32(start)}
	if quote == '\'' {
		nd.style = SingleQuoted
	}
	i := start + 1
	for {
		if i >= len(src) {
			p.failOpenQuote(start, len(src), "the file ends here")
		}
		switch c := src[i]; {
		case c == quote:
			if quote == '\'' && p.at(i+1) == '\'' {
				nd.flags |= cooked
				i += 2
				continue
			}
			nd.end = uint32(i + 1)
			p.work += i - start
			p.pos, p.last = i+1, i+1
			return nd
		case c == '\\' && quote == '"':
			nd.flags |= cooked
			i = p.escape(i, start)
		case c == '\n':
			nd.flags |= cooked
			i = p.quotedLine(i+1, start, n)
		default:
			i++
		}
	}
}

// quotedLine begins a new line, at i, of the scalar that was opened at start.
func (p *parser) quotedLine(i, start, n int) int {
	p.ls = i
	if p.atMarker(i) {
		p.failOpenQuote(start, i, "the document ends here")
	}
	line := i
	for p.at(i) == ' ' {
		i++
	}
	spaces := i - line
	i = p.skipBlanks(i)
	if spaces <= n && !p.lenient && !p.is(i, lineEnd|endMark) {
		p.failQuotedIndent(i, start, n)
	}
	return i
}

// escape checks the escape sequence at i and returns its end. An escaped line break counts as the
// backslash alone.
func (p *parser) escape(i, start int) int {
	c := p.at(i + 1)
	digits := 0
	switch c {
	case '0', 'a', 'b', 't', '\t', 'n', 'v', 'f', 'r', 'e', ' ', '"', '/', '\\', 'N', '_', 'L', 'P':
		return i + 2
	case '\n', '\r':
		return i + 1
	case '\'':
		if p.lenient {
			return i + 2
		}
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case 0:
		p.failOpenQuote(start, len(p.src), "the file ends here")
	}
	if digits == 0 {
		p.failEscape(i, start)
	}
	code := uint32(0)
	for k := range digits {
		h := p.at(i + 2 + k)
		if !isHex(h) {
			p.failEscapeDigits(i, digits, k, start)
		}
		code = code<<4 | uint32(hexValue(h))
	}
	end := i + 2 + digits
	switch {
	case c == 'u' && pairedRune(p.src, i) >= 0:
		return end + 6
	case code > 0x10ffff || code >= 0xd800 && code < 0xe000:
		p.failEscapeValue(i, end, code)
	}
	return end
}

// pairedRune returns the character of the two escape sequences at i that form a surrogate pair, as
// in JSON, or -1 if there is no pair.
func pairedRune(src []byte, i int) rune {
	high := fourDigits(src, i)
	if high < 0xd800 || high > 0xdbff {
		return -1
	}
	low := fourDigits(src, i+6)
	if low < 0xdc00 || low > 0xdfff {
		return -1
	}
	return (high-0xd800)<<10 + (low - 0xdc00) + 0x10000
}

// fourDigits returns the number of the escape sequence \uXXXX at i, or -1 if there is none.
func fourDigits(src []byte, i int) rune {
	if i+6 > len(src) || src[i] != '\\' || src[i+1] != 'u' {
		return -1
	}
	code := rune(0)
	for _, h := range src[i+2 : i+6] {
		if !isHex(h) {
			return -1
		}
		code = code<<4 | rune(hexValue(h))
	}
	return code
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}

// blockHeader is what follows the `|` or `>` of a block scalar.
type blockHeader struct {
	indent int  // the indentation indicator, 0 for none
	chomp  byte // '-' strip, '+' keep, 0 clip
	end    int  // after the indicators
}

// header reads a block scalar's header at i. It is read again whenever the text of the scalar is
// requested, so it must not fail.
func header(src []byte, i int) (h blockHeader) {
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c >= '1' && c <= '9' && h.indent == 0:
			h.indent = int(c - '0')
			continue
		case (c == '-' || c == '+') && h.chomp == 0:
			h.chomp = c
			continue
		}
		break
	}
	h.end = i
	return h
}

// blockScalar parses the `|` or `>` scalar at pos and moves to the content after it.
func (p *parser) blockScalar(start, n int, pr propsAt) {
	mark := p.pos
	h := header(p.src, mark)
	i := p.skipBlanks(h.end)
	switch c := p.at(i); {
	case c == '#':
		if i == h.end && !p.lenient {
			p.failComment(i)
		}
		i = p.comment(i, true)
	case !p.is(i, lineEnd|endMark):
		p.failHeader(mark, i, h)
	}
	i = p.afterLine(i)
	nd := node{kind: Scalar, style: Literal, start: uint32(start), off: uint32(mark), flags: cooked}
	if p.src[mark] == '>' {
		nd.style = Folded
	}
	indent := 0
	if h.indent > 0 {
		indent = max(n, 0) + h.indent
		pr.indent = uint32(indent)
	} else {
		indent = p.blockIndent(i, n)
	}
	i = p.blockEnd(i, indent, mark)
	p.work += i - mark
	nd.end = uint32(max(i, h.end))
	p.push(nd, pr)
	p.pos, p.ls, p.last = i, i, i
	if i == len(p.src) && i > 0 && p.src[i-1] != '\n' {
		p.ls = p.lineStart(i)
	}
	p.gap()
}

// afterLine returns the beginning of the line after i, which is at a line's end.
func (p *parser) afterLine(i int) int {
	if p.at(i) == '\r' {
		i++
	}
	return min(i+1, len(p.src))
}

// blockIndent returns the indentation of a block scalar whose lines begin at i: that of its first
// line with text. It returns -1 if there is none, or if that line is not deeper than n.
func (p *parser) blockIndent(i, n int) int {
	deepest, where := 0, 0 // the deepest of the blank lines before the text
	for i < len(p.src) {
		line := i
		for p.at(i) == ' ' {
			i++
		}
		spaces := i - line
		if p.is(i, lineEnd) {
			if spaces > deepest {
				deepest, where = spaces, line
			}
			i = p.afterLine(i)
			continue
		}
		if i == len(p.src) {
			break
		}
		if spaces <= n || i == line && p.atMarker(i) {
			return -1
		}
		if deepest > spaces {
			if p.lenient && p.src[i] == '#' {
				// ytt takes the indentation of the deepest blank line, so this line is a comment
				return -1
			}
			p.failBlankLine(where, deepest, i, spaces, n)
		}
		return spaces
	}
	return -1
}

// blockEnd returns the end of the block scalar at mark, whose lines begin at i: the beginning of
// the first line with text that is indented by less than indent. With an indent of -1 it has only
// blank lines.
func (p *parser) blockEnd(i, indent, mark int) int {
	src := p.src
	for i < len(src) {
		line := i
		for i < len(src) && src[i] == ' ' && (indent < 0 || i-line < indent) {
			i++
		}
		if i == len(src) {
			return i
		}
		if i-line < indent || indent < 0 {
			if src[i] == '\t' {
				p.failBlockTab(i, mark, indent)
			}
			if classes[src[i]]&lineEnd == 0 {
				return line
			}
		} else if indent == 0 && p.atMarker(line) {
			return line
		}
		k := bytes.IndexByte(src[i:], '\n')
		if k < 0 {
			return len(src)
		}
		i += k + 1
	}
	return i
}
