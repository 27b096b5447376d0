package lint

import (
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// checkPortable finds what ytt does not support.
func (f *file) checkPortable() {
	for _, x := range tree.Extensions() {
		for i := range f.annotations {
			f.portableAnnotation(&f.annotations[i], x)
		}
		for _, c := range f.calls {
			f.portableCall(c, x)
		}
	}
}

// portableAnnotation reports an annotation that is an extension of weft, or that has such a keyword.
// Its arguments may also call functions that are extensions.
func (f *file) portableAnnotation(a *annotation, x tree.Extension) {
	if a.Name == x.Name {
		if x.Keyword == "" {
			f.portable(a.At.To(a.At.Offset()+len("#@")+len(a.Name)), "@"+x.Name, x)
		} else if v, from, to := a.keyword(x.Keyword); v != nil {
			f.portable(f.File.Span(from, to), x.Keyword+"= of @"+x.Name, x)
		}
	}
	for _, arg := range a.args {
		syntax.Walk(arg, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && isPath(c.Fn, x.Name) {
				start, end := c.Fn.Span()
				f.portable(f.File.Span(a.offset(start), a.offset(end)), x.Name+"()", x)
			}
			return true
		})
	}
}

// portableCall reports a call of a function that is an extension.
func (f *file) portableCall(c *syntax.CallExpr, x tree.Extension) {
	if x.Keyword == "" && isPath(c.Fn, x.Name) {
		f.portable(f.span(c.Fn), x.Name+"()", x)
	}
}

func (f *file) portable(at source.Span, what string, x tree.Extension) *diag.Diagnostic {
	return f.report(at, codeTemplatePortable, "ytt does not know %s", what).
		WithHint("for ytt, %s", x.Instead)
}
