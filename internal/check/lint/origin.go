//go:build !playground

package lint

import (
	"bytes"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// node is a value of a document, and what set it.
type node struct {
	origins *tree.Origins
	files   *source.Set
	item    tree.Item
	value   tree.Value
	at      source.Pos // where its item, or its parent, was written
	origin  tree.Origin
	own     bool // the origin belongs to the value itself, not to its parent
}

// find returns the value at a path of a document, or its innermost existing parent.
func (k *validation) find(doc *tree.Doc, way path.Path) *node {
	n := &node{
		origins: k.Origins, files: k.Files, value: doc.Value, at: doc.Pos, origin: doc.Value.Origin(),
	}
	put := n.isPut(n.origin)
	for _, step := range way {
		it, ok := itemAt(n.value, step)
		if !ok {
			return n
		}
		n.item, n.value, n.own = it, it.Value, false
		if it.Pos.IsValid() {
			n.at = it.Pos
		}
		// An overlay inserted the output of a template into the document.
		if o := it.Value.Origin(); o != 0 && (!put || n.isPut(o)) {
			n.origin, n.own, put = o, true, n.isPut(o)
		}
	}
	return n
}

// isPut reports whether an overlay or override inserted a value where it is.
func (n *node) isPut(o tree.Origin) bool {
	s, ok := n.origins.Of(o)
	return ok && (s.By == tree.ByOverlay || s.By == tree.ByShortcut || s.By == tree.ByOverride)
}

// itemAt returns the item at a step.
func itemAt(v tree.Value, s path.Segment) (tree.Item, bool) {
	if a, ok := v.Array(); ok && s.Kind == path.Item && s.Index < len(a.Entries()) {
		return a.Entries()[s.Index], true
	}
	if m, ok := v.Map(); ok && s.Kind == path.Key {
		if i := m.Find(s.Key.Starlark()); i >= 0 {
			return m.Entries()[i], true
		}
	}
	return tree.Item{}, false
}

// key returns where the key of the value is written.
func (n *node) key() source.Span {
	if s, ok := n.origins.Of(n.origin); ok && n.own && n.isPut(n.origin) && s.At.IsValid() {
		return s.At
	}
	from := n.at.Offset()
	f := n.files.File(n.at)
	if name := tree.KeyText(n.item.Key); f != nil && bytes.HasPrefix(f.Data()[from:], []byte(name)) {
		return n.at.To(from + len(name))
	}
	return n.at.To(from)
}

// place returns where the value is written, or the code that computes it.
func (n *node) place() source.Span {
	s, ok := n.origins.Of(n.origin)
	switch {
	case ok && n.own && n.isPut(n.origin) && s.At.IsValid():
		return s.At
	case ok && n.own && s.By == tree.ByTemplate && s.At.IsValid():
		return s.At
	}
	if at := n.value.Span(); at.IsValid() && n.value.Kind() == tree.ScalarKind &&
		n.at.IsValid() && n.files.File(at.Pos) == n.files.File(n.at) {
		return at
	}
	return n.key()
}

// setting returns how a template produced the value, if it did.
func (n *node) setting() (tree.Setting, bool) {
	s, ok := n.origins.Of(n.origin)
	if ok && s.By != tree.ByTemplate {
		s, ok = n.origins.Of(s.From)
	}
	return s, ok
}

// computed reports whether code produced the value.
func (n *node) computed() bool {
	s, ok := n.setting()
	return ok && s.At.IsValid()
}

// maxNamedValues is the maximum number of data values in a finding.
const maxNamedValues = 3

// sources adds the places of the data values that a value was computed from.
func (k *validation) sources(d *diag.Diagnostic, n *node) {
	s, ok := n.setting()
	if !ok {
		return
	}
	for i, leaf := range k.Origins.Leaves(s.Reads) {
		if i == maxNamedValues {
			return
		}
		v, pos, by, ok := k.Origins.Find(leaf)
		if !ok || k.secrets.HidesText(v) {
			continue
		}
		at := pos.To(pos.Offset())
		set, _ := k.Origins.Of(by)
		if set.At.IsValid() && (v.Origin() != 0 || !at.IsValid()) {
			at = set.At
		}
		what := "the data value %s is set here"
		if set.By == tree.ByDefault {
			what = "the data value %s has its default here"
		}
		info := k.Origins.Leaf(leaf)
		if info.Document != "" {
			what = "it is copied from %s, which is set here"
		}
		d.WithRelated(at, what, info.String())
	}
}
