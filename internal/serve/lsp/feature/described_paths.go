package feature

import (
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// paths returns the paths in the documents that the expectation at a cursor selects, if one can be written
// there.
func (d *described) paths(c *outline.Cursor, ok bool) []outline.Item {
	if !ok {
		return nil
	}
	var p pathLister
	for _, doc := range d.selected(c) {
		p.walk(doc.Value, nil)
	}
	var items []outline.Item
	for _, text := range p.found {
		it := word(text, "", protocol.CompleteProperty)
		if strings.ContainsAny(text, `[]{}"'*#`) && !c.Quoted {
			it.Text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
			it.FilterText = text
		}
		if c.Key && !c.HasColon && !c.Quoted && c.Path[len(c.Path)-1].Key != "absent" {
			it.Text += ": "
		}
		items = append(items, it)
	}
	return items
}

// selected returns the documents of the output that the `select` next to the cursor's key selects.
func (d *described) selected(c *outline.Cursor) (docs []selector.Selectable) {
	var by selector.Selector
	for _, s := range c.Path {
		for key, value := range pairs(c.Tree, s.In) {
			if c.Tree.IsString(key, "select") {
				by, _ = selector.Parse("select", string(c.Tree.Text(value)))
			}
		}
	}
	for _, doc := range d.output() {
		if by.IsZero() || by.Matches(doc) {
			docs = append(docs, doc)
		}
	}
	return docs
}

// pathLister lists the paths of the scalars in documents, each once.
type pathLister struct {
	found []string
	seen  map[string]bool
}

func (p *pathLister) walk(v tree.Value, at path.Path) {
	if len(p.found) >= maxNamed {
		return
	}
	switch v.Kind() {
	case tree.MapKind:
		for _, it := range v.Entries() {
			p.walk(it.Value, append(at[:len(at):len(at)], path.ToKey(it.Key)))
		}
	case tree.ArrayKind:
		for i, it := range v.Entries() {
			to := path.ToItem(i, i)
			if name, ok := it.Value.Lookup("name"); ok && name.TypeName() == "string" {
				to.By, to.ID = "name", name
			}
			p.walk(it.Value, append(at[:len(at):len(at)], to))
		}
	default:
		if text := at.String(); text != "" && !p.seen[text] {
			if p.seen == nil {
				p.seen = map[string]bool{}
			}
			p.seen[text] = true
			p.found = append(p.found, text)
		}
	}
}
