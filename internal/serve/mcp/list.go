package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
)

// environments lists the environments of a project.
func environments(ctx context.Context, args *arguments) (*report, error) {
	p, err := args.open(ctx)
	if err != nil {
		return nil, err
	}
	envs, err := p.Environments(p.Names()...)
	if err != nil {
		return nil, err
	}
	standard, _ := p.Default() // there may be no default
	var b strings.Builder
	for _, e := range envs {
		fmt.Fprintf(&b, "%s  %s", e.Name, place(e.Place))
		if e.Name == standard {
			b.WriteString("  default")
		}
		for _, key := range slices.Sorted(maps.Keys(e.Labels)) {
			fmt.Fprintf(&b, "  %s=%s", diag.Visible(key), diag.Visible(e.Labels[key]))
		}
		if e.Values != "" {
			b.WriteString("  values: " + diag.Visible(e.Values))
		}
		if out := e.Output.Dir + e.Output.File; out != "" {
			b.WriteString("  output: " + diag.Visible(out))
		}
		b.WriteString("\n")
	}
	return &report{summary: diag.Count(len(envs), "environment"), data: b.String()}, nil
}

// place returns a place that an editor can open.
func place(p weft.Place) string {
	if p.Line == 0 {
		return diag.Visible(p.File)
	}
	return fmt.Sprintf("%s:%d", diag.Visible(p.File), p.Line)
}

// dataValues lists data values with their places and their schema.
func dataValues(ctx context.Context, args *arguments) (*report, error) {
	s, err := args.scene(ctx)
	if err != nil {
		return nil, err
	}
	res, err := weft.InspectDataValues(ctx, s.Options)
	if err != nil {
		return nil, err
	}
	list, err := res.Excerpts(weft.ExcerptOptions{Path: args.Value, Leaves: true})
	if err != nil {
		return nil, err
	}
	declared, err := weft.InspectSchema(ctx, s.Options, weft.JSONSchema)
	if err != nil {
		return nil, err
	}
	var schema any
	for d := range declared.Documents() {
		schema = d.Value()
	}
	var b strings.Builder
	for _, x := range list {
		about := fieldAt(schema, x.Path)
		value := strings.TrimSuffix(string(x.Text), "\n")
		if about.secret {
			value = secret.Hidden
		}
		if strings.Contains(value, "\n") { // a text of several lines
			value = strings.ReplaceAll(value, "\n", "\n    ")
		}
		b.WriteString(x.Path + " = " + value + "  " + place(x.Place) + about.text() + "\n")
	}
	return &report{summary: diag.Count(len(list), "data value") + s.note, data: b.String()}, nil
}

// field is what a schema says about a data value.
type field struct {
	kind, description string
	secret            bool
}

func (f field) text() (text string) {
	if f.kind != "" {
		text = "  " + f.kind
	}
	if f.description != "" {
		text += "  # " + strings.ReplaceAll(f.description, "\n", " ")
	}
	return text
}

// fieldAt returns what a JSON Schema says about the value at a path. What is in a secret value is secret, and
// so is what cannot be found.
func fieldAt(schema any, at string) field {
	way, ok := path.Read(at)
	if !ok {
		return field{secret: true}
	}
	nodes := branches(nil, schema)
	var about field
	for i := -1; i < len(way); i++ {
		if i >= 0 {
			nodes = below(nodes, way[i])
		}
		about.kind, about.description = "", ""
		for _, node := range nodes {
			if secret, _ := node["writeOnly"].(bool); secret {
				about.secret = true
			}
			if kind := shape(node); about.kind == "" {
				about.kind = kind
			}
			if text, _ := node["description"].(string); about.description == "" {
				about.description = text
			}
		}
	}
	return about
}

// branches adds a schema and its alternatives.
func branches(list []map[string]any, schema any) []map[string]any {
	node, ok := schema.(map[string]any)
	if !ok {
		return list
	}
	list = append(list, node)
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		alternatives, _ := node[key].([]any)
		for _, one := range alternatives {
			list = branches(list, one)
		}
	}
	return list
}

// below returns the schemas of a key or an item.
func below(nodes []map[string]any, to path.Segment) (list []map[string]any) {
	for _, node := range nodes {
		if to.Kind != path.Key {
			list = branches(list, node["items"])
			continue
		}
		properties, _ := node["properties"].(map[string]any)
		if one, ok := properties[to.Key.Text()]; ok {
			list = branches(list, one)
		} else {
			list = branches(list, node["additionalProperties"])
		}
	}
	return list
}

// shape returns what values a schema allows: types, and the rules that are short.
func shape(node map[string]any) string {
	text := kinds(node["type"])
	if text == "array" || strings.HasPrefix(text, "array ") {
		for _, item := range branches(nil, node["items"]) {
			if of := shape(item); of != "" {
				text = strings.Replace(text, "array", "array of "+of, 1)
				break
			}
		}
	}
	if properties, _ := node["properties"].(map[string]any); len(properties) > 0 && text == "object" {
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			field := key
			for _, one := range branches(nil, properties[key]) {
				if of := shape(one); of != "" {
					field += ": " + of
					break
				}
			}
			fields = append(fields, field)
		}
		text += " {" + strings.Join(fields, ", ") + "}"
	}
	if allowed, _ := node["enum"].([]any); len(allowed) > 0 {
		list, _ := json.Marshal(allowed) // it is from a JSON Schema
		text += ", one of " + string(list)
	}
	for _, rule := range rules {
		if limit, ok := node[rule.key]; ok {
			text += fmt.Sprintf(", %s %v", rule.text, limit)
		}
	}
	return strings.TrimPrefix(text, ", ")
}

// rules are the limits of values, by their keys in JSON Schema.
var rules = []struct{ key, text string }{
	{"minimum", "at least"},
	{"maximum", "at most"},
	{"exclusiveMinimum", "more than"},
	{"exclusiveMaximum", "less than"},
	{"minLength", "length at least"},
	{"maxLength", "length at most"},
	{"minItems", "items at least"},
	{"maxItems", "items at most"},
	{"pattern", "matches"},
	{"format", "format"},
}

func kinds(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case []any:
		var names []string
		for _, one := range x {
			names = append(names, kinds(one))
		}
		return strings.Join(names, " or ")
	}
	return ""
}
