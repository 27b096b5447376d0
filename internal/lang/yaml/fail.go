package yaml

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// The files fail*.go are a separate layer: diagnosis. The parser calls fail where it cannot go on,
// and fail never returns. You can read the parser without them.
//
// Messages use the words of the author of the file: what was found, what was expected, and how to
// fix it, quoting the author's text if it is short. Valid files never get here, so these functions
// may search the text and the nodes as far as they need to.

// fail ends the parse with d.
func (p *parser) fail(d *diag.Diagnostic) {
	p.foreign(d)
	panic(bailout{d})
}

// foreign adapts a diagnostic about lines that were not written as YAML: someone who reads about a
// missing comma in a conflict marker or a Helm template would fix the wrong thing.
func (p *parser) foreign(d *diag.Diagnostic) {
	switch d.Code {
	case CodeTab, CodeLimit, CodeDirective, CodeEscape:
		return // these errors are certain, whatever else is on the line
	}
	spans := []source.Span{d.At}
	last := d.At // how far the parser got
	for _, r := range d.Related {
		spans = append(spans, r.At)
		if r.At.Offset() > last.Offset() {
			last = r.At
		}
	}
	for _, at := range spans {
		start := p.lineStart(at.Offset())
		end := p.lineEnd(start)
		if bytes.HasPrefix(p.src[start:end], []byte("\ufeff")) {
			start += 3
		}
		line := p.src[start:end]
		switch {
		case isConflictMarker(line):
			*d = *diag.Errorf(p.span(start, end), CodeUnexpected,
				"found a Git conflict marker, which is not YAML").
				WithHint("resolve the conflict: keep one of the two versions and remove the " +
					"lines that begin with <<<<<<<, ======= and >>>>>>>")
			if !p.sameLine(start, max(start, last.Offset())) {
				d.WithRelated(last, "the parser stopped here")
			}
			return
		case bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("```")):
			d.WithHint("the ``` lines are Markdown: remove them")
			return
		case d.Code != CodeAnchor && isTemplate(line):
			d.WithHint("this looks like a template for another program (Helm, Jinja, ERB): " +
				"render it with that program first; text that begins with a brace must be in " +
				"quotes")
			return
		}
		if d.Code == CodeUnclosed || d.Code == CodeAnchor || d.Code == CodeTag {
			continue
		}
		if i, r := lookalikeSpace(line); i >= 0 {
			i += start
			*d = *diag.Errorf(p.span(i, i+utf8.RuneLen(r)), CodeIndent,
				"found the character U+%04X, which looks like a space but is not one in YAML", r).
				WithHint("replace it with a plain space; it often comes with text copied from " +
					"a web page or a chat")
			if !p.sameLine(i, max(i, last.Offset())) {
				d.WithRelated(last, "the parser stopped here")
			}
			return
		}
	}
}

func isConflictMarker(line []byte) bool {
	s := string(line)
	return strings.HasPrefix(s, "<<<<<<< ") || strings.HasPrefix(s, ">>>>>>> ") ||
		strings.HasPrefix(s, "||||||| ") ||
		s == "======="
}

// isTemplate reports whether line has template delimiters outside of quotes.
func isTemplate(line []byte) bool {
	for _, mark := range []string{"{{", "{%", "{#", "<%"} {
		i := bytes.Index(line, []byte(mark))
		if i >= 0 && bytes.Count(line[:i], []byte{'"'})%2 == 0 &&
			bytes.Count(line[:i], []byte{'\''})%2 == 0 {
			return true
		}
	}
	return false
}

// lookalikeSpace finds a character in line that looks like a space but is not: in the indentation, or
// after a `:` or `-`.
func lookalikeSpace(line []byte) (int, rune) {
	before := byte(' ')
	indentation := true
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if r >= utf8.RuneSelf && (unicode.IsSpace(r) || r == 0x200b || r == 0xfeff) &&
			(indentation || before == ':' || before == '-') {
			return i, r
		}
		indentation = indentation && r == ' '
		before = line[i]
		i += size
	}
	return -1, 0
}

func (p *parser) span(start, end int) source.Span {
	return p.file.Span(start, min(end, len(p.src)))
}

// here returns the span of the word at pos.
func (p *parser) here() source.Span {
	end := p.pos
	for end < len(p.src) && classes[p.src[end]]&white == 0 {
		end++
	}
	return p.span(p.pos, end)
}

// firstLine returns the part of node id that is on its first line.
func (p *parser) firstLine(id NodeID) source.Span {
	nd := &p.nodes[id]
	return p.span(int(nd.off), max(int(nd.off), min(int(nd.end), p.textEnd(int(nd.off)))))
}

// textEnd returns the end of the content of the line from i on, without a comment and the blanks
// before it.
func (p *parser) textEnd(i int) int {
	start, end := i, p.lineEnd(i)
	for k := i + 1; k < end; k++ {
		if p.src[k] == '#' && classes[p.src[k-1]]&blank != 0 {
			end = k
			break
		}
	}
	for end > start && classes[p.src[end-1]]&blank != 0 {
		end--
	}
	return end
}

// column returns the number of characters between the beginning of the line and i. For the first
// text of a line, that is its indentation.
func (p *parser) column(i int) int {
	start := p.lineStart(i)
	if bytes.HasPrefix(p.src[start:i], []byte("\ufeff")) {
		start += 3
	}
	return i - start
}

// lead returns the offset of the first text of the line that holds i.
func (p *parser) lead(i int) int {
	return p.skipBlanks(i - p.column(i))
}

// sameLine reports whether i and j, in this order, are on one line.
func (p *parser) sameLine(i, j int) bool { return bytes.IndexByte(p.src[i:j], '\n') < 0 }

// maxShown is the maximum number of bytes of the author's text that a message quotes.
const maxShown = 50

