package index

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// signature returns the parameters of a function as they are written.
func signature(f *source.File, def *syntax.DefStmt) string {
	var params []string
	for _, p := range def.Params {
		start, end := script.Extent(p)
		if start.Line <= 0 || end.Line <= 0 {
			params = append(params, "…")
			continue
		}
		from, to := script.Span(f, start).Offset(), script.Span(f, end).Offset()
		params = append(params, string(f.Data()[from:max(from, to)]))
	}
	return "(" + strings.Join(params, ", ") + ")"
}

// docOf returns the documentation of a function: the comments above it, or else its docstring.
func docOf(f *source.File, def *syntax.DefStmt) string {
	if doc := commentsAbove(f, int(def.Name.NamePos.Line)); doc != "" || len(def.Body) == 0 {
		return doc
	}
	if x, ok := def.Body[0].(*syntax.ExprStmt); ok {
		text, _ := script.StringOf(x.X)
		return text
	}
	return ""
}

// commentsAbove returns the lines of comments directly above a line.
func commentsAbove(f *source.File, line int) string {
	var lines []string
	for n := line - 1; n >= 1; n-- {
		text := strings.TrimSpace(string(f.Text(n)))
		rest, ok := strings.CutPrefix(text, "#")
		if !ok || strings.HasPrefix(rest, "@") {
			break
		}
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(rest, "!")))
	}
	slices.Reverse(lines)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
