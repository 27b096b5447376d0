// Package compile turns a file into a Unit: classified, with its annotations attached and its code as a
// Starlark program. A Unit never changes, so a file is read and compiled once however often it is
// evaluated. Compiling takes linear time and evaluates nothing.
//
// A template becomes one program. It contains the author's code, unchanged and at its true place, and
// between the pieces of code calls of a few builtins (see Op) that create the nodes. A part without
// code is created by one step (see Step), however large it is, and refers to the syntax tree.
package compile

import (
	"bytes"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/engine/cover"
	"weft/internal/engine/trace"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/text"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this package's diagnostics.
const (
	CodeComment diag.Code = "template/unknown-comment" // a comment that is neither #@ nor #!
	// a node with a value in YAML and one in code
	CodeTwoValues  diag.Code = "template/two-values"
	CodeNodeBlock  diag.Code = "template/node-block" // code after `if/end` and its like
	CodeAnnotation diag.Code = "template/annotation" // an annotation that cannot be read

	// a warning: an annotation that means nothing
	CodeUnknown diag.Code = "template/unknown-annotation"
	// a warning: a plain comment that is an annotation but for a blank
	CodeAlmost  diag.Code = "template/almost-annotation"
	codeOverlay diag.Code = "overlay/unknown"   // the same in the group of overlays
	codeSchema  diag.Code = "schema/annotation" // and in that of schemas
	// a warning: a keyword that an annotation does not take
	CodeKeyword diag.Code = "template/unknown-keyword"
	// a warning: code that is read as an annotation
	CodeSpace diag.Code = "template/missing-space"
	// a warning: the template of another program that is YAML by chance
	CodeForeign diag.Code = "template/foreign"
	// a warning: `or` or `and` between matchers of overlays
	CodeMatchers diag.Code = "template/matcher-or"
	// a warning: `or` between strings, one of which is always taken
	CodeConstant diag.Code = "template/constant-or"
	// a warning: code in a string, where it is text
	CodeQuoted diag.Code = "template/code-in-string"
)

// Kind tells what a unit is.
type Kind uint8

// The kinds of unit.
const (
	PlainYAML Kind = iota // YAML whose comments mean nothing
	YAML                  // a YAML template
	Text                  // a text template
	PlainText             // text that is taken as it is
	Starlark              // a module
)

// Options of compilation. The zero value is ytt's behaviour.
type Options struct {
	YAML                  yaml.Options
	Strict                bool // refuse ambiguous plain scalars
	IgnoreUnknownComments bool
	KnownAnnotations      bool // refuse annotations and keywords that mean nothing
	Trace                 bool // programs tell where their values come from: see trace.Instrument
	Literals              bool // units tell which nodes are data values: see Unit.Copies
	Cover                 bool // units have points, and programs tell which they reach
}

// MindsMeanings reports whether scalars are printed as they are written, or read as YAML 1.2, so that
// it matters who reads them.
func (opt *Options) MindsMeanings() bool { return opt.Literals || opt.YAML.Schema == yaml.Core }

// Unit is one compiled file.
type Unit struct {
	File *source.File
	Kind Kind
	Tree *yaml.Tree // of YAML
	// of YAML: large plain files have their documents in several trees, all others in one
	Trees    []*yaml.Tree
	Program  *starlark.Program // nil if nothing is to be run
	Builtins []string          // what its program uses of what is predeclared
	Loads    []Load            // the load statements, in order
	Tests    []Test            // the data values that code tests, as far as one can see
	// Copies has the paths of the data values that nodes are, as far as one can see, by the numbers
	// of the nodes. It is nil unless Options.Literals asks for it.
	Copies  map[int][]string
	Role    Role
	Overlay bool // it has annotations of overlays

	Warnings diag.List    // what is allowed but probably a mistake
	Changed  yaml.Changed // scalars that YAML 1.1 changes

	Stretches []Stretch      // constant nodes
	Nodes     []Node         // what OpSet, OpNote and OpKey are about, and nodes that hold others
	Steps     []Step         // what OpMake makes, and OpSet before its own node
	Literals  []string       // what OpText adds
	Forms     []Form         // what OpJoin fills in
	Drops     []Drop         // what OpDrop is about
	Traced    *Traced        // if it was compiled for a traced run
	Cover     *cover.Program // if it was compiled for coverage

	values []extent // of the code that computes values, in order
}

// extent is a part of a file.
type extent struct{ start, end int32 }

// InValue reports whether the code at an offset computes the value of a node, as opposed to code
// that is before nodes.
func (u *Unit) InValue(off int) bool {
	i, _ := slices.BinarySearchFunc(
		u.values,
		off,
		func(x extent, off int) int { return int(x.end) - off },
	)
	return i < len(u.values) && int(u.values[i].start) <= off
}

// Role tells what the documents of a unit are for.
type Role uint8

// The roles. A file has one: schema and values live in separate files.
const (
	ForOutput Role = iota
	ForValues
	ForSchema
)

// The annotations of documents that are not for output.
const (
	ValuesAnnotation = "data/values"
	SchemaAnnotation = "data/values-schema"
)

// Test is a data value that code tests as if it were a boolean.
type Test struct {
	Path     []string
	At       source.Span
	Compared bool // with True or False; if not, it is a condition
}

// Load is a load statement.
type Load struct {
	Module string
	At     source.Span
	Long   []string // names that are too long to look for the right one (script.IsLong)
}

// Step makes nodes that need no code: those of a stretch, or one that holds what follows. Steps
// that follow each other are taken at once, so that a program has a call for each node that is
// computed, and few others.
type Step struct {
	ID      int32 // of Stretches, or of Nodes
	Stretch bool
	Last    bool // no step follows it
}

// At returns where the node of a step is.
func (u *Unit) At(s Step) source.Pos {
	if s.Stretch {
		return u.Stretches[s.ID].Pos
	}
	return u.Nodes[s.ID].Pos
}

// Form is a text with places for values.
type Form struct {
	Fields []Field
	Behind string // the text after the last of them
}

// Field is the place of a value.
type Field struct {
	Before string // the text before it
	Pos    source.Pos
}

// Stretch is neighboring siblings with nothing dynamic in them: documents, map items or array
// items.
type Stretch struct {
	Node
	Items  []tree.Item
	Unique bool // no two of them have the same key
	Merge  bool // they stand elsewhere: the node is a merge key
}

// Node is one document, map item or array item of a template.
type Node struct {
	Kind       tree.NodeKind
	Start, End yaml.NodeID // its extent in the tree: a node inside it has an id between them
	Key        tree.Value
	Pos        source.Pos
	Array      bool              // a node that holds others: it holds an array, not a map
	Inner      source.Pos        // likewise: where the collection begins
	Notes      *tree.Annotations // its annotations, if they are always the same
	// OpSet: the number of the first step to take before it, counted from 1; 0 if there is none
	Before int32
}

// Op is the name of a builtin that compiled programs call. No author can write such a name.
type Op string

// The builtins.
const (
	OpMake   Op = "·make"   // (step): add nodes that need no code
	OpSet    Op = "·set"    // (node, value): add a node with a computed value
	OpSetKey Op = "·setkey" // (node, key, value): the same for a node with a computed key
	// (node, name, offset, args...): an annotation for the node that follows
	OpNote  Op = "·note"
	OpKey   Op = "·key"   // (node, text): the key of the node that follows
	OpText  Op = "·text"  // (literal): add literal text
	OpPrint Op = "·print" // (value): add the text of a value
	OpBegin Op = "·begin" // (): begin the text of a string that is a template
	OpEnd   Op = "·end"   // (): end it, and give it
	// (form, values...): the text of a string that is a template with nothing but values in it
	OpJoin Op = "·join"

	OpEnter  Op = "·enter"  // (): a function that makes nodes begins
	OpReturn Op = "·return" // (value): it returns a value
	OpLeave  Op = "·leave"  // (): it returns the nodes that it made
	OpSpeak  Op = "·speak"  // (): it returns the text that it made

	OpDrop Op = "·drop" // (drop, value): a value that no one takes

	OpLoad    Op = "·load"    // script.Helpers.Load
	OpPercent Op = "·percent" // script.Helpers.Percent
	OpFormat  Op = "·format"  // script.Helpers.Format
	OpValues  Op = "·values"  // script.Helpers.Values
	OpPlus    Op = "·plus"    // script.Helpers.Plus
	OpTimes   Op = "·times"   // script.Helpers.Times
	OpAdding  Op = "·adding"  // script.Helpers.Adding
	OpSpread  Op = "·spread"  // script.Helpers.Spread
	OpBound   Op = "·bound"   // script.Helpers.Bound
	OpTuple   Op = "·tuple"   // script.Helpers.Tuple
	OpHeld    Op = "·held"    // script.Helpers.Held

	OpOperator Op = "·operator " // with an operator: one of script.Helpers.Operators
	OpOperand  Op = "·operand "  // with an operator: one of script.Helpers.Operands

	OpMethod Op = "·method " // with a name of Methods: one of script.Helpers.Methods

	OpCond Op = "·cond" // (counter, value): note whether the value is true, and give it
	OpLoop Op = "·loop" // (counter, value): note whether the value has items, and give it
	OpHit  Op = "·hit"  // (counter[, value]): note that this is reached, and give the value

	OpTrack Op = trace.Prefix // with a name: one of the builtins of trace, in a traced run
)

// Methods are the methods of Starlark's own values that take many steps or much memory at once:
// programs call them by way of a builtin that knows the limits.
var Methods = []string{
	"difference", "extend", "index", "intersection", "issubset", "issuperset", "items", "join",
	"popitem", "remove", "replace", "rsplit", "split", "splitlines", "symmetric_difference",
	"union", "update",
}

// The operators that may take many steps at once, besides those that have a builtin of their own,
// and the assignments with which their results may be made.
var (
	Comparisons = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE}
	Memberships = []syntax.Token{syntax.IN, syntax.NOT_IN}
	Arithmetics = []syntax.Token{
		syntax.MINUS, syntax.SLASHSLASH, syntax.LTLT, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX,
	}
	assignments = []syntax.Token{
		syntax.MINUS_EQ, syntax.SLASHSLASH_EQ, syntax.LTLT_EQ, syntax.AMP_EQ, syntax.PIPE_EQ,
		syntax.CIRCUMFLEX_EQ,
	}
)

