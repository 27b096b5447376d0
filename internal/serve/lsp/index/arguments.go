package index

import (
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// growth is what code adds to a dict or a list after it was made.
type growth struct {
	key   string // the key of a dict, or ""
	value syntax.Expr
	whole bool // the value is a dict or a list whose items are added
}

// grow records what an assignment adds to a variable: x["key"] = value.
func (b *builder) grow(s *syntax.AssignStmt) {
	at, ok := script.Unparen(s.LHS).(*syntax.IndexExpr)
	if !ok {
		return
	}
	if id, ok := at.X.(*syntax.Ident); ok {
		key, _ := script.StringOf(at.Y)
		b.addGrowth(id, growth{key: key, value: s.RHS})
	}
}

// growBy records what a method adds to a variable: x.append(value), x.update(more).
func (b *builder) growBy(e *syntax.CallExpr) {
	fn, ok := e.Fn.(*syntax.DotExpr)
	if !ok || len(e.Args) == 0 {
		return
	}
	id, ok := fn.X.(*syntax.Ident)
	if !ok {
		return
	}
	last := e.Args[len(e.Args)-1]
	switch fn.Name.Name {
	case "append", "insert":
		b.addGrowth(id, growth{value: last})
	case "extend":
		b.addGrowth(id, growth{value: last, whole: true})
	case "update":
		for _, a := range e.Args {
			if name, v := keyword(a); name != nil {
				b.addGrowth(id, growth{key: name.Name, value: v})
			} else {
				b.addGrowth(id, growth{value: v, whole: true})
			}
		}
	case "setdefault":
		if key, ok := firstString(e); ok && len(e.Args) > 1 {
			b.addGrowth(id, growth{key: key, value: last})
		}
	}
}

func (b *builder) addGrowth(id *syntax.Ident, g growth) {
	if n := b.bindingOf(id); n != None {
		b.grown[n] = append(b.grown[n], g)
	}
}

// defaults returns the default values of parameters.
func (b *builder) defaults() map[ID]syntax.Expr {
	list := map[ID]syntax.Expr{}
	add := func(params []syntax.Expr) {
		for _, p := range params {
			if d, ok := p.(*syntax.BinaryExpr); ok {
				if id, ok := d.X.(*syntax.Ident); ok {
					list[b.bindingOf(id)] = d.Y
				}
			}
		}
	}
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			add(n.Params)
		case *syntax.LambdaExpr:
			add(n.Params)
		}
		return true
	})
	return list
}

// passed returns what calls in the file pass as a parameter of a function.
func (b *builder) passed(p *Binding) (list []syntax.Expr) {
	if p.Function < 0 {
		return nil
	}
	callee := b.file.Functions[p.Function].Binding
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		if fn, ok := call.Fn.(*syntax.Ident); !ok || b.bindingOf(fn) != callee {
			return true
		}
		for i, a := range call.Args {
			name, v := keyword(a)
			if name != nil && name.Name == p.Name || name == nil && v == a && i == p.Index {
				list = append(list, v)
			}
		}
		return true
	})
	return list
}
