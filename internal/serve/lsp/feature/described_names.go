package feature

import (
	"path"
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/check/lint"
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
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
	case isAt(at, "lint", "rules"), isAt(at, "lint", "paths", "*"):
		return lintRules(c)
	case isAt(at, "output", "validate", "schemas"):
		return append(d.sources(c), d.files(c)...)
	case isAt(at, "inputs"), isAt(at, "overlays"), isAt(at, "valueFiles"), isAt(at, "extends"),
		isAt(at, "overrides"), isAt(at, "overrides", "file"), isAt(at, "valuesSchema"),
		isAt(at, "exclude"), isAt(at, "each"), isAt(at, "charts", "*", "chart"),
		isAt(at, "charts", "*", "values"), isAt(at, "kustomizations", "*"), isAt(at, "fmt", "exclude"),
		isAt(at, "test", "files"):
		return d.files(c)
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
	case isAt(at, "valueFiles"), isAt(at, "golden"), isAt(at, "star", "file"):
		return d.files(c)
	}
	return nil
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

// maxNamed limits the documents that are offered.
const maxNamed = 500

// documents returns the names of the documents in the output.
func (d *described) documents(c *outline.Cursor) (items []outline.Item) {
	v := d.doc.View()
	if v == nil || !isScalar(c) {
		return nil
	}
	out := v.Latest()
	if out == nil || out.Result == nil {
		out = v.LastGood()
	}
	if out == nil || out.Result == nil {
		return nil
	}
	seen := map[string]bool{"": true}
	for i := range out.Result.Docs {
		name := selector.ObjectOf(out.Result.Docs[i].Value).String()
		if !seen[name] && len(items) < maxNamed {
			items = append(items, word(name, "document", protocol.CompleteValue))
		}
		seen[name] = true
	}
	return items
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

// files returns the files and folders that continue a path, which is relative to the document.
func (d *described) files(c *outline.Cursor) (items []outline.Item) {
	if !isScalar(c) {
		return nil
	}
	typed := ""
	if i := strings.LastIndexByte(c.Word, '/'); i >= 0 {
		typed = c.Word[:i+1]
	}
	dir := path.Join(path.Dir(d.doc.Path()), typed)
	if strings.HasPrefix(dir, "..") || path.IsAbs(typed) {
		return nil
	}
	entries, err := d.doc.Snapshot().Files().ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || len(items) >= maxNamed {
			continue
		}
		it := word(typed+e.Name(), "", protocol.CompleteFile)
		if e.IsDir() {
			it.Detail = "folder"
		}
		items = append(items, it)
	}
	return items
}
