package index

import (
	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// Type is what is known about a value of code without evaluating it.
type Type struct {
	Name   string // as in modules.Builtins, or struct; for a module, its name; "" if only values are known
	Module bool   // it is a module of the standard library
	Item   *Type  // the type of its items, or of the values of a dict, or nil
	Keys   []Field

	parts  []*Type // the types of the items of a tuple; nil for those that are not known
	values []value // the data values that it may be
}

// Field is a key of a dict, or a field of a struct.
type Field struct {
	Name  string
	value syntax.Expr
	of    *typer
	is    *Type // the type of a value of YAML, or nil
	at    syntax.Position
}

// Place returns where the code writes the name of the field, and in which file. It returns false if
// that is not known.
func (f Field) Place() (*source.File, Range, bool) {
	if f.of == nil {
		return nil, Range{}, false
	}
	r, ok := f.of.b.rangeOf(f.at, f.Name)
	return f.of.b.file.Text, r, ok
}

// typ returns the type of the value of a field, or nil.
func (f Field) typ() *Type {
	if f.value == nil {
		return f.is
	}
	return f.of.typeOf(f.value)
}

// Callable reports whether the field is a function.
func (f Field) Callable() bool {
	_, ok := f.value.(*syntax.LambdaExpr)
	return ok
}

// typer finds the types of expressions.
type typer struct {
	b      *builder
	module func(string) *compile.Analysis
	left   *int // how many more expressions may be followed: variables may refer to themselves
	away   bool // its file is one that the file of the cursor loads
}

// maxTyping is how many expressions are followed to find a type.
const maxTyping = 1000

// operand returns what is known about a value.
func (r *typer) operand(e syntax.Expr) Operand {
	o := Operand{Type: r.typeOf(e), values: r.b.eval(e)}
	if o.Type != nil && len(o.values) == 0 {
		o.values = o.Type.values
	}
	if o.Type != nil && o.Type.Name == "" {
		o.Type = nil
	}
	switch e := script.Unparen(e).(type) {
	case *syntax.Ident:
		o.Undefined = o.Type == nil && r.b.bindingOf(e) == None
	case *syntax.Literal:
		o.Literal = true
	}
	return o
}

// typeOf returns the type of an expression, or nil if it is not known.
func (r *typer) typeOf(e syntax.Expr) *Type {
	if *r.left <= 0 || e == nil {
		return nil
	}
	*r.left--
	if t := r.shapeOf(script.Unparen(e)); t != nil {
		return t
	}
	return r.dataType(r.b.eval(e))
}

// dataType returns the type of data values, or nil if there are none.
func (r *typer) dataType(values []value) *Type {
	var data []value
	for _, v := range dataOf(values) {
		if !r.away || v.root == dataValues { // other roots are names of the file
			data = append(data, v)
		}
	}
	if len(data) == 0 {
		return nil
	}
	return &Type{values: data}
}

// shapeOf returns the type of an expression as far as the code says it, or nil.
func (r *typer) shapeOf(e syntax.Expr) *Type {
	switch e := e.(type) {
	case *syntax.Literal:
		switch e.Token {
		case syntax.STRING:
			return &Type{Name: "string"}
		case syntax.BYTES:
			return &Type{Name: "bytes"}
		}
	case *syntax.ListExpr:
		return &Type{Name: "list", Item: r.firstOf(e.List...)}
	case *syntax.TupleExpr:
		t := &Type{Name: "tuple"}
		for _, x := range e.List {
			t.parts = append(t.parts, r.typeOf(x))
		}
		return t
	case *syntax.Comprehension:
		if entry, ok := e.Body.(*syntax.DictEntry); ok {
			return &Type{Name: "dict", Item: r.typeOf(entry.Value)}
		}
		return &Type{Name: "list", Item: r.typeOf(e.Body)}
	case *syntax.DictExpr:
		return r.dict(e)
	case *syntax.CondExpr:
		return r.firstOf(e.True, e.False)
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.SliceExpr:
		return r.typeOf(e.X)
	case *syntax.IndexExpr:
		return r.indexed(e)
	case *syntax.Ident:
		return r.named(e)
	case *syntax.DotExpr:
		if of := r.typeOf(e.X); of != nil && of.Name == "struct" {
			return of.key(e.Name.Name)
		}
	case *syntax.CallExpr:
		return r.called(e)
	}
	return nil
}

// firstOf returns the first type that is known. Data values before it may be it, too.
func (r *typer) firstOf(list ...syntax.Expr) *Type {
	var data *Type
	for _, e := range list {
		t := r.typeOf(e)
		switch {
		case t == nil:
		case t.Name == "" && data == nil:
			data = t
		case t.Name != "" && data != nil:
			both := *t
			both.values = data.values
			return &both
		case t.Name != "":
			return t
		}
	}
	return data
}

// binary returns the type of the result of an operator.
func (r *typer) binary(e *syntax.BinaryExpr) *Type {
	switch e.Op {
	case syntax.PIPE: // of two dicts
		if x, y := r.typeOf(e.X), r.typeOf(e.Y); x != nil && y != nil && x.Name == "dict" && y.Name == "dict" {
			return x.with(y)
		}
		return r.firstOf(e.X, e.Y)
	case syntax.PLUS, syntax.OR, syntax.AND, syntax.PERCENT, syntax.STAR:
		return r.firstOf(e.X, e.Y)
	}
	return nil
}

// dict returns the type of a dict that the code writes.
func (r *typer) dict(e *syntax.DictExpr) *Type {
	t := &Type{Name: "dict"}
	for _, x := range e.List {
		entry := x.(*syntax.DictEntry)
		if name, ok := script.StringOf(entry.Key); ok {
			at := entry.Key.(*syntax.Literal).TokenPos
			at.Col++ // after the quote
			t.Keys = append(t.Keys, Field{Name: name, value: entry.Value, of: r, at: at})
		} else if t.Item == nil {
			t.Item = r.typeOf(entry.Value)
		}
	}
	return t
}

// with returns a type with the keys of another one, too.
func (t *Type) with(more *Type) *Type {
	both := *t
	both.Keys = both.Keys[:len(both.Keys):len(both.Keys)]
	for _, f := range more.Keys {
		if !t.has(f.Name) {
			both.Keys = append(both.Keys, f)
		}
	}
	if both.Item == nil {
		both.Item = more.Item
	}
	return &both
}

func (t *Type) has(key string) bool {
	for _, f := range t.Keys {
		if f.Name == key {
			return true
		}
	}
	return false
}

// indexed returns the type of x[y].
func (r *typer) indexed(e *syntax.IndexExpr) *Type {
	of := r.typeOf(e.X)
	if of == nil {
		return nil
	}
	if name, ok := script.StringOf(e.Y); ok {
		return of.key(name)
	}
	if n, ok := e.Y.(*syntax.Literal); ok && of.Name == "tuple" {
		i, _ := n.Value.(int64)
		return of.part(int(i))
	}
	if of.Name == "string" {
		return of
	}
	return of.item()
}

// key returns the type of a field, or nil.
func (t *Type) key(name string) *Type {
	for _, f := range t.Keys {
		if f.Name == name {
			return f.typ()
		}
	}
	if t.Item == nil && len(t.values) > 0 {
		return &Type{values: steps(t.values, name)}
	}
	return t.Item
}

// item returns the type of an item of a list, or of a value of a dict, or nil.
func (t *Type) item() *Type {
	switch {
	case t.Item != nil:
		return t.Item
	case len(t.parts) > 0:
		return t.parts[0]
	case len(t.values) > 0:
		return &Type{values: steps(t.values, Any)}
	case len(t.Keys) > 0 && (t.Name == "dict" || t.Name == fragmentName):
		return t.key(t.Keys[0].Name)
	}
	return nil
}

// part returns the type of an item of a tuple or a list, or nil.
func (t *Type) part(i int) *Type {
	if len(t.parts) == 0 {
		return t.item()
	}
	if i < 0 || i >= len(t.parts) {
		return nil
	}
	return t.parts[i]
}

// named returns the type of a variable, or the module that a name stands for.
func (r *typer) named(id *syntax.Ident) *Type {
	n := r.b.bindingOf(id)
	if n == None {
		for _, m := range modules.Names() {
			if m == id.Name { // the load is missing
				return &Type{Name: m, Module: true}
			}
		}
		return nil
	}
	bound := &r.b.file.Bindings[n]
	switch bound.Kind {
	case Loaded:
		if m, ok := standard(bound.Module); ok {
			return &Type{Name: m, Module: true}
		}
		if other := r.other(bound.Module); other != nil {
			return other.exported(bound.From)
		}
	case Variable:
		return r.variable(n)
	case Parameter:
		if t := r.variable(n); t != nil {
			return t
		}
		if t := r.typeOf(r.b.defaults()[n]); t != nil {
			return t
		}
		return r.firstOf(r.b.passed(bound)...)
	case FunctionName:
	}
	return nil
}

// variable returns the type of what is assigned to a variable, with what is added to it later.
func (r *typer) variable(n ID) (t *Type) {
	for _, s := range r.b.sources[n] {
		if t = r.typeOf(s.expr); t != nil && s.element {
			t = t.item()
		}
		if t != nil {
			break
		}
	}
	for _, s := range r.b.parts[n] {
		if t != nil {
			break
		}
		if t = r.typeOf(s.expr); t != nil && s.element {
			t = t.item()
		}
		if t != nil {
			t = t.part(s.part)
		}
	}
	if t == nil || t.Name != "dict" && t.Name != "list" {
		return t
	}
	grown := *t
	t = &grown
	for _, g := range r.b.grown[n] {
		switch {
		case g.key != "":
			t = t.with(&Type{Keys: []Field{{Name: g.key, value: g.value, of: r}}})
		case g.whole:
			if more := r.typeOf(g.value); more != nil {
				t = t.with(more)
			}
		case t.Item == nil:
			t.Item = r.typeOf(g.value)
		}
	}
	return t
}

// other returns the typer of a file that this one loads, or nil.
func (r *typer) other(module string) *typer {
	if r.module == nil {
		return nil
	}
	a := r.module(module)
	if a == nil || a.Code == nil {
		return nil
	}
	b := newBuilder(a)
	b.readAll()
	return &typer{b: b, left: r.left, away: true} // names that it loads are not followed
}

// exported returns the type of a variable that others may load.
func (r *typer) exported(name string) *Type {
	id := r.b.file.Export(name)
	if id == None {
		return nil
	}
	for first, n := range r.b.ids {
		if n == id {
			return r.named(first)
		}
	}
	return nil
}
