package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// checkLoads finds unnecessary or misplaced loads.
func (f *file) checkLoads() {
	seen := map[string]*syntax.LoadStmt{}
	for _, l := range f.loads {
		f.unusedLoad(l)
		module := l.ModuleName()
		if first := seen[module]; first != nil {
			f.loadTwice(first, l)
		} else {
			seen[module] = l
			f.lateLoad(l)
		}
	}
}

// unusedLoad finds names that are loaded but not used.
func (f *file) unusedLoad(l *syntax.LoadStmt) {
	if f.isHalfRead() {
		return
	}
	var unused []int
	for i, to := range l.To {
		if !f.names.read(to) && !f.words[to.Name] {
			unused = append(unused, i)
		}
	}
	from, to := f.statementLine(l)
	for _, i := range unused {
		name := l.To[i]
		d := f.report(f.span(name), codeTemplateUnusedLoad, "'%s' is loaded and not used", name.Name)
		if from < 0 {
			continue
		}
		if len(unused) == len(l.To) {
			d.WithHint("remove the load")
			if i == unused[0] {
				d.Fix = &diag.Fix{Title: "remove the load", Edits: []diag.Edit{f.edit(from, to, "")}}
			}
			continue
		}
		d.WithHint("remove \"%s\" from the load", name.Name)
		d.Fix = f.dropArgument(l, i)
	}
}

// statementLine returns the line, with its line break, of a statement that is alone on it;
// otherwise from is negative.
func (f *file) statementLine(n syntax.Node) (from, to int) {
	start, end := n.Span()
	if start.Line != end.Line {
		return -1, -1
	}
	off := script.Span(f.File, start).Offset()
	from, to = f.wholeLine(off)
	before := strings.TrimSpace(string(f.File.Data()[from:off]))
	after := strings.TrimSpace(string(f.File.Data()[script.Span(f.File, end).Offset():to]))
	after = strings.TrimPrefix(after, ")") // the span of a load does not include its closing parenthesis
	if before != "" && before != "#@" || after != "" {
		return -1, -1
	}
	return from, to
}

// dropArgument removes a name from a load.
func (f *file) dropArgument(l *syntax.LoadStmt, i int) *diag.Fix {
	// The argument is "name" or to="from". The spans of both names are inside the quotes, which are
	// removed too.
	at := f.span(l.From[i])
	to := f.span(l.To[i])
	start := min(at.Offset(), to.Offset())
	end := max(at.End(), to.End())
	data := f.File.Data()
	for start > 0 && (data[start-1] == '"' || data[start-1] == '\'') {
		start--
	}
	for end < len(data) && (data[end] == '"' || data[end] == '\'') {
		end++
	}
	for start > 0 && (data[start-1] == ' ' || data[start-1] == ',') {
		start--
	}
	return &diag.Fix{
		Title: fmt.Sprintf("remove %q from the load", l.To[i].Name),
		Edits: []diag.Edit{f.edit(start, end, "")},
	}
}

// loadTwice reports a module that is loaded in two places.
func (f *file) loadTwice(first, second *syntax.LoadStmt) {
	d := f.report(f.span(second.Module), codeTemplateLoadTwice, "module '%s' is loaded twice",
		second.ModuleName()).
		WithRelated(f.span(first.Module), "it is loaded here, too").
		WithHint("load all names at once")
	from, to := f.statementLine(second)
	if a, _ := f.statementLine(first); from < 0 || a < 0 {
		return
	}
	var names strings.Builder
	have := map[string]bool{}
	for i := range first.To {
		have[first.To[i].Name] = true
	}
	for i, name := range second.To {
		switch {
		case have[name.Name]:
		case second.From[i].Name == name.Name:
			fmt.Fprintf(&names, ", %q", name.Name)
		default:
			fmt.Fprintf(&names, ", %s=%q", name.Name, second.From[i].Name)
		}
	}
	close := script.Span(f.File, first.Rparen).Offset()
	d.Fix = &diag.Fix{Title: "load all names at once", Edits: []diag.Edit{
		f.edit(close, close, names.String()), f.edit(from, to, ""),
	}}
}

