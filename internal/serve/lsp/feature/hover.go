package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"weft/internal/check/jsonschema"
	"weft/internal/engine"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// Hover returns a description of the data value, name, annotation, function of a module, or computed
// YAML at a place.
func Hover(
	ctx context.Context, doc *workspace.TextDocument, p protocol.HoverParams,
) (*protocol.Hover, error) {
	off := doc.Mapper().Offset(p.Position)
	h := hover{ctx: ctx, doc: doc}
	t := targetAt(ctx, doc, off)
	if t == nil {
		if isOverlayKey(doc, off) {
			h.overlayKey(p)
		}
		if out := h.key(p.Position); out != nil {
			return out, nil
		}
		return h.schema(off), nil
	}
	switch {
	case t.value != nil:
		h.dataValue(t)
	case t.function != nil:
		h.moduleFunction(t.function)
	case t.annotation != nil:
		h.annotation(t)
	case t.builtin != nil:
		h.add("```python\n%s%s\n```", t.builtin.Name, t.builtin.Params)
		h.add("%s", sentence(t.builtin.Doc))
	case t.field != nil:
		h.field(t.field)
	case t.load != "":
		h.loaded(t.load)
	case t.name != nil:
		h.name(t)
	}
	if n, ok := nodeOf(t.a, t.at.Offset()); ok {
		h.rendered(t, n)
	}
	out := h.contents()
	if out != nil && t.a.File.SameText(doc.File()) {
		r := doc.Mapper().Span(t.at)
		out.Range = &r
	}
	return out, nil
}

type hover struct {
	ctx   context.Context
	doc   *workspace.TextDocument
	parts []string // paragraphs of Markdown
}

// schema adds what a schema says about the place of an offset, and returns what was added, or nil.
func (h *hover) schema(off int) *protocol.Hover {
	start, end := describedBy(h.ctx, h.doc).hover(h, off)
	chartDefault(h.ctx, h.doc, off, func(path string, f *source.File, at source.Span) {
		h.add("Default in %s", jsonschema.Code(fmt.Sprintf("%s:%d", path, f.Line(at.Offset()))))
	})
	out := h.contents()
	if out != nil && end > start {
		r := h.doc.Mapper().Range(start, end)
		out.Range = &r
	}
	return out
}

// key shows the data value that is declared or set at a place. It returns nil if there is none, or nothing is
// known about it.
func (h *hover) key(at protocol.Position) *protocol.Hover {
	w, s, err := lookup(h.ctx, h.doc, at)
	switch {
	case err != nil || s == nil || s.key == nil:
		return nil
	case s.key.Library != "":
		h.declarations(w.all, s.values[0])
	case h.doc.Analysis().Tree != nil && (s.key.Kind == index.Declares || s.key.Kind == index.Sets):
		h.dataValue(&target{value: keyPath(s.key.Path), key: true})
	}
	out := h.contents()
	if out != nil {
		if r, ok := w.positions(w.own, s.at); ok {
			out.Range = &r
		}
	}
	return out
}

// keyPath returns a path of the index, with "" for items of lists.
func keyPath(path []string) []string {
	path = slices.Clone(path)
	for i, step := range path {
		if step == index.Any {
			path[i] = ""
		}
	}
	return path
}

// indexSteps is the reverse of keyPath.
func indexSteps(path []string) []string {
	path = slices.Clone(path)
	for i, step := range path {
		if step == "" {
			path[i] = index.Any
		}
	}
	return path
}

// field shows a field of a struct.
func (h *hover) field(f *index.Field) {
	if fn := f.Function(); fn != nil {
		h.add("```python\n%s%s\n```", f.Name, fn.Signature)
		if fn.Doc != "" {
			h.add("%s", fn.Doc)
		}
		return
	}
	h.add("```python\n%s\n```", f.Name)
	if file, at, ok := f.Place(); ok {
		h.add("Field set in `%s`", file.WhereLine(at.Start))
	}
}

// contents returns what was added, or nil.
func (h *hover) contents() *protocol.Hover {
	if len(h.parts) == 0 {
		return nil
	}
	return &protocol.Hover{Contents: protocol.MarkupContent{
		Kind: protocol.Markdown, Value: strings.Join(h.parts, "\n\n"),
	}}
}

func (h *hover) add(format string, args ...any) {
	h.parts = append(h.parts, fmt.Sprintf(format, args...))
}

