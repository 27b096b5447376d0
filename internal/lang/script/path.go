package script

import "go.starlark.net/syntax"

// PathOf returns the names in a path such as data.values.a["b"], or nil if the expression is not a
// path.
func PathOf(e syntax.Expr) []string {
	switch e := Unparen(e).(type) {
	case *syntax.Ident:
		return []string{e.Name}
	case *syntax.DotExpr:
		if p := PathOf(e.X); p != nil {
			return append(p, e.Name.Name)
		}
	case *syntax.IndexExpr:
		if s, ok := StringOf(e.Y); ok {
			if p := PathOf(e.X); p != nil {
				return append(p, s)
			}
		}
	}
	return nil
}

// StringOf returns the text of a string in code.
func StringOf(e syntax.Expr) (string, bool) {
	lit, ok := e.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return "", false
	}
	return lit.Value.(string), true
}
