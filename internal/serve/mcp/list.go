package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"weft"
	"weft/internal/lang/diag"
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
	known := fields{}
	for d := range declared.Documents() {
		known.add("", d.Value())
	}
	var b strings.Builder
	for _, x := range list {
		about := known.of(x.Path)
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

// fields are data values by their paths; [] is any item of a list, and .* any key of a map.
type fields map[string]field

// add adds what a JSON Schema declares.
func (f fields) add(at string, schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	about := field{kind: kinds(s["type"])}
	about.description, _ = s["description"].(string)
	about.secret, _ = s["writeOnly"].(bool)
	f[at] = about
	if properties, ok := s["properties"].(map[string]any); ok {
		for key, below := range properties {
			f.add(strings.TrimPrefix(at+"."+key, "."), below)
		}
	}
	f.add(at+"[]", s["items"])
	f.add(at+".*", s["additionalProperties"])
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

// of returns what is known about the value at a path, or about the map or list around it if that is secret.
func (f fields) of(at string) field {
	about := f[""]
	known := ""
	for i, part := range steps(at) {
		next := strings.TrimPrefix(known+"."+part, ".")
		if strings.HasPrefix(part, "[") {
			next = known + "[]"
		}
		if _, ok := f[next]; !ok && i >= 0 {
			next = known + ".*"
		}
		was := about.secret
		about, known = f[next], next
		about.secret = about.secret || was
	}
	return about
}

// steps returns the keys and items of a path as people see it.
func steps(at string) (list []string) {
	for _, part := range strings.Split(at, ".") {
		key, items, _ := strings.Cut(part, "[")
		if key != "" {
			list = append(list, key)
		}
		for items != "" {
			var item string
			item, items, _ = strings.Cut(items, "[")
			list = append(list, "["+item)
		}
	}
	return list
}
