package feature

import (
	"bytes"
	"cmp"
	"slices"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/engine/schema"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	texts "weft/internal/lang/text"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// tokenType is the type of a word: an index into the legend.
type tokenType uint8

const (
	keywordToken tokenType = iota
	functionToken
	parameterToken
	variableToken
	propertyToken
	decoratorToken
	stringToken
	numberToken
	operatorToken
	commentToken
)

// Modifiers of tokens: bits.
const (
	declaration = 1 << iota
	readonly
	deprecated
	unread
)

// TokenLegend has the names of the types and modifiers of tokens. All of them are defined by the
// protocol, except "unread": it marks data values that nothing reads.
var TokenLegend = protocol.SemanticTokensLegend{
	TokenTypes: []string{
		"keyword", "function", "parameter", "variable", "property", "decorator", "string", "number",
		"operator", "comment",
	},
	TokenModifiers: []string{"declaration", "readonly", "deprecated", "unread"},
}

// token is a word of a file.
type token struct {
	start, end int
	is         wordKind
}

// wordKind is the type of a word with its modifiers.
type wordKind struct {
	kind      tokenType
	modifiers uint32
}

// Tokens returns the words of the code of a document that begin in a range, or all words if it is
// nil, in the encoding of the protocol. They include the keys of data values that nothing reads.
func Tokens(doc *workspace.TextDocument, unreadKeys []source.Span, within *protocol.Range) []uint32 {
	t := tokenizer{doc: doc, a: doc.Analysis(), names: map[int]wordKind{}}
	t.readNames()
	t.readCode()
	for _, at := range unreadKeys {
		t.add(at.Offset(), at.End(), propertyToken, unread)
	}
	slices.SortFunc(t.list, func(a, b token) int { return cmp.Compare(a.start, b.start) })
	from, to := 0, len(doc.File().Data())
	if within != nil {
		from, to = doc.Mapper().Offsets(*within)
	}
	return encodeTokens(doc.Mapper(), t.list, from, to)
}

// encodeTokens encodes tokens as numbers. A token of several lines becomes several, because few
// clients support such tokens.
func encodeTokens(to protocol.Mapper, list []token, from, until int) []uint32 {
	data := make([]uint32, 0, 5*len(list))
	var last protocol.Position
	add := func(start, end int, is wordKind) {
		a := to.Position(start)
		line, char := a.Line-last.Line, a.Character
		if line == 0 {
			char -= last.Character
		}
		data = append(data, uint32(line), uint32(char), uint32(to.Length(start, end)),
			uint32(is.kind), is.modifiers)
		last = a
	}
	done := 0
	for _, t := range list {
		if t.start < max(from, done) || t.start >= until {
			continue
		}
		done = t.end
		for start := t.start; start < t.end; {
			rest := to.File.Data()[start:t.end]
			line := rest
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				line = rest[:i+1]
			}
			if end := start + len(bytes.TrimRight(line, "\r\n")); end > start {
				add(start, end, t.is)
			}
			start += len(line)
		}
	}
	return data
}

// tokenizer finds the tokens of a document.
type tokenizer struct {
	doc   *workspace.TextDocument
	a     *compile.Analysis
	names map[int]wordKind // the kinds of names, by offset
	list  []token
}

func (t *tokenizer) add(start, end int, kind tokenType, modifiers uint32) {
	t.list = append(t.list, token{start, end, wordKind{kind, modifiers}})
}

// readCode splits all code of the document into tokens.
func (t *tokenizer) readCode() {
	data := t.a.File.Data()
	switch t.a.Kind {
	case compile.Starlark:
		t.code(0, len(data))
	case compile.Text:
		t.text(0, data)
	case compile.YAML:
		for _, m := range t.a.Marks {
			t.mark(m)
		}
		t.textInYAML()
	case compile.PlainYAML, compile.PlainText:
	}
}

