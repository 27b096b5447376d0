package overlay

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

// Key is the key of a map item, ready to be looked for.
type Key struct {
	Value    tree.Value
	Text     string // of a string, which nearly every key is
	print    uint32 // of a string
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

// Is reports whether v is the same key, of one type and value.
func (k Key) Is(v tree.Value) bool {
	if k.IsString {
		return v.IsString(k.Text)
	}
	return tree.SameKey(v.Starlark(), k.Value.Starlark())
}

// index finds the items of a large collection. A small one has none: few items are found faster by
// looking at each.
type index struct {
	keys   map[tree.ScalarKey]int32 // of a map: see find
	fields map[string]*field        // of a list of maps: see field
}

// minIndexedItems is from how many items on a collection has an index.
const minIndexedItems = 16

// find returns the first entry with a key, or none.
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

// dropKey takes entry i out of the index of keys.
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

// field is an index of a large collection of maps by the value of one key, for `by="name"`. It is
// updated as entries change.
//
// The scan that it replaces fails at the first entry without the key, even if others match. So the
// index answers only while every entry has it.
type field struct {
	name    Key
	found   map[tree.ScalarKey]group
	of      []fieldValue // by the number of the entry
	without int          // how many entries do not have the key, or are not maps
}

// group is the entries that have the same value. Nearly always it is one, and then sum is its
// number; more are looked for in the order of the collection.
type group struct {
	n   int
	sum int64
}

// fieldValue is what one entry has under the key.
type fieldValue struct {
	key   tree.ScalarKey
	state fieldState
}

type fieldState uint8

const (
	absent     fieldState = iota // the entry is not in the collection
	lacking                      // it is not a map, or has no such key
	collection                   // what it has is a map or an array, which is equal to nothing
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

// appendMatches adds the entries of d that have want under the key to dst, in the order of d.
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
