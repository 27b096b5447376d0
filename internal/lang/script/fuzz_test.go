package script

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

var seeds = []string{
	"", "x = 1", "if x:\ny\nelif z:\nelse:\nend", "def f(a, *b, c=1, **d):\n  return '''\n \\d'''\nend",
	"load('m', 'a', b='c')\nasync = [x for x in y if x]\n", "x = {\n'a': (1,\n2)}[1:2]\nend", "if x:\n\tpass",
	"\"\\xff\\", "x = '\\\r\n'\rend end", "for x in y: z.end = \\\n 1; w", "lambda *, a: 0 if b else c\n#@ \"", "é = \"\\é\xff\" + ö.ü(*a, end=1)",
}

// checkErrors fails if a diagnostic points outside the file or says nothing.
func checkErrors(t *testing.T, f *source.File, err error) {
	for _, d := range diag.Of(err) {
		if d.Message == "" || d.Code == "" || !d.At.IsValid() || d.At.End() > len(f.Data()) {
			t.Errorf("a bad diagnostic: %+v", d)
		}
		for _, r := range d.Related {
			if !r.At.IsValid() || r.At.End() > len(f.Data()) {
				t.Errorf("a bad related place: %+v", d)
			}
		}
	}
}

// Any bytes are either a tree whose names are where it says, or an error with a place.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file := sourceFile(t, "f.star", src)
		tree, err := Parse(file)
		if err != nil {
			checkErrors(t, file, err)
			return
		}
		checkPlaces(t, file, tree.Stmts)
		Rewrite(
			tree.Stmts,
			Helpers{Load: "l", Percent: "p", Format: "f", Values: "v", DataModule: "m"},
		)
		if _, err := starlark.FileProgram(tree, func(name string) bool { return len(name) == 1 }); err != nil {
			checkErrors(t, file, Errors(file, err))
		}
	})
}

// The same holds for code in fragments, with statements in between, whose lines stand apart in the
// file.
func FuzzBuilder(f *testing.F) {
	for _, s := range seeds {
		f.Add(strings.ReplaceAll("#@ "+s, "\n", "\n#@ "))
		f.Add(strings.ReplaceAll("#@ "+s, "\n", "\nnode\n #@ "))
	}
	f.Fuzz(func(t *testing.T, src string) {
		file := sourceFile(t, "f.yml", src)
		stmts, err := build(file).Finish()
		if err != nil {
			checkErrors(t, file, err)
			return
		}
		// with these, the lines of the test are not those of the code
		if !strings.ContainsAny(src, "\\\r") {
			checkPlaces(t, file, stmts)
		}
	})
}

func FuzzExpr(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file := sourceFile(t, "f.yml", src)
		fr := Piece(file, 0, len(src))
		if _, err := NewBuilder(file).Expr(fr); err != nil {
			checkErrors(t, file, err)
		}
		if _, err := NewBuilder(file).CallArgs(fr); err != nil {
			checkErrors(t, file, err)
		}
	})
}
