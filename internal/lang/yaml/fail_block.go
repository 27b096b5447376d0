package yaml

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// This file is diagnosis (see fail.go) of block collections: indentation, tabs, missing dashes and
// colons.

// trailing rejects content after the end of a document's root.
func (p *parser) trailing() {
	root := p.doc + 1
	if p.nodes[root].style == Block {
		p.failStray()
	}
	if p.tab >= 0 {
		p.failTab()
	}
	if nd := &p.nodes[root]; nd.style == Literal || nd.style == Folded {
		p.failBelowBlock(root, level{root, 0})
	}
	kind, _, at := p.lineAt(p.pos)
	d := diag.Errorf(at, CodeDocument, "the document is complete, but more content follows").
		WithRelated(p.firstLine(root), "this is the whole document")
	switch kind {
	case aKey:
		d.WithHint("a document is one value: remove the line above if the document is a " +
			"mapping, or begin a new document with a `---` line")
	case anItem:
		d.WithHint("a document is one value: write `- ` before the line above too if the " +
			"document is a list, or begin a new document with a `---` line")
	default:
		d.WithHint("begin a new document with a `---` line, or make the document a list, with " +
			"`- ` before each line")
	}
	p.fail(d)
}

// failStray reports the line at pos, whose indentation fits no collection above.
func (p *parser) failStray() {
	if p.tab >= 0 {
		p.failTab()
	}
	kind, what, at := p.lineAt(p.pos)
	levels := p.levels()
	deepest := levels[len(levels)-1]
	if last := NodeID(len(p.nodes) - 1); kind != anItem &&
		(p.nodes[last].style == Literal || p.nodes[last].style == Folded) {
		p.failBelowBlock(last, deepest)
	}
	var beside []level // where it could belong with a different indentation
	for i, l := range levels {
		if l.col == p.col && p.nodes[l.id].kind == Sequence && kind != anItem {
			p.failAmongItems(levels, i)
		}
		fits := kind == aText || (kind == anItem) == (p.nodes[l.id].kind == Sequence)
		switch {
		case !fits:
		case l.col < p.col && len(beside) > 0:
			beside[0] = l
		case l.col < p.col || len(beside) == 0 || beside[len(beside)-1].col < p.col:
			beside = append(beside, l)
		}
	}
	if p.col <= deepest.col && len(beside) == 0 {
		p.failOtherKind(levels)
	}
	if p.col > deepest.col {
		_, value := p.lastEntry(deepest.id)
		p.failBelowValue(p.pos, deepest, p.firstLine(value), false)
	}
	var cols, places []string
	for _, l := range beside {
		cols = append(cols, strconv.Itoa(l.col))
		places = append(places, fmt.Sprintf("by %d to align it with %s", l.col, p.entryName(l)))
	}
	entry := [...]string{aText: "line", aKey: "key", anItem: "item"}[kind]
	d := diag.Errorf(at, CodeIndent, "%s is indented by %s, but the %ss above are indented by "+
		"%s", what, inSpaces(p.col), entry, strings.Join(cols, " and "))
	for _, l := range beside {
		d.WithRelated(p.entryLine(l), "this %s is indented by %s", entry, inSpaces(l.col))
	}
	p.fail(d.WithHint("indent it %s", strings.Join(places, ", or ")))
}

// failOtherKind reports an item at pos where only mappings are open, or a key where only lists are.
func (p *parser) failOtherKind(levels []level) {
	_, what, at := p.lineAt(p.pos)
	inner := levels[0] // the first level that is indented deeper than the line
	name := "the document"
	for i, l := range levels {
		if inner = l; l.col > p.col {
			break
		}
		name = p.entryName(levels[i])
	}
	kind := map[Kind]string{Mapping: "a mapping", Sequence: "a list"}[p.nodes[inner.id].kind]
	d := diag.Errorf(at, CodeIndent, "%s is not allowed here: the value of %s is already "+
		"%s", what, name, kind).
		WithRelated(p.entryLine(inner), "this belongs to that value")
	if name == "the document" {
		d.Message = what + " is not allowed here: the document is " + kind
		p.fail(d.WithHint("a document is one value: make this line part of it, or begin a new " +
			"document with a `---` line"))
	}
	p.fail(d.WithHint("a value is either a mapping or a list: put this line under its own key, " +
		"or write it like the lines above"))
}

