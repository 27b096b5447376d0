package index

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/selector"
	"weft/internal/lang/yaml"
)

// node is a node of data values: its path, and the library of these data values.
type node struct {
	library string
	path    []string
}

// documents records the documents of a template, and the keys of those that are data values or their
// schema.
func (b *builder) documents() {
	t := b.a.Tree
	for doc := range t.Documents() {
		root := t.Root(doc)
		if name := ObjectName(t, root); name != "" {
			at := Range{t.Start(doc).Offset(), t.Span(root).End()}
			b.file.Objects = append(b.file.Objects, Object{Name: name, At: at})
		}
	}
	var kinds map[yaml.NodeID]KeyKind
	libraries := map[yaml.NodeID]string{}
	for _, m := range b.a.Marks {
		if m.Kind != compile.AnnotationMark {
			continue
		}
		switch m.Name {
		case compile.ValuesAnnotation, compile.SchemaAnnotation:
			if kinds == nil {
				kinds = map[yaml.NodeID]KeyKind{}
			}
			kinds[m.Owner] = Sets
			if m.Name == compile.SchemaAnnotation {
				kinds[m.Owner] = Declares
			}
		case "library/ref":
			libraries[m.Owner] = b.reference(m)
		}
	}
	if kinds == nil {
		return
	}
	for doc := range t.Documents() {
		if kind, ok := kinds[doc]; ok {
			w := keyWalker{b: b, tree: t, kind: kind, library: libraries[doc]}
			b.nodes[doc] = node{library: w.library}
			w.walk(t.Root(doc), nil)
		}
	}
}

// reference records and returns the library that an annotation names: `#@library/ref "@name"`.
func (b *builder) reference(m compile.Mark) string {
	text := string(b.file.Text.Data()[m.At.Offset():m.At.End()])
	_, rest, ok := strings.Cut(text, "@library/ref")
	if !ok {
		return ""
	}
	name := strings.Trim(strings.TrimSpace(rest), `"'`)
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "@"), "~") // without the alias
	if i := strings.Index(rest, name); name != "" && i >= 0 {
		start := m.At.Offset() + len(text) - len(rest) + i
		b.file.Paths = append(b.file.Paths, Path{
			At: Range{start, start + len(name)}, Form: String, Kind: Library, Text: name,
		})
	}
	return name
}

// ObjectName returns the kind and name of a document as Kubernetes has them, or "".
func ObjectName(t *yaml.Tree, root yaml.NodeID) string {
	text := func(of yaml.NodeID) func(string) string {
		return func(key string) string { return scalar(t, child(t, of, key)) }
	}
	if name := selector.ObjectFrom(text(root), text(child(t, root, "metadata"))).String(); name != "" {
		return name
	}
	return text(root)("kind")
}

// child returns the value of a key, or 0.
func child(t *yaml.Tree, n yaml.NodeID, key string) yaml.NodeID {
	if n == 0 || t.Kind(n) != yaml.Mapping {
		return 0
	}
	for k, value := range t.Pairs(n) {
		if t.Kind(k) == yaml.Scalar && string(t.Text(k)) == key {
			return value
		}
	}
	return 0
}

func scalar(t *yaml.Tree, n yaml.NodeID) string {
	if n == 0 || t.Kind(n) != yaml.Scalar {
		return ""
	}
	return string(t.Text(n))
}

// keyWalker records keys of YAML as keys of data values.
type keyWalker struct {
	b       *builder
	tree    *yaml.Tree
	kind    KeyKind
	library string
	in      Range // only what begins in this range, unless it is empty
}

func (w *keyWalker) walk(n yaml.NodeID, path []string) {
	t := w.tree
	switch t.Kind(n) {
	case yaml.Mapping:
		for key := range t.Pairs(n) {
			w.entry(key, path)
		}
	case yaml.Sequence:
		below := append(path[:len(path):len(path)], Any)
		for item := range t.Items(n) {
			w.b.nodes[item] = node{w.library, below}
			w.walk(item, below)
		}
	}
}

func (w *keyWalker) entry(key yaml.NodeID, path []string) {
	t := w.tree
	value := t.Next(key)
	if t.Kind(key) != yaml.Scalar || t.IsMerge(key) {
		return
	}
	at := t.Span(key)
	if w.in != (Range{}) && !(w.in.Start <= at.Offset() && at.Offset() < w.in.End) {
		w.walk(value, path) // the range may be below
		return
	}
	below := append(path[:len(path):len(path)], string(t.Text(key)))
	w.b.nodes[key] = node{w.library, below}
	w.b.file.Keys = append(w.b.file.Keys, Key{
		At: Range{at.Offset(), at.End()}, Form: Scalar, Kind: w.kind, Library: w.library,
		Path: below, Around: Range{at.Offset(), max(at.End(), t.Span(value).End())},
	})
	w.walk(value, below)
}

// ReadValues returns the index of a plain file of data values.
func ReadValues(a *compile.Analysis) *File {
	b := &builder{file: &File{Text: a.File, Broken: len(a.Errors) > 0}, nodes: map[yaml.NodeID]node{}}
	if t := a.Tree; t != nil {
		w := keyWalker{b: b, tree: t, kind: Sets}
		for doc := range t.Documents() {
			w.walk(t.Root(doc), nil)
		}
	}
	b.sort()
	return b.file
}

// libraryKeys records the keys of data values that with_data_values passes to a library.
func (b *builder) libraryKeys(e syntax.Expr, library string, schema bool) {
	kind := Sets
	if schema {
		kind = Declares
	}
	switch e := script.Unparen(e).(type) {
	case *syntax.DictExpr:
		b.dictKeys(e, kind, node{library: library})
	case *syntax.Ident:
		if id := b.bindingOf(e); id != None {
			for _, s := range b.sources[id] {
				if !s.element && s.expr != syntax.Expr(e) {
					b.libraryLiteral(s.expr, kind, library)
				}
			}
		}
	case *syntax.CallExpr:
		b.libraryLiteral(e, kind, library)
	}
}