// shown quotes text for a message, in backticks (or in quotes, if it contains backticks), and
// truncates it if it is long.
func shown(text []byte) string {
	s := string(text)
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown-10], "") + "..."
	}
	if strings.Contains(s, "`") {
		return inQuotes([]byte(s))
	}
	return "`" + s + "`"
}

// quotedAs returns `: 'text'`, to follow "put it in quotes", or "" if text is too long to repeat.
func quotedAs(text []byte) string {
	if len(text) > maxShown || bytes.ContainsAny(text, "\r\n") {
		return ""
	}
	return ": " + inQuotes(text)
}

// inQuotes returns text in whichever quotes are easier to read.
func inQuotes(text []byte) string {
	if bytes.IndexByte(text, '\'') >= 0 && !bytes.ContainsAny(text, `"\`) {
		return `"` + string(text) + `"`
	}
	return string(appendSingle(nil, text))
}

// inSpaces returns a number of spaces in words.
func inSpaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return strconv.Itoa(n) + " spaces"
}

// failTab rejects the tab at p.tab, in the indentation of a line or after a `-`.
func (p *parser) failTab() {
	end := p.skipBlanks(p.tab)
	lead := p.lead(p.tab)
	if lead < p.tab { // after `-`, `?` or `:`
		d := diag.Errorf(p.span(p.tab, end), CodeTab,
			"found a tab after %s, where YAML allows only spaces", shown(p.src[lead:lead+1]))
		p.fail(d.WithHint("replace the tab with a space"))
	}
	d := diag.Errorf(
		p.span(p.tab, end),
		CodeTab,
		"a tab is used for indentation, where YAML allows only spaces",
	)
	switch more := p.tabbedLines(p.tab); more {
	case 0:
		d.WithHint("replace the tab with spaces")
	case 1:
		d.WithHint("replace the tab with spaces; one more line below begins with a tab")
	default:
		d.WithHint("replace the tab with spaces; %d more lines below begin with a tab", more)
	}
	p.fail(d)
}

// tabbedLines counts the lines after i that begin with a tab.
func (p *parser) tabbedLines(i int) int { return bytes.Count(p.src[i:], []byte("\n\t")) }

// level is a block collection that the line at pos could belong to: it is open, or it ended just
// before.
type level struct {
	id  NodeID
	col int
}

// levels returns the block collections around pos, outermost first. Many may begin on one line, so
// each is searched for line breaks only back to the previous one.
func (p *parser) levels() []level {
	var list []level
	last, col := 0, 0 // offset and column of the previous level
	for id := p.doc + 1; int(id) < len(p.nodes); id++ {
		nd := &p.nodes[id]
		if nd.style != Block || nd.kind != Mapping && nd.kind != Sequence ||
			nd.next != 0 && int(nd.next) != len(p.nodes) {
			continue
		}
		off := int(nd.off)
		if len(list) > 0 && p.sameLine(last, off) {
			col += off - last
		} else {
			col = p.column(off)
		}
		last = off
		list = append(list, level{id, col})
	}
	return list
}

// lastEntry returns the last key or item of collection id and its value, or zeros if the collection
// has no entry yet.
func (p *parser) lastEntry(id NodeID) (entry, value NodeID) {
	end := NodeID(len(p.nodes))
	for n := id + 1; n < end; {
		entry, value = n, n
		if p.nodes[id].kind == Mapping {
			if value = p.nodes[n].next; value == 0 || value >= end {
				return entry, 0
			}
		}
		if n = p.nodes[value].next; n == 0 {
			break
		}
	}
	return entry, value
}

// entryName returns the name of an entry in messages: the text of a key, the line of an item.
func (p *parser) entryName(l level) string {
	entry, _ := p.lastEntry(l.id)
	if entry == 0 {
		return "the " + p.nodes[l.id].kind.String() + " above"
	}
	nd := &p.nodes[entry]
	if p.nodes[l.id].kind == Sequence {
		i := int(nd.start)
		return shown(p.src[i:p.textEnd(i)])
	}
	end := min(int(nd.end), p.lineEnd(int(nd.off)))
	return shown(p.src[nd.off:max(end, int(nd.off))])
}

// entryLine returns the line of the last entry of a collection.
func (p *parser) entryLine(l level) source.Span {
	i := int(p.nodes[l.id].off)
	if entry, _ := p.lastEntry(l.id); entry != 0 {
		i = int(p.nodes[entry].start)
	}
	return p.span(i, p.textEnd(i))
}

// lineKind is what a line looks like.
type lineKind uint8

const (
	aText lineKind = iota
	aKey
	anItem
)

// lineAt returns the kind of the line whose text begins at i, its name in messages, and the span to
// point at.
func (p *parser) lineAt(i int) (lineKind, string, source.Span) {
	if p.at(i) == '-' && p.is(i+1, white) {
		return anItem, "this list item", p.span(i, p.textEnd(i))
	}
	end := p.keyEnd(i)
	if c := p.at(i); end < 0 || c == '[' || c == '{' {
		return aText, "this line", p.span(i, p.textEnd(i))
	}
	return aKey, shown(p.src[i:end]), p.span(i, end)
}

// keyEnd returns the end of the key that the line at i begins with, or -1 if there is none.
func (p *parser) keyEnd(i int) int {
	end, stop := i, i
	if q := p.at(i); q == '"' || q == '\'' {
		n := bytes.IndexByte(p.src[i+1:p.lineEnd(i)], q)
		if n < 0 {
			return -1
		}
		end = i + n + 2
		stop = p.skipBlanks(end)
	} else {
		end, stop = p.plainLine(i)
	}
	if p.at(stop) == ':' && p.is(stop+1, white) && end > i {
		return end
	}
	return -1
}
