package edit

import (
	"bytes"
	"math"
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// SameText reports whether two scalars are equal. Where the spelling could matter, it compares the
// texts: 1.10 and 1.1 are the same number but different texts.
func SameText(a, b tree.Value) bool {
	if differ(a, b) || !tree.SameScalar(a, b) {
		return false
	}
	val, _ := a.Scalar()
	return val.Kind == yaml.String || val.Kind == yaml.Null || val.Kind == yaml.Bool ||
		a.Written() == b.Written()
}

// differ reports whether the bytes of two parsed scalars show that they are different. It returns
// false for words that may be two spellings of null or a boolean.
func differ(a, b tree.Value) bool {
	t, n, ok := a.Syntax()
	u, m, also := b.Syntax()
	if !ok || !also || t.Kind(n) != yaml.Scalar || u.Kind(m) != yaml.Scalar || t.HasTag(n) ||
		u.HasTag(m) {
		return false
	}
	x, y := t.Text(n), u.Text(m)
	const longest = len("false")
	return (len(x) > longest || len(y) > longest || t.Style(n) != yaml.Plain || u.Style(m) != yaml.Plain) &&
		string(x) != string(y)
}

// Identical reports whether two values are the same, so that one may replace the other in a text.
func Identical(a, b tree.Value) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Kind() == tree.ScalarKind {
		return SameText(a, b)
	}
	var r tree.Reader
	x, y := r.Items(nil, a), r.Items(nil, b)
	isMap := a.Kind() == tree.MapKind
	return slices.EqualFunc(x, y, func(p, q tree.Item) bool {
		return (!isMap || Identical(p.Key, q.Key)) && Identical(p.Value, q.Value)
	})
}

// Equal reports whether two values are equal. The order of keys does not count.
func Equal(a, b tree.Value) bool { return equalTo(a, b, true) }

// equalTo implements Equal. With try, values that were parsed are first compared node by node,
// which is enough for most of them.
func equalTo(a, b tree.Value, try bool) bool {
	if try {
		t, n, ok := a.Syntax()
		u, m, also := b.Syntax()
		if ok && also {
			if sameSyntax(t, n, u, m) {
				return true
			}
			try = false
		}
	}
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Kind() == tree.ScalarKind {
		return tree.SameScalar(a, b) && sameDigits(a, b) || bothNaN(a, b)
	}
	var r tree.Reader
	return equalItems(r.Items(nil, a), r.Items(nil, b), a.Kind() == tree.MapKind, try)
}

// hasValue reports whether node n of a text has the value v.
func hasValue(t *yaml.Tree, n yaml.NodeID, v tree.Value) bool {
	return inOrder(t, n, v) || Equal(tree.FromSyntax(t, n), v)
}

// hasItems reports whether collection n of a text has these items.
func hasItems(t *yaml.Tree, n yaml.NodeID, items []tree.Item) bool {
	if itemsInOrder(t, n, items) {
		return true
	}
	var r tree.Reader
	return equalItems(r.Items(nil, tree.FromSyntax(t, n)), items, t.Kind(n) == yaml.Mapping, true)
}

// inOrder reports whether node n of a text has the value v with all entries in the same order, so
// that no lookup is needed. It returns false if it is not sure.
func inOrder(t *yaml.Tree, n yaml.NodeID, v tree.Value) bool {
	if u, m, ok := v.Syntax(); ok {
		return sameSyntax(t, n, u, m) ||
			u.Kind(m) == yaml.Scalar && t.Kind(n) == yaml.Scalar &&
				tree.SameScalar(tree.FromSyntax(t, n), v)
	}
	switch v.Kind() {
	case tree.MapKind:
		return t.Kind(n) == yaml.Mapping && itemsInOrder(t, n, itemsOf(v))
	case tree.ArrayKind:
		return t.Kind(n) == yaml.Sequence && itemsInOrder(t, n, itemsOf(v))
	}
	return t.Kind(n) == yaml.Scalar && tree.SameScalar(tree.FromSyntax(t, n), v)
}

func itemsInOrder(t *yaml.Tree, n yaml.NodeID, items []tree.Item) bool {
	c, end, isMap := n+1, t.Next(n), t.Kind(n) == yaml.Mapping
	if t.Merges(n) {
		return false
	}
	for i := range items {
		if c == end {
			return false
		}
		if isMap {
			if !inOrder(t, c, items[i].Key) {
				return false
			}
			c = t.Next(c)
		}
		if !inOrder(t, c, items[i].Value) {
			return false
		}
		c = t.Next(c)
	}
	return c == end
}

// sameSyntax reports whether two nodes are written with the same words, ignoring lines and comments
// between them. It returns false if it is not sure.
func sameSyntax(t *yaml.Tree, n yaml.NodeID, u *yaml.Tree, m yaml.NodeID) bool {
	end := t.Next(n)
	if t.Schema() != u.Schema() || u.Next(m)-m != end-n {
		return false
	}
	for ; n < end; n, m = n+1, m+1 {
		if t.Kind(n) != u.Kind(m) || t.Next(n)-n != u.Next(m)-m || t.Merges(n) || t.HasTag(n) ||
			u.HasTag(m) {
			return false
		}
		switch t.Kind(n) {
		case yaml.Alias:
			return false
		case yaml.Scalar:
			if t.Style(n) != u.Style(m) || !sameScalarSyntax(t, n, u, m) {
				return false
			}
		}
	}
	return true
}

// sameScalarSyntax compares two scalars of one style.
func sameScalarSyntax(t *yaml.Tree, n yaml.NodeID, u *yaml.Tree, m yaml.NodeID) bool {
	raw := t.Raw(n)
	if t.Style(n) <= yaml.DoubleQuoted && bytes.IndexByte(raw, '\n') < 0 {
		return bytes.Equal(raw, u.Raw(m))
	}
	return bytes.Equal(t.Text(n), u.Text(m))
}

// equalItems reports whether the items of two collections are equal.
func equalItems(x, y []tree.Item, isMap, try bool) bool {
	if len(x) != len(y) {
		return false
	}
	var index map[tree.ScalarKey]int
	for i := range x {
		j := i
		if isMap && !equalTo(x[i].Key, y[i].Key, try) {
			if index == nil {
				index = tree.IndexKeys(y)
			}
			k, scalar := x[i].Key.ScalarKey()
			at, found := index[k]
			if !scalar || !found {
				return false
			}
			j = at
		}
		if !equalTo(x[i].Value, y[j].Value, try) {
			return false
		}
	}
	return true
}

func bothNaN(a, b tree.Value) bool {
	x, _ := a.Scalar()
	y, _ := b.Scalar()
	return x.Kind == yaml.Float && y.Kind == yaml.Float && math.IsNaN(x.Float()) &&
		math.IsNaN(y.Float())
}
