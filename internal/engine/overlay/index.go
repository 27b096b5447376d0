package overlay

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// Key is the key of a map item, prepared for searching.
type Key struct {
	Value    tree.Value
	Text     string // the text of a string; nearly all keys are strings
	print    uint32 // the fingerprint of a string
	IsString bool
}

func KeyOf(v tree.Value) Key {
	if v.Kind() == tree.ScalarKind {
		if s, ok := v.Starlark().(starlark.String); ok {
			return Key{
				Value: tree.Of(s), Text: string(s), print: tree.FingerprintOf(string(s)),
				IsString: true,
			}
		}
	}
	return Key{Value: v}
}

// Is reports whether v is the same key, with the same type and value.
func (k Key) Is(v tree.Value) bool {
	if k.IsString {
		return v.IsString(k.Text)
	}
	return tree.SameKey(v.Starlark(), k.Value.Starlark())
}

// index finds the items of a large collection. A small one has no index: it is faster to look at
// each item.
type index struct {
	keys   map[tree.ScalarKey]int32 // for maps, see find
	fields map[string]*field        // for lists of maps, see field
}

// minIndexedItems is the number of items from which a collection has an index.
const minIndexedItems = 16

// find returns the first entry with a key, or None.
func (d *draft) find(k Key) int32 {
	if d.n >= minIndexedItems && d.keys == nil {
		d.keys = make(map[tree.ScalarKey]int32, d.n+d.n/2)
		d.work += d.n
		for i := d.head; i != None; i = d.entries[i].next {
			d.noteKey(i)
		}
	}
	if d.keys != nil && !d.mayRepeat {
		if sk, ok := k.Value.ScalarKey(); ok {
			if i, ok := d.keys[sk]; ok {
				return i
			}
			return None
		}
	}
	for i := d.head; i != None; {
		x := &d.entries[i]
		d.work++
		if (x.print == k.print || x.print == 0 || k.print == 0) && k.Is(x.Key) {
			return i
		}
		i = x.next
	}
	return None
}

// noteKey adds entry i to the index of keys.
func (d *draft) noteKey(i int32) {
	if d.keys == nil {
		return
	}
	if sk, ok := d.entries[i].Key.ScalarKey(); ok {
		d.keys[sk] = i
	}
}

// dropKey removes entry i from the index of keys.
func (d *draft) dropKey(i int32) {
	if d.keys == nil {
		return
	}
	if sk, ok := d.entries[i].Key.ScalarKey(); ok && d.keys[sk] == i {
		delete(d.keys, sk)
	}
}

// repeated returns the first two entries that have the same key, if there are any.
func (d *draft) repeated() (first, second int32, found bool) {
	seen := make(map[tree.ScalarKey]int32, d.n)
	d.work += d.n
	for i := d.head; i != None; i = d.entries[i].next {
		sk, ok := d.entries[i].Key.ScalarKey()
		if !ok {
			continue
		}
		if j, ok := seen[sk]; ok {
			return j, i, true
		}
		seen[sk] = i
	}
	return 0, 0, false
}

// field indexes a large collection of maps by the value of one key, for `by="name"`. It is updated
// as entries change.
//
// The linear search that it replaces fails at the first entry without the key, even if others
// match. So the index is used only while every entry has the key.
type field struct {
	name    Key
	found   map[tree.ScalarKey]group
	of      []fieldValue // by entry number
	without int          // the number of entries that lack the key or are not maps
}

// group is the entries with the same value. Usually there is one, and sum is its number; several
// are searched in the order of the collection.
type group struct {
	n   int
	sum int64
}

// fieldValue is the value that one entry has under the key.
type fieldValue struct {
	key   tree.ScalarKey
	state fieldState
}

type fieldState uint8

const (
	absent     fieldState = iota // the entry is not in the collection
	lacking                      // it is not a map, or has no such key
	collection                   // the value is a map or an array, which equals nothing
	scalar
)

// fieldIndex returns the index of d by name, or nil if d is small or some entry lacks the key.
func (d *draft) fieldIndex(name Key) *field {
	f := d.fields[name.Text]
	if f == nil {
		if d.n < minIndexedItems {
			return nil
		}
		f = &field{name: name, found: make(map[tree.ScalarKey]group, d.n)}
		d.work += d.n
		for i := d.head; i != None; i = d.entries[i].next {
			f.note(i, d.entries[i].cell())
		}
		if d.fields == nil {
			d.fields = map[string]*field{}
		}
		d.fields[name.Text] = f
	}
	if f.without > 0 {
		return nil
	}
	return f
}

// noteFields updates the indexes for entry i, which is new or has changed.
func (d *draft) noteFields(i int32) {
	if d.fields == nil {
		return
	}
	for _, f := range d.fields {
		f.note(i, d.entries[i].cell())
	}
}

func (f *field) note(i int32, c Cell) {
	now := fieldValue{state: lacking}
	if v, ok := c.Lookup(f.name); ok {
		now.state = collection
		if v.Kind() == tree.ScalarKind {
			now.key, _ = v.v.ScalarKey()
			now.state = scalar
		}
	}
	for len(f.of) <= int(i) {
		f.of = append(f.of, fieldValue{})
	}
	if f.of[i] == now {
		return
	}
	f.drop(i)
	f.of[i] = now
	switch now.state {
	case lacking:
		f.without++
	case scalar:
		g := f.found[now.key]
		f.found[now.key] = group{g.n + 1, g.sum + int64(i)}
	}
}

func (f *field) drop(i int32) {
	if int(i) >= len(f.of) {
		return
	}
	switch old := f.of[i]; old.state {
	case lacking:
		f.without--
	case scalar:
		g := f.found[old.key]
		f.found[old.key] = group{g.n - 1, g.sum - int64(i)}
	}
	f.of[i] = fieldValue{}
}

// appendMatches appends the entries of d whose value is want to dst, in the order of d.
func (f *field) appendMatches(dst []int32, d *draft, want tree.ScalarKey) []int32 {
	switch g := f.found[want]; g.n {
	case 0:
		return dst
	case 1:
		return append(dst, int32(g.sum))
	}
	d.work += d.n
	for i := d.head; i != None; i = d.entries[i].next {
		if f.of[i].state == scalar && f.of[i].key == want {
			dst = append(dst, i)
		}
	}
	return dst
}
