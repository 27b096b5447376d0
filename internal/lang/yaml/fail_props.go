package yaml

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"weft/internal/lang/diag"
)

// This file is diagnosis (see fail.go) of anchors, aliases, tags and directives.

// failUnknownAnchor reports the alias from start to end, whose anchor is not defined at this point.
func (p *parser) failUnknownAnchor(start, end int) {
	name := string(p.src[start+1 : end])
	d := diag.Errorf(
		p.span(start, end),
		CodeAnchor,
		"unknown anchor '%s' referenced",
		excerpt(name),
	)
	whole := p.src[start:p.textEnd(start)]
	if n := bytes.IndexAny(whole, ",]}"); n > 0 && p.inFlow() {
		whole = whole[:n]
	}
	word := strings.IndexFunc(
		name,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' },
	) < 0
	if near := p.nearAnchor(name); near != "" {
		p.fail(d.WithHint("did you mean *%s?", excerpt(near)).WithFix("*"+name, "*"+near))
	}
	if at := p.findAnchor(name, end, len(p.src)); at >= 0 {
		p.fail(d.WithRelated(p.span(at, at+1+len(name)), "the anchor is defined later, here").
			WithHint("an anchor must come before its aliases: move it up, with its value"))
	}
	if at := p.findAnchor(name, 0, int(p.nodes[p.doc].off)); at >= 0 {
		p.fail(d.WithRelated(p.span(at, at+1+len(name)), "another document defines this anchor").
			WithHint("an anchor is visible only in its own document: repeat it in this one"))
	}
	for i, c := range name { // `*base.image`, `*home/bin`
		if i > maxShown {
			break
		}
		if _, ok := p.anchors[name[:i]]; ok && !word && i > 0 {
			p.fail(d.WithHint("an alias stands for the whole value of its anchor: *%s cannot "+
				"be indexed or extended with `%c`", name[:i], c))
		}
	}
	switch {
	case !word:
		d.WithHint("if it is text that begins with `*`, put it in quotes%s", quotedAs(whole))
	case len(p.anchors) == 0:
		d.WithHint("no anchor above has this name: write `&%s` before the value it stands for, "+
			"or put it in quotes if it is text%s", excerpt(name), quotedAs(whole))
	case len(p.anchors) <= 5:
		var known []string
		for a := range p.anchors {
			known = append(known, shown([]byte("*"+a)))
		}
		slices.Sort(known)
		d.WithHint("known here: %s", strings.Join(known, ", "))
	default:
		d.WithHint("an anchor is visible from its definition to the end of its document")
	}
	p.fail(d)
}

// findAnchor returns the offset of the first text between from and to that looks like an anchor
// with this name, or -1.
func (p *parser) findAnchor(name string, from, to int) int {
	mark := []byte("&" + name)
	for i := from; i < to; {
		n := bytes.Index(p.src[i:to], mark)
		if n < 0 {
			return -1
		}
		i += n
		if (i == 0 || p.is(i-1, white|flowMark)) && p.nameEnd(i+1) == i+len(mark) {
			return i
		}
		i += len(mark)
	}
	return -1
}

// inFlow reports whether a flow collection is open.
func (p *parser) inFlow() bool {
	for id := p.doc; int(id) < len(p.nodes); id++ {
		if nd := &p.nodes[id]; nd.style == Flow && nd.next == 0 {
			return true
		}
	}
	return false
}

// nearAnchor returns the known anchor that differs from name only by letter case or one typing
// error, or "".
func (p *parser) nearAnchor(name string) string {
	best := ""
	for a := range p.anchors {
		if (strings.EqualFold(a, name) || oneEdit(a, name)) && (best == "" || a < best) {
			best = a
		}
	}
	return best
}

// oneEdit reports whether a and b differ by one byte that is added, removed or changed, or by two
// neighbors that are swapped. Names of one byte never match: they would all be similar.
func oneEdit(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 || len(b) < 2 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) > len(b) {
		return a[i+1:] == b[i:]
	}
	if i == len(a) || a[i+1:] == b[i+1:] {
		return true
	}
	return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// failSelf reports an alias inside the value that it refers to.
