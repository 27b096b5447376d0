package lint

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/yaml"
)

// checkAnnotations finds annotations that are too broad or redundant.
func (f *file) checkAnnotations() {
	for i := range f.annotations {
		a := &f.annotations[i]
		switch a.Name {
		case "overlay/match":
			f.checkMatch(a)
		case "schema/any-of":
			f.checkAnyOf(a)
		case "schema/type":
			if v, _, _ := a.keyword("any"); isTrue(v) {
				f.report(a.At, codeSchemaAny, "any value is accepted here, so nothing below is checked").
					WithHint("declare the keys; use `any=True` only for what others define")
			}
		}
	}
	f.missingOkRuns()
}

// isTrue reports whether an expression is True.
func isTrue(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == "True"
}

// checkMatch checks the arguments of an overlay/match.
func (f *file) checkMatch(a *annotation) {
	by, _, _ := a.keyword("by")
	expects, from, to := a.keyword("expects")
	missing, _, _ := a.keyword("missing_ok")
	when, _, _ := a.keyword("when")
	if by != nil && isPath(by, "overlay.all") && expects == nil && missing == nil && when == nil {
		f.report(a.At, codeOverlayAllExpectsOne, "`by=overlay.all` matches everything, but exactly one "+
			"match is expected").
			WithHint("add expects=\"1+\", or \"0+\" if there may be none")
	}
	if lit, ok := expects.(*syntax.Literal); ok && lit.Raw == "1" && len(a.args) > 1 {
		d := f.report(f.File.Span(from, to), codeOverlayDefaultArgument, "`expects=1` is the default").
			WithHint("remove it")
		d.Fix = &diag.Fix{Title: "remove it", Edits: []diag.Edit{f.withoutArgument(a, from, to)}}
	}
	if call, ok := by.(*syntax.CallExpr); ok && len(call.Args) == 1 {
		f.checkMatcher(a, call)
	}
	if lambda, ok := by.(*syntax.LambdaExpr); ok {
		if matcher := plainMatcher(lambda); matcher != "" {
			f.report(a.At, codeOverlayLambda, "a function compares what a matcher can").
				WithHint("write by=%s", matcher)
		}
	}
}

// checkMatcher checks the matcher of an overlay/match.
func (f *file) checkMatcher(a *annotation, call *syntax.CallExpr) {
	if a.Owner == yaml.NoOwner {
		return
	}
	document := f.Tree.Kind(a.Owner) == yaml.Document
	switch {
	case document && isPath(call.Fn, "overlay.subset") && namesOnly(call.Args[0]):
		f.report(a.At, codeOverlayNameOnly, "a document is matched by its name alone: other kinds may have "+
			"the same name").WithHint("add the kind: overlay.subset({\"kind\": …, \"metadata\": …})")
	case !document && isPath(call.Fn, "overlay.index") && f.Tree.Kind(a.Owner) == yaml.Mapping:
		f.report(a.At, codeOverlayByIndex, "an item is matched by its position, which changes when others are "+
			"added").WithHint("if the items have a name, write by=\"name\" and the name in the item")
	}
}

// namesOnly reports whether a dict matches only the name, and perhaps the namespace, of an object.
func namesOnly(e syntax.Expr) bool {
	d, ok := e.(*syntax.DictExpr)
	if !ok || len(d.List) != 1 {
		return false
	}
	meta := d.List[0].(*syntax.DictEntry)
	if key, ok := script.StringOf(meta.Key); !ok || key != "metadata" {
		return false
	}
	inner, ok := meta.Value.(*syntax.DictExpr)
	if !ok {
		return false
	}
	named := false
	for _, x := range inner.List {
		switch key, _ := script.StringOf(x.(*syntax.DictEntry).Key); key {
		case "name":
			named = true
		case "namespace":
		default:
			return false
		}
	}
	return named
}

// withoutArgument removes an argument and an adjacent comma.
func (f *file) withoutArgument(a *annotation, from, to int) diag.Edit {
	data := f.File.Data()
	end := a.from + len(a.text)
	for to < end && (data[to] == ' ' || data[to] == ',') {
		to++
	}
	if to == end { // the argument is the last one
		for from > a.from && (data[from-1] == ' ' || data[from-1] == ',') {
			from--
		}
	}
	return f.edit(from, to, "")
}

