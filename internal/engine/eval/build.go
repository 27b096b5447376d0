package eval

import (
	"errors"
	"fmt"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/hints"
	"weft/internal/engine/eval/modules"
	"weft/internal/engine/overlay"
	"weft/internal/engine/trace"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// builder creates the nodes that a program asks for. Each thread has one.
//
// A program names the nodes to create, in text order, but not where each one ends: a loop or a
// condition may begin inside one node and end inside another. So a node goes into the innermost
// open node that contains it in the syntax tree, and open nodes that do not contain it are
// complete.
type builder struct {
	contexts []context
	nodes    int // the number of nodes created so far
	maxNodes int
	tooMany  string // the hint for a result with more nodes
	override bool   // allow duplicate keys, as if annotated
	replaced bool   // nodes inserted by template.replace are marked: see tree.Replaced

	cover *coverage // nil unless coverage is measured

	// the literals of data values, if their spelling is kept, and the path of the one that the
	// current node copies
	literals *tree.Literals
	copies   []string

	// In a traced run: the code of the next node, what it read, and what an annotation was computed
	// from.
	trace *trace.Tracer
	code  source.Span
	reads tree.Slice
	noted tree.Slice
	// the origin of nodes in a replacement that have none
	spliced tree.Origin
}

// context is a function call that creates nodes, or a file.
type context struct {
	frames []frame
	text   []byte
	texts  []int         // where the texts inside it begin
	pieces []trace.Piece // the pieces of the text, in a traced run

	pending *tree.Annotations // annotations of the next node
	key     tree.Value        // key of the next node, if it is computed
	hasKey  bool
	keyFrom tree.Slice // what key was computed from, in a traced run

	// For template.replace: see replace.go.
	unit        *compile.Unit // the unit whose code runs in the context
	depth       int           // depth of that code in the call stack
	last        lastNode
	replacement *modules.Replacement // for the next node
}

func (b *builder) top() *context { return &b.contexts[len(b.contexts)-1] }

// enter begins a context for code of u that runs at the given call depth.
func (b *builder) enter(u *compile.Unit, depth int) {
	n := len(b.contexts)
	if n < cap(b.contexts) {
		// Reuse the memory of a context that has ended.
		b.contexts = b.contexts[:n+1]
		c := &b.contexts[n]
		*c = context{frames: c.frames[:0], text: c.text[:0], texts: c.texts[:0]}
	} else {
		b.contexts = append(b.contexts, context{})
	}
	c := b.top()
	c.unit, c.depth = u, depth
	c.push(frame{})
}

// spare holds the memory of finished builders: a library that is evaluated repeatedly needs the
// same amount each time.
var spare sync.Pool

// borrow takes over the memory of a finished builder.
func (b *builder) borrow() {
	if c, ok := spare.Get().(*[]context); ok {
		b.contexts = (*c)[:0]
	}
}

// release releases the memory of b for reuse. Nothing that b has produced refers to it.
func (b *builder) release() {
	all := b.contexts[:cap(b.contexts)]
	b.contexts = nil
	if len(all) > maxSpareContexts {
		return
	}
	for i := range all {
		c := &all[i]
		frames := c.frames[:cap(c.frames)]
		for j := range frames {
			room := frames[j].room[:cap(frames[j].room)]
			if len(room) > maxSpareItems {
				room = nil
			}
			clear(room)
			frames[j] = frame{room: room}
		}
		c.unit, c.replacement = nil, nil
		if cap(c.text) > maxSpareText {
			c.text = nil
		}
	}
	spare.Put(&all)
}

// The amount of memory that is kept for the next builder: for calls, for their text, and for the
// items of each open collection. After a recursion there may be memory for a hundred thousand calls.
const (
	maxSpareContexts = 64
	maxSpareText     = 64 << 10
	maxSpareItems    = 256
)

// leave ends a context and returns its result. A function in a text template returns text, even if
// the text is empty.
func (b *builder) leave(text bool) starlark.Value {
	c := b.top()
	for len(c.frames) > 1 {
		c.close()
	}
	root := &c.frames[0]
	produced := c.text
	b.contexts = b.contexts[:len(b.contexts)-1]
	switch {
	case text:
		return starlark.String(produced)
	case root.kind == documents:
		return tree.NewDocumentSet(root.docs)
	case root.kind == mapping:
		return tree.NewMap(root.takeItems(), root.pos)
	case root.kind == array:
		return tree.NewArray(root.takeItems(), root.pos)
	}
	return tree.Nothing{}
}

// close completes the innermost collection, which becomes the value of the last node in the frame
// around it.
func (c *context) close() {
	f := &c.frames[len(c.frames)-1]
	var v tree.Value
	if f.kind == array {
		v = tree.Of(tree.NewArray(f.takeItems(), f.pos))
	} else {
		v = tree.Of(tree.NewMap(f.takeItems(), f.pos))
	}
	v = v.WithOrigin(f.origin)
	c.frames = c.frames[:len(c.frames)-1]
	parent := &c.frames[len(c.frames)-1]
	parent.nodes += f.nodes
	if parent.kind == documents {
		parent.docs[len(parent.docs)-1].Value = v
	} else {
		parent.items[len(parent.items)-1].Value = v
	}
}

// parent returns the frame that node n belongs to.
func (b *builder) parent(n *compile.Node) (*frame, error) {
	c := b.top()
	for len(c.frames) > 1 {
		if f := &c.frames[len(c.frames)-1]; f.start < n.Start && n.End <= f.end {
			break
		}
		c.close()
	}
	f := &c.frames[len(c.frames)-1]
	want := kindFor(n.Kind)
	if f.kind == unknown {
		f.kind, f.pos = want, n.Pos
	}
	if f.kind != want {
		return nil, fmt.Errorf("the %s cannot be added here: the node it belongs to was not "+
			"rendered, and the open collection contains "+
			"%s", n.Kind, [...]string{"", "documents", "map items", "array items"}[f.kind])
	}
	if b.nodes++; b.nodes > b.maxNodes {
		return nil, b.tooLarge()
	}
	return f, nil
}

func (b *builder) tooLarge() error {
	return &tree.LimitError{Message: fmt.Sprintf("the result has more than %d "+
		"nodes", b.maxNodes), Hint: b.tooMany}
}

// weigh counts the nodes added to a frame. A fragment that is used in many places counts in each.
func (b *builder) weigh(f *frame, v tree.Value) error {
	nodes, _ := v.Weight()
	if f.nodes += nodes; f.nodes > b.maxNodes {
		return b.tooLarge()
	}
	return nil
}

// item returns node n with its value, its annotations and its computed key, if any.
func (b *builder) item(n *compile.Node, v tree.Value) tree.Item {
	it := tree.Item{Key: n.Key, Value: v, Pos: n.Pos, Annotations: b.notes(n)}
	if c := b.top(); c.hasKey {
		it.Key, c.hasKey = c.key, false
	}
	return it
}

// keyed returns what the key of the current node was computed from.
func (b *builder) keyed() tree.Slice {
	c := b.top()
	from := c.keyFrom
	c.keyFrom = 0
	return from
}

// notes returns the annotations of node n, which is being created.
func (b *builder) notes(n *compile.Node) *tree.Annotations {
	c := b.top()
	notes := c.pending
	if c.pending = nil; n.Notes != nil {
		notes = n.Notes
	}
	return notes
}

// before executes the steps that precede node n.
func (b *builder) before(u *compile.Unit, n *compile.Node) error {
	if n.Before == 0 {
		return nil
	}
	return b.take(u, int(n.Before-1))
}

// take executes the steps of u from the given one on.
func (b *builder) take(u *compile.Unit, first int) error {
	for i := first; ; i++ {
		s := u.Steps[i]
		var err error
		if s.Stretch {
			err = b.add(&u.Stretches[s.ID])
		} else {
			err = b.open(&u.Nodes[s.ID])
		}
		if err != nil {
			return &hints.StepError{File: u.File, At: u.At(s), Err: err}
		}
		b.cover.step(u, s)
		if s.Last {
			return nil
		}
	}
}

// add adds a stretch of constant nodes.
func (b *builder) add(r *compile.Stretch) error {
	f, err := b.parent(&r.Node)
	if err != nil {
		return err
	}
	c := b.top()
	if len(r.Items) > 0 {
		c.last = constantNode
	}
	if b.trace != nil {
		r = b.traced(r)
	}
	if len(r.Items) == 1 && (c.pending != nil || r.Notes != nil || c.hasKey) {
		it := b.item(&r.Node, r.Items[0].Value)
		if r.Items[0].Key != r.Key {
			it.Key, it.Pos = r.Items[0].Key, r.Items[0].Pos // a merge key
		}
		return b.put(f, it)
	}
	notes := b.notes(&r.Node)
	if notes == nil && len(f.items) == 0 && r.Unique && f.kind != documents {
		f.items, f.shared = r.Items[:len(r.Items):len(r.Items)], true // shared until something is added
		f.nodes += len(f.items)
		if f.kind == mapping {
			f.note(len(f.items) - 1)
		}
		return nil
	}
	for _, it := range r.Items {
		if notes != nil {
			it.Annotations = notes
		}
		if err := b.put(f, it); err != nil {
			if r.Merge {
				return elsewhere(err)
			}
			return err
		}
	}
	return nil
}

// set adds a node with a computed value.
func (b *builder) set(n *compile.Node, x starlark.Value) error {
	f, err := b.parent(n)
	if err != nil {
		return err
	}
	c := b.top()
	if c.replacement != nil {
		return b.replaceThis(f, n, x)
	}
	c.last = computedNode
	v, err := b.value(n, x)
	if err != nil {
		return err
	}
	return b.put(f, b.item(n, v))
}

// value returns the value of node n if its code returns x.
func (b *builder) value(n *compile.Node, x starlark.Value) (tree.Value, error) {
	maxNodes := max(b.maxNodes, tree.MaxNodes)
	var v tree.Value
	var err error
	if b.trace == nil {
		v, err = b.literals.FromStarlarkWithin(x, maxNodes)
	} else {
		b.trace.Literals = b.literals
		v, err = b.tracedValue(x, maxNodes)
	}
	if err == nil && b.copies != nil {
		v = b.literals.At(b.copies, v)
	}
	if errors.Is(err, tree.ErrDocumentSet) {
		return v, hints.DocumentSet(n.Kind)
	}
	return v, err
}

// open adds a node whose items follow.
func (b *builder) open(n *compile.Node) error {
	f, err := b.parent(n)
	if err != nil {
		return err
	}
	if err := b.put(f, b.item(n, tree.Value{})); err != nil {
		return err
	}
	kind := mapping
	if n.Array {
		kind = array
	}
	c := b.top()
	c.last = noNode
	c.push(frame{kind: kind, start: n.Start, end: n.End, pos: n.Inner, origin: b.trace.Constant(b.keyed())})
	return nil
}

// put adds an item to a frame. Each key occurs once in a map.
func (b *builder) put(f *frame, it tree.Item) error {
	if b.spliced != 0 && it.Value.Origin() == 0 {
		it.Value = it.Value.WithOrigin(b.spliced)
	}
	if err := b.weigh(f, it.Value); err != nil {
		return err
	}
	switch f.kind {
	case documents:
		f.docs = append(
			f.docs,
			tree.Doc{Value: it.Value, Pos: it.Pos, Annotations: it.Annotations},
		)
		return nil
	case array:
		f.add(it)
		return nil
	}
	if i := f.find(it.Key); i >= 0 {
		if !b.override && it.Annotations.Get(mapKeyOverride) == nil {
			return &hints.DuplicateKey{
				Key:       it.Key,
				First:     f.items[i].Pos,
				Second:    it.Pos,
				Mergeable: mergeable(f.items[i].Value, it.Value),
				Matched:   it.Key.IsString("_") && isMatched(f.items[i]) && isMatched(it),
			}
		}
		f.remove(i)
	}
	f.add(it)
	f.note(len(f.items) - 1)
	return nil
}

// mapKeyOverride is the annotation of an item that replaces an earlier one with the same key.
const mapKeyOverride = "yaml/map-key-override"

func isMatched(it tree.Item) bool { return it.Annotations.Get(overlay.NoteMatch) != nil }

func mergeable(a, b tree.Value) bool { return a.Kind() == b.Kind() && a.Kind() != tree.ScalarKind }

// elsewhere records in a DuplicateKey error that the second key is not written where it is added.
func elsewhere(err error) error {
	if dup, ok := errors.AsType[*hints.DuplicateKey](err); ok {
		dup.Elsewhere = true
	}
	return err
}
