package blame

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Node is a value of the output. There is about one per line, so it is kept small.
type Node struct {
	Value  tree.Value
	At     source.Pos // where its item was written
	Doc    int32      // its document
	Line   int32      // where it begins in the output, from 1
	Last   int32      // its last line, if it is a scalar
	Hidden bool       // its value is secret

	id     int32      // index in Report.Nodes
	parent int32      // index of the parent, or -1
	key    tree.Value // its key in a map
	index  int32      // its index in an array; -1 in a map

	// What set it: its own origin, or that of the ancestor that is up levels above.
	origin tree.Origin
	up     int32
	// Its origin in a template, if an overlay or override then inserted it as part of a larger value.
	from tree.Origin
	put  bool // origin is an overlay or override
}

// step returns the last segment of a node's path.
func (n *Node) step() path.Segment {
	if n.index >= 0 {
		return path.ToItem(int(n.index), int(n.index))
	}
	return path.ToKey(n.key)
}

// Path returns the path of a node in its document.
func (r *Report) Path(n *Node) path.Path {
	var p path.Path
	for ; n.parent >= 0; n = &r.Nodes[n.parent] {
		p = append(p, n.step())
	}
	slices.Reverse(p)
	return p
}

// documents prints the documents and finds the line of each node.
func (r *Report) documents(docs []tree.Doc) {
	r.Nodes = make([]Node, 0, nodesIn(docs))
	w := walker{Report: r, line: 1, asked: len(r.in.Secrets.Paths)+len(r.in.Secrets.Texts) > 0}
	w.out.Grow(cap(r.Nodes) * usualLine)
	for i := range docs {
		if !docs[i].Value.Empty() {
			w.document(&docs[i])
		}
	}
	for i, name := range selector.Names(r.selectable()) {
		r.Docs[i].Object = name
	}
	lines := split(w.out.Bytes())
	for i := range r.Nodes {
		n := &r.Nodes[i]
		for at := n.Line; at <= n.Last; at++ {
			lines[at-1].Node, lines[at-1].First = int32(i), at == n.Line
		}
	}
	for _, h := range w.hidden {
		h.in(lines)
	}
	if w.hidden != nil {
		lines = slices.DeleteFunc(lines, func(l Line) bool { return l.dropped })
	}
	r.Parts = append(r.Parts, Part{Lines: lines})
}

// usualLine is the approximate size of a printed node in bytes.
const usualLine = 24

// nodesIn returns the number of nodes in documents.
func nodesIn(docs []tree.Doc) (n int) {
	for i := range docs {
		nodes, _ := docs[i].Value.Weight()
		n += nodes
	}
	return n
}

