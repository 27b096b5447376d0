package feature

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/engine/eval/modules"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// modules completes the module of a load statement: those of the standard library, files that can be
// loaded, and files of private libraries and of vendored sources.
func (c *completion) modules(typed string) {
	for _, name := range moduleNames() {
		if text := "@ytt:" + name; strings.HasPrefix(text, typed) {
			c.add(0, len(typed), text, protocol.CompletionItem{Kind: protocol.CompleteModule})
		}
	}
	c.vendoredFiles(typed)
	all, here := c.index()
	if all == nil {
		return
	}
	dir := path.Dir(here.Input)
	for _, f := range all.Sources {
		if !f.Loadable || f == here {
			continue
		}
		if text := loadPath(dir, f.Input); text != "" && strings.HasPrefix(text, typed) {
			c.add(1, len(typed), text, protocol.CompletionItem{Kind: protocol.CompleteFile})
		}
	}
}

// moduleNames returns the modules of the standard library.
func moduleNames() []string {
	var names []string
	for _, f := range modules.Functions() {
		if !slices.Contains(names, f.Module) {
			names = append(names, f.Module)
		}
	}
	return names
}

// loadPath returns the path with which a file in a folder loads another, or "" if it cannot.
func loadPath(dir, file string) string {
	const private = "_ytt_lib/"
	rest := file
	if dir != "." {
		var ok bool
		if rest, ok = strings.CutPrefix(file, dir+"/"); !ok {
			if strings.Contains(file, private) {
				return ""
			}
			return "/" + file
		}
	}
	if lib, ok := strings.CutPrefix(rest, private); ok {
		name, file, ok := strings.Cut(lib, "/")
		if !ok || strings.Contains(file, private) {
			return ""
		}
		return "@" + name + ":" + file
	}
	if strings.Contains(rest, private) {
		return ""
	}
	return rest
}

// loadable completes a name of a module.
func (c *completion) loadable(module, typed string) {
	if name, ok := strings.CutPrefix(module, "@ytt:"); ok {
		if slices.Contains(moduleNames(), name) {
			c.add(0, len(typed), name, protocol.CompletionItem{Kind: protocol.CompleteModule})
		}
		return
	}
	all, here := c.index()
	if all == nil {
		return
	}
	from := all.Find(here, module)
	if from == nil {
		return
	}
	for _, d := range defsOf(from.File) {
		if !strings.HasPrefix(d.name, "_") { // such names cannot be loaded
			c.add(0, len(typed), d.name, defItem(d))
		}
	}
}

// defItem returns a function or variable as an item.
func defItem(d def) protocol.CompletionItem {
	item := protocol.CompletionItem{Kind: protocol.CompleteVariable, Detail: d.params}
	if d.isFunc {
		item.Kind = protocol.CompleteFunction
	}
	if d.doc != "" {
		item.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: d.doc}
	}
	return item
}

// members completes the word after a dot: a data value, or a name of a module.
func (c *completion) members(base, typed string) {
	names := chainNames(base)
	if module := c.moduleNamed(names[0]); module != "" {
		if module == "data" && len(names) > 1 && names[1] == "values" {
			c.dataValues(names[2:], typed)
			return
		}
		if len(names) == 1 {
			c.moduleMembers(module, typed)
		}
		return
	}
	if path, ok := c.alias(names); ok {
		c.dataValues(path, typed)
	}
}

// chainNames returns the parts of `a.b["c"][i]`: a, b, c, and "" for an index that is computed.
func chainNames(chain string) []string {
	var names []string
	for chain != "" {
		switch {
		case chain[0] == '.':
			chain = chain[1:]
		case strings.HasPrefix(chain, `["`):
			name, rest, _ := strings.Cut(chain[2:], `"]`)
			names, chain = append(names, name), rest
		case chain[0] == '[':
			_, rest, _ := strings.Cut(chain, "]")
			names, chain = append(names, ""), rest
		default:
			end := strings.IndexAny(chain, ".[")
			if end < 0 {
				end = len(chain)
			}
			names, chain = append(names, chain[:end]), chain[end:]
		}
	}
	return names
}

// moduleNamed returns the module of the standard library with a name. It need not be loaded; a
// diagnostic reports that.
func (c *completion) moduleNamed(name string) string {
	for _, l := range c.loads() {
		module, std := strings.CutPrefix(l.Module, "@ytt:")
		for _, n := range l.Names {
			if n.To == name {
				if !std {
					return ""
				}
				return module
			}
		}
	}
	if slices.Contains(moduleNames(), name) {
		return name
	}
	return ""
}

// alias returns the path of the data value of a chain of names that begins with a variable.
func (c *completion) alias(names []string) ([]string, bool) {
	a, _ := c.doc.LastGood()
	if a == nil {
		a = c.doc.Analysis()
	}
	var found []string
	ok := false
	if a.Code == nil {
		return nil, false
	}
	for _, s := range a.Code.Stmts {
		as, isAssign := s.(*syntax.AssignStmt)
		if !isAssign {
			continue
		}
		if id, isName := as.LHS.(*syntax.Ident); isName && id.Name == names[0] {
			start, end := as.RHS.Span()
			text := string(a.File.Data()[offsetOf(a.File, start):offsetOf(a.File, end)])
			parts := chainNames(text)
			if len(parts) > 1 && parts[0] == "data" && parts[1] == "values" {
				found, ok = slices.Concat(parts[2:], names[1:]), true
			}
		}
	}
	return found, ok
}

