package compile

import (
	"bytes"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Dropped is the variable that holds the value of an expression used as a statement until the program
// has checked it. Authors cannot write its name.
const Dropped = "·dropped"

// Drop is an expression used as a statement: code alone on its line, which inserts nothing.
type Drop struct {
	At       source.Span
	Call     bool // it calls a function
	Function bool // it is in a function that creates no nodes, so `return` may be missing
	// it is not a statement but a value: a call of this method, which changes a list or a dict and
	// returns None
	Changes string
	// it is not a statement but the value of this node, whose key is `_`: the author may want to
	// insert the items of the value
	Inserts *Node
}

// Code returns the code of d on one line.
func (u *Unit) Code(d *Drop) string {
	const maxBytes = 60
	code := string(bytes.TrimSpace(u.File.Data()[d.At.Offset():d.At.End()]))
	if code == "" || len(code) > maxBytes || strings.ContainsAny(code, "\r\n") {
		return "..."
	}
	return code
}

// InText reports whether d is in a text template, where code is marked with `(@` instead of `#@`.
func (u *Unit) InText(d *Drop) bool {
	data := u.File.Data()
	for i := d.At.Offset() - 1; i > 0; i-- {
		if data[i] == '@' && (data[i-1] == '#' || data[i-1] == '(') {
			return data[i-1] == '('
		}
	}
	return false
}

// AmongItems reports whether d is between the items of a list rather than between keys. It looks at
// the lines below d, then at those above.
func (u *Unit) AmongItems(d *Drop) bool {
	data := u.File.Data()
	start := u.File.LineStart(d.At.Offset())
	mine := indent(data[start:])
	for line := range bytes.Lines(data[d.At.End():]) {
		if isContent(line) {
			if indent(line) >= mine {
				return isItem(line)
			}
			break
		}
	}
	for above := data[:start]; len(above) > 0; {
		i := bytes.LastIndexByte(above[:len(above)-1], '\n') + 1
		if line := above[i:]; isContent(line) && indent(line) <= mine {
			return isItem(line) && indent(line) == mine
		}
		above = above[:i]
	}
	return false
}

// isContent reports whether a line is neither empty nor a comment, such as code.
func isContent(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '#'
}

func isItem(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 1 && line[0] == '-' || bytes.HasPrefix(line, []byte("- "))
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// drops makes the program check the values of expressions used as statements: someone who writes `#@
// labels()` on a line by itself wants to insert the result.
func (c *compiler) drops(stmts []syntax.Stmt, function bool) []syntax.Stmt {
	var all []syntax.Stmt // nil until a statement becomes two
	for i, s := range stmts {
		var more *syntax.IfStmt
		switch s := s.(type) {
		case *syntax.ExprStmt:
			if stmts[i], more = c.drop(s, function); more != nil && all == nil {
				all = append(make([]syntax.Stmt, 0, len(stmts)+1), stmts[:i]...)
			}
		case *syntax.AssignStmt:
			if s.Op == syntax.EQ {
				s.RHS = c.changes(s.RHS)
			}
		case *syntax.DefStmt:
			s.Body = c.drops(s.Body, c.defs[s] == "")
		case *syntax.ForStmt:
			s.Body = c.drops(s.Body, function)
		case *syntax.WhileStmt:
			s.Body = c.drops(s.Body, function)
		case *syntax.IfStmt:
			s.True, s.False = c.drops(s.True, function), c.drops(s.False, function)
		}
		if all != nil {
			all = append(all, stmts[i])
		}
		if more != nil {
			all = append(all, more)
		}
	}
	if all == nil {
		return stmts
	}
	return all
}

// drop returns an expression statement and, if its value may be dropped by mistake, a statement
// that checks the value.
func (c *compiler) drop(s *syntax.ExprStmt, function bool) (syntax.Stmt, *syntax.IfStmt) {
	call, isCall := s.X.(*syntax.CallExpr)
	if isCall && isOp(call.Fn, OpSet, OpSetKey) {
		last := len(call.Args) - 1
		call.Args[last] = c.changes(call.Args[last])
		if !isOp(call.Fn, OpSetKey) {
			call.Args[last] = c.inserts(call.Args[0], call.Args[last])
		}
		return s, nil
	}
	if !mayInsert(s.X) || c.hasNoResult(s.X) {
		return s, nil
	}
	// A call used as a statement usually returns None. Assigning and comparing a variable takes a
	// fifth of the time of calling a builtin.
	id, off := c.noteDrop(s.X, Drop{Call: isCall, Function: function})
	at := c.b.Position(off)
	value := func() *syntax.Ident { return &syntax.Ident{NamePos: at, Name: Dropped} }
	none := &syntax.Ident{NamePos: at, Name: "None"}
	set := &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: value(), RHS: s.X}
	look := &syntax.ExprStmt{X: &c.call(OpDrop, off, id, value()).call}
	return set, &syntax.IfStmt{
		If: at, Cond: &syntax.BinaryExpr{X: value(), OpPos: at, Op: syntax.NEQ, Y: none},
		True: []syntax.Stmt{look},
	}
}

// watch wraps an expression so that the program checks its value.
func (c *compiler) watch(e syntax.Expr, d Drop) syntax.Expr {
	id, off := c.noteDrop(e, d)
	return &c.call(OpDrop, off, id, e).call
}

// noteDrop records d for the expression e, and returns its index and offset.
func (c *compiler) noteDrop(e syntax.Expr, d Drop) (id, off int) {
	start, end := e.Span()
	d.At = script.Span(c.unit.File, start)
	if x := script.Span(c.unit.File, end); d.At.IsValid() && x.IsValid() &&
		x.Offset() > d.At.Offset() {
		d.At = d.At.To(x.Offset())
	}
	c.unit.Drops = append(c.unit.Drops, d)
	return len(c.unit.Drops) - 1, d.At.Offset()
}

// changes handles an expression used as a value. If it calls a method that changes its receiver, the
// program checks the result: `x: #@ list.append(1)` is null.
func (c *compiler) changes(e syntax.Expr) syntax.Expr {
	inner := script.Unparen(e)
	if call, ok := inner.(*syntax.CallExpr); ok {
		if fn, ok := call.Fn.(*syntax.DotExpr); ok {
			switch fn.Name.Name {
			case "append", "extend", "insert", "clear", "update":
				return c.watch(inner, Drop{Call: true, Changes: fn.Name.Name})
			}
		}
	}
	return e
}

// inserts handles the value expression of the node with the given number. If the key is `_`, which
// people write to insert the items of a map, the program checks the value.
func (c *compiler) inserts(number, e syntax.Expr) syntax.Expr {
	lit, ok := number.(*syntax.Literal)
	if !ok {
		return e
	}
	id, ok := lit.Value.(int64)
	if !ok {
		return e
	}
	n := &c.unit.Nodes[id]
	if call, ok := e.(*syntax.CallExpr); ok && isOp(call.Fn, OpDrop) || n.Kind != tree.MapItem ||
		n.Notes != nil {
		return e
	}
	if key, ok := n.Key.Starlark().(starlark.String); !ok || key != "_" {
		return e
	}
	node := *n // a copy, since the table may still be reallocated
	return c.watch(e, Drop{Inserts: &node})
}

// isOp reports whether fn is one of the given builtins.
func isOp(fn syntax.Expr, ops ...Op) bool {
	x, ok := fn.(*syntax.Ident)
	return ok && slices.Contains(ops, Op(x.Name))
}

// hasNoResult reports whether an expression calls a function of the file that creates no nodes and
// returns no value. Such calls are not checked, so loops over them stay fast.
func (c *compiler) hasNoResult(e syntax.Expr) bool {
	call, ok := e.(*syntax.CallExpr)
	if !ok {
		return false
	}
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return false
	}
	if c.gives == nil {
		c.gives = map[string]bool{}
		c.findGiving(c.stmts)
	}
	gives, ok := c.gives[fn.Name]
	return ok && !gives
}

