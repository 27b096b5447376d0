package yaml

import (
	"bytes"
	"fmt"

	"weft/internal/lang/diag"
)

// This file is diagnosis (see fail.go) of collections in brackets.

// closer returns the bracket that closes the one at open.
func (p *parser) closer(open int) byte {
	if p.src[open] == '{' {
		return '}'
	}
	return ']'
}

// failUnclosed reports the collection at open, which is never closed.
func (p *parser) failUnclosed(open int) {
	d := diag.Errorf(p.span(open, open+1), CodeUnclosed, "this `%c` is never closed", p.src[open])
	if p.pos < len(p.src) {
		d.WithRelated(p.span(p.pos, p.pos+3), "the document ends here")
	} else {
		d.WithRelated(p.span(p.pos, p.pos), "the file ends here")
	}
	p.hintClose(d, open)
	p.fail(d)
}

// hintClose adds the hint to close the bracket at open, and points out a closing bracket inside a
// comment.
func (p *parser) hintClose(d *diag.Diagnostic, open int) {
	c := p.closer(open)
	for _, k := range p.comments {
		if int(k.off) > open && bytes.IndexByte(p.src[k.off:k.end], c) >= 0 {
			d.WithRelated(
				p.span(int(k.off), int(k.end)),
				"this is a comment, and the `%c` in it closes nothing",
				c,
			)
			d.WithHint("%s", hintComment(p.src[k.off:k.end], c))
			return
		}
	}
	d.WithHint("add the missing `%c`", c)
}

// hintComment returns the hint for a collection whose closing bracket is inside a comment. Code in
// a template extends to the end of its line, so the whole collection must be code, or in block
// style.
func hintComment(comment []byte, closer byte) string {
	if !bytes.HasPrefix(comment, []byte("#@ ")) {
		return fmt.Sprintf("put the `%c` before the `#`", closer)
	}
	if closer == '}' {
		return "code takes the rest of its line: write each key on its own line, as in `key: #@ ...`"
	}
	return "code takes the rest of its line: write the whole list as code, `#@ [...]`, or each " +
		"item on its own line, as in `- #@ ...`"
}

// failFlow reports that an entry of the collection at open is followed by something other than a
// comma or the closing bracket.
func (p *parser) failFlow(open int) {
	c, want := p.src[p.pos], p.closer(open)
	last := &p.nodes[len(p.nodes)-1]
	if last.kind == Scalar && (last.style == SingleQuoted || last.style == DoubleQuoted) &&
		int(last.end) == p.last &&
		!p.sameLine(int(last.off), int(last.end)) {
		p.failLateClose(int(last.off), int(last.end))
	}
	p.needCloseBefore(open)
	if c == ']' || c == '}' {
		d := diag.Errorf(p.span(p.pos, p.pos+1), CodeFlow, "expected `%c`, found `%c`", want, c).
			WithRelated(p.span(open, open+1), "the bracket to close is here")
		if p.opensOutside(c, open) {
			d.WithHint("add a `%c` before the `%c`", want, c)
		} else {
			d.WithHint("write `%c`", want)
		}
		p.fail(d)
	}
	if c == ':' {
		p.failFlowColon(open)
	}
	p.failNoComma(open, p.last, p.pos)
}

// failNoEntry reports the comma at pos, which has no entry before it.
func (p *parser) failNoEntry() {
	p.fail(diag.Errorf(p.span(p.pos, p.pos+1), CodeFlow, "expected an entry before this comma").
		WithHint(`remove the comma, or write the entry: null or "" if it should be empty`))
}

// opensOutside reports whether a bracket outside the one at open is of the kind that c closes.
func (p *parser) opensOutside(c byte, open int) bool {
	for id := p.doc + 1; int(id) < len(p.nodes); id++ {
		if nd := &p.nodes[id]; nd.style == Flow && nd.next == 0 && int(nd.off) < open &&
			p.src[nd.off]+2 == c {
			return true // in ASCII, the two brackets of a pair differ by two
		}
	}
	return false
}

