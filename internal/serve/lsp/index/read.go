package index

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// ReadFile returns the index of a template, a script, or plain YAML.
func ReadFile(a *compile.Analysis) *File {
	b := newBuilder(a)
	b.readAll()
	return b.file
}

func newBuilder(a *compile.Analysis) *builder {
	return &builder{
		file: &File{Text: a.File, Broken: len(a.Errors) > 0}, a: a, function: -1,
		ids: map[*syntax.Ident]ID{}, known: map[syntax.Expr][]value{}, sources: map[ID][]assigned{},
		given: map[ID]value{}, returns: map[int][]value{}, marks: map[int64]compile.Mark{},
		nodes: map[yaml.NodeID]node{}, open: map[syntax.Expr]bool{}, means: map[ID][]value{},
		parts: map[ID][]part{}, grown: map[ID][]growth{},
	}
}

// readAll finds everything that is in the index of a file.
func (b *builder) readAll() {
	a := b.a
	for _, m := range a.Marks {
		b.marks[int64(m.At.Offset())] = m
	}
	if a.Tree != nil {
		b.documents()
	}
	if a.Code != nil {
		b.bind()
		b.collect()
		b.stmts(a.Code.Stmts)
		for i := range b.file.Bindings {
			if b.file.Bindings[i].Kind == Variable {
				b.file.Bindings[i].values = b.valuesOf(ID(i))
			}
		}
		for id, e := range b.defaults() {
			if id != None {
				b.file.Bindings[id].values = b.eval(e)
			}
		}
		for i, v := range b.returns {
			b.file.Functions[i].returns = v
		}
	}
	b.sort()
}

// builder builds a File.
type builder struct {
	file *File
	a    *compile.Analysis

	ids      map[*syntax.Ident]ID // by the first name of each binding
	known    map[syntax.Expr][]value
	open     map[syntax.Expr]bool // expressions that are being evaluated
	circles  int                  // how often one of them was needed
	means    map[ID][]value       // values of variables
	sources  map[ID][]assigned    // what variables are assigned
	parts    map[ID][]part        // what variables are assigned one item of
	grown    map[ID][]growth      // what is added to variables
	given    map[ID]value         // arguments of the functions of validations, by parameters
	returns  map[int][]value
	function int // the number of the function that is being read, or -1
	numbers  map[*syntax.DefStmt]int

	marks map[int64]compile.Mark // by their offsets
	nodes map[yaml.NodeID]node   // nodes of data values
}

// flow is a value that is passed to a function.
type flow struct {
	callee  ID
	index   int    // of the argument, if it has no name
	keyword string // its name
	values  []value
}

func isStandard(module string) bool {
	_, ok := standard(module)
	return ok
}

// standard returns the name of a module of the standard library.
func standard(module string) (string, bool) { return strings.CutPrefix(module, "@ytt:") }

// rangeOf returns the place of a name in code. It returns false for names of the compiler.
func (b *builder) rangeOf(pos syntax.Position, name string) (Range, bool) {
	if pos.Line < 1 || name == "" {
		return Range{}, false
	}
	off := script.Span(b.file.Text, pos).Offset()
	end := off + len(name)
	if data := b.file.Text.Data(); end > len(data) || string(data[off:end]) != name {
		return Range{}, false
	}
	return Range{off, end}, true
}

// inQuotes returns the range between the quotes of a string. It returns false if the string has
// escapes.
func (b *builder) inQuotes(lit *syntax.Literal) (Range, bool) {
	s, ok := script.StringOf(lit)
	if !ok || len(lit.Raw) < 2 || lit.Raw[1:len(lit.Raw)-1] != s {
		return Range{}, false
	}
	off := script.Span(b.file.Text, lit.TokenPos).Offset()
	r := Range{off + 1, off + 1 + len(s)}
	if data := b.file.Text.Data(); r.End > len(data) || string(data[r.Start:r.End]) != s {
		return Range{}, false
	}
	return r, true
}

// bindingOf returns the binding of a name, or None.
func (b *builder) bindingOf(id *syntax.Ident) ID {
	bound, ok := id.Binding.(*resolve.Binding)
	if !ok || bound.First == nil {
		return None
	}
	if n, ok := b.ids[bound.First]; ok {
		return n
	}
	return None
}

