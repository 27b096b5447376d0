package feature

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/schema"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
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
		c.declaredKeys(cur, of)
		return
	}
	t := values.Type.At(path)
	if t != nil && len(t.Fields()) > 0 {
		c.fields(t, typed, nil, "")
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
		c.declaredKeys(cur, of)
	}
}

// fields completes the keys of a map, required ones first.
func (c *completion) fields(t *schema.Type, typed string, without []string, suffix string) {
	for _, f := range t.Fields() {
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

var keyBeginning = lazy.Regexp{Text: `^( *)((?:- +)*)([\w-]*)$`}

// keys completes the keys of data values in YAML.
func (c *completion) keys() {
	m := keyBeginning.Get().FindStringSubmatch(c.before)
	if m == nil || !c.isValues() {
		return
	}
	v := c.doc.View()
	if v == nil {
		return
	}
	values := v.Values(c.ctx, c.doc.Snapshot())
	if values == nil {
		return
	}
	path, siblings := c.around(len(m[1]) + len(m[2]))
	if t := values.Type.At(path); t != nil {
		c.fields(t, m[3], siblings, ":")
	}
}

// isValues reports whether the document around the cursor has data values of the project: in a plain
// file of data values, or with the annotation.
func (c *completion) isValues() bool {
	if c.doc.Kind() == compile.PlainYAML && !bytes.Contains(c.doc.File().Data(), []byte("#@")) {
		return c.doc.IsValues()
	}
	f := c.doc.File()
	n := f.Line(c.off)
	for ; n > 1 && !bytes.HasPrefix(f.Text(n), []byte("---")); n-- {
	}
	is := false
	for n--; n >= 1; n-- {
		line := strings.TrimSpace(string(f.Text(n)))
		switch {
		case strings.HasPrefix(line, "#@library/ref"):
			return false
		case line == "#@"+compile.ValuesAnnotation,
			strings.HasPrefix(line, "#@"+compile.ValuesAnnotation+" "):
			is = true
		case line == "" || strings.HasPrefix(line, "#"):
		default:
			return is
		}
	}
	return is
}

// around returns the path of the map that a key in a column belongs to, and the keys of the map, by the
// indentation of lines.
func (c *completion) around(column int) (path, siblings []string) {
	f := c.doc.File()
	here := f.Line(c.off)
	limit, sibling := column, true
	listed := false // the key of a list may be in the column of its items
	for n := here - 1; n >= 1; n-- {
		text := string(f.Text(n))
		if strings.HasPrefix(text, "---") {
			break
		}
		key, col, item, ok := keyOfLine(text)
		if !ok {
			continue
		}
		switch {
		case col == limit && sibling:
			siblings = append(siblings, key)
			if item { // the line begins the item that the key belongs to
				limit, sibling, listed = strings.IndexByte(text, '-'), false, true
				path = append(path, "")
			}
		case col < limit || listed && col == limit && !item:
			path = append(path, key)
			limit, sibling, listed = col, false, item
			if item {
				limit = strings.IndexByte(text, '-')
				path = append(path, "")
			}
		}
	}
	for n := here + 1; n <= f.Lines(); n++ {
		text := string(f.Text(n))
		key, col, item, ok := keyOfLine(text)
		if strings.HasPrefix(text, "---") || ok && (col < column || item && col == column) {
			break
		}
		if ok && col == column {
			siblings = append(siblings, key)
		}
	}
	slices.Reverse(path)
	return path, siblings
}

var keyLine = lazy.Regexp{Text: `^( *)((?:- +)*)(?:"([^"]*)"|'([^']*)'|([^\s#"'\[{][^:#]*?))\s*:(?:\s|$)`}

// keyOfLine returns the key of a line, its column, and whether the line begins an item of a list.
func keyOfLine(text string) (key string, column int, item, ok bool) {
	m := keyLine.Get().FindStringSubmatch(text)
	if m == nil {
		return "", 0, false, false
	}
	return m[3] + m[4] + m[5], len(m[1]) + len(m[2]), m[2] != "", true
}
