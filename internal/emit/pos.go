package emit

import (
	"io"
	"strconv"

	"weft/internal/yaml"
)

// Pos writes a line for each document, mapping item and sequence item: where it comes from, and what it is.
//
//	config.yml:1 | [doc]
//	config.yml:2 |   a: 1
//	config.yml:3 |   [0] x
func Pos(w io.Writer, docs []Document) (int64, error) {
	p := posPrinter{}
	i := 0
	for c, root := range roots(docs) {
		for docs[i].Tree != c.Tree || docs[i].Tree.Root(docs[i].ID) != root {
			i++
		}
		p.c = c
		p.line(docs[i].ID, "[doc]", 0)
		if k := c.Tree.Kind(c.Tree.Target(root)); k == yaml.Scalar || k == yaml.Alias {
			p.scalar(root, 1)
		} else {
			p.children(root, 1)
		}
	}
	o := output{w: w}
	o.flush(p.dst, true)
	return o.n, o.err
}

type posPrinter struct {
	c     *yaml.Composer
	dst   []byte
	width int // of the column of places
}

// children writes what collection n holds.
func (p *posPrinter) children(n yaml.NodeID, depth int) {
	t := p.c.Tree
	n = t.Target(n)
	if t.Kind(n) == yaml.Mapping {
		for key, value := range p.c.Entries(n) {
			p.item(key, p.key(key)+":", value, depth)
		}
		return
	}
	i := 0
	for item := n + 1; item < t.Next(n); item = t.Next(item) {
		p.item(item, "["+strconv.Itoa(i)+"]", item, depth)
		i++
	}
}

// item writes the line of an item that begins at node at, and what is below it.
func (p *posPrinter) item(at yaml.NodeID, label string, value yaml.NodeID, depth int) {
	t := p.c.Tree
	target := t.Target(value)
	if t.Kind(target) != yaml.Scalar {
		p.line(at, label, depth)
		p.children(target, depth+1)
		return
	}
	v, text := p.c.Scalar(target)
	if v.Kind == yaml.String && yaml.QuotingOf(text) == yaml.AsLiteral {
		p.line(at, label, depth)
		p.scalar(target, depth+1)
		return
	}
	p.line(at, label+" "+string(yaml.AppendValue(nil, v, text, 2)), depth)
}

// scalar writes a scalar on a line without a place.
func (p *posPrinter) scalar(n yaml.NodeID, depth int) {
	v, text := p.c.Scalar(p.c.Tree.Target(n))
	p.write("", string(yaml.AppendValue(nil, v, text, 2)), depth)
}

// key is the text of a key; one that is no scalar is shown as JSON.
func (p *posPrinter) key(n yaml.NodeID) string {
	t := p.c.Tree
	n = t.Target(n)
	if t.Kind(n) != yaml.Scalar {
		var w yaml.JSONWriter
		p.c.Write(&w, n)
		return string(w.Bytes())
	}
	v, text := p.c.Scalar(n)
	if v.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, v, nil, 0))
}

// line writes a line that begins with the place of node n.
func (p *posPrinter) line(n yaml.NodeID, text string, depth int) {
	t := p.c.Tree
	p.write(t.File().Name()+":"+strconv.Itoa(t.Line(n)), text, depth)
}

// write writes a line. The column of places grows in steps, so that short names stand in one line with those before them.
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
}
