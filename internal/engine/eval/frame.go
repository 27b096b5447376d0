package eval

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// frame is an open collection. The first frame of a context is the result of the context.
type frame struct {
	kind       frameKind
	start, end yaml.NodeID // the node that contains it
	items      []tree.Item
	shared     bool // items belong to a stretch of constant nodes
	// memory for collecting items, reused from earlier frames at the same depth, so that the finished
	// collection can be allocated at its exact size
	room    []tree.Item
	docs    []tree.Doc
	index   map[string]int // string keys of a large map, with the indexes of their items
	pos     source.Pos
	removed []int // items of a large map that were replaced by others
	nodes   int   // the number of nodes in it, at all levels

	origin tree.Origin // of the collection, in a traced run
}

func (f *frame) add(it tree.Item) {
	if f.items == nil {
		f.items = f.room[:0]
	}
	f.unshare()
	f.items = append(f.items, it)
}

// unshare copies shared items, so that they may be changed.
func (f *frame) unshare() {
	if f.shared {
		f.items, f.shared = append(f.room[:0], f.items...), false
	}
}

// removeLast removes the last item. The items must not be shared.
func (f *frame) removeLast() {
	last := len(f.items) - 1
	if f.index != nil {
		if s, ok := f.items[last].Key.Starlark().(starlark.String); ok {
			delete(f.index, string(s))
		}
	}
	f.items = f.items[:last]
}

// takeItems returns the items of a complete frame. The next frame reuses the memory.
func (f *frame) takeItems() []tree.Item {
	f.index = nil
	f.compact()
	if f.shared {
		return f.items
	}
	f.room = f.items[:0]
	return slices.Clone(f.items)
}

func (c *context) push(f frame) {
	n := len(c.frames)
	if n < cap(c.frames) {
		c.frames = c.frames[:n+1]
		f.room = c.frames[n].room
		c.frames[n] = f
		return
	}
	c.frames = append(c.frames, f)
}

type frameKind uint8

const (
	unknown frameKind = iota // the root of a context that has no nodes yet
	documents
	mapping
	array
)

// kindFor returns the kind of frame that contains nodes of kind k.
func kindFor(k tree.NodeKind) frameKind {
	return [...]frameKind{tree.DocumentNode: documents, tree.MapItem: mapping, tree.ArrayItem: array}[k]
}

// largeMap is the number of items from which a map has an index. A linear search finds a key faster
// in smaller maps.
const largeMap = 16

// find returns the index of the item with the given key, or -1.
func (f *frame) find(key tree.Value) int {
	k := key.Starlark()
	if s, ok := k.(starlark.String); ok {
		if f.index != nil {
			if i, ok := f.index[string(s)]; ok {
				return i
			}
			return -1
		}
		for i := range f.items {
			if f.items[i].Key.IsString(string(s)) {
				return i
			}
		}
		return -1
	}
	for i := range f.items {
		if tree.SameKey(f.items[i].Key.Starlark(), k) {
			return i
		}
	}
	return -1
}

// note adds item i, which is new, to the index.
func (f *frame) note(i int) {
	if f.index == nil {
		if len(f.items) < largeMap {
			return
		}
		f.index = make(map[string]int, 2*len(f.items))
		for i := range f.items {
			f.note(i)
		}
		return
	}
	if s, ok := f.items[i].Key.Starlark().(starlark.String); ok {
		f.index[string(s)] = i
	}
}

// remove removes an item. In a large map it remains in place until the map is complete, so that the
// cost does not depend on the size of the map.
func (f *frame) remove(i int) {
	key := f.items[i].Key
	if s, ok := key.Starlark().(starlark.String); ok && f.index != nil {
		delete(f.index, string(s))
		f.removed = append(f.removed, i)
		return
	}
	if len(f.removed) > 0 {
		f.compact()
		i = f.find(key)
	}
	f.items, f.shared = slices.Concat(f.items[:i], f.items[i+1:]), false
	f.reindex()
}

// compact removes the items that remove left in place.
func (f *frame) compact() {
	if len(f.removed) == 0 {
		return
	}
	slices.Sort(f.removed)
	items := make([]tree.Item, 0, len(f.items)-len(f.removed))
	from := 0
	for _, i := range f.removed {
		items = append(items, f.items[from:i]...)
		from = i + 1
	}
	f.items, f.shared, f.removed = append(items, f.items[from:]...), false, nil
	f.reindex()
}

// reindex rebuilds the index of a large map.
func (f *frame) reindex() {
	if f.index != nil {
		f.index = nil
		if len(f.items) > 0 {
			f.note(len(f.items) - 1)
		}
	}
}
