// Package script reads the Starlark dialect of templates, in which blocks are closed by `end` and
// indentation means nothing, and gives the syntax trees of go.starlark.net/syntax, each node with
// its true place in the file.
//
// It takes pieces of source text: a whole file (Parse), or the code of a template, its values and
// the arguments of its annotations (Builder). The text is cut into logical lines by a small lexer
// of its own; every logical line is parsed once, by the unmodified Starlark parser, at its true
// line and column, and the statements are nested here by following the words that open and close
// blocks. Nothing is evaluated or resolved.
//
// What the dialect changes in the meaning of a tree, as opposed to its text, is done by Rewrite
// once a tree is whole.
package script

import (
	"bytes"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// The codes of the diagnostics of this package.
const (
	CodeSyntax diag.Code = "script/syntax" // the Starlark grammar is not followed
	// a keyword is where a name is wanted
	CodeReserved diag.Code = "script/reserved-word"
	// `pass`, which blocks with `end` do not need
	CodePass          diag.Code = "script/pass"
	CodeUnclosed      diag.Code = "script/unclosed-block"  // a block without its `end`
	CodeUnexpectedEnd diag.Code = "script/unexpected-end"  // an `end` without its block
	CodeElse          diag.Code = "script/unexpected-else" // an `else` or `elif` without its `if`
	CodeDepth         diag.Code = "script/too-deep"        // nesting beyond what is sane
	CodeUndefined     diag.Code = "script/undefined"       // a name that nothing binds
	CodeResolve       diag.Code = "script/resolve"         // any other complaint of name resolution
)

// Options returns what every script of a template may use: sets, while, control flow outside
// functions, reassignment of globals and recursion. The rest of the language has no switches.
func Options() *syntax.FileOptions { return &options }

// options is never changed: every tree of a run may share it.
var options = syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
	Recursion:       true,
}

// Fragment is a piece of code and where it is in its file.
type Fragment struct {
	// Text is the code. A fragment ends a line, unless a bracket, a string or a backslash leaves
	// the line open.
	Text []byte
	// Off is the offset in the file of the first byte of Text.
	Off int
	// Lines is for text that does not be in the file as it is, such as the value of an indented
	// block scalar: Lines[i] is the offset in the file at which line i+1 of Text begins, counting
	// from line 0, which begins at Off. It is nil when Text is simply the bytes of the file from
	// Off on.
	Lines []int
}

// Piece returns the fragment of f from offset start up to end.
func Piece(f *source.File, start, end int) Fragment {
	return Fragment{Text: f.Data()[start:end], Off: start}
}

// NodeBlock reads the short form of a block around the one node that follows: `if/end x:`. If fr
// begins with it, the fragment is given without the `/end`, each other character in its column, and
// the caller closes the block with Builder.End.
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

// Parse reads a whole script. Indentation is free and `end` closes blocks; a script that fails for
// want of `end` alone, and never uses it, is read again as standard Starlark, whose blocks are
// indented. If that fails too, what is reported is the first complaint, for templates are what most
// scripts are written for. The error is a diag.List.
func Parse(f *source.File) (*syntax.File, error) {
	b := Read(f)
	stmts, err := b.Finish()
	if err == nil {
		return &syntax.File{Path: f.Name(), Stmts: stmts, Options: Options()}, nil
	}
	if b.wantsOnlyEnd() {
		std, stdErr := options.Parse(f.Name(), f.Data()[codeStart(f):], 0)
		if stdErr == nil {
			return std, nil
		}
	}
	return nil, err
}

// Read returns a Builder that has got all of a script, for who wants what is right in one that is
// wrong.
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
