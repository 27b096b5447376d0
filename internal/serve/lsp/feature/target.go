package feature

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

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
func targetAt(doc *workspace.TextDocument, off int) *target {
	a := doc.Analysis()
	if t := find(doc, a, off); t != nil {
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
	return find(doc, good, then)
}

func find(doc *workspace.TextDocument, a *compile.Analysis, off int) *target {
	f := finder{file: doc.FileIndex(a), doc: doc, a: a, off: off}
	for _, look := range []func() *target{f.inAnnotation, f.inLoad, f.inUse, f.inName, f.inKey, f.inValue} {
		if t := look(); t != nil {
			t.a = a
			return t
		}
	}
	return nil
}

type finder struct {
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

// inName finds a name in code: one that the author wrote, a module or a name of one, a builtin or a method.
func (f *finder) inName() *target {
	if n := f.file.NameAt(f.off); n != nil {
		at, b := f.a.File.Span(n.At.Start, n.At.End), &f.file.Bindings[n.Binding]
		if module := standardModule(b); module != "" {
			return &target{at: at, function: &moduleName{module: module}}
		}
		return &target{at: at, name: b}
	}
	if f.a.Code == nil {
		return nil
	}
	var found *target
	syntax.Walk(f.a.Code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if dot, ok := n.Fn.(*syntax.DotExpr); ok && f.touches(dot.Name) && f.moduleOf(dot) == "" {
				found = f.builtin(dot.Name, index.OwnerOf(dot.Name.Name))
			}
		case *syntax.DotExpr:
			if module := f.moduleOf(n); module != "" && f.touches(n.Name) {
				found = &target{at: f.span(n.Name), function: &moduleName{module, n.Name.Name}}
			}
			return found == nil && !f.touches(n.Name)
		case *syntax.Ident:
			if found == nil && f.touches(n) {
				found = f.builtin(n, "")
			}
		}
		return found == nil
	})
	return found
}

// builtin returns a function of Starlark, or a method of a type, or nil.
func (f *finder) builtin(id *syntax.Ident, of string) *target {
	for i, b := range modules.Builtins() {
		if b.Name == id.Name && b.Of == of {
			return &target{at: f.span(id), builtin: &modules.Builtins()[i]}
		}
	}
	return nil
}

func (f *finder) span(id *syntax.Ident) source.Span {
	off := offsetOf(f.a.File, id.NamePos)
	return f.a.File.Span(off, off+len(id.Name))
}

func (f *finder) touches(id *syntax.Ident) bool {
	return id.NamePos.Line > 0 && int(id.NamePos.Line) == f.a.File.Line(f.off) && f.holds(f.span(id))
}

// moduleOf returns the module of the standard library that a member is of, or "".
func (f *finder) moduleOf(dot *syntax.DotExpr) string {
	id, ok := dot.X.(*syntax.Ident)
	if !ok || id.NamePos.Line <= 0 {
		return ""
	}
	if n := f.file.NameAt(offsetOf(f.a.File, id.NamePos)); n != nil {
		return standardModule(&f.file.Bindings[n.Binding])
	}
	return ""
}

// standardModule returns the module of the standard library that a name stands for, or "".
func standardModule(b *index.Binding) string {
	if module, ok := strings.CutPrefix(b.Module, "@ytt:"); ok && module == b.From {
		return module
	}
	return ""
}

// inKey finds a key of a schema or of data values. Other keys have no meaning to weft.
func (f *finder) inKey() *target {
	if f.a.Tree == nil || f.a.Role == compile.ForOutput && !f.doc.IsValues() {
		return nil
	}
	path, key, ok := keyAt(f.a.Tree, f.off)
	if !ok {
		return nil
	}
	return &target{at: f.a.Tree.Span(key), value: path, key: true}
}

// keyAt returns the path of the key at an offset, and its node.
func keyAt(t *yaml.Tree, off int) (path []string, key yaml.NodeID, ok bool) {
	for doc := range t.Documents() {
		if path, key, ok = keyBelow(t, t.Root(doc), off, nil); ok {
			return path, key, true
		}
	}
	return nil, 0, false
}

func keyBelow(t *yaml.Tree, n yaml.NodeID, off int, above []string) ([]string, yaml.NodeID, bool) {
	switch t.Kind(n) {
	case yaml.Mapping:
		for k, value := range t.Pairs(n) {
			path := append(slices.Clip(above), text(t, k))
			if s := t.Span(k); s.Offset() <= off && off <= s.End() {
				return path, k, true
			}
			if p, key, ok := keyBelow(t, value, off, path); ok {
				return p, key, true
			}
		}
	case yaml.Sequence:
		for item := range t.Items(n) {
			if p, key, ok := keyBelow(t, item, off, append(slices.Clip(above), "")); ok {
				return p, key, true
			}
		}
	}
	return nil, 0, false
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