// lateLoad finds a load after the first node.
func (f *file) lateLoad(l *syntax.LoadStmt) {
	if f.Tree == nil || f.Tree.Len() < 2 {
		return
	}
	at := f.span(l)
	first := f.Tree.Start(f.Tree.Root(f.Tree.First())).Offset()
	if at.Offset() < first {
		return
	}
	d := f.report(at, codeTemplateLateLoad, "`load` comes after the first node").
		WithHint("put it at the top of the file")
	if from, to := f.statementLine(l); from > 0 {
		line := strings.TrimLeft(string(f.File.Data()[from:to]), " \t")
		if !strings.HasSuffix(line, "\n") {
			line += "\n"
		}
		d.Fix = &diag.Fix{Title: "move it to the first line", Edits: []diag.Edit{
			f.edit(0, 0, line), f.edit(from, to, ""),
		}}
	}
}

// checkNames finds variables and functions that nothing uses.
func (f *file) checkNames() {
	if f.isForOthers() || f.isHalfRead() {
		return
	}
	for _, s := range f.sets {
		id, ok := s.LHS.(*syntax.Ident)
		if !ok || s.Op != syntax.EQ || f.isUsed(id) {
			continue
		}
		f.reportIf(condition{notLoaded: id.Name}, f.span(id), codeTemplateUnusedVariable,
			"variable '%s' is never read", id.Name).
			WithHint("remove it; a name that begins with _ is not reported")
	}
	for _, d := range f.defs {
		if !f.isUsed(d.Name) {
			f.reportIf(condition{notLoaded: d.Name.Name}, f.span(d.Name), codeTemplateUnusedFunction,
				"function '%s' is never called and no input loads it", d.Name.Name).
				WithHint("remove it; a name that begins with _ is not reported")
		}
	}
}

// isForOthers reports whether the file is a module, or part of a library. Files that are not among the
// inputs may use its names, and modules that projects copy from each other have more than one needs.
func (f *file) isForOthers() bool {
	name := f.File.Name()
	return f.Kind == compile.Starlark || strings.Contains(path.Base(name), ".lib.") || libraryOf(name) != ""
}

// isHalfRead reports whether the file has an error after which code may be left out that uses names.
func (f *file) isHalfRead() bool {
	return slices.ContainsFunc(f.Errors, func(d *diag.Diagnostic) bool {
		return d.Code != script.CodeUndefined && d.Code != yaml.CodeDuplicate
	})
}

// isUsed reports whether a name is used in its file.
func (f *file) isUsed(id *syntax.Ident) bool {
	return strings.HasPrefix(id.Name, "_") || strings.HasPrefix(id.Name, "·") ||
		f.names.read(id) || f.words[id.Name]
}

// checkExpressions finds expressions that can be written better.
func (f *file) checkExpressions() {
	for _, b := range f.binary {
		switch b.Op {
		case syntax.EQL, syntax.NEQ:
			f.compared(b)
		case syntax.PLUS:
			f.concatenated(b)
		case syntax.OR:
			f.required(b)
		}
	}
	for _, c := range f.calls {
		f.called(c)
	}
}

// compared finds comparisons with True, False and the empty string.
func (f *file) compared(b *syntax.BinaryExpr) {
	for _, pair := range [][2]syntax.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x, y := pair[0], pair[1]
		if id, ok := y.(*syntax.Ident); ok && (id.Name == "True" || id.Name == "False") {
			f.comparedBool(b, x, id.Name == "True")
			return
		}
		if s, ok := script.StringOf(y); ok && s == "" && isValue(x) {
			f.report(f.span(b), codeSchemaEmptyAsUnset, "'%s' is compared with the empty string to "+
				"find out whether it is set", strings.Join(script.PathOf(x), ".")).
				WithHint("declare it with `#@schema/nullable`, and compare with None")
			return
		}
	}
}