// needCloseBefore rejects the collection at open if the next line looks like text after the
// collection: a key or an item that is not indented deeper than the line of the bracket.
func (p *parser) needCloseBefore(open int) {
	if p.sameLine(open, p.pos) {
		return
	}
	first := p.lead(p.pos)
	kind, _, at := p.lineAt(first)
	if kind == aText || p.column(first) > p.column(p.lead(open)) || first == p.lead(open) {
		return
	}
	d := diag.Errorf(p.span(open, open+1), CodeUnclosed,
		"this `%c` is not closed before a new entry begins", p.src[open]).
		WithRelated(at, "the new entry is here")
	p.hintClose(d, open)
	p.fail(d)
}

// failNoComma reports that two entries of the collection at open have no comma between them: one
// ends at end, the other begins at next.
func (p *parser) failNoComma(open, end, next int) {
	found := p.src[next:p.textEnd(next)]
	if n := bytes.IndexAny(found, ",]}"); n > 0 {
		found = found[:n]
	}
	if len(found) > 0 && (found[0] == '[' || found[0] == '{') {
		found = found[:1]
	}
	if p.sameLine(end, next) {
		p.fail(
			diag.Errorf(p.span(next, next+len(found)), CodeFlow, "expected `,` or `%c`, found %s",
				p.closer(open), shown(found)).
				WithRelated(p.span(open, open+1), "the open bracket is here").
				WithHint("put a comma before it if it is a separate entry; if it belongs to the " +
					"text before it, put all of that in quotes"),
		)
	}
	p.fail(
		diag.Errorf(p.span(end, end), CodeFlow, "expected `,` or `%c` at the end of this line",
			p.closer(open)).
			WithRelated(p.span(next, next+len(found)), "the next entry begins here").
			WithHint("put a comma between the entries"),
	)
}

// failFlowColon reports the `:` at pos inside the collection at open, which belongs to no key.
func (p *parser) failFlowColon(open int) {
	last := &p.nodes[len(p.nodes)-1]
	off, end := int(last.off), int(last.end)
	at := p.span(p.pos, p.pos+1)
	if last.kind == Scalar && last.style == Plain && end > off && !p.sameLine(off, end) {
		// `{a: 1` and `b: 2}` on the next line were read as one text, "1 b".
		next := p.lead(end)
		k := p.lineStart(next) - 1
		for k > off && classes[p.src[k-1]]&(blank|lineEnd) != 0 {
			k--
		}
		p.failNoComma(open, k, next)
	}
	if !p.sameLine(end, p.pos) {
		p.fail(diag.Errorf(at, CodeKey, "expected a key before this `:`, on its line").
			WithRelated(p.firstLine(NodeID(len(p.nodes)-1)),
				"if this is the key, its `:` must be on the same line").
			WithHint("put the key and its `:` on one line"))
	}
	text := p.src[off:end]
	p.fail(
		diag.Errorf(at, CodeFlow, "found a second `:` in one entry, which would make a key of %s",
			shown(text)).
			WithRelated(p.span(open, open+1), "the open bracket is here").
			WithHint("a mapping inside brackets needs its own braces, as in `{%s: ...}`; if the "+
				"`:` belongs to the text, put it in quotes", excerpt(string(text))),
	)
}

// failFlowKeyLines reports the `:` at pos, inside the sequence at open, whose key began at start:
// on another line, or too far away.
func (p *parser) failFlowKeyLines(open, start int) {
	if p.sameLine(start, p.pos) {
		p.failLongKey(start)
	}
	p.needCloseBefore(open)
	last := &p.nodes[len(p.nodes)-1]
	if last.kind == Scalar && last.style == Plain {
		p.failFlowColon(open)
	}
	p.fail(diag.Errorf(p.span(p.pos, p.pos+1), CodeKey, "a key and its `:` must be on one line").
		WithRelated(p.span(start, start+1), "the key begins here").
		WithHint("put the key on one line; if the `:` belongs to no key, put a comma or a " +
			"bracket where the entry before it ends"),
	)
}

// failFlowIndent reports a line of the collection at open that is not indented deeper than its
// parent, at column n.
func (p *parser) failFlowIndent(open, n int) {
	if p.tab >= 0 {
		p.failTab()
	}
	p.fail(diag.Errorf(p.here(), CodeIndent, "this line is indented by %s, but it is inside a "+
		"`%c` and must be indented by %d or more", inSpaces(p.col), p.src[open], n+1).
		WithRelated(p.span(open, open+1), "the open bracket is here").
		WithHint("indent it by %d, or add the missing `%c` above if the line comes after the "+
			"bracket", n+1, p.closer(open)))
}