// failAmongItems reports a line in the column of a sequence, levels[at], that does not begin with
// a dash.
func (p *parser) failAmongItems(levels []level, at int) {
	list := levels[at]
	p.needDashSpace(p.pos, list)
	kind, what, span := p.lineAt(p.pos)
	text := p.src[p.pos:p.textEnd(p.pos)]
	asItem := "write " + shown(append([]byte("- "), text...)) + " to make it an item"
	if kind != aKey {
		p.fail(
			diag.Errorf(span, CodeKey, "expected `- ` and the next item of the list, found %s", shown(text)).
				WithRelated(p.entryLine(list), "this is the previous item").
				WithHint("%s", asItem),
		)
	}
	var beside []string
	for _, l := range levels[at+1:] { // the mapping that is the item
		if p.nodes[l.id].kind == Mapping {
			beside = append(beside, fmt.Sprintf("by %d to align it with %s", l.col, p.entryName(l)))
			break
		}
	}
	if len(beside) > 0 {
		asItem = ""
	}
	for _, l := range slices.Backward(levels[:at]) { // the mapping that the list is in
		if p.nodes[l.id].kind == Mapping && l.col < p.col {
			beside = append(beside, fmt.Sprintf("by %d to align it with %s", l.col, p.entryName(l)))
			break
		}
	}
	hint := asItem
	if len(beside) > 0 {
		if hint != "" {
			hint += ", or "
		}
		hint += "indent it " + strings.Join(beside, ", or ")
	}
	p.fail(diag.Errorf(span, CodeKey, "the key %s is in the same column as the dashes of a "+
		"list", what).
		WithRelated(p.entryLine(list), "this is the previous item").
		WithHint("%s", hint))
}

// needDashSpace rejects a line that begins like `-item` where an item of l could be.
func (p *parser) needDashSpace(i int, l level) {
	if p.at(i) != '-' || p.is(i+1, white) || p.at(i+1) == '-' {
		return
	}
	d := diag.Errorf(p.span(i, i+1), CodeMissingSpace, "expected a space after this `-`").
		WithRelated(p.entryLine(l), "this is the previous entry")
	if rest := p.src[i+1 : p.textEnd(i)]; len(rest) <= maxShown {
		d.WithHint("write `- %s`", rest).WithFix("-", "- ")
	} else {
		d.WithHint("put a space between the `-` and the text")
	}
	p.fail(d)
}

// failBelowValue reports the line at i, which is indented deeper than the last entry of l although
// that entry already has a value. If plain, the value could have continued.
func (p *parser) failBelowValue(i int, l level, value source.Span, plain bool) {
	kind, what, at := p.lineAt(i)
	name := p.entryName(l)
	text := p.src[value.Offset():value.End()]
	if p.nodes[l.id].kind == Sequence {
		d := diag.Errorf(at, CodeIndent,
			"%s is indented deeper than the list item %s, which is complete", what, name).
			WithRelated(value, "this is the item")
		switch kind {
		case anItem:
			d.WithHint("indent it by %d to align it with %s", l.col, name)
		case aKey:
			d.WithHint("if the item is a mapping, write `key: value` after its dash; if it is " +
				"a list itself, write `- - `")
		default:
			d.WithHint("write %s to make it a separate item, or put all of the text above in "+
				"one pair of quotes", shown(append([]byte("- "), p.src[i:p.textEnd(i)]...)))
		}
		p.fail(d)
	}
	d := diag.Errorf(at, CodeIndent, "%s is indented deeper than %s, which already has a "+
		"value", what, name).
		WithRelated(value, "this is the value of %s", name)
	remove := "remove the value of " + name
	if len(text) <= maxShown {
		remove = "remove the value " + shown(text)
	}
	switch {
	case kind == aText:
		d.WithHint("put all of the text in one pair of quotes if this line belongs to it")
	case kind == anItem:
		ways := remove + " if the list should be the value of " + name
		for _, k := range slices.Backward(p.levels()) {
			if p.nodes[k.id].kind == Sequence {
				ways = fmt.Sprintf("indent it by %d to align it with %s, or "+
					"%s", k.col, p.entryName(k), ways)
				break
			}
		}
		d.WithHint("%s", ways)
	case plain && bytes.IndexByte(text, ' ') > 0:
		d.WithHint("indent it by %d to align it with %s, or %s to put it below, or put the "+
			"text in quotes if this line belongs to it", l.col, name, remove)
	default:
		d.WithHint("indent it by %d to align it with %s, or %s to put it "+
			"below", l.col, name, remove)
	}
	p.fail(d)
}

