package diff

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// hasher computes hashes of values: equal values have equal hashes. The seed differs in each run,
// so that nobody can construct collisions; nothing may depend on the order of hashes.
type hasher struct {
	seed  maphash.Seed
	items stack
	long  bool // there may be numbers that are compared as they are written
}

// stack is room for the items of collections that are read one inside the other.
type stack struct {
	reader tree.Reader
	room   []tree.Item
}

// open gives the items of a collection, until close is called with the same mark.
func (s *stack) open(v tree.Value) (items []tree.Item, mark int) {
	mark = len(s.room)
	if _, _, syntax := v.Syntax(); !syntax {
		switch x := v.Starlark().(type) { // it is there already
		case *tree.Map:
			return x.Entries(), mark
		case *tree.Array:
			return x.Entries(), mark
		}
	}
	s.room = s.reader.Items(s.room, v)
	return s.room[mark:], mark
}

func (s *stack) close(mark int) { s.room = s.room[:mark] }

// value returns the number of a value. The order of a map's keys does not count.
func (h *hasher) value(v tree.Value) uint64 {
	kind := v.Kind()
	if kind == tree.ScalarKind {
		return h.scalar(v)
	}
	items, mark := h.items.open(v)
	defer h.items.close(mark)
	sum := uint64(len(items))*3 + uint64(kind)
	for i := range items {
		if kind == tree.MapKind {
			sum += mix(h.value(items[i].Key), h.value(items[i].Value))
		} else {
			sum = mix(sum, h.value(items[i].Value))
		}
	}
	return mix(sum, uint64(kind))
}

func (h *hasher) scalar(v tree.Value) uint64 {
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.String:
		return maphash.Bytes(h.seed, text)
	case yaml.Bool:
		if val.Bool() {
			return 11
		}
		return 12
	case yaml.Int:
		return mix(21, uint64(val.Int()))
	case yaml.Uint:
		return mix(21, val.Uint())
	case yaml.Float:
		if h.long {
			if text, ok := longNumber(v); ok {
				return mix(41, maphash.String(h.seed, text))
			}
		}
		f := val.Float()
		if f == 0 || math.IsNaN(f) {
			return mix(31, uint64(int64(math.Abs(min(f, 0))))) // of all ways to write them
		}
		return mix(31, math.Float64bits(f))
	}
	return 1
}

// mix makes one number of two.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo ^ a
}

// features returns numbers of the parts that a value consists of, so that alike values have many of
// them in common: one for each scalar with the keys that lead to it, and for each line of a text.
// Where an item is in its list does not count, and of an object neither does its name.
func (h *hasher) features(v tree.Value, of Name) []uint64 {
	f := gatherer{hasher: h, name: of.Name}
	switch {
	case v.Kind() == tree.ScalarKind:
		f.letters(v)
	case of.isObject():
		f.object(v)
	default:
		f.gather(v, 1)
	}
	return f.list
}

// object gathers the features of an object without what says which one it is.
func (f *gatherer) object(v tree.Value) {
	items, mark := f.items.open(v)
	defer f.items.close(mark)
	for i := range items {
		switch key := items[i].Key; {
		case key.IsString("apiVersion"), key.IsString("kind"):
		case key.IsString("metadata"):
			meta, mark := f.items.open(items[i].Value)
			for k := range meta {
				if !isNaming(meta[k].Key) {
					f.gather(meta[k].Value, f.value(meta[k].Key))
				}
			}
			f.items.close(mark)
		default:
			f.gather(items[i].Value, f.value(key))
		}
	}
}

// isNaming reports whether a key of an object's metadata is part of its name.
func isNaming(key tree.Value) bool {
	return key.IsString("name") || key.IsString("generateName") || key.IsString("namespace")
}

// maxFeatures is how many parts of a value count. A value with more of them is known well enough.
const maxFeatures = 1 << 14

type gatherer struct {
	*hasher
	name string
	list []uint64
}

func (f *gatherer) gather(v tree.Value, at uint64) {
	if len(f.list) >= maxFeatures {
		return
	}
	kind := v.Kind()
	if kind == tree.ScalarKind {
		f.leaf(v, at)
		return
	}
	items, mark := f.items.open(v)
	defer f.items.close(mark)
	if len(items) == 0 {
		f.list = append(f.list, mix(at, uint64(kind)))
	}
	for i := range items {
		below := mix(at, 7)
		if kind == tree.MapKind {
			below = mix(at, f.value(items[i].Key))
		}
		f.gather(items[i].Value, below)
	}
}

func (f *gatherer) leaf(v tree.Value, at uint64) {
	val, text := v.Scalar()
	if val.Kind != yaml.String {
		f.list = append(f.list, mix(at, f.scalar(v)))
		return
	}
	for line := range bytes.Lines(text) {
		if f.name != "" && strings.Contains(string(line), f.name) {
			line = bytes.ReplaceAll(line, []byte(f.name), []byte{0})
		}
		f.list = append(f.list, mix(at, maphash.Bytes(f.seed, line)))
	}
	if len(text) == 0 {
		f.list = append(f.list, mix(at, 5))
	}
}

// letters are the features of a scalar by itself: each three bytes of its text that follow each
// other, or each line if it has several.
func (f *gatherer) letters(v tree.Value) {
	val, text := v.Scalar()
	if val.Kind != yaml.String || bytes.IndexByte(text, '\n') >= 0 {
		f.leaf(v, 1)
		return
	}
	const n = 3
	if len(text) <= n {
		f.list = append(f.list, f.scalar(v))
	}
	for i := 0; i+n <= len(text) && i < maxFeatures; i++ {
		f.list = append(f.list, uint64(text[i])|uint64(text[i+1])<<8|uint64(text[i+2])<<16|1<<32)
	}
}
