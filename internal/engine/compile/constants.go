package compile

import (
	"bytes"
	"fmt"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
)

// This file finds `"A" or "B"`, which is always "A", and `x == "A" or "B"`, which is always true.
// Their authors mean either of the two strings.

// constants looks for such expressions. It only walks files with a string after an `or`, which are
// few.
func (c *compiler) constants(stmts []syntax.Stmt) {
	if !hasStringAfterOr(c.unit.File.Data()) {
		return
	}
	f := constantFinder{c: c, below: map[syntax.Expr]bool{}}
	for _, s := range stmts {
		syntax.Walk(s, f.find)
	}
	c.unit.Warnings.Sort()
}

// hasStringAfterOr reports whether data contains `or "` or `or '`.
func hasStringAfterOr(data []byte) bool {
	const or = "or "
	for {
		i := bytes.Index(data, []byte(or))
		if i < 0 {
			return false
		}
		data = data[i+len(or):]
		if len(data) > 0 && (data[0] == '"' || data[0] == '\'') {
			return true
		}
	}
}

type constantFinder struct {
	c     *compiler
	path  []syntax.Node        // from the statement to the current node
	below map[syntax.Expr]bool // expressions reported as part of a larger one
}

func (f *constantFinder) find(n syntax.Node) bool {
	if n == nil {
		f.path = f.path[:len(f.path)-1]
		return true
	}
	f.path = append(f.path, n)
	e, ok := n.(*syntax.BinaryExpr)
	if !ok || e.Op != syntax.OR || f.below[e] {
		return true
	}
	of := f.operands(e)
	first, others := of[0], of[1:]
	for _, x := range others {
		if !isText(x) {
			return true
		}
	}
	if isText(first) {
		f.warn(
			e,
			fmt.Sprintf(
				"`or` between strings gives the first of them, %s, and the others are ignored",
				f.text(first),
			),
			f.eachInCall(e, of),
		)
	} else if eq, ok := first.(*syntax.BinaryExpr); ok && eq.Op == syntax.EQL && isText(eq.Y) {
		f.warn(e, fmt.Sprintf("`or` does not compare the string after it, which is always "+
			"true: %s", f.text(others[0])),
			fmt.Sprintf("write `%s in [%s, %s]`", f.text(eq.X), f.text(eq.Y), f.texts(others)))
	}
	return true
}

func (f *constantFinder) warn(e *syntax.BinaryExpr, message, hint string) {
	at := script.Span(f.c.unit.File, e.OpPos)
	f.c.warn(
		diag.Warningf(at.To(at.Offset()+len("or")), CodeConstant, "%s", message).
			WithHint("%s", hint),
	)
}

// operands returns the operands of a chain of `or`s, from left to right.
func (f *constantFinder) operands(e syntax.Expr) []syntax.Expr {
	if b, ok := e.(*syntax.BinaryExpr); ok && b.Op == syntax.OR {
		f.below[b] = true
		return append(f.operands(b.X), f.operands(b.Y)...)
	}
	return []syntax.Expr{e}
}

// eachInCall returns the hint for strings in the arguments of a matcher: write one matcher for each
// string.
func (f *constantFinder) eachInCall(e *syntax.BinaryExpr, of []syntax.Expr) string {
	for _, n := range f.path {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			continue
		}
		if dot, ok := call.Fn.(*syntax.DotExpr); !ok || dot.Name.Name != "subset" {
			continue
		}
		whole, part := f.text(call), f.text(e)
		before, after, ok := strings.Cut(whole, part)
		if !ok {
			break
		}
		each := make([]string, len(of))
		for i, x := range of {
			each[i] = before + f.text(x) + after
		}
		return fmt.Sprintf(
			"write `%s.or_op(%s)`",
			f.text(call.Fn.(*syntax.DotExpr).X),
			strings.Join(each, ", "),
		)
	}
	return fmt.Sprintf("keep the one you want; to test whether x is one of them, write `x in "+
		"[%s]`", f.texts(of))
}

func (f *constantFinder) text(e syntax.Expr) string { return f.c.codeOf(e) }

func (f *constantFinder) texts(of []syntax.Expr) string {
	texts := make([]string, len(of))
	for i, x := range of {
		texts[i] = f.text(x)
	}
	return strings.Join(texts, ", ")
}

// isText reports whether an expression is a string that is true as a condition.
func isText(e syntax.Expr) bool {
	s, _ := script.StringOf(e)
	return s != ""
}
