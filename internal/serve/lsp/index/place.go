package index

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
)

// Cursor is the name that stands in code for the word at the cursor, so that the code around an
// unfinished word can be parsed. No author writes it.
const Cursor = "weft_cursor_"

// Place is what is known about code at a cursor.
type Place struct {
	Kind PlaceKind
	Of   Operand // the value before the dot, or that has the key, or that is compared

	Module string           // for LoadedPlace
	Names  []string         // for ModulePlace: what the statement loads
	Keys   []string         // for EntryPlace and EntryValuePlace: the keys above it, the outermost first
	Dict   *syntax.DictExpr // for these: the outermost dict around it

	// Scope is the names that the code may use, the innermost first. Functions and lambdas that are around
	// the cursor count as inner.
	Scope []ID

	// Call is the innermost call that the cursor is in the arguments of, or nil.
	Call *CallPlace
}

// PlaceKind is what a word at a cursor is.
type PlaceKind uint8

// The kinds of place.
const (
	InText          PlaceKind = iota // in a string of which nothing is known
	NamePlace                        // a name, or the keyword of an argument
	MemberPlace                      // after a dot
	KeyPlace                         // a string that is the key of a dict or of data values
	EntryPlace                       // a key of a dict that the code makes
	EntryValuePlace                  // a string that is the value of such a key
	ComparedPlace                    // a string that a value is compared with
	ModulePlace                      // the module of a load statement
	LoadedPlace                      // a name in the module of a load statement
	BoundPlace                       // a name that the code binds: anything may be written
)

// Operand is a value of which a member or a key is written.
type Operand struct {
	Type      *Type // nil if it is not known
	Undefined bool  // it is a name that is not defined
	Literal   bool  // it stands in the code
	values    []value
}

// ParameterOf returns the parameters of lambdas that an operand may be, or be a part of: the position
// of each, and the keys that lead from it to the operand.
func (f *File) ParameterOf(o Operand, each func(position int, keys []string)) {
	for _, v := range o.values {
		if v.root == parameter && f.Bindings[v.of].Function < 0 {
			each(f.Bindings[v.of].Index, v.steps)
		}
	}
}

// CallPlace is a call, with the argument that the cursor is in.
type CallPlace struct {
	At       Range  // the name of the function
	Callee   ID     // a function that the file defines or loads, or None
	Of, Name string // otherwise: a function of a module, a method of a type, or a builtin, of ""
	IsModule bool   // Of is a module
	Index    int    // of the argument, without those that have a name
	Keyword  string // the name of the argument
	Starts   bool   // the cursor is at the beginning of the argument
	Given    []string
	Library  string    // for a method of a library: its name
	Field    *Function // the function that is a field of a struct, or nil
}

// ReadPlace returns the index of code in which Cursor is written, and what is known about that place.
// It returns nil if Cursor is not in the code. Module returns the analysis of a file that the code loads,
// or nil.
func ReadPlace(a *compile.Analysis, module func(string) *compile.Analysis) (*File, *Place) {
	b := newBuilder(a)
	path := b.pathToCursor()
	if path == nil {
		return nil, nil
	}
	b.readAll()
	left := maxTyping
	r := &typer{b: b, module: module, left: &left}
	p := &Place{Scope: b.scope(path), Call: r.callAround(path)}
	switch at := path[len(path)-1].(type) {
	case *syntax.Ident:
		r.name(p, at, parent(path))
	case *syntax.Literal:
		r.text(p, at, path)
	}
	return b.file, p
}

// name says what a name is.
func (r *typer) name(p *Place, at *syntax.Ident, around syntax.Node) {
	p.Kind = NamePlace
	switch n := around.(type) {
	case *syntax.DotExpr:
		if n.Name == at {
			p.Kind, p.Of = MemberPlace, r.operand(n.X)
		}
	case *syntax.LoadStmt:
		p.Kind, p.Module = LoadedPlace, n.ModuleName()
	case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.ForStmt, *syntax.ForClause, *syntax.AssignStmt:
		if def, ok := n.(*syntax.DefStmt); ok && def.Name == at || slices.Contains(script.Bound(n), at) {
			p.Kind = BoundPlace
		}
	}
}

// text says what a string is.
func (r *typer) text(p *Place, at *syntax.Literal, path []syntax.Node) {
	if of := keyed(path, at); of != nil {
		if of := r.operand(of); of.Type == nil || !of.Type.Module {
			p.Kind, p.Of = KeyPlace, of
			return
		}
	}
	switch around := parent(path).(type) {
	case *syntax.BinaryExpr:
		other := around.X
		if other == at {
			other = around.Y
		}
		if around.Op == syntax.EQL || around.Op == syntax.NEQ {
			p.Kind, p.Of = ComparedPlace, r.operand(other)
		}
	case *syntax.LoadStmt:
		p.Kind = ModulePlace
		for _, from := range around.From {
			p.Names = append(p.Names, from.Name)
		}
	case *syntax.ListExpr, *syntax.TupleExpr:
		if len(path) < 3 {
			return
		}
		if b, ok := path[len(path)-3].(*syntax.BinaryExpr); ok && b.Y == around &&
			(b.Op == syntax.IN || b.Op == syntax.NOT_IN) {
			p.Kind, p.Of = ComparedPlace, r.operand(b.X)
		}
	case *syntax.DictEntry:
		above := path
		p.Kind = EntryValuePlace
		if around.Key == at {
			p.Kind, above = EntryPlace, path[:len(path)-2]
		}
		for _, n := range above {
			if entry, ok := n.(*syntax.DictEntry); ok {
				key, _ := script.StringOf(entry.Key)
				p.Keys = append(p.Keys, key)
			}
			if d, ok := n.(*syntax.DictExpr); ok && p.Dict == nil {
				p.Dict = d
			}
		}
	}
}

