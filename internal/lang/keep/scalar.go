package keep

import (
	"bytes"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// longestKey is the maximum length of a key without a question mark, with some slack.
const longestKey = 1000

// key writes the key of a map item in column col. It returns false if the key follows a question
// mark, so that its colon is on the next line.
func (p *printer) key(it *tree.Item, origin entry, col int) bool {
	if it.Key.Kind() != tree.ScalarKind {
		p.dst = p.flow(append(p.dst, "? "...), it.Key)
		return false
	}
	key := it.Key
	if _, _, written := key.Syntax(); !written && origin.ok() && p.sameKey(it, origin) {
		key = tree.FromSyntax(origin.p.t, origin.n)
	}
	key = edit.Key(key)
	if raw, ok := p.raw(key); ok && len(raw) <= longestKey {
		p.dst = append(p.dst, raw...)
		return true
	}
	val, text := key.Scalar()
	if isMergeText(val, text) {
		p.dst = yaml.AppendDouble(p.dst, text)
		return true
	}
	simple := val.Kind != yaml.String || yaml.IsSimpleKey(text)
	if !simple {
		p.dst = append(p.dst, "? "...)
	}
	p.dst = yaml.AppendValue(p.dst, val, text, col+2)
	return simple
}

// isMergeText reports whether a key is a string that would be read as a merge key without quotes.
func isMergeText(v yaml.Value, text []byte) bool {
	return v.Kind == yaml.String && string(text) == "<<"
}

// raw returns the source text of a scalar if the printer keeps literals and the text is one line: see
// edit.Raw.
func (p *printer) raw(v tree.Value) ([]byte, bool) {
	if p.what&Literals == 0 {
		return nil, false
	}
	return edit.Raw(v)
}

// short writes a scalar or an empty collection of an entry in column col, with the comment after
// it, and ends the line.
func (p *printer) short(v tree.Value, note []byte, col int) {
	switch v.Kind() {
	case tree.MapKind:
		p.dst = append(p.dst, " {}"...)
	case tree.ArrayKind:
		p.dst = append(p.dst, " []"...)
	default:
		p.scalar(v, note, col)
		return
	}
	p.dst = append(append(p.dst, note...), '\n')
}

// scalar writes a scalar with the comment after it, and ends the line.
func (p *printer) scalar(v tree.Value, note []byte, col int) {
	at := len(p.dst) + 1
	p.appendScalar(v, note, col)
	if len(p.dst) > at && (p.dst[at] == '|' || p.dst[at] == '>') {
		p.blockEnd = len(p.dst)
		header, _, _ := bytes.Cut(p.dst[at:], []byte("\n"))
		if bytes.IndexByte(header[:min(3, len(header))], '+') > 0 {
			p.sticky = len(p.dst)
		}
	}
}

func (p *printer) appendScalar(v tree.Value, note []byte, col int) {
	if raw, ok := p.raw(v); ok || p.isTaggedFloat(v) {
		if !ok {
			p.dst = append(p.dst, " !!float"...)
			t, n, _ := v.Syntax()
			raw = t.Raw(n)
		}
		p.dst = append(append(p.dst, ' '), raw...)
		p.dst = append(append(p.dst, note...), '\n')
		return
	}
	t, n, ok := v.Syntax()
	if ok = ok && p.what&Literals != 0 && !t.HasTag(n); ok {
		switch style := t.Style(n); {
		case t.IsCut(n):
		case style == yaml.Literal || style == yaml.Folded:
			p.dst = append(t.AppendBlockScalar(append(p.dst, ' '), n, col+2, note), '\n')
			return
		case len(t.Raw(n)) == 0 && style == yaml.Plain:
			p.dst = append(append(p.dst, note...), '\n')
			return
		case bytes.IndexByte(t.Raw(n), '\n') >= 0 && edit.Portable(t.Raw(n)):
			p.folded(t.Raw(n), col+2)
			p.dst = append(append(p.dst, note...), '\n')
			return
		}
	}
	val, text := v.Scalar()
	p.dst = append(p.dst, ' ')
	at := len(p.dst)
	p.dst = yaml.AppendValue(p.dst, val, text, col+2)
	p.dst = insertNote(p.dst, at, note)
}

// isTaggedFloat reports whether a scalar is kept as it is written and is a float only because of its
// tag: `!!float 3` without it is an integer.
func (p *printer) isTaggedFloat(v tree.Value) bool {
	t, n, ok := v.Syntax()
	if !ok || p.what&Literals == 0 || !t.HasTag(n) || t.Style(n) > yaml.DoubleQuoted ||
		bytes.IndexByte(t.Raw(n), '\n') >= 0 {
		return false
	}
	val, text := v.Scalar()
	read := yaml.Core.Resolve(yaml.AppendValue(nil, val, text, 0))
	return val.Kind == yaml.Float && read.Kind != yaml.Float
}

// folded writes a multi-line scalar, with all lines but the first in column col.
func (p *printer) folded(raw []byte, col int) {
	p.dst = append(p.dst, ' ')
	for i, line := range bytes.Split(raw, []byte("\n")) {
		line = bytes.TrimRight(line, "\r")
		if i > 0 {
			line = bytes.TrimLeft(line, " \t")
			p.dst = append(p.dst, '\n')
			if len(line) > 0 {
				p.dst = appendSpaces(p.dst, col)
			}
		}
		p.dst = append(p.dst, line...)
	}
}

// insertNote inserts a comment into text, after the scalar that begins at offset at, or after the
// header of a block scalar, and ends the last line.
func insertNote(text []byte, at int, note []byte) []byte {
	if len(note) > 0 {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return append(append(text, note...), '\n')
		}
		rest := bytes.Clone(text[at+i:])
		text = append(append(text[:at+i], note...), rest...)
	}
	return append(text, '\n')
}

