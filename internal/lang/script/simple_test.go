package script

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"weft/internal/lang/source"
)

// FuzzSimple: what is parsed by the short way has the tree that the long way gives, places and all.
func FuzzSimple(f *testing.F) {
	for _, s := range []string{
		"name", "data.values.name", `labels(name, extra="x")`, `"v" + tag`, "3", "f()", "f(1, a.b(c), k='x' + y)", " x ", "f(a=1, b)", "f(**x)", "x.end", "end", "a == b", "f(a==b)",
		`"""x"""`, `""`, `"" ""`, `r"x"`, `"a"b`, "007", "1.5", "1.x", "x[0]", "not x", "lambda x: x", "x if y else z", "f(a,)", "f(,)", "by=overlay.all, expects='1+'", "missing_ok=True",
		"a += b", "x # note", "(x)", "x, y", "f(x", "f)", "async", "x..y", "x.", ".x", "1 + 2 + 3", "a +", "_x9(y)", "x.1", "f (x)", "f(a = 1)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const before = "a: #@ "
		var set source.Set
		file, err := set.Add("t.yml", []byte(before+text))
		if err != nil || strings.ContainsAny(text, "\n\r") {
			return
		}
		b := NewBuilder(file)
		fr := Piece(file, len(before), len(before)+len(text))
		if e := b.simpleExpr(fr); e != nil {
			want, err := b.enclosed(fr, "(")
			if err != nil {
				t.Fatalf("%q is parsed as %s, but the parser says %v", text, show(e), err)
			}
			if p, ok := want.(*syntax.ParenExpr); ok {
				want = p.X
			}
			if got, want := show(e), show(want); got != want {
				t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
			}
		}
		if args, ok := b.simpleArgs(fr); ok {
			want, err := b.enclosed(fr, "_(")
			if err != nil {
				t.Fatalf("%q: arguments are parsed, but the parser says %v", text, err)
			}
			if got, want := showAll(args), showAll(want.(*syntax.CallExpr).Args); got != want {
				t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
			}
		}
	})
}

func showAll(list []syntax.Expr) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(show(e) + ", ")
	}
	return b.String()
}

// show writes a tree with all its places.
func show(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Ident:
		return fmt.Sprintf("%s@%v", e.Name, e.NamePos)
	case *syntax.Literal:
		return fmt.Sprintf("%v %s %#v@%v", e.Token, e.Raw, e.Value, e.TokenPos)
	case *syntax.DotExpr:
		return fmt.Sprintf("(%s .@%v %s@%v)", show(e.X), e.Dot, show(e.Name), e.NamePos)
	case *syntax.CallExpr:
		return fmt.Sprintf("%s(@%v %s)@%v", show(e.Fn), e.Lparen, showAll(e.Args), e.Rparen)
	case *syntax.BinaryExpr:
		return fmt.Sprintf("(%s %v@%v %s)", show(e.X), e.Op, e.OpPos, show(e.Y))
	case *syntax.ParenExpr:
		return "(" + show(e.X) + ")"
	}
	return fmt.Sprintf("%T", e)
}