// helpers is what code is rewritten to call.
var helpers = script.Helpers{
	Load: string(OpLoad), Values: string(OpValues), DataModule: DataModule,
	Percent: string(OpPercent), Format: string(OpFormat),
	Plus: string(OpPlus), Times: string(OpTimes), Adding: string(OpAdding),
	Spread: string(OpSpread), Bound: string(OpBound), Methods: methodHelpers(),
	Tuple: string(OpTuple), Held: string(OpHeld),
	Operators: operatorHelpers(), Operands: operandHelpers(),
	Sinks: map[string]bool{
		string(OpSet):    true,
		string(OpSetKey): true,
		string(OpKey):    true,
		string(OpPrint):  true,
		string(OpJoin):   true,
	},
}

func methodHelpers() map[string]string {
	helpers := make(map[string]string, len(Methods))
	for _, name := range Methods {
		helpers[name] = string(OpMethod) + name
	}
	return helpers
}

func operatorHelpers() map[syntax.Token]string {
	helpers := map[syntax.Token]string{}
	for _, op := range slices.Concat(Comparisons, Memberships, Arithmetics) {
		helpers[op] = string(OpOperator) + op.String()
	}
	return helpers
}

func operandHelpers() map[syntax.Token]string {
	helpers := map[syntax.Token]string{}
	for i, op := range Arithmetics {
		helpers[assignments[i]] = string(OpOperand) + op.String()
	}
	return helpers
}

