package engine

import (
	"context"
	"maps"
	"slices"

	"weft/internal/engine/eval"
	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// This file is about plain scalars that YAML 1.1 and 1.2 read differently, such as `on` and `0644`.
// They are printed as written, so that every parser reads the same in the output as in the input. But
// code that uses the value of such a scalar relies on one of the two meanings, and weft warns about
// it.

// codeMeanings is the code of warnings about the use of ambiguous scalars.
const codeMeanings diag.Code = "yaml/two-meanings"

// The ways to use a scalar.
const (
	readByCode       = "code reads"
	checkedBySchema  = "a schema checks"
	comparedBy       = "a matcher compares"
	replacedOverlay  = "an overlay replaces"
	replacedOverride = "an override replaces"
	printedAsJSON    = "JSON has only one reading of"
)

// meanings are the uses of ambiguous scalars: one for each place.
type meanings map[source.Span]*diag.Diagnostic

// shownMeanings is the maximum number of these warnings in a run.
const shownMeanings = 20

// mindsMeanings reports whether scalars are printed as written, or read as YAML 1.2. Then it matters
// which version a reader of the output uses.
func (c *Config) mindsMeanings() bool { return c.Compile.TracksMeanings() }

// used records that the value of an ambiguous scalar is used.
func (e *evaluation) used(v tree.Value, how string) {
	t, n, ok := v.Syntax()
	if !ok || !e.config.mindsMeanings() {
		return
	}
	m, ok := t.Meanings(n)
	if !ok || e.isGenerated(m.At) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.meanings[m.At] != nil || slices.Contains(e.concealed, m.Text) {
		return // the warning would reveal a secret
	}
	e.noteMeaning(m.At, diag.Warningf(m.At, codeMeanings,
		"%s `%s`, which has two meanings: %s to weft, and %s to readers of YAML %s",
		how, m.Text, m.Here, m.There, m.Other).WithHint("%s", m.Hint))
}

func (e *evaluation) noteMeaning(at source.Span, d *diag.Diagnostic) {
	if e.meanings == nil {
		e.meanings = meanings{}
	}
	e.meanings[at] = d
}

// usedByOverlays returns the function that records what overlays use.
func (e *evaluation) usedByOverlays() func(tree.Value, overlay.Use) {
	if !e.config.mindsMeanings() {
		return nil
	}
	return func(v tree.Value, how overlay.Use) {
		if how == overlay.Compared {
			e.used(v, comparedBy)
		} else {
			e.used(v, replacedOverlay)
		}
	}
}

// usedByOverrides returns the function that records what overrides replace.
func (e *evaluation) usedByOverrides() func(tree.Value) {
	if !e.config.mindsMeanings() {
		return nil
	}
	return func(old tree.Value) { e.used(old, replacedOverride) }
}

// noteValues records which data values are ambiguous: those that a schema checks are used; to
// follow the others, the templates must be traced.
func (e *evaluation) noteValues(vals *valued) {
	if !e.config.mindsMeanings() {
		return
	}
	var found source.Span
	scalars(vals.stack.Value, func(v tree.Value) {
		if t, n, ok := v.Syntax(); ok && t.IsAmbiguous(n) && !found.IsValid() {
			found = t.Span(n)
		}
	})
	if !found.IsValid() {
		return
	}
	vals.typ.Checked(vals.stack.Value, func(v tree.Value) { e.used(v, checkedBySchema) })
	e.mu.Lock()
	defer e.mu.Unlock()
	e.follows, e.ambiguous = true, found
}

// noteTexts records that code has read ambiguous text of templates: to find out its use, they must
// be traced.
func (e *evaluation) noteTexts() {
	if e.follows || !e.config.mindsMeanings() {
		return
	}
	e.ambiguous, e.follows = e.session.lib.Root().ReadMeanings()
}

// scalars calls each for the scalars in v, keys included.
func scalars(v tree.Value, each func(tree.Value)) {
	switch v.Kind() {
	case tree.ScalarKind:
		each(v)
	case tree.ArrayKind:
		for x := range v.Elements() {
			scalars(x, each)
		}
	default:
		for _, it := range v.Entries() {
			scalars(it.Key, each)
			scalars(it.Value, each)
		}
	}
}

// printed records ambiguous scalars in the output: JSON has only one meaning, and two keys may be
// equal for a parser of another version.
func (e *evaluation) printed(docs []tree.Doc) {
	if !e.config.mindsMeanings() {
		return
	}
	for _, d := range docs {
		e.printedValue(d.Value)
	}
}

func (e *evaluation) printedValue(v tree.Value) {
	if t, n, ok := v.Syntax(); ok && !t.HasAmbiguous(n) {
		return
	}
	switch v.Kind() {
	case tree.ScalarKind:
		if e.request.JSON {
			e.used(v, printedAsJSON)
		}
	case tree.ArrayKind:
		for x := range v.Elements() {
			e.printedValue(x)
		}
	default:
		items := v.Entries()
		e.noteEqualKeys(items)
		for _, it := range items {
			if e.request.JSON && it.Key.Kind() == tree.ScalarKind {
				e.used(it.Key, printedAsJSON)
			}
			e.printedValue(it.Value)
		}
	}
}

// noteEqualKeys records keys of a map that differ in weft but are equal in YAML 1.1.
func (e *evaluation) noteEqualKeys(items []tree.Item) {
	if !slices.ContainsFunc(items, func(it tree.Item) bool {
		t, n, ok := it.Key.Syntax()
		return ok && it.Key.Kind() == tree.ScalarKind && t.IsAmbiguous(n)
	}) {
		return
	}
	first := map[tree.ScalarKey]tree.Value{}
	for _, it := range items {
		key, ok := it.Key.ScalarKeyIn11()
		if !ok {
			continue
		}
		was, found := first[key]
		if !found {
			first[key] = it.Key
			continue
		}
		at := it.Key.Span()
		d := diag.Warningf(at, codeMeanings, "the keys `%s` and `%s` are two keys to weft, and one "+
			"to readers of YAML 1.1", written(was), written(it.Key))
		d.WithRelated(was.Span(), "this is the other key").
			WithHint("put the keys in quotes, or rename one of them")
		e.mu.Lock()
		e.noteMeaning(at, d)
		e.mu.Unlock()
	}
}

// written returns a key as it is written in the file.
func written(key tree.Value) string {
	if t, n, ok := key.Syntax(); ok {
		return string(t.Raw(n))
	}
	return tree.KeyText(key)
}

// warnings returns the recorded uses, sorted by place.
func (m meanings) warnings() diag.List {
	list := diag.List(slices.Collect(maps.Values(m)))
	list.Sort()
	if more := len(list) - shownMeanings; more > 0 {
		return append(list[:shownMeanings], diag.Warningf(list[shownMeanings].At, codeMeanings,
			"%d more scalars with two meanings are used", more).
			WithHint("write them so that they have one; --strict names all of them"))
	}
	return list
}

// follow evaluates the project again in a traced run and returns that result: data values that code
// only passes on keep their spelling, and those that it reads are recorded. If that fails, which can
// happen because a traced run takes more steps, the first result is returned with a warning.
func (e *evaluation) follow(ctx context.Context, layers *Layers, res *Result) (*Result, error) {
	t := e.session.traced()
	req := e.request
	req.Print, req.environment = nil, nil
	te := t.evaluation(ctx, req)
	if te.files = layers.files; len(t.config.Generators) > 0 {
		te.files = layers.files.Fork() // see Evaluate
	}
	traced, err := te.run(layers)
	if err == nil || ctx.Err() != nil || traced.Warnings.Failed() {
		return traced, err
	}
	lost := diag.Warningf(e.ambiguous, codeMeanings,
		"code uses data values with two meanings, but weft cannot follow them: the run that does fails: %s",
		firstOf(err)).
		WithHint("write data values such as this one so that they have one meaning")
	res.Warnings = append(res.Warnings, e.config.applyWarnings(diag.List{lost})...)
	if res.Warnings.Failed() {
		return res, e.config.failure(e.files, res.Warnings)
	}
	return res, nil
}

// firstOf returns the first message of an error.
func firstOf(err error) string {
	if list := diag.Of(err); len(list) > 0 {
		return list[0].Message
	}
	return err.Error()
}

// traced returns a copy of the session whose evaluations are traced.
func (s *Session) traced() *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &Session{
		config: s.config, files: s.files, inputs: s.inputs, project: s.project,
		origins: &tree.Origins{}, overrides: s.overrides, follows: true,
	}
	c := &t.config
	c.Origins, c.Compile.Trace, c.Debug, c.Timings = true, true, nil, nil
	c.Cover, c.Compile.Cover, c.Eval.Cover = nil, false, nil
	t.lib = eval.NewLibrary(s.inputs, c.Compile)
	t.lib.InProject, t.lib.Vendored = s.lib.InProject, s.lib.Vendored
	if s.lib.Keep != nil {
		t.lib.Keep = &keep.Files{What: s.lib.Keep.What, YAML: s.lib.Keep.YAML}
		t.keepOverrides()
	}
	return t
}

// restoreSpelling restores the spelling of data values that code only passed on, and records what it read.
func (e *evaluation) restoreSpelling(res *Result) {
	o := res.Origins
	read := func(l tree.Leaf) {
		if o.Leaf(l).Kind == tree.Scalar {
			if v, _, _, ok := o.Find(l); ok {
				e.used(v, readByCode)
			}
		}
	}
	all := func(s tree.Slice) {
		for _, l := range o.Leaves(s) {
			read(l)
		}
	}
	all(e.tracer.Used())
	for _, c := range o.Conditions() {
		all(c.Reads)
	}
	for _, a := range o.Absences() {
		all(a.Reads)
	}
	for _, d := range res.Docs {
		o.Computed(d.Value, read)
	}
	if e.config.Keep&keep.Literals == 0 {
		return
	}
	res.Docs = res.Docs[:0:0]
	for i := range res.Outputs {
		docs := slices.Clone(res.Outputs[i].Docs)
		for k := range docs {
			docs[k].Value = o.WithSpelling(docs[k].Value)
		}
		res.Outputs[i].Docs = docs
		res.Docs = append(res.Docs, docs...)
	}
}
