package index

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/eval/modules"
	"weft/internal/lang/script"
)

// called returns the type of the result of a call.
func (r *typer) called(e *syntax.CallExpr) *Type {
	switch fn := script.Unparen(e.Fn).(type) {
	case *syntax.Ident:
		n := r.b.bindingOf(fn)
		if n == None {
			return r.builtin(e, fn.Name)
		}
		return r.result(n)
	case *syntax.DotExpr:
		of := r.typeOf(fn.X)
		switch {
		case of == nil || of.Name == "":
			if t := r.method(of, fn.Name.Name, e); t != nil {
				return t
			}
			return returns(OwnerOf(fn.Name.Name), fn.Name.Name)
		case of.Module:
			return r.moduleResult(e, of.Name, fn.Name.Name)
		case of.Name == "struct":
			if t := of.function(fn.Name.Name); t != nil {
				return t
			}
		}
		if t := r.method(of, fn.Name.Name, e); t != nil {
			return t
		}
		return returns(of.Name, fn.Name.Name)
	}
	return nil
}

// function returns the type of the result of a function that is a field, or nil.
func (t *Type) function(name string) *Type {
	for _, f := range t.Keys {
		if f.Name != name {
			continue
		}
		switch v := f.value.(type) {
		case *syntax.LambdaExpr:
			return f.of.typeOf(v.Body)
		case *syntax.Ident:
			if n := f.of.b.bindingOf(v); n != None {
				return f.of.result(n)
			}
		}
	}
	return nil
}

// fieldFunction returns the function of the same file that a field is, or nil.
func (t *Type) fieldFunction(name string) *Function {
	for _, f := range t.Keys {
		if f.Name == name && t.Name == "struct" {
			return f.Function()
		}
	}
	return nil
}

// Function returns the function of the same file that a field is, or nil.
func (f Field) Function() *Function {
	id, ok := f.value.(*syntax.Ident)
	if !ok {
		return nil
	}
	file := f.of.b.file
	if n := f.of.b.bindingOf(id); n != None && file.Bindings[n].Kind == FunctionName {
		return &file.Functions[file.Bindings[n].Function]
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
				if t := r.returned(def.Body); t != nil {
					return t
				}
				return r.b.fragment(def)
			}
		}
	case Variable, Parameter:
		for _, s := range r.b.sources[fn] {
			if l, ok := script.Unparen(s.expr).(*syntax.LambdaExpr); ok {
				return r.typeOf(l.Body)
			}
		}
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

// returns returns the type that the table of builtins says that a function returns, or nil.
func returns(of, name string) *Type {
	for _, b := range modules.Builtins() {
		if b.Of != of || b.Name != name || b.Returns == "" {
			continue
		}
		is, item, _ := strings.Cut(b.Returns, " ")
		t := &Type{Name: is}
		if item != "" {
			t.Item = &Type{Name: item}
		}
		return t
	}
	return nil
}

// builtin returns the type of the result of a function of Starlark.
func (r *typer) builtin(e *syntax.CallExpr, name string) *Type {
	t := returns("", name)
	if name == "dict" {
		t.Keys = r.keywords(e)
	}
	var first *Type
	if len(e.Args) > 0 {
		if first = r.typeOf(e.Args[0]); first == nil {
			return t
		}
	}
	switch {
	case first == nil:
	case name == "dict":
		for _, a := range e.Args {
			if name, v := keyword(a); name == nil { // another dict, or **more
				if more := r.typeOf(v); more != nil {
					t = t.with(more)
				}
			}
		}
	case name == "enumerate":
		t.Item = &Type{Name: "tuple", parts: []*Type{{Name: "int"}, first.item()}}
	case name == "zip":
		t.Item = &Type{Name: "tuple"}
		for _, a := range e.Args {
			var item *Type
			if of := r.typeOf(a); of != nil {
				item = of.item()
			}
			t.Item.parts = append(t.Item.parts, item)
		}
	case name == "max" || name == "min":
		return first.item()
	case slices.Contains([]string{"sorted", "list", "reversed", "tuple", "set"}, name):
		t.Item = first.item()
	}
	return t
}

