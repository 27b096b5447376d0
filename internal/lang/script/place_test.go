package script

import (
	"testing"

	"go.starlark.net/syntax"
)

// Expressions end after their last character, also if that is a bracket.
func TestExtent(t *testing.T) {
	for _, text := range []string{
		"a", "1", "a.b", "f(x)", "[1]", "{}", "(a)", "a[0]", "a[1:]", "()", "(1, 2)", "1, a[0]", "a == b[0]",
		"not a[0]", "1 if a else b[0]", "lambda: a[0]", "lambda *, k: k", "-a[0][1]", `"x" + s[:2]`, "[x for x in a]",
	} {
		e, err := Options().ParseExpr("", text, 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if start, end := Extent(e); int(end.Col) != len(text)+1 || start.Col != 1 {
			t.Errorf("%s: from column %d to %d, want 1 and %d", text, start.Col, end.Col, len(text)+1)
		}
	}
	f, err := Options().Parse("", "x = a[0]\na[1]\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int32{9, 5} {
		if _, end := Extent(f.Stmts[i]); end.Col != want {
			t.Errorf("statement %d ends at %d, want %d", i+1, end.Col, want)
		}
	}
	call, _ := Options().ParseExpr("", "f(*a, k=d[0])", 0)
	last := call.(*syntax.CallExpr).Args[1]
	if _, end := Extent(last); end.Col != 13 {
		t.Errorf("the last argument ends at %d", end.Col)
	}
}
