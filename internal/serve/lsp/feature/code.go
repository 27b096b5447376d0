package feature

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
)

// code is what the code of one document says, as far as it is right: what it loads, and which data
// values it reads. What files say about each other is in package index.
type code struct {
	Loads []loadStmt
	Uses  []valueUse
}

// loadStmt is a load statement.
type loadStmt struct {
	Module string
	At     source.Span // of the name of the module, with its quotes
	Names  []loadedName
}

// loadedName is a name that a module has, and the one that it gets here.
type loadedName struct {
	From, To string
	At       source.Span // of To; of a name that stays the same, of the text in quotes
}

// valueUse is an expression that reads a data value: data.values.db.host.
type valueUse struct {
	Steps []step
}

// step is a key on the way to a data value.
type step struct {
	Key string // "" if it is computed
	At  source.Span
}

// Path returns the keys of the use.
func (u valueUse) Path() []string {
	path := make([]string, len(u.Steps))
	for i, s := range u.Steps {
		path[i] = s.Key
	}
	return path
}

// readCode reads the code of an analysis.
func readCode(a *compile.Analysis) *code {
	c := &code{}
	if a.Code == nil {
		return c
	}
	r := codeReader{a: a, f: a.File, code: c, values: map[*syntax.Ident][]step{}}
	r.loads()
	r.aliases()
	syntax.Walk(a.Code, r.visit)
	return c
}

type codeReader struct {
	a      *compile.Analysis
	f      *source.File
	code   *code
	values map[*syntax.Ident][]step // names that stand for data values, by where they are defined
	data   []*syntax.Ident          // names that stand for the module
}

func (r *codeReader) nameSpan(id *syntax.Ident) source.Span {
	off := offsetOf(r.f, id.NamePos)
	return r.f.Span(off, off+len(id.Name))
}

// loads reads the load statements.
func (r *codeReader) loads() {
	syntax.Walk(r.a.Code, func(n syntax.Node) bool {
		l, ok := n.(*syntax.LoadStmt)
		if !ok {
			return true
		}
		stmt := loadStmt{Module: l.ModuleName()}
		if l.Module.TokenPos.Line > 0 {
			off := offsetOf(r.f, l.Module.TokenPos)
			stmt.At = r.f.Span(off, off+len(l.Module.Raw))
		}
		for i, from := range l.From {
			to := l.To[i]
			stmt.Names = append(stmt.Names, loadedName{from.Name, to.Name, r.nameSpan(to)})
			if stmt.Module == compile.DataModule && from.Name == "data" {
				r.data = append(r.data, definitionOf(to))
			}
		}
		r.code.Loads = append(r.code.Loads, stmt)
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
		if !ok || definitionOf(id) == nil {
			return true
		}
		if steps, ok := r.chain(s.RHS); ok {
			r.values[definitionOf(id)] = steps
		}
		return true
	})
}

// definitionOf returns the place where a name is defined first in its file, or nil if it is none of
// the file's own.
func definitionOf(id *syntax.Ident) *syntax.Ident {
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
	r.code.Uses = append(r.code.Uses, valueUse{Steps: steps})
	r.indexes(e)
	return false
}

// indexes looks at what is in the brackets of an expression.
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

// chain returns the way from data.values to an expression; false if there is none.
func (r *codeReader) chain(e syntax.Expr) ([]step, bool) {
	switch e := e.(type) {
	case *syntax.Ident:
		if d := definitionOf(e); d != nil {
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
			return append(slices.Clip(steps), step{e.Name.Name, r.nameSpan(e.Name)}), true
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

// index returns the step of an index.
func (r *codeReader) index(y syntax.Expr) step {
	start, end := y.Span()
	at := r.f.Span(offsetOf(r.f, start), offsetOf(r.f, end))
	if l, ok := y.(*syntax.Literal); ok {
		if s, ok := l.Value.(string); ok {
			return step{s, at}
		}
	}
	return step{"", at}
}

// isData reports whether a name stands for the module of data values.
func (r *codeReader) isData(id *syntax.Ident) bool {
	d := definitionOf(id)
	if d == nil || !slices.Contains(r.data, d) {
		// one that is loaded under a condition is bound by a call
		return id.Name == "data" && (d == nil || len(r.data) == 0)
	}
	return true
}

// isAuthors reports whether a name was written by the author, as opposed to the compiler.
func isAuthors(id *syntax.Ident) bool {
	return id.NamePos.Line > 0 && !strings.ContainsAny(id.Name, "·$@ ")
}
