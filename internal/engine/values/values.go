// Package values computes data values: it merges schema defaults, data values documents and flags.
//
// It takes evaluated documents and the flags as given, and returns one document and its type. It does
// not read files or evaluate templates.
package values

import (
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeMerge diag.Code = "values/merge" // documents that cannot be merged
	CodeRule  diag.Code = "values/rule"  // a rule that a value breaks
)

// Schema returns the type that schema documents declare together: each is merged into those before
// it. Without schema documents, every value is allowed. The list may contain only warnings.
func Schema(docs []tree.Doc, opt overlay.Options) (*schema.Type, diag.List) {
	if len(docs) == 0 {
		return schema.Any(), nil
	}
	opt.By = tree.ByDefault
	m := merging{opt: opt, all: docs[0], many: len(docs) > maxDirect}
	for _, d := range docs[1:] {
		_, merged, err := m.merge(m.left(d), d)
		if err != nil {
			return nil, diag.Of(err)
		}
		m.put(merged)
	}
	return schema.Build(m.whole())
}

// Stack is data values while documents are merged into each other. It never changes, so the part that
// many evaluations of a library begin with is computed once.
type Stack struct {
	tree.Doc
	Warnings diag.List // about deprecated values that were set, and about rules without an effect

	texts   []Text // see Texts
	typ     *schema.Type
	empty   bool      // neither a schema nor a document yet: the first document becomes the base unchanged
	late    bool      // see Late
	pending diag.List // what was wrong when it was set: see Late
}

// New returns the defaults of a type. declared means that there is a schema; otherwise there are no
// defaults.
func New(t *schema.Type, declared bool) Stack {
	s := Stack{Doc: t.Default(), typ: t, empty: !declared}
	if s.empty {
		s.Value = tree.Of(tree.NewMap(nil, s.Pos))
	}
	return s
}

// maxDirect is the maximum number of documents that are merged into the whole value, one after
// another. If there are more, each is merged into the part that it names.
var maxDirect = 8

// Given is a document of data values and its setter.
type Given struct {
	tree.Doc
	By tree.Setter
}

// Apply merges documents into s, in order. After each step the result is checked and completed. The
// error is a diag.List. A document that does not fit is left out, so that errors in later ones are
// reported in the same run.
func (s Stack) Apply(docs []Given, opt overlay.Options) (Stack, error) {
	// Clipped, because others may share these slices of s.
	s.Warnings, s.texts, s.pending = slices.Clip(s.Warnings), slices.Clip(s.texts), slices.Clip(s.pending)
	if from, ok := opt.Origins.Of(s.Value.Origin()); !s.empty && (!ok || from.By == tree.ByTemplate) {
		s.Value = setBy(opt.Origins, tree.ByDefault, s.Doc)
	}
	l := layering{Stack: s, m: merging{opt: opt, all: s.Doc, many: len(docs) > maxDirect && !s.typ.Tagged()}}
	l.check.Origins = opt.Origins
	for _, doc := range docs {
		if l.empty {
			if l.empty = false; !fromFlag(doc.Doc) {
				l.m.all = doc.Doc
				l.m.all.Value = setBy(opt.Origins, doc.By, doc.Doc)
				continue
			}
		}
		l.m.opt.By = doc.By
		if err := l.apply(doc.Doc); err != nil {
			l.Doc = l.m.whole()
			return l.Stack, append(l.wrong, l.undeclared(doc.Doc, diag.Of(err))...)
		}
	}
	l.Doc = l.m.whole()
	if l.wrong != nil {
		return l.Stack, l.wrong
	}
	return l.Stack, nil
}

// layering is a stack while documents are merged into it.
type layering struct {
	Stack
	m     merging
	check schema.Steps
	wrong diag.List
}

// apply merges one document. The error comes from the overlay; everything else that is wrong is
// recorded.
func (l *layering) apply(doc tree.Doc) error {
	left := l.m.left(doc)
	list := notMaps(left.Value, doc.Value, nil)
	if list != nil && l.late {
		left = l.m.leave()
		doc.Value = yielding(doc.Value, left.Value, l.typ)
		list = notMaps(left.Value, doc.Value, nil)
	}
	if list != nil {
		l.wrong = append(l.wrong, list...)
		return nil
	}
	if d := l.severalIn(doc); d != nil {
		l.wrong = append(l.wrong, d)
		return nil
	}
	doc.Value = opened(typedValue(doc.Value, l.typ), l.typ)
	left, merged, err := l.merge(left, doc)
	if err != nil {
		return err
	}
	l.check.Parts = l.m.parts
	checked, list := l.typ.AssignStep(merged, left, &l.check)
	switch {
	case list != nil && l.late:
		l.pending = append(l.pending, hintFlag(doc, l.typ, list)...)
	case list != nil:
		l.wrong = append(l.wrong, hintFlag(doc, l.typ, list)...)
		return nil
	}
	l.note(doc, left.Value)
	l.Warnings = append(append(l.Warnings, l.typ.Deprecated(doc)...), lostRules(doc, checked)...)
	l.m.put(checked)
	return nil
}

