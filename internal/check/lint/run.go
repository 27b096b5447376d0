package lint

import (
	"maps"
	"strings"

	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// evaluated returns the findings of the rules that need a traced run: about its documents, its
// overlays and conditions.
func evaluated(p FileSet, docs []tree.Doc, steps []explain.Step, origins *tree.Origins) diag.List {
	r := run{project: p}
	r.objects(docs)
	r.appended(docs, steps)
	r.misspelled(docs, steps)
	r.branches(origins)
	acted := map[source.Pos]bool{}
	for i := range steps {
		maps.Copy(acted, steps[i].Acted)
	}
	for i := range steps {
		r.step(&steps[i], acted)
	}
	r.needless(steps)
	return r.found
}

type run struct {
	project FileSet
	found   diag.List
	text    *written
}

func (r *run) report(at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	d := diag.Warningf(at, code, format, args...)
	r.found = append(r.found, d)
	return d
}

// objects finds two documents that Kubernetes considers the same object.
func (r *run) objects(docs []tree.Doc) {
	seen := map[selector.Object]*tree.Doc{}
	for i := range docs {
		id := selector.ObjectOf(docs[i].Value)
		if id.IsZero() || strings.HasSuffix(id.Name, "*") { // a generated name is another each time
			continue
		}
		if first := seen[id]; first != nil {
			if edit.Equal(docs[i].Value, first.Value) {
				continue // applying it twice changes nothing; some projects publish a part of their files twice
			}
			if isPatch(docs[i].Value, first.Value) {
				r.patch(docs[i], *first, id)
				continue
			}
			r.report(spanOf(docs[i]), codeOutputDuplicateObject, "the output has %s twice", id).
				WithRelated(spanOf(*first), "the first one is here").
				WithHint("remove one of them, or give it another name; to change the first one, write " +
					"`#@overlay/match by=...` above the `---` of the second")
			continue
		}
		seen[id] = &docs[i]
	}
}

// patch reports a document that only has parts of another one.
func (r *run) patch(d, of tree.Doc, id selector.Object) {
	r.report(spanOf(d), codeOutputPatch, "this looks like a patch of %s, but is printed as a document", id).
		WithRelated(spanOf(of), "the document is here").
		WithHint("write `#@overlay/match by=overlay.subset({\"kind\": …, \"metadata\": {\"name\": …}})` " +
			"above its `---`, or apply the file with --overrides-file")
}

// isPatch reports whether all keys of one map are in another, which has more.
func isPatch(patch, of tree.Value) bool {
	less, ok := partOf(patch, of)
	return ok && less
}

// partOf reports whether all keys of one map are in another, and whether the other has more keys.
func partOf(part, of tree.Value) (less, ok bool) {
	if part.Kind() != tree.MapKind || of.Kind() != tree.MapKind {
		return false, true
	}
	less = part.Len() < of.Len()
	for _, it := range part.Entries() {
		if it.Key.Kind() != tree.ScalarKind {
			return false, false
		}
		value, found := of.Lookup(it.Key.Text())
		if !found {
			return false, false
		}
		more, ok := partOf(it.Value, value)
		if !ok {
			return false, false
		}
		less = less || more
	}
	return less, true
}

// spanOf returns where a document comes from.
func spanOf(d tree.Doc) source.Span { return d.Pos.To(d.Pos.Offset()) }

// step checks what one overlay did. acted has the nodes of all overlays that matched.
func (r *run) step(s *explain.Step, acted map[source.Pos]bool) {
	switch {
	case len(s.Matched) == 0 && len(s.Effects) == 0:
		if r.written().mayMiss[s.Overlay.Pos] {
			return // the author allows that it matches nothing
		}
		r.report(s.Overlay, codeOverlayNeverMatches, "this overlay matches no document").
			WithHint("remove it, or see what it nearly matches: weft explain")
		return
	case len(s.Effects) == 0 && len(s.Skipped) == 0 && r.written().constant[s.Overlay.Pos]:
		r.report(s.Overlay, codeOverlayUnchanged, "this overlay matches and changes nothing").
			WithHint("remove it, or see what it matches: weft explain")
	}
	r.skipped(s, acted)
}

// skipped finds nodes of an overlay that match nothing in any document. A function can add a node to
// several overlays: such a node is found only if it matches nothing in all of them.
func (r *run) skipped(s *explain.Step, acted map[source.Pos]bool) {
	count := map[source.Span]int{}
	for _, skip := range s.Skipped {
		if skip.Count == 0 && !skip.When && !acted[skip.At.Pos] && !r.written().mayMiss[skip.At.Pos] {
			count[skip.At]++
		}
	}
	for _, skip := range s.Skipped {
		if n := count[skip.At]; n > 0 && n >= max(len(s.Matched), 1) {
			delete(count, skip.At)
			d := r.report(skip.At, codeOverlayNeverMatches, "this node of the overlay matches nothing").
				WithHint("remove it, or see what it nearly matches: weft explain")
			if skip.Hint != "" {
				d.Hint = skip.Hint
			}
		}
	}
}

// needless finds `missing_ok=True` on keys that always exist.
func (r *run) needless(steps []explain.Step) {
	type seen struct{ there, added bool }
	at := map[source.Pos]*seen{}
	skipped := map[source.Pos]bool{}
	for i := range steps {
		for _, s := range steps[i].Skipped {
			skipped[s.At.Pos] = true
		}
		for _, c := range steps[i].Effects {
			s := at[c.At.Pos]
			if s == nil {
				s = &seen{}
				at[c.At.Pos] = s
			}
			switch c.Kind {
			case explain.Added:
				s.added = true
			case explain.Changed, explain.Removed:
				s.there = true
			}
		}
	}
	for f := range r.annotated() {
		a := f.Analysis
		for i := range f.annotations {
			an := &f.annotations[i]
			v, from, to := an.keyword("missing_ok")
			if an.Name != "overlay/match" || !isTrue(v) || !a.Tree.More(an.Owner) {
				continue
			}
			if s := at[a.Tree.Start(an.Owner)]; s != nil && s.there && !s.added && !skipped[a.Tree.Start(an.Owner)] {
				d := r.report(an.At, codeOverlayNeedlessMissingOk, "`missing_ok=True` hides misspelled "+
					"names, and what it is on is always there").WithHint("remove it")
				if len(an.args) == 1 {
					start, end := f.wholeLine(an.At.Offset())
					d.Fix = &diag.Fix{Title: "remove it", Edits: []diag.Edit{f.edit(start, end, "")}}
				} else {
					d.Fix = &diag.Fix{Title: "remove it", Edits: []diag.Edit{f.withoutArgument(an, from, to)}}
				}
			}
		}
	}
}
