package index

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/script"
)

// Type is what is known about a value of code without evaluating it.
type Type struct {
	Name   string // as in modules.Builtins, or struct; for a module, its name
	Module bool   // it is a module of the standard library
	Item   *Type  // the type of its items, or nil
	Keys   []Field
}

// Field is a key of a dict, or a field of a struct.
type Field struct {
	Name  string
	value syntax.Expr
	of    *typer
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
}

// maxTyping is how many expressions are followed to find a type.
const maxTyping = 1000

// operand returns what is known about a value.
func (r *typer) operand(e syntax.Expr) Operand {
	o := Operand{Type: r.typeOf(e), values: r.b.eval(e)}
	if id, ok := script.Unparen(e).(*syntax.Ident); ok && o.Type == nil {
		o.Undefined = r.b.bindingOf(id) == None
	}
	return o
}

// typeOf returns the type of an expression, or nil if it is not known.
func (r *typer) typeOf(e syntax.Expr) *Type {
	if *r.left <= 0 || e == nil {
		return nil
	}
	*r.left--
	switch e := script.Unparen(e).(type) {
	case *syntax.Literal:
		switch e.Token {
		case syntax.STRING:
			return &Type{Name: "string"}
		case syntax.BYTES:
			return &Type{Name: "bytes"}
		}
	case *syntax.ListExpr:
		t := &Type{Name: "list"}
		if len(e.List) > 0 {
			t.Item = r.typeOf(e.List[0])
		}
		return t
	case *syntax.Comprehension:
		if e.Curly {
			return &Type{Name: "dict"}
		}
		return &Type{Name: "list", Item: r.typeOf(e.Body)}
	case *syntax.DictExpr:
		return &Type{Name: "dict", Keys: r.entries(e)}
	case *syntax.CondExpr:
		return r.firstOf(e.True, e.False)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.OR, syntax.AND, syntax.PIPE, syntax.PERCENT, syntax.STAR:
			return r.firstOf(e.X, e.Y)
		}
	case *syntax.SliceExpr:
		return r.typeOf(e.X)
	case *syntax.IndexExpr:
		return r.indexed(e)
	case *syntax.Ident:
		return r.named(e)
	case *syntax.DotExpr:
		return r.typeOf(r.field(e))
	case *syntax.CallExpr:
		return r.called(e)
	}
	return nil
}

func (r *typer) firstOf(a, b syntax.Expr) *Type {
	if t := r.typeOf(a); t != nil {
		return t
	}
	return r.typeOf(b)
}

func (r *typer) entries(e *syntax.DictExpr) (keys []Field) {
	for _, x := range e.List {
		entry := x.(*syntax.DictEntry)
		if name, ok := script.StringOf(entry.Key); ok {
			keys = append(keys, Field{name, entry.Value, r})
		}
	}
	return keys
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
	if of.Name == "string" {
		return of
	}
	return of.Item
}

