package override

import (
	"bytes"
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// items returns the items of a collection in a slice that the caller may change. It is cut from a
// slab, since a document has many small collections.
func (m *merger) items(v tree.Value) []tree.Item {
	t, n, ok := v.Syntax()
	if !ok {
		return m.reader.Items(nil, v)
	}
	const some = 512
	if cap(m.slab)-len(m.slab) < some/8 {
		m.slab = make([]tree.Item, 0, some)
	}
	from := len(m.slab)
	list, ok := m.slab[from:], false
	if t.Kind(n) == yaml.Mapping {
		list, ok = appendDistinct(list, t, n)
	}
	if !ok {
		list = m.reader.Items(list[:0], v)
		if m.opt.Written && t.Kind(n) == yaml.Mapping {
			m.noteRepeated(t, n, len(list))
		}
	}
	// Leave room to add one item without a copy, since most overrides add one.
	size := min(len(list)+1, cap(list))
	if from+size <= cap(m.slab) && (len(list) == 0 || &list[0] == &m.slab[:from+1][from]) {
		m.slab = m.slab[:from+size]
	}
	return list[:len(list):size]
}

// appendDistinct appends the items of mapping n to list if it has few keys, all plain and distinct,
// so that it can be read directly. Comparing a few short keys is faster than hashing them.
func appendDistinct(list []tree.Item, t *yaml.Tree, n yaml.NodeID) ([]tree.Item, bool) {
	const maxKeys = 12
	if t.Merges(n) {
		return list, false
	}
	var keys [maxKeys][]byte
	var marks uint64 // a bit for each key so far: equal keys have the same bit
	i, end := 0, t.Next(n)
	for key := n + 1; key < end; i++ {
		if i == maxKeys || t.Kind(key) != yaml.Scalar || t.Style(key) != yaml.Plain || t.HasTag(key) ||
			t.Explicit(key) {
			return list, false
		}
		raw := t.Raw(key)
		if len(raw) == 0 || raw[0] < 'A' { // numbers can be equal in two spellings
			return list, false
		}
		if len(raw) <= len("false") &&
			t.Schema().Resolve(raw).Kind != yaml.String { // and so can booleans
			return list, false
		}
		mark := uint64(1) << ((uint(raw[0]) + 7*uint(raw[len(raw)-1]) + 13*uint(len(raw))) % 64)
		if marks&mark != 0 &&
			slices.ContainsFunc(keys[:i], func(k []byte) bool { return bytes.Equal(k, raw) }) {
			return list, false
		}
		marks |= mark
		keys[i] = raw
		value := t.Next(key)
		list = append(
			list,
			tree.Item{
				Key:   tree.FromSyntax(t, key),
				Value: tree.FromSyntax(t, value),
				Pos:   t.Start(key),
			},
		)
		key = t.Next(value)
	}
	return list, true
}
