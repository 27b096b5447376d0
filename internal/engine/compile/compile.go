// Package compile turns a file into a Unit: classified, with its annotations attached and its code
// compiled to a Starlark program. A Unit never changes, so a file is read and compiled once,
// however often it is evaluated. Compiling takes linear time and evaluates nothing.
//
// A template becomes one program: the author's code, unchanged and at its original positions, with
// calls of a few builtins (see Op) in between that create the nodes. One step (see Step) creates a
// part without code, however large, and refers to the syntax tree.
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
	CodeNodeBlock  diag.Code = "template/node-block" // code after `if/end` or similar
	CodeAnnotation diag.Code = "template/annotation" // an annotation that cannot be read
	CodeNoValue    diag.Code = "template/no-value"   // `#@` without an expression

	// warning: an annotation that has no meaning
	CodeUnknown diag.Code = "template/unknown-annotation"
	// warning: a plain comment that would be an annotation without its space
	CodeAlmost  diag.Code = "template/almost-annotation"
	codeOverlay diag.Code = "overlay/unknown"   // the same for overlay annotations
	codeSchema  diag.Code = "schema/annotation" // the same for schema annotations
	// warning: a keyword that an annotation does not take
	CodeKeyword diag.Code = "template/unknown-keyword"
	// warning: code that is read as an annotation
	CodeSpace diag.Code = "template/missing-space"
	// warning: a template for another tool that happens to be valid YAML
	CodeForeign diag.Code = "template/foreign"
	// warning: `or` or `and` between overlay matchers
	CodeMatchers diag.Code = "template/matcher-or"
	// warning: `or` between strings, which always selects the same one
	CodeConstant diag.Code = "template/constant-or"
	// warning: code in a string, where it is text
	CodeQuoted diag.Code = "template/code-in-string"
)

// Kind is the kind of a unit.
type Kind uint8

// The kinds of unit.
const (
	PlainYAML Kind = iota // YAML whose comments have no meaning
	YAML                  // a YAML template
	Text                  // a text template
	PlainText             // text that is copied unchanged
	Starlark              // a module
)

// Options are the options of compilation. The zero value behaves like ytt.
type Options struct {
	YAML                  yaml.Options
	Strict                bool // reject ambiguous plain scalars
	IgnoreUnknownComments bool
	KnownAnnotations      bool // reject annotations and keywords that have no meaning
	Trace                 bool // programs report where their values come from: see trace.Instrument
	Literals              bool // units record which nodes are data values: see Unit.Copies
	Cover                 bool // units have points, and programs record which they reach
}

// TracksMeanings reports whether scalars are printed as they are written or read as YAML 1.2. Then
// different parsers may read different values from the same scalar.
func (opt *Options) TracksMeanings() bool { return opt.Literals || opt.YAML.Schema == yaml.Core }

// Unit is a compiled file.
type Unit struct {
	File *source.File
	Kind Kind
	Tree *yaml.Tree // for YAML
	// for YAML: several trees for a large plain file, one for others
	Trees    []*yaml.Tree
	Program  *starlark.Program // nil if there is nothing to run
	Builtins []string          // the predeclared names that the program uses
	Loads    []Load            // the load statements, in order
	Tests    []Test            // the data values that code visibly tests
	// Copies maps the index of a node to the path of the data value that it copies, as far as the
	// code shows that. It is nil unless Options.Literals is set.
	Copies  map[int][]string
	Role    Role
	Overlay bool // it has overlay annotations

	Warnings diag.List    // valid code that is probably a mistake
	Changed  yaml.Changed // scalars that YAML 1.1 changes

	Stretches []Stretch      // constant nodes
	Nodes     []Node         // the nodes for OpSet, OpNote and OpKey, and nodes that contain others
	Steps     []Step         // the steps for OpMake, and for OpSet before its own node
	Literals  []string       // the texts for OpText
	Forms     []Form         // the forms for OpJoin
	Drops     []Drop         // the expressions for OpDrop
	Traced    *Traced        // nil unless it was compiled for a traced run
	Cover     *cover.Program // nil unless it was compiled for coverage

	values []extent // the code that computes values, in order
}

// extent is a range of bytes in a file.
type extent struct{ start, end int32 }