// bind finds all names that are bound, and all places where names are.
func (b *builder) bind() {
	b.numbers = map[*syntax.DefStmt]int{}
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			b.addFunction(n)
		case *syntax.LambdaExpr:
			for i, p := range script.Bound(n) {
				b.addBinding(p, Binding{Kind: Parameter, Function: -1, Index: i})
			}
		case *syntax.LoadStmt:
			for i, to := range n.To {
				b.addBinding(to, Binding{
					Kind: Loaded, Module: n.ModuleName(), From: n.From[i].Name, Function: -1,
				})
			}
		case *syntax.AssignStmt:
			if module, from := conditionalLoad(n); module != nil {
				for i, to := range script.Bound(n) {
					name, _ := script.StringOf(from[i])
					text, _ := script.StringOf(module)
					b.addBinding(to, Binding{Kind: Loaded, Module: text, From: name, Function: -1})
				}
				return true
			}
		}
		for _, id := range script.Bound(n) {
			b.addBinding(id, Binding{Kind: Variable, Function: -1})
		}
		return true
	})
	b.names()
}

// conditionalLoad returns the module and the names of a load under an if. In the analysis, such a
// load is an assignment.
func conditionalLoad(n *syntax.AssignStmt) (module syntax.Expr, names []syntax.Expr) {
	call, ok := n.RHS.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil, nil
	}
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || fn.Name != string(compile.OpLoad) || len(script.Bound(n)) != len(call.Args)-1 {
		return nil, nil
	}
	return call.Args[0], call.Args[1:]
}

func (b *builder) addFunction(def *syntax.DefStmt) {
	number := len(b.file.Functions)
	b.numbers[def] = number
	id := b.addBinding(def.Name, Binding{Kind: FunctionName, Function: number})
	start, end := def.Span()
	fn := Function{Binding: id, At: Range{
		script.Span(b.file.Text, start).Offset(), script.Span(b.file.Text, end).Offset(),
	}}
	fn.Signature, fn.Doc = signature(b.file.Text, def), docOf(b.file.Text, def)
	for i, p := range def.Params {
		for _, name := range script.Bound(&syntax.LambdaExpr{Params: []syntax.Expr{p}}) {
			fn.Params = append(fn.Params,
				b.addBinding(name, Binding{Kind: Parameter, Function: number, Index: i}))
		}
	}
	b.file.Functions = append(b.file.Functions, fn)
}

// addBinding records a name that is bound, unless it is a name of the compiler.
func (b *builder) addBinding(id *syntax.Ident, as Binding) ID {
	bound, ok := id.Binding.(*resolve.Binding)
	if !ok || bound.First == nil || strings.HasPrefix(id.Name, "·") {
		return None
	}
	if n, ok := b.ids[bound.First]; ok {
		return n // it is assigned again
	}
	at, ok := b.rangeOf(id.NamePos, id.Name)
	if !ok {
		return None
	}
	as.Name, as.At, as.Global = id.Name, at, bound.Scope == resolve.Global
	n := ID(len(b.file.Bindings))
	b.ids[bound.First] = n
	b.file.Bindings = append(b.file.Bindings, as)
	return n
}

// names finds the places where names are.
func (b *builder) names() {
	bound := map[*syntax.Ident]bool{}
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		for _, id := range script.Bound(n) {
			bound[id] = true
		}
		switch n := n.(type) {
		case *syntax.DefStmt:
			bound[n.Name] = true
		case *syntax.LoadStmt:
			for i, to := range n.To {
				b.addName(to, true)
				b.addModuleName(n.From[i].NamePos, n.From[i].Name, b.bindingOf(to))
			}
			return false
		case *syntax.AssignStmt:
			if module, from := conditionalLoad(n); module != nil {
				for i, to := range script.Bound(n) {
					lit := from[i].(*syntax.Literal)
					name, _ := script.StringOf(lit)
					b.addModuleName(lit.TokenPos, name, b.bindingOf(to))
				}
			}
		case *syntax.Ident:
			b.addName(n, bound[n])
		}
		return true
	})
}

func (b *builder) addName(id *syntax.Ident, bound bool) {
	n := b.bindingOf(id)
	if n == None {
		return
	}
	if at, ok := b.rangeOf(id.NamePos, id.Name); ok {
		b.file.Names = append(b.file.Names, Name{At: at, Binding: n, Bound: bound})
	}
}

// addModuleName records the name that a loaded binding has in its module.
func (b *builder) addModuleName(pos syntax.Position, name string, as ID) {
	if at, ok := b.rangeOf(pos, name); ok && as != None {
		b.file.Names = append(b.file.Names, Name{At: at, Binding: as, Module: true})
	}
}