// libraryLiteral is libraryKeys for a dict, and for a function that returns YAML.
func (b *builder) libraryLiteral(e syntax.Expr, kind KeyKind, library string) {
	switch e := script.Unparen(e).(type) {
	case *syntax.DictExpr:
		b.dictKeys(e, kind, node{library: library})
	case *syntax.CallExpr:
		fn, ok := e.Fn.(*syntax.Ident)
		if !ok {
			return
		}
		id := b.bindingOf(fn)
		if id == None {
			return
		}
		b.file.Passed = append(b.file.Passed, Passed{Callee: id, Library: library})
		if b.file.Bindings[id].Kind != FunctionName || b.a.Tree == nil {
			return
		}
		w := keyWalker{b: b, tree: b.a.Tree, kind: kind, library: library}
		w.in = b.linesOf(b.file.Bindings[id].At.Start)
		if w.in == (Range{}) {
			return
		}
		for doc := range w.tree.Documents() {
			w.walk(w.tree.Root(doc), nil)
		}
	}
}

// linesOf returns the body of the function whose name is at an offset.
func (b *builder) linesOf(name int) Range {
	for _, m := range b.a.Blocks() {
		if m.Kind == script.Defines && m.Off <= name &&
			b.file.Text.Line(m.Off) == b.file.Text.Line(name) {
			return Range{m.Off, m.End}
		}
	}
	return Range{}
}

// dictKeys records the keys of a dict below a node.
func (b *builder) dictKeys(e syntax.Expr, kind KeyKind, at node) {
	switch e := script.Unparen(e).(type) {
	case *syntax.DictExpr:
		for _, entry := range e.List {
			entry := entry.(*syntax.DictEntry)
			lit, ok := entry.Key.(*syntax.Literal)
			if !ok {
				continue
			}
			where, ok := b.inQuotes(lit)
			if !ok {
				continue
			}
			below := append(at.path[:len(at.path):len(at.path)], lit.Value.(string))
			b.file.Keys = append(b.file.Keys, Key{
				At: where, Form: String, Kind: kind, Library: at.library, Path: below, Around: where,
			})
			b.dictKeys(entry.Value, kind, node{at.library, below})
		}
	case *syntax.ListExpr:
		below := append(at.path[:len(at.path):len(at.path)], Any)
		for _, x := range e.List {
			b.dictKeys(x, kind, node{at.library, below})
		}
	}
}

// rule reads an annotation of a schema or of data values whose arguments are code: defaults, and
// validations with the functions that they call.
func (b *builder) rule(e *syntax.CallExpr) {
	fn, ok := e.Fn.(*syntax.Ident)
	const offset = 2 // the arguments are the node, the name, the offset, and those that the author wrote
	if !ok || fn.Name != string(compile.OpNote) || len(e.Args) <= offset+1 {
		return
	}
	place, ok := e.Args[offset].(*syntax.Literal)
	if !ok {
		return
	}
	off, _ := place.Value.(int64)
	mark := b.marks[off]
	at, ok := b.nodes[mark.Owner]
	if !ok {
		return
	}
	switch mark.Name {
	case "schema/default":
		b.dictKeys(e.Args[offset+1], Sets, at)
	case "schema/computed": // its function gets all data values, and the map that holds the key
		if last := len(at.path) - 1; last >= 0 {
			b.passes(e.Args[offset+1], node{library: at.library}, node{at.library, at.path[:last]})
		}
	case "schema/validation", "assert/validate":
		for _, a := range e.Args[offset+1:] {
			b.validation(a, at)
		}
	}
}

// validation reads an argument of a validation of a node.
func (b *builder) validation(arg syntax.Expr, at node) {
	name, v := keyword(arg)
	switch v := script.Unparen(v).(type) {
	case *syntax.TupleExpr: // (description, function)
		if name == nil && len(v.List) == 2 {
			b.passes(v.List[1], at)
		}
	case *syntax.ListExpr:
		if name != nil && name.Name == "one_not_null" {
			for _, x := range v.List {
				b.namesKey(x, at)
			}
		}
	case *syntax.LambdaExpr, *syntax.Ident:
		if name != nil && name.Name == "when" {
			b.passes(v, at)
		}
	}
}

// namesKey records that a validation names a key of a node.
func (b *builder) namesKey(e syntax.Expr, at node) {
	lit, ok := e.(*syntax.Literal)
	if !ok {
		return
	}
	if where, ok := b.inQuotes(lit); ok {
		below := append(at.path[:len(at.path):len(at.path)], lit.Value.(string))
		b.file.Keys = append(b.file.Keys, Key{
			At: where, Form: String, Kind: Names, Library: at.library, Path: below, Around: where,
		})
	}
}

// passes records that nodes of data values are passed to a function, in the order of its parameters.
func (b *builder) passes(e syntax.Expr, nodes ...node) {
	for i, at := range nodes {
		v := value{root: dataValues, steps: at.path}
		if at.library != "" {
			v = value{root: libraryValues, lib: at.library, steps: at.path}
		}
		switch e := script.Unparen(e).(type) {
		case *syntax.LambdaExpr:
			if params := script.Bound(e); i < len(params) {
				if id := b.bindingOf(params[i]); id != None {
					b.given[id] = v
				}
			}
		case *syntax.Ident:
			if id := b.bindingOf(e); id != None {
				b.file.flows = append(b.file.flows, flow{callee: id, index: i, values: []value{v}})
			}
		}
	}
}
