package yaml

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text returns the text of scalar n with quotes, escapes, folding and indentation decoded. It
// usually shares memory with the source: do not change it.
func (t *Tree) Text(n NodeID) []byte {
	if nd := &t.nodes[n]; nd.flags&cooked == 0 {
		return t.raw(nd)
	}
	return t.AppendText(nil, n)
}

// AppendText adds the text of scalar n to dst.
func (t *Tree) AppendText(dst []byte, n NodeID) []byte {
	nd := &t.nodes[n]
	if nd.flags&cooked == 0 {
		return append(dst, t.raw(nd)...)
	}
	dst = slices.Grow(dst, int(nd.end-nd.off)) // the decoded text is rarely longer
	switch nd.style {
	case Plain:
		return appendFolded(dst, t.text[nd.off:nd.end], 0)
	case SingleQuoted, DoubleQuoted:
		return appendFolded(dst, t.text[nd.off+1:nd.end-1], t.text[nd.off])
	case Literal, Folded:
		return t.appendBlock(dst, nd)
	}
	panic("unreachable: text of a collection")
}

// raw returns the text of a scalar that needs no decoding. In a tree with errors, the second quote may
// be missing.
func (t *Tree) raw(nd *node) []byte {
	if nd.style == Plain {
		return t.text[nd.off:nd.end]
	}
	return t.text[nd.off+1 : max(nd.off+1, nd.end-1)]
}