// failBelowBlock reports the line at pos, which is left of the text of the block scalar before it
// and inside no other collection.
func (p *parser) failBelowBlock(scalar NodeID, parent level) {
	kind, what, at := p.lineAt(p.pos)
	nd := &p.nodes[scalar]
	h := header(p.src, int(nd.off))
	mark := shown(p.src[nd.off:h.end])
	want, text := p.blockText(nd, h, parent.col)
	col := max(p.col, 0)
	d := diag.Errorf(
		at,
		CodeIndent,
		"%s is indented by %s, but the text of the block scalar above by %d",
		what,
		inSpaces(col),
		want,
	)
	if !text {
		d = diag.Errorf(
			at,
			CodeIndent,
			"%s is indented by %s, but the text of the block scalar above must be indented by %d or more",
			what,
			inSpaces(col),
			want,
		)
	}
	d.WithRelated(p.span(int(nd.off), p.textEnd(int(nd.off))), "the block scalar begins here")
	switch {
	case h.indent > 0:
		d.WithHint("indent it by %d, as %s requires, or remove the %d", want, mark, h.indent)
	case kind == aKey && p.nodes[parent.id].kind == Mapping && parent.col != col:
		d.WithHint("indent it by %d if it belongs to the text, or by %d to align it with "+
			"%s", want, parent.col, p.entryName(parent))
	default:
		d.WithHint("indent it by %d if it belongs to the text", want)
	}
	p.fail(d)
}

// blockText returns the indentation of the text of a block scalar in a parent at column n or, if it
// has no text, the minimum indentation.
func (p *parser) blockText(nd *node, h blockHeader, n int) (indent int, text bool) {
	if h.indent > 0 {
		return n + h.indent, true
	}
	i := p.afterLine(p.lineEnd(h.end))
	for i < int(nd.end) {
		k := i
		for p.at(k) == ' ' {
			k++
		}
		if !p.is(k, lineEnd|endMark) {
			return k - i, true
		}
		i = p.afterLine(k)
	}
	return n + 1, false
}

// failNoColon reports the line at first, which has no key where mapping m expects one.
func (p *parser) failNoColon(m NodeID, first int) {
	l := level{m, p.column(first)}
	p.col = l.col
	if q := p.src[first]; q == '"' || q == '\'' {
		if !p.sameLine(first, p.pos) {
			p.failLateClose(first, p.pos)
		}
		if p.at(p.pos) == ':' {
			p.failNoSpace(first, p.pos, p.entryLine(l), "this is the previous entry")
		}
	} else if colon := p.gluedColon(first); colon >= 0 {
		p.failNoSpace(first, colon, p.entryLine(l), "this is the previous entry")
	}
	if last := NodeID(len(p.nodes) - 1); p.nodes[last].style == Literal ||
		p.nodes[last].style == Folded {
		p.pos = first
		p.failBelowBlock(last, l)
	}
	p.needDashSpace(first, l)
	end := p.textEnd(first)
	d := diag.Errorf(p.span(first, end), CodeKey, "expected `key: value`, found %s without a `: `",
		shown(p.src[first:end])).
		WithRelated(p.entryLine(l), "this is the previous entry")
	p.fail(d.WithHint("%s", colonHint(p.src[first:end], p.entryName(l))))
}

// gluedColon returns the offset of a `:` in the line at first that would end a key if a space
// followed it, or -1. The `://` of a URL does not count.
func (p *parser) gluedColon(first int) int {
	line := p.src[first:p.textEnd(first)]
	i := bytes.IndexByte(line, ':')
	if i <= 0 || i+1 == len(line) || bytes.HasPrefix(line[i:], []byte("://")) ||
		bytes.ContainsAny(line[:i], " \t") {
		return -1
	}
	return first + i
}

// failNoSpace reports the `:` at colon, which needs a space after it; its line begins at first.
func (p *parser) failNoSpace(first, colon int, other source.Span, why string) {
	d := diag.Errorf(p.span(colon, colon+1), CodeMissingSpace, "expected a space after this `:`").
		WithRelated(other, "%s", why)
	key, value := p.src[first:colon], p.src[colon+1:p.textEnd(colon)]
	if len(key)+len(value) <= maxShown {
		d.WithHint("write `%s: %s`", key, value).WithFix(":", ": ")
	} else {
		d.WithHint("put a space between the `:` and the value")
	}
	p.fail(d)
}