// InValue reports whether the code at an offset computes the value of a node. Other code comes
// before nodes.
func (u *Unit) InValue(off int) bool {
	i, _ := slices.BinarySearchFunc(
		u.values,
		off,
		func(x extent, off int) int { return int(x.end) - off },
	)
	return i < len(u.values) && int(u.values[i].start) <= off
}

// Role is what the documents of a unit are for.
type Role uint8

// The roles. A file has one role: schemas and data values are in separate files.
const (
	ForOutput Role = iota
	ForValues
	ForSchema
)

// The annotations of documents that are not output.
const (
	ValuesAnnotation = "data/values"
	SchemaAnnotation = "data/values-schema"
)

// Test is a data value that code tests as if it were a boolean.
type Test struct {
	Path     []string
	At       source.Span
	Compared bool // with True or False; otherwise it is a condition
}

// Load is a load statement.
type Load struct {
	Module string
	At     source.Span
	Long   []string // names too long for suggestions (script.IsLong)
}

// Step creates nodes that need no code: those of a stretch, or a node that contains the nodes after
// it. Consecutive steps are run together, so that a program has one call for each computed node and
// few others.
type Step struct {
	ID      int32 // index in Stretches or in Nodes
	Stretch bool
	Last    bool // it is the last of consecutive steps
}

// At returns the position of the node that a step creates.
func (u *Unit) At(s Step) source.Pos {
	if s.Stretch {
		return u.Stretches[s.ID].Pos
	}
	return u.Nodes[s.ID].Pos
}

// Form is a text with places for values.
type Form struct {
	Fields []Field
	Tail   string // the text after the last field
}

// Field is the place of a value in a Form.
type Field struct {
	Before string // the text before it
	Pos    source.Pos
}

// Stretch is a run of siblings without code: documents, map items or array items.
type Stretch struct {
	Node
	Items  []tree.Item
	Unique bool // no two items have the same key
	Merge  bool // the node is a merge key, and the items are elsewhere in the file
}

// Node is one document, map item or array item of a template.
type Node struct {
	Kind       tree.NodeKind
	Start, End yaml.NodeID // its extent in the tree: nodes inside it have ids in this range
	Key        tree.Value
	Pos        source.Pos
	Array      bool              // for a node that contains others: it contains an array, not a map
	Inner      source.Pos        // for a node that contains others: where the collection begins
	Notes      *tree.Annotations // its annotations, if they are constant
	// for OpSet: the number of the first step to run before it, counted from 1; 0 for none
	Before int32
}

// Op is the name of a builtin that compiled programs call. Authors cannot write such a name.
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
	OpEnd   Op = "·end"   // (): end it and return it
	// (form, values...): the text of a string template that contains only text and values
	OpJoin Op = "·join"

	OpEnter  Op = "·enter"  // (): a function that creates nodes begins
	OpReturn Op = "·return" // (value): it returns a value
	OpLeave  Op = "·leave"  // (): it returns the nodes that it created
	OpSpeak  Op = "·speak"  // (): it returns the text that it created

	OpDrop Op = "·drop" // (drop, value): a value that is not used

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
	OpVarargs Op = "·varargs" // script.Helpers.Varargs

	OpOperator Op = "·operator " // followed by an operator: see script.Helpers.Operator
	OpOperand  Op = "·operand "  // followed by an operator: see script.Helpers.Operand

	OpMethod Op = "·method " // followed by a name in Methods: see script.Helpers.Method

	OpCond Op = "·cond" // (counter, value): record whether the value is true, and return it
	OpLoop Op = "·loop" // (counter, value): record whether the value has items, and return it
	OpHit  Op = "·hit"  // (counter[, value]): record that this point is reached, and return the value

	OpTrack Op = trace.Prefix // followed by a name: one of the builtins of trace, in a traced run
)

// Methods are the methods of Starlark values that may take many steps or much memory in one call.
// Programs call them through a builtin that enforces the limits.
var Methods = []string{
	"difference", "extend", "index", "intersection", "issubset", "issuperset", "items", "join",
	"popitem", "remove", "replace", "rsplit", "split", "splitlines", "symmetric_difference",
	"union", "update",
}

// The operators that may take many steps at once and have no builtin above, and the assignments
// that may use them.
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

