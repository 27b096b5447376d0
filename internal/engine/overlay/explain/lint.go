package explain

import (
	"bytes"
	"fmt"
	"strings"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file warns of annotations that are valid but do nothing. They are reported once for each
// node of an overlay, when its plan is built.

func warn(o *overlay.Options, d *diag.Diagnostic) {
	if o.Warn != nil {
		d.Severity = diag.Warning
		o.Warn(d)
	}
}

// linter checks annotations.
type linter struct{ opt *overlay.Options }

// Planned implements overlay.Remarks.
func (r *remarks) Planned(p *overlay.Plan) {
	c := linter{r.opt}
	all := p.Notes.All()
	for i := range all {
		a := &all[i]
		if !strings.HasPrefix(a.Name, overlay.NotePrefix) {
			continue
		}
		if a.Before.IsValid() {
			warn(c.opt, c.twice(p, a))
		}
		takes := keywords(a.Name)
		switch {
		case len(a.Args) > 0 && a.Name == overlay.NoteMatch:
			warn(c.opt, diag.Warningf(p.At, overlay.CodePosition, "an argument of @%s has no name, and "+
				"is ignored", a.Name).
				WithHint("write `by=...`, `expects=...`, `missing_ok=...` or `when=...`"))
		case len(a.Args) > 0 && len(takes) > 0 && a.Name != overlay.NoteInside:
			warn(c.opt, diag.Warningf(p.At, overlay.CodePosition, "an argument of @%s has no name, and "+
				"is ignored", a.Name).WithHint("it takes %s", strings.Join(takes, ", ")))
		}
	}
	if p.Kind == tree.ArrayItem && !p.HasMatch {
		switch p.Op {
		case overlay.OpRemove, overlay.OpReplace, overlay.OpInsert, overlay.OpAssert:
			warn(c.opt, diag.Warningf(p.At, overlay.CodeNoEffect, "@%s has no effect on an array item "+
				"without @overlay/match, which matches nothing", p.Op).
				WithHint("%s", whichItem(p.Right)))
		}
	}
	if p.Op == overlay.OpInsert && p.HasMatch && !p.Before && !p.After {
		warn(c.opt, diag.Warningf(p.At, overlay.CodeNoEffect, "@overlay/insert has no effect with "+
			"neither before=True nor after=True"))
	}
}

// whichItem returns a hint for identifying an item of a list.
func whichItem(v tree.Value) string {
	if v.Kind() == tree.ScalarKind && !v.IsNull() {
		return fmt.Sprintf("choose the items: `#@overlay/match by=overlay.subset(%s)` matches "+
			"those equal to it, `by=overlay.index(0)` the first", overlay.Literal(v))
	}
	return "choose the items, for example with `#@overlay/match by=\"name\"`, " +
		"`by=overlay.index(0)` or `by=overlay.all`"
}

// twice reports a duplicate annotation.
func (c linter) twice(p *overlay.Plan, a *tree.Annotation) *diag.Diagnostic {
	d := diag.Warningf(p.At, overlay.CodeTwice, "@%s is on this %s twice, and only the last one counts",
		a.Name, name(p))
	relate(d, noteSpan(c.opt, a.Before), "this one is ignored")
	if hint := c.afterDashHint(p, a); hint != "" {
		return d.WithHint("%s", hint)
	}
	if hint := c.excluding(p, a); hint != "" {
		return d.WithHint("%s", hint)
	}
	if join := c.joined(a); join != "" {
		return d.WithHint("combine the two: `%s`", join)
	}
	return d.WithHint("remove one of the two")
}

// excluding returns the hint for two match annotations that cannot be joined, because both set the
// number of matches in different ways. It returns "" for others.
func (c linter) excluding(p *overlay.Plan, a *tree.Annotation) string {
	first, last := countKeyword(noteText(c.opt, a.Before, a.Name)),
		countKeyword(noteText(c.opt, a.Pos, a.Name))
	if a.Name != overlay.NoteMatch || first == "" || last == "" || first == last {
		return ""
	}
	hint := fmt.Sprintf("%s and %s exclude each other: write one @overlay/match with one of them",
		first, last)
	if p.Kind == tree.ArrayItem && p.Inner == tree.MapKind {
		key := firstKey(p.Right)
		hint += fmt.Sprintf("; if the second is for %s, move it between the `-` and %[1]s, each "+
			"on a line of its own", key)
	}
	return hint
}

// countKeyword returns the keyword in the text of a match annotation that sets the number of
// matches, or "".
func countKeyword(text string) string {
	for _, name := range []string{"missing_ok", "expects", "when"} {
		if strings.Contains(text, name+"=") {
			return name
		}
	}
	return ""
}

// afterDashHint returns the hint for an annotation after the dash of an item, which applies to the
// item and not to its first key. It returns "" if there is none.
func (c linter) afterDashHint(p *overlay.Plan, a *tree.Annotation) string {
	if p.Kind != tree.ArrayItem || !p.At.IsValid() || a.Pos.Compare(p.At.Pos) < 0 ||
		p.Inner != tree.MapKind {
		return ""
	}
	return fmt.Sprintf("next to the `-`, an annotation belongs to the item: for %s put it on the "+
		"next line, above the key", firstKey(p.Right))
}

// joined joins an annotation with the previous one of the same name. It returns "" if both have the
// same keyword.
func (c linter) joined(a *tree.Annotation) string {
	if a == nil || !a.Before.IsValid() {
		return ""
	}
	first, last := noteText(c.opt, a.Before, a.Name), noteText(c.opt, a.Pos, a.Name)
	if first == "" || last == "" || len(a.Args) > 0 {
		return ""
	}
	if x, y := countKeyword(first), countKeyword(last); a.Name == overlay.NoteMatch && x != y &&
		x != "" && y != "" {
		return ""
	}
	for _, name := range keywords(a.Name) {
		if strings.Contains(first, name+"=") && strings.Contains(last, name+"=") {
			return joinedMatchers(a, first, last)
		}
	}
	return "#@" + a.Name + " " + first + ", " + last
}

// joinedMatchers joins two match annotations that have only by=, each with a matcher, into one that
// requires both. It returns "" for others.
func joinedMatchers(a *tree.Annotation, first, last string) string {
	x, ok := strings.CutPrefix(first, "by=overlay.")
	y, ok2 := strings.CutPrefix(last, "by=overlay.")
	if !ok || !ok2 || a.Name != overlay.NoteMatch || strings.Contains(x, "=") || strings.Contains(y, "=") {
		return ""
	}
	return fmt.Sprintf("#@%s by=overlay.and_op(overlay.%s, overlay.%s)` for what both match, or "+
		"with or_op and `expects=\"1+\"", a.Name, x, y)
}

// noteText returns the text after the name of the annotation at pos, up to the end of its line, or
// "".
func noteText(o *overlay.Options, pos source.Pos, name string) string {
	at := noteSpan(o, pos)
	if !at.IsValid() {
		return ""
	}
	_, text, _ := strings.Cut(string(o.Files.File(pos).Data()[at.Pos.Offset():at.End()]), name)
	return strings.TrimSpace(text)
}

// noteSpan returns the span from pos, where an annotation starts, to the end of its line.
func noteSpan(o *overlay.Options, pos source.Pos) source.Span {
	if o.Files == nil {
		return source.Span{}
	}
	f := o.Files.File(pos)
	if f == nil {
		return source.Span{}
	}
	line, _, _ := bytes.Cut(f.Data()[pos.Offset():], []byte("\n"))
	return pos.To(pos.Offset() + len(bytes.TrimRight(line, " \t\r")))
}

// Plain implements overlay.Remarks.
func (r *remarks) Plain(left [][]tree.Doc) {
	if r.opt.Inner {
		return
	}
	var in overlay.Reader
	for _, docs := range left {
		for i := range docs {
			lintDocument(r.opt, &in, &docs[i])
		}
	}
}

// lintDocument warns of the first overlay annotation in a document that is not an overlay. The
// others have no effect for the same reason.
func lintDocument(o *overlay.Options, r *overlay.Reader, d *tree.Doc) {
	if name := firstNote(d.Annotations); name != "" {
		x := diag.Warningf(o.DocumentSpan(d.Pos), overlay.CodeNoMatch,
			"@%s has no effect: a document without @overlay/match is not an overlay", name)
		warn(o, x.WithHint("add `#@overlay/match by=...` above it to choose the documents"))
		return
	}
	it, atTop := firstAnnotated(r, d.Value)
	name := firstNote(it.Annotations)
	switch {
	case name == "":
	case atTop && it.Annotations.Get(overlay.NoteMatch) != nil:
		first := "key"
		if d.Value.Kind() == tree.ArrayKind {
			first = "item"
		}
		warn(o, diag.Warningf(o.ItemSpan(it), overlay.CodePlacement, "@overlay/match has no effect: it "+
			"belongs to the first %s, and the document is not an overlay", first).
			WithHint("put a `---` line below the annotation, so that it belongs to the document"))
	default:
		warn(o, diag.Warningf(o.ItemSpan(it), overlay.CodeNoMatch,
			"@%s has no effect: the document around it is not an overlay", name).
			WithHint("to make the document an overlay, write `#@overlay/match by=...` and a "+
				"`---` line above it"))
	}
}

// firstNote returns the name of the first overlay annotation, or "". Unknown names are reported
// elsewhere.
func firstNote(notes *tree.Annotations) string {
	for _, a := range notes.All() {
		if tree.Means(a.Name) && strings.HasPrefix(a.Name, overlay.NotePrefix) {
			return a.Name
		}
	}
	return ""
}

// firstAnnotated returns the first item below v, in source order, that has an overlay annotation,
// and reports whether it is the very first item.
func firstAnnotated(c *overlay.Reader, v tree.Value) (it tree.Item, atTop bool) {
	if c.Clean(v) == v {
		return it, false
	}
	for i, it := range c.Items(nil, v) {
		if it.Annotations.Has(overlay.NotePrefix) {
			return it, i == 0
		}
		if found, _ := firstAnnotated(c, it.Value); found.Annotations != nil {
			return found, false
		}
	}
	return it, false
}

// NeedsBy implements overlay.Explainer.
func (e *explainer) NeedsBy(p *overlay.Plan) *diag.Diagnostic {
	lint, note := linter{e.opt}, p.Notes.Get(overlay.NoteMatch)
	d := diag.Errorf(source.Span{}, overlay.CodeAnnotation,
		"expected @overlay/match on %s to have keyword argument by",
		diag.Article(p.Kind.String()),
	)
	switch {
	case note == nil:
		d.Message = "expected the document to be annotated with @overlay/match"
	case note.Before.IsValid():
		d.Message = fmt.Sprintf(
			"@overlay/match is on this %s twice, and only the last one counts, which has no "+
				"keyword argument by",
			name(p),
		)
		d.Hint = lint.twice(p, note).Hint
		return relate(d, noteSpan(e.opt, note.Before), "this one is ignored")
	case lint.afterDashHint(p, note) != "":
		return d.WithHint("%s", lint.afterDashHint(p, note))
	case len(note.Args) > 0:
		return d.WithHint("name the argument: `#@overlay/match by=...`")
	}
	switch {
	case p.Kind == tree.ArrayItem && p.Inner == tree.ScalarKind:
		return d.WithHint("write `by=overlay.subset(%s)` for the items equal to it, "+
			"`by=overlay.index(0)` or `by=overlay.all`; without @overlay/match the item is "+
			"appended", overlay.Literal(p.Right))
	case p.Kind == tree.ArrayItem:
		return d.WithHint(
			"write `by=\"name\"` to compare a key, `by=overlay.subset(...)`, " +
				"`by=overlay.index(0)` or `by=overlay.all`; without @overlay/match the item is " +
				"appended",
		)
	}
	return d.WithHint(
		"write `#@overlay/match by=overlay.subset({...})` or `#@overlay/match by=overlay.all` " +
			"above the `---`",
	)
}

func keywords(note string) []string {
	m, _ := tree.MeaningOf(note)
	return m.KeywordNames()
}
