package overlay

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// draft is a map, an array or a list of documents that is being edited.
//
// Trees never change, so editing a large map would copy all its items, and a document that many
// overlays change would be copied many times. A draft is copied once, when something below it is
// first edited. From then on one goroutine changes it in place, and freeze turns it back into a
// tree.
type draft struct {
	array bool
	pos   source.Pos
	span  source.Span // the brackets of an empty collection

	chain   // the items
	index   // finds items
	renamed // items whose keys were replaced
	list    // the sources of documents

	frozen  tree.Value // the last result of freeze
	current bool       // frozen is valid
}

// list is the additional state of a draft whose items are documents.
type list struct {
	docs                bool  // the items are documents
	firstFile, lastFile int32 // the range of files that the documents came from
	given               int   // the initial number of documents
	// the start of the first of all documents, if the draft has only some of them
	listStart source.Pos
}

// renamed records items that got their key from an overlay's item.
type renamed struct {
	mayRepeat bool                // another item may have the key
	replaced  map[int32]tree.Item // the items before renaming, for messages
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
	i := d.insertNext(it, at, after)
	d.current = false
	d.noteFields(i)
	return i
}

// remove removes entry i.
func (d *draft) remove(i int32) {
	d.takeOut(i)
	d.current = false
	d.dropKey(i)
	for _, f := range d.fields {
		f.drop(i)
	}
	d.entries[i].child = nil
}

// set replaces the value of entry i with v, which comes from pos.
func (d *draft) set(i int32, v tree.Value, pos source.Pos) {
	x := &d.entries[i]
	x.Value, x.Pos, x.child = v, pos, nil
	d.current = false
	d.noteFields(i)
}

// replace replaces entry i with an item.
func (d *draft) replace(i int32, it tree.Item) {
	x := &d.entries[i]
	d.dropKey(i)
	x.Item, x.child, x.print = it, nil, it.Key.Fingerprint()
	d.current = false
	d.noteKey(i)
	d.noteFields(i)
}

// rename records that entry i is about to get the key of an overlay's item.
func (d *draft) rename(i int32) {
	d.mayRepeat = true
	if d.replaced == nil {
		d.replaced = map[int32]tree.Item{}
	}
	if _, ok := d.replaced[i]; !ok {
		d.replaced[i] = d.entries[i].Item
	}
}

// freeze returns a copy of the draft as a tree. The draft may still be edited.
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

// weight returns the number of nodes, as far as it is known without building a tree.
func (d *draft) weight() int {
	if d.current {
		nodes, _ := d.frozen.Weight()
		return nodes
	}
	return d.n
}

// drafts creates drafts and reuses the memory of old ones. It is not safe for concurrent use.
type drafts struct {
	Reader
	items []tree.Item // scratch
	used  []*draft    // drafts to reuse
}

// of returns a draft of v, a map or an array.
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

// child returns the value of entry i, a map or an array, as a draft. The caller may change it, and
// then must call noteFields(i).
func (f *drafts) child(d *draft, i int32) *draft {
	x := &d.entries[i]
	if x.child == nil {
		x.child = f.of(x.Value)
	}
	d.current = false
	return x.child
}

// documents returns a draft of documents from one file.
func (f *drafts) documents(docs []tree.Doc, file int32) *draft {
	d := f.blank()
	d.array, d.docs = true, true
	d.firstFile, d.lastFile = file, file
	f.addDocuments(d, docs, file)
	return d
}

// allDocuments returns a draft of the non-empty documents of all files.
func (f *drafts) allDocuments(files [][]tree.Doc) *draft {
	d := f.documents(nil, int32(max(0, len(files)-1))) // if there are no documents, use the last file
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

// blank returns an empty draft, reused if possible.
func (f *drafts) blank() *draft {
	if n := len(f.used); n > 0 {
		d := f.used[n-1]
		f.used = f.used[:n-1]
		return d
	}
	return &draft{chain: emptyChain(nil)}
}

// maxUsed is the maximum number of drafts kept for reuse, and maxUsedLen their maximum length.
const (
	maxUsed    = 64
	maxUsedLen = 256
)

// recycle keeps a draft for reuse.
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