// moduleFunction shows a module, or one of its names.
func (h *hover) moduleFunction(m *moduleName) {
	if m.name == "" {
		h.module(m.module)
		return
	}
	for _, f := range modules.Functions() {
		if f.Module == m.module && f.Name == m.name {
			h.add("```python\n%s.%s%s\n```", f.Module, f.Name, f.Params)
			h.add("%s", sentence(f.Doc))
			if example := f.Example(); example != "" {
				h.add("Example: %s", example)
			}
			return
		}
	}
}

// module lists the names of a module.
func (h *hover) module(name string) {
	var names []string
	for _, f := range modules.Functions() {
		if f.Module == name {
			names = append(names, "`"+f.Name+"`")
		}
	}
	if len(names) > 0 {
		h.add("Module `@ytt:%s`: %s", name, strings.Join(names, ", "))
	}
}

// sentence returns a text with its first letter in upper case.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// annotation shows what an annotation or one of its keywords means, and what it does here.
func (h *hover) annotation(t *target) {
	m, ok := tree.MeaningOf(t.annotation.Name)
	if !ok {
		return
	}
	if t.keyword != "" {
		for _, k := range m.Keywords {
			if k.Name == t.keyword {
				h.add("`%s`: %s, of `@%s`", k.Name, k.Type, m.Name)
			}
		}
		return
	}
	signature := "#@" + m.Name
	if len(m.Keywords) > 0 {
		signature += " " + strings.Join(m.KeywordNames(), "=, ") + "="
	}
	h.add("```yaml\n%s\n```", signature)
	h.add("%s. On: %s.", sentence(m.Doc), m.On)
	for _, k := range m.Keywords {
		h.parts[len(h.parts)-1] += fmt.Sprintf("\n- `%s`: %s", k.Name, k.Type)
	}
	if x := annotationExamples.Get()[m.Name]; x != "" {
		h.add("Example: `#@%s %s`", m.Name, x)
	}
	if strings.HasPrefix(m.Name, "overlay/") {
		h.matches(t)
	}
}

// annotationExamples are examples of arguments, for annotations that take some.
var annotationExamples = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"assert/validate":              `min=1, max=65535`,
		"library/ref":                  `"@app"`,
		"overlay/assert":               `via=lambda old, new: old > 0`,
		"overlay/insert":               `before=True`,
		"overlay/match":                `by="name", expects="1+"`,
		"overlay/match-child-defaults": `missing_ok=True`,
		"overlay/replace":              `via=lambda old, new: old + new`,
		"schema/default":               `[80, 443]`,
		"schema/deprecated":            `"use db.host"`,
		"schema/desc":                  `"host of the database"`,
		"schema/examples":              `("in the cluster", "db.svc")`,
		"schema/title":                 `"Database"`,
		"schema/type":                  `any=True`,
		"schema/validation":            `min_len=1`,
	}
}}

// loaded shows a module or file that is loaded.
func (h *hover) loaded(module string) {
	if module, ok := strings.CutPrefix(module, "@ytt:"); ok {
		h.module(module)
		return
	}
	all, here, err := h.doc.Index(h.ctx, false)
	if err != nil {
		return
	}
	if from := all.Find(here, module); from != nil {
		var names []string
		for _, d := range defsOf(from.File) {
			names = append(names, "`"+d.name+d.params+"`")
		}
		h.add("`%s`: %s", from.Path, strings.Join(names, ", "))
	}
}

// name shows a function or variable of the author.
func (h *hover) name(t *target) {
	if t.name.Kind != index.Loaded {
		h.local(t)
		return
	}
	all, here, err := h.doc.Index(h.ctx, false)
	if err != nil {
		return
	}
	if from := all.Find(here, t.name.Module); from != nil {
		h.definition(from.File, t.name.From, from)
	}
}

