package feature

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/override"
	"weft/internal/lang/edit"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// overrideNames returns the keys with a dollar that can be written in an override, and what selects documents.
func (d *described) overrideNames(c *outline.Cursor) (items []outline.Item) {
	if at := keysOf(c); len(at) > 0 && at[0] == "$select" {
		return d.selection(c, 1)
	}
	if !c.Key {
		return nil
	}
	present := c.Siblings()
	for _, x := range override.Directives() {
		fits := x.Mapping
		switch last := len(c.Path) - 1; {
		case last < 0:
			fits = x.Document && c.First()
		case c.Path[last].Item:
			fits = x.Entry
		}
		if !fits || slices.Contains(present, x.Name) {
			continue
		}
		it := keyItem(c, x.Name)
		it.Rank, it.Kind = outline.Other, protocol.CompleteKeyword
		it.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: x.Doc}
		items = append(items, it)
	}
	return items
}

// directiveAt returns the key with a dollar at a cursor in an override, or nil.
func directiveAt(c *outline.Cursor) *override.Directive {
	if !c.Key {
		return nil
	}
	name := string(c.Tree.Text(c.Node))
	for _, x := range override.Directives() {
		if x.Name == name {
			return &x
		}
	}
	return nil
}

// selection returns what selects documents: their names, or conditions, which may be a text or a mapping. The
// path of the cursor leads to them in a number of steps that have keys.
func (d *described) selection(c *outline.Cursor, depth int) (items []outline.Item) {
	keys := keysOf(c)
	switch {
	case len(keys) == depth && !c.Key:
		return d.documents(c)
	case len(keys) == depth:
		return append(d.documents(c), d.conditionKeys(c)...)
	case len(keys) == depth+1 && isScalar(c):
		docs := d.output()
		for _, text := range byCount(textsAt(docs, keys[depth])) {
			it := word(text, "", protocol.CompleteValue)
			if !c.Quoted {
				it.Text = string(edit.AppendScalar(nil, tree.Of(starlark.String(text))))
			}
			items = append(items, it)
		}
	}
	return items
}

// conditionKeys returns the paths of the documents that conditions are mostly about, as keys.
func (d *described) conditionKeys(c *outline.Cursor) []outline.Item {
	var found []string
	for _, path := range conditionPaths {
		if len(textsAt(d.output(), path)) > 0 {
			found = append(found, path)
		}
	}
	return newKeys(c, found)
}

var conditionPaths = []string{"kind", "metadata.name", "metadata.namespace", "apiVersion"}

// textsAt returns the texts that documents have at a path.
func textsAt(docs []selector.Selectable, path string) (found []string) {
	for _, doc := range docs {
		v, ok := valueAt(doc.Value, strings.Split(path, "."))
		if ok && v.TypeName() == "string" && isShort(v.Text()) {
			found = append(found, v.Text())
		}
	}
	return found
}

// conditions returns what a half-typed list of conditions such as `kind=Deployment, metadata.name=` may go on
// with, among the documents that those before select.
func (d *described) conditions(c *outline.Cursor) (items []outline.Item) {
	before := ""
	if i := strings.LastIndexByte(c.Word, ','); i >= 0 {
		before = c.Word[:i+1]
		before += c.Word[i+1 : len(c.Word)-len(strings.TrimLeft(c.Word[i+1:], " "))]
	}
	if before == "" && !strings.Contains(c.Word, "=") {
		return nil
	}
	by, err := selector.Parse("select", strings.TrimRight(before, ", "))
	present := by.Paths()
	if err != nil || before != "" && len(present) == 0 { // a name takes no conditions
		return nil
	}
	var docs []selector.Selectable
	for _, doc := range d.output() {
		if by.IsZero() || by.Matches(doc) {
			docs = append(docs, doc)
		}
	}
	path, op, ok := conditionStart(c.Word[len(before):])
	if !ok {
		for _, path := range conditionPaths {
			if len(textsAt(docs, path)) > 0 && !slices.Contains(present, path) {
				items = append(items, word(before+path+"=", "", protocol.CompleteProperty))
			}
		}
		return items
	}
	for _, text := range byCount(textsAt(docs, path)) {
		items = append(items, word(before+path+op+text, "", protocol.CompleteValue))
	}
	return items
}

// conditionStart splits a condition whose value is being typed into its path and its operator.
func conditionStart(text string) (path, op string, ok bool) {
	i := strings.IndexByte(text, '=')
	if i < 0 {
		return "", "", false
	}
	if i > 0 && text[i-1] == '!' {
		return text[:i-1], "!=", true
	}
	return text[:i], "=", true
}

// ownSelect returns the documents that an override selects by itself. It returns false if it selects none.
func ownSelect(t *yaml.Tree, doc yaml.NodeID) (override.Selector, bool) {
	for key, value := range pairs(t, t.Root(doc)) {
		if !t.IsString(key, "$select") {
			continue
		}
		sel, err := override.SelectorOf("$select", tree.FromSyntax(t, value))
		return sel, err == nil
	}
	return override.Selector{}, false
}
