package feature

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
)

// usualModules returns the modules that nearly all files of a kind load.
func usualModules(kind compile.Kind) []string {
	if kind == compile.Starlark {
		return []string{"data", "struct"}
	}
	return []string{"data", "overlay"}
}

// moduleRank returns the rank of a module in load statements: first those that most files need, then files,
// then other modules, and last those that the file has already.
func (c *completion) moduleRank(cur *cursor, name string) int {
	switch {
	case cur.loads("@ytt:" + name):
		return 4
	case slices.Contains(usualModules(c.doc.Kind()), name):
		return 0
	case modules.IsLikely(name):
		return 2
	}
	return 3
}

// loads reports whether the file loads a module, elsewhere than at the cursor.
func (cur *cursor) loads(module string) bool {
	return slices.ContainsFunc(cur.src.File.Bindings, func(b index.Binding) bool {
		return b.Kind == index.Loaded && b.Module == module
	})
}

// modules completes the module of a load statement: those of the standard library, files that can be
// loaded, and files of private libraries and of vendored sources. Those that have a name which the statement
// loads come first.
func (c *completion) modules(cur *cursor) {
	typed := cur.typed
	for _, name := range modules.ByUse() {
		if text := "@ytt:" + name; strings.HasPrefix(text, typed) {
			rank := 1 + c.moduleRank(cur, name)
			if slices.Contains(cur.Names, name) {
				rank = 0
			}
			c.addText(cur, rank, text, protocol.CompletionItem{Kind: protocol.CompleteModule})
		}
	}
	c.vendoredFiles(typed)
	all, here := c.index()
	if all == nil {
		return
	}
	for _, f := range all.Sources {
		if !f.Loadable || f == here {
			continue
		}
		text := loadPath(all, here, f)
		if strings.HasPrefix(typed, "/") && text != "" && text[0] != '@' {
			text = all.Absolute(f)
		}
		if text == "" || !strings.HasPrefix(text, typed) {
			continue
		}
		rank := 2
		switch {
		case slices.ContainsFunc(defsOf(f.File), func(d def) bool { return slices.Contains(cur.Names, d.name) }):
			rank = 0
		case cur.loads(text) || text[0] == '/' || text[0] == '@':
			rank = 3
		}
		c.addText(cur, rank, text, protocol.CompletionItem{Kind: protocol.CompleteFile})
	}
}

// addText adds a string, in quotes if the author has not written any.
func (c *completion) addText(cur *cursor, rank int, text string, item protocol.CompletionItem) {
	item.Label = text
	if cur.unquoted {
		item.FilterText, text = text, `"`+text+`"`
	}
	c.add(rank, len(cur.typed), text, item)
}

// loadPath returns the path with which a file loads or reads another, or "" if it cannot.
func loadPath(all *index.Index, here, file *index.Source) string {
	dir := path.Dir(here.Input) + "/"
	if dir == "./" {
		dir = ""
	}
	rest, below := strings.CutPrefix(file.Input, dir)
	if all.Same(here, file) {
		if !below {
			return all.Absolute(file)
		}
		return rest
	}
	name, ok := strings.CutPrefix(all.Root(file), dir+index.PrivateDir+"/")
	if !ok || strings.Contains(name, index.PrivateDir+"/") {
		return ""
	}
	return "@" + name + ":" + strings.TrimPrefix(all.Absolute(file), "/")
}