// mark reads a comment that is code, a value or an annotation.
func (t *tokenizer) mark(m compile.Mark) {
	const lead = len("#@")
	start, end := m.At.Offset(), m.At.End()
	if m.Kind != compile.AnnotationMark {
		t.code(start+lead, end)
		return
	}
	at := bytes.Index(t.a.File.Data()[start:end], []byte(m.Name))
	if at < 0 {
		return
	}
	name := start + at
	after := name + len(m.Name)
	if at == lead {
		name-- // the @ belongs to the name
	}
	t.add(name, after, decoratorToken, 0)
	t.code(after, end)
}

// text reads a text template at an offset of the file.
func (t *tokenizer) text(off int, body []byte) {
	parts, _ := texts.Parse(body, func(start, end int) source.Span {
		return t.a.File.Span(off+start, off+end)
	})
	for _, p := range parts {
		switch p.Kind {
		case texts.Print, texts.Statement:
			from, to := off+p.Body.Start, off+p.Body.End
			t.add(off+p.Raw.Start, from, operatorToken, 0)
			t.code(from, to)
			t.add(to, off+p.Raw.End, operatorToken, 0)
		case texts.Comment:
			t.add(off+p.Raw.Start, off+p.Raw.End, commentToken, 0)
		case texts.Literal, texts.Invalid:
		}
	}
}

// textInYAML reads scalars that are text templates.
func (t *tokenizer) textInYAML() {
	if !bytes.Contains(t.a.File.Data(), []byte("(@")) || t.a.Tree == nil {
		return
	}
	for n := t.a.Tree.First(); t.a.Tree.More(n); n++ {
		if t.a.Tree.Kind(n) != yaml.Scalar || !t.a.IsText(n) {
			continue
		}
		if raw := t.a.Tree.Raw(n); bytes.Contains(raw, []byte("(@")) {
			t.text(t.a.Tree.Span(n).Offset(), raw)
		}
	}
}

// code splits code into tokens.
func (t *tokenizer) code(from, to int) {
	code := t.a.File.Data()[from:to]
	script.Lex(code, func(kind script.TokenKind, start, end int) {
		word := code[start:end]
		start, end = from+start, from+end
		switch kind {
		case script.WordToken:
			t.word(start, end, string(word))
		case script.NumberToken:
			t.number(start, end)
		case script.StringToken:
			t.add(start, end, stringToken, 0)
		case script.CommentToken:
			t.add(start, end, commentToken, 0)
		case script.OperatorToken:
			if bytes.ContainsAny(word, "+-*/%&|^<>=!~") {
				t.add(start, end, operatorToken, 0)
			}
		}
	})
}

// number adds a number, or the digits after its point.
func (t *tokenizer) number(start, end int) {
	if n := len(t.list); n > 0 {
		last := &t.list[n-1]
		if last.is.kind == numberToken && last.end == start-1 && t.a.File.Data()[last.end] == '.' {
			last.end = end
			return
		}
	}
	t.add(start, end, numberToken, 0)
}

// codeWords are the words of the language.
var codeWords = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"and": true, "break": true, "continue": true, "def": true, "elif": true, "else": true,
		"end": true, "for": true, "if": true, "in": true, "lambda": true, "load": true, "not": true,
		"or": true, "pass": true, "return": true, "while": true,
		"True": true, "False": true, "None": true,
	}
}}

func (t *tokenizer) word(start, end int, word string) {
	is, known := t.names[start]
	switch {
	case codeWords.Get()[word]:
		is = wordKind{kind: keywordToken}
	case known:
	default:
		is.kind = variableToken
	}
	t.add(start, end, is.kind, is.modifiers)
}