// key returns the type of a field, or nil.
func (t *Type) key(name string) *Type {
	for _, f := range t.Keys {
		if f.Name == name {
			return f.of.typeOf(f.value)
		}
	}
	return nil
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
	switch bound := &r.b.file.Bindings[n]; bound.Kind {
	case Loaded:
		if m, ok := strings.CutPrefix(bound.Module, "@ytt:"); ok {
			return &Type{Name: m, Module: true}
		}
		if other := r.other(bound.Module); other != nil {
			return other.exported(bound.From)
		}
	case Variable:
		for _, s := range r.b.sources[n] {
			t := r.typeOf(s.expr)
			if t != nil && s.element {
				t = t.Item
			}
			if t != nil {
				return t
			}
		}
	case Parameter:
		return r.typeOf(r.b.defaults()[n])
	case FunctionName:
	}
	return nil
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
	return &typer{b: b, left: r.left} // names that it loads are not followed
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

// field returns the value of a field of a struct, or nil.
func (r *typer) field(e *syntax.DotExpr) syntax.Expr {
	of := r.typeOf(e.X)
	if of == nil || of.Name != "struct" {
		return nil
	}
	for _, f := range of.Keys {
		if f.Name == e.Name.Name && f.of == r {
			return f.value
		}
	}
	return nil
}

// called returns the type of the result of a call.
func (r *typer) called(e *syntax.CallExpr) *Type {
	switch fn := script.Unparen(e.Fn).(type) {
	case *syntax.Ident:
		n := r.b.bindingOf(fn)
		if n == None {
			return r.builtin(e, "", fn.Name)
		}
		return r.result(n)
	case *syntax.DotExpr:
		of := r.typeOf(fn.X)
		switch {
		case of == nil:
			return r.builtin(e, OwnerOf(fn.Name.Name), fn.Name.Name)
		case of.Module:
			return r.moduleResult(e, of.Name, fn.Name.Name)
		case of.Name == "dict" && fn.Name.Name == "get" && len(e.Args) > 0:
			name, _ := script.StringOf(e.Args[0])
			return of.key(name)
		}
		return r.builtin(e, of.Name, fn.Name.Name)
	}
	return nil
}

// result returns the type that a function returns.
func (r *typer) result(fn ID) *Type {
	bound := &r.b.file.Bindings[fn]
	switch bound.Kind {
	case Loaded:
		if other := r.other(bound.Module); other != nil {
			if id := other.b.file.Export(bound.From); id != None {
				return other.result(id)
			}
		}
	case FunctionName:
		for def, number := range r.b.numbers {
			if number == bound.Function {
				return r.returned(def.Body)
			}
		}
	case Variable, Parameter:
	}
	return nil
}

// returned returns the type of the first return statement whose type is known.
func (r *typer) returned(body []syntax.Stmt) (t *Type) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt:
				return false
			case *syntax.ReturnStmt:
				if t == nil && n.Result != nil {
					t = r.typeOf(n.Result)
				}
			}
			return t == nil
		})
	}
	return t
}

// builtin returns the type of the result of a builtin or a method.
func (r *typer) builtin(e *syntax.CallExpr, of, name string) *Type {
	for _, b := range modules.Builtins() {
		if b.Of != of || b.Name != name || b.Returns == "" {
			continue
		}
		is, item, _ := strings.Cut(b.Returns, " ")
		t := &Type{Name: is}
		switch {
		case item != "":
			t.Item = &Type{Name: item}
		case of == "" && len(e.Args) > 0 && (is == "list" || is == "tuple" || is == "set"):
			if from := r.typeOf(e.Args[0]); from != nil {
				t.Item = from.Item
			}
		case is == "dict":
			t.Keys = r.keywords(e)
		}
		return t
	}
	return nil
}

// keywords returns the arguments with names.
func (r *typer) keywords(e *syntax.CallExpr) (keys []Field) {
	for _, a := range e.Args {
		if name, v := keyword(a); name != nil {
			keys = append(keys, Field{name.Name, v, r})
		}
	}
	return keys
}

// moduleResult returns the type of the result of a function of a module.
func (r *typer) moduleResult(e *syntax.CallExpr, module, name string) *Type {
	switch module + "." + name {
	case "struct.make", "struct.make_and_bind", "module.make":
		return &Type{Name: "struct", Keys: r.keywords(e)}
	case "struct.encode":
		if len(e.Args) > 0 {
			if t := r.typeOf(e.Args[0]); t != nil && t.Name == "dict" {
				return &Type{Name: "struct", Keys: t.Keys}
			}
		}
	case "struct.decode":
		t := &Type{Name: "dict"}
		if len(e.Args) > 0 {
			if of := r.typeOf(e.Args[0]); of != nil && of.Name == "struct" {
				t.Keys = of.Keys
			}
		}
		return t
	case "library.get":
		return &Type{Name: "library"}
	case "data.list":
		return &Type{Name: "list", Item: &Type{Name: "string"}}
	case "base64.encode", "base64.decode", "json.encode", "yaml.encode", "toml.encode", "data.read",
		"md5.sum", "sha256.sum", "regexp.replace", "url.path_segment_encode", "url.path_segment_decode",
		"url.query_param_value_encode", "url.query_param_value_decode", "url.query_params_encode":
		return &Type{Name: "string"}
	case "url.query_params_decode":
		return &Type{Name: "dict"}
	}
	return nil
}

// OwnerOf returns the type of values that alone have a method with a name, or "".
func OwnerOf(method string) (owner string) {
	for _, b := range modules.Builtins() {
		if b.Of != "" && b.Name == method && b.Of != "set" && b.Of != "bytes" {
			if owner != "" {
				return ""
			}
			owner = b.Of
		}
	}
	return owner
}
