// Package outline completes and describes YAML by JSON Schemas: Kubernetes objects, project files, test
// files, configurations of functions, and data values.
//
// A Cursor is a place in a text that may be half typed; its path comes from the parser. The caller knows
// which schema a document has. What comes out are items of completion and Markdown.
package outline

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/protocol"
)

// Rules returns what is known about a map of a document, or nil if what is known about the value around it
// counts. It is called with the root of the document first.
type Rules func(t *yaml.Tree, n yaml.NodeID) jsonschema.Outline

// Outline returns what schemas say about the value that the path of the cursor leads to.
func (c *Cursor) Outline(rules Rules) jsonschema.Outline {
	o := rules(c.Tree, c.Tree.Root(c.Doc))
	for _, s := range c.Path {
		o = s.Below(o)
		if n := c.child(s); c.Tree.Kind(n) == yaml.Mapping && !isReference(o) {
			if own := rules(c.Tree, n); own != nil {
				o = own
			}
		}
	}
	return o
}

// Below returns what a schema says about the value that a step leads to, if it says o about the map or the
// list.
func (s Step) Below(o jsonschema.Outline) jsonschema.Outline {
	if s.Item {
		return o.Item(s.Index)
	}
	return o.Field(s.Key)
}

// isReference reports whether a map names an object by its kind, as roleRef and scaleTargetRef do, and is none.
func isReference(o jsonschema.Outline) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(o.Fields(), func(f jsonschema.Field) bool { return f.Name == name })
	}
	return has("kind") && !has("metadata")
}

// Item is something that can be written at a cursor.
type Item struct {
	protocol.CompletionItem
	Text string
	Rank int // the smallest ones come first
}

// The ranks of items.
const (
	Required = iota
	Common
	Other
	Deprecated
)

// Items returns what can be written at a cursor where the schema says o. The keys in common come before
// others, in their order.
func (c *Cursor) Items(o jsonschema.Outline, common []string) []Item {
	var items []Item
	if c.Key {
		present := c.Siblings()
		for _, f := range o.Fields() {
			if !slices.Contains(present, f.Name) {
				items = append(items, c.field(f, common))
			}
		}
		slices.SortStableFunc(items, func(a, b Item) int {
			if a.Rank != Common || b.Rank != Common {
				return a.Rank - b.Rank
			}
			return slices.Index(common, a.Label) - slices.Index(common, b.Label)
		})
	}
	if !c.Key || c.Alone && !c.HasColon {
		items = append(items, c.values(o)...)
	}
	return items
}

// field returns the item of a key.
func (c *Cursor) field(f jsonschema.Field, common []string) Item {
	it := Item{Text: f.Name, Rank: Other, CompletionItem: protocol.CompletionItem{
		Label: f.Name, Kind: protocol.CompleteProperty, Detail: f.Type(),
		Documentation: c.documentation(f.Outline),
	}}
	switch {
	case f.IsDeprecated():
		it.Rank, it.Tags = Deprecated, []protocol.CompletionItemTag{protocol.CompletionDeprecated}
	case f.Required:
		it.Rank = Required
		it.Detail = strings.TrimPrefix(it.Detail+", required", ", ")
	case slices.Contains(common, f.Name):
		it.Rank = Common
	}
	switch {
	case c.HasColon || c.Quoted:
	case f.IsCollection():
		it.Text += ":"
	default:
		it.Text += ": "
	}
	return it
}

// values returns the items of the scalars that are allowed.
func (c *Cursor) values(o jsonschema.Outline) (items []Item) {
	standard, hasDefault := o.Default()
	for _, v := range o.Values() {
		text := v.Text()
		if i := slices.IndexFunc(items, func(it Item) bool { return it.Label == text }); i >= 0 {
			if v.TypeName() == "string" {
				continue
			}
			items = slices.Delete(items, i, i+1) // a number can be written as text too
		}
		it := Item{Text: text, Rank: Common, CompletionItem: protocol.CompletionItem{
			Label: text, Kind: protocol.CompleteValue,
		}}
		switch {
		case c.Quoted:
		case v.TypeName() == "string": // those of JSON have quotes, which are rarely needed
			it.Text = string(edit.AppendScalar(nil, tree.Of(starlark.String(text))))
		default:
			it.Text = string(edit.AppendScalar(nil, v))
		}
		if hasDefault && edit.Equal(standard, v) {
			it.Detail = "default"
		}
		items = append(items, it)
	}
	if c.Nulls && !c.Quoted && o.IsNullable() {
		items = append(items, Item{Text: "null", Rank: Other, CompletionItem: protocol.CompletionItem{
			Label: "null", Kind: protocol.CompleteValue,
		}})
	}
	return items
}

// documentation returns what a schema says in words about a value, or nil.
func (c *Cursor) documentation(o jsonschema.Outline) *protocol.MarkupContent {
	parts := c.describe(o)
	if len(parts) == 0 {
		return nil
	}
	return &protocol.MarkupContent{Kind: protocol.Markdown, Value: strings.Join(parts, "\n\n")}
}

// Hover returns what the schema says about the key or the scalar at a cursor, as Markdown, or "". o is what
// it says about the value that the path leads to; of is the type of the document, or "".
func (c *Cursor) Hover(o jsonschema.Outline, of string) string {
	names := []string{}
	for _, s := range c.Path {
		if !s.Item {
			names = append(names, s.Key)
		}
	}
	required := false
	if c.Key {
		name := c.text(c.Node)
		names = append(names, name)
		for _, f := range o.Fields() {
			required = required || f.Name == name && f.Required
		}
		o = o.Field(name)
	}
	if len(o) == 0 || len(names) == 0 {
		return ""
	}
	head := "`" + strings.Join(names, ".") + "`"
	if kind := o.Type(); kind != "" {
		head += ": " + kind
	}
	if required {
		head += ", required"
	}
	if of != "" {
		head += " — " + of
	}
	return strings.Join(append([]string{head}, c.describe(o)...), "\n\n")
}

// maxListed limits the values that a hover lists.
const maxListed = 30

// describe returns paragraphs about a value.
func (c *Cursor) describe(o jsonschema.Outline) (parts []string) {
	title, text := o.Documentation()
	for _, part := range []string{title, text} {
		if c.Plain {
			part = markdown.Get().Replace(part)
		}
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	if o.IsDeprecated() {
		parts = append(parts, "Deprecated.")
	}
	if v, ok := o.Default(); ok && v.Kind() == tree.ScalarKind {
		parts = append(parts, "Default: "+jsonschema.Code(v.Text()))
	}
	var allowed []string
	for _, v := range o.Values() {
		if text := jsonschema.Code(v.Text()); !slices.Contains(allowed, text) {
			allowed = append(allowed, text)
		}
	}
	if len(allowed) > maxListed {
		allowed = append(allowed[:maxListed], "…")
	}
	if len(allowed) > 0 && o.Type() != "boolean" {
		parts = append(parts, "Allowed: "+strings.Join(allowed, ", "))
	}
	if limits := o.Limits(); len(limits) > 0 {
		parts = append(parts, "Limits: "+strings.Join(limits, ", "))
	}
	return parts
}

// markdown turns plain text into Markdown without links, images, code and HTML.
var markdown = lazy.Value[*strings.Replacer]{New: func() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "[", `\[`, "<", `\<`)
}}
