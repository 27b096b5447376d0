package tree

import (
	"unsafe"

	"go.starlark.net/starlark"

	"weft/internal/lang/yaml"
)

// This file is about code that reads scalars of templates that have two meanings. If a run detects
// such a read, it is repeated as a traced run, which finds out what code does with these scalars:
// those that are only passed on are printed as written.

// ForCode is like Starlark, but records that code reads v.
func (v Value) ForCode() starlark.Value {
	x := v.Starlark()
	if v.tree == nil || !v.tree.IsWatched() || v.tree.Kind(v.node) != yaml.Scalar {
		return x
	}
	v.tree.Read(v.node)
	if _, ok := x.(starlark.String); ok {
		if text := v.tree.Uncooked(v.node); len(text) > 0 {
			// Return the same bytes each time, so that the address shows whether code only passed the
			// string on.
			return starlark.String(unsafe.String(&text[0], len(text)))
		}
	}
	return x
}

// readByCode records that code reads everything in v.
func (v Value) readByCode() {
	var items []Item
	switch x := v.x.(type) {
	case nil:
		if v.tree != nil {
			v.tree.Read(v.node)
		}
	case *Map:
		items = x.items
	case *Array:
		items = x.items
	}
	for i := range items {
		items[i].Key.readByCode()
		items[i].Value.readByCode()
	}
}

// text identifies a node of a file.
type text struct {
	tree *yaml.Tree
	node yaml.NodeID
}

// written returns the set of the scalars in v, which is still a syntax node, that are spelled
// differently from how weft prints them. They are known only if the run follows texts.
func (t *Trace) written(v Value) (s Slice) {
	if t.texts == nil || v.tree == nil {
		return 0
	}
	key := text{v.tree, v.node}
	s, ok := t.texts[key]
	if ok {
		return s
	}
	switch v.Kind() {
	case ScalarKind:
		if isLiteral(v) {
			s = t.addText(v, v.ForCode())
		}
	case ArrayKind:
		for x := range v.Elements() {
			s = t.Union(s, t.written(x))
		}
	default:
		for _, it := range v.Entries() {
			s = t.Union(s, t.Union(t.written(it.Key), t.written(it.Value)))
		}
	}
	t.texts[key] = s
	return s
}

// FollowTexts makes the run follow scalars of templates that code reads, as if they were data values.
func (t *Trace) FollowTexts() { t.texts = map[text]Slice{} }

// KeyOf returns the set of key i of s, which code iterates over, if s is a map of data values and the
// key is spelled differently from how weft prints it. Keys are known only if the run follows texts.
func (t *Trace) KeyOf(s *Struct, i int) Slice {
	if t.texts == nil || s.fields == nil || !isLiteralKey(s.fields[i].key) {
		return 0
	}
	v := s.fields[i].key
	key := text{v.tree, v.node}
	if t.texts[key] == 0 {
		t.texts[key] = t.addText(v, s.key(i))
	}
	return t.texts[key]
}

// addText adds a leaf for the scalar v, which code receives as x.
func (t *Trace) addText(v Value, x starlark.Value) Slice {
	l, s := t.addLeaf(leaf{})
	t.mu.Lock()
	if t.fromText == nil {
		t.fromText = map[Leaf]Value{}
	}
	t.fromText[l] = v
	t.mu.Unlock()
	t.values[l] = x
	if text, ok := x.(starlark.String); ok && text != "" {
		if t.words == nil {
			t.words = map[*byte]Value{}
		}
		t.words[unsafe.StringData(string(text))] = v
	}
	return s
}

// key returns the key of a dict as the file spells it, if it is text that code only passed on. The
// receiver may be nil.
func (t *traced) key(key Value) Value {
	if t == nil || len(t.words) == 0 {
		return key
	}
	if s, ok := key.x.(starlark.String); ok && s != "" {
		return literal(t.words[unsafe.StringData(string(s))], key)
	}
	return key
}

// text returns the scalar of a template that leaf l represents, if it does.
func (o *Origins) text(l Leaf) (Value, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	v, ok := o.fromText[l]
	return v, ok
}

// Use records that something was computed from s or decided by it, if the run follows texts.
func (t *Trace) Use(s Slice) {
	if t.texts != nil {
		t.used = t.Union(t.used, s)
	}
}

// Used returns the union of all sets passed to Use.
func (t *Trace) Used() Slice { return t.used }

// Follow returns WithSpelling of v, which is passed to a library, if the run follows texts.
func (t *Trace) Follow(v Value) Value {
	if t.texts == nil {
		return v
	}
	return t.WithSpelling(v)
}
