package yaml

import (
	"bytes"

	"weft/internal/diag"
	"weft/internal/source"
)

// failNoColon tells that the line at first, where mapping m expects its next key, has no key.
func (p *parser) failNoColon(m NodeID, first int) {
	end := p.lineEnd(first)
	line := p.src[first:end]
	d := diag.Errorf(p.span(first, end), CodeKey, "expected `key: value`, as on the lines before, but there is no `: ` here").
		WithRelated(p.mappingKey(m), "the mapping begins here")
	if i := bytes.IndexByte(line, ':'); i > 0 && i+1 < len(line) {
		d = diag.Errorf(p.span(first+i, first+i+1), CodeMissingSpace, "expected a space behind this `:`").
			WithRelated(p.mappingKey(m), "this line belongs to the mapping that begins here").
			WithHint("write `%s: %s`", line[:i], line[i+1:])
	}
	p.fail(d)
}

// failItemInMapping tells of a `-` at the indentation of a mapping's keys.
func (p *parser) failItemInMapping(m NodeID) {
	p.fail(diag.Errorf(p.span(p.pos, p.pos+1), CodeKey, "a list item cannot stand among the keys of a mapping").
		WithRelated(p.mappingKey(m), "the mapping begins here").
		WithHint("indent the item below the key that it belongs to, whose value must be empty"))
}

// failDeeper tells of a line that is indented deeper than the entries of collection id, and belongs to none of them.
func (p *parser) failDeeper(id NodeID, col int) {
	if p.tab >= 0 {
		p.failTab()
	}
	kind := p.nodes[id].kind
	d := diag.Errorf(p.here(), CodeIndent, "this line is indented by %d, but the %s it would belong to is indented by %d", p.col, kind, col).
		WithRelated(p.mappingKey(id), "the %s begins here", kind)
	p.fail(d.WithHint("give all entries of a %s the same indentation", kind))
}

// mappingKey is the first line of collection id.
func (p *parser) mappingKey(id NodeID) source.Span {
	off := int(p.nodes[id].off)
	return p.span(off, p.lineEnd(off))
}