// readNames finds the kinds of the names in the code.
func (t *tokenizer) readNames() {
	if t.a.Code == nil {
		return
	}
	n := names{file: t.a.File, is: t.names, kinds: map[*syntax.Ident]wordKind{}}
	syntax.Walk(t.a.Code, n.define)
	syntax.Walk(t.a.Code, n.use)
	file := t.doc.FileIndex(t.a)
	for _, n := range file.Names {
		if n.Module {
			delete(t.names, n.At.Start) // it is in quotes
		}
	}
	typ := t.schema()
	file.EachRead(func(r *index.Read, path []string) {
		if r.Form != index.Identifier {
			return
		}
		is := wordKind{propertyToken, readonly}
		if typ != nil && isDeprecated(typ, path) {
			is.modifiers |= deprecated
		}
		was := t.names[r.At.Start]
		if was.kind != functionToken || typ != nil && typ.At(path) != nil {
			t.names[r.At.Start] = is
		}
	})
}

// schema returns the schema of the data values, as far as it is known, or nil.
func (t *tokenizer) schema() *schema.Type {
	v := t.doc.View()
	if v == nil {
		return nil
	}
	if known := v.KnownValues(); known != nil {
		return known.Type
	}
	return nil
}

func isDeprecated(typ *schema.Type, path []string) bool {
	at := typ.At(path)
	if at == nil {
		return false
	}
	_, ok := at.Deprecation()
	return ok
}

// names finds the kinds of names.
type names struct {
	file  *source.File
	is    map[int]wordKind           // kinds by offset
	kinds map[*syntax.Ident]wordKind // kinds by definition
}

func (n *names) set(id *syntax.Ident, is wordKind) {
	if isAuthored(id) {
		n.is[offsetOf(n.file, id.NamePos)] = is
	}
}

// define records names that are defined.
func (n *names) define(node syntax.Node) bool {
	switch x := node.(type) {
	case *syntax.DefStmt:
		n.defined(x.Name, functionToken)
		n.parameters(x.Params)
	case *syntax.LambdaExpr:
		n.parameters(x.Params)
	case *syntax.AssignStmt, *syntax.ForStmt, *syntax.Comprehension:
		for _, id := range script.Bound(node) {
			if _, known := n.kinds[id]; !known {
				n.defined(id, variableToken)
			}
		}
	}
	return true
}

func (n *names) defined(id *syntax.Ident, kind tokenType) {
	if d := definitionOf(id); d != nil && d != id {
		if _, known := n.kinds[d]; known {
			return // it is assigned again
		}
	}
	n.kinds[id] = wordKind{kind: kind}
	n.set(id, wordKind{kind, declaration})
}

func (n *names) parameters(list []syntax.Expr) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Ident:
			n.defined(p, parameterToken)
		case *syntax.BinaryExpr:
			if id, ok := p.X.(*syntax.Ident); ok {
				n.defined(id, parameterToken)
			}
		case *syntax.UnaryExpr:
			if id, ok := p.X.(*syntax.Ident); ok {
				n.defined(id, parameterToken)
			}
		}
	}
}

// use records names that are used: with the kind of their definition, or else a kind that follows
// from their use.
func (n *names) use(node syntax.Node) bool {
	switch x := node.(type) {
	case *syntax.Ident:
		n.used(x, variableToken)
	case *syntax.CallExpr:
		switch fn := x.Fn.(type) {
		case *syntax.Ident:
			n.used(fn, functionToken)
		case *syntax.DotExpr:
			n.set(fn.Name, wordKind{kind: functionToken})
		}
		for _, arg := range x.Args {
			if b, ok := arg.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
				if id, ok := b.X.(*syntax.Ident); ok {
					n.set(id, wordKind{kind: parameterToken})
				}
			}
		}
	case *syntax.DotExpr:
		if _, known := n.is[offsetOf(n.file, x.Name.NamePos)]; !known {
			n.set(x.Name, wordKind{kind: propertyToken})
		}
	}
	return true
}

func (n *names) used(id *syntax.Ident, as tokenType) {
	if !isAuthored(id) {
		return
	}
	if _, known := n.is[offsetOf(n.file, id.NamePos)]; known {
		return
	}
	is := wordKind{kind: as}
	if d := definitionOf(id); d != nil {
		if known, ok := n.kinds[d]; ok {
			is = known
		} else if as == variableToken {
			is.modifiers = readonly // it is loaded
		}
	}
	n.set(id, is)
}
