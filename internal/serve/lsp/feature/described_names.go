package feature

import (
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/check/lint"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// projectNames returns the names of environments, files, rules and sources that can be written in weft.yml.
func (d *described) projectNames(c *outline.Cursor, _ jsonschema.Outline) []outline.Item {
	at := keysOf(c)
	if len(at) > 2 && at[0] == "environments" {
		if isAt(at[2:], "extends") {
			return d.environments(c)
		}
		at = at[2:] // the keys of an environment are those at the top
	}
	switch {
	case isAt(at, "default"):
		return d.environments(c)
	case isAt(at, "require"):
		return d.valuePaths(c)
	case isAt(at, "kubernetes", "images"):
		return d.images(c)
	case isAt(at, "kubernetes", "replicas"):
		return d.replicated(c)
	case len(at) > 1 && isAt(at[:2], "overrides", "select"):
		return d.selection(c, len(keysOf(c))-len(at)+2)
	case isAt(at, "lint", "paths"), isAt(at, "marks"):
		return d.inputNames(c)
	case isAt(at, "lint", "rules"), isAt(at, "lint", "paths", "*"):
		return lintRules(c)
	case isAt(at, "output", "validate", "schemas"):
		return append(d.sources(c), d.files(c, isFolder)...)
	case isAt(at, "valueFiles"), isAt(at, "charts", "*", "values"):
		return d.files(c, d.isPlainYAML)
	case isAt(at, "overrides"), isAt(at, "overrides", "file"):
		return d.files(c, d.isPlainYAML)
	case isAt(at, "valuesSchema"):
		return d.files(c, ends(".json", ".yml", ".yaml"))
	case isAt(at, "extends"):
		return d.files(c, isProject)
	case isAt(at, "charts", "*", "chart"), isAt(at, "kustomizations", "*"), isAt(at, "fmt", "exclude"):
		return d.files(c, isFolder)
	case isAt(at, "inputs"), isAt(at, "overlays"), isAt(at, "exclude"), isAt(at, "each"),
		isAt(at, "test", "files"):
		return d.files(c, nil)
	}
	return nil
}

// testNames returns the names of environments, documents, codes and files that can be written in a test file.
func (d *described) testNames(c *outline.Cursor, _ jsonschema.Outline) []outline.Item {
	at := keysOf(c)
	if len(at) == 0 || at[0] != "tests" {
		return nil
	}
	switch at = at[1:]; {
	case isAt(at, "envs"):
		return d.environments(c)
	case isAt(at, "expect", "select"):
		return d.documents(c)
	case isAt(at, "error", "code"):
		return codes(c)
	case isAt(at, "expect", "equal"), isAt(at, "expect", "matches"):
		return d.paths(c, c.Key)
	case isAt(at, "expect", "absent"):
		return d.paths(c, isScalar(c))
	case isAt(at, "valueFiles"), isAt(at, "golden"):
		return d.files(c, d.isPlainYAML)
	case isAt(at, "star", "file"):
		return d.files(c, ends(".star"))
	case isAt(at, "star", "call"):
		return d.functions(c)
	}
	return nil
}

// functions returns the functions of the file that is named next to the cursor.
func (d *described) functions(c *outline.Cursor) (items []outline.Item) {
	doc := d.called(c)
	if doc == nil || !isScalar(c) {
		return nil
	}
	for _, f := range defsIn(doc, doc.Analysis()) {
		if f.isFunc && !strings.HasPrefix(f.name, "_") {
			items = append(items, word(f.name, f.params, protocol.CompleteFunction))
		}
	}
	return items
}

// keysOf returns the keys on the path of a cursor.
func keysOf(c *outline.Cursor) (keys []string) {
	for _, s := range c.Path {
		if !s.Item {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// isAt reports whether a path has these keys; `*` is any key.
func isAt(path []string, keys ...string) bool {
	return slices.EqualFunc(path, keys, func(a, b string) bool { return b == "*" || a == b })
}

// isScalar reports whether a scalar may be written at a cursor.
func isScalar(c *outline.Cursor) bool { return !c.Key || c.Alone && !c.HasColon }

func word(text, detail string, kind protocol.CompletionKind) outline.Item {
	return outline.Item{Text: text, Rank: outline.Common, CompletionItem: protocol.CompletionItem{
		Label: text, Kind: kind, Detail: detail,
	}}
}

// environments returns the environments of the project, and those in the text itself.
func (d *described) environments(c *outline.Cursor) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	var names []string
	root := c.Tree.Root(c.Doc)
	for key, value := range pairs(c.Tree, root) {
		if !c.Tree.IsString(key, "environments") {
			continue
		}
		for name := range pairs(c.Tree, value) {
			names = append(names, string(c.Tree.Text(name)))
		}
	}
	if p := d.doc.Project(); p != nil {
		names = append(names, p.Environments()...)
	}
	self := ""
	if at := keysOf(c); len(at) > 1 && at[0] == "environments" {
		self = at[1] // an environment cannot extend itself
	}
	seen := map[string]bool{"": true, self: true}
	for _, name := range names {
		if !seen[name] && !strings.Contains(name, "*") {
			items = append(items, word(name, "environment", protocol.CompleteValue))
		}
		seen[name] = true
	}
	return items
}

// lintRules returns the rules of the linter as keys.
func lintRules(c *outline.Cursor) (items []outline.Item) {
	if !c.Key {
		return nil
	}
	present := c.Siblings()
	for _, r := range lint.Rules() {
		name := string(r.Code)
		if slices.Contains(present, name) {
			continue
		}
		info, _ := diag.About(r.Code)
		it := word(name, info.Title, protocol.CompleteProperty)
		if !c.HasColon {
			it.Text += ": "
		}
		items = append(items, it)
	}
	return items
}

// codes returns the codes of errors.
func codes(c *outline.Cursor) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	for _, info := range diag.Codes() {
		if info.Severity == diag.Error {
			items = append(items, word(string(info.Code), info.Title, protocol.CompleteValue))
		}
	}
	return items
}

// valuePaths returns the paths of the data values.
func (d *described) valuePaths(c *outline.Cursor) (items []outline.Item) {
	v := d.doc.View()
	if v == nil || !isScalar(c) {
		return nil
	}
	values := v.Values(d.ctx, d.doc.Snapshot())
	if values == nil || values.Type == nil {
		return nil
	}
	values.Type.Leaves(func(_ source.Pos, path string) {
		if len(items) < maxNamed {
			items = append(items, word(path, "data value", protocol.CompleteProperty))
		}
	})
	return items
}

// inputNames returns the paths of the inputs, as keys.
func (d *described) inputNames(c *outline.Cursor) []outline.Item {
	all, _, err := d.doc.Index(d.ctx, false)
	if err != nil {
		return nil
	}
	var names []string
	for _, s := range all.Sources {
		if s.Input != "" {
			names = append(names, s.Input)
		}
	}
	return newKeys(c, names)
}

// maxNamed limits the documents that are offered.
const maxNamed = 500

// documents returns what selects documents of the output: their names, and their kinds.
func (d *described) documents(c *outline.Cursor) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	if list := d.conditions(c); list != nil {
		return list
	}
	seen := map[string]bool{"": true}
	var kinds []outline.Item
	for _, doc := range d.output() {
		name := selector.ObjectOf(doc.Value).String()
		if !seen[name] && len(items) < maxNamed && !strings.Contains(name, secret.Hidden) {
			items = append(items, word(name, "document", protocol.CompleteValue))
		}
		seen[name] = true
		kind, _ := valueAt(doc.Value, []string{"kind"})
		if text := "kind=" + kind.Text(); kind.TypeName() == "string" && !seen[text] && len(kinds) < maxNamed {
			kinds = append(kinds, word(text, "documents", protocol.CompleteValue))
			seen[text] = true
		}
	}
	return append(items, kinds...)
}

// sources returns the names of vendored sources, in the text itself.
func (d *described) sources(c *outline.Cursor) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	for key, value := range pairs(c.Tree, c.Tree.Root(c.Doc)) {
		if c.Tree.IsString(key, "vendor") {
			for name := range pairs(c.Tree, value) {
				items = append(items, word(string(c.Tree.Text(name)), "vendored source", protocol.CompleteModule))
			}
		}
	}
	return items
}