// helpers are the builtins that rewritten code calls.
var helpers = script.Helpers{
	Load: string(OpLoad), Values: string(OpValues), DataModule: DataModule,
	Percent: string(OpPercent), Format: string(OpFormat),
	Plus: string(OpPlus), Times: string(OpTimes), Adding: string(OpAdding),
	Spread: string(OpSpread), Bound: string(OpBound), Method: methodHelper,
	Tuple: string(OpTuple), Varargs: string(OpVarargs),
	Operator: operatorHelper, Operand: operandHelper, IsSink: isSink,
}

func methodHelper(name string) string {
	if _, ok := slices.BinarySearch(Methods, name); ok {
		return string(OpMethod) + name
	}
	return ""
}

func operatorHelper(op syntax.Token) string {
	if slices.Contains(Comparisons, op) || slices.Contains(Memberships, op) ||
		slices.Contains(Arithmetics, op) {
		return string(OpOperator) + op.String()
	}
	return ""
}

func operandHelper(assignment syntax.Token) string {
	if i := slices.Index(assignments, assignment); i >= 0 {
		return string(OpOperand) + Arithmetics[i].String()
	}
	return ""
}

func isSink(name string) bool {
	switch Op(name) {
	case OpSet, OpSetKey, OpKey, OpPrint, OpJoin:
		return true
	}
	return false
}

// DataModule is the module whose values differ between files.
const DataModule = "@ytt:data"

// predeclared reports whether programs may use a name in addition to Starlark's: the builtins
// above, and the Starlark functions that the dialect changes.
func predeclared(name string) bool {
	switch name {
	case "str", "repr", "print", "fail",
		"all", "any", "bytes", "dict", "enumerate", "getattr", "int", "list", "max", "min",
		"reversed", "set", "sorted", "tuple", "zip":
		return true
	}
	return len(name) > 2 && name[:2] == "·"[:2]
}

// withoutCode returns the unit for a file whose code has errors. It still has the role of the
// documents.
func (u *Unit) withoutCode() *Unit { return &Unit{File: u.File, Kind: u.Kind, Role: u.Role} }

// Declares reports whether a file may contain data values or their schema. It is a quick check: other
// files need not be compiled for that.
func Declares(f *source.File) bool {
	return bytes.Contains(f.Data(), []byte("#@"+ValuesAnnotation))
}

// Template compiles a YAML template. A file without code and annotations is plain. The error is a
// diag.List of all errors in the file. If the YAML is valid but its code is not, Template returns
// an error and a unit with the file's role.
func Template(f *source.File, opt Options) (*Unit, error) {
	u, err := template(f, opt)
	if err != nil {
		err = errorsOf(f, YAML, opt, err)
	}
	return u, err
}

// template is Template up to the first error.
func template(f *source.File, opt Options) (*Unit, error) {
	marks := marksIn(f.Data())
	if marks.comments == 0 {
		u, braces, err := plain(f, opt)
		if err == nil && (braces || marks.strings) && bytes.Contains(f.Data(), []byte("data.values")) {
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
	braces := u.lintForeign()
	if !templated(t) {
		u.Warnings = append(u.Warnings, overridden(t)...)
		return u, nil
	}
	c := yamlCompiler{compiler: newCompiler(u, opt), opt: opt, tree: u.Tree}
	defer c.leave()
	c.readComments()
	c.findDuplicates()
	if len(c.metas) == 0 && len(c.dups) == 0 && len(c.errs) == 0 {
		return u, nil // nothing to run
	}
	u.Kind = YAML
	c.compile()
	if c.mayQuote(marks, braces) {
		u.lintQuoted(c.texts, boundNames(c.metas))
	}
	return c.finish()
}

// templateYAML returns the options for reading a template. Duplicate keys are allowed here: code
// decides which of them are created, and duplicates are rejected then.
func (opt *Options) templateYAML() yaml.Options {
	y := opt.YAML
	y.UniqueKeys = false
	return y
}

// check returns the errors in the values of t, which was read as a template and may turn out to be
// plain.
func (opt *Options) check(t *yaml.Tree) diag.List {
	list := t.Check(opt.Strict)
	if opt.YAML.UniqueKeys && !templated(t) {
		list = append(list, t.Duplicates()...)
	}
	return list
}

// hintSeparator adds a hint for authors who expect the code after a function to separate the function
// from what follows: YAML sees only comments there.
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

// Readable returns the errors in the YAML of a template, without looking at its code. The error is a
// diag.List.
func Readable(f *source.File, opt Options) error {
	opt.YAML = opt.templateYAML()
	_, err := Plain(f, opt)
	return err
}

// Plain reads a YAML file whose comments have no meaning. The error is a diag.List.
func Plain(f *source.File, opt Options) (*Unit, error) {
	u, _, err := plain(f, opt)
	if err != nil {
		err = errorsOf(f, PlainYAML, opt, err)
	}
	return u, err
}

// plain is Plain up to the first error. It also reports whether the file contains `{{`.
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
		u.Warnings = append(u.Warnings, overridden(t)...)
	}
	return u, u.lintForeign(), nil
}