// DataModule is the module whose values are each file's own.
const DataModule = "@ytt:data"

// predeclared are the names that programs may use besides Starlark's own: the builtins above, and
// those of Starlark's functions that the dialect changes.
func predeclared(name string) bool {
	switch name {
	case "str", "repr", "print", "fail",
		"all", "any", "bytes", "dict", "enumerate", "getattr", "int", "list", "max", "min",
		"reversed", "set", "sorted", "tuple", "zip":
		return true
	}
	return len(name) > 2 && name[:2] == "·"[:2]
}

// withoutCode returns what is known of a unit whose code is wrong: what its documents are for.
func (u *Unit) withoutCode() *Unit { return &Unit{File: u.File, Kind: u.Kind, Role: u.Role} }

// Declares reports whether a file may hold data values or their schema. Those that do not need not
// be compiled to find out.
func Declares(f *source.File) bool {
	return bytes.Contains(f.Data(), []byte("#@"+ValuesAnnotation))
}

// Template compiles a YAML file with annotations; without any it is plain. The error is a diag.List
// of all that is wrong with the file. If the YAML can be read but its code is wrong, there is an
// error and a unit that tells the file's role.
func Template(f *source.File, opt Options) (*Unit, error) {
	u, err := template(f, opt)
	if err != nil {
		err = errorsOf(f, YAML, opt, err)
	}
	return u, err
}

