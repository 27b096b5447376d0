package index

import (
	"go.starlark.net/syntax"

	"weft/internal/lang/script"
)

// value is a value of an expression that may be a data value: a root, and the keys from there.
type value struct {
	root  root
	of    ID     // the parameter, the loaded name or the function
	lib   string // the name of a library
	steps []string
}

// root is where a value begins.
type root uint8

// The roots.
const (
	dataModule    root = iota // @ytt:data
	dataValues                // its data values
	libraryModule             // @ytt:library
	libraryOf                 // a library, as library.get returns it
	libraryValues             // the data values of a library
	parameter                 // a parameter of a function
	loaded                    // a name of another file
	returned                  // the result of a function
)

// Any is the step to an item of a list, or to a key that is not known.
const Any = "*"

// maxValues limits the values that an expression may have.
const maxValues = 8

// isData reports whether the value may have keys.
func (v value) isData() bool {
	return v.root != dataModule && v.root != libraryModule && v.root != libraryOf
}

// step returns a value below v.
func (v value) step(name string) value {
	v.steps = append(v.steps[:len(v.steps):len(v.steps)], name)
	return v
}

func steps(values []value, name string) []value {
	var below []value
	for _, v := range values {
		if v.isData() {
			below = append(below, v.step(name))
		}
	}
	return below
}

// dataOf returns the values that may have keys.
func dataOf(values []value) []value {
	var list []value
	for _, v := range values {
		if v.isData() {
			list = append(list, v)
		}
	}
	return list
}

func union(a, b []value) []value {
	all := append(a[:len(a):len(a)], b...)
	return all[:min(len(all), maxValues)]
}

// eval returns the values that an expression may have. Each expression is evaluated once.
func (b *builder) eval(e syntax.Expr) []value {
	if known, ok := b.known[e]; ok {
		if b.open[e] {
			b.circles++
		}
		return known
	}
	b.known[e], b.open[e] = nil, true // in case the expression refers to itself
	v := b.evaluate(e)
	b.known[e] = v
	delete(b.open, e)
	return v
}

func (b *builder) evaluate(e syntax.Expr) []value {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return b.eval(e.X)
	case *syntax.Ident:
		if id := b.bindingOf(e); id != None {
			return b.valuesOf(id)
		}
		if e.Name == "data" { // the load is missing
			return []value{{root: dataModule}}
		}
	case *syntax.DotExpr:
		return b.member(b.eval(e.X), e.Name.Name)
	case *syntax.IndexExpr:
		if name, ok := script.StringOf(e.Y); ok {
			return steps(b.eval(e.X), name)
		}
		return steps(b.eval(e.X), Any)
	case *syntax.SliceExpr:
		return b.eval(e.X)
	case *syntax.CondExpr:
		return union(b.eval(e.True), b.eval(e.False))
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.OR, syntax.AND, syntax.PLUS:
			return union(b.eval(e.X), b.eval(e.Y))
		}
	case *syntax.CallExpr:
		return b.called(e)
	case *syntax.Comprehension:
		if !e.Curly {
			return listOf(b.eval(e.Body))
		}
	}
	return nil
}

// listOf returns the lists that have values as their items, as far as they are data values.
func listOf(items []value) (lists []value) {
	for _, v := range items {
		if last := len(v.steps) - 1; last >= 0 && v.steps[last] == Any {
			v.steps = v.steps[:last:last]
			lists = append(lists, v)
		}
	}
	return lists
}

// member returns the values of x.name.
func (b *builder) member(of []value, name string) []value {
	var list []value
	for _, v := range of {
		switch {
		case v.root == dataModule && name == "values":
			list = append(list, value{root: dataValues})
		case v.isData():
			list = append(list, v.step(name))
		}
	}
	return list
}

// called returns the values that a call may return.
func (b *builder) called(e *syntax.CallExpr) []value {
	switch fn := script.Unparen(e.Fn).(type) {
	case *syntax.DotExpr:
		return b.calledMember(e, fn)
	case *syntax.Ident:
		if id := b.bindingOf(fn); id != None {
			if k := b.file.Bindings[id].Kind; k == FunctionName || k == Loaded {
				return []value{{root: returned, of: id}}
			}
			return nil
		}
		switch fn.Name {
		case "getattr":
			if name, ok := b.secondString(e); ok {
				return b.member(b.eval(e.Args[0]), name)
			}
			if len(e.Args) > 1 {
				return steps(b.eval(e.Args[0]), Any)
			}
		case "list", "tuple", "sorted", "reversed", "dict":
			if len(e.Args) > 0 {
				return b.eval(e.Args[0])
			}
		}
	}
	return nil
}

