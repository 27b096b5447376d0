package lint

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
)

// checkFunctions finds functions without a result, and nodes that no call creates.
func (f *file) checkFunctions() {
	values := f.calledForValue()
	for _, d := range f.defs {
		f.unreachable(d.Body)
		if values[d.Name.Name] && isLast(f.defs, d) && !hasResult(d.Body) {
			f.report(f.span(d.Name), codeTemplateNoReturn, "function '%s' returns nothing, and is used as a value",
				d.Name.Name).WithHint("add `return` before the result, as in `#@ return x`")
		}
	}
}

// isLast reports whether d is the only function with its name.
func isLast(defs []*syntax.DefStmt, d *syntax.DefStmt) bool {
	for _, other := range defs {
		if other != d && other.Name.Name == d.Name.Name {
			return false
		}
	}
	return true
}

// calledForValue returns the names of functions whose results are values of nodes.
func (f *file) calledForValue() map[string]bool {
	names := map[string]bool{}
	for _, c := range f.calls {
		id, ok := c.Fn.(*syntax.Ident)
		if !ok || id.Name != string(compile.OpSet) || len(c.Args) < 2 {
			continue
		}
		if call, ok := c.Args[len(c.Args)-1].(*syntax.CallExpr); ok {
			if fn, ok := call.Fn.(*syntax.Ident); ok {
				names[fn.Name] = true
			}
		}
	}
	return names
}

// hasResult reports whether a function returns something, creates nodes or text, or always fails.
func hasResult(body []syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt, *syntax.LambdaExpr:
				return false
			case *syntax.ReturnStmt:
				found = found || n.Result != nil
			case *syntax.CallExpr:
				found = found || makes(n) || isPath(n.Fn, "assert.fail") || isPath(n.Fn, "fail")
			}
			return !found
		})
	}
	return found
}

// makes reports whether a call creates a node or text of the template.
func makes(c *syntax.CallExpr) bool {
	id, ok := c.Fn.(*syntax.Ident)
	if !ok || !strings.HasPrefix(id.Name, "·") {
		return false
	}
	switch compile.Op(id.Name) {
	case compile.OpMake, compile.OpSet, compile.OpSetKey, compile.OpKey, compile.OpText, compile.OpPrint:
		return true
	}
	return false
}

// unreachable finds nodes after a return.
func (f *file) unreachable(body []syntax.Stmt) {
	returned := false
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.ReturnStmt:
			returned = true
		case *syntax.IfStmt:
			f.unreachable(s.True)
			f.unreachable(s.False)
		case *syntax.ForStmt:
			f.unreachable(s.Body)
		case *syntax.ExprStmt:
			if call, ok := s.X.(*syntax.CallExpr); ok && returned && makes(call) {
				f.report(f.span(call.Fn), codeTemplateAfterReturn, "this comes after a `return`, so it is never created").
					WithHint("remove the `return` to return what is below it, or remove what is below it")
				return
			}
		}
	}
}