// template compiles a template, up to the first error.
func template(f *source.File, opt Options) (*Unit, error) {
	comments, strings := codeMarks(f.Data())
	if !comments {
		u, braces, err := plain(f, opt)
		if err == nil && (braces || strings) && bytes.Contains(f.Data(), []byte("data.values")) {
			u.lintQuoted(nil, isData)
		}
		return u, err
	}
	t, err := yaml.Parse(f, opt.templateYAML())
	if err != nil {
		return nil, err
	}
	if list := opt.check(t); list != nil {
		return nil, list
	}
	u := &Unit{File: f, Trees: []*yaml.Tree{t}, Tree: t, Changed: t.Changed()}
	u.lintForeign()
	if !templated(t) {
		return u, nil
	}
	c := yamlCompiler{compiler: newCompiler(u, opt), opt: opt, tree: u.Tree}
	defer c.leave()
	c.readComments()
	c.findDuplicates()
	if len(c.metas) == 0 && len(c.dups) == 0 && len(c.errs) == 0 {
		return u, nil // there is nothing to run
	}
	u.Kind = YAML
	c.compile()
	if c.mayQuote() {
		u.lintQuoted(c.texts, boundNames(c.metas))
	}
	return c.finish()
}

// templateYAML returns how a template is read. Its keys may be twice: which of them are made,
// code decides, and whoever makes them refuses two that are the same.
func (opt *Options) templateYAML() yaml.Options {
	y := opt.YAML
	y.UniqueKeys = false
	return y
}

// check returns what is wrong with the values of t, which was read as a template and may be none.
func (opt *Options) check(t *yaml.Tree) diag.List {
	list := t.Check(opt.Strict)
	if opt.YAML.UniqueKeys && !templated(t) {
		list = append(list, t.Duplicates()...)
	}
	return list
}

// hintSeparator helps those who expect the code between a function and what follows it to separate
// the two: to YAML it is a comment.
func hintSeparator(f *source.File, list diag.List) diag.List {
	for _, d := range list {
		if d.Code != yaml.CodeKey || len(d.Related) == 0 {
			continue
		}
		before, at := d.Related[0].At.Offset(), d.At.Offset()
		if before < at && bytes.Contains(f.Data()[before:at], []byte("#@")) {
			d.WithHint("the code in between does not separate the two: put a `---` line " +
				"between them")
		}
	}
	return list
}

// Readable is what is wrong with the YAML of a template, whatever its code is. The error is a
// diag.List.
func Readable(f *source.File, opt Options) error {
	opt.YAML = opt.templateYAML()
	_, err := Plain(f, opt)
	return err
}

// Plain reads a YAML file whose comments mean nothing. The error is a diag.List.
func Plain(f *source.File, opt Options) (*Unit, error) {
	u, _, err := plain(f, opt)
	if err != nil {
		err = errorsOf(f, PlainYAML, opt, err)
	}
	return u, err
}

// plain is Plain up to the first error, and tells whether there is a `{{` in the file.
func plain(f *source.File, opt Options) (u *Unit, braces bool, err error) {
	trees, err := yaml.ParseParts(f, opt.YAML)
	if err != nil {
		return nil, false, err
	}
	lists := make([]diag.List, len(trees))
	opt.YAML.Workers.Each(len(trees), func(i int) { lists[i] = trees[i].Check(opt.Strict) })
	if list := slices.Concat(lists...); len(list) > 0 {
		return nil, false, list
	}
	u = &Unit{File: f, Trees: trees, Tree: trees[0]}
	for _, t := range trees {
		u.Changed.Add(t.Changed())
	}
	return u, u.lintForeign(), nil
}

// templated reports whether a comment of t is code or an annotation.
func templated(t *yaml.Tree) bool {
	for _, c := range t.Comments() {
		if bytes.HasPrefix(t.CommentText(c), []byte("@")) {
			return true
		}
	}
	return false
}

// TextTemplate compiles a text template. The error is a diag.List.
func TextTemplate(f *source.File, opt Options) (*Unit, error) {
	parts, err := text.File(f)
	if err != nil {
		return nil, errorsOf(f, Text, Options{}, err)
	}
	c := newCompiler(&Unit{File: f, Kind: Text}, opt)
	defer c.leave()
	c.text(wholeText(f), parts)
	u, err := c.finish()
	if err != nil {
		err = errorsOf(f, Text, Options{}, err)
	}
	return u, err
}

