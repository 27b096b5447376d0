package overlay

import (
	"slices"
	"strings"

	"weft/internal/diag"
	"weft/internal/tree"
)

// This file is about annotations that are allowed and do nothing. They are told once for each node of an overlay, when its plan is made.

func (o *Options) warning(d *diag.Diagnostic) {
	if o.Warn != nil {
		d.Severity = diag.Warning
		o.Warn(d)
	}
}

// lint looks at the annotations of a node of an overlay.
func (c *planner) lint(p *plan, notes *tree.Annotations) {
	if c.opt.Warn == nil {
		return
	}
	for _, a := range notes.All() {
		if !strings.HasPrefix(a.Name, prefix) {
			continue
		}
		takes, known := keywords[a.Name]
		switch {
		case !known:
			c.opt.warning(unknownNote(p, a.Name))
		case len(a.Args) > 0 && a.Name == noteMatch:
			c.opt.warning(diag.Warningf(p.at, CodePosition, "an argument of @%s has no name, and is ignored", a.Name).WithHint("write `by=...`, `expects=...`, `missing_ok=...` or `when=...`"))
		case len(a.Args) > 0 && len(takes) > 0:
			c.opt.warning(diag.Warningf(p.at, CodePosition, "an argument of @%s has no name, and is ignored", a.Name).WithHint("it takes %s", strings.Join(takes, ", ")))
		}
	}
	if p.kind == arrayItem && !p.hasMatch {
		switch p.op {
		case opRemove, opReplace, opInsert, opAssert:
			c.opt.warning(diag.Warningf(p.at, CodeNoEffect, "@%s has no effect on an array item without @overlay/match, which matches nothing", p.op).
				WithHint("say which item is meant, for example with `#@overlay/match by=\"name\"`, `by=overlay.index(0)` or `by=overlay.all`"))
		}
	}
	if p.op == opInsert && p.hasMatch && !p.before && !p.after {
		c.opt.warning(diag.Warningf(p.at, CodeNoEffect, "@overlay/insert has no effect with neither before=True nor after=True"))
	}
}

// noteNames are the annotations of overlays.
func noteNames() []string {
	names := make([]string, 0, len(keywords))
	for name := range keywords {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func unknownNote(p *plan, name string) *diag.Diagnostic {
	d := diag.Warningf(p.at, CodeUnknown, "there is no annotation @%s, and it is ignored", name)
	if near := diag.Nearest(name, noteNames()); near != "" {
		return d.WithHint("did you mean @%s?", near)
	}
	return d.WithHint("there are @%s", strings.Join(noteNames(), ", @"))
}

// lintPlain looks at a document that is no overlay for signs that it was meant to be one.
func (o *Options) lintPlain(d *tree.Document) {
	if o.Warn == nil {
		return
	}
	for _, a := range d.Annotations.All() {
		if strings.HasPrefix(a.Name, prefix) {
			o.warning(diag.Warningf(o.documentSpan(d.Pos), CodeNoMatch, "@%s has no effect: a document without @overlay/match is no overlay", a.Name).
				WithHint("add `#@overlay/match by=...` above the `---` to say which documents are meant"))
			break
		}
	}
	if _, _, ok := d.Value.Syntax(); ok {
		return
	}
	m, ok := d.Value.Map()
	if !ok || len(m.Entries()) == 0 {
		return
	}
	first := m.Entries()[0]
	if first.Annotations.Get(noteMatch) != nil {
		o.warning(diag.Warningf(o.itemSpan(first), CodePlacement, "@overlay/match has no effect: it belongs to the first key, and the document is no overlay").
			WithHint("put a line `---` below the annotation, so that it belongs to the document"))
	}
}