// appendFolded decodes the text between the quotes of a flow scalar (quote 0 is a plain one). A
// line break and the blanks around it become a space; n empty lines become n line breaks.
func appendFolded(dst, s []byte, quote byte) []byte {
	keep := len(dst) // blanks before this offset belong to the text: they are escaped, or inside a line
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\'' && quote == '\'':
			dst = append(dst, '\'')
			i += 2
			keep = len(dst)
		case c == '\\' && quote == '"':
			if s[i+1] == '\n' || s[i+1] == '\r' {
				// An escaped line break joins two lines without a space; blanks before the
				// backslash stay.
				dst, i = appendBreaks(dst, s, i+1, false)
			} else {
				dst, i = appendEscape(dst, s, i)
			}
			keep = len(dst)
		case c == '\n' || c == '\r':
			for len(dst) > keep && classes[dst[len(dst)-1]]&blank != 0 {
				dst = dst[:len(dst)-1]
			}
			dst, i = appendBreaks(dst, s, i, true)
			keep = len(dst)
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// appendBreaks folds the line break at i and the empty lines after it, and moves to the text of the
// next line.
func appendBreaks(dst, s []byte, i int, space bool) ([]byte, int) {
	breaks := 0
	for i < len(s) && classes[s[i]]&(blank|lineEnd) != 0 {
		if s[i] == '\n' {
			breaks++
		}
		i++
	}
	if breaks == 1 && space {
		return append(dst, ' '), i
	}
	for range breaks - 1 {
		dst = append(dst, '\n')
	}
	return dst, i
}

// appendEscape decodes the escape sequence at i, which the parser has checked.
func appendEscape(dst, s []byte, i int) ([]byte, int) {
	const (
		from = "0abt\tnvfre \"/\\'"
		to   = "\x00\a\b\t\t\n\v\f\r\x1b \"/\\'"
	)
	c := s[i+1]
	digits := 0
	switch c {
	case 'N':
		return append(dst, "\u0085"...), i + 2
	case '_':
		return append(dst, "\u00a0"...), i + 2
	case 'L':
		return append(dst, "\u2028"...), i + 2
	case 'P':
		return append(dst, "\u2029"...), i + 2
	case 'x':
		digits = 2
	case 'u':
		if r := pairedRune(s, i); r >= 0 {
			return utf8.AppendRune(dst, r), i + 12
		}
		digits = 4
	case 'U':
		digits = 8
	default:
		return append(dst, to[strings.IndexByte(from, c)]), i + 2
	}
	r := rune(0)
	for _, h := range s[i+2 : i+2+digits] {
		r = r<<4 | rune(hexValue(h))
	}
	return utf8.AppendRune(dst, r), i + 2 + digits
}

// appendBlock decodes a block scalar.
//
// In a folded scalar, a line break between two lines becomes a space, unless one of them begins with
// a blank: such lines, and the breaks around them, are kept. Empty lines count as breaks, in place of
// the space.
func (t *Tree) appendBlock(dst []byte, nd *node) []byte {
	h := header(t.text, int(nd.off))
	body := t.text[h.end:nd.end]
	if i := bytes.IndexByte(body, '\n'); i >= 0 {
		body = body[i+1:]
	} else {
		return dst
	}
	indent := int(t.props[nd.ref].indent)
	if h.indent == 0 {
		indent = firstIndent(body)
	}
	var (
		breaks   = 0     // breaks after the last line, not written yet
		more     = false // the last line begins with a blank
		anything = false
	)
	for len(body) > 0 {
		line, rest, hasBreak := bytes.Cut(body, []byte{'\n'})
		// Strictly, the end of the text ends a line; ytt requires a line break.
		hasBreak = hasBreak || t.grammar == YAML12
		body = rest
		line = bytes.TrimSuffix(line, []byte{'\r'})
		// An empty line, or unreadable text in a tree of ParseTolerant.
		if len(line) <= indent {
			if hasBreak {
				breaks++
			}
			continue
		}
		text := line[indent:]
		blankFirst := classes[text[0]]&blank != 0
		switch {
		case nd.style == Folded && anything && !more && !blankFirst:
			if breaks == 1 {
				dst = append(dst, ' ')
				breaks = 0
			} else {
				breaks--
			}
		}
		for ; breaks > 0; breaks-- {
			dst = append(dst, '\n')
		}
		dst = append(dst, text...)
		anything, more = true, blankFirst
		if hasBreak {
			breaks = 1
		}
	}
	switch {
	case h.chomp == '+':
		for ; breaks > 0; breaks-- {
			dst = append(dst, '\n')
		}
	case h.chomp == 0 && anything && breaks > 0:
		dst = append(dst, '\n')
	}
	return dst
}

// firstIndent returns the indentation of the first line of body with text, or a huge number if all
// lines are blank.
func firstIndent(body []byte) int {
	for len(body) > 0 {
		line, rest, _ := bytes.Cut(body, []byte{'\n'})
		body = rest
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if n := countSpaces(line, len(line)); n < len(line) {
			return n
		}
	}
	return math.MaxInt
}

func countSpaces(line []byte, limit int) int {
	n := 0
	for n < len(line) && n < limit && line[n] == ' ' {
		n++
	}
	return n
}

// Tag returns the tag of n in its long form ("tag:yaml.org,2002:int" for !!int), or "" if it has
// none. The non-specific tag is "!".
func (t *Tree) Tag(n NodeID) string {
	if !t.HasTag(n) {
		return ""
	}
	pr := &t.props[t.nodes[n].ref]
	s := string(t.text[pr.tag:pr.tagEnd])
	if strings.HasPrefix(s, "!<") {
		return s[2 : len(s)-1]
	}
	handle, name := "!", s[1:]
	if i := strings.IndexByte(name, '!'); i >= 0 {
		handle, name = s[:i+2], name[i+1:]
	}
	if name == "" {
		return "!"
	}
	prefix, ok := t.tagPrefix(n, handle)
	switch {
	case ok:
	case handle == "!!":
		prefix = "tag:yaml.org,2002:"
	default:
		prefix = handle
	}
	return prefix + unescapeURI(name)
}

// tagPrefix returns the prefix that a %TAG directive of n's document defines for handle.
func (t *Tree) tagPrefix(n NodeID, handle string) (string, bool) {
	i, found := slices.BinarySearchFunc(
		t.directives,
		n,
		func(d directives, n NodeID) int { return cmp.Compare(d.doc, n) },
	)
	if !found {
		i-- // the last directives that begin before n
	}
	if i < 0 {
		return "", false
	}
	if end := t.nodes[t.directives[i].doc].next; end != 0 &&
		n >= end { // a document has no end while it is being parsed
		return "", false
	}
	prefix, ok := t.directives[i].handles[handle]
	return prefix, ok
}

func unescapeURI(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			b.WriteByte(hexValue(s[i+1])<<4 | hexValue(s[i+2]))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Raw returns scalar n as it is written, with its quotes.
func (t *Tree) Raw(n NodeID) []byte { return t.text[t.nodes[n].off:t.nodes[n].end] }

// IsString reports whether node n is the string s. In nearly all cases it only compares bytes of the
// source.
func (t *Tree) IsString(n NodeID, s string) bool {
	nd := &t.nodes[n]
	switch {
	case nd.kind != Scalar:
		return false
	case nd.flags&cooked == 0 && nd.ref == 0:
		text := t.raw(nd)
		return string(text) == s && (nd.style != Plain || t.schema.Resolve(text).Kind == String)
	}
	c := Composer{Tree: t}
	v, text := c.Scalar(n)
	return v.Kind == String && string(text) == s
}

// Uncooked returns the text of scalar n as it is in the file if it needs no decoding, or nil.
func (t *Tree) Uncooked(n NodeID) []byte {
	nd := &t.nodes[n]
	if nd.flags&cooked != 0 || nd.ref != 0 && t.HasTag(n) {
		return nil
	}
	return t.raw(nd)
}

// Offsets returns a function that maps byte i of the text of scalar n to its offset in the file. It
// is exact for text that needs no decoding and for literal block scalars; for text with folded
// lines or escapes, only the beginning is known.
func (t *Tree) Offsets(n NodeID) func(i int) int {
	nd := &t.nodes[n]
	if nd.flags&cooked == 0 {
		start := int(nd.off)
		if nd.style != Plain {
			start++
		}
		return func(i int) int { return start + i }
	}
	if nd.style != Literal {
		return func(int) int { return int(nd.off) }
	}
	body := int(t.bodyStart(uint32(header(t.text, int(nd.off)).end)))
	indent := int(t.props[nd.ref].indent)
	if indent == 0 {
		indent = firstIndent(t.text[body:nd.end])
	}
	var starts []int // of each line of the text, in the text and in the file
	var at []int
	for textAt, off := 0, body; off < int(nd.end); {
		line, _, _ := bytes.Cut(t.text[off:nd.end], []byte{'\n'})
		strip := countSpaces(line, indent)
		starts, at = append(starts, textAt), append(at, off+strip)
		textAt += len(bytes.TrimSuffix(line[strip:], []byte{'\r'})) + 1
		off += len(line) + 1
	}
	return func(i int) int {
		k, found := slices.BinarySearch(starts, i)
		if !found {
			k--
		}
		if k < 0 {
			return int(nd.off)
		}
		return min(at[k]+i-starts[k], int(nd.end))
	}
}
