// Package script parses the Starlark dialect of templates, in which `end` closes blocks and
// indentation means nothing. It returns syntax trees of go.starlark.net/syntax, each node with its
// true place in the file.
//
// It takes source text: a whole file (Parse), or the code of a template, its values and the
// arguments of its annotations (Builder). A small lexer splits the text into logical lines; the
// unmodified Starlark parser parses each logical line once, at its true line and column; and this
// package nests the statements by following the words that open and close blocks. The cost is
// linear in the text. Nothing is evaluated or resolved.
//
// Where the dialect differs in meaning rather than in syntax, Rewrite changes the complete tree.
package script

import (
	"bytes"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// The codes of the diagnostics of this package.
const (
	CodeSyntax diag.Code = "script/syntax" // the code violates the Starlark grammar
	// a keyword where a name is expected
	CodeReserved diag.Code = "script/reserved-word"
	// `pass`, which blocks with `end` do not need
	CodePass          diag.Code = "script/pass"
	CodeUnclosed      diag.Code = "script/unclosed-block"  // a block without its `end`
	CodeUnexpectedEnd diag.Code = "script/unexpected-end"  // an `end` without its block
	CodeElse          diag.Code = "script/unexpected-else" // an `else` or `elif` without its `if`
	CodeDepth         diag.Code = "script/too-deep"        // nested too deeply
	CodeUndefined     diag.Code = "script/undefined"       // a name that is not defined
	CodeResolve       diag.Code = "script/resolve"         // any other error of the resolver
)

// Options returns the language options of every script: sets, while, control flow outside
// functions, reassignment of globals and recursion. The rest of the language has no switches.
func Options() *syntax.FileOptions { return &options }

// options never changes, so all trees share it.
var options = syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
	Recursion:       true,
}

// Fragment is a piece of code and its place in the file.
type Fragment struct {
	// Text is the code. A fragment ends a line, unless a bracket, a string or a backslash leaves
	// the line open.
	Text []byte
	// Off is the offset in the file of the first byte of Text.
	Off int
	// Lines is for text that is not contiguous in the file, such as the value of an indented block
	// scalar: Lines[i] is the offset in the file at which line i+1 of Text begins, counting from
	// line 0, which begins at Off. It is nil if Text is simply the bytes of the file from Off on.
	Lines []int
}

// Piece returns the fragment of f from offset start up to end.
func Piece(f *source.File, start, end int) Fragment {
	return Fragment{Text: f.Data()[start:end], Off: start}
}

// NodeBlock recognizes the short form of a block around the one node that follows: `if/end x:`. If fr
// begins with it, NodeBlock returns the fragment with `/end` removed and all other characters in
// their columns. The caller closes the block with Builder.End.
func NodeBlock(fr Fragment) (Fragment, bool) {
	const mark = "/end"
	i := len(fr.Text) - len(bytes.TrimLeft(fr.Text, " \t"))
	j := i
	for j < len(fr.Text) && isWord(fr.Text[j]) {
		j++
	}
	switch headOf(fr.Text[i:j]) {
	case headIf, headElif, headElse, headFor, headDef:
	default:
		return fr, false
	}
	rest := fr.Text[j:]
	if !bytes.HasPrefix(rest, []byte(mark)) || len(rest) > len(mark) && isWord(rest[len(mark)]) {
		return fr, false
	}
	text := bytes.Clone(fr.Text)
	copy(text[j:], "    ")
	fr.Text = text
	return fr, true
}

// Parse parses a whole script. Indentation is free and `end` closes blocks. A script that fails
// only because it never uses `end` is parsed again as standard Starlark, whose blocks are indented.
// If that fails too, the first error is reported, since most scripts are written for templates. The
// error is a diag.List.
func Parse(f *source.File) (*syntax.File, error) {
	b := Read(f)
	stmts, err := b.Finish()
	if err == nil {
		return &syntax.File{Path: f.Name(), Stmts: stmts, Options: Options()}, nil
	}
	if b.onlyEndMissing() {
		std, stdErr := options.Parse(f.Name(), f.Data()[codeStart(f):], 0)
		if stdErr == nil {
			return std, nil
		}
	}
	return nil, err
}

// Read returns a Builder with all of a script, for callers that want the valid parts of a script
// with errors.
func Read(f *source.File) *Builder {
	b := NewBuilder(f)
	b.module = true
	b.Code(Piece(f, codeStart(f), len(f.Data())))
	return b
}

// codeStart returns where the code of a script begins.
func codeStart(f *source.File) int {
	if bytes.HasPrefix(f.Data(), byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

var byteOrderMark = []byte("\ufeff")
