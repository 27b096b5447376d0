package override

import (
	"slices"

	"weft/internal/source"
	"weft/internal/tree"
)

// patch is a value of an override, read once: an override may meet thousands of documents.
type patch struct {
	value   tree.Value
	pos     source.Pos // of the item that holds it
	kind    tree.Kind
	null    bool
	remove  bool         // it says $remove: true
	replace bool         // it says $replace: true
	entries []patchEntry // of a mapping, without directives, or a list

	cleaned bool // fresh is known
	fresh   tree.Value
}

// patchEntry is one entry of a mapping or a list.
type patchEntry struct {
	item tree.Item
	key  tree.Value // of a mapping's entry: made, so that it is compared without looking into the file
	text string     // the key as text
	*patch
}

// patchOf reads an override.
func patchOf(v tree.Value, pos source.Pos) *patch {
	p := &patch{value: v, pos: pos, kind: v.Kind()}
	if p.kind == tree.ScalarKind {
		p.null = v.IsNull()
		return p
	}
	p.remove, p.replace = directive(v, keyRemove), directive(v, keyReplace)
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		e := patchEntry{item: it, patch: patchOf(it.Value, it.Pos)}
		if p.kind == tree.MapKind {
			if isDirective(it.Key) {
				continue
			}
			e.key, e.text = it.Key.Made(), keyText(it.Key)
		}
		p.entries = append(p.entries, e)
	}
	return p
}

// removes reports whether p says that what is there shall go.
func (p *patch) removes() bool { return p.null || p.remove }

// get is the entry of a mapping with a key.
func (p *patch) get(key string) *patch {
	i := slices.IndexFunc(p.entries, func(e patchEntry) bool { return e.key.IsString(key) })
	if i < 0 {
		return nil
	}
	return p.entries[i].patch
}
