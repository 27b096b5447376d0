package compile

import (
	"bytes"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
)

// This file finds `a or b` and `a and b` between overlay matchers. A matcher is a function, which is
// always true, so the result is one of the two matchers and the other is silently ignored.
// constants.go does the same for strings.

const overlayModule = "@ytt:overlay"

// matcherMakers are the names in the overlay module that are matchers or return one.
var matcherMakers = lazy.Value[map[string]bool]{New: func() map[string]bool {
	return map[string]bool{
		"all":     true,
		"index":   true,
		"map_key": true,
		"subset":  true,
		"and_op":  true,
		"or_op":   true,
		"not_op":  true,
		"path":    true,
	}
}}

// matchers looks for such expressions in files that load the module and contain `or` or `and`.
func (c *compiler) matchers(stmts []syntax.Stmt) {
	if !slices.ContainsFunc(c.unit.Loads, func(l Load) bool { return l.Module == overlayModule }) {
		return
	}
	data := c.unit.File.Data()
	if !bytes.Contains(data, []byte("or ")) && !bytes.Contains(data, []byte("and ")) {
		return
	}
	f := matcherFinder{
		c:       c,
		bound:   map[string]int{},
		defined: map[string]bool{},
		below:   map[syntax.Expr]bool{},
	}
	for _, s := range stmts {
		syntax.Walk(s, f.module)
	}
	if f.name == "" {
		return
	}
	for _, s := range stmts {
		syntax.Walk(s, f.bindings)
	}
	for _, s := range stmts {
		syntax.Walk(s, f.find)
	}
	c.unit.Warnings.Sort()
}

type matcherFinder struct {
	c       *compiler
	name    string               // the module's name in this file
	bound   map[string]int       // how often each name is assigned
	defined map[string]bool      // names that a matcher is assigned to
	below   map[syntax.Expr]bool // expressions reported as part of a larger one
}

// module finds the name of the overlay module in this file.
func (f *matcherFinder) module(n syntax.Node) bool {
	if load, ok := n.(*syntax.LoadStmt); ok && load.ModuleName() == overlayModule {
		for i, from := range load.From {
			if from.Name == "overlay" {
				f.name = load.To[i].Name
			}
		}
	}
	return true
}

// bindings records which names are always matchers.
func (f *matcherFinder) bindings(n syntax.Node) bool {
	if _, loads := n.(*syntax.LoadStmt); loads {
		return true
	}
	for _, id := range script.Bound(n) {
		f.bound[id.Name]++
	}
	if set, ok := n.(*syntax.AssignStmt); ok && set.Op == syntax.EQ && f.isMatcher(set.RHS) {
		if id, ok := set.LHS.(*syntax.Ident); ok {
			f.defined[id.Name] = true
		}
	}
	return true
}

// isMatcher reports whether an expression is always a matcher.
func (f *matcherFinder) isMatcher(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return f.isMatcher(e.X)
	case *syntax.CallExpr:
		dot, ok := e.Fn.(*syntax.DotExpr)
		return ok && f.isMaker(dot)
	case *syntax.DotExpr:
		return e.Name.Name == "all" && f.isMaker(e)
	case *syntax.Ident:
		return f.defined[e.Name] && f.bound[e.Name] == 1
	case *syntax.BinaryExpr:
		return (e.Op == syntax.OR || e.Op == syntax.AND) && f.isMatcher(e.X) && f.isMatcher(e.Y)
	}
	return false
}

func (f *matcherFinder) isMaker(dot *syntax.DotExpr) bool {
	id, ok := dot.X.(*syntax.Ident)
	return ok && id.Name == f.name && f.bound[f.name] == 0 && matcherMakers.Get()[dot.Name.Name]
}

// find warns about `a or b` and `a and b` where a is a matcher.
func (f *matcherFinder) find(n syntax.Node) bool {
	e, ok := n.(*syntax.BinaryExpr)
	if !ok || e.Op != syntax.OR && e.Op != syntax.AND || !f.isMatcher(e.X) || f.below[e] {
		return true
	}
	word, fn, which := "or", "or_op", "first"
	if e.Op == syntax.AND {
		word, fn, which = "and", "and_op", "last"
	}
	at := script.Span(f.c.unit.File, e.OpPos)
	at = at.To(at.Offset() + len(word))
	meant := f.name + "." + fn + "(" + strings.Join(f.operands(e, e.Op), ", ") + ")"
	d := diag.Warningf(at, CodeMatchers,
		"`%s` between matchers gives the %s of them, and the others are ignored", word, which).
		WithHint("write `%s`", meant)
	if was := f.text(e); was != unshown {
		start, _ := e.Span()
		d.Fix = &diag.Fix{Title: "write " + f.name + "." + fn, Edits: []diag.Edit{
			{At: script.Span(f.c.unit.File, start), Was: was, Text: meant},
		}}
	}
	f.c.warn(d)
	return true
}

// operands returns the source of the operands in a chain of one operator, from left to right.
func (f *matcherFinder) operands(e syntax.Expr, op syntax.Token) []string {
	if b, ok := e.(*syntax.BinaryExpr); ok && b.Op == op {
		f.below[b] = true
		return append(f.operands(b.X, op), f.operands(b.Y, op)...)
	}
	return []string{f.text(e)}
}

func (f *matcherFinder) text(e syntax.Expr) string { return f.c.codeOf(e) }

// unshown stands for the source of an expression that is long.
const unshown = "..."

// codeOf returns the source of an expression, if it is short and on one line.
func (c *compiler) codeOf(e syntax.Expr) string {
	const maxBytes = 200
	start, end := e.Span()
	from, to := script.Span(c.unit.File, start), script.Span(c.unit.File, end)
	if !from.IsValid() || !to.IsValid() || from.Offset() > to.Offset() ||
		to.Offset()-from.Offset() > maxBytes ||
		start.Line != end.Line {
		return unshown
	}
	last := to.Offset()
	if endsInBracket(e) {
		last++ // go.starlark.net leaves out the bracket
	}
	return string(c.unit.File.Data()[from.Offset():last])
}

// endsInBracket reports whether an expression ends with an index, as in `"a" + x[0]`.
func endsInBracket(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.IndexExpr, *syntax.SliceExpr:
		return true
	case *syntax.BinaryExpr:
		return endsInBracket(e.Y)
	case *syntax.UnaryExpr:
		return e.X != nil && endsInBracket(e.X)
	case *syntax.CondExpr:
		return endsInBracket(e.False)
	case *syntax.LambdaExpr:
		return endsInBracket(e.Body)
	}
	return false
}