// collect finds assignments of variables, and arguments of the functions of validations, before
// expressions are read.
func (b *builder) collect() {
	syntax.Walk(b.a.Code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			b.assign(n.LHS, n.RHS, false)
			b.grow(n)
		case *syntax.ForStmt:
			b.assign(n.Vars, n.X, true)
		case *syntax.ForClause:
			b.assign(n.Vars, n.X, true)
		case *syntax.CallExpr:
			b.rule(n)
			b.keyFunction(n)
			b.growBy(n)
		}
		return true
	})
}

// keyFunction records that the function by which items are sorted gets each of them, as in
// sorted(items, key=lambda x: x.name).
func (b *builder) keyFunction(e *syntax.CallExpr) {
	fn, ok := e.Fn.(*syntax.Ident)
	if !ok || b.bindingOf(fn) != None || fn.Name != "sorted" && fn.Name != "min" && fn.Name != "max" {
		return
	}
	for _, a := range e.Args {
		name, v := keyword(a)
		l, ok := v.(*syntax.LambdaExpr)
		if ok && name != nil && name.Name == "key" && len(l.Params) == 1 {
			b.assign(l.Params[0], e.Args[0], true)
		}
	}
}

func (b *builder) stmts(list []syntax.Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

func (b *builder) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		b.visit(s.X)
	case *syntax.AssignStmt:
		b.assignment(s)
	case *syntax.DefStmt:
		b.def(s)
	case *syntax.ForStmt:
		b.visit(s.X)
		b.stmts(s.Body)
	case *syntax.WhileStmt:
		b.visit(s.Cond)
		b.stmts(s.Body)
	case *syntax.IfStmt:
		b.visit(s.Cond)
		b.stmts(s.True)
		b.stmts(s.False)
	case *syntax.ReturnStmt:
		if s.Result == nil {
			return
		}
		b.visit(s.Result)
		if b.function >= 0 {
			b.returns[b.function] = union(b.returns[b.function], b.eval(s.Result))
		}
	case *syntax.LoadStmt:
		b.addPath(s.Module, Module)
	}
}

func (b *builder) def(s *syntax.DefStmt) {
	for _, p := range s.Params {
		if d, ok := p.(*syntax.BinaryExpr); ok {
			b.use(d.Y)
		}
	}
	around := b.function
	b.function = b.numbers[s]
	b.stmts(s.Body)
	b.function = around
}

func (b *builder) assignment(s *syntax.AssignStmt) {
	if module, _ := conditionalLoad(s); module != nil {
		b.addPath(module, Module)
		return
	}
	b.visit(s.RHS)
	switch target := script.Unparen(s.LHS).(type) {
	case *syntax.Ident: // its values are known from now on
	case *syntax.TupleExpr, *syntax.ListExpr:
		if _, ok := script.Unparen(s.RHS).(*syntax.TupleExpr); !ok {
			b.escape(s.RHS)
		}
	default:
		b.visit(target)
		b.escape(s.RHS)
	}
}

// use reads an expression whose value is used as a whole.
func (b *builder) use(e syntax.Expr) {
	b.visit(e)
	b.escape(e)
}

// escape records that a value is used as a whole.
func (b *builder) escape(e syntax.Expr) {
	start, end := script.Extent(e)
	at := Range{
		script.Span(b.file.Text, start).Offset(), script.Span(b.file.Text, end).Offset(),
	}
	if of := dataOf(b.eval(e)); len(of) > 0 {
		b.file.Reads = append(b.file.Reads, Read{At: at, of: of, Whole: true})
	}
}

// read records that a key of values is read.
func (b *builder) read(at Range, form Form, values []value) {
	of := slices.DeleteFunc(dataOf(values), func(v value) bool { return len(v.steps) == 0 })
	if len(of) > 0 {
		b.file.Reads = append(b.file.Reads, Read{At: at, Form: form, of: of})
	}
}

// readDynamic records that a key is read that is known only at run time.
func (b *builder) readDynamic(e syntax.Expr, of []value) {
	start, end := script.Extent(e)
	at := Range{
		script.Span(b.file.Text, start).Offset(), script.Span(b.file.Text, end).Offset(),
	}
	if of = steps(of, Any); len(of) > 0 {
		b.file.Reads = append(b.file.Reads, Read{At: at, of: of, Dynamic: true})
	}
}

