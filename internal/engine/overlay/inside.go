package overlay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file applies @overlay/inside: an overlay of the YAML or JSON that a string holds.
//
// The string is parsed, its documents are edited by an editor of their own, and package edit writes
// the changes into the text, so that everything else keeps its bytes.

// NoteInside is the annotation of a string that holds YAML or JSON.
const NoteInside = NotePrefix + "inside"

// Inside is the overlay of what a string holds.
type Inside struct {
	Format string // "yaml" or "json"
	doc    *Plan  // what is done to its documents
}

// inside reads @overlay/inside.
func (c *planner) inside(p *Plan, it tree.Item, note *tree.Annotation) {
	p.Annotated = true
	by, own, ok := p.keywords(note, NoteInside)
	if !ok {
		return
	}
	format, ok := insideFormat(note)
	switch {
	case !ok:
		p.problem(wrong("expected @overlay/inside to say what the string holds").
			WithHint("write `#@overlay/inside \"yaml\"` or `#@overlay/inside \"json\"`"))
		return
	case p.Kind == tree.DocumentNode:
		p.problem(wrong("@overlay/inside looks into a string, but this is a document").
			WithHint("write it above the key of the string"))
		return
	case p.Op != OpMerge:
		p.problem(wrong("expected no action beside @overlay/inside, but found @%s", p.Op).
			WithHint("write the action below, above the keys in the string; without @overlay/inside it " +
				"applies to the string itself"))
		return
	case p.Kind == tree.ArrayItem && !p.HasMatch:
		p.problem(wrong("expected @overlay/match beside @overlay/inside on an array item").
			WithHint("write `#@overlay/match by=overlay.index(0)` above it"))
		return
	}
	p.Inside = &Inside{Format: format, doc: c.insideDocument(p, it, by, own)}
}

// insideDocument returns the plan for the documents in the string of p.
func (c *planner) insideDocument(p *Plan, it tree.Item, by starlark.Value, own Settings) *Plan {
	implied, paths := c.implied, c.paths
	c.implied, c.paths = true, nil
	doc := &Plan{Kind: tree.DocumentNode, At: p.At}
	c.node(doc, tree.Item{Value: it.Value, Pos: it.Pos}, p.Below)
	doc.paths = c.paths
	c.implied, c.paths = implied, paths
	doc.Expect, doc.IsEmbedded = newExpect(own), true
	c.calls = c.calls || doc.Expect.calls()
	if by != nil {
		if d := c.by(doc, by); d != nil {
			p.problem(d)
		}
	}
	return doc
}

// insideFormat returns the format that the annotation names.
func insideFormat(note *tree.Annotation) (string, bool) {
	if len(note.Args) != 1 {
		return "", false
	}
	s, ok := note.Args[0].(starlark.String)
	return string(s), ok && (s == "yaml" || s == "json")
}

// mergeInside applies p to what the string in entry i holds.
func (e *editor) mergeInside(d *draft, i int32, p *Plan) error {
	left := d.entries[i].cell().Value()
	text, err := p.Inside.text(left)
	if err != nil {
		return e.explain.ViaFailed(e.view(d), i, p, err)
	}
	outer := e.why.open(e)
	changed, err := e.editInside(d, i, p, text)
	if err != nil {
		return err
	}
	v := tree.String(string(changed))
	v = e.computed(v, v.Starlark(), p, left, outer)
	if bytes.Equal(changed, text) {
		return nil
	}
	v = e.sets(d, i, p, v)
	d.set(i, v, e.placeOf(d, i, p.Item.Pos, e.opt.HasComments != nil))
	return nil
}

// text returns the text of a string. The error is a diagnostic without a position.
func (in *Inside) text(v tree.Value) ([]byte, error) {
	if v.Kind() != tree.ScalarKind {
		return nil, diag.Errorf(source.Span{}, CodeType, "expected a string that holds %s, but was %s",
			in.name(), diag.Article(v.TypeName())).
			WithHint("remove @overlay/inside: the value is not a string, and what is below applies to it")
	}
	val, text := v.Scalar()
	if val.Kind != yaml.String {
		return nil, diag.Errorf(source.Span{}, CodeType, "expected a string that holds %s, but was %s",
			in.name(), diag.Article(v.TypeName()))
	}
	return text, nil
}

