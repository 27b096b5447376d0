package feature

import (
	"context"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// target is what is at a place of a document.
type target struct {
	// the analysis in which it was found: of the current text, or the last one without errors
	a  *compile.Analysis
	at source.Span // its place in that text

	value      []string    // the path of a data value: read by code, declared or set
	key        bool        // the value is declared or set here
	function   *moduleName // a module, or a name of one
	builtin    *modules.Builtin
	field      *index.Field   // a field of a struct
	name       *index.Binding // a name that the author wrote
	annotation *compile.Mark  // an annotation
	keyword    string         // the keyword of the annotation; "" at its name
	load       string         // the module of a load statement
	node       yaml.NodeID    // the node that a value or its code belongs to
	isNode     bool
}

// moduleName is a module, or a name of one.
type moduleName struct{ module, name string }

// targetAt returns what is at an offset, or nil. In a document with errors, it also looks at the last
// version without errors.
func targetAt(ctx context.Context, doc *workspace.TextDocument, off int) *target {
	a := doc.Analysis()
	if t := find(ctx, doc, a, off); t != nil {
		return t
	}
	good, shift := doc.LastGood()
	if good == nil || good == a {
		return nil
	}
	then, ok := shift.Then(off)
	if !ok {
		return nil
	}
	return find(ctx, doc, good, then)
}

func find(ctx context.Context, doc *workspace.TextDocument, a *compile.Analysis, off int) *target {
	f := finder{ctx: ctx, file: doc.FileIndex(a), doc: doc, a: a, off: off}
	for _, look := range []func() *target{f.inAnnotation, f.inLoad, f.inUse, f.inName, f.inCode, f.inValue} {
		if t := look(); t != nil {
			t.a = a
			return t
		}
	}
	return nil
}

type finder struct {
	ctx  context.Context
	file *index.File
	doc  *workspace.TextDocument
	a    *compile.Analysis
	off  int
}

// holds reports whether the cursor touches a span.
func (f *finder) holds(s source.Span) bool { return s.Offset() <= f.off && f.off <= s.End() }

// inAnnotation finds the name and the keywords of an annotation.
func (f *finder) inAnnotation() *target {
	i := slices.IndexFunc(f.a.Marks, func(m compile.Mark) bool {
		return m.Kind == compile.AnnotationMark && f.holds(m.At)
	})
	if i < 0 {
		return nil
	}
	m := &f.a.Marks[i]
	name := f.a.File.Span(m.At.Offset(), m.At.Offset()+len("#@")+len(m.Name))
	if f.holds(name) {
		return &target{at: name, annotation: m}
	}
	word := f.word()
	rest := f.a.File.Data()[word.End():m.At.End()]
	if word.Len > 0 && strings.HasPrefix(strings.TrimLeft(string(rest), " "), "=") &&
		!strings.HasPrefix(strings.TrimLeft(string(rest), " "), "==") {
		return &target{at: word, annotation: m, keyword: f.text(word)}
	}
	return nil
}

// word returns the word that the cursor touches.
func (f *finder) word() source.Span {
	data := f.a.File.Data()
	start, end := f.off, f.off
	for start > 0 && diag.IsWord(data[start-1]) {
		start--
	}
	for end < len(data) && diag.IsWord(data[end]) {
		end++
	}
	return f.a.File.Span(start, end)
}

func (f *finder) text(s source.Span) string { return string(f.a.File.Data()[s.Offset():s.End()]) }

// inLoad finds the module of a load statement.
func (f *finder) inLoad() *target {
	p := f.file.PathAt(f.off)
	if p == nil || p.Kind != index.Module {
		return nil
	}
	return &target{at: f.a.File.Span(p.At.Start-1, p.At.End+1), load: p.Text} // with its quotes
}

// inUse finds a data value that code reads.
func (f *finder) inUse() (found *target) {
	f.file.EachRead(func(r *index.Read, path []string) {
		at := f.a.File.Span(r.At.Start, r.At.End)
		if r.Form == index.String { // with its quotes
			at = f.a.File.Span(r.At.Start-1, r.At.End+1)
		}
		if found == nil && f.holds(at) {
			found = &target{at: at, value: path}
		}
	})
	return found
}

// inName finds a name in code that the author wrote, or that of a module.
func (f *finder) inName() *target {
	n := f.file.NameAt(f.off)
	if n == nil {
		return nil
	}
	at, b := f.a.File.Span(n.At.Start, n.At.End), &f.file.Bindings[n.Binding]
	if module := standardModule(b); module != "" {
		return &target{at: at, function: &moduleName{module: module}}
	}
	return &target{at: at, name: b}
}

// inCode finds a builtin, a name of a module, a method of a value, or a field of a struct.
func (f *finder) inCode() *target {
	word := f.word()
	if word.Len == 0 || !f.a.File.SameText(f.doc.File()) {
		return nil
	}
	cur := codeAt(f.ctx, f.doc, word.End())
	switch {
	case cur == nil:
	case cur.Kind == index.NamePlace:
		return f.builtin(word, "")
	case cur.Kind == index.MemberPlace:
		return f.member(word, cur.Of.Type)
	}
	return nil
}

// member returns what is after the dot behind a value of a type, which is nil if it is not known.
func (f *finder) member(word source.Span, of *index.Type) *target {
	name := f.text(word)
	if of == nil {
		return f.builtin(word, index.OwnerOf(name))
	}
	if of.Module {
		return &target{at: word, function: &moduleName{of.Name, name}}
	}
	if i := slices.IndexFunc(of.Keys, func(x index.Field) bool { return x.Name == name }); i >= 0 &&
		of.Name == "struct" {
		return &target{at: word, field: &of.Keys[i]}
	}
	return f.builtin(word, of.Name)
}

// builtin returns a function of Starlark, or a method of a type, or nil.
func (f *finder) builtin(word source.Span, of string) *target {
	for i, b := range modules.Builtins() {
		if b.Name == f.text(word) && b.Of == of {
			return &target{at: word, builtin: &modules.Builtins()[i]}
		}
	}
	return nil
}

// standardModule returns the module of the standard library that a name stands for, or "".
func standardModule(b *index.Binding) string {
	if module, ok := strings.CutPrefix(b.Module, "@ytt:"); ok && module == b.From {
		return module
	}
	return ""
}

// inValue finds the node whose value is computed by the code at the cursor.
func (f *finder) inValue() *target {
	for _, m := range f.a.Marks {
		if m.Kind == compile.ValueMark && f.holds(m.At) && m.Owner != yaml.NoOwner {
			return &target{at: m.At, node: m.Owner, isNode: true}
		}
	}
	return nil
}

// nodeOf returns the node whose value the code at an offset computes. It returns false if there is none.
func nodeOf(a *compile.Analysis, off int) (yaml.NodeID, bool) {
	for _, m := range a.Marks {
		if m.Kind == compile.ValueMark && m.At.Offset() <= off && off <= m.At.End() &&
			m.Owner != yaml.NoOwner {
			return m.Owner, true
		}
	}
	return 0, false
}