// split splits a text into lines, without origins.
func split(text []byte) []Line {
	lines := make([]Line, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range strings.Lines(string(text)) {
		text := strings.TrimSuffix(line, "\n")
		lines = append(lines, Line{Text: text, Number: int32(len(lines) + 1), Node: -1})
	}
	return lines
}

// walker prints the documents while it walks them, so that it knows the line of each node.
type walker struct {
	*Report
	out     yaml.YAMLWriter
	printer tree.Printer
	printed int   // how many bytes of out were already searched for line breaks
	line    int32 // the line after them, from 1

	asked  bool      // there are rules for secrets other than those of Kubernetes
	at     path.Path // the current path, if secrets depend on it
	secret int       // the length of at where the enclosing Kubernetes Secret begins, or -1
	listed int       // the length of at where the enclosing list of Secrets begins, or -1
	hidden []hiding
}

// here returns the current line.
func (w *walker) here() int32 {
	text := w.out.Bytes()
	w.line += int32(bytes.Count(text[w.printed:], []byte("\n")))
	w.printed = len(text)
	return w.line
}

func (w *walker) document(d *tree.Doc) {
	if len(w.Docs) > 0 {
		w.out.Separator()
	}
	doc := int32(len(w.Docs))
	w.at, w.secret, w.listed = w.at[:0], -1, -1
	w.Docs = append(w.Docs, OutputDocument{At: d.Pos, value: d.Value})
	n := Node{
		Doc: doc, Value: d.Value, At: d.Pos, Line: w.here(), parent: -1, index: -1,
		origin: d.Value.Origin(),
	}
	n.put = isPut(w.setter(n.origin))
	w.node(n)
}

// node adds a node and prints its value at the cursor.
func (w *walker) node(n Node) {
	id := len(w.Nodes)
	n.id, n.Last, n.Hidden = int32(id), n.Line, w.hides(&n)
	w.Nodes = append(w.Nodes, n)
	switch {
	case n.Hidden:
		w.hide(&n)
	case n.Value.Kind() != tree.ScalarKind:
		secretAround, listAround := w.secret, w.listed
		if secret.IsObject(n.Value) || w.isListed() {
			w.secret = len(w.at)
		}
		if secret.IsList(n.Value) {
			w.listed = len(w.at)
		}
		w.children(int32(id), n.Value)
		w.secret, w.listed = secretAround, listAround
		return
	default:
		w.out.Scalar(n.Value.Scalar())
	}
	if n.Value.Kind() == tree.ScalarKind {
		w.Nodes[id].Last = w.here() - 1
	}
}

// isListed reports whether the current node is an item of a list of Secrets. Such an item may omit its
// kind.
func (w *walker) isListed() bool {
	const toItem = 2 // steps: items[0]
	return w.listed >= 0 && len(w.at) == w.listed+toItem && w.at[w.listed].Key.IsString("items")
}

// children adds the items of a collection.
func (w *walker) children(id int32, v tree.Value) {
	switch v.Kind() {
	case tree.MapKind:
		m, _ := v.Map()
		items := m.Entries()
		w.out.Mapping(len(items) == 0)
		for _, it := range items {
			line := w.here()
			w.printer.Write(&w.out, it.Key)
			w.item(w.child(id, it, -1), line)
		}
		w.end(items)
	case tree.ArrayKind:
		a, _ := v.Array()
		items := a.Entries()
		w.out.Sequence(len(items) == 0)
		for i, it := range items {
			w.item(w.child(id, it, i), w.here())
		}
		w.end(items)
	}
}

// end ends a collection, unless it is empty and so has already ended.
func (w *walker) end(items []tree.Item) {
	if len(items) > 0 {
		w.out.End()
	}
}

func (w *walker) item(n Node, line int32) {
	n.Line = line
	if w.secret >= 0 || w.listed >= 0 || w.asked {
		w.at = append(w.at, n.step())
		defer func() { w.at = w.at[:len(w.at)-1] }()
	}
	w.node(n)
}

// child returns the node for an item; an index of -1 means an item of a map. An item without an origin was
// set as part of its parent.
func (w *walker) child(parent int32, it tree.Item, index int) Node {
	around := &w.Nodes[parent]
	n := Node{
		Doc: around.Doc, Value: it.Value, At: it.Pos, parent: parent, key: it.Key,
		index: int32(index), origin: it.Value.Origin(),
	}
	switch origin := n.origin; {
	case origin == 0 && around.origin != 0:
		n.origin, n.up, n.from, n.put = around.origin, around.up+1, around.from, around.put
	case around.put && w.setter(origin) == tree.ByTemplate:
		n.origin, n.up, n.from, n.put = around.origin, around.up+1, origin, true
	case origin != 0:
		n.put = isPut(w.setter(origin))
	}
	if !n.At.IsValid() {
		n.At = around.At
	}
	return n
}

// setter returns the kind of setter that an origin records.
func (w *walker) setter(o tree.Origin) tree.Setter {
	s, _ := w.in.Origins.Of(o)
	return s.By
}

// isPut reports whether a setter changes documents produced by something else.
func isPut(s tree.Setter) bool {
	return s == tree.ByOverlay || s == tree.ByShortcut || s == tree.ByOverride
}

// text adds a text that is not YAML.
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