// moduleMembers completes the names of a module of the standard library.
func (c *completion) moduleMembers(module, typed string) {
	for _, f := range modules.Functions() {
		if f.Module != module || strings.Contains(f.Name, ".") {
			continue
		}
		kind := protocol.CompleteFunction
		if f.Params == "" {
			kind = protocol.CompleteField
		}
		c.add(0, len(typed), f.Name, protocol.CompletionItem{
			Kind: kind, Detail: f.Params,
			Documentation: &protocol.MarkupContent{Kind: protocol.Markdown, Value: sentence(f.Doc)},
		})
	}
}

// names completes a word of code: the end of a block, names in scope, and names that can be loaded.
func (c *completion) names(typed string, first bool) {
	if first {
		c.end(typed)
	}
	known := map[string]bool{}
	for _, d := range c.scope() {
		if !known[d.name] {
			known[d.name] = true
			c.add(1, len(typed), d.name, defItem(d))
		}
	}
	if typed == "" && !first {
		return // there are too many names
	}
	c.loadableNames(typed, known)
	for _, word := range completableWords(first) {
		c.add(3, len(typed), word, protocol.CompletionItem{Kind: protocol.CompleteKeyword})
	}
	for _, name := range starlark.Universe.Keys() {
		if !known[name] {
			c.add(4, len(typed), name, protocol.CompletionItem{Kind: protocol.CompleteFunction})
		}
	}
}

// completableWords returns the keywords that begin a statement, or the others.
func completableWords(first bool) []string {
	if first {
		return []string{"def", "elif", "else:", "for", "if", "load", "return"}
	}
	return []string{"and", "else", "for", "if", "in", "lambda", "not", "or"}
}

// end completes the end of the innermost open block.
func (c *completion) end(typed string) {
	begins := -1 // the offset of the block
	for _, m := range c.doc.Analysis().Blocks() {
		if m.Begins() && m.Off < c.off && c.off <= m.End {
			begins = m.Off
		}
	}
	if begins < 0 {
		return
	}
	f := c.doc.File()
	line := f.Line(begins)
	_, text, _ := bytes.Cut(f.Text(line), []byte("#@ "))
	c.add(0, len(typed), "end", protocol.CompletionItem{
		Kind: protocol.CompleteKeyword, Detail: "closes `" + string(bytes.TrimSpace(text)) + "`",
	})
}

// scope returns the names that code at the cursor can use.
func (c *completion) scope() []def {
	var list []def
	for _, a := range c.lastAnalyses() {
		list = append(list, defsIn(c.doc, a)...)
		for _, l := range loadsIn(a) {
			for _, n := range l.Names {
				list = append(list, def{name: n.To, params: l.Module})
			}
		}
	}
	return append(c.locals(), list...)
}

// locals returns the parameters and variables of the functions and loops around the cursor.
func (c *completion) locals() []def {
	a, shift := c.doc.LastGood()
	if a == nil {
		a, shift = c.doc.Analysis(), workspace.Shift{}
	}
	if a.Code == nil {
		return nil
	}
	off, _ := shift.Then(c.off)
	line := int32(a.File.Line(min(off, len(a.File.Data()))))
	var list []def
	add := func(e syntax.Expr) {
		syntax.Walk(e, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok && isAuthored(id) {
				list = append(list, def{name: id.Name})
			}
			_, isDefault := n.(*syntax.CallExpr)
			return !isDefault
		})
	}
	syntax.Walk(a.Code, func(n syntax.Node) bool {
		if n == nil {
			return true
		}
		start, end := n.Span()
		switch n := n.(type) {
		case *syntax.DefStmt:
			if start.Line > line || end.Line < line {
				return false
			}
			for _, p := range n.Params {
				if b, ok := p.(*syntax.BinaryExpr); ok {
					p = b.X
				}
				add(p)
			}
		case *syntax.ForStmt:
			if start.Line <= line && line <= end.Line {
				add(n.Vars)
			}
		case *syntax.AssignStmt:
			if start.Line < line {
				add(n.LHS)
			}
		}
		return true
	})
	return list
}

// loadableNames completes modules and functions that are not loaded yet, with the statement that
// loads them.
func (c *completion) loadableNames(typed string, known map[string]bool) {
	edit := c.loadEdit()
	if edit == nil || typed == "" {
		return
	}
	for _, name := range moduleNames() {
		if !known[name] {
			c.add(2, len(typed), name, protocol.CompletionItem{
				Kind: protocol.CompleteModule, Detail: "loads @ytt:" + name,
				AdditionalTextEdits: []protocol.TextEdit{edit("@ytt:"+name, name)},
			})
		}
	}
	all, here := c.index()
	if all == nil {
		return
	}
	for _, f := range all.Sources {
		at := loadPath(path.Dir(here.Input), f.Input)
		if !f.Loadable || at == "" || f == here {
			continue
		}
		for _, d := range defsOf(f.File) {
			if known[d.name] || strings.HasPrefix(d.name, "_") {
				continue
			}
			item := defItem(d)
			item.Detail = d.params + " loads " + at
			item.AdditionalTextEdits = []protocol.TextEdit{edit(at, d.name)}
			c.add(2, len(typed), d.name, item)
		}
	}
}

// loadEdit returns the edit that loads a name: below the other load statements, or at the beginning. It
// returns nil in text templates.
func (c *completion) loadEdit() func(module, name string) protocol.TextEdit {
	return loadEdit(c.doc, c.off)
}