// wholeText returns a file that is all text.
func wholeText(f *source.File) textSource {
	piece := func(r text.Range) script.Fragment { return script.Piece(f, r.Start, r.End) }
	return textSource{body: f.Data(), fragment: piece}
}

// TextFile takes a text file as it is.
func TextFile(f *source.File) *Unit { return &Unit{File: f, Kind: PlainText} }

// Module compiles a Starlark file. The error is a diag.List.
func Module(f *source.File, opt Options) (*Unit, error) {
	file, err := script.Parse(f)
	if err != nil {
		return nil, errorsOf(f, Starlark, Options{}, err)
	}
	c := newCompiler(&Unit{File: f, Kind: Starlark}, opt)
	defer c.leave()
	u, err := c.program(file.Stmts)
	if err != nil {
		err = errorsOf(f, Starlark, Options{}, err)
	}
	return u, err
}

// compiler gathers the program of one unit.
type compiler struct {
	unit *Unit
	b    *script.Builder
	// the functions that make nodes or text, and what they return it with
	defs map[*syntax.DefStmt]Op
	errs diag.List

	work *workspace

	stmts []syntax.Stmt // the whole program, in the end
	// whether functions of the program give something, by name; made when it is asked for
	gives map[string]bool

	textAt []int                     // where the literals of a text template are, for coverage
	sites  int32                     // how many conditions and loops there are, for coverage
	elifs  map[syntax.Position]int32 // the conditions before those at these places, for coverage

	inText bool            // a text template is being compiled
	around *syntax.DefStmt // the function around it: one inside it makes text, this one does not
}

// newCompiler makes a compiler, which leaves its workspace in the end.
func newCompiler(u *Unit, opt Options) compiler {
	c := compiler{unit: u, b: script.NewBuilder(u.File), defs: map[*syntax.DefStmt]Op{}}
	if opt.Trace {
		u.Traced = &Traced{Code: map[int]source.Span{}}
	}
	if opt.Cover {
		u.Cover = &cover.Program{File: u.File}
	}
	if opt.Literals {
		u.Copies = map[int][]string{}
	}
	c.enter()
	return c
}

func (c *compiler) fail(d *diag.Diagnostic) { c.errs = append(c.errs, d) }

// finish ends the program and resolves it. If there is an error, the unit has only its role.
func (c *compiler) finish() (*Unit, error) {
	stmts, err := c.b.Finish()
	if err != nil {
		c.errs = append(c.errs, diag.Of(err)...)
	}
	if c.errs != nil {
		return c.unit.withoutCode(), c.errs
	}
	c.unit.Warnings.Sort()
	c.stmts = stmts
	stmts = c.drops(stmts, false)
	for def, leave := range c.defs {
		c.wrap(def, leave)
	}
	return c.program(stmts)
}

// program makes the Starlark program of the statements.
func (c *compiler) program(stmts []syntax.Stmt) (*Unit, error) {
	c.loads(stmts)
	c.matchers(stmts)
	c.constants(stmts)
	h := helpers
	h.Tested = func(path []string, at syntax.Position, compared bool) {
		c.unit.Tests = append(c.unit.Tests, Test{path, script.Span(c.unit.File, at), compared})
	}
	if c.unit.Copies != nil {
		h.Copied = c.copied
	}
	script.Rewrite(stmts, h)
	if c.unit.Cover != nil {
		c.cover(stmts)
	}
	file := &syntax.File{Path: c.unit.File.Name(), Stmts: stmts, Options: script.Options()}
	if c.unit.Traced != nil {
		if err := c.track(file); err != nil {
			return c.unit.withoutCode(), script.Errors(c.unit.File, err)
		}
	}
	names := script.Names{Predeclared: c.predeclared}
	prog, err := names.Program(file)
	if err != nil {
		return c.unit.withoutCode(), script.Errors(c.unit.File, err)
	}
	c.unit.Program = prog
	return c.unit, nil
}

// copied notes that the node which a call makes is a data value.
func (c *compiler) copied(call *syntax.CallExpr, path []string) {
	if isOp(call.Fn, OpSet, OpSetKey) {
		id, _ := call.Args[0].(*syntax.Literal).Value.(int64)
		c.unit.Copies[int(id)] = path
	}
}

