package overlay

import (
	"iter"

	"weft/internal/diag"
	"weft/internal/source"
	"weft/internal/tree"
)

// draft is a map or an array that is being edited.
//
// Trees never change, so an edit of a large map would copy all of its items, and a document under many overlays would be copied many times.
// A draft is copied once, when something below it is first edited, and changed in place from then on by the one goroutine that has it; freeze makes a tree of it again.
// Its items are chained, so that they keep their numbers: taking one out or putting one in costs the same in a long list as in a short one,
// and the indexes, which find items by number, stay right.
type draft struct {
	array      bool
	docs       bool // its items are documents
	pos        source.Pos
	span       source.Span // the brackets of an empty collection
	entries    []entry
	head, tail int32 // the first and the last of the chain, or none
	n          int   // how many there are in the chain

	made    tree.Value // what freeze gave, if nothing has changed since
	current bool       // made is valid

	keys    map[tree.ScalarKey]int32 // of a large map: see find
	fields  map[string]*field        // see field
	order   []int32                  // the chain as a list, if it has not changed since
	renamed bool                     // an item got a key that another may have

	replaced map[int32]tree.Item // what had another key before, to name it

	firstFile, lastFile int32 // of documents: the files that they came from, whatever has become of them since
	given               int   // of documents: how many there were at first

	work int // entries that were looked at, which the test of growth counts
}

// entry is one item of a draft.
type entry struct {
	tree.Item
	kid        *draft // its value, if that is being edited
	prev, next int32
	file       int32  // of a document
	print      uint32 // of the key of a map item: see tree.Value.Fingerprint
}

// none is no entry.
const none int32 = -1

// large is from how many items on a collection has indexes: few items are found faster by looking at each.
const large = 16

// draftOf makes a draft of v, which is a map or an array.
func (e *editor) draftOf(v tree.Value) *draft {
	e.items = e.reader.Items(e.items[:0], v)
	d := e.blank()
	d.array, d.pos = v.Kind() == tree.ArrayKind, v.Start()
	if len(e.items) == 0 {
		d.span = v.Span()
	}
	if cap(d.entries) < len(e.items) {
		d.entries = make([]entry, 0, len(e.items)+2)
	}
	for i := range e.items {
		d.push(e.items[i])
	}
	clear(e.items)
	d.made, d.current = v, true
	return d
}

// documents makes a draft of documents, all of one file.
func (e *editor) documents(docs []tree.Document, file int32) *draft {
	d := e.blank()
	d.array, d.docs = true, true
	d.firstFile, d.lastFile = file, file
	e.addDocuments(d, docs, file)
	return d
}

func (e *editor) addDocuments(d *draft, docs []tree.Document, file int32) {
	for i := range docs {
		j := d.push(tree.Item{Value: e.reader.clean(docs[i].Value), Pos: docs[i].Pos, Annotations: docs[i].Annotations.Without(prefix)})
		d.entries[j].file = file
	}
	d.given += len(docs)
}

// frozen is the documents of a draft of documents.
func (e *editor) frozen(d *draft) ([]tree.Document, error) {
	docs := make([]tree.Document, 0, d.n)
	for i := d.head; i != none; i = d.entries[i].next {
		x := &d.entries[i]
		v := x.cell().value()
		if err := e.checkSize(v); err != nil {
			if e.owned {
				return nil, err
			}
			return nil, diag.Errorf(d.entrySpan(e, i), CodeLimit, "%s", err)
		}
		docs = append(docs, tree.Document{Value: v, Pos: x.Pos, Annotations: x.Annotations})
	}
	return docs, nil
}

// blank is an empty draft, a used one if there is one.
func (e *editor) blank() *draft {
	if n := len(e.used); n > 0 {
		d := e.used[n-1]
		e.used = e.used[:n-1]
		return d
	}
	return &draft{head: none, tail: none}
}

// maxUsed is how many drafts an editor keeps to use again, and maxUsedLen how long they may be.
const (
	maxUsed    = 64
	maxUsedLen = 256
)