func (in *Inside) name() string {
	if in.Format == "json" {
		return "JSON"
	}
	return "YAML"
}

// editInside returns the text of the string in entry i with p applied to it. The first attempt is silent,
// and its positions are its own. Only if it fails, or if what is done is recorded, the text becomes a
// file of the run, to which messages can point.
func (e *editor) editInside(d *draft, i int32, p *Plan, text []byte) ([]byte, error) {
	_, isSilent := e.explain.(silent)
	if isSilent || e.record == nil {
		out, err := e.insideEditor(new(source.Set), false).edit(p.Inside, "string", text)
		if err == nil || isSilent {
			return out, err
		}
	}
	files := e.opt.Files
	if files == nil {
		files = new(source.Set)
	}
	name := segmentName(d, i)
	if f := files.File(d.entries[i].Pos); f != nil {
		name = f.WhereLine(d.entries[i].Pos.Offset()) + " › " + name
	}
	sub := e.insideEditor(files, true)
	if e.record != nil {
		e.record.Enter(e.view(d), i)
		e.record.Inside()
		defer e.record.Leave()
	}
	out, err := sub.edit(p.Inside, name, text)
	if e.thread == nil {
		e.thread = sub.thread
	}
	if x, ok := err.(*diag.Diagnostic); ok {
		if x.Path != "" {
			x.Path = "› " + x.Path
		}
		moveOut(x, sub.file, d.entries[i].Value)
		return nil, e.explain.Within(x, e.view(d), i, p)
	}
	return out, err
}

// moveOut changes positions in the text of a string to those in the file where the string is written, if
// each of its bytes is there.
func moveOut(x *diag.Diagnostic, f *source.File, v tree.Value) {
	t, n, ok := v.Syntax()
	if !ok || t.Style(n) != yaml.Literal && t.Uncooked(n) == nil {
		return
	}
	outside := t.Offsets(n)
	move := func(at *source.Span) {
		if f.Holds(at.Pos) {
			*at = t.File().Span(outside(at.Offset()), outside(max(at.Offset(), at.End()-1))+1)
		}
	}
	move(&x.At)
	for i := range x.Related {
		move(&x.Related[i].At)
	}
}

// segmentName returns the name of entry i in its collection.
func segmentName(d *draft, i int32) string {
	if d.array {
		return fmt.Sprintf("[%d]", d.position(i))
	}
	return tree.KeyText(d.entries[i].Key)
}

// insideEditor returns an editor for the documents in a string.
func (e *editor) insideEditor(files *source.Set, explains bool) *editor {
	opt := *e.opt
	opt.Files, opt.HasComments, opt.Used, opt.Trace = files, nil, nil, nil
	if e.record == nil {
		opt.Origins = nil
	}
	sub := &editor{opt: &opt, Caller: e.Caller, explain: silent{}}
	sub.Caller.opt = &opt
	if explains {
		sub.explain, sub.record = e.explain, e.record
	}
	return sub
}

// edit applies an overlay to the documents that a string holds.
func (e *editor) edit(in *Inside, name string, text []byte) ([]byte, error) {
	f, err := e.opt.Files.Add(name, bytes.Clone(text))
	if err != nil {
		return nil, e.explain.Failed(in.doc, wrong("%s", err))
	}
	e.file = f
	if err := in.checkJSON(f); err != nil {
		return nil, e.wrongText(in, err)
	}
	opt := e.opt.YAML
	opt.Workers = 1
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil, e.wrongText(in, err)
	}
	if list := t.Check(false); list != nil {
		return nil, e.wrongText(in, list)
	}
	var docs []tree.Doc
	for doc := range t.Documents() {
		docs = append(docs, tree.Doc{Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc)})
	}
	if err := in.holds(docs, text); err != nil {
		return nil, e.explain.Failed(in.doc, err)
	}
	values, err := e.documentsInside(in.doc, docs)
	if err != nil {
		return nil, err
	}
	texts, err := edit.Text([]*yaml.Tree{t}, values, opt)
	if err != nil {
		return nil, e.explain.Failed(in.doc, wrong("the text cannot be changed in its place: %s", err))
	}
	return bytes.Join(texts, nil), nil
}

