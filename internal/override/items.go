package override

import (
	"bytes"

	"weft/internal/tree"
	"weft/internal/yaml"
)

// items are the items of a collection, in a slice of the caller's own. They are cut from a slab, since a document has many small collections.
func (m *merger) items(v tree.Value) []tree.Item {
	t, n, ok := v.Syntax()
	if !ok {
		return m.reader.Items(nil, v)
	}
	count := 0
	for c := n + 1; c < t.Next(n); c = t.Next(c) {
		count++
	}
	if v.Kind() == tree.MapKind {
		count /= 2
	}
	const some = 512
	if cap(m.slab)-len(m.slab) < count+1 {
		m.slab = make([]tree.Item, 0, max(some, count+1))
	}
	// One more may be added without a copy, which is what most overrides do.
	from := len(m.slab)
	list := m.slab[from : from : from+count+1]
	if v.Kind() == tree.MapKind && distinct(t, n, count) {
		for key := n + 1; key < t.Next(n); {
			value := t.Next(key)
			list = append(list, tree.Item{Key: tree.FromSyntax(t, key), Value: tree.FromSyntax(t, value), Pos: t.Start(key)})
			key = t.Next(value)
		}
	} else {
		list = m.reader.Items(list, v)
	}
	m.slab = m.slab[:from+count+1]
	return list
}

// distinct reports whether mapping n has nothing but plain keys, of which no two are the same, so that it can be read as it stands. It looks no further than it must: a few short
// keys are compared faster than they are hashed.
func distinct(t *yaml.Tree, n yaml.NodeID, count int) bool {
	const most = 12
	if count > most || t.Merges(n) {
		return false
	}
	var keys [most][]byte
	i := 0
	for key := n + 1; key < t.Next(n); key = t.Next(t.Next(key)) {
		if t.Kind(key) != yaml.Scalar || t.Style(key) != yaml.Plain || t.HasTag(key) || t.Explicit(key) {
			return false
		}
		raw := t.Raw(key)
		if len(raw) == 0 || raw[0] < 'A' { // two texts may be one number
			return false
		}
		for _, k := range keys[:i] {
			if bytes.Equal(k, raw) || len(raw) <= len("false") && sameWord(k, raw) {
				return false
			}
		}
		keys[i] = raw
		i++
	}
	return true
}

// sameWord reports whether two keys may be one word for a truth value or for null.
func sameWord(a, b []byte) bool {
	return yaml.Compat.Resolve(a).Kind != yaml.String && yaml.Compat.Resolve(b).Kind != yaml.String
}