// plainMatcher returns the matcher equivalent to a function that compares a key of both sides, or a
// key of the left side with a constant.
func plainMatcher(l *syntax.LambdaExpr) string {
	b, ok := l.Body.(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.EQL || len(l.Params) != 3 {
		return ""
	}
	name := func(i int) string {
		id, ok := l.Params[i].(*syntax.Ident)
		if !ok {
			return ""
		}
		return id.Name
	}
	x, y := script.PathOf(b.X), script.PathOf(b.Y)
	if len(x) != 2 || x[0] != name(1) {
		return ""
	}
	if len(y) == 2 && y[0] == name(2) && y[1] == x[1] {
		return `"` + x[1] + `"`
	}
	if lit, ok := b.Y.(*syntax.Literal); ok {
		return `overlay.subset({"` + x[1] + `": ` + lit.Raw + `})`
	}
	return ""
}

// missingOkRuns finds maps with three or more keys that all have missing_ok=True. All values are scalars:
// defaults on the map would apply to everything below, too.
func (f *file) missingOkRuns() {
	if f.Tree == nil {
		return
	}
	alone := map[yaml.NodeID]*annotation{}
	merged := map[yaml.NodeID]bool{} // documents that are merged into others
	for i := range f.annotations {
		a := &f.annotations[i]
		if a.Name == "overlay/match" || a.Name == compile.ValuesAnnotation {
			merged[a.Owner] = true
		}
		v, _, _ := a.keyword("missing_ok")
		if a.Name == "overlay/match" && len(a.args) == 1 && isTrue(v) && a.Owner != yaml.NoOwner {
			alone[a.Owner] = a
		}
	}
	if len(alone) < 3 {
		return
	}
	inside := yaml.NodeID(0) // the end of the current such document
	f.eachNode(func(n yaml.NodeID) {
		switch {
		case merged[n] && f.Tree.Kind(n) == yaml.Document:
			inside = f.Tree.Next(n)
			return
		case n >= inside || f.Tree.Kind(n) != yaml.Mapping:
			return
		}
		var run []*annotation
		for key, value := range f.Tree.Pairs(n) {
			a := alone[key]
			if a == nil || f.Tree.Kind(value) != yaml.Scalar {
				return
			}
			run = append(run, a)
		}
		if len(run) >= 3 {
			d := f.report(run[0].At, codeOverlayMissingOkRun, "%d keys of one map have `missing_ok=True` each",
				len(run)).WithHint("put `#@overlay/match-child-defaults missing_ok=True` above the map")
			d.Fix = f.childDefaults(n, run)
		}
	})
}

// childDefaults replaces the annotations of the keys of a map with one above the map.
func (f *file) childDefaults(n yaml.NodeID, run []*annotation) *diag.Fix {
	owner := n - 1 // the key of the map
	if n < 2 || !f.Tree.IsItem(owner) || f.Tree.Kind(owner) != yaml.Scalar ||
		f.Tree.Next(owner) != n {
		return nil
	}
	from, _ := f.wholeLine(f.Tree.Start(owner).Offset())
	lead := f.File.Data()[from:f.Tree.Start(owner).Offset()]
	if len(strings.TrimSpace(string(lead))) > 0 {
		return nil
	}
	fix := &diag.Fix{Title: "use match-child-defaults", Edits: []diag.Edit{
		f.edit(from, from, string(lead)+"#@overlay/match-child-defaults missing_ok=True\n"),
	}}
	for _, a := range run {
		start, end := f.wholeLine(a.At.Offset())
		if strings.TrimSpace(string(f.File.Data()[start:a.At.Offset()])) != "" {
			return nil
		}
		fix.Edits = append(fix.Edits, f.edit(start, end, ""))
	}
	return fix
}

// eachMapping calls visit for each mapping.
func (f *file) eachMapping(visit func(yaml.NodeID)) {
	f.eachNode(func(n yaml.NodeID) {
		if f.Tree.Kind(n) == yaml.Mapping {
			visit(n)
		}
	})
}

// eachNode calls visit for each node, parents first.
func (f *file) eachNode(visit func(yaml.NodeID)) {
	for n := f.Tree.First(); f.Tree.More(n); n++ {
		visit(n)
	}
}