// undeclared returns why a document cannot be merged. list is the overlay's errors. If a key is not
// declared, the schema's error says more, and no annotation would help.
func (s Stack) undeclared(doc tree.Doc, list diag.List) diag.List {
	if !slices.ContainsFunc(
		list,
		func(d *diag.Diagnostic) bool { return d.Code == overlay.CodeCount },
	) {
		return list
	}
	unknown := s.typ.Undeclared(doc)
	for _, d := range list {
		if slices.ContainsFunc(unknown, func(u *diag.Diagnostic) bool { return u.Path == d.Path }) {
			for _, u := range unknown {
				u.WithRelated(
					doc.Pos.To(doc.Pos.Offset()+len("---")),
					"the data values are given here",
				)
			}
			return unknown
		}
	}
	return list
}

// lostRules warns about rules in a document that are not in the result: where a value is merged with
// an existing one, the annotations of the existing one apply.
func lostRules(doc, result tree.Doc) diag.List {
	given := rulesIn(doc)
	if len(given) == 0 {
		return nil
	}
	kept := rulesIn(result)
	var list diag.List
	for _, at := range given {
		if _, ok := slices.BinarySearchFunc(kept, at, source.Pos.Compare); !ok {
			d := diag.Warningf(at.To(at.Offset()+len("#@"+schema.NoteAssert)), CodeRule,
				"@%s has no effect here, because the value is already set: the rules of the "+
					"schema, or of the document that sets it, apply", schema.NoteAssert)
			list = append(
				list,
				d.WithHint(
					"put the rule in the schema with @schema/validation, or replace the value "+
						"with `#@overlay/replace`",
				),
			)
		}
	}
	return list
}

// rulesIn returns the places of the rules in a document, sorted.
func rulesIn(doc tree.Doc) []source.Pos {
	var places []source.Pos
	note := func(a *tree.Annotations) {
		if rule := a.Get(schema.NoteAssert); rule != nil {
			places = append(places, rule.Pos)
		}
	}
	var walk func(tree.Value)
	walk = func(v tree.Value) {
		if _, _, ok := v.Syntax(); ok {
			return // nothing below has annotations
		}
		entries := v.Entries()
		for i := range entries {
			note(entries[i].Annotations)
			walk(entries[i].Value)
		}
	}
	note(doc.Annotations)
	walk(doc.Value)
	slices.SortFunc(places, source.Pos.Compare)
	return slices.Compact(places)
}

// notMaps reports the keys of plain data values that are inside a value that is not a map. An
// overlay's error would mean nothing to someone who wrote a flag.
func notMaps(into, v tree.Value, path []tree.Value) diag.List {
	m, ok := v.Map()
	if !ok {
		return nil
	}
	left, ok := into.Map()
	if !ok {
		return nil
	}
	var list diag.List
	for _, it := range m.Entries() {
		if it.Annotations != missingNotes {
			continue // the existing value is replaced, or the document comes from a template
		}
		i := left.Find(it.Key.Starlark())
		if i < 0 {
			continue
		}
		path, old := append(path, it.Key), left.Entries()[i]
		if _, ok := old.Value.Map(); ok {
			list = append(list, notMaps(old.Value, it.Value, path)...)
		} else if !old.Value.IsNull() {
			key, _ := starlark.AsString(it.Key.Starlark())
			d := diag.Errorf(it.Pos.To(it.Pos.Offset()+max(1, len(key))), CodeMerge,
				"cannot set a key inside data value %s: expected a map, but found "+
					"%s", KeyPath(path), diag.Article(old.Value.TypeName()))
			if old.Pos.IsValid() {
				d.WithRelated(old.Pos.To(old.Pos.Offset()+1), "it is set here")
			}
			list = append(list, d.WithHint("to replace it with a map, set the whole value: "+
				"--data-value-yaml %s", diag.InShell(KeyPath(path)+"={...}")))
		}
	}
	return list
}

// fromFlag reports whether a document comes from a flag. The annotations on its items allow missing
// keys, so there must be a value to merge it into.
func fromFlag(d tree.Doc) bool {
	m, ok := d.Value.Map()
	if !ok {
		return false
	}
	for _, it := range m.Entries() {
		if it.Annotations != missingNotes && !replaces(it.Annotations) {
			return false
		}
	}
	return len(m.Entries()) > 0
}
