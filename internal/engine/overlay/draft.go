package overlay

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// draft is a map, an array or a list of documents that is being edited.
//
// Trees never change, so an edit of a large map would copy all of its items, and a document under
// many overlays would be copied many times. A draft is copied once, when something below it is
// first edited, and changed in place from then on by the one goroutine that has it; freeze makes a
// tree of it again.
type draft struct {
	array bool
	pos   source.Pos
	span  source.Span // the brackets of an empty collection

	chain   // the items
	index   // finds them
	renamed // items that have got other keys
	list    // of documents: where they come from

	frozen  tree.Value // what freeze gave, if nothing has changed since
	current bool       // frozen is valid
}

// list is what is known of a draft whose items are documents.
type list struct {
	docs                bool       // the items are documents
	firstFile, lastFile int32      // that they came from, whatever has become of them since
	given               int        // how many there were at first
	listStart           source.Pos // the first document of all, if these are a part of them
}

// renamed is what is known of items that got the key of an overlay's item.
type renamed struct {
	mayRepeat bool                // another item may have the key
	replaced  map[int32]tree.Item // what had another key before, to name it
}

// push adds an item at the end and returns its number. It does not update indexes.
func (d *draft) push(it tree.Item) int32 {
	i := d.chain.push(it)
	if !d.array {
		d.entries[i].print = it.Key.Fingerprint()
	}
	return i
}

// add adds an item at the end.
func (d *draft) add(it tree.Item) int32 {
	i := d.push(it)
	d.current = false
	d.noteKey(i)
	d.noteFields(i)
	return i
}

// addToFirstFile adds a document at the end of the first file.
func (d *draft) addToFirstFile(it tree.Item) int32 {
	next := d.head
	for next != None && d.entries[next].file == d.firstFile {
		next = d.entries[next].next
	}
	var i int32
	if next == None {
		i = d.add(it)
	} else {
		i = d.insert(it, next, false)
	}
	d.entries[i].file = d.firstFile
	return i
}

// insert inserts an item before or after entry at, and returns its number.
func (d *draft) insert(it tree.Item, at int32, after bool) int32 {
	i := d.putBeside(it, at, after)
	d.current = false
	d.noteFields(i)
	return i
}

// remove takes entry i out.
func (d *draft) remove(i int32) {
	d.takeOut(i)
	d.current = false
	d.dropKey(i)
	for _, f := range d.fields {
		f.drop(i)
	}
	d.entries[i].child = nil
}

// set replaces the value of entry i, which comes from pos.
func (d *draft) set(i int32, v tree.Value, pos source.Pos) {
	x := &d.entries[i]
	x.Value, x.Pos, x.child = v, pos, nil
	d.current = false
	d.noteFields(i)
}

// replace puts an item in the place of entry i.
func (d *draft) replace(i int32, it tree.Item) {
	x := &d.entries[i]
	d.dropKey(i)
	x.Item, x.child, x.print = it, nil, it.Key.Fingerprint()
	d.current = false
	d.noteKey(i)
	d.noteFields(i)
}

// rename says that entry i is about to get the key of an overlay's item.
func (d *draft) rename(i int32) {
	d.mayRepeat = true
	if d.replaced == nil {
		d.replaced = map[int32]tree.Item{}
	}
	if _, ok := d.replaced[i]; !ok {
		d.replaced[i] = d.entries[i].Item
	}
}

// freeze returns the draft as a tree with its own items. The draft may still be edited.
func (d *draft) freeze() tree.Value {
	if d.current {
		return d.frozen
	}
	items := make([]tree.Item, 0, d.n)
	d.work += d.n
	for i := d.head; i != None; i = d.entries[i].next {
		x := &d.entries[i]
		if x.child != nil {
			x.Value = x.cell().Value()
		}
		items = append(items, x.Item)
	}
	if d.array {
		d.frozen = tree.Of(tree.NewArray(items, d.pos))
	} else {
		d.frozen = tree.Of(tree.NewMap(items, d.pos))
	}
	d.current = true
	return d.frozen
}

// weight returns how many nodes there are, as far as that is known without making a tree.
func (d *draft) weight() int {
	if d.current {
		nodes, _ := d.frozen.Weight()
		return nodes
	}
	return d.n
}

// drafts makes drafts, in memory that was used before where there is any. It is made for one
// goroutine.
type drafts struct {
	Reader
	items []tree.Item // scratch
	used  []*draft    // drafts that are done with
}

// of makes a draft of v, which is a map or an array.
func (f *drafts) of(v tree.Value) *draft {
	f.items = f.Items(f.items[:0], v)
	d := f.blank()
	d.array, d.pos = v.Kind() == tree.ArrayKind, v.Start()
	if len(f.items) == 0 {
		d.span = v.Span()
	}
	if cap(d.entries) < len(f.items) {
		d.entries = make([]entry, 0, len(f.items)+2)
	}
	for i := range f.items {
		d.push(f.items[i])
	}
	clear(f.items)
	d.frozen, d.current = v, true
	return d
}

// child returns the value of entry i, which is a map or an array, as a draft. It may be changed,
// and noteFields(i) has to be told when that is done.
func (f *drafts) child(d *draft, i int32) *draft {
	x := &d.entries[i]
	if x.child == nil {
		x.child = f.of(x.Value)
	}
	d.current = false
	return x.child
}

// documents makes a draft of documents, all of one file.
func (f *drafts) documents(docs []tree.Doc, file int32) *draft {
	d := f.blank()
	d.array, d.docs = true, true
	d.firstFile, d.lastFile = file, file
	f.addDocuments(d, docs, file)
	return d
}

// allDocuments makes a draft of the documents of all files that are not empty.
func (f *drafts) allDocuments(files [][]tree.Doc) *draft {
	d := f.documents(nil, int32(max(0, len(files)-1))) // without any document it is the last file
	for file, docs := range files {
		for i := range docs {
			if !docs[i].Value.Empty() {
				f.addDocuments(d, docs[i:i+1], int32(file))
			}
		}
	}
	if d.n > 0 {
		d.firstFile, d.lastFile = d.entries[d.head].file, d.entries[d.tail].file
	}
	return d
}

func (f *drafts) addDocuments(d *draft, docs []tree.Doc, file int32) {
	for i := range docs {
		j := d.push(tree.Item{
			Value:       f.Clean(docs[i].Value),
			Pos:         docs[i].Pos,
			Annotations: docs[i].Annotations.Without(NotePrefix),
		})
		d.entries[j].file = file
	}
	d.given += len(docs)
}

// blank returns an empty draft, a used one if there is one.
func (f *drafts) blank() *draft {
	if n := len(f.used); n > 0 {
		d := f.used[n-1]
		f.used = f.used[:n-1]
		return d
	}
	return &draft{chain: emptyChain(nil)}
}

// maxUsed is how many drafts are kept to be used again, and maxUsedLen how long they may be.
const (
	maxUsed    = 64
	maxUsedLen = 256
)

// recycle keeps an unused draft for reuse.
func (f *drafts) recycle(d *draft) {
	for i := range d.entries {
		if child := d.entries[i].child; child != nil {
			f.recycle(child)
		}
	}
	if len(f.used) < maxUsed && cap(d.entries) <= maxUsedLen {
		clear(d.entries)
		*d = draft{chain: emptyChain(d.entries)}
		f.used = append(f.used, d)
	}
}
