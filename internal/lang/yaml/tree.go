package yaml

import (
	"cmp"
	"iter"
	"slices"

	"weft/internal/lang/source"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of node.
const (
	Document Kind = iota
	Mapping
	Sequence
	Scalar
	Alias
	Invalid // text that could not be parsed; only in trees of ParseTolerant
)

func (k Kind) String() string {
	return [...]string{"document", "mapping", "sequence", "scalar", "alias", "invalid"}[k]
}

// Style is how a node is written: one of the five styles of scalars, or flow or block for
// collections.
type Style uint8

// The styles. A collection is Block or Flow; a scalar is one of the others.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
	Block
	Flow
)

// flags of a node.
const (
	// the text is not just the source between the quotes: it has folded lines or escapes, or is a
	// block
	cooked   uint8 = 1 << iota
	explicit       // a document that begins with `---`, a key that begins with `?`
	ended          // a document that ends with `...`
	merges         // a mapping with a merge key `<<`
	// can own a comment: a document with `---`, a key, a sequence item
	item
)

// NodeID is the index of a node in its tree. The zero NodeID is the first document, which is never
// a value: where a value is expected, it means "none".
type NodeID uint32

// node has 24 bytes and no pointer; a tree is a slice of nodes.
type node struct {
	// where its entry begins: at `-`, `?`, `:`, a property, or the content itself; at `---` for a
	// document
	start uint32
	off   uint32 // the content
	end   uint32 // after the content
	next  NodeID // after the subtree; 0 while a collection is open
	ref   uint32 // for an alias, the node it refers to; else an index into props, 0 for none
	kind  Kind
	style Style
	flags uint8
}

// props are the properties before the content of a node. Most nodes have none.
type props struct {
	anchor, anchorEnd uint32 // the name after `&`; empty for none
	tag, tagEnd       uint32 // the tag as written, `!` included; empty for none
	indent            uint32 // the column of a block scalar's lines, if an indicator sets it
}

// directives of one document.
type directives struct {
	doc      NodeID
	off, end uint32 // the lines, as written
	version  string
	handles  map[string]string // %TAG
}

// Tree is a parsed YAML file: a stream of documents. It never changes.
type Tree struct {
	file *source.File
	// the source, with every lone "\r" replaced by "\n"; offsets are the same
	text       []byte
	nodes      []node
	props      []props
	comments   []Comment
	directives []directives
	grammar    Grammar
	schema     Schema
	unique     bool // see Options.UniqueKeys
	noteKeys   bool // see Options.NoteKeys
	typed      bool // see Options.Typed

	watch   *Watch   // records reads; may be nil
	changed Changed  // see Tree.Changed
	repeats []NodeID // mappings with duplicate keys: see Tree.Overridden
	holes   []hole   // what could not be parsed: see ParseTolerant

	work int // bytes and nodes that the parser visited; growth tests read it
}

// File returns the file that the tree was read from.
func (t *Tree) File() *source.File { return t.file }

// Schema returns the schema of the tree's plain scalars.
func (t *Tree) Schema() Schema { return t.schema }

// In returns the same tree with another schema.
func (t *Tree) In(s Schema) *Tree {
	in := *t
	in.schema = s
	return &in
}

// IsTyped reports whether the tree was parsed from a flag.
func (t *Tree) IsTyped() bool { return t.typed }

// Len returns the number of nodes, documents included.
func (t *Tree) Len() int { return len(t.nodes) }

// First returns the first document; use Next for the others. In a tree without documents, First
// equals Len.
func (t *Tree) First() NodeID { return 0 }

// More reports whether n is a node, not the end of the tree.
func (t *Tree) More(n NodeID) bool { return int(n) < len(t.nodes) }

// Documents returns the documents, in order.
func (t *Tree) Documents() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		for doc := t.First(); t.More(doc) && yield(doc); doc = t.Next(doc) {
		}
	}
}

// Items returns the items of sequence n. For a mapping, it returns keys and values alternately.
func (t *Tree) Items(n NodeID) iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		for item := n + 1; item < t.Next(n) && yield(item); item = t.Next(item) {
		}
	}
}