// visit reads an expression whose value is not used as a whole.
func (b *builder) visit(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		b.visit(e.X)
	case *syntax.DotExpr:
		b.visit(e.X)
		if at, ok := b.rangeOf(e.Name.NamePos, e.Name.Name); ok {
			b.read(at, Identifier, b.eval(e))
		}
	case *syntax.IndexExpr:
		b.index(e)
	case *syntax.SliceExpr:
		b.visitAll(e.X, e.Lo, e.Hi, e.Step)
	case *syntax.CondExpr:
		b.visitAll(e.Cond, e.True, e.False)
	case *syntax.BinaryExpr:
		b.binary(e)
	case *syntax.UnaryExpr:
		if e.X != nil {
			b.visit(e.X)
		}
	case *syntax.ListExpr:
		b.useAll(e.List)
	case *syntax.TupleExpr:
		b.useAll(e.List)
	case *syntax.DictExpr:
		for _, entry := range e.List {
			entry := entry.(*syntax.DictEntry)
			b.use(entry.Key)
			b.use(entry.Value)
		}
	case *syntax.Comprehension:
		b.comprehension(e)
	case *syntax.LambdaExpr:
		b.use(e.Body)
	case *syntax.CallExpr:
		b.call(e)
	}
}

func (b *builder) visitAll(list ...syntax.Expr) {
	for _, e := range list {
		if e != nil {
			b.visit(e)
		}
	}
}

func (b *builder) useAll(list []syntax.Expr) {
	for _, e := range list {
		b.use(e)
	}
}

func (b *builder) comprehension(e *syntax.Comprehension) {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			b.visit(c.X)
		case *syntax.IfClause:
			b.visit(c.Cond)
		}
	}
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		b.use(entry.Key)
		b.use(entry.Value)
		return
	}
	b.use(e.Body)
}

func (b *builder) index(e *syntax.IndexExpr) {
	b.visit(e.X)
	b.visit(e.Y)
	if lit, ok := e.Y.(*syntax.Literal); ok {
		if at, ok := b.inQuotes(lit); ok {
			b.read(at, String, b.eval(e))
		} else if lit.Token == syntax.STRING {
			b.readDynamic(e, b.eval(e.X)) // the string has escapes
		}
		return
	}
	b.readDynamic(e, b.eval(e.X))
}

func (b *builder) binary(e *syntax.BinaryExpr) {
	b.visit(e.X)
	b.visit(e.Y)
	switch e.Op {
	case syntax.IN, syntax.NOT_IN:
		if lit, ok := e.X.(*syntax.Literal); ok {
			if at, ok := b.inQuotes(lit); ok {
				b.read(at, String, steps(b.eval(e.Y), lit.Value.(string)))
			}
			return
		}
		b.readDynamic(e.Y, b.eval(e.Y))
	case syntax.OR, syntax.AND, syntax.PLUS: // the result may be one of the operands
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
	default:
		b.escape(e.X)
		b.escape(e.Y)
	}
}

func (b *builder) call(e *syntax.CallExpr) {
	switch fn := script.Unparen(e.Fn).(type) {
	case *syntax.Ident:
		if id := b.bindingOf(fn); id != None {
			b.callNamed(e, fn, id)
			return
		}
		b.callBuiltin(e, fn.Name)
	case *syntax.DotExpr:
		b.callMember(e, fn)
	default:
		b.visit(fn)
		b.arguments(e)
	}
}

// arguments reads the arguments of an unknown function.
func (b *builder) arguments(e *syntax.CallExpr) {
	for _, a := range e.Args {
		_, v := keyword(a)
		b.use(v)
	}
}

// keyword returns the name and the value of an argument. The name may be nil.
func keyword(arg syntax.Expr) (name *syntax.Ident, v syntax.Expr) {
	if kw, ok := arg.(*syntax.BinaryExpr); ok && kw.Op == syntax.EQ {
		if id, ok := kw.X.(*syntax.Ident); ok {
			return id, kw.Y
		}
	}
	if star, ok := arg.(*syntax.UnaryExpr); ok && star.X != nil &&
		(star.Op == syntax.STAR || star.Op == syntax.STARSTAR) {
		return nil, star.X
	}
	return nil, arg
}

// callNamed reads a call of a function that the file defines or loads.
func (b *builder) callNamed(e *syntax.CallExpr, fn *syntax.Ident, id ID) {
	kind := b.file.Bindings[id].Kind
	if kind != FunctionName && kind != Loaded {
		b.arguments(e)
		return
	}
	call := Call{Callee: id, Caller: b.function}
	for i, a := range e.Args {
		name, v := keyword(a)
		b.visit(v)
		f := flow{callee: id, index: i, values: b.eval(v)}
		if star, ok := a.(*syntax.UnaryExpr); ok && star.Op == syntax.STARSTAR {
			call.Spread = true
		}
		if name != nil {
			f.keyword = name.Name
			if at, ok := b.rangeOf(name.NamePos, name.Name); ok {
				call.Keywords = append(call.Keywords, Keyword{at, name.Name})
			}
		} else if v != a { // *args
			b.escape(v)
			continue
		}
		if len(f.values) > 0 {
			b.file.flows = append(b.file.flows, f)
		}
	}
	if at, ok := b.rangeOf(fn.NamePos, fn.Name); ok {
		call.At = at
		b.file.Calls = append(b.file.Calls, call)
	}
}

