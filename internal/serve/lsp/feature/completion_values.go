package feature

import (
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// dataValues completes the keys of a data value, or its methods.
func (c *completion) dataValues(cur *cursor, of index.Value) {
	path, typed := slices.Clone(of.Path), cur.typed
	for i := range path {
		if path[i] == index.Any {
			path[i] = ""
		}
	}
	var values *engine.DataValuesOf
	if v := c.doc.View(); v != nil && of.Library == "" {
		values = v.Values(c.ctx, c.doc.Snapshot())
	}
	if values == nil {
		c.declaredKeys(cur.all, of, typed, "")
		return
	}
	t := values.Type.At(path)
	if t != nil && len(t.Members()) > 0 {
		c.fields(t.Members(), typed, nil, "")
		return
	}
	// Without a schema, only the keys that are set are known.
	at, known := values.Value, true
	if len(path) > 0 {
		at, known = valueAt(at, path)
	}
	switch {
	case known && at.Kind() == tree.MapKind:
		for _, it := range at.Entries() {
			c.add(1, len(typed), tree.KeyText(it.Key), protocol.CompletionItem{
				Kind: protocol.CompleteProperty, Detail: it.Value.TypeName(),
			})
		}
	case cur.Kind != index.MemberPlace:
	case t != nil && t.Kind() == "string":
		c.methods("string", typed, 1)
	case t != nil && t.Kind() == "array":
		c.methods("list", typed, 1)
	case t == nil:
		c.declaredKeys(cur.all, of, typed, "")
	}
}

// allowed completes a string that a data value is compared with: one of those that it may be.
func (c *completion) allowed(cur *cursor) {
	v := c.doc.View()
	for _, of := range cur.all.ValuesAt(cur.src, cur.Of) {
		if v == nil || of.Library != "" {
			continue
		}
		o := v.ValuesOutline(c.ctx, c.doc.Snapshot())
		for _, step := range of.Path {
			if step == index.Any {
				o = o.Item(0)
			} else {
				o = o.Field(step)
			}
		}
		for _, value := range o.Values() {
			c.add(0, len(cur.typed), value.Text(), protocol.CompletionItem{Kind: protocol.CompleteValue})
		}
	}
}

// fields completes the keys of a map, required ones first.
func (c *completion) fields(list []schema.Field, typed string, without []string, suffix string) {
	for _, f := range list {
		if slices.Contains(without, f.Key) {
			continue
		}
		item := protocol.CompletionItem{
			Label: f.Key, Kind: protocol.CompleteProperty,
			Detail: strings.TrimPrefix(typeText(f.Type, true), ": "),
		}
		rank := 1
		if f.Type.IsRequired() {
			rank = 0
			item.Detail += ", required"
		} else if f.Type.IsComputed() {
			item.Detail += ", computed"
		} else if f.Type.Kind() != "map" && !f.Type.IsSecret() {
			item.Detail += " = " + short(f.Type.DefaultValue())
		}
		doc := strings.TrimSpace(f.Type.Title() + "\n\n" + f.Type.Description())
		if notice, ok := f.Type.Deprecation(); ok {
			rank, item.Tags = 2, []protocol.CompletionItemTag{protocol.CompletionDeprecated}
			doc = strings.TrimSpace("Deprecated: " + notice + "\n\n" + doc)
		}
		if doc != "" {
			item.Documentation = &protocol.MarkupContent{Kind: protocol.Markdown, Value: doc}
		}
		c.add(rank, len(typed), f.Key+suffix, item)
	}
}

// keys completes a key of data values in YAML.
func (c *completion) keys(at *outline.Cursor) {
	v := c.doc.View()
	if v == nil || !at.Key {
		return
	}
	values := v.Values(c.ctx, c.doc.Snapshot())
	if values == nil {
		return
	}
	path := make([]string, len(at.Path))
	for i, step := range at.Path {
		path[i] = step.Key // "" is an item of a list
	}
	suffix := ":"
	if at.HasColon {
		suffix = ""
	}
	if t := values.Type.At(path); t != nil {
		c.fields(t.Fields(), at.Word, at.Siblings(), suffix)
	}
}
