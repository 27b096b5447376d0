package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/engine/shortcut"
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
	if len(f.all.Vendored) > 0 {
		f.portableLibraries()
	}
}

// portableLibraries reports the use of vendored sources as libraries.
func (f *file) portableLibraries() {
	for _, l := range f.loads {
		name, _, isLibrary := strings.Cut(l.ModuleName(), ":")
		if name, found := strings.CutPrefix(name, "@"); found && isLibrary {
			f.portableLibrary(l.Module, name)
		}
	}
	for _, c := range f.calls {
		if !isPath(c.Fn, "library.get") || len(c.Args) == 0 {
			continue
		}
		if arg, ok := c.Args[0].(*syntax.Literal); ok {
			if name, ok := arg.Value.(string); ok {
				f.portableLibrary(arg, strings.TrimPrefix(name, "@"))
			}
		}
	}
}

// portableLibrary reports the name of a library if it is that of a vendored source, unless a private
// library beside the file has it, too.
func (f *file) portableLibrary(at syntax.Node, name string) {
	first, _, _ := strings.Cut(name, "/")
	i := slices.IndexFunc(f.all.Vendored, func(l load.Library) bool { return l.Name == first })
	if i < 0 {
		return
	}
	beside := path.Join(path.Dir(f.File.Name()), "_ytt_lib", name) + "/"
	if slices.ContainsFunc(f.all.Files, func(x *compile.Analysis) bool {
		return strings.HasPrefix(x.File.Name(), beside)
	}) {
		return
	}
	f.report(f.span(at), codeTemplatePortable, "ytt does not know vendored sources as libraries: '%s'", name).
		WithHint("for ytt, copy '%s' to '_ytt_lib/%s' beside this file", f.all.Vendored[i].Dir, first)
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

// portableShortcuts reports the short cuts of weft.yml, each with the overlay that does the same.
func portableShortcuts(s *engine.Session) (list diag.List) {
	c := s.Shortcuts()
	if c.IsZero() {
		return nil
	}
	for _, x := range c.Entries() {
		list = append(list, diag.Warningf(s.PlaceOf(x.At), codeTemplatePortable,
			"ytt does not know short cuts: %s", x.Path()).WithHint("for ytt, %s", insteadOf(x)))
	}
	return list
}

// insteadOf returns what to write for ytt instead of a short cut.
func insteadOf(x *shortcut.Entry) string {
	switch x.Key {
	case "images":
		return "write an overlay of each container that replaces `image`"
	case "replicas":
		return fmt.Sprintf("write an overlay of the object '%s' that sets `spec.replicas`", x.Name)
	case "namespace":
		return "write an overlay that sets `metadata.namespace` of all kinds that have one"
	}
	return fmt.Sprintf("write an overlay of all documents that sets `metadata.%s`, and another of pod templates",
		x.Key)
}

func (f *file) portable(at source.Span, what string, x tree.Extension) *diag.Diagnostic {
	return f.report(at, codeTemplatePortable, "ytt does not know %s", what).
		WithHint("for ytt, %s", x.Instead)
}
