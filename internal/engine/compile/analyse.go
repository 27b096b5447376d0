package compile

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/text"
	"weft/internal/lang/yaml"
)

// Analysis is the content of a file as its author wrote it, as far as it is valid. The compiler
// does not need it: it is for tools that edit a file or report all of its errors.
type Analysis struct {
	File *source.File
	Kind Kind
	Role Role

	// Tree is the YAML, with Invalid nodes where it cannot be parsed. Its comments have their
	// owners.
	Tree *yaml.Tree
	// Marks are the comments of a template that are code, values or annotations, in order.
	Marks []Mark
	// texts are the nodes whose strings are text templates, in order.
	texts []nodes
	// Code is the program before it is rewritten: the author's statements and expressions at their
	// positions, with calls of builtins (see Op) between them. Each name has its resolve.Binding.
	Code *syntax.File

	// Errors are sorted by position. There are at most yaml.MaxErrors, and none is caused by
	// another.
	Errors   diag.List
	Warnings diag.List
}

// Mark is a comment that is code, a value or an annotation.
type Mark struct {
	At    source.Span
	Kind  MarkKind
	Name  string      // of an annotation
	Owner yaml.NodeID // the node it belongs to, or yaml.NoOwner
}

// MarkKind is the kind of a Mark.
type MarkKind uint8

// The kinds of mark.
const (
	CodeMark MarkKind = iota
	ValueMark
	AnnotationMark
)

// Analyse reads a file of the given kind. YAML means a template, even if the file has no code. It
// continues after errors.
func Analyse(f *source.File, kind Kind, opt Options) *Analysis {
	a := &Analysis{File: f, Kind: kind}
	switch kind {
	case PlainYAML:
		a.readYAML(opt)
	case YAML:
		a.template(opt)
	case Text:
		a.textTemplate()
	case Starlark:
		a.module()
	case PlainText:
	}
	a.Errors.Sort()
	a.Errors = a.Errors[:min(len(a.Errors), yaml.MaxErrors)]
	a.Warnings.Sort()
	return a
}

// errorsOf returns all errors of a file that cannot be compiled. err is the error that stopped the
// compiler.
func errorsOf(f *source.File, kind Kind, opt Options, err error) error {
	a := Analyse(f, kind, opt)
	if len(a.Errors) == 0 {
		return diag.Of(err)
	}
	return append(a.misread(), a.Errors...)
}

// misread returns the warnings about unknown annotations whose arguments contain undefined names:
// such a name is a consequence of the mistake in the annotation.
func (a *Analysis) misread() (list diag.List) {
	for _, w := range a.Warnings {
		if w.Code != CodeUnknown && w.Code != codeOverlay && w.Code != codeSchema {
			continue
		}
		line := a.File.Line(w.At.Offset())
		if slices.ContainsFunc(a.Errors, func(d *diag.Diagnostic) bool {
			return d.Code == script.CodeUndefined && d.At.IsValid() && a.File.Line(d.At.Offset()) == line
		}) {
			list = append(list, w)
		}
	}
	return list
}

func (a *Analysis) readYAML(opt Options) {
	tree, list := yaml.ParseTolerant(a.File, opt.YAML)
	a.Tree = tree
	a.Errors = append(list, tree.Check(opt.Strict)...)
}

func (a *Analysis) template(opt Options) {
	tree, list := yaml.ParseTolerant(a.File, opt.templateYAML())
	a.Tree = tree
	a.Errors = append(list, opt.check(tree)...)
	a.Errors = hintSeparator(a.File, a.Errors)
	if marksIn(a.File.Data()).comments == 0 || !templated(a.Tree) {
		a.Kind = PlainYAML
		return
	}
	u := &Unit{File: a.File, Kind: YAML, Tree: a.Tree}
	c := yamlCompiler{compiler: newCompiler(u, Options{}), opt: opt, tree: a.Tree}
	c.readComments()
	c.findDuplicates()
	c.compile()
	for _, m := range c.metas {
		mark := Mark{At: m.at, Kind: MarkKind(m.kind), Owner: m.owner}
		if m.kind == annotationMeta {
			mark.Name = m.name
		}
		a.Marks = append(a.Marks, mark)
	}
	a.texts = c.texts
	a.finish(&c.compiler)
}

// IsText reports whether a node of the tree is a text template if it is a string. Nodes that cannot be parsed
// may become strings.
func (a *Analysis) IsText(n yaml.NodeID) bool {
	return slices.ContainsFunc(a.texts, func(in nodes) bool { return in.start <= n && n < in.end })
}

func (a *Analysis) textTemplate() {
	parts, err := text.File(a.File)
	a.Errors = diag.Of(err)
	c := newCompiler(&Unit{File: a.File, Kind: Text}, Options{})
	c.text(wholeText(a.File), parts)
	a.finish(&c)
}

func (a *Analysis) module() {
	c := newCompiler(&Unit{File: a.File, Kind: Starlark}, Options{})
	file, err := script.Parse(a.File)
	if err == nil {
		a.resolve(&c, file.Stmts)
		return
	}
	c.b = script.Read(a.File)
	a.finish(&c)
}

// finish copies what the compiler knows once it has read all code.
func (a *Analysis) finish(c *compiler) {
	a.Role, a.Warnings = c.unit.Role, c.unit.Warnings
	stmts, err := c.b.Finish()
	list := append(c.errs, diag.Of(err)...)
	if err != nil {
		stmts = c.b.Rest()
	}
	for _, d := range list {
		if !a.inHole(d.At) && !(isAboutBlocks(d.Code) && a.holds("@ ")) {
			a.Errors = append(a.Errors, d)
		}
	}
	a.resolve(c, stmts)
}

// resolve resolves the names. It does not report names that code with errors may bind.
func (a *Analysis) resolve(c *compiler, stmts []syntax.Stmt) {
	// The resolver rejects a load inside an if.
	script.Rewrite(stmts, script.Helpers{Load: string(OpLoad)})
	a.Code = &syntax.File{Path: a.File.Name(), Stmts: stmts, Options: script.Options()}
	names := script.Names{Predeclared: func(name string) bool {
		return predeclared(name) || c.b.Misses(name) || a.holds(name)
	}}
	err := names.Resolve(a.Code)
	if err == nil || !c.b.Nested() {
		return
	}
	for _, d := range script.Errors(a.File, err) {
		if !a.inHole(d.At) {
			a.Errors = append(a.Errors, d)
		}
	}
}

// isAboutBlocks reports whether an error is about where blocks begin and end.
func isAboutBlocks(code diag.Code) bool {
	switch code {
	case script.CodeUnclosed, script.CodeUnexpectedEnd, script.CodeElse:
		return true
	}
	return false
}

// inHole reports whether a position is in YAML that cannot be parsed. Text there may look like code
// without being code.
func (a *Analysis) inHole(at source.Span) bool {
	return slices.ContainsFunc(a.holes(), func(h source.Span) bool {
		return h.Offset() <= at.Offset() && at.Offset() < h.End()
	})
}

// holds reports whether YAML that cannot be parsed contains s.
func (a *Analysis) holds(s string) bool {
	return slices.ContainsFunc(a.holes(), func(h source.Span) bool {
		return strings.Contains(string(a.File.Data()[h.Offset():h.End()]), s)
	})
}

func (a *Analysis) holes() []source.Span {
	if a.Tree == nil {
		return nil
	}
	return a.Tree.Holes()
}
