package lint

import (
	"bytes"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// FileSet is the files that are checked together.
type FileSet struct {
	Files []*compile.Analysis

	// PlainComments means that a comment may begin with `#` alone.
	PlainComments bool

	// Vendored are the sources that files may use as libraries.
	Vendored []load.Library
}

// readFacts returns what some files of a project say.
func readFacts(p FileSet, some []*compile.Analysis) *facts {
	all := project{FileSet: p, facts: newFacts()}
	for _, a := range some {
		f := &file{
			Analysis: a, all: &all, words: map[string]bool{}, sometimes: map[*syntax.BinaryExpr]bool{},
			joined: map[syntax.Expr]bool{},
		}
		f.readAnnotations()
		if a.Code != nil {
			f.names = readNames(a.Code)
			f.walk(a.Code)
		}
		all.files = append(all.files, f)
	}
	all.ignores = readIgnores(some, all.facts)
	for _, f := range all.files {
		f.check()
		all.analysed(f.Analysis)
	}
	all.values()
	return all.facts
}

// project is what files share that are read together.
type project struct {
	FileSet
	*facts
	files []*file
}

// file is one file.
type file struct {
	*compile.Analysis
	all   *project
	names *names

	annotations []annotation
	words       map[string]bool // names that annotations use

	loads  []*syntax.LoadStmt
	defs   []*syntax.DefStmt
	sets   []*syntax.AssignStmt
	calls  []*syntax.CallExpr
	binary []*syntax.BinaryExpr

	sometimes map[*syntax.BinaryExpr]bool // the ones in code that does not always run
	joined    map[syntax.Expr]bool        // the left sides of `+`
}

// annotation is an annotation with its arguments.
type annotation struct {
	compile.Mark
	args []syntax.Expr // the arguments as code, with positions in the file
	text string        // the text after the name
	from int           // the offset of text
}

// readAnnotations parses the arguments of annotations.
func (f *file) readAnnotations() {
	for _, m := range f.Marks {
		if m.Kind != compile.AnnotationMark {
			continue
		}
		a := annotation{Mark: m}
		body := f.Analysis.File.Data()[m.At.Offset():m.At.End()]
		if i := bytes.IndexByte(body, ' '); i >= 0 {
			a.text, a.from = string(body[i+1:]), m.At.Offset()+i+1
			a.args = arguments(a.text)
		}
		for _, arg := range a.args {
			syntax.Walk(arg, func(n syntax.Node) bool {
				if id, ok := n.(*syntax.Ident); ok {
					f.words[id.Name] = true
				}
				return true
			})
		}
		f.annotations = append(f.annotations, a)
	}
	f.all.schemas.add(f)
}

// arguments parses what follows the name of an annotation. Positions count from there, in line 1.
func arguments(text string) []syntax.Expr {
	e, err := script.Options().ParseExpr("", "f("+text+"\n)", 0)
	if err != nil {
		return nil
	}
	call, _ := e.(*syntax.CallExpr)
	if call == nil {
		return nil
	}
	return call.Args
}

// keyword returns the value of a keyword argument of an annotation, and where it is.
func (a *annotation) keyword(name string) (value syntax.Expr, from, to int) {
	for _, arg := range a.args {
		b, ok := arg.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.EQ {
			continue
		}
		if id, ok := b.X.(*syntax.Ident); ok && id.Name == name {
			start, end := script.Extent(b)
			return b.Y, a.offset(start), a.offset(end)
		}
	}
	return nil, 0, 0
}

// offset returns the offset in the file of a place in the arguments.
func (a *annotation) offset(p syntax.Position) int {
	col := max(int(p.Col)-1-len("f("), 0)
	for i := range a.text { // columns count characters, offsets count bytes
		if col == 0 {
			return a.from + i
		}
		col--
	}
	return a.from + len(a.text)
}

// walk collects the parts of a program that rules check.
func (f *file) walk(code *syntax.File) {
	var around []syntax.Node // the nodes around the current one
	blocks := 0              // how many of them are blocks
	syntax.Walk(code, func(n syntax.Node) bool {
		if n == nil {
			if isBlock(around[len(around)-1]) {
				blocks--
			}
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		if isBlock(n) {
			blocks++
		}
		switch n := n.(type) {
		case *syntax.LoadStmt:
			f.loads = append(f.loads, n)
			for _, from := range n.From {
				f.all.loaded[from.Name] = true
			}
		case *syntax.DefStmt:
			f.defs = append(f.defs, n)
		case *syntax.AssignStmt:
			f.sets = append(f.sets, n)
		case *syntax.CallExpr:
			f.calls = append(f.calls, n)
			f.loadCall(n)
		case *syntax.BinaryExpr:
			f.binary = append(f.binary, n)
			if n.Op == syntax.PLUS {
				f.joined[n.X] = true
			}
			if blocks > 0 {
				f.sometimes[n] = true
			}
		}
		return true
	})
}

// isBlock reports whether a node contains code that is not always run.
func isBlock(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.DefStmt, *syntax.LambdaExpr, *syntax.CondExpr:
		return true
	}
	return false
}

// loadCall records the names that code loads in other ways: export("name") of a library returns one
// of its functions, and a load under an if has become a call.
func (f *file) loadCall(c *syntax.CallExpr) {
	if dot, ok := c.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "export" && len(c.Args) > 0 {
		if s, ok := script.StringOf(c.Args[0]); ok {
			f.all.loaded[s] = true
		}
	}
	if id, ok := c.Fn.(*syntax.Ident); ok && id.Name == string(compile.OpLoad) {
		for _, arg := range c.Args {
			if s, ok := script.StringOf(arg); ok {
				f.all.loaded[s] = true
				f.words[s] = true
			}
		}
	}
}

// report adds a finding. Its level is decided later.
func (f *file) report(at source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	return f.reportIf(condition{}, at, code, format, args...)
}

// reportIf adds a finding that counts if a condition holds.
func (f *file) reportIf(
	c condition, at source.Span, code diag.Code, format string, args ...any,
) *diag.Diagnostic {
	d := diag.Warningf(at, code, format, args...)
	f.all.found = append(f.all.found, conditional{d, c})
	return d
}

// span returns the place of a node of code, cut at the end of its first line.
func (f *file) span(n syntax.Node) source.Span {
	start, end := script.Extent(n)
	from := script.Span(f.File, start)
	if end.Line != start.Line {
		return from.To(from.Offset() + 1)
	}
	to := script.Span(f.File, end)
	return from.To(to.Offset())
}

// text returns what is at a place.
func (f *file) text(at source.Span) string { return string(f.File.Data()[at.Offset():at.End()]) }

// edit replaces what is at a place.
func (f *file) edit(from, to int, text string) diag.Edit {
	return diag.Edit{
		At: f.File.Span(from, to), Was: string(f.File.Data()[from:to]), Text: text,
	}
}

// wholeLine returns the line of an offset with its break.
func (f *file) wholeLine(off int) (from, to int) {
	return f.File.LineStart(off), f.File.LineEnd(off)
}

// isTemplate reports whether comments of the file can be code.
func (f *file) isTemplate() bool { return f.Kind == compile.YAML && f.Tree != nil }

// check applies all rules for single files.
func (f *file) check() {
	f.checkLoads()
	f.checkNames()
	f.checkExpressions()
	f.checkAnnotations()
	f.checkFunctions()
	f.checkPortable()
	if f.Tree != nil {
		f.checkComments()
		f.checkBlocks()
		f.checkKeys()
		f.nulls()
		f.otherTemplates()
		f.toolFiles()
	}
}

// values reports the first file with data values.
func (p *project) values() {
	for _, f := range p.files {
		for _, a := range f.annotations {
			if a.Name == "data/values" {
				f.reportIf(condition{noSchema: true}, a.At, codeValuesNoSchema,
					"data values without a schema: a misspelled name or a wrong type is not found").
					WithHint("declare them in a file with `#@data/values-schema`")
				return
			}
		}
	}
}