// callBuiltin reads a call of a function of Starlark or of the compiler.
func (b *builder) callBuiltin(e *syntax.CallExpr, name string) {
	switch name {
	case "getattr", "hasattr":
		if len(e.Args) < 2 {
			break
		}
		b.visitAll(e.Args...)
		if lit, ok := e.Args[1].(*syntax.Literal); ok {
			if at, ok := b.inQuotes(lit); ok {
				b.read(at, String, steps(b.eval(e.Args[0]), lit.Value.(string)))
				return
			}
		}
		b.readDynamic(e, b.eval(e.Args[0]))
		return
	case "len", "bool", "type", "list", "tuple", "sorted", "reversed", "enumerate", "zip", "dict",
		string(compile.OpNote):
		for _, a := range e.Args {
			_, v := keyword(a)
			b.visit(v)
		}
		return
	}
	b.arguments(e)
}

// callMember reads a call of a function of a module, or of a method.
func (b *builder) callMember(e *syntax.CallExpr, fn *syntax.DotExpr) {
	b.visit(fn.X)
	of := b.eval(fn.X)
	if b.isModule(fn.X, "@ytt:struct") {
		for _, a := range e.Args {
			_, v := keyword(a)
			b.visit(v)
		}
		return
	}
	data := false
	for _, v := range of {
		switch v.root {
		case dataModule:
			b.dataCall(e, fn.Name.Name)
		case libraryModule:
			if fn.Name.Name == "get" && len(e.Args) > 0 {
				b.addPath(e.Args[0], Library)
			}
		case libraryOf:
			if isWith(fn.Name.Name) && len(e.Args) > 0 {
				b.libraryKeys(e.Args[0], v.lib, fn.Name.Name == "with_data_values_schema")
			}
		default:
			data = true
		}
	}
	if data {
		b.dataMethod(e, fn, of)
	}
	b.arguments(e)
}

// dataCall reads a call of data.read or data.list.
func (b *builder) dataCall(e *syntax.CallExpr, name string) {
	if len(e.Args) == 0 {
		return
	}
	switch name {
	case "read":
		b.addPath(e.Args[0], Data)
	case "list":
		b.addPath(e.Args[0], Folder)
	}
}

// dataMethod reads a call of a method of data values, which are dicts or lists.
func (b *builder) dataMethod(e *syntax.CallExpr, fn *syntax.DotExpr, of []value) {
	switch fn.Name.Name {
	case "get":
		if len(e.Args) == 0 {
			return
		}
		if lit, ok := e.Args[0].(*syntax.Literal); ok {
			if at, ok := b.inQuotes(lit); ok {
				b.read(at, String, steps(of, lit.Value.(string)))
			}
			return
		}
		b.readDynamic(e, of)
	case "items", "keys", "values":
		b.escape(fn.X)
	}
}

// addPath records a string that names a file, a folder or a library.
func (b *builder) addPath(e syntax.Expr, kind PathKind) {
	lit, ok := e.(*syntax.Literal)
	if !ok {
		return
	}
	if at, ok := b.inQuotes(lit); ok {
		b.file.Paths = append(b.file.Paths, Path{
			At: at, Form: String, Kind: kind, Text: lit.Value.(string),
		})
	}
}

// sort sorts everything by its place, and removes duplicates.
func (b *builder) sort() {
	f := b.file
	slices.SortStableFunc(f.Names, func(x, y Name) int { return x.At.Start - y.At.Start })
	slices.SortStableFunc(f.Reads, func(x, y Read) int { return x.At.Start - y.At.Start })
	slices.SortStableFunc(f.Keys, func(x, y Key) int { return x.At.Start - y.At.Start })
	f.Keys = slices.CompactFunc(f.Keys, func(x, y Key) bool {
		return x.At == y.At && x.Library == y.Library && slices.Equal(x.Path, y.Path)
	})
	slices.SortStableFunc(f.Paths, func(x, y Path) int { return x.At.Start - y.At.Start })
}