// recycle keeps a draft that nobody looks at any more to be used again.
func (e *editor) recycle(d *draft) {
	for i := range d.entries {
		if kid := d.entries[i].kid; kid != nil {
			e.recycle(kid)
		}
	}
	if len(e.used) < maxUsed && cap(d.entries) <= maxUsedLen {
		clear(d.entries)
		*d = draft{entries: d.entries[:0], head: none, tail: none}
		e.used = append(e.used, d)
	}
}

// push adds an item at the end of the chain and gives its number. Indexes are not told.
func (d *draft) push(it tree.Item) int32 {
	i := int32(len(d.entries))
	d.work++
	d.entries = append(d.entries, entry{Item: it, prev: d.tail, next: none})
	if !d.array {
		d.entries[i].print = it.Key.Fingerprint()
	}
	if d.tail == none {
		d.head = i
	} else {
		d.entries[d.tail].next = i
	}
	d.tail = i
	d.n++
	return i
}

// add adds an item at the end.
func (d *draft) add(it tree.Item) int32 {
	i := d.push(it)
	d.order, d.current = nil, false
	d.noteKey(i)
	d.noteFields(i)
	return i
}

// addToFirstFile adds a document at the end of the first file.
func (d *draft) addToFirstFile(it tree.Item) int32 {
	next := d.head
	for next != none && d.entries[next].file == d.firstFile {
		next = d.entries[next].next
	}
	var i int32
	if next == none {
		i = d.add(it)
	} else {
		i = d.insert(it, next, false)
	}
	d.entries[i].file = d.firstFile
	return i
}

// insert puts an item before entry at, or behind it, and gives its number. A document goes to the file of the one it is put beside.
func (d *draft) insert(it tree.Item, at int32, after bool) int32 {
	i := int32(len(d.entries))
	prev, next := d.entries[at].prev, at
	if after {
		prev, next = at, d.entries[at].next
	}
	d.entries = append(d.entries, entry{Item: it, prev: prev, next: next, file: d.entries[at].file})
	d.link(prev, i)
	d.linkBack(next, i)
	d.n++
	d.order, d.current = nil, false
	d.noteFields(i)
	return i
}

// link makes next the one behind prev; linkBack makes prev the one before next. At the ends they move head and tail.
func (d *draft) link(prev, next int32) {
	if prev == none {
		d.head = next
	} else {
		d.entries[prev].next = next
	}
}

func (d *draft) linkBack(next, prev int32) {
	if next == none {
		d.tail = prev
	} else {
		d.entries[next].prev = prev
	}
}

// remove takes entry i out. Its prev and next stay, so that a walk that stands on it can go on.
func (d *draft) remove(i int32) {
	x := &d.entries[i]
	d.link(x.prev, x.next)
	d.linkBack(x.next, x.prev)
	d.n--
	d.order, d.current = nil, false
	d.dropKey(i)
	for _, f := range d.fields {
		f.drop(i)
	}
	x.kid = nil
}

// set gives entry i another value, which comes from pos.
func (d *draft) set(i int32, v tree.Value, pos source.Pos) {
	x := &d.entries[i]
	x.Value, x.Pos, x.kid = v, pos, nil
	d.current = false
	d.noteFields(i)
}

// replace puts an item in the place of entry i.
func (d *draft) replace(i int32, it tree.Item) {
	x := &d.entries[i]
	d.dropKey(i)
	x.Item, x.kid, x.print = it, nil, it.Key.Fingerprint()
	d.current = false
	d.noteKey(i)
	d.noteFields(i)
}

// rename says that entry i is about to get the key of an overlay's item.
func (d *draft) rename(i int32) {
	d.renamed = true
	if d.replaced == nil {
		d.replaced = map[int32]tree.Item{}
	}
	if _, ok := d.replaced[i]; !ok {
		d.replaced[i] = d.entries[i].Item
	}
}