// local shows a name that the file binds itself, and the data value that it stands for.
func (h *hover) local(t *target) {
	in := h.doc.FileIndex(t.a)
	before := len(h.parts)
	h.definition(in, t.name.Name, nil)
	if len(h.parts) == before {
		h.add("```python\n%s\n```", t.name.Name)
	}
	if t.name.Kind == index.Parameter && t.name.Function >= 0 {
		fn := in.Functions[t.name.Function]
		h.add("Parameter of `%s%s`", in.Bindings[fn.Binding].Name, fn.Signature)
	}
	all, here, err := h.doc.Index(h.ctx, false)
	if err != nil || t.name.Kind == index.FunctionName {
		return
	}
	for id := range here.File.Bindings {
		if here.File.Bindings[id].At != t.name.At || here.File.Bindings[id].Name != t.name.Name {
			continue
		}
		if values := all.Means(index.Symbol{Source: here, ID: index.ID(id)}); len(values) > 0 {
			h.add("Stands for %s", valueNames(values))
		}
	}
}

// valueNames returns the paths of data values for people.
func valueNames(values []index.Value) string {
	const most = 3
	var names []string
	for _, v := range values[:min(len(values), most)] {
		name := "data.values"
		for _, step := range v.Path {
			if step == index.Any {
				name += "[…]"
			} else {
				name += "." + step
			}
		}
		names = append(names, jsonschema.Code(name))
	}
	return strings.Join(names, ", ")
}

// definition shows a function or variable that a file defines and others may load.
func (h *hover) definition(in *index.File, name string, from *index.Source) {
	for _, d := range defsOf(in) {
		if d.name == name {
			h.def(d, from)
			return
		}
	}
}

// def shows a function or a variable.
func (h *hover) def(d def, from *index.Source) {
	word := ""
	if d.isFunc {
		word = "def "
	}
	h.add("```python\n%s%s%s\n```", word, d.name, d.params)
	if d.doc != "" {
		h.add("%s", d.doc)
	}
	if from != nil {
		h.add("From `%s`", from.File.Text.WhereLine(d.at.Start))
	}
}

// matches shows what the overlay node that an annotation belongs to matches and changes.
func (h *hover) matches(t *target) {
	v := h.doc.View()
	if v == nil || !t.a.File.SameText(h.doc.File()) || !t.a.Tree.More(t.annotation.Owner) {
		return
	}
	res := h.explained(v)
	if res == nil {
		return
	}
	_, at, ok := evaluatedAt(res, h.doc, t.a.Tree.Start(t.annotation.Owner).Offset())
	if !ok {
		return
	}
	if s := overlaySummary(res.Steps, res.Files, h.doc.Path(), at); s != "" {
		h.add("%s", s)
	}
}

// rendered shows the output values of a node in the active environment.
func (h *hover) rendered(t *target, node nodeID) {
	v := h.doc.View()
	if v == nil {
		return
	}
	const maxShown = 5
	values := valuesIn(h.doc, maxShown, func(v tree.Value) string { return "`" + short(v) + "`" })
	if values == nil {
		return
	}
	at, ok := workspace.NewShift(values.file.Data(), t.a.File.Data()).Then(t.a.Tree.Start(node).Offset())
	if !ok {
		return
	}
	in := ""
	if v.Env != "" {
		in = " in " + v.Env
	}
	shown := values.output[at]
	if len(shown) > maxShown {
		shown[maxShown] = "…"
	}
	if len(shown) > 0 {
		h.add("Renders %s%s%s", strings.Join(shown, " · "), in, values.doubt)
	}
	h.replaced(v, values, at, in)
}

// maxExplain is how long a hover waits for an evaluation of overlays, which goes on after it.
const maxExplain = 25 * time.Millisecond

// explained returns what overlays do, or the last that is known.
func (h *hover) explained(v *workspace.View) *engine.Result {
	ctx, stop := context.WithTimeout(h.ctx, maxExplain)
	defer stop()
	return v.Explained(ctx, h.doc.Snapshot())
}

// replaced shows the values of a node that overlays change or remove. If what overlays do is not
// known yet, it asks only for nodes that have no value in the output.
func (h *hover) replaced(v *workspace.View, values *codeValues, at int, in string) {
	steps := v.LatestSteps()
	if steps == nil && len(values.output[at]) == 0 {
		steps = h.explained(v)
	}
	values.addReplaced(steps)
	for i, c := range values.before[at] {
		if i == values.limit {
			h.add("…")
			break
		}
		text := "Before overlays " + c.old + in
		for _, r := range c.then {
			text += ", then " + r.new + " by " + r.by
		}
		h.add("%s", text)
	}
}

// places returns a number with its noun: "1 place", "3 places".
func places(n int) string { return diag.Count(n, "place") }