// predeclared reports whether a name is predeclared, and notes that the program uses it.
func (c *compiler) predeclared(name string) bool {
	if !predeclared(name) {
		return false
	}
	c.unit.Builtins = append(c.unit.Builtins, name)
	return true
}

// loads notes the load statements, which stand outside of functions, under an if or not.
func (c *compiler) loads(stmts []syntax.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.LoadStmt:
			start, end := s.Module.Span()
			at := script.Span(c.unit.File, start)
			if e := script.Span(c.unit.File, end); e.IsValid() {
				at = at.To(e.Offset())
			}
			c.unit.Loads = append(c.unit.Loads, Load{s.ModuleName(), at, longNames(s.From)})
		case *syntax.IfStmt:
			c.loads(s.True)
			c.loads(s.False)
		}
	}
}

func longNames(ids []*syntax.Ident) (long []string) {
	for _, id := range ids {
		if script.IsLong(id.Name) {
			long = append(long, id.Name)
		}
	}
	return long
}

// opCall is the call of a builtin with all that it is made of.
type opCall struct {
	stmt syntax.ExprStmt
	call syntax.CallExpr
	fn   syntax.Ident
	id   syntax.Literal
	args [2]syntax.Expr
}

// none stands for the number of a node, step or literal where there is none.
const none = -1

// call makes a call of a builtin that is at offset off, about the node, step or literal id.
func (c *compiler) call(op Op, off, id int, args ...syntax.Expr) *opCall {
	o, pos := c.work.call(), c.b.Position(off)
	o.fn = syntax.Ident{NamePos: pos, Name: string(op)}
	all := o.args[:0]
	if id != none {
		o.id = syntax.Literal{Token: syntax.INT, TokenPos: pos, Value: int64(id)}
		all = append(all, &o.id)
	}
	o.call = syntax.CallExpr{Fn: &o.fn, Lparen: pos, Args: append(all, args...), Rparen: pos}
	o.stmt = syntax.ExprStmt{X: &o.call}
	return o
}

// do adds the call of a builtin to the program. A function around it makes nodes, then.
func (c *compiler) do(op Op, off, id int, args ...syntax.Expr) {
	c.b.Stmt(&c.call(op, off, id, args...).stmt)
	if def := c.b.Def(); def != nil {
		if c.inText && def != c.around {
			c.defs[def] = OpSpeak
		} else {
			c.defs[def] = OpLeave
		}
	}
}

// begins returns where a statement begins, or the steps that are taken with it.
func (c *compiler) begins(s syntax.Stmt) syntax.Position {
	start, _ := s.Span()
	expr, _ := s.(*syntax.ExprStmt)
	if expr == nil {
		return start
	}
	call, _ := expr.X.(*syntax.CallExpr)
	if call == nil {
		return start
	}
	if fn, ok := call.Fn.(*syntax.Ident); ok &&
		(fn.Name == string(OpSet) || fn.Name == string(OpSetKey)) {
		id, _ := call.Args[0].(*syntax.Literal).Value.(int64)
		if first := c.unit.Nodes[id].Before; first > 0 {
			return c.b.Position(c.unit.At(c.unit.Steps[first-1]).Offset())
		}
	}
	return start
}

// wrap makes a function that makes nodes or text collect them and return them, wherever it returns
// without a value.
func (c *compiler) wrap(def *syntax.DefStmt, leave Op) {
	at := func(op Op, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
		return &syntax.CallExpr{
			Fn:     &syntax.Ident{NamePos: pos, Name: string(op)},
			Lparen: pos,
			Args:   args,
			Rparen: pos,
		}
	}
	script.Returns(def.Body, func(r *syntax.ReturnStmt) {
		if r.Result == nil {
			r.Result = at(leave, r.Return)
			return
		}
		r.Result = at(OpReturn, r.Return, r.Result)
	})
	// what fails before the first statement, such as a call with wrong arguments, is shown there
	start := c.begins(def.Body[0])
	_, end := def.Body[len(def.Body)-1].Span()
	body := make([]syntax.Stmt, 0, len(def.Body)+2)
	body = append(body, &syntax.ExprStmt{X: at(OpEnter, start)})
	body = append(body, def.Body...)
	def.Body = append(body, &syntax.ReturnStmt{Return: end, Result: at(leave, end)})
}
