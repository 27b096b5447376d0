package feature

import (
	"bytes"
	"regexp"
	"slices"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/workspace"
)

// yamlAround returns the text of a document with nothing but the YAML in the body of the function around an
// offset or, outside of functions, that which is in none: what a function returns is not where it is written.
// All bytes keep their places.
func yamlAround(doc *workspace.TextDocument, off int) []byte {
	data := doc.File().Data()
	if kind := doc.Kind(); kind != compile.YAML && kind != compile.PlainYAML {
		return data
	}
	text, from, to := data, 0, len(data)
	for _, m := range doc.Analysis().Blocks() {
		if m.Kind != script.Defines || m.One {
			continue
		}
		start, end := bodyOf(data, m)
		switch {
		case start <= off && off <= end:
			from, to = start, end // functions in functions come later
		case start < end:
			if &text[0] == &data[0] {
				text = bytes.Clone(data)
			}
			blankLines(text[start:end])
		}
	}
	if from == 0 && to == len(data) {
		return text
	}
	if &text[0] == &data[0] {
		text = bytes.Clone(data)
	}
	blankLines(text[:from])
	blankLines(text[to:])
	return text
}

// bodyOf returns where the lines of the body of a function begin and end.
func bodyOf(data []byte, m script.Mark) (start, end int) {
	start, end = len(data), min(m.End, len(data))
	if i := bytes.IndexByte(data[m.Off:], '\n'); i >= 0 {
		start = m.Off + i + 1
	}
	if end < len(data) {
		end = bytes.LastIndexByte(data[:end], '\n') + 1
	}
	return start, max(start, end)
}

// blankLines writes spaces over text, but keeps its lines.
func blankLines(text []byte) {
	for i, ch := range text {
		if ch != '\n' && ch != '\r' {
			text[i] = ' '
		}
	}
}

// maxUses limits the uses of functions that one request looks at: each of them reads its document again.
const maxUses = 32

// uses is what one request has found out about the functions around its place.
type uses struct {
	left  int // how many more uses it looks at
	known map[function]jsonschema.Outline
}

type function struct{ path, name string }

// usedAs returns what is known about the YAML that the function around an offset returns: what may be written
// where it is called as a value. A function that calls itself says nothing about itself.
func (d *described) usedAs(off int) jsonschema.Outline {
	name := functionAround(d.doc, off)
	if name == "" {
		return nil
	}
	if d.uses == nil {
		d.uses = &uses{left: maxUses, known: map[function]jsonschema.Outline{}}
	}
	f := function{d.doc.Path(), name}
	if _, ok := d.uses.known[f]; !ok {
		d.uses.known[f] = nil
		d.uses.known[f] = d.calledAs(name)
	}
	return d.uses.known[f]
}

// calledAs returns what is known about the values that calls of a function of this document make.
func (d *described) calledAs(name string) (o jsonschema.Outline) {
	for _, u := range d.callers(name) {
		call, err := regexp.Compile(`(?m)#@ +(template\.replace\( *)?` + regexp.QuoteMeta(u.name) + `\(`)
		if err != nil {
			return nil
		}
		data := u.doc.File().Data()
		for _, at := range call.FindAllSubmatchIndex(data, d.uses.left) {
			if d.uses.left <= 0 || d.ctx.Err() != nil {
				return o
			}
			d.uses.left--
			o = append(o, d.calledAt(u.doc, at[0], at[2] >= 0)...)
		}
	}
	return o
}

// calledAt returns what is known about the value that code at an offset makes. A value that replaces its node
// belongs to the map or the list around it.
func (d *described) calledAt(doc *workspace.TextDocument, off int, replaces bool) jsonschema.Outline {
	of, at := d.writtenAt(doc, off)
	if at == nil {
		return nil
	}
	if replaces && len(at.Path) > 0 {
		at.Path = at.Path[:len(at.Path)-1]
	}
	return at.Outline(of.rules)
}

// writtenAt returns the place of the value that code at an offset makes, and what describes its document. The
// place is nil if nothing does.
func (d *described) writtenAt(doc *workspace.TextDocument, off int) (*described, *outline.Cursor) {
	of := describedBy(d.ctx, doc)
	if of == nil || of.rules == nil {
		return nil, nil
	}
	of.uses = d.uses
	of.off = off
	at := outline.Typed(yamlAround(doc, off), off, doc.Syntax())
	if at == nil || at.Key {
		return nil, nil
	}
	return of, at
}

var defName = lazy.Regexp{Text: `^[^\n]*?\bdef\s+(\w+)`}

// functionAround returns the name of the innermost function in whose body an offset is, or "".
func functionAround(doc *workspace.TextDocument, off int) (name string) {
	data := doc.File().Data()
	for _, m := range doc.Analysis().Blocks() {
		if m.Kind != script.Defines || m.One {
			continue
		}
		if start, end := bodyOf(data, m); start <= off && off <= end {
			if found := defName.Get().FindSubmatch(data[m.Off:]); found != nil {
				name = string(found[1])
			}
		}
	}
	return name
}

// caller is a document that may call a function by a name.
type caller struct {
	doc  *workspace.TextDocument
	name string
}

// callers returns the documents that may call a function of this one, and the name that it has there.
func (d *described) callers(name string) []caller {
	list := []caller{{d.doc, name}}
	all, src, err := d.doc.Index(d.ctx, false)
	if err != nil {
		return list
	}
	i := slices.IndexFunc(src.File.Bindings, func(b index.Binding) bool {
		return b.Kind == index.FunctionName && b.Name == name
	})
	if i < 0 {
		return list
	}
	for _, u := range all.Uses(index.Symbol{Source: src, ID: index.ID(i)}) {
		doc := d.doc.Snapshot().Document(u.Source.Path)
		if doc != nil && !slices.ContainsFunc(list, func(c caller) bool { return c.doc.Path() == doc.Path() }) {
			list = append(list, caller{doc, u.Name})
		}
	}
	return list
}