// findGiving finds which functions return a value, by name. If several functions have the same name,
// it is enough if one of them does.
func (c *compiler) findGiving(stmts []syntax.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			c.gives[s.Name.Name] = c.gives[s.Name.Name] || c.defs[s] != "" || returns(s.Body)
			c.findGiving(s.Body)
		case *syntax.ForStmt:
			c.findGiving(s.Body)
		case *syntax.WhileStmt:
			c.findGiving(s.Body)
		case *syntax.IfStmt:
			c.findGiving(s.True)
			c.findGiving(s.False)
		}
	}
}

// returns reports whether statements return a value.
func returns(stmts []syntax.Stmt) bool {
	return slices.ContainsFunc(stmts, func(s syntax.Stmt) bool {
		switch s := s.(type) {
		case *syntax.ReturnStmt:
			x, ok := s.Result.(*syntax.Ident)
			return s.Result != nil && (!ok || x.Name != "None")
		case *syntax.ForStmt:
			return returns(s.Body)
		case *syntax.WhileStmt:
			return returns(s.Body)
		case *syntax.IfStmt:
			return returns(s.True) || returns(s.False)
		}
		return false
	})
}

// mayInsert reports whether the author of an expression statement may have wanted to insert its
// value. Calls made for their effects are excluded: checking them would only take time.
func mayInsert(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return e.Token != syntax.STRING // a docstring
	case *syntax.ParenExpr:
		return mayInsert(e.X)
	case *syntax.BinaryExpr: // `x or assert.fail("...")` is a check
		return e.Op != syntax.OR && e.Op != syntax.AND || mayInsert(e.Y)
	case *syntax.CondExpr:
		return mayInsert(e.True) && mayInsert(e.False)
	case *syntax.CallExpr:
		switch fn := e.Fn.(type) {
		case *syntax.Ident:
			return fn.Name != "print" && fn.Name != "fail" && !strings.HasPrefix(fn.Name, "·")
		case *syntax.DotExpr:
			if x, ok := fn.X.(*syntax.Ident); ok && (x.Name == "assert" || x.Name == "template") {
				return false
			}
			switch fn.Name.Name {
			case "append", "extend", "insert", "remove", "clear", "update", "add", "discard", "pop",
				"popitem", "setdefault":
				return false
			}
		}
	}
	return true
}
