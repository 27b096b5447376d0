package feature

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/override"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// output returns the documents of the last evaluation before the document was edited, with secrets hidden.
func (d *described) output() []selector.Selectable {
	docs, files, rules := lastOutput(d.ctx, d.doc)
	const most = 2000 // a person is typing
	list := selector.Of(docs[:min(len(docs), most)], files)
	for i := range list {
		list[i].Value = rules.Mask(list[i].Value, nil, nil)
	}
	return list
}

// changed returns the documents of the output that the document at a cursor changes or describes: those that an
// overlay may match, that an override selects, or that a test expects something of. It also returns how many
// steps of the path lead to the description.
func (d *described) changed(c *outline.Cursor) (docs []selector.Selectable, from int) {
	if d.doc.IsTestFile() {
		for i, s := range c.Path {
			if s.Key == "contains" {
				return d.selected(c), i + 1
			}
		}
		return nil, 0
	}
	if m := matcherOf(c.Tree, c.Doc); m != "" {
		return d.matchedBy(m), 0
	}
	sel, ok := d.overridden(c.Tree, c.Doc)
	if !ok {
		return nil, 0
	}
	for _, doc := range d.output() {
		if sel.match(doc) {
			docs = append(docs, doc)
		}
	}
	return docs, 0
}

// selections choose the documents that all of them select.
type selections []override.Selector

func (all selections) match(doc selector.Selectable) bool {
	return !slices.ContainsFunc(all, func(s override.Selector) bool { return !s.Matches(doc) })
}

// overridden returns which documents an override is for: those that weft.yml selects and that it selects itself or,
// if nothing does, by its kind and name. It returns false if the document has no overrides.
func (d *described) overridden(t *yaml.Tree, doc yaml.NodeID) (all selections, ok bool) {
	x, ok := d.doc.Overrides()
	if !ok {
		return nil, false
	}
	if sel, err := override.ReadSelector("select", x.Select); err == nil && !sel.IsZero() {
		all = append(all, sel)
	}
	if own, ok := ownSelect(t, doc); ok {
		all = append(all, own)
	}
	if len(all) == 0 {
		all = identity(t, t.Root(doc))
	}
	return all, true
}

// identity selects documents by what an override has of their kind and name, except for what is being typed.
func identity(t *yaml.Tree, root yaml.NodeID) selections {
	var conditions []string
	add := func(path, value string) {
		if value != "" && !outline.IsTyped(value) {
			conditions = append(conditions, path+"="+strconv.Quote(value))
		}
	}
	add("kind", scalarAt(t, root, "kind"))
	for key, value := range pairs(t, root) {
		if t.IsString(key, "metadata") {
			add("metadata.name", scalarAt(t, value, "name"))
		}
	}
	if len(conditions) == 0 {
		return nil
	}
	sel, err := override.ParseSelector([]string{strings.Join(conditions, ",")})
	if err != nil {
		return nil
	}
	return selections{sel}
}

// matchedBy returns the documents of the output that a matcher may match, as far as its text says so.
func (d *described) matchedBy(args string) (docs []selector.Selectable) {
	m, ok := d.readMatcher(args)
	if !ok {
		return nil
	}
	for _, doc := range d.output() {
		if len(m.dicts) == 0 || slices.ContainsFunc(m.dicts, m.isIn(doc.Value)) {
			docs = append(docs, doc)
		}
	}
	return docs
}

// withExisting returns items with those that are in the output already at the place of the cursor, which come
// first: changes are mostly about them.
func (d *described) withExisting(c *outline.Cursor, items []outline.Item) []outline.Item {
	docs, from := d.changed(c)
	present := c.Siblings()
	at := slices.DeleteFunc(slices.Clone(c.Path[from:]), func(s outline.Step) bool { return s.Key == "$match" })
	for _, text := range byCount(existing(docs, at, c.Key)) {
		i := slices.IndexFunc(items, func(it outline.Item) bool { return it.Label == text })
		switch {
		case slices.Contains(present, text):
		case i >= 0:
			items[i].Rank = outline.Required
		case c.Key:
			it := keyItem(c, text)
			it.Rank = outline.Required
			items = append(items, it)
		default:
			items = append(items, word(text, "", protocol.CompleteValue))
		}
	}
	return items
}