// kid is the value of entry i, which is a map or an array, as a draft: it may be changed, and noteFields(i) has to be told when that is done.
func (e *editor) kid(d *draft, i int32) *draft {
	x := &d.entries[i]
	if x.kid == nil {
		x.kid = e.draftOf(x.Value)
	}
	d.current = false
	return x.kid
}

// position is the place of entry i in the order, from 0.
func (d *draft) position(i int32) int {
	n := 0
	for j := d.head; j != i && j != none; j = d.entries[j].next {
		n++
	}
	return n
}

// at is the entry at a place in the order, or none. Near the ends it walks, so that taking out the first item time after time costs little; else it makes a list, which
// lasts until an item comes or goes.
func (d *draft) at(n int64) int32 {
	const near = 64
	rest := int64(d.n) - 1 - n
	switch {
	case n < 0 || rest < 0:
		return none
	case d.order != nil:
		return d.order[n]
	case n < near:
		i := d.head
		for ; n > 0; n-- {
			i = d.entries[i].next
			d.work++
		}
		return i
	case rest < near:
		i := d.tail
		for ; rest > 0; rest-- {
			i = d.entries[i].prev
			d.work++
		}
		return i
	}
	d.order = make([]int32, 0, d.n)
	for i := d.head; i != none; i = d.entries[i].next {
		d.order = append(d.order, i)
	}
	d.work += d.n
	return d.order[n]
}

// freeze is the draft as a tree. The draft may be edited on: the tree has items of its own.
func (d *draft) freeze() tree.Value {
	if d.current {
		return d.made
	}
	items := make([]tree.Item, 0, d.n)
	d.work += d.n
	for i := d.head; i != none; i = d.entries[i].next {
		x := &d.entries[i]
		if x.kid != nil {
			x.Value = x.kid.freeze()
		}
		items = append(items, x.Item)
	}
	if d.array {
		d.made = tree.Of(tree.NewArray(items, d.pos))
	} else {
		d.made = tree.Of(tree.NewMap(items, d.pos))
	}
	d.current = true
	return d.made
}

// weight is how many nodes there are, as far as that is known without making a tree.
func (d *draft) weight() int {
	if d.current {
		nodes, _ := d.made.Weight()
		return nodes
	}
	return d.n
}

// cell is what a matcher looks at: a value, or the draft of it.
type cell struct {
	d *draft
	v tree.Value
}

// elements are the values of an array in order.
func (c cell) elements() iter.Seq[cell] {
	return func(yield func(cell) bool) {
		if c.d == nil {
			for v := range c.v.Elements() {
				if !yield(cell{v: v}) {
					return
				}
			}
			return
		}
		for i := c.d.head; i != none; i = c.d.entries[i].next {
			if !yield(c.d.entries[i].cell()) {
				return
			}
		}
	}
}

// cell is the value of an entry.
func (x *entry) cell() cell { return cell{x.kid, x.Value} }

func (c cell) kind() tree.Kind {
	switch {
	case c.d == nil:
		return c.v.Kind()
	case c.d.array:
		return tree.ArrayKind
	}
	return tree.MapKind
}

// value is the cell as a value.
func (c cell) value() tree.Value {
	if c.d != nil {
		return c.d.freeze()
	}
	return c.v
}

// typeName is the name of the cell's type in messages.
func (c cell) typeName() string {
	switch c.kind() {
	case tree.MapKind:
		return "map"
	case tree.ArrayKind:
		return "array"
	}
	return c.v.TypeName()
}

// lookup is the value of the item with the given key, if the cell is a map that has one.
func (c cell) lookup(k key) (cell, bool) {
	if c.d == nil {
		if k.isString {
			v, ok := c.v.Lookup(k.text)
			return cell{v: v}, ok
		}
		m, ok := c.v.Map()
		if !ok {
			return cell{}, false
		}
		i := m.Find(k.value.Starlark())
		if i < 0 {
			return cell{}, false
		}
		return cell{v: m.Entries()[i].Value}, true
	}
	if c.d.array {
		return cell{}, false
	}
	i := c.d.find(k)
	if i == none {
		return cell{}, false
	}
	return c.d.entries[i].cell(), true
}
