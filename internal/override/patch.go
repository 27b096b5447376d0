package override

import (
	"go.starlark.net/starlark"

	"weft/internal/source"
	"weft/internal/tree"
)

// patch is a value of an override, read once: an override may meet thousands of documents.
type patch struct {
	value   tree.Value
	made    tree.Value // of a scalar: the value, without its text
	pos     source.Pos // of the item that holds it
	kind    tree.Kind
	null    bool
	remove  bool         // it says $remove: true
	replace bool         // it says $replace: true
	listed  bool         // entries are known: see list
	entries []patchEntry // of a mapping, without directives, or a list

	cleaned bool // fresh is known
	fresh   tree.Value
}

// patchEntry is one entry of a mapping or a list.
type patchEntry struct {
	item tree.Item
	key  tree.Value // of a mapping's entry: made, so that it is compared without looking into the file
	text string     // the key as text
	by   string     // of a list's entry: the key by which it was looked for
	id   tree.Value // and what it has there, made; null if it has none
	*patch
}

// entryID is what tells an entry of a list from others, by a key; null for nothing.
func (e *patchEntry) entryID(key string) tree.Value {
	if e.by != key {
		e.by, e.id = key, tree.Null
		if v, ok := e.value.Lookup(key); ok && v.Kind() == tree.ScalarKind {
			e.id = v.Made()
		}
	}
	return e.id
}

// patchOf reads an override.
func patchOf(v tree.Value, pos source.Pos) *patch {
	p := &patch{value: v, pos: pos, kind: v.Kind()}
	if p.kind == tree.ScalarKind {
		p.made, p.null = v.Made(), v.IsNull()
		return p
	}
	p.remove, p.replace = directive(v, keyRemove), directive(v, keyReplace)
	return p
}

// list is the entries of a collection. They are read when somebody asks: a few lines with aliases can stand for millions of entries that no document has.
func (p *patch) list() []patchEntry {
	if p.listed || p.kind == tree.ScalarKind {
		return p.entries
	}
	p.listed = true
	var r tree.Reader
	for _, it := range r.Items(nil, p.value) {
		e := patchEntry{item: it, patch: patchOf(it.Value, it.Pos)}
		if p.kind == tree.MapKind {
			if isDirective(it.Key) {
				continue
			}
			e.key, e.text = it.Key.Made(), keyText(it.Key)
		}
		p.entries = append(p.entries, e)
	}
	return p.entries
}

// is reports whether p, a scalar, is what is there already: see sameText.
func (p *patch) is(base tree.Value) bool {
	if !same(base, p.made) {
		return false
	}
	_, text := p.made.Starlark().(starlark.String)
	return text || sameText(base, p.value)
}

// removes reports whether p says that what is there shall go.
func (p *patch) removes() bool { return p.null || p.remove }

// get is the entry of a mapping with a key.
func (p *patch) get(key string) *patch {
	for i := range p.list() {
		if p.entries[i].key.IsString(key) {
			return p.entries[i].patch
		}
	}
	return nil
}