// colonHint returns a hint how to turn line, which has no `: `, into an entry of a mapping; above
// is the previous entry.
func colonHint(line []byte, above string) string {
	s := string(line)
	words := strings.Fields(s)
	key, value, equals := strings.Cut(s, "=")
	wideKey, wideValue, wide := strings.Cut(s, "：")
	continues := "if this line continues the text above, indent it deeper than " + above
	if above == "" {
		continues = "if it is multi-line text, put all of it in quotes"
	}
	switch {
	case strings.Trim(s, "-") == "":
		return "documents are separated by three dashes: `---`"
	case len(s) > maxShown:
		return "write `key: value`; " + continues
	case strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*"):
		return "a comment begins with `#`: write `# " + strings.TrimSpace(
			strings.Trim(s, "/*"),
		) + "`"
	case strings.HasPrefix(s, "<<"):
		return "write `<<: " + strings.TrimSpace(s[2:]) + "`"
	case s[0] == '*':
		return "write `<<: " + s + "` to merge the mapping that the alias stands for"
	case s[0] == '&':
		return "write the anchor after the `: ` of the key whose value it names"
	case s[0] == '!':
		return "write the tag after the `: ` of the key whose value it is for"
	case s[0] == '[' || s[0] == '{':
		return "write a key before it, as in `key: " + s + "`"
	case wide:
		return "write an ASCII colon and a space: `" + wideKey + ": " +
			"" + strings.TrimSpace(wideValue) + "`"
	case equals && strings.TrimSpace(key) != "" && !strings.Contains(strings.TrimSpace(key), " "):
		return "write `" + strings.TrimSpace(key) + ": " + strings.TrimSpace(value) + "`"
	case len(words) == 1 && strings.Contains(s, "://"):
		return "write a key before it, as in `url: " + s + "`"
	case s[0] == '"' || s[0] == '\'':
		return "write `" + s + ": ` and a value, or a key before it"
	case len(words) == 1:
		return "write `" + s + ": ` and a value, or `" + s + ":` for none; " + continues
	case len(words) == 2:
		return "write `" + words[0] + ": " + words[1] + "`; " + continues
	}
	return "write `key: value`; " + continues
}

// failFlowKey reports the flow collection at open, which is where a key should be but has no `:`
// after it.
func (p *parser) failFlowKey(open int) {
	levels := p.levels()
	off := int(p.nodes[levels[len(levels)-1].id].off)
	end := p.textEnd(open)
	kind := map[byte]string{'[': "a list in brackets", '{': "a mapping in braces"}[p.src[open]]
	p.fail(
		diag.Errorf(p.span(open, end), CodeKey, "expected `key: value`, found %s without a key", kind).
			WithRelated(p.span(off, p.textEnd(off)), "the mapping around it begins here").
			WithHint("%s", colonHint(p.src[open:end], "")),
	)
}

// failItemInMapping reports a `-` at the indentation of a mapping's keys.
func (p *parser) failItemInMapping(m NodeID) {
	l := level{m, p.col}
	name := p.entryName(l)
	_, value := p.lastEntry(m)
	d := diag.Errorf(p.span(p.pos, p.textEnd(p.pos)), CodeKey,
		"a list item cannot appear among the keys of a mapping").
		WithRelated(p.entryLine(l), "this is the previous entry")
	text := p.firstLine(value)
	switch nd := &p.nodes[value]; {
	case nd.kind == Mapping && nd.style == Block:
		d.WithHint(
			"if the list is the value of %s, nothing else can be below that key; if not, put a key before it",
			name,
		)
	case nd.end > nd.off && text.Len <= maxShown:
		d.WithHint(
			"if the list is the value of %s, remove the value %s; if not, put a key before it",
			name,
			shown(p.src[text.Offset():text.End()]),
		)
	default:
		d.WithHint("indent it under its key: `key:` and, on the next line, `  - item`")
	}
	p.fail(d)
}

