package project

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/compile"
	"weft/internal/source"
)

// Code is what the code of a file says about names: what it loads, what it defines, and which data
// values it reads.
type Code struct {
	Loads []Load
	Defs  []Def
	Uses  []Use
}

// Load is a load statement.
type Load struct {
	Module string
	At     source.Span // of the name of the module, with its quotes
	Names  []LoadedName
}

// LoadedName is a name that a module has, and the one that it gets here.
type LoadedName struct {
	From, To string
	At       source.Span // of To; of a name that stays the same, of the text in quotes
}

// Def is a function or a variable of a file, that others may load.
type Def struct {
	Name   string
	At     source.Span // of the name
	Func   bool
	Params string // of a function, with parentheses
	Doc    string // the comments above it, or the text at the beginning of its body
}

// Use is an expression that reads a data value: data.values.db.host.
type Use struct {
	Steps []Step
}

// Step is a key on the way to a data value.
type Step struct {
	Key string // "" if it is computed
	At  source.Span
}

// Path are the keys of the use.
func (u Use) Path() []string {
	path := make([]string, len(u.Steps))
	for i, s := range u.Steps {
		path[i] = s.Key
	}
	return path
}

// ReadCode reads the code of an analysis.
func ReadCode(a *compile.Analysis) *Code {
	c := &Code{}
	if a.Code == nil {
		return c
	}
	r := codeReader{a: a, f: a.File, code: c, values: map[*syntax.Ident][]Step{}}
	r.loads()
	r.aliases()
	syntax.Walk(a.Code, r.visit)
	r.defs()
	return c
}

type codeReader struct {
	a      *compile.Analysis
	f      *source.File
	code   *Code
	values map[*syntax.Ident][]Step // names that stand for data values, by where they are defined
	data   []*syntax.Ident          // names that stand for the module
}

// Offset is the byte offset of a place in code.
func Offset(f *source.File, p syntax.Position) int {
	return f.Offset(int(p.Line), int(p.Col), source.Characters)
}

func (r *codeReader) nameSpan(id *syntax.Ident) source.Span {
	off := Offset(r.f, id.NamePos)
	return r.f.Span(off, off+len(id.Name))
}

// loads reads the load statements.
func (r *codeReader) loads() {
	syntax.Walk(r.a.Code, func(n syntax.Node) bool {
		l, ok := n.(*syntax.LoadStmt)
		if !ok {
			return true
		}
		load := Load{Module: l.ModuleName()}
		if l.Module.TokenPos.Line > 0 {
			off := Offset(r.f, l.Module.TokenPos)
			load.At = r.f.Span(off, off+len(l.Module.Raw))
		}
		for i, from := range l.From {
			to := l.To[i]
			load.Names = append(load.Names, LoadedName{from.Name, to.Name, r.nameSpan(to)})
			if load.Module == compile.DataModule && from.Name == "data" {
				r.data = append(r.data, Definition(to))
			}
		}
		r.code.Loads = append(r.code.Loads, load)
		return false
	})
}

// aliases finds variables that stand for data values: vals = data.values.
func (r *codeReader) aliases() {
	syntax.Walk(r.a.Code, func(n syntax.Node) bool {
		s, ok := n.(*syntax.AssignStmt)
		if !ok || s.Op != syntax.EQ {
			return true
		}
		id, ok := s.LHS.(*syntax.Ident)
		if !ok || Definition(id) == nil {
			return true
		}
		if steps, ok := r.chain(s.RHS); ok {
			r.values[Definition(id)] = steps
		}
		return true
	})
}

// Definition is the place where a name is defined first in its file, or nil if it is none of the
// file's own.
func Definition(id *syntax.Ident) *syntax.Ident {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope == resolve.Universal || b.Scope == resolve.Predeclared ||
		b.Scope == resolve.Undefined {
		return nil
	}
	return b.First
}

// visit notes the data values that an expression reads. It sees the whole of an expression before
// its parts.
func (r *codeReader) visit(n syntax.Node) bool {
	e, ok := n.(syntax.Expr)
	if !ok {
		return true
	}
	steps, ok := r.chain(e)
	if !ok {
		return true
	}
	if _, isName := e.(*syntax.Ident); isName && len(steps) == 0 {
		return true
	}
	r.code.Uses = append(r.code.Uses, Use{Steps: steps})
	r.indexes(e)
	return false
}

