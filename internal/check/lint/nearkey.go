package lint

import (
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// misspelled finds keys that an overlay adds next to a key of nearly the same name, because
// match-child-defaults allows all keys below to be missing.
func (r *run) misspelled(docs []tree.Doc, steps []explain.Step) {
	added := addedBy(steps)
	if len(added) == 0 {
		return
	}
	allowed := r.allowedMissing()
	for _, d := range docs {
		r.nearKeys(d.Value, added, allowed)
	}
}

// allowedMissing returns the nodes of overlays that have their own match annotation.
func (r *run) allowedMissing() map[source.Pos]bool {
	nodes := map[source.Pos]bool{}
	for f := range r.annotated() {
		for i := range f.annotations {
			a := &f.annotations[i]
			if a.Name == overlay.NoteMatch && a.Owner != yaml.NoOwner && f.Tree.More(a.Owner) {
				nodes[f.Tree.Start(a.Owner)] = true
			}
		}
	}
	return nodes
}

func (r *run) nearKeys(v tree.Value, added map[source.Pos]source.Span, allowed map[source.Pos]bool) {
	entries := v.Entries()
	if v.Kind() == tree.MapKind {
		var old []string
		for _, it := range entries {
			if _, isNew := added[it.Pos]; !isNew && it.Key.Kind() == tree.ScalarKind {
				old = append(old, it.Key.Text())
			}
		}
		for _, it := range entries {
			at, isNew := added[it.Pos]
			if !isNew || allowed[it.Pos] || it.Key.Kind() != tree.ScalarKind {
				continue
			}
			if near := overlay.Nearest(it.Key.Text(), old); near != "" {
				delete(added, it.Pos)
				r.report(at, codeOverlayNearKey, "the overlay adds '%s' next to '%s'", it.Key.Text(), near).
					WithHint("write `%s` if that is meant; otherwise write `#@overlay/match missing_ok=True` above "+
						"the key itself", near)
			}
		}
	}
	for _, it := range entries {
		if k := it.Value.Kind(); k == tree.MapKind || k == tree.ArrayKind {
			r.nearKeys(it.Value, added, allowed)
		}
	}
}