func (f *file) comparedBool(b *syntax.BinaryExpr, x syntax.Expr, value bool) {
	text := f.text(f.span(x))
	want := text
	if value == (b.Op == syntax.NEQ) {
		want = "not " + text
	}
	at := f.span(b)
	d := f.report(at, codeTemplateCompareBool, "a boolean is compared with `%v`",
		map[bool]string{true: "True", false: "False"}[value]).WithHint("write `%s`", want)
	if _, simple := x.(*syntax.BinaryExpr); !simple && at.Len > 1 {
		d.Fix = &diag.Fix{Title: "write " + want, Edits: []diag.Edit{f.edit(at.Offset(), at.End(), want)}}
	}
}

// concatenated finds `"a" + str(x)`, unless more is added to it.
func (f *file) concatenated(b *syntax.BinaryExpr) {
	if f.joined[b] {
		return
	}
	call, ok := b.Y.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || !isPath(call.Fn, "str") {
		return
	}
	s, ok := script.StringOf(b.X)
	if !ok {
		return
	}
	at := f.span(b)
	d := f.report(at, codeTemplateStrConcat, "a string is joined with str()").
		WithHint("use format: \"%s{}\".format(%s)", s, f.text(f.span(call.Args[0])))
	raw := b.X.(*syntax.Literal).Raw
	if at.Len > 1 && !strings.ContainsAny(s, "{}") && (raw[0] == '"' || raw[0] == '\'') &&
		!strings.HasPrefix(raw, `"""`) && !strings.HasPrefix(raw, `'''`) {
		text := raw[:len(raw)-1] + "{}" + raw[len(raw)-1:] + ".format(" + f.text(f.span(call.Args[0])) + ")"
		d.Fix = &diag.Fix{Title: "use format", Edits: []diag.Edit{f.edit(at.Offset(), at.End(), text)}}
	}
}

// required finds `data.values.x or assert.fail("required")`, except in code that does not always run.
func (f *file) required(b *syntax.BinaryExpr) {
	call, ok := b.Y.(*syntax.CallExpr)
	if ok && isPath(call.Fn, "assert.fail") && isValue(b.X) && !f.sometimes[b] {
		f.reportIf(f.isCertain(script.PathOf(b.X)[2:]), f.span(b), codeSchemaAssertRequired,
			"'%s' is checked where it is used", strings.Join(script.PathOf(b.X), ".")).
			WithHint("require it in the schema: `#@schema/validation min_len=1`; then it is checked " +
				"even if nothing uses it")
	}
}

// hasattr finds hasattr calls about data values that a schema declares.
func (f *file) hasattr(c *syntax.CallExpr) {
	p := script.PathOf(c.Args[0])
	if len(c.Args) != 2 || len(p) < 2 || p[0] != "data" || p[1] != "values" {
		return
	}
	name, ok := script.StringOf(c.Args[1])
	if full := append(p[2:], name); ok {
		f.reportIf(f.isCertain(full), f.span(c), codeTemplateHasattrValues,
			"hasattr is always true here: the schema declares data value %s", strings.Join(full, ".")).
			WithHint("remove it, and compare the value with None or its default if it may be unset")
	}
}

// called finds calls that hide from weft which data values are read.
func (f *file) called(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	arg := c.Args[0]
	switch name := strings.Join(script.PathOf(c.Fn), "."); name {
	case "hasattr":
		f.hasattr(c)
	case "yaml.decode", "json.decode":
		inner, ok := arg.(*syntax.CallExpr)
		if ok && isPath(inner.Fn, strings.Replace(name, "decode", "encode", 1)) {
			f.report(f.span(c), codeTemplateYamlRoundTrip, "a value is written as text and read again").
				WithHint("use the value itself; to change a copy of it, build a new one or use an overlay")
		}
	case "yaml.encode", "json.encode", "toml.encode":
		if isPath(arg, "data.values") {
			f.report(f.span(c), codeTemplateEncodeAll, "all data values are written at once: weft cannot "+
				"tell which of them matter here").
				WithHint("write the values that are needed, such as data.values.app")
		}
	}
}