// wrongText reports that a string does not hold what the annotation says, where it does not.
func (e *editor) wrongText(in *Inside, err error) error {
	if _, isSilent := e.explain.(silent); isSilent {
		return errStop
	}
	d := diag.Of(err)[0]
	x := *d
	x.Code = CodeInside
	x.Message = fmt.Sprintf("the string does not hold %s: %s", in.name(), d.Message)
	return (&x).WithRelated(in.doc.At, "this overlay is for %s inside the string", in.name())
}

// checkJSON returns an error if the text is not JSON, but should be.
func (in *Inside) checkJSON(f *source.File) error {
	if in.Format != "json" {
		return nil
	}
	var v any
	err := json.Unmarshal(f.Data(), &v)
	if err == nil {
		return nil
	}
	at := f.Span(0, min(1, len(f.Data())))
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		off := max(0, min(int(s.Offset)-1, len(f.Data())))
		at = f.Span(off, min(off+1, len(f.Data())))
	}
	return diag.Errorf(at, CodeInside, "%s", err).WithHint("if it is YAML, write `#@overlay/inside \"yaml\"`")
}

// holds returns an error if the documents of a text are not maps or lists.
func (in *Inside) holds(docs []tree.Doc, text []byte) error {
	for _, d := range docs {
		if d.Value.Kind() != tree.ScalarKind {
			return nil
		}
	}
	d := diag.Errorf(source.Span{}, CodeInside, "expected a string that holds %s, but it holds only a word",
		in.name())
	if len(docs) == 0 || len(bytes.TrimSpace(text)) == 0 {
		d.Message = fmt.Sprintf("expected a string that holds %s, but it is empty", in.name())
		return d
	}
	const shortest = 8
	_, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(text)))
	if err == nil && len(text) >= shortest {
		return d.WithHint("this looks like base64, as in `data` of a Secret: keep the text in `stringData` " +
			"instead, where overlays can read it")
	}
	return d
}

// documentsInside applies an overlay to documents and returns their values. Empty documents are not
// matched, as elsewhere.
func (e *editor) documentsInside(p *Plan, docs []tree.Doc) ([]tree.Value, error) {
	isEmpty := func(d tree.Doc) bool { return d.Value.Empty() }
	d := e.drafts.documents(slices.DeleteFunc(slices.Clone(docs), isEmpty), 0)
	if p.Bad != nil {
		return nil, e.explain.Failed(p, p.Bad)
	}
	if err := e.match(d, p, 0); err != nil {
		return nil, err
	}
	found := e.found
	next, err := e.decide(p, len(found))
	switch {
	case err != nil:
		return nil, err
	case next == fail:
		return nil, e.explain.WrongCount(e.view(d), p, found)
	case next == goOn:
		for m := range found {
			if err := e.merge(d, found[m], p); err != nil {
				return nil, err
			}
		}
		if err := e.checkReach(d, p); err != nil {
			return nil, err
		}
	}
	out, err := e.result(d)
	if err != nil {
		return nil, err
	}
	values := make([]tree.Value, len(docs))
	for i := range docs {
		values[i] = docs[i].Value
		if !isEmpty(docs[i]) {
			values[i] = asWritten(values[i], out[0].Value)
			out = out[1:]
		}
	}
	return values, nil
}

// asWritten returns v with the nodes of old where both have the same value, so that they keep their text.
// A function that returns what it got returns 420 for 0644.
func asWritten(old, v tree.Value) tree.Value {
	switch {
	case v == old || v.Kind() != old.Kind():
		return v
	case v.Kind() == tree.ScalarKind:
		if tree.SameScalar(old, v) {
			return old
		}
		return v
	}
	was, items := old.Entries(), slices.Clone(v.Entries())
	same := len(was) == len(items)
	for i := range items {
		if i >= len(was) || !tree.SameScalar(was[i].Key, items[i].Key) && v.Kind() == tree.MapKind {
			same = false
			continue
		}
		items[i].Value = asWritten(was[i].Value, items[i].Value)
		same = same && items[i].Value == was[i].Value
	}
	switch {
	case same:
		return old
	case v.Kind() == tree.MapKind:
		return tree.Of(tree.NewMap(items, v.Start()))
	}
	return tree.Of(tree.NewArray(items, v.Start()))
}
