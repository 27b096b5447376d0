package feature

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
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

	value      []string      // the path of a data value: read by code, declared or set
	key        bool          // the value is declared or set here
	function   *moduleName   // a module, or a name of one
	name       *syntax.Ident // a name that the author wrote
	annotation *compile.Mark // an annotation
	keyword    string        // the keyword of the annotation; "" at its name
	load       *loadStmt     // the module of a load statement
	loaded     *loadedName
	node       yaml.NodeID // the node that a value or its code belongs to
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
	f := finder{doc: doc, a: a, off: off, loads: loadsIn(a)}
	for _, look := range []func() *target{f.inAnnotation, f.inLoad, f.inUse, f.inName, f.inKey, f.inValue} {
		if t := look(); t != nil {
			t.a = a
			return t
		}
	}
	return nil
}

type finder struct {
	doc   *workspace.TextDocument
	a     *compile.Analysis
	off   int
	loads []loadStmt
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

// inLoad finds the module of a load statement, and the names that are loaded.
func (f *finder) inLoad() *target {
	for i := range f.loads {
		l := &f.loads[i]
		if l.At.IsValid() && f.holds(l.At) {
			return &target{at: l.At, load: l}
		}
		for j := range l.Names {
			if f.holds(l.Names[j].At) {
				return &target{at: l.Names[j].At, load: l, loaded: &l.Names[j]}
			}
		}
	}
	return nil
}

// inUse finds a data value that code reads.
func (f *finder) inUse() (found *target) {
	f.doc.FileIndex(f.a).EachRead(func(r *index.Read, path []string) {
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

// inName finds a name in code: one that the author wrote, a module, or a name of a module.
func (f *finder) inName() *target {
	if f.a.Code == nil {
		return nil
	}
	var found *target
	syntax.Walk(f.a.Code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			id, ok := n.X.(*syntax.Ident)
			if ok && f.touches(n.Name) {
				if module := f.moduleOf(id); module != "" {
					found = &target{at: f.span(n.Name), function: &moduleName{module, n.Name.Name}}
					return false
				}
			}
		case *syntax.Ident:
			if found == nil && f.touches(n) && isAuthored(n) {
				found = &target{at: f.span(n), name: n}
				if module := f.moduleOf(n); module != "" {
					found = &target{at: f.span(n), function: &moduleName{module: module}}
				}
			}
		}
		return true
	})
	return found
}

func (f *finder) span(id *syntax.Ident) source.Span {
	off := offsetOf(f.a.File, id.NamePos)
	return f.a.File.Span(off, off+len(id.Name))
}

func (f *finder) touches(id *syntax.Ident) bool {
	return id.NamePos.Line > 0 && int(id.NamePos.Line) == f.a.File.Line(f.off) && f.holds(f.span(id))
}

// moduleOf returns the module of the standard library that is loaded with a name, or "".
func (f *finder) moduleOf(id *syntax.Ident) string {
	for _, l := range f.loads {
		module, ok := strings.CutPrefix(l.Module, "@ytt:")
		if !ok {
			continue
		}
		for _, n := range l.Names {
			if n.From == module && isDefinedAt(f.a, id, n.At.Offset()) {
				return module
			}
		}
	}
	return ""
}

// isDefinedAt reports whether a place is where a name is defined.
func isDefinedAt(a *compile.Analysis, id *syntax.Ident, off int) bool {
	d := definitionOf(id)
	return d != nil && offsetOf(a.File, d.NamePos) == off
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