// failDeepKey reports a key on a line that continues the plain scalar nd, according to its
// indentation. nd is not added yet.
func (p *parser) failDeepKey(nd *node, key, colon int) {
	off := int(nd.off)
	lead := p.lead(off)
	for p.at(lead) == '-' && p.is(lead+1, blank) {
		lead = p.skipBlanks(lead + 1)
	}
	if lead != off { // the text is the value of a key on the same line
		if l := p.levels(); len(l) > 0 && p.nodes[l[len(l)-1].id].kind == Mapping {
			p.failBelowValue(key, l[len(l)-1], p.span(off, p.textEnd(off)), true)
		}
	}
	if nd.flags&cooked != 0 {
		p.fail(diag.Errorf(p.span(key, colon), CodeKey,
			"found the key %s in the middle of text", shown(p.src[key:colon])).
			WithRelated(p.span(off, p.textEnd(off)), "the text begins here").
			WithHint("put the text in quotes if the `:` belongs to it; if not, write the lines " +
				"above as `key: value`, or as comments, with `#`"),
		)
	}
	if glued := p.gluedColon(off); glued >= 0 {
		p.failNoSpace(off, glued, p.span(key, colon), "this is the key below it")
	}
	text := p.src[off:p.textEnd(off)]
	p.fail(
		diag.Errorf(p.span(off, off+len(text)), CodeKey,
			"expected `key: value`, found %s without a `: `", shown(text)).
			WithRelated(p.span(key, colon), "the line below it is a key").
			WithHint("%s", colonHint(text, "")),
	)
}

// failAfterValue reports text after the end of a value, on its line.
func (p *parser) failAfterValue() {
	id := NodeID(len(p.nodes) - 1)
	for k := id; k > p.doc; k-- { // the children of a collection come after it
		if nd := &p.nodes[k]; nd.style == Flow && int(nd.end) == p.last {
			id = k
			break
		}
	}
	last := p.nodes[id]
	off, end := int(last.off), int(last.end)
	if p.at(p.pos) == ':' && p.is(p.pos+1, white) {
		p.failNested(p.pos, off)
	}
	rest := p.src[p.pos:p.textEnd(p.pos)]
	at := p.span(p.pos, p.pos+len(rest))
	start := off
	if last.kind != Alias {
		if pr := p.props[last.ref]; pr.tag != pr.tagEnd {
			start = int(pr.tag)
		}
	}
	whole := p.src[start : p.pos+len(rest)]
	switch {
	case last.kind == Alias:
		p.fail(diag.Errorf(at, CodeUnexpected,
			"unexpected text after the alias %s", shown(p.src[off:end])).
			WithHint("an alias stands for a whole value, so nothing can be added to it; if "+
				"this is text, put it in quotes%s", quotedAs(whole)))
	case last.style == Flow:
		d := diag.Errorf(at, CodeUnexpected, "unexpected text after the closing "+
			"`%c`", p.src[end-1]).
			WithRelated(p.span(off, off+1), "the bracket that it closes is here")
		if c := rest[0]; c == ']' || c == '}' {
			d = diag.Errorf(p.span(p.pos, p.pos+1), CodeFlow,
				"this `%c` closes nothing: all brackets before it are closed", c).
				WithHint("remove it, or add the bracket that it should close")
		} else if string(rest) == "," || string(rest) == ";" {
			d.WithHint("remove the `%s`: outside brackets a line break ends an entry", rest)
		} else {
			d.WithHint("put the whole value in quotes if it is text%s", quotedAs(whole))
		}
		p.fail(d)
	case last.style == SingleQuoted || last.style == DoubleQuoted:
		if !p.sameLine(off, end) {
			p.failLateClose(off, end)
		}
		d := diag.Errorf(at, CodeUnexpected, "unexpected text after the closing quote").
			WithRelated(p.span(end-1, end), "this quote closes the text")
		p.fail(d.WithHint("%s", quoteHint(whole, rest)))
	}
	p.fail(diag.Errorf(at, CodeUnexpected, "unexpected text after the end of a value").
		WithHint("put the whole value in quotes if it is text%s", quotedAs(whole)))
}

// quoteHint returns a hint how to write whole, a value that begins with a quote; rest is the text
// after the closing quote.
func quoteHint(whole, rest []byte) string {
	quote, last := whole[0], rest[len(rest)-1]
	switch {
	case quote != '"' && quote != '\'': // a tag: `!contains(x, 'y')`
		return "put the whole value in quotes if it is text" + quotedAs(whole)
	case string(rest) == "," || string(rest) == ";":
		return "remove the `" + string(rest) + "`: outside brackets a line break ends an entry"
	case rest[0] == quote && last == quote && len(rest) > 1:
		return "put all of it in quotes" + quotedAs(whole) + "; write two values as a list, in " +
			"brackets with a comma between them"
	case last == quote && quote == '\'':
		if len(whole) > maxShown {
			return "write each quote inside the text twice, or use double quotes outside"
		}
		return "write each quote inside the text twice: " +
			"" + string(appendSingle(nil, whole[1:len(whole)-1]))
	case last == quote:
		return `write each quote inside the text as \", or use single quotes outside` + quotedAs(
			whole[1:len(whole)-1],
		)
	}
	return "put all of it in quotes" + quotedAs(whole)
}