// method returns the type of the result of a method whose result depends on its value, or nil.
func (r *typer) method(of *Type, name string, e *syntax.CallExpr) *Type {
	if of == nil || of.Name != "" && of.Name != "dict" && of.Name != "list" {
		return nil
	}
	switch name {
	case "get", "pop", "setdefault":
		if of.Name == "list" {
			return of.Item
		}
		if key, ok := firstString(e); ok {
			return of.key(key)
		}
		return of.item()
	case "values":
		return &Type{Name: "list", Item: of.item()}
	case "items":
		pair := &Type{Name: "tuple", parts: []*Type{{Name: "string"}, of.item()}}
		return &Type{Name: "list", Item: pair}
	}
	return nil
}

// keywords returns the arguments with names.
func (r *typer) keywords(e *syntax.CallExpr) (keys []Field) {
	for _, a := range e.Args {
		if name, v := keyword(a); name != nil {
			keys = append(keys, Field{Name: name.Name, value: v, of: r, at: name.NamePos})
		}
	}
	return keys
}

// moduleResult returns the type of the result of a function of a module.
func (r *typer) moduleResult(e *syntax.CallExpr, module, name string) *Type {
	var first *Type
	if len(e.Args) > 0 {
		first = r.typeOf(e.Args[0])
	}
	switch module + "." + name {
	case "struct.make", "struct.make_and_bind", "module.make":
		return &Type{Name: "struct", Keys: r.keywords(e)}
	case "struct.encode":
		return first.as("struct")
	case "struct.decode":
		if first == nil {
			return &Type{Name: "dict"}
		}
		return first.as("dict")
	case "assert.try_to":
		return &Type{Name: "tuple", parts: []*Type{r.callee(e), {Name: "string"}}}
	case "ip.parse_cidr":
		return &Type{Name: "tuple", parts: []*Type{{Name: "ip.addr"}, {Name: "ip.net"}}}
	}
	return moduleType(module + "." + name)
}

// callee returns the type of the result of a function that is the first argument, or nil.
func (r *typer) callee(e *syntax.CallExpr) *Type {
	if len(e.Args) == 0 {
		return nil
	}
	switch fn := script.Unparen(e.Args[0]).(type) {
	case *syntax.LambdaExpr:
		return r.typeOf(fn.Body)
	case *syntax.Ident:
		if n := r.b.bindingOf(fn); n != None {
			return r.result(n)
		}
	}
	return nil
}

// as returns a dict or a struct as the other one, at every level, or nil for other types.
func (t *Type) as(name string) *Type {
	switch {
	case t == nil:
		return nil
	case t.Name == "" || t.Name == "dict" || t.Name == "struct" || t.Name == fragmentName:
		other := *t
		other.Name = name
		return &other
	case t.Name == "list":
		return &Type{Name: "list", Item: t.Item.as(name)}
	}
	return t
}

// moduleType returns the type that a function of a module always returns, or nil.
func moduleType(name string) *Type {
	switch name {
	case "library.get":
		return &Type{Name: "library"}
	case "data.list":
		return &Type{Name: "list", Item: &Type{Name: "string"}}
	case "ip.parse_addr":
		return &Type{Name: "ip.addr"}
	case "url.parse":
		return &Type{Name: "url"}
	case "base64.encode", "base64.decode", "json.encode", "yaml.encode", "toml.encode", "data.read",
		"md5.sum", "sha256.sum", "regexp.replace", "url.path_segment_encode", "url.path_segment_decode",
		"url.query_param_value_encode", "url.query_param_value_decode", "url.query_params_encode":
		return &Type{Name: "string"}
	case "url.query_params_decode":
		return &Type{Name: "dict", Item: &Type{Name: "list", Item: &Type{Name: "string"}}}
	case "assert.max", "assert.max_len", "assert.min", "assert.min_len", "assert.not_null",
		"assert.one_not_null", "assert.one_of":
		return &Type{Name: "assertion"}
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
