package feature

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project/fleet"
	"weft/internal/serve/lsp/workspace"
)

// printed is the output of a view as text, with the origin of each line.
type printed struct {
	text  string
	yaml  bool
	files *source.Set // the files that places refer to
	lines []printedLine
	nodes []printedNode
}

// printedNode is a node of a document: an item of the node around it.
type printedNode struct{ parent, index int } // parent is -1 for a document

// printedLine is where a line comes from.
type printedLine struct {
	at source.Pos // where it was written; invalid if unknown

	// The document of the line, by its number in the whole output, and the node. The document is -1 if
	// there is none.
	doc, node int

	file   string // for a line of a text template: its path
	number int    // and the number of the line in that text, from 1
}

// printResult prints the result of an evaluation, or one of its outputs. It fails when ctx ends.
func printResult(
	ctx context.Context, v *workspace.View, res *engine.Result, only int,
) (printed, error) {
	p := printed{files: res.Files, yaml: true}
	printing, first := *res, 0
	if only != everything {
		if out := &res.Outputs[only]; out.File.Input.Type == load.Text {
			p.addText(out)
			return p, nil
		}
		printing.Outputs, printing.Docs = res.Outputs[only:only+1], res.Outputs[only].Docs
		first = documentsOf(res.Outputs[:only])
	}
	opts := v.Options()
	opts.Format = fleet.YAML
	b := awaited{ctx: ctx}
	if _, err := opts.Result(&printing).WriteTo(&b); err != nil {
		return printed{}, err
	}
	if p.text = b.String(); p.text == "" && only == everything {
		for i := range printing.Outputs {
			if out := &printing.Outputs[i]; out.File.Input.Type == load.Text {
				p.addText(out)
			}
		}
		return p, nil
	}
	p.number()
	p.mapDocuments(ctx, printing.Docs, first, v.Config().Compile)
	return p, ctx.Err()
}

// awaited is a buffer whose writes fail when its context has ended.
type awaited struct {
	bytes.Buffer
	ctx context.Context
}

func (a *awaited) Write(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.Buffer.Write(p)
}

// everything is the index of all outputs.
const everything = -1

// documentsOf returns the number of documents of outputs that are printed.
func documentsOf(outputs []eval.Output) (n int) {
	for _, out := range outputs {
		for _, d := range out.Docs {
			if !d.Value.Empty() {
				n++
			}
		}
	}
	return n
}

// addText adds the output of a text template.
func (p *printed) addText(out *eval.Output) {
	p.yaml = false
	from := len(p.lines)
	p.text += out.Text
	for range strings.Lines(out.Text) {
		p.lines = append(p.lines, printedLine{
			doc: -1, file: out.File.Input.Path, number: len(p.lines) - from + 1,
		})
	}
}

// number adds lines without origins.
func (p *printed) number() {
	for range strings.Lines(p.text) {
		p.lines = append(p.lines, printedLine{doc: -1})
	}
}

// mapDocuments finds the lines of the nodes of documents: it parses the text again, and compares it
// with the documents. That works even if comments and styles are kept.
func (p *printed) mapDocuments(
	ctx context.Context, docs []tree.Doc, first int, opt compile.Options,
) {
	var set source.Set
	f, err := set.Add("output", []byte(p.text))
	if err != nil {
		return
	}
	t, err := yaml.Parse(f, opt.YAML)
	if err != nil {
		return
	}
	m := lineMap{printed: p, tree: t, file: f, doc: first - 1}
	at := t.First()
	for i := range docs {
		if docs[i].Value.Empty() {
			continue
		}
		if !t.More(at) || ctx.Err() != nil {
			return
		}
		m.doc++
		m.node(t.Root(at), docs[i].Value, docs[i].Pos, m.add(-1, 0))
		at = t.Next(at)
	}
}

// lineMap walks a text and the document that was printed as it.
type lineMap struct {
	*printed
	tree *yaml.Tree
	file *source.File
	doc  int
}

// add adds a node.
func (m *lineMap) add(parent, index int) int {
	m.nodes = append(m.nodes, printedNode{parent, index})
	return len(m.nodes) - 1
}

// node maps the lines of a node, whose item was written at a place.
func (m *lineMap) node(n yaml.NodeID, v tree.Value, at source.Pos, id int) {
	switch {
	case v.Kind() == tree.MapKind && m.tree.Kind(n) == yaml.Mapping:
		m.mapping(n, v.Entries(), at, id)
	case v.Kind() == tree.ArrayKind && m.tree.Kind(n) == yaml.Sequence:
		m.sequence(n, v.Entries(), at, id)
	default:
		span := m.tree.Span(n)
		m.fill(m.file.Line(span.Offset()), m.file.Line(max(span.Offset(), span.End()-1)), id, at)
	}
}

func (m *lineMap) mapping(n yaml.NodeID, items []tree.Item, around source.Pos, id int) {
	t := m.tree
	key := n + 1
	for i, it := range items {
		if key >= t.Next(n) {
			return
		}
		if t.Kind(key) != yaml.Scalar || string(t.Text(key)) != tree.KeyText(it.Key) {
			continue // merged from elsewhere, or a collection
		}
		at, item := placeOf(it, around), m.add(id, i)
		m.fill(t.Line(key), t.Line(key), item, at)
		m.node(t.Next(key), it.Value, at, item)
		key = t.Next(t.Next(key))
	}
}

func (m *lineMap) sequence(n yaml.NodeID, items []tree.Item, around source.Pos, id int) {
	t := m.tree
	node := n + 1
	for i, it := range items {
		if node >= t.Next(n) {
			return
		}
		at, item := placeOf(it, around), m.add(id, i)
		m.fill(t.Line(node), t.Line(node), item, at)
		m.node(node, it.Value, at, item)
		node = t.Next(node)
	}
}

// pathTo returns the indexes of items that lead to a node in its document.
func (p *printed) pathTo(node int, v tree.Value) path.Path {
	var indexes []int
	for ; p.nodes[node].parent >= 0; node = p.nodes[node].parent {
		indexes = append(indexes, p.nodes[node].index)
	}
	var to path.Path
	for _, i := range slices.Backward(indexes) {
		items := v.Entries()
		if i >= len(items) {
			return to
		}
		if v.Kind() == tree.MapKind {
			to = append(to, path.ToKey(items[i].Key))
		} else {
			to = append(to, path.ToItem(i, i))
		}
		v = items[i].Value
	}
	return to
}

// placeOf returns where an item was written, or the place of its container if code computed it.
func placeOf(it tree.Item, around source.Pos) source.Pos {
	if it.Pos.IsValid() {
		return it.Pos
	}
	return around
}

// fill sets the origin of lines; later calls, for nodes further inside, win. Lines of a block scalar
// have their own places if the source has the same lines.
func (m *lineMap) fill(from, to, node int, at source.Pos) {
	f := m.files.File(at)
	for line := from; line <= to && line <= len(m.lines); line++ {
		l := &m.lines[line-1]
		l.doc, l.node, l.at = m.doc, node, at
		if line == from || f == nil {
			continue
		}
		number := f.Line(at.Offset()) + line - from
		if number <= f.Lines() && len(bytes.TrimSpace(m.file.Text(line))) > 0 &&
			bytes.Equal(bytes.TrimSpace(f.Text(number)), bytes.TrimSpace(m.file.Text(line))) {
			l.at = f.Pos(f.Offset(number, 1, source.Bytes))
		}
	}
}
