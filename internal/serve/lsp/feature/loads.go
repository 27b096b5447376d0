package feature

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// loadLead returns the text before a load statement on its line. It returns false for text templates.
func loadLead(doc *workspace.TextDocument) (string, bool) {
	switch doc.Kind() {
	case compile.Starlark:
		return "", true
	case compile.YAML:
		return "#@ ", true
	}
	return "", false
}

// loadEdit returns the edit that loads a name for code at an offset: in a load statement of the same module,
// below the others, or at the beginning. It returns nil in text templates.
func loadEdit(doc *workspace.TextDocument, off int) func(module, name string) protocol.TextEdit {
	lead, ok := loadLead(doc)
	if !ok {
		return nil
	}
	f, name := doc.File(), inputName(doc)
	line := 1
	ends := map[string]int{} // where the paths of modules end, after their quotes
	for _, p := range doc.FileIndex(doc.Analysis()).Paths {
		if p.Kind == index.Module && p.At.End < off {
			line = max(line, f.Line(p.At.Start)+1)
			ends[fromRoot(name, p.Text)] = p.At.End + 1
		}
	}
	return func(module, name string) protocol.TextEdit {
		at, text := f.Offset(line, 1, 0), lead+`load("`+module+`", "`+name+"\")"+newline(f)
		if end, ok := ends[fromRoot(name, module)]; ok {
			at, text = end, `, "`+name+`"`
		}
		return protocol.TextEdit{Range: doc.Mapper().Range(at, at), NewText: text}
	}
}

// inputName returns the path by which templates know a document.
func inputName(doc *workspace.TextDocument) string {
	if _, src, err := doc.Index(doc.Context(), false); err == nil && src != nil && src.Input != "" {
		return src.Input
	}
	return doc.File().Name()
}

// fromRoot returns the module that a file loads, with its path from the root.
func fromRoot(file, module string) string {
	if strings.HasPrefix(module, "@") || strings.HasPrefix(module, "/") {
		return module
	}
	return path.Join("/", path.Dir(file), module)
}

// loadStatement matches a hint to load a name from an existing file.
var loadStatement = lazy.Regexp{
	Text: "^(?:load it first: |write `[\\w.]+`, and load (?:it|the module): )(?:#@ )?`?" +
		`load\("([^"\\]+)", "([^"]+)"\)`,
}

// written matches what a hint proposes to write instead of a name.
var written = lazy.Regexp{Text: "^write `([\\w.]+)`, and load "}

// addLoad loads the missing name that the hint mentions, and writes it as the hint says.
func addLoad(doc *workspace.TextDocument, x report.Finding) []repair {
	m := loadStatement.Get().FindStringSubmatch(x.Of.Hint)
	f := fileAt(x)
	if m == nil || f == nil || !doc.Is(f) || !f.SameText(doc.File()) {
		return nil
	}
	edit := loadEdit(doc, x.Of.At.Offset())
	if edit == nil {
		return nil
	}
	r := repair{title: "load " + m[2] + " from " + m[1], edits: workspace.Edits{}, likely: true}
	if text := written.Get().FindStringSubmatch(x.Of.Hint); text != nil {
		r.title = "write " + text[1] + ", and " + r.title
		at := x.Of.Marked(x.Files)
		was := string(f.Data()[at.Offset():at.End()])
		r.likely = text[1] == was || strings.HasSuffix(text[1], "."+was) // not a similar name
		if !r.edits.Add(doc.Snapshot(), f, at.Offset(), at.End(), text[1]) {
			return nil
		}
	}
	r.edits[doc.Path()] = append(r.edits[doc.Path()], edit(m[1], m[2]))
	return []repair{r}
}

// organizeLoads returns an action that sorts the load statements at the beginning of a document: modules
// of weft, then libraries, then files. It removes unused names, and joins statements for the same
// module. It returns nil if there is nothing to do.
func organizeLoads(ctx context.Context, doc *workspace.TextDocument) *protocol.CodeAction {
	lead, ok := loadLead(doc)
	if !ok || len(doc.Analysis().Errors) > 0 {
		return nil
	}
	_, src, err := doc.Index(ctx, true)
	if err != nil {
		return nil
	}
	f := doc.File()
	first, last := 0, 0 // lines of the first and the last statement
	for n := 1; n <= f.Lines(); n++ {
		line := strings.TrimSpace(string(f.Text(n)))
		code, ok := strings.CutPrefix(line, strings.TrimSpace(lead))
		if ok = ok && strings.HasPrefix(strings.TrimSpace(code), "load("); !ok && first > 0 {
			break
		}
		if ok && !strings.HasSuffix(line, ")") {
			return nil // it continues on the next line, or has a comment
		}
		if ok {
			first, last = cmp.Or(first, n), n
		}
	}
	if first == 0 {
		return nil
	}
	start, end := f.Offset(first, 1, 0), len(f.Data())
	if last < f.Lines() {
		end = f.Offset(last+1, 1, 0)
	}
	text := organized(src.File, start, end, lead, newline(f))
	if text == string(f.Data()[start:end]) {
		return nil
	}
	edits := workspace.Edits{doc.Path(): {{Range: doc.Mapper().Range(start, end), NewText: text}}}
	return &protocol.CodeAction{
		Title: "Organize load statements", Kind: protocol.Organize, Edit: edits.Workspace(doc.Snapshot()),
	}
}

// organized returns the load statements between two offsets, sorted.
func organized(file *index.File, start, end int, lead, newline string) string {
	used := map[index.ID]bool{}
	for _, n := range file.Names {
		used[n.Binding] = used[n.Binding] || !n.Bound && !n.Module
	}
	names := map[string][]string{} // names as they are written, by module
	for id, b := range file.Bindings {
		if b.Kind != index.Loaded || b.At.Start < start || b.At.Start >= end || !used[index.ID(id)] {
			continue
		}
		name := `"` + b.From + `"`
		if b.Name != b.From {
			name = b.Name + "=" + name
		}
		if !slices.Contains(names[b.Module], name) {
			names[b.Module] = append(names[b.Module], name)
		}
	}
	modules := make([]string, 0, len(names))
	for m, list := range names {
		modules = append(modules, m)
		// Starlark requires names before aliases, and `"` sorts before letters.
		slices.Sort(list)
	}
	slices.SortFunc(modules, func(a, b string) int {
		return cmp.Or(rankOfModule(a)-rankOfModule(b), strings.Compare(a, b))
	})
	var out strings.Builder
	for _, m := range modules {
		out.WriteString(lead + `load("` + m + `", ` + strings.Join(names[m], ", ") + ")" + newline)
	}
	return out.String()
}

// rankOfModule returns the rank of the kind of a module.
func rankOfModule(m string) int {
	switch {
	case strings.HasPrefix(m, "@ytt:"):
		return 0
	case strings.HasPrefix(m, "@"):
		return 1
	}
	return 2
}