// indexes looks at what stands in the brackets of an expression.
func (r *codeReader) indexes(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.DotExpr:
		r.indexes(e.X)
	case *syntax.IndexExpr:
		syntax.Walk(e.Y, r.visit)
		r.indexes(e.X)
	case *syntax.ParenExpr:
		r.indexes(e.X)
	}
}

// chain is the way from data.values to an expression; false if there is none.
func (r *codeReader) chain(e syntax.Expr) ([]Step, bool) {
	switch e := e.(type) {
	case *syntax.Ident:
		if d := Definition(e); d != nil {
			steps, ok := r.values[d]
			return steps, ok
		}
	case *syntax.ParenExpr:
		return r.chain(e.X)
	case *syntax.DotExpr:
		if id, ok := e.X.(*syntax.Ident); ok && e.Name.Name == "values" && r.isData(id) {
			return nil, true
		}
		if steps, ok := r.chain(e.X); ok {
			return append(slices.Clip(steps), Step{e.Name.Name, r.nameSpan(e.Name)}), true
		}
	case *syntax.IndexExpr:
		steps, ok := r.chain(e.X)
		if !ok {
			return nil, false
		}
		return append(slices.Clip(steps), r.index(e.Y)), true
	}
	return nil, false
}

// index is the step of an index.
func (r *codeReader) index(y syntax.Expr) Step {
	start, end := y.Span()
	at := r.f.Span(Offset(r.f, start), Offset(r.f, end))
	if l, ok := y.(*syntax.Literal); ok {
		if s, ok := l.Value.(string); ok {
			return Step{s, at}
		}
	}
	return Step{"", at}
}

// isData reports whether a name stands for the module of data values.
func (r *codeReader) isData(id *syntax.Ident) bool {
	d := Definition(id)
	if d == nil || !slices.Contains(r.data, d) {
		// one that is loaded under a condition is bound by a call
		return id.Name == "data" && (d == nil || len(r.data) == 0)
	}
	return true
}

// defs finds the functions and variables that others may load.
func (r *codeReader) defs() {
	for _, s := range r.a.Code.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			r.code.Defs = append(r.code.Defs, r.function(s))
		case *syntax.AssignStmt:
			if id, ok := s.LHS.(*syntax.Ident); ok && IsAuthors(id) {
				r.code.Defs = append(r.code.Defs, Def{Name: id.Name, At: r.nameSpan(id)})
			}
		}
	}
}

// function describes a function.
func (r *codeReader) function(s *syntax.DefStmt) Def {
	var params []string
	for _, p := range s.Params {
		params = append(params, r.param(p))
	}
	d := Def{
		Name: s.Name.Name, At: r.nameSpan(s.Name), Func: true,
		Params: "(" + strings.Join(params, ", ") + ")", Doc: r.commentsAbove(s.Name),
	}
	if len(s.Body) > 0 {
		if x, ok := s.Body[0].(*syntax.ExprStmt); ok {
			if l, ok := x.X.(*syntax.Literal); ok && l.Token == syntax.STRING && d.Doc == "" {
				d.Doc, _ = l.Value.(string)
			}
		}
	}
	return d
}

// param is a parameter as it is written.
func (r *codeReader) param(p syntax.Expr) string {
	start, end := p.Span()
	if start.Line <= 0 || end.Line <= 0 {
		return "…"
	}
	return string(r.f.Data()[Offset(r.f, start):max(Offset(r.f, start), Offset(r.f, end))])
}

// commentsAbove are the lines of comments directly above a name.
func (r *codeReader) commentsAbove(id *syntax.Ident) string {
	var lines []string
	for n := int(id.NamePos.Line) - 1; n >= 1; n-- {
		text := strings.TrimSpace(string(r.f.Text(n)))
		rest, ok := strings.CutPrefix(text, "#")
		if !ok || strings.HasPrefix(rest, "@") {
			break
		}
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(rest, "!")))
	}
	slices.Reverse(lines)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// IsAuthors reports whether a name was written by the author, as opposed to the compiler.
func IsAuthors(id *syntax.Ident) bool {
	return id.NamePos.Line > 0 && !strings.ContainsAny(id.Name, "·$@ ")
}