// existing returns the keys, or the texts, that documents have at a path.
func existing(docs []selector.Selectable, at []outline.Step, keys bool) (found []string) {
	for _, doc := range docs {
		for _, v := range valuesAt(doc.Value, pathOf(at)) {
			switch {
			case keys && v.Kind() == tree.MapKind:
				for _, it := range v.Entries() {
					found = append(found, tree.KeyText(it.Key))
				}
			case !keys && v.TypeName() == "string" && isShort(v.Text()):
				found = append(found, v.Text())
			}
		}
	}
	return found
}

// isShort reports whether a text is one that a person may want to write again. The mask of a secret is not.
func isShort(text string) bool {
	const most = 100
	return len(text) > 0 && len(text) <= most && !strings.Contains(text, "\n") &&
		!strings.Contains(text, secret.Hidden)
}

// pathOf returns the keys of steps, with "" for an item of a list.
func pathOf(steps []outline.Step) (path []string) {
	for _, s := range steps {
		path = append(path, s.Key)
	}
	return path
}

// indexPath returns a path of data values as the index has it.
func indexPath(steps []outline.Step) []string {
	path := pathOf(steps)
	for i := range path {
		if steps[i].Item {
			path[i] = index.Any
		}
	}
	return path
}

// replicated returns the names of the objects that have replicas, as keys.
func (d *described) replicated(c *outline.Cursor) []outline.Item {
	var names []string
	for _, doc := range d.output() {
		name, _ := valueAt(doc.Value, []string{"metadata", "name"})
		if _, ok := valueAt(doc.Value, []string{"spec", "replicas"}); ok && name.TypeName() == "string" {
			names = append(names, name.Text())
		}
	}
	return newKeys(c, names)
}

// images returns the names of the images in the output, as keys.
func (d *described) images(c *outline.Cursor) []outline.Item {
	var names []string
	var walk func(v tree.Value)
	walk = func(v tree.Value) {
		if k := v.Kind(); k != tree.MapKind && k != tree.ArrayKind {
			return
		}
		for _, it := range v.Entries() {
			if v.Kind() == tree.MapKind && it.Key.IsString("image") && it.Value.TypeName() == "string" {
				names = append(names, shortcut.ImageName(it.Value.Text()))
			}
			walk(it.Value)
		}
	}
	for _, doc := range d.output() {
		walk(doc.Value)
	}
	return newKeys(c, names)
}

// withOthers returns items with the keys that other objects of the same type have at the place of the cursor,
// if no schema knows any: keys of a kind without a schema, and free ones such as labels.
func (d *described) withOthers(c *outline.Cursor, o jsonschema.Outline, items []outline.Item) []outline.Item {
	root := c.Tree.Root(c.Doc)
	kind, version := scalarAt(c.Tree, root, "kind"), scalarAt(c.Tree, root, "apiVersion")
	if !c.Key || kind == "" || len(o.Fields()) > 0 {
		return items
	}
	var docs []selector.Selectable
	for _, doc := range d.output() {
		if isText(doc.Value, "kind", kind) && isText(doc.Value, "apiVersion", version) {
			docs = append(docs, doc)
		}
	}
	for _, name := range c.Missing(byCount(existing(docs, c.Path, true))) {
		if !slices.ContainsFunc(items, func(it outline.Item) bool { return it.Label == name }) {
			items = append(items, keyItem(c, name))
		}
	}
	return items
}

// isText reports whether a map has a text for a key.
func isText(v tree.Value, key, text string) bool {
	at, ok := v.Lookup(key)
	return ok && at.IsString(text)
}

// newKeys returns names that a map does not have as keys yet.
func newKeys(c *outline.Cursor, names []string) (items []outline.Item) {
	if !c.Key {
		return nil
	}
	for _, name := range c.Missing(byCount(names)) {
		if len(items) < maxNamed {
			items = append(items, keyItem(c, name))
		}
	}
	return items
}

// keyItem returns a key as an item.
func keyItem(c *outline.Cursor, name string) outline.Item {
	it := word(name, "", protocol.CompleteProperty)
	switch {
	case c.HasColon || c.Quoted:
	case name == "metadata" || name == "spec":
		it.Text += ":"
	default:
		it.Text += ": "
	}
	return it
}