func (p *parser) failSelf(start, end int, target NodeID) {
	pr := p.props[p.nodes[target].ref]
	p.fail(
		diag.Errorf(p.span(start, end), CodeAnchor, "anchor '%s' value contains itself",
			excerpt(string(p.src[start+1:end]))).
			WithRelated(p.span(int(pr.anchor)-1, int(pr.anchorEnd)), "the anchor is here").
			WithHint("that value would never end: set the anchor on the part to repeat, or write " +
				"it out"),
	)
}

// failNoName reports the `&` or `*` at i that has no name after it.
func (p *parser) failNoName(i int) {
	c := p.src[i]
	text := p.src[i:p.textEnd(i)]
	if n := bytes.IndexAny(text, ",]}"); n > 0 && p.inFlow() {
		text = text[:n]
	}
	p.fail(diag.Errorf(p.span(i, i+1), CodeAnchor, "expected the name of an anchor after `%c`", c).
		WithHint("if it is text that begins with `%c`, put it in quotes%s", c, quotedAs(text)))
}

// failAliasProps reports the properties pr before an alias.
func (p *parser) failAliasProps(pr propsAt, alias node) {
	d := diag.Errorf(p.span(pr.start, p.last), CodeAnchor,
		"an alias cannot have its own anchor or tag")
	name := excerpt(string(p.src[alias.off+1 : alias.end]))
	if pr.anchor != pr.anchorEnd {
		anchor := excerpt(string(p.src[pr.anchor:pr.anchorEnd]))
		d.WithHint("remove `&%s`, and use `*%s` wherever `*%s` is used", anchor, name, anchor)
	} else {
		d.WithHint("remove %s, or put it where the anchor &%s is set", shown(p.src[pr.tag:pr.tagEnd]), name)
	}
	p.fail(d)
}

// failTwice reports two anchors or two tags on one node.
func (p *parser) failTwice(outer, inner propsAt, what string) {
	at := p.span(int(inner.anchor)-1, int(inner.anchorEnd))
	other := p.span(int(outer.anchor)-1, int(outer.anchorEnd))
	code := CodeAnchor
	if what == "tags" {
		at = p.span(int(inner.tag), int(inner.tagEnd))
		other = p.span(int(outer.tag), int(outer.tagEnd))
		code = CodeTag
	}
	p.fail(diag.Errorf(at, code, "a value cannot have two %s", what).
		WithRelated(other, "the first is here").
		WithHint("remove one of the two"))
}

// failGlued reports that no space separates what is at pos from the anchor or tag at start.
func (p *parser) failGlued(start int) {
	name, rest := p.src[start:p.pos], p.src[p.pos:p.textEnd(p.pos)]
	d := diag.Errorf(p.span(p.pos, p.pos+1), CodeMissingSpace,
		"expected a space after %s", shown(name))
	switch {
	case rest[0] == ',':
		d.WithHint("remove the comma")
	case len(name)+len(rest) > maxShown:
		d.WithHint("put a space before the `%c`, or put the whole value in quotes if it is "+
			"text", rest[0])
	default:
		d.WithHint("write `%s %s`, or put the whole value in quotes if it is text", name, rest)
	}
	p.fail(d)
}

// failTag reports an error in the tag from start to end.
func (p *parser) failTag(start, end int, format string, args ...any) {
	text := p.src[start:p.textEnd(start)]
	if n := bytes.IndexAny(text, ",]}"); n > 0 && p.inFlow() {
		text = text[:n]
	}
	p.fail(diag.Errorf(p.span(start, max(end, start+1)), CodeTag, format, args...).
		WithHint("a tag is written `!name` or `!!str`; if it is text that begins with `!`, put "+
			"it in quotes%s", quotedAs(text)))
}