// overridden returns the first few warnings about duplicate keys of a plain file.
func overridden(t *yaml.Tree) diag.List {
	const shown = 3
	list := t.Overridden()
	return list[:min(len(list), shown)]
}

// templated reports whether t has a comment that is code or an annotation.
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

// wholeText returns the source for a file that is one text template.
func wholeText(f *source.File) textSource {
	piece := func(r text.Range) script.Fragment { return script.Piece(f, r.Start, r.End) }
	return textSource{body: f.Data(), fragment: piece}
}

// TextFile returns the unit for a text file that is copied unchanged.
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

// compiler builds the program of a unit.
type compiler struct {
	unit *Unit
	b    *script.Builder
	// the functions that create nodes or text, with the builtin that returns them
	defs map[*syntax.DefStmt]Op
	errs diag.List

	work *workspace

	stmts []syntax.Stmt // the whole program, once it is complete
	// whether functions of the program return a value, by name; nil until needed
	gives map[string]bool

	textAt []int // the offsets of the literals in a text template, for coverage
	sites  int32 // the number of conditions and loops, for coverage
	// the number of the condition before an elif, by the position of the elif, for coverage
	elifs map[syntax.Position]int32

	inText bool            // a text template is being compiled
	around *syntax.DefStmt // the enclosing function, if a function inside it creates text and it does not
}

// newCompiler returns a compiler. It must give back its workspace at the end.
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

// finish completes the program and resolves it. After an error the unit has only its role.
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

// program compiles the statements to the Starlark program.
func (c *compiler) program(stmts []syntax.Stmt) (*Unit, error) {
	c.loads(stmts)
	if hasCode(stmts) {
		c.matchers(stmts)
		c.constants(stmts)
	}
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

// hasCode reports whether a program does more than create nodes that need no code.
func hasCode(stmts []syntax.Stmt) bool {
	return slices.ContainsFunc(stmts, func(s syntax.Stmt) bool {
		expr, ok := s.(*syntax.ExprStmt)
		if !ok {
			return true
		}
		call, ok := expr.X.(*syntax.CallExpr)
		return !ok || !isOp(call.Fn, OpMake)
	})
}

// copied records that the node created by a call is a data value.
func (c *compiler) copied(call *syntax.CallExpr, path []string) {
	if isOp(call.Fn, OpSet, OpSetKey) {
		id, _ := call.Args[0].(*syntax.Literal).Value.(int64)
		c.unit.Copies[int(id)] = path
	}
}

// predeclared reports whether a name is predeclared, and records that the program uses it.
func (c *compiler) predeclared(name string) bool {
	if !predeclared(name) {
		return false
	}
	c.unit.Builtins = append(c.unit.Builtins, name)
	return true
}

// loads records the load statements, which are outside of functions but may be inside an if.
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

// opCall is the call of a builtin, allocated together with its parts.
type opCall struct {
	stmt syntax.ExprStmt
	call syntax.CallExpr
	fn   syntax.Ident
	id   syntax.Literal
	args [2]syntax.Expr
}

// none means that a call is not about a node, step or literal.
const none = -1

// call returns a call of a builtin at offset off, about the node, step or literal id.
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

// do adds the call of a builtin to the program. If the call is in a function, that function creates
// nodes.
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

// begins returns where a statement begins, or where the steps that run with it begin.
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

// wrap makes a function that creates nodes or text collect them, and return them wherever it
// returns without a value.
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
	// errors before the first statement, such as a call with wrong arguments, are reported at that
	// statement
	start := c.begins(def.Body[0])
	_, end := def.Body[len(def.Body)-1].Span()
	body := make([]syntax.Stmt, 0, len(def.Body)+2)
	body = append(body, &syntax.ExprStmt{X: at(OpEnter, start)})
	body = append(body, def.Body...)
	def.Body = append(body, &syntax.ReturnStmt{Return: end, Result: at(leave, end)})
}