func (b *builder) calledMember(e *syntax.CallExpr, fn *syntax.DotExpr) []value {
	if b.isModule(fn.X, "@ytt:struct") && len(e.Args) == 1 {
		return b.eval(e.Args[0]) // converted to a dict, or back to a struct
	}
	var list []value
	for _, v := range b.eval(fn.X) {
		name, isText := firstString(e)
		switch {
		case v.root == libraryModule && fn.Name.Name == "get" && isText:
			list = append(list, value{root: libraryOf, lib: name})
		case v.root == libraryOf && fn.Name.Name == "data_values":
			list = append(list, value{root: libraryValues, lib: v.lib})
		case v.root == libraryOf && isWith(fn.Name.Name):
			list = append(list, v)
		case v.isData() && fn.Name.Name == "get" && isText:
			list = append(list, v.step(name))
		}
	}
	return list
}

// isWith reports whether a method passes data values to a library.
func isWith(method string) bool {
	return method == "with_data_values" || method == "with_data_values_schema"
}

// isModule reports whether an expression is the name of a module of the standard library.
func (b *builder) isModule(e syntax.Expr, module string) bool {
	id, ok := e.(*syntax.Ident)
	if !ok {
		return false
	}
	n := b.bindingOf(id)
	return n != None && b.file.Bindings[n].Module == module
}

func (b *builder) secondString(e *syntax.CallExpr) (string, bool) {
	if len(e.Args) < 2 {
		return "", false
	}
	return script.StringOf(e.Args[1])
}

func firstString(e *syntax.CallExpr) (string, bool) {
	if len(e.Args) == 0 {
		return "", false
	}
	return script.StringOf(e.Args[0])
}

// valuesOf returns the values that a name may have.
func (b *builder) valuesOf(id ID) []value {
	bound := &b.file.Bindings[id]
	switch bound.Kind {
	case Parameter:
		if v, ok := b.given[id]; ok {
			return []value{v}
		}
		if b.sources[id] == nil {
			return []value{{root: parameter, of: id}}
		}
	case Loaded:
		switch {
		case bound.Module == "@ytt:data" && bound.From == "data":
			return []value{{root: dataModule}}
		case bound.Module == "@ytt:library" && bound.From == "library":
			return []value{{root: libraryModule}}
		case isStandard(bound.Module):
			return nil
		}
		return []value{{root: loaded, of: id}}
	case FunctionName:
		return nil
	}
	if list, ok := b.means[id]; ok {
		return list
	}
	var list []value
	circles := b.circles
	for _, s := range b.sources[id] {
		v := b.eval(s.expr)
		if s.element {
			v = steps(v, Any)
		}
		list = union(list, v)
	}
	if b.circles == circles { // otherwise some values are not known yet
		b.means[id] = list
	}
	return list
}

// assigned is an expression that is assigned to a variable. In a loop, its elements are assigned.
type assigned struct {
	expr    syntax.Expr
	element bool
}

// assign records an assignment to a target.
func (b *builder) assign(target, from syntax.Expr, element bool) {
	switch target := script.Unparen(target).(type) {
	case *syntax.Ident:
		if id := b.bindingOf(target); id != None {
			b.sources[id] = append(b.sources[id], assigned{from, element})
		}
	case *syntax.TupleExpr:
		b.unpack(target.List, script.Unparen(from), element)
	case *syntax.ListExpr:
		b.unpack(target.List, script.Unparen(from), element)
	}
}

// part is an expression of which one item is assigned to a variable. In a loop, it is an item of each element.
type part struct {
	assigned
	part int
}

// unpack records an assignment to several targets: in a loop over enumerate, zip or items, or from as
// many expressions. Of other expressions only types may be known, not data values.
func (b *builder) unpack(targets []syntax.Expr, from syntax.Expr, element bool) {
	if tuple, ok := from.(*syntax.TupleExpr); ok && !element && len(tuple.List) == len(targets) {
		for i, t := range targets {
			b.assign(t, tuple.List[i], false)
		}
		return
	}
	for i, t := range targets {
		if id, ok := script.Unparen(t).(*syntax.Ident); ok && b.bindingOf(id) != None {
			n := b.bindingOf(id)
			b.parts[n] = append(b.parts[n], part{assigned{from, element}, i})
		}
	}
	call, ok := from.(*syntax.CallExpr)
	if !ok || !element {
		return
	}
	switch fn := script.Unparen(call.Fn).(type) {
	case *syntax.Ident:
		switch {
		case fn.Name == "enumerate" && len(targets) == 2 && len(call.Args) > 0:
			b.assign(targets[1], call.Args[0], true)
		case fn.Name == "zip" && len(targets) == len(call.Args):
			for i, t := range targets {
				b.assign(t, call.Args[i], true)
			}
		}
	case *syntax.DotExpr:
		if fn.Name.Name == "items" && len(targets) == 2 {
			b.assign(targets[1], fn.X, true)
		}
	}
}
