package blame

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"weft/internal/emit"
	"weft/internal/path"
	"weft/internal/secret"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// Node is a value of the output. There are as many as there are lines, so that they are small.
type Node struct {
	Value  tree.Value
	At     source.Pos // where its item was written
	Doc    int32      // its document
	Line   int32      // the line of the output on which it begins, from 1
	Last   int32      // its last line, if it is a scalar
	Hidden bool       // it is secret

	parent int32      // the node around it, or -1
	key    tree.Value // in a map
	index  int32      // in an array; -1 in a map

	// What set it: its own origin, or that of the node around it that is up steps away.
	origin tree.Origin
	up     int32
}

// step is the last step of the way to a node.
func (n *Node) step() path.Segment {
	if n.index >= 0 {
		return path.ToItem(int(n.index), int(n.index))
	}
	return path.ToKey(n.key)
}

// Path is the way from the document to a node.
func (r *Report) Path(n *Node) path.Path {
	var p path.Path
	for ; n.parent >= 0; n = &r.Nodes[n.parent] {
		p = append(p, n.step())
	}
	slices.Reverse(p)
	return p
}

// documents prints the documents and finds the line of each node: the text is read again, and its
// tree has the shape of the documents.
func (r *Report) documents(docs []tree.Document) error {
	text := emit.Bytes(docs)
	if len(text) == 0 {
		r.Parts = append(r.Parts, Part{})
		return nil
	}
	var set source.Set
	f, err := set.Add("output", text)
	if err != nil {
		return err
	}
	t, err := yaml.Parse(f, yaml.Options{MaxDepth: math.MaxInt32, MaxNodes: math.MaxInt32})
	if err != nil {
		return fmt.Errorf("reading the output: %w", err)
	}
	w := walker{Report: r, tree: t, file: f, asked: len(r.in.Secrets.Paths)+len(r.in.Secrets.Texts) > 0}
	w.lines = split(text)
	r.Nodes = make([]Node, 0, nodesIn(docs))
	at := t.First()
	for i := range docs {
		if docs[i].Value.Empty() {
			continue
		}
		w.document(&docs[i], t.Root(at))
		at = t.Next(at)
	}
	lines := slices.DeleteFunc(w.lines, func(l Line) bool { return l.dropped })
	r.Parts = append(r.Parts, Part{Lines: lines})
	return nil
}

// nodesIn is how many nodes there are in documents.
func nodesIn(docs []tree.Document) (n int) {
	for i := range docs {
		nodes, _ := docs[i].Value.Weight()
		n += nodes
	}
	return n
}

// split is a text as lines that belong to nobody yet.
func split(text []byte) []Line {
	lines := make([]Line, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range strings.Lines(string(text)) {
		text := strings.TrimSuffix(line, "\n")
		lines = append(lines, Line{Text: text, Number: len(lines) + 1, Node: -1})
	}
	return lines
}

// walker walks the documents and the tree of their text side by side.
type walker struct {
	*Report
	tree  *yaml.Tree
	file  *source.File
	lines []Line
	doc   int

	asked  bool      // there are other secrets than those of Kubernetes
	at     path.Path // where it is, if it has to do with secrets
	secret int       // where in at the Kubernetes Secret begins that it is in, or -1
}

func (w *walker) document(d *tree.Document, root yaml.NodeID) {
	w.doc, w.at, w.secret = len(w.Docs), w.at[:0], -1
	w.Docs = append(w.Docs, Document{Object: objectName(d.Value), At: d.Pos, value: d.Value})
	n := Node{
		Doc: int32(w.doc), Value: d.Value, At: d.Pos, parent: -1, index: -1, origin: d.Value.Origin(),
	}
	w.node(n, root, root)
}

// node adds the node whose line is that of syntax node at, and whose value is syntax node value.
func (w *walker) node(n Node, at, value yaml.NodeID) {
	n.Line = int32(w.tree.Line(at))
	n.Last = n.Line
	scalar := n.Value.Kind() == tree.ScalarKind
	if scalar {
		n.Last = int32(w.lastLine(value))
	}
	n.Hidden = w.hides(&n)
	id := int32(len(w.Nodes))
	w.Nodes = append(w.Nodes, n)
	for i := n.Line; i <= n.Last; i++ {
		w.lines[i-1].Node, w.lines[i-1].First = int(id), i == n.Line
	}
	if n.Hidden {
		w.hide(&n, value)
		return
	}
	around := w.secret
	if secret.IsObject(n.Value) {
		w.secret = len(w.at)
	}
	w.children(id, n.Value, value)
	w.secret = around
}

// children adds the items of a collection.
func (w *walker) children(id int32, v tree.Value, value yaml.NodeID) {
	switch v.Kind() {
	case tree.MapKind:
		m, _ := v.Map()
		key := value + 1
		for _, it := range m.Entries() {
			v := w.tree.Next(key)
			w.item(w.child(id, it, -1), key, v)
			key = w.tree.Next(v)
		}
	case tree.ArrayKind:
		a, _ := v.Array()
		item := value + 1
		for i, it := range a.Entries() {
			w.item(w.child(id, it, i), item, item)
			item = w.tree.Next(item)
		}
	}
}

func (w *walker) item(n Node, at, value yaml.NodeID) {
	if w.secret >= 0 || w.asked {
		w.at = append(w.at, n.step())
		defer func() { w.at = w.at[:len(w.at)-1] }()
	}
	w.node(n, at, value)
}

// lastLine is the line on which a scalar ends. A block ends with its line break.
func (w *walker) lastLine(n yaml.NodeID) int {
	span := w.tree.Span(n)
	end := span.End()
	if end > span.Offset() && w.file.Data()[end-1] == '\n' {
		end--
	}
	return max(w.tree.Line(n), w.file.Line(end))
}

// child is an item of a node, of an array if it has an index. What nothing has set by itself was set
// with what it lies in.
func (w *walker) child(parent int32, it tree.Item, index int) Node {
	around := &w.Nodes[parent]
	n := Node{
		Doc: around.Doc, Value: it.Value, At: it.Pos, parent: parent, key: it.Key,
		index: int32(index), origin: it.Value.Origin(),
	}
	if n.origin == 0 && around.origin != 0 {
		n.origin, n.up = around.origin, around.up+1
	}
	if !n.At.IsValid() {
		n.At = around.At
	}
	return n
}

// text adds a text that is no YAML.
func (r *Report) text(t Text) {
	lines := split([]byte(t.Text))
	for i := range lines {
		if i < len(t.Lines) {
			lines[i].Origin = t.Lines[i]
			r.hideLine(&lines[i])
		}
	}
	r.Parts = append(r.Parts, Part{File: t.File, Lines: lines})
}

// objectName is what a document calls itself, as Deployment/web.
func objectName(v tree.Value) string {
	kind, ok := v.Lookup("kind")
	if !ok || kind.Kind() != tree.ScalarKind {
		return ""
	}
	meta, ok := v.Lookup("metadata")
	if !ok {
		return scalarText(kind)
	}
	name, ok := meta.Lookup("name")
	if !ok || name.Kind() != tree.ScalarKind || name.IsNull() {
		return scalarText(kind)
	}
	return scalarText(kind) + "/" + scalarText(name)
}

// scalarText is the text of a scalar, without quotes.
func scalarText(v tree.Value) string {
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		return string(text)
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}