// loadable completes a name of a module.
func (c *completion) loadable(cur *cursor) {
	add := func(name string, item protocol.CompletionItem) { c.addText(cur, 0, name, item) }
	module := cur.Module
	if name, ok := strings.CutPrefix(module, "@ytt:"); ok {
		if slices.Contains(modules.Names(), name) {
			add(name, protocol.CompletionItem{Kind: protocol.CompleteModule})
		}
		return
	}
	all, here := c.index()
	if all == nil {
		return
	}
	var list []def
	if from := all.Find(here, module); from != nil {
		list = defsOf(from.File)
	} else {
		list = c.vendoredDefs(module)
	}
	for _, d := range list {
		if !strings.HasPrefix(d.name, "_") { // such names cannot be loaded
			add(d.name, defItem(d))
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

// members completes the word after a dot: a data value, a method, a field, or a name of a module.
func (c *completion) members(cur *cursor) {
	before, known := len(c.items), cur.Of.Undefined
	for _, v := range cur.all.ValuesAt(cur.src, cur.Of) {
		kind := c.dataValues(cur, v)
		known = known || kind != ""
	}
	if t := cur.Of.Type; t != nil && t.Module {
		c.moduleMembers(t.Name, cur.typed)
	} else if t != nil {
		c.fieldsOf(t, cur.typed)
		if cur.Of.Literal && t.Name == "string" {
			c.literalMethods(cur.typed)
		}
		c.methods(t.Name, cur.typed, 1)
	}
	if len(c.items) > before || known {
		return
	}
	for rank, of := range []string{"string", "dict", "list"} { // the value may be anything
		c.methods(of, cur.typed, rank+1)
	}
}

// keysOf completes a key in quotes: of data values, or of a dict of the code.
func (c *completion) keysOf(cur *cursor) {
	for _, v := range cur.all.ValuesAt(cur.src, cur.Of) {
		c.dataValues(cur, v)
	}
	if t := cur.Of.Type; t != nil {
		for _, f := range t.Keys {
			c.add(0, len(cur.typed), f.Name, protocol.CompletionItem{Kind: protocol.CompleteProperty})
		}
	}
}

// fieldsOf completes the fields of a struct.
func (c *completion) fieldsOf(t *index.Type, typed string) {
	if t.Name != "struct" {
		return
	}
	for _, f := range t.Keys {
		item := protocol.CompletionItem{Kind: protocol.CompleteField}
		if f.Callable() {
			item.Kind = protocol.CompleteFunction
		}
		c.add(0, len(typed), f.Name, item)
	}
}

// methods completes the methods of a type, those that are used most first.
func (c *completion) methods(of, typed string, rank int) {
	for _, b := range modules.Builtins() {
		if b.Of == of && of != "" && !c.has(b.Name) {
			c.add(rank, len(typed), b.Name, builtinItem(b))
		}
	}
}

// literalMethods completes the methods that strings in code are for.
func (c *completion) literalMethods(typed string) {
	for _, b := range modules.Builtins() {
		if b.Of == "string" && (b.Name == "format" || b.Name == "join") {
			c.add(0, len(typed), b.Name, builtinItem(b))
		}
	}
}

// has reports whether an item is there already.
func (c *completion) has(label string) bool {
	return slices.ContainsFunc(c.items, func(x protocol.CompletionItem) bool { return x.Label == label })
}

// builtinItem returns a function or method of Starlark as an item.
func builtinItem(b modules.Builtin) protocol.CompletionItem {
	item := protocol.CompletionItem{
		Kind: protocol.CompleteFunction, Detail: b.Params,
		Documentation: &protocol.MarkupContent{Kind: protocol.Markdown, Value: sentence(b.Doc)},
	}
	if b.Params == "" {
		item.Kind = protocol.CompleteKeyword
	}
	return item
}

// likely are the functions that templates use most, of modules with many.
var likely = []string{
	"overlay.all", "overlay.map_key", "overlay.subset",
	"assert.equals", "assert.fail", "struct.encode", "struct.make", "data.values",
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
		rank := 1
		if slices.Contains(likely, f.Module+"."+f.Name) {
			rank = 0
		}
		c.add(rank, len(typed), f.Name, protocol.CompletionItem{
			Kind: kind, Detail: f.Params,
			Documentation: &protocol.MarkupContent{Kind: protocol.Markdown, Value: sentence(f.Doc)},
		})
	}
}

// names completes a word of code: the end of a block, names in scope, and names that can be loaded.
func (c *completion) names(cur *cursor, first bool) {
	typed := cur.typed
	if first && !c.isValue {
		c.end(typed)
	}
	known := map[string]bool{}
	for _, id := range cur.Scope {
		b := &cur.src.File.Bindings[id]
		known[b.Name] = true
		c.add(nameRank(b), len(typed), b.Name, c.nameItem(cur, id))
	}
	if typed == "" && !first {
		return // there are too many names
	}
	c.loadableNames(typed, known)
	statement := first && !c.isValue && c.isStatement()
	for _, word := range completableWords(statement) {
		c.word(word, typed, statement)
	}
	for _, b := range modules.Builtins() {
		if b.Of == "" && !known[b.Name] && !c.has(b.Name) {
			c.add(4, len(typed), b.Name, builtinItem(b))
		}
	}
}

// nameRank returns the rank of a name: parameters before others, since they are near.
func nameRank(b *index.Binding) int {
	if b.Kind == index.Parameter {
		return 1
	}
	return 2
}

// nameItem returns a name of the file as an item.
func (c *completion) nameItem(cur *cursor, id index.ID) protocol.CompletionItem {
	b := &cur.src.File.Bindings[id]
	d := def{name: b.Name, params: b.Module}
	if to := cur.all.Resolve(cur.src, id); to.Bound().Kind == index.FunctionName {
		fn := to.Source.File.Functions[to.Bound().Function]
		d.isFunc, d.doc = true, fn.Doc
		if b.Kind == index.FunctionName {
			d.params = fn.Signature
		} else {
			d.params = fn.Signature + " from " + b.Module
		}
	}
	return defItem(d)
}

// isStatement reports whether the code of the cursor's line is a statement: in YAML, code behind something
// else is a value.
func (c *completion) isStatement() bool {
	return strings.TrimSpace(c.beforeMark()) == ""
}

// completableWords returns the keywords that begin a statement, the likely ones first, or the others.
func completableWords(first bool) []string {
	if first {
		return []string{"if", "for", "def", "load", "return", "elif", "else:", "pass", "break", "continue"}
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
	text, _, _ := bytes.Cut(f.Data()[begins:f.LineEnd(begins)], []byte("@)"))
	c.add(0, len(typed), "end", protocol.CompletionItem{
		Kind: protocol.CompleteKeyword, Detail: "closes `" + string(bytes.TrimSpace(text)) + "`",
	})
}

// loadableNames completes modules and functions that are not loaded yet, with the statement that
// loads them.
func (c *completion) loadableNames(typed string, known map[string]bool) {
	edit := c.loadEdit()
	if edit == nil || typed == "" {
		return
	}
	for _, name := range modules.Names() {
		if !known[name] {
			c.add(3, len(typed), name, protocol.CompletionItem{
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
		at := loadPath(all, here, f)
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
			c.add(3, len(typed), d.name, item)
		}
	}
}

// loadEdit returns the edit that loads a name: below the other load statements, or at the beginning. It
// returns nil in text templates.
func (c *completion) loadEdit() func(module, name string) protocol.TextEdit {
	return loadEdit(c.doc, c.off)
}
