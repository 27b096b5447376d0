package emit

import (
	"io"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Pos writes a line for each document, map item and array item: where it comes from, and what it is.
// The column of places is empty for nodes that code created. For those, ytt writes arrays as YAML
// without the column, and crashes on maps.
//
//	config.yml:1 | [doc]
//	config.yml:2 |   a: 1
//	config.yml:3 |   [0] x
func Pos(w io.Writer, files *source.Set, docs []tree.Doc) (int64, error) {
	o := output{w: w}
	p := posPrinter{files: files, o: &o}
	for d := range full(docs) {
		if files.File(d.Pos) == nil {
			p.dst = append(p.dst, "[doc]\n"...) // its origin is unknown
		} else {
			p.line(d.Pos, "[doc]", 0)
		}
		if p.isLeaf(d.Value) {
			p.write("", p.text(d.Value), 1)
		} else {
			p.children(d.Value, 1)
		}
	}
	o.put(p.dst)
	return o.n, o.err
}

type posPrinter struct {
	files *source.Set
	o     *output
	dst   []byte
	width int // the width of the column of places
}

// isLeaf reports whether v is a scalar.
func (p *posPrinter) isLeaf(v tree.Value) bool {
	if _, ok := v.Map(); ok {
		return false
	}
	_, ok := v.Array()
	return !ok
}

// text returns a leaf as YAML.
func (p *posPrinter) text(v tree.Value) string {
	var w yaml.YAMLWriter
	var tp tree.Printer
	tp.Write(&w, v)
	return strings.TrimSuffix(string(w.Bytes()), "\n")
}

// children writes the items of a collection.
func (p *posPrinter) children(v tree.Value, depth int) {
	if m, ok := v.Map(); ok {
		for _, it := range m.Entries() {
			p.item(it, key(it.Key)+":", depth)
		}
		return
	}
	a, _ := v.Array()
	for i, it := range a.Entries() {
		p.item(it, "["+strconv.Itoa(i)+"]", depth)
	}
}

// item writes the line of an item, and what is below it.
func (p *posPrinter) item(it tree.Item, label string, depth int) {
	if !p.isLeaf(it.Value) {
		p.line(it.Pos, label, depth)
		p.children(it.Value, depth+1)
		return
	}
	text := p.text(it.Value)
	if strings.Contains(text, "\n") {
		p.line(it.Pos, label, depth)
		p.write("", text, depth+1)
		return
	}
	p.line(it.Pos, label+" "+text, depth)
}

// key returns the text of a key; one that is not a scalar is shown as JSON.
func key(v tree.Value) string {
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, v)
	if b := w.Bytes(); b[0] == '{' || b[0] == '[' {
		return string(b)
	}
	return v.Text()
}

// line writes a line that begins with a place.
func (p *posPrinter) line(pos source.Pos, text string, depth int) {
	place := ""
	if f := p.files.File(pos); f != nil {
		place = diag.Visible(f.Name()) + ":" + strconv.Itoa(f.Line(pos.Offset()))
	}
	p.write(place, text, depth)
}

// write writes a line. The column of places grows in steps, so that short names align with those
// before them.
func (p *posPrinter) write(place, text string, depth int) {
	if len(place) > p.width {
		p.width = len(place) + 10
	}
	for range p.width - len(place) {
		p.dst = append(p.dst, ' ')
	}
	p.dst = append(p.dst, place...)
	p.dst = append(p.dst, " | "...)
	for range depth {
		p.dst = append(p.dst, "  "...)
	}
	p.dst = append(p.dst, text...)
	p.dst = append(p.dst, '\n')
	if len(p.dst) >= chunk {
		p.o.put(p.dst)
		p.dst = p.dst[:0]
	}
}