func parent(path []syntax.Node) syntax.Node {
	if len(path) < 2 {
		return nil
	}
	return path[len(path)-2]
}

// pathToCursor returns the nodes from the file down to Cursor, or nil.
func (b *builder) pathToCursor() (found []syntax.Node) {
	if b.a.Code == nil {
		return nil
	}
	var stack []syntax.Node
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if found != nil {
			stack = append(stack, n)
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *syntax.Ident:
			if strings.HasPrefix(n.Name, Cursor) {
				found = append(found, stack...)
			}
		case *syntax.Literal:
			if text, ok := n.Value.(string); ok && strings.Contains(text, Cursor) {
				found = append(found, stack...)
			}
		}
		return true
	})
	return found
}

// keyed returns the value that a string is the key of, or nil: x["key"], "key" in x, x.get("key"),
// getattr(x, "key").
func keyed(path []syntax.Node, at *syntax.Literal) syntax.Expr {
	switch around := parent(path).(type) {
	case *syntax.IndexExpr:
		if around.Y == at {
			return around.X
		}
	case *syntax.BinaryExpr:
		if (around.Op == syntax.IN || around.Op == syntax.NOT_IN) && around.X == at {
			return around.Y
		}
	case *syntax.CallExpr:
		switch fn := around.Fn.(type) {
		case *syntax.Ident:
			reads := fn.Name == "getattr" || fn.Name == "hasattr"
			if reads && len(around.Args) > 1 && around.Args[1] == at {
				return around.Args[0]
			}
		case *syntax.DotExpr:
			if (fn.Name.Name == "get" || fn.Name.Name == "pop") && around.Args[0] == at {
				return fn.X
			}
		}
	}
	return nil
}

// scope returns the names that code at the end of a path may use, the innermost first.
func (b *builder) scope(path []syntax.Node) []ID {
	var list []ID
	seen := map[string]bool{}
	add := func(ids []*syntax.Ident) {
		for _, id := range ids {
			n := b.bindingOf(id)
			if n != None && !seen[id.Name] && !strings.HasPrefix(id.Name, Cursor) {
				seen[id.Name] = true
				list = append(list, n)
			}
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *syntax.Comprehension:
			for _, c := range n.Clauses {
				add(script.Bound(c))
			}
		case *syntax.ForStmt:
			add(script.Bound(n))
		case *syntax.LambdaExpr:
			add(script.Bound(n))
		case *syntax.DefStmt:
			add(script.Bound(n))
			add(boundIn(n.Body))
		case *syntax.File:
			add(boundIn(n.Stmts))
		}
	}
	return list
}

// boundIn returns the names that statements bind, without those of functions, lambdas and comprehensions
// inside them.
func boundIn(stmts []syntax.Stmt) (ids []*syntax.Ident) {
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt:
				ids = append(ids, n.Name)
				return false
			case *syntax.LambdaExpr, *syntax.Comprehension:
				return false
			}
			ids = append(ids, script.Bound(n)...)
			return true
		})
	}
	return ids
}

// callAround returns the innermost call of the author that has the end of a path in its arguments.
func (r *typer) callAround(path []syntax.Node) *CallPlace {
	for i := len(path) - 2; i >= 0; i-- {
		switch n := path[i].(type) {
		case *syntax.LambdaExpr, *syntax.DefStmt:
			return nil
		case *syntax.CallExpr:
			if n.Fn == path[i+1] {
				continue
			}
			if c := r.call(n, path[i+1], path[len(path)-1]); c != nil {
				return c
			}
		}
	}
	return nil
}

// call returns a call with the argument that the cursor is in, or nil if it is not one of the author's.
func (r *typer) call(n *syntax.CallExpr, arg, at syntax.Node) *CallPlace {
	c := &CallPlace{Callee: None, Starts: arg == at}
	reached := false
	for _, a := range n.Args {
		name, v := keyword(a)
		switch {
		case a == arg:
			reached = true
			if name != nil && !strings.HasPrefix(name.Name, Cursor) {
				c.Keyword, c.Starts = name.Name, v == at
			}
		case name != nil:
			c.Given = append(c.Given, name.Name)
		case !reached:
			c.Index++
		}
	}
	switch fn := script.Unparen(n.Fn).(type) {
	case *syntax.Ident:
		at, ok := r.b.rangeOf(fn.NamePos, fn.Name)
		if !ok {
			return nil
		}
		c.At, c.Callee, c.Name = at, r.b.bindingOf(fn), fn.Name
	case *syntax.DotExpr:
		at, ok := r.b.rangeOf(fn.Name.NamePos, fn.Name.Name)
		if !ok {
			return nil
		}
		c.At, c.Name = at, fn.Name.Name
		for _, v := range r.b.eval(fn.X) {
			if v.root == libraryOf {
				c.Of, c.Library = "library", v.lib
			}
		}
		if t := r.typeOf(fn.X); t != nil {
			c.Of, c.IsModule, c.Field = t.Name, t.Module, t.fieldFunction(c.Name)
		} else if c.Of == "" {
			c.Of = OwnerOf(c.Name)
		}
	default:
		return nil
	}
	return c
}

// ValuesAt returns the data values that an operand may be, in the file that ReadPlace returned.
func (p *Index) ValuesAt(s *Source, of Operand) []Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.solveAll(s, of.values)
}