// inBrackets reports whether a collection, or the one that it replaced, was written in brackets.
func (p *printer) inBrackets(v tree.Value, origin entry) bool {
	if t, n, ok := v.Syntax(); ok {
		return t.Style(n) == yaml.Flow
	}
	if !origin.ok() {
		return false
	}
	t := origin.p.t
	n := t.Target(origin.value())
	return t.Kind(n) == kindOf(v) && t.Style(n) == yaml.Flow
}

// flowLine writes a collection in brackets. If the line would be too long, it changes nothing and
// returns false.
func (p *printer) flowLine(v tree.Value, note []byte) bool {
	const maxColumns = 100
	at := len(p.dst)
	begin := bytes.LastIndexByte(p.dst, '\n') + 1
	p.dst = p.flow(append(p.dst, ' '), v)
	if len(p.dst)-begin > maxColumns {
		p.dst = p.dst[:at]
		return false
	}
	p.dst = append(append(p.dst, note...), '\n')
	return true
}

// flow writes a value in brackets, on one line.
func (p *printer) flow(dst []byte, v tree.Value) []byte {
	if v.Kind() == tree.ScalarKind {
		return p.flowScalar(dst, v)
	}
	return edit.AppendBrackets(dst, v, p.flowEntry, p.flow)
}

func (p *printer) flowEntry(dst []byte, it tree.Item) []byte {
	return p.flow(append(p.flowKey(dst, it.Key), ": "...), it.Value)
}

func (p *printer) flowKey(dst []byte, key tree.Value) []byte {
	if key.Kind() == tree.ScalarKind && isMergeText(key.Scalar()) {
		return yaml.AppendDouble(dst, []byte("<<"))
	}
	text := p.flow(nil, edit.Key(key))
	if key.Kind() != tree.ScalarKind || len(text) > longestKey {
		dst = append(dst, "? "...)
	}
	return append(dst, text...)
}

func (p *printer) flowScalar(dst []byte, v tree.Value) []byte {
	if _, _, ok := v.Syntax(); ok && p.what&Literals == 0 {
		v = tree.Of(v.Starlark())
	}
	return edit.AppendScalar(dst, v)
}
