package diff

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// hasher hashes values: equal values have equal hashes. The seed differs in each run, so that collisions
// cannot be constructed. Results must not depend on the order of hashes.
type hasher struct {
	seed  maphash.Seed
	items stack
	long  bool // the values may contain numbers that are compared as written
}

// stack is a buffer for the items of nested collections.
type stack struct {
	reader tree.Reader
	room   []tree.Item
}

// open returns the items of a collection. They are valid until close is called with the same mark.
func (s *stack) open(v tree.Value) (items []tree.Item, mark int) {
	mark = len(s.room)
	if _, _, syntax := v.Syntax(); !syntax {
		switch x := v.Starlark().(type) { // already materialized
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

// value returns the hash of a value. The order of map keys does not matter.
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
			if text, ok := edit.LongNumber(v); ok {
				return mix(41, maphash.String(h.seed, text))
			}
		}
		f := val.Float()
		if f == 0 || math.IsNaN(f) {
			return mix(31, uint64(int64(math.Abs(min(f, 0))))) // the same for every notation of the number
		}
		return mix(31, math.Float64bits(f))
	}
	return 1
}

// mix combines two hashes.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo ^ a
}

// features returns hashes of the parts of a value, so that similar values share many of them: one for each
// scalar together with the keys on its path, and one for each line of a text. The position of an item in
// its list is ignored, and so is the name of an object.
func (h *hasher) features(v tree.Value, of Name) []uint64 {
	f := gatherer{hasher: h, name: of.base()}
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

// object gathers the features of an object, except those that identify it.
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

// maxFeatures is the maximum number of features per value. More would not make the comparison better.
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

// letters gathers the features of a scalar without a path: each sequence of three bytes of its text, or
// each line if there are several.
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
