package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// maxSymbolDepth limits the depth of the keys that are listed.
const maxSymbolDepth = 6

// maxSymbols limits the symbols that are listed: editors take too long to show a hundred thousand.
const maxSymbols = 5000

// Symbols returns the documents of a file with their keys, and its functions and variables; the keys of a
// project file; and the tests of a test file. It returns nil for a file in the language of another server.
func Symbols(
	ctx context.Context, doc *workspace.TextDocument, _ protocol.DocumentSymbolParams,
) ([]protocol.DocumentSymbol, error) {
	s := symbols{doc: doc, a: doc.Analysis(), to: doc.Mapper(), secrets: filesWithSecrets(ctx, doc)}
	list := s.functions()
	switch own := ownAnalysis(doc); {
	case own != nil:
		s.a = own
		if t := own.Tree; t.More(t.First()) {
			list = s.keys(t.Root(t.First()), 1)
		}
	case doc.IsForeign():
		return nil, nil
	case s.a.Tree != nil:
		list = append(list, s.documents()...)
	}
	slices.SortStableFunc(list, func(a, b protocol.DocumentSymbol) int {
		return a.Range.Start.Line - b.Range.Start.Line
	})
	if s.count > maxSymbols {
		list = append(list, s.rest())
	}
	if list == nil {
		list = []protocol.DocumentSymbol{}
	}
	return list, nil
}

type symbols struct {
	doc   *workspace.TextDocument
	count int // the number of listed symbols
	a     *compile.Analysis
	to    protocol.Mapper

	secrets []*source.Set // file sets that conceal what is secret in some environment
}

// filesWithSecrets returns the file sets of all environments, which know what is secret.
func filesWithSecrets(ctx context.Context, doc *workspace.TextDocument) (list []*source.Set) {
	p := doc.Project()
	if p == nil {
		return nil
	}
	if v := doc.View(); v != nil {
		v.Values(ctx, doc.Snapshot()) // so that secrets are known from now on
	}
	for _, v := range p.Views() {
		if values := v.KnownValues(); values != nil {
			list = append(list, values.Files)
		}
	}
	return list
}

// documents returns the documents, each with its keys. For a single document without a name, it returns
// only the keys.
func (s *symbols) documents() []protocol.DocumentSymbol {
	t := s.a.Tree
	var list []protocol.DocumentSymbol
	for doc := range t.Documents() {
		root := t.Root(doc)
		from := t.Start(doc).Offset()
		if s.isFull() {
			return list
		}
		name := index.ObjectName(t, root)
		if name == "" {
			name = s.roleOf(doc)
		}
		if name == "" {
			name = fmt.Sprintf("document %d", len(list)+1)
		}
		at := s.to.Range(from, max(from, t.Span(root).End()))
		list = append(list, protocol.DocumentSymbol{
			Name: name, Kind: protocol.SymbolModule, Range: at,
			SelectionRange: protocol.Range{Start: at.Start, End: at.Start},
			Children:       s.keys(root, 1),
		})
	}
	return list
}

// isFull counts a symbol, and reports whether there are too many.
func (s *symbols) isFull() bool {
	s.count++
	return s.count > maxSymbols
}

// rest returns a symbol that replaces those that are not listed.
func (s *symbols) rest() protocol.DocumentSymbol {
	end := len(s.doc.File().Data())
	at := s.to.Range(end, end)
	return protocol.DocumentSymbol{
		Name: fmt.Sprintf("the rest is not listed: there are more than %d symbols", maxSymbols),
		Kind: protocol.SymbolModule, Range: at, SelectionRange: protocol.Range{Start: at.Start, End: at.Start},
	}
}

// roleOf returns the role of a document, by its annotations.
func (s *symbols) roleOf(doc yaml.NodeID) string {
	for _, m := range s.a.Marks {
		if m.Owner == doc && m.Kind == compile.AnnotationMark {
			switch m.Name {
			case compile.ValuesAnnotation:
				return "data values"
			case compile.SchemaAnnotation:
				return "schema of data values"
			case "overlay/match":
				return "overlay"
			}
		}
	}
	return ""
}

