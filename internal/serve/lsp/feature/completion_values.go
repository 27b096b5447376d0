package feature

import (
	"slices"
	"strings"
	"unicode"

	"weft/internal/engine"
	"weft/internal/engine/schema"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// dataValues completes the keys of a data value, or its methods. A value that is named like the key that it
// is for comes first. It returns what dataValue returns.
func (c *completion) dataValues(cur *cursor, of index.Value) string {
	before, key := len(c.items), c.keyOfLine()
	kind := c.dataValue(cur, of)
	for i, it := range c.items[before:] {
		if isNamedLike(it.Label, key, of.Path) {
			c.rank[before+i] = 0
		}
	}
	return kind
}

// keyOfLine returns the key whose value the code of the line is, or "".
func (c *completion) keyOfLine() string {
	line := strings.TrimLeft(c.beforeMark(), " -")
	key, _, ok := strings.Cut(line, ":")
	if !ok {
		return ""
	}
	return strings.Trim(key, `"' `)
}

// isNamedLike reports whether a data value below a path is named like a key: dbHost, db.host and
// app.example.com/db-host are. Short names are like many.
func isNamedLike(name, key string, path []string) bool {
	key, name = lettersOf(key), lettersOf(name)
	above := ""
	if len(path) > 0 {
		above = lettersOf(path[len(path)-1])
	}
	return len(name) > 0 && (key == name || key == above+name || len(name) > 2 && strings.HasSuffix(key, name))
}

// lettersOf returns the letters and digits of a name in lower case.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// dataValue completes the keys of a data value, or its methods. It returns the type of the value, "" if that
// may be any.
func (c *completion) dataValue(cur *cursor, of index.Value) string {
	path, before, kind := slices.Clone(of.Path), len(c.items), ""
	for i := range path {
		if path[i] == index.Any {
			path[i] = ""
		}
	}
	if v := c.doc.View(); v != nil && of.Library == "" {
		kind = c.knownValue(v.Values(c.ctx, c.doc.Snapshot()), path, cur.typed)
	}
	if len(path) == 0 {
		kind = "map"
	}
	switch {
	case len(c.items) > before:
	case kind == "string" && cur.Kind == index.MemberPlace:
		c.methods("string", cur.typed, 1)
	case kind == "array" && cur.Kind == index.MemberPlace:
		c.methods("list", cur.typed, 1)
	case kind == "" || kind == "map":
		c.declaredKeys(cur.all, of, cur.typed, "")
		if len(c.items) == before {
			c.addRead(cur.all.ReadBelow(of), cur.typed, "")
		}
	}
	return kind
}

// knownValue completes the keys at a path of data values, and returns the type there, "" if that may be any.
func (c *completion) knownValue(values *engine.DataValuesOf, path []string, typed string) (kind string) {
	if values == nil {
		return ""
	}
	t := values.Type.At(path)
	if t != nil && t.Kind() != "any" {
		kind = t.Kind()
	}
	if t != nil && len(t.Members()) > 0 {
		c.fields(t.Members(), typed, nil, "")
		return kind
	}
	// Without a schema, only the values that are set are known.
	set := valuesAt(values.Value, path)
	c.setKeys(set, typed, nil, "")
	if kind == "" && len(set) > 0 && !set[0].IsNull() {
		kind = set[0].TypeName()
	}
	return kind
}

// setKeys completes keys that maps have.
func (c *completion) setKeys(maps []tree.Value, typed string, without []string, suffix string) {
	for _, m := range maps {
		if m.Kind() != tree.MapKind {
			continue
		}
		for _, it := range m.Entries() {
			name := tree.KeyText(it.Key)
			if !c.has(name) && !slices.Contains(without, name) {
				c.add(1, len(typed), keyBefore(suffix, name, it.Value.TypeName()), protocol.CompletionItem{
					Label: name, Kind: protocol.CompleteProperty, Detail: it.Value.TypeName(),
				})
			}
		}
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
		c.add(rank, len(typed), keyBefore(suffix, f.Key, f.Type.Kind()), item)
	}
}

// keys completes a key of data values in YAML.
func (c *completion) keys(at *outline.Cursor) {
	v := c.doc.View()
	if v == nil || !at.Key {
		return
	}
	suffix, declared := keySuffix(at), false
	path := pathOf(at.Path)
	if values := v.Values(c.ctx, c.doc.Snapshot()); values != nil {
		if t := values.Type.At(path); t != nil {
			declared = len(t.Fields()) > 0
			c.fields(t.Fields(), at.Word, at.Siblings(), suffix)
		}
		for _, l := range values.Layers { // a half-typed document may replace what others set
			c.setKeys(valuesAt(l.Value, path), at.Word, append(at.Siblings(), at.Word), suffix)
		}
	}
	if !declared {
		c.readKeys(at)
	}
}

func keySuffix(at *outline.Cursor) string {
	if at.HasColon {
		return ""
	}
	return ":"
}

// keyBefore returns a key with its suffix, and a space if a scalar is next.
func keyBefore(suffix, key, typ string) string {
	switch typ {
	case "boolean", "float", "integer", "string":
		if suffix != "" {
			suffix += " "
		}
	}
	return key + suffix
}

// readKeys completes a key that code reads, and that the data values or the schema at the cursor lack.
func (c *completion) readKeys(at *outline.Cursor) {
	all, src := c.index()
	if all == nil || !at.Key {
		return
	}
	below := all.KeyValue(src, &index.Key{Path: indexPath(at.Path)})
	c.addRead(at.Missing(all.ReadBelow(below)), at.Word, keySuffix(at))
}

// addRead adds keys that code reads.
func (c *completion) addRead(keys []string, typed, suffix string) {
	for _, name := range keys {
		if c.has(name) {
			continue
		}
		c.add(1, len(typed), name+suffix, protocol.CompletionItem{
			Label: name, Kind: protocol.CompleteProperty, Detail: "read by code",
		})
	}
}