// Count returns how many items a sequence has, or how many keys a mapping.
func (t *Tree) Count(n NodeID) (count int) {
	for range t.Items(n) {
		count++
	}
	if t.nodes[n].kind == Mapping {
		count /= 2
	}
	return count
}

// Pairs returns the keys of mapping n, each with its value.
func (t *Tree) Pairs(n NodeID) iter.Seq2[NodeID, NodeID] {
	return func(yield func(key, value NodeID) bool) {
		for key := n + 1; key < t.Next(n); {
			value := t.Next(key)
			if !yield(key, value) {
				return
			}
			key = t.Next(value)
		}
	}
}

// Kind returns the kind of n.
func (t *Tree) Kind(n NodeID) Kind { return t.nodes[n].kind }

// Style returns the style of n.
func (t *Tree) Style(n NodeID) Style { return t.nodes[n].style }

// Next returns the node after n's subtree: its next sibling, unless it equals the Next of the
// parent.
func (t *Tree) Next(n NodeID) NodeID { return t.nodes[n].next }

// Root returns the value of document doc.
func (t *Tree) Root(doc NodeID) NodeID { return doc + 1 }

// Target returns the node that the alias n refers to; for any other node, n itself.
func (t *Tree) Target(n NodeID) NodeID {
	if t.nodes[n].kind == Alias {
		return NodeID(t.nodes[n].ref)
	}
	return n
}

// Explicit reports whether a document begins with `---` or a key with `?`.
func (t *Tree) Explicit(n NodeID) bool { return t.nodes[n].flags&explicit != 0 }

// Ended reports whether a document ends with `...`.
func (t *Tree) Ended(doc NodeID) bool { return t.nodes[doc].flags&ended != 0 }

// Merges reports whether a mapping has a merge key.
func (t *Tree) Merges(n NodeID) bool { return t.nodes[n].flags&merges != 0 }

// Start returns the position where the entry of n begins: the `-` of a sequence item, the key of a
// mapping item, the `---` of a document.
func (t *Tree) Start(n NodeID) source.Pos { return t.file.Pos(int(t.nodes[n].start)) }

// Begin returns the position where document doc begins: at its directives, if it has any, else at
// its Start.
func (t *Tree) Begin(doc NodeID) source.Pos {
	i, found := slices.BinarySearchFunc(
		t.directives,
		doc,
		func(d directives, doc NodeID) int { return cmp.Compare(d.doc, doc) },
	)
	if found {
		return t.file.Pos(int(t.directives[i].off))
	}
	return t.Start(doc)
}

// Span returns the content of n, without its properties.
func (t *Tree) Span(n NodeID) source.Span {
	return t.file.Span(int(t.nodes[n].off), int(t.nodes[n].end))
}

// Line returns the line on which the entry of n begins, from 1.
func (t *Tree) Line(n NodeID) int { return t.file.Line(int(t.nodes[n].start)) }

// Anchor returns the name of the anchor on n, or nil.
func (t *Tree) Anchor(n NodeID) []byte {
	if nd := &t.nodes[n]; nd.kind != Alias {
		p := &t.props[nd.ref]
		return t.text[p.anchor:p.anchorEnd]
	}
	return nil
}

// AliasName returns the name after the `*` of an alias.
func (t *Tree) AliasName(n NodeID) []byte { return t.text[t.nodes[n].off+1 : t.nodes[n].end] }

// HasTag reports whether n has a tag.
func (t *Tree) HasTag(n NodeID) bool {
	nd := &t.nodes[n]
	return nd.kind != Alias && nd.ref != 0 && t.props[nd.ref].tagEnd != t.props[nd.ref].tag
}

// TagSpan returns the tag of n as it is written; empty if n has none.
func (t *Tree) TagSpan(n NodeID) source.Span {
	if !t.HasTag(n) {
		return t.file.Span(int(t.nodes[n].off), int(t.nodes[n].off))
	}
	p := &t.props[t.nodes[n].ref]
	return t.file.Span(int(p.tag), int(p.tagEnd))
}

// Comments returns all comments of the file, in order. Do not change them.
func (t *Tree) Comments() []Comment { return t.comments }
