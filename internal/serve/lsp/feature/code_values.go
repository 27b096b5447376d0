package feature

import (
	"path/filepath"

	"weft/internal/engine"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/workspace"
)

// codeValues are the values of the nodes of a document in the last evaluation of the active
// environment, with secrets hidden. A node in a loop has several. Offsets are those of the text that
// was evaluated.
type codeValues struct {
	file   *source.File
	limit  int // at most one more is collected for each node
	show   func(tree.Value) string
	output map[int][]string
	before map[int][]*replacedValue
	doubt  string // said after the values in the output; "" if there is none
}

// replacedValue is a value that overlays change or remove.
type replacedValue struct {
	old  string
	then []replacement // in order
}

// replacement is what an overlay does with a value.
type replacement struct {
	new string // "removed" if it is removed
	by  string // the place of the overlay
}

// valuesIn returns the values of a document, as show writes them, or nil if it was not evaluated.
func valuesIn(doc *workspace.TextDocument, limit int, show func(tree.Value) string) *codeValues {
	out := doc.View().Latest()
	if out == nil || out.Result == nil {
		return nil
	}
	in, ok := out.Input(doc.Path())
	if !ok {
		return nil
	}
	c := &codeValues{
		file: in.File, limit: limit, show: show, output: map[int][]string{}, before: map[int][]*replacedValue{},
	}
	if out.Failed && len(out.Stale) == 0 {
		c.doubt = "; the project has errors, so overlays may not be applied"
	}
	var rules secret.Rules
	rules.Hide(out.Result.Secrets)
	for _, o := range out.Result.Outputs {
		if o.File.Input.Origin() != doc.Path() {
			continue
		}
		for _, d := range o.Docs {
			c.collect(rules.Mask(d.Value, nil, nil), out.Diagnostics.Files)
		}
	}
	return c
}

// collect adds the items below v that come from the file.
func (c *codeValues) collect(v tree.Value, files *source.Set) {
	if k := v.Kind(); k != tree.MapKind && k != tree.ArrayKind {
		return
	}
	for _, it := range v.Entries() {
		if it.Pos.IsValid() && c.file.Holds(it.Pos) && len(c.output[it.Pos.Offset()]) <= c.limit {
			at := it.Pos.Offset()
			c.output[at] = append(c.output[at], files.Concealed(c.show(it.Value)))
		}
		c.collect(it.Value, files)
	}
}

// addReplaced adds the values of the file that overlays change or remove.
func (c *codeValues) addReplaced(res *engine.Result) {
	if res == nil {
		return
	}
	changed := map[place]*replacedValue{}
	for _, s := range explain.Hide(res.Steps, secret.Rules{}, res.Secrets) {
		for _, e := range s.Effects {
			if e.Kind != explain.Changed && e.Kind != explain.Removed || e.Target < 0 {
				continue
			}
			to := replacement{new: "removed", by: where(res.Files, e.At.Pos)}
			if e.Kind == explain.Changed {
				to.new = res.Files.Concealed(c.show(e.New))
			}
			d := s.Matched[e.Target]
			at := place{document: d.At.Pos, name: d.Name, path: e.Path}
			v := changed[at]
			if v == nil && c.isFrom(res.Files.File(e.Was.Pos)) && len(c.before[e.Was.Offset()]) <= c.limit {
				v = &replacedValue{old: res.Files.Concealed(c.show(e.Old))}
				c.before[e.Was.Offset()] = append(c.before[e.Was.Offset()], v)
				changed[at] = v
			}
			if v != nil {
				v.then = append(v.then, to)
			}
		}
	}
}

// place is the place of a value in a document while overlays change it.
type place struct {
	document   source.Pos
	name, path string
}

// isFrom reports whether a file of another evaluation is the one whose values are collected, with
// the same text.
func (c *codeValues) isFrom(f *source.File) bool {
	return f != nil && filepath.ToSlash(f.Shown()) == filepath.ToSlash(c.file.Shown()) && f.SameText(c.file)
}
