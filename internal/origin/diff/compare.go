package diff

import (
	"hash/maphash"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// comparer compares documents one after the other.
type comparer struct {
	a, b    *Side
	opt     *Options
	hash    hasher
	items   stack
	changes []Change

	object   *Object
	path     path.Path
	was, at  source.Pos // the innermost known positions on both sides
	secretAt int        // length of the path at the innermost Kubernetes Secret, or -1
	secrets  int        // length of the path at the innermost list of Secrets, or -1
	inside   int        // the number of strings that the path leads into
}

func newComparer(a, b *Side, opt *Options) *comparer {
	c := &comparer{a: a, b: b, opt: opt, secretAt: -1, secrets: -1}
	c.hash.seed = maphash.MakeSeed()
	c.hash.long = a.hasLongNumbers() || b.hasLongNumbers()
	return c
}

// values compares two values at the current path.
func (c *comparer) values(x, y tree.Value) {
	if c.equal(x, y) || c.ignored() {
		return
	}
	switch kind := x.Kind(); {
	case kind != y.Kind(), c.hidden():
		c.changed(x, y)
	case kind == tree.MapKind:
		c.maps(x, y)
	case kind == tree.ArrayKind:
		c.lists(x, y)
	default:
		c.scalars(x, y)
	}
}

func (c *comparer) changed(x, y tree.Value) {
	c.report(Change{Op: Changed, Before: x, After: y, Was: c.was, At: c.at})
}

// maps compares two maps key by key, in any order.
func (c *comparer) maps(x, y tree.Value) {
	if outer := c.secretAt; c.isSecret(x, y) {
		c.secretAt = len(c.path)
		defer func() { c.secretAt = outer }()
	}
	if outer := c.secrets; secret.IsList(x) || secret.IsList(y) {
		c.secrets = len(c.path)
		defer func() { c.secrets = outer }()
	}
	a, mark := c.items.open(x)
	b, _ := c.items.open(y)
	defer c.items.close(mark)
	keys := keyIndex{items: b, hash: &c.hash}
	met := make([]bool, len(b))
	for i := range a {
		if c.isNameKey(a[i].Key) {
			continue
		}
		j := keys.find(i, a[i].Key)
		if j < 0 {
			c.below(path.ToKey(a[i].Key), a[i].Pos, source.Pos{}, func() {
				c.report(Change{Op: Removed, Before: a[i].Value, Was: c.was})
			})
			continue
		}
		met[j] = true
		c.below(path.ToKey(b[j].Key), a[i].Pos, b[j].Pos, func() { c.values(a[i].Value, b[j].Value) })
	}
	for j := range b {
		if met[j] || c.isNameKey(b[j].Key) {
			continue
		}
		c.below(path.ToKey(b[j].Key), source.Pos{}, b[j].Pos, func() {
			c.report(Change{Op: Added, After: b[j].Value, At: c.at})
		})
	}
}

// isSecret reports whether one of two maps at the current path is a Kubernetes Secret. Items of a list of
// Secrets may omit their kind.
func (c *comparer) isSecret(x, y tree.Value) bool {
	return c.inSecrets(2) || secret.IsObject(x) || secret.IsObject(y)
}

// inSecrets reports whether the current path leads the given number of steps into a list of
// Kubernetes Secrets: one step to its items, two to one item.
func (c *comparer) inSecrets(steps int) bool {
	return c.secrets >= 0 && len(c.path) == c.secrets+steps &&
		c.path[c.secrets].Key.IsString("items")
}

// isNameKey reports whether a key of the map at the current path is part of the name of a renamed object.
// That change is already reported.
func (c *comparer) isNameKey(key tree.Value) bool {
	return c.object.renamed && len(c.path) == 1 && c.path[0].Kind == path.Key &&
		c.path[0].Key.IsString("metadata") && c.object.Name.isObject() && isNaming(key)
}

// below calls f with the path extended by one segment.
func (c *comparer) below(to path.Segment, was, at source.Pos, f func()) {
	oldWas, oldAt := c.was, c.at
	if was.IsValid() {
		c.was = was
	}
	if at.IsValid() {
		c.at = at
	}
	c.path = append(c.path, to)
	f()
	c.path = c.path[:len(c.path)-1]
	c.was, c.at = oldWas, oldAt
}

// keyIndex finds the items of a map by key. Most items have the same index in both maps.
type keyIndex struct {
	items   []tree.Item
	hash    *hasher
	scalars map[tree.ScalarKey]int
	others  map[uint64]int // keys that are maps or lists
}

// find returns the index of a key that has index i in another map, or -1.
func (x *keyIndex) find(i int, key tree.Value) int {
	if i < len(x.items) && edit.Equal(key, x.items[i].Key) {
		return i
	}
	if x.scalars == nil {
		x.scalars, x.others = map[tree.ScalarKey]int{}, map[uint64]int{}
		for j := range x.items {
			if k, ok := x.items[j].Key.ScalarKey(); ok {
				x.scalars[k] = j
			} else {
				x.others[x.hash.value(x.items[j].Key)] = j
			}
		}
	}
	k, scalar := key.ScalarKey()
	j, ok := x.scalars[k]
	if !scalar {
		j, ok = x.others[x.hash.value(key)]
		ok = ok && edit.Equal(key, x.items[j].Key)
	}
	if !ok {
		return -1
	}
	return j
}
