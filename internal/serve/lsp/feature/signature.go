package feature

import (
	"context"
	"slices"
	"strings"

	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// SignatureHelp returns the parameters of the function that is called at a place, or null.
func SignatureHelp(
	ctx context.Context, doc *workspace.TextDocument, p protocol.SignatureHelpParams,
) (*protocol.SignatureHelp, error) {
	c := newCompletion(ctx, doc, doc.Mapper().Offset(p.Position))
	code, kind := c.code()
	if kind != inCode && kind != inAnnotation {
		return nil, nil
	}
	cur := c.cursor(code)
	if kind == inAnnotation && (cur == nil || cur.Call == nil) {
		name, args, _ := strings.Cut(code, " ")
		return annotationHelp(name, args), nil
	}
	if cur == nil || cur.Call == nil {
		return nil, nil
	}
	s := signatureOf(cur)
	if s == nil {
		return nil, nil
	}
	sig := protocol.SignatureInformation{Label: s.name + s.params}
	if s.doc != "" {
		sig.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: s.doc}
	}
	params := s.parameters()
	for _, one := range params {
		sig.Parameters = append(sig.Parameters, protocol.ParameterInformation{Label: one.text})
	}
	return &protocol.SignatureHelp{
		Signatures: []protocol.SignatureInformation{sig}, ActiveParameter: activeParameter(params, cur.Call),
	}, nil
}

// annotationHelp returns the keywords of an annotation, of which args is written already, or nil.
func annotationHelp(name, args string) *protocol.SignatureHelp {
	m, ok := tree.MeaningOf(name)
	if !ok || len(m.Keywords) == 0 {
		return nil
	}
	help := &protocol.SignatureHelp{}
	for end := endOfParameter(args); end < len(args); end = endOfParameter(args) {
		args = args[end+1:]
		help.ActiveParameter++
	}
	word, _, _ := strings.Cut(strings.TrimSpace(args), "=")
	sig := protocol.SignatureInformation{
		Label:         "#@" + name + " " + strings.Join(m.KeywordNames(), "=, ") + "=",
		Documentation: &protocol.MarkupContent{Kind: protocol.Markdown, Value: sentence(m.Doc)},
	}
	for i, k := range m.Keywords {
		sig.Parameters = append(sig.Parameters, protocol.ParameterInformation{Label: k.Name + "="})
		if k.Name == strings.TrimSpace(word) {
			help.ActiveParameter = i
		}
	}
	help.ActiveParameter = min(help.ActiveParameter, len(m.Keywords)-1)
	help.Signatures = []protocol.SignatureInformation{sig}
	return help
}

// activeParameter returns the parameter that gets the argument at the cursor, or the first if none does.
func activeParameter(params []parameter, call *index.CallPlace) int {
	return max(0, slices.IndexFunc(params, func(p parameter) bool {
		if call.Keyword != "" {
			return p.name == call.Keyword || p.takes == allNames
		}
		return p.index == call.Index || p.takes == allOthers && p.index <= call.Index
	}))
}

// signature is a function with its parameters, as they are written.
type signature struct{ name, params, doc string }

// parameter is a parameter of a signature.
type parameter struct {
	text  string
	name  string // "" if it cannot be given by name
	index int
	takes takes
}

// takes is how many arguments a parameter takes.
type takes uint8

const (
	oneArgument takes = iota
	allOthers         // without names
	allNames          // with names
)

// parameters returns the parameters of a function.
func (s *signature) parameters() (list []parameter) {
	text := strings.TrimSuffix(strings.TrimPrefix(s.params, "("), ")")
	for text != "" {
		end := endOfParameter(text)
		p := parameter{text: strings.TrimSpace(text[:end]), index: len(list)}
		text = strings.TrimPrefix(text[end:], ",")
		name, value, _ := strings.Cut(p.text, "=")
		switch {
		case strings.HasPrefix(name, "**") || value == "...":
			p.takes = allNames
		case strings.HasPrefix(name, "*") || name == "...":
			p.takes = allOthers
		case !strings.HasPrefix(name, "["):
			p.name = strings.TrimSpace(name)
		}
		list = append(list, p)
	}
	return list
}

// endOfParameter returns where the first parameter of a list ends: at a comma outside brackets and strings.
func endOfParameter(text string) int {
	for i := range len(text) {
		if text[i] != ',' {
			continue
		}
		if open, quoted := openIn(text[:i]); len(open) == 0 && quoted < 0 {
			return i
		}
	}
	return len(text)
}

// signatureOf returns the function that is called at a cursor, or nil.
func signatureOf(cur *cursor) *signature {
	call := cur.Call
	if call.Callee != index.None {
		to := cur.all.Resolve(cur.src, call.Callee)
		if to.Bound().Kind != index.FunctionName {
			return nil
		}
		fn := to.Source.File.Functions[to.Bound().Function]
		return &signature{call.Name, fn.Signature, fn.Doc}
	}
	if call.Field != nil {
		return &signature{call.Name, call.Field.Signature, call.Field.Doc}
	}
	if call.IsModule {
		for _, f := range modules.Functions() {
			if f.Module == call.Of && f.Name == call.Name && f.Params != "" {
				return &signature{f.Module + "." + f.Name, f.Params, sentence(f.Doc)}
			}
		}
		return nil
	}
	for _, b := range modules.Builtins() {
		if b.Of == call.Of && b.Name == call.Name && b.Params != "" {
			return &signature{b.Name, b.Params, sentence(b.Doc)}
		}
	}
	return nil
}

// renameKeyword replaces a misspelled keyword of a call by the parameter that is meant.
func renameKeyword(doc *workspace.TextDocument, x report.Finding) []repair {
	f, word := fileAt(x), x.Of.Word.Text
	at := x.Of.Marked(x.Files)
	if f == nil || word == "" || x.Of.Fix != nil || !doc.Is(f) || !f.SameText(doc.File()) ||
		string(f.Data()[at.Offset():at.End()]) != word {
		return nil
	}
	c := newCompletion(doc.Context(), doc, at.End())
	code, _ := c.code()
	cur := c.cursor(code)
	if cur == nil || cur.Call == nil {
		return nil
	}
	s := signatureOf(cur)
	if s == nil {
		return nil
	}
	var names []string
	for _, p := range s.parameters() {
		if p.name != "" && !slices.Contains(cur.Call.Given, p.name) {
			names = append(names, p.name)
		}
	}
	near := diag.Nearest(word, names)
	if near == "" {
		return nil
	}
	return one(doc, x, "write "+near, at.Offset(), at.End(), near)
}

// arguments completes the keywords of the function that is called at a cursor.
func (c *completion) arguments(cur *cursor) {
	call := cur.Call
	if call == nil || !call.Starts || call.Keyword != "" {
		return
	}
	s := signatureOf(cur)
	if s == nil {
		return
	}
	// The table of functions says which parameters have names; all of those that authors write do.
	authored := call.Callee != index.None
	for _, p := range s.parameters() {
		isKeyword := authored || strings.Contains(p.text, "=")
		if p.name == "" || !isKeyword || p.index < call.Index || slices.Contains(call.Given, p.name) {
			continue
		}
		c.add(0, len(cur.typed), p.name+"=", protocol.CompletionItem{
			Kind: protocol.CompleteProperty, Detail: p.text,
		})
	}
}