// failNested rejects the `:` at colon on a line where no mapping can begin; value is the node
// before it.
func (p *parser) failNested(colon, value int) {
	at := p.span(colon, colon+1)
	if !p.sameLine(value, colon) {
		if q := p.src[value]; q == '"' || q == '\'' {
			p.fail(diag.Errorf(at, CodeKey, "this `:` makes a key of quoted text that began on "+
				"another line, but a key must be on one line").
				WithRelated(p.span(value, value+1), "the quote opens here").
				WithHint("close the quote on the line where it opens; write a line break in a " +
					"key as \\n in double quotes"))
		}
		p.fail(diag.Errorf(at, CodeKey, "expected a key before this `:`, on its line").
			WithRelated(p.span(value, p.textEnd(value)), "the text above begins here").
			WithHint("put the key and its `:` on one line, or put the whole text in quotes if " +
				"the `:` belongs to it"),
		)
	}
	key := bytes.TrimRight(p.src[value:colon], " \t")
	whole := p.src[value:p.textEnd(value)]
	start := p.lineStart(value)
	if p.atMarker(start) || bytes.HasPrefix(p.src[start:], []byte("\ufeff---")) {
		p.fail(diag.Errorf(at, CodeNested, "a mapping cannot begin on the same line as `---`").
			WithHint("put %s on the next line", shown(whole)))
	}
	d := diag.Errorf(
		at,
		CodeNested,
		"found a second `:` on this line, which would make a key of %s",
		shown(key),
	)
	if c := p.src[value]; c == '*' || c == '[' || c == '{' {
		d.WithHint("put %s on its own line, indented deeper", shown(whole))
	} else {
		d.WithHint("put the value in quotes%s; or, if it is a mapping, put it on its own line, "+
			"indented deeper", quotedAs(whole))
	}
	p.fail(d)
}

// failCollectionPlace rejects the `-`, `?` or `:` at pos, which would begin a block collection
// where none is allowed.
func (p *parser) failCollectionPlace(where place, pr *propsAt) {
	c := p.src[p.pos]
	what := map[byte]string{'-': "a list", '?': "a mapping", ':': "a mapping"}[c]
	at := p.span(p.pos, p.pos+1)
	text := p.src[p.pos:p.textEnd(p.pos)]
	if where != afterKey {
		props := p.src[pr.start:p.last]
		p.fail(diag.Errorf(at, CodeNested, "%s cannot begin on the same line as its anchor or "+
			"tag", what).
			WithRelated(p.span(pr.start, p.last), "this must be on an earlier line").
			WithHint("put %s on its own line, or after the `: ` of the key above", shown(props)))
	}
	start := p.lineStart(p.pos)
	if p.atMarker(start) || bytes.HasPrefix(p.src[start:], []byte("\ufeff---")) {
		p.fail(diag.Errorf(at, CodeNested, "%s cannot begin on the same line as `---`", what).
			WithHint("put %s on the next line", shown(text)))
	}
	switch {
	case c == ':':
		p.fail(
			diag.Errorf(at, CodeNested, "found a second `:` on this line, with no key before it").
				WithHint("remove it, or put the value in quotes if the `:` belongs to it%s", quotedAs(text)),
		)
	case len(text) == 1:
		p.fail(diag.Errorf(at, CodeNested, "`%c` alone is not a value: it begins %s, which "+
			"cannot begin on the same line as its key", c, what).
			WithHint("put it in quotes%s", quotedAs(text)))
	}
	d := diag.Errorf(at, CodeNested, "`%c ` begins %s, which cannot begin on the same line as "+
		"its key", c, what)
	p.fail(d.WithHint("put %s on the next line, or in quotes if it is "+
		"text%s", shown(text), quotedAs(text)))
}

func (p *parser) failLongKey(start int) {
	p.fail(
		diag.Errorf(p.span(start, p.pos), CodeKey,
			"found a key of %d bytes, but a key of more than %d must begin with `? `", p.pos-start,
			maxKey).
			WithHint("write `? ` before the key, and its value after a `: ` on the next line"),
	)
}