func text(t *yaml.Tree, n yaml.NodeID) string {
	if n == 0 || t.Kind(n) != yaml.Scalar {
		return ""
	}
	return string(t.Text(n))
}

// keys returns the keys of a mapping, with those below them.
func (s *symbols) keys(n yaml.NodeID, depth int) (list []protocol.DocumentSymbol) {
	t := s.a.Tree
	if t.Kind(n) != yaml.Mapping || depth > maxSymbolDepth {
		return nil
	}
	for key, value := range t.Pairs(n) {
		if s.isFull() {
			return list
		}
		if t.Kind(key) != yaml.Scalar || len(t.Text(key)) == 0 {
			continue
		}
		from := t.Span(key)
		list = append(list, protocol.DocumentSymbol{
			Name: string(t.Text(key)), Detail: s.detail(value), Kind: symbolKind(t, value),
			Range:          s.to.Range(from.Offset(), max(from.End(), t.Span(value).End())),
			SelectionRange: s.to.Span(from),
			Children:       append(s.keys(value, depth+1), s.named(value, depth+1)...),
		})
	}
	return list
}

// named returns the items of a list that have names: the tests of a test file.
func (s *symbols) named(n yaml.NodeID, depth int) (list []protocol.DocumentSymbol) {
	t := s.a.Tree
	if t.Kind(n) != yaml.Sequence || !s.doc.IsTestFile() {
		return nil
	}
	for item := range t.Items(n) {
		for key, value := range pairs(t, item) {
			if !t.IsString(key, "name") || text(t, value) == "" || s.isFull() {
				continue
			}
			list = append(list, protocol.DocumentSymbol{
				Name: text(t, value), Kind: protocol.SymbolFunction,
				Range:          s.to.Range(t.Span(item).Offset(), t.Span(item).End()),
				SelectionRange: s.to.Span(t.Span(value)), Children: s.keys(item, depth+1),
			})
		}
	}
	return list
}

// detail returns the text that is shown next to the key of a scalar.
func (s *symbols) detail(n yaml.NodeID) string {
	const maxRunes = 40
	shown := text(s.a.Tree, n)
	for _, files := range s.secrets {
		shown = files.Concealed(shown)
	}
	shown, _, _ = strings.Cut(shown, "\n")
	if r := []rune(shown); len(r) > maxRunes {
		return string(r[:maxRunes]) + "…"
	}
	return shown
}

func symbolKind(t *yaml.Tree, n yaml.NodeID) protocol.SymbolKind {
	switch t.Kind(n) {
	case yaml.Mapping:
		return protocol.SymbolObject
	case yaml.Sequence:
		return protocol.SymbolArray
	}
	return protocol.SymbolProperty
}

// functions returns the functions of a file, and the variables of a script.
func (s *symbols) functions() (list []protocol.DocumentSymbol) {
	if s.a.Code == nil {
		return nil
	}
	for _, stmt := range s.a.Code.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.DefStmt:
			list = append(list, s.symbol(stmt, stmt.Name, protocol.SymbolFunction))
		case *syntax.AssignStmt:
			if id, ok := stmt.LHS.(*syntax.Ident); ok && isAuthored(id) {
				list = append(list, s.symbol(stmt, id, protocol.SymbolVariable))
			}
		}
	}
	return list
}

func (s *symbols) symbol(
	n syntax.Node, id *syntax.Ident, kind protocol.SymbolKind,
) protocol.DocumentSymbol {
	start, end := script.Extent(n)
	name := script.Span(s.doc.File(), id.NamePos)
	name = name.To(name.Offset() + len(id.Name))
	from := min(script.Span(s.doc.File(), start).Offset(), name.Offset())
	to := max(offsetOf(s.doc.File(), end), name.End())
	return protocol.DocumentSymbol{
		Name: id.Name, Kind: kind, Range: s.to.Range(from, to), SelectionRange: s.to.Span(name),
	}
}

// offsetOf returns the offset of a place in code, or 0 if it has none.
func offsetOf(f *source.File, p syntax.Position) int { return script.Span(f, p).Offset() }
