// Package argocd connects data values with the parameters of Argo CD: it announces them, so that the
// pages of Argo CD show them with their types and defaults, and it sets data values from the
// parameters of an application.
//
//	argocd.go     the data values of a run
//	announce.go   data values and their schema → announcements
//	parameters.go the parameters of an application → data values
package argocd

import (
	"context"
	"strings"

	"weft"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// declared is the data values of a run and their schema.
type declared struct {
	values tree.Value
	schema tree.Value // as JSON Schema; null if there is no schema
}

// inspect returns the data values of a run with these options.
func inspect(ctx context.Context, opts weft.Options) (declared, error) {
	opts.Format = weft.YAML
	values, err := weft.InspectDataValues(ctx, opts)
	if err != nil {
		return declared{}, err
	}
	schema, err := weft.InspectSchema(ctx, opts, weft.JSONSchema)
	if err != nil {
		return declared{}, err
	}
	return declared{only(values), only(schema)}, nil
}

// only returns the only document of a result, in the order in which it is written, or null if there
// is none.
func only(res *weft.Result) tree.Value {
	for d := range res.Documents() {
		f, err := new(source.Set).Add("document", d.YAML())
		if err != nil {
			return tree.Value{}
		}
		t, err := yaml.Parse(f, yaml.Options{})
		if err != nil {
			return tree.Value{}
		}
		return tree.FromSyntax(t, t.Root(t.First()))
	}
	return tree.Value{}
}

// at returns the data value at a path, with its part of the schema.
func (d declared) at(path string) declared {
	for _, key := range keys(path) {
		d = d.below(key)
	}
	return d
}

func (d declared) below(key string) declared {
	value, _ := d.values.Lookup(key)
	properties, _ := d.schema.Lookup("properties")
	schema, _ := properties.Lookup(key)
	return declared{value, schema}
}

// items returns the schema of the items of a list, with the first item.
func (d declared) items() declared {
	schema, _ := d.schema.Lookup("items")
	for v := range d.values.Elements() {
		return declared{v, schema}
	}
	return declared{schema: schema}
}

// isString reports whether a data value is a string, so that text for it is not read as YAML.
func (d declared) isString() bool { return d.typeName() == "string" }

// typeName returns the type of a data value, as in JSON Schema. If the value may be null, it is the
// other type; if nothing is known, it is "".
func (d declared) typeName() string {
	name, ok := d.schema.Lookup("type")
	if ok && name.Kind() == tree.ArrayKind {
		for v := range name.Elements() {
			if v.Text() != "null" {
				return v.Text()
			}
		}
	}
	if ok {
		return name.Text()
	}
	switch d.values.TypeName() {
	case "string":
		return "string"
	case "boolean":
		return "boolean"
	case "integer", "float":
		return "number"
	}
	return ""
}

// keys returns the keys of a path such as image.tag. A dot with a backslash before it is part of a
// key.
func keys(path string) (all []string) {
	key := ""
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path) && path[i+1] == '.':
			key += "."
			i++
		case path[i] == '.':
			all, key = append(all, key), ""
		default:
			key += path[i : i+1]
		}
	}
	return append(all, key)
}

// join returns the path of a key below another path.
func join(path, key string) string {
	key = strings.ReplaceAll(key, ".", `\.`)
	if path == "" {
		return key
	}
	return path + "." + key
}
