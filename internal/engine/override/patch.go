package override

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// patch is a value of an override, read once and applied to thousands of documents.
type patch struct {
	value   tree.Value
	scalar  word       // of a scalar: the value
	pos     source.Pos // the position of the item that contains it
	kind    tree.Kind
	view    view
	null    bool
	remove  bool         // it has $remove: true
	replace bool         // it has $replace: true
	target  *target      // of an entry of a list: it has $at or $match
	drops   []dropped    // it has $remove-items
	listed  bool         // entries are known: see list
	entries []patchEntry // the entries of a mapping, without directives, or of a list

	// for a whole override
	sel, only Selector  // of $select, and of the project
	identity  *identity // nil if it has none, or is for documents that are selected otherwise
	byName    bool      // the identity selects

	cleaned bool // fresh is computed
	fresh   tree.Value
}

// patchEntry is one entry of a mapping or a list.
type patchEntry struct {
	item tree.Item
	key  word   // for an entry of a mapping
	text string // the key as text
	by   string // for an entry of a list: the key by which it was looked up
	id   word   // and its value for that key; null if it has none
	// the mapping has the key both as a string and as a word without quotes: each only matches
	// itself
	both bool
	*patch
}

// word is a scalar of an override, converted so that it can be compared with scalars of documents
// without looking into the override's file.
type word struct {
	value  tree.Value
	text   string
	isText bool // it is a string
	view   view // how the word, and the scalars that it is compared with, are read
}

func wordOf(v tree.Value, w view) word {
	v = w.of(v).Materialized()
	s, ok := v.Starlark().(starlark.String)
	return word{value: v, text: string(s), isText: ok, view: w}
}

// is reports whether a scalar of a document equals the word. For nearly all scalars, comparing bytes
// is enough.
func (w *word) is(v tree.Value) bool {
	v = w.view.of(v)
	t, n, read := v.Syntax()
	if !read || !w.isText || t.Kind(n) != yaml.Scalar || t.HasTag(n) {
		return tree.SameScalar(v, w.value)
	}
	text := t.Text(n)
	return string(text) == w.text &&
		(t.Style(n) != yaml.Plain || t.Schema().Resolve(text).Kind == yaml.String)
}

// entryID returns the value that identifies a list entry by a key, or null.
func (e *patchEntry) entryID(key string) *word {
	if e.by != key {
		e.by, e.id = key, word{value: tree.Null}
		if v, ok := e.value.Lookup(key); ok && v.Kind() == tree.ScalarKind {
			e.id = wordOf(v, e.view)
		}
	}
	return &e.id
}

// patchOf reads an override.
func patchOf(v tree.Value, pos source.Pos, w view) *patch {
	p := &patch{value: v, pos: pos, kind: v.Kind(), view: w}
	if p.kind == tree.ScalarKind {
		p.scalar, p.null = wordOf(v, w), v.IsNull()
		return p
	}
	p.remove, p.replace = directive(v, keyRemove), directive(v, keyReplace)
	if p.kind == tree.MapKind && w == nil {
		p.drops, _ = dropsOf(v) // it is checked: see directives
	}
	return p
}

// entryOf reads an entry of a list.
func entryOf(v tree.Value, pos source.Pos, w view) *patch {
	p := patchOf(v, pos, w)
	if p.kind == tree.MapKind && w == nil {
		p.target, _ = targetOf(v)
	}
	return p
}

// owns reports whether a key of the mapping is a directive.
func (p *patch) owns(key tree.Value) bool {
	return IsDirective(key) || p.drops != nil && key.IsString(keyRemoveItems) ||
		p.target != nil && (key.IsString(keyAt) || key.IsString(keyMatch)) ||
		!p.sel.IsZero() && key.IsString(keySelect)
}

// bare returns the value without the keys that say which documents or entries it is for.
func (p *patch) bare() tree.Value {
	if p.target == nil && p.sel.IsZero() {
		return p.value
	}
	var r tree.Reader
	items := slices.DeleteFunc(r.Items(nil, p.value), func(it tree.Item) bool { return p.owns(it.Key) })
	return tree.Of(tree.NewMap(items, p.value.Start()))
}

// list returns the entries of a collection. They are read on demand: a few lines with aliases can
// expand to millions of entries that no document has.
func (p *patch) list() []patchEntry {
	if p.listed || p.kind == tree.ScalarKind {
		return p.entries
	}
	p.listed = true
	var r tree.Reader
	for _, it := range r.Items(nil, p.value) {
		e := patchEntry{item: it}
		if p.kind == tree.ArrayKind {
			e.patch = entryOf(it.Value, it.Pos, p.view)
		} else {
			if p.owns(it.Key) {
				continue
			}
			e.patch = patchOf(it.Value, it.Pos, p.view)
			e.key, e.text = wordOf(it.Key, p.view), KeyText(it.Key)
		}
		p.entries = append(p.entries, e)
	}
	if p.kind == tree.MapKind {
		p.markBoth()
	}
	return p.entries
}

// markBoth marks the entries whose key has two spellings. Keys that are not strings are rare.
func (p *patch) markBoth() {
	var words map[string]bool
	for i := range p.entries {
		if e := &p.entries[i]; !e.key.isText {
			if words == nil {
				words = map[string]bool{}
			}
			words[e.text] = false
		}
	}
	if words == nil {
		return
	}
	for i := range p.entries {
		if e := &p.entries[i]; e.key.isText {
			if _, ok := words[e.text]; ok {
				words[e.text], e.both = true, true
			}
		}
	}
	for i := range p.entries {
		p.entries[i].both = p.entries[i].both || words[p.entries[i].text]
	}
}

// is reports whether p, a scalar, equals the existing value: see sameText.
func (p *patch) is(base tree.Value) bool {
	return p.scalar.is(base) && (p.scalar.isText || edit.SameText(base, p.value))
}

// removes reports whether p removes the existing value.
func (p *patch) removes() bool { return p.null || p.remove }

// get returns the entry of a mapping with a key.
func (p *patch) get(key string) *patch {
	for i := range p.list() {
		if p.entries[i].key.isText && p.entries[i].key.text == key {
			return p.entries[i].patch
		}
	}
	return nil
}
