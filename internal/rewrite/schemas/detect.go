package schemas

import (
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Format is what a file that is imported contains.
type Format uint8

// The formats. The zero value is none of them.
const (
	JSONSchema Format = iota + 1
	OpenAPI
	CRD // a CustomResourceDefinition
	Helm
	Values
)

// Formats returns the names of all formats.
func Formats() []string { return []string{"json-schema", "openapi", "crd", "helm", "values"} }

// String returns the name of the format.
func (f Format) String() string {
	if f == 0 {
		return ""
	}
	return Formats()[f-1]
}

// ParseFormat returns the format with a name, or 0.
func ParseFormat(name string) Format { return Format(slices.Index(Formats(), name) + 1) }

// detect finds out what a file contains.
func detect(name string, docs []parsed) Format {
	for _, d := range docs {
		if isCRD(d.root) {
			return CRD
		}
	}
	root := docs[0].root
	for _, key := range []string{"openapi", "swagger"} {
		if v, ok := root.Lookup(key); ok && v.Kind() == tree.ScalarKind {
			return OpenAPI
		}
	}
	switch base := path.Base(name); {
	case base == "values.schema.json", base == "values.schema.yaml", base == "values.yaml", base == "values.yml":
		return Helm
	case isSchema(root):
		return JSONSchema
	}
	return Values
}

// isSchema reports whether a document is a JSON Schema, rather than values.
func isSchema(root tree.Value) bool {
	if root.Kind() != tree.MapKind {
		return false
	}
	for _, key := range []string{"$schema", "$defs", "$ref"} {
		if _, ok := root.Lookup(key); ok {
			return true
		}
	}
	for _, key := range []string{"properties", "definitions", "patternProperties"} {
		if v, ok := root.Lookup(key); ok && v.Kind() == tree.MapKind {
			return true
		}
	}
	typ, ok := root.Lookup("type")
	name, _ := starlark.AsString(typ.Starlark())
	return ok && typeOf(name) != 0
}

// isCRD reports whether a document defines a custom resource.
func isCRD(v tree.Value) bool {
	kind, ok := v.Lookup("kind")
	return ok && kind.IsString("CustomResourceDefinition")
}

// customResource reads the schema of a custom resource.
func (i *importer) customResource(docs []parsed) (*node, error) {
	var found []tree.Value
	var names []string
	for _, d := range docs {
		for _, v := range withItems(d.root) {
			if !isCRD(v) {
				continue
			}
			name, kind := textAt(v, "metadata", "name"), textAt(v, "spec", "names", "kind")
			names = append(names, name)
			if i.Name == "" || i.Name == name || i.Name == kind {
				found = append(found, v)
			}
		}
	}
	if len(found) != 1 {
		return nil, i.chooseOne("custom resource", names, len(found))
	}
	v, err := i.versionOf(found[0])
	if err != nil {
		return nil, err
	}
	return i.schema(v, v, i.File.Name)
}

// withItems returns the items of a Kubernetes List, or else the document itself.
func withItems(v tree.Value) []tree.Value {
	if items, ok := v.Lookup("items"); ok && items.Kind() == tree.ArrayKind {
		return slices.Collect(items.Elements())
	}
	return []tree.Value{v}
}

// chooseOne returns an error that says which schemas there are to choose from.
func (i *importer) chooseOne(what string, names []string, found int) error {
	name := i.File.Name
	switch {
	case len(names) == 0:
		return diag.Failf(CodeImport, "%s has no schema of a %s", name, what)
	case i.Name == "":
		return diag.Failf(CodeImport, "%s has %d schemas: name one of them", name, len(names)).
			WithHint("add --name %s; there are %s", names[0], quotedList(names))
	case found == 0:
		return diag.Failf(CodeImport, "%s has no schema called '%s'", name, i.Name).
			WithHint("there are %s", quotedList(names)).WithNearestAs("--name %s", i.Name, names)
	}
	return diag.Failf(CodeImport, "%s has %d schemas called '%s'", name, found, i.Name)
}

// versionOf returns the schema of a version of a custom resource: the one that is stored, if none is named.
func (i *importer) versionOf(crd tree.Value) (tree.Value, error) {
	old, _ := lookup(crd, "spec", "validation", "openAPIV3Schema")
	versions, _ := lookup(crd, "spec", "versions")
	var names []string
	var stored, first tree.Value
	for v := range versions.Elements() {
		schema, ok := lookup(v, "schema", "openAPIV3Schema")
		if !ok {
			schema = old
		}
		if schema.Kind() != tree.MapKind {
			continue
		}
		name := textAt(v, "name")
		names = append(names, name)
		storage, _ := v.Lookup("storage")
		switch {
		case i.Version == name && name != "":
			return schema, nil
		case isTrue(storage):
			stored = schema
		case first.Kind() != tree.MapKind:
			first = schema
		}
	}
	if i.Version != "" {
		return old, diag.Errorf(crd.Span(), CodeImport, "there is no version '%s' with a schema", i.Version).
			WithHint("there are %s", quotedList(names)).WithNearestAs("--version %s", i.Version, names)
	}
	for _, schema := range []tree.Value{stored, first, old} {
		if schema.Kind() == tree.MapKind {
			return schema, nil
		}
	}
	return old, diag.Errorf(crd.Span(), CodeImport, "the custom resource has no schema").
		WithHint("it is expected at spec.versions[*].schema.openAPIV3Schema")
}

// component reads a schema of an OpenAPI document: the one that is named, or the only one.
func (i *importer) component(docs []parsed) (*node, error) {
	doc, err := i.only(docs)
	if err != nil {
		return nil, err
	}
	schemas, ok := lookup(doc.root, "components", "schemas")
	if !ok {
		schemas, _ = doc.root.Lookup("definitions")
	}
	return i.among(doc, schemas)
}

// definition reads one of the definitions of a JSON Schema.
func (i *importer) definition(doc parsed) (*node, error) {
	for _, key := range []string{"$defs", "definitions"} {
		if defs, ok := doc.root.Lookup(key); ok {
			return i.among(doc, defs)
		}
	}
	return nil, i.chooseOne("definition", nil, 0)
}

// among reads the schema called i.Name or, without a name, the only one.
func (i *importer) among(doc parsed, schemas tree.Value) (*node, error) {
	var names []string
	var found []tree.Value
	for _, it := range schemas.Entries() {
		name := tree.KeyText(it.Key)
		names = append(names, name)
		if i.Name == "" || i.Name == name {
			found = append(found, it.Value)
		}
	}
	if len(found) != 1 {
		return nil, i.chooseOne("component", names, len(found))
	}
	return i.schema(found[0], doc.root, i.File.Name)
}

// lookup returns the value at keys.
func lookup(v tree.Value, keys ...string) (tree.Value, bool) {
	for _, key := range keys {
		next, ok := v.Lookup(key)
		if !ok {
			return tree.Value{}, false
		}
		v = next
	}
	return v, true
}

// textAt returns the text at keys, or "".
func textAt(v tree.Value, keys ...string) string {
	found, _ := lookup(v, keys...)
	text, _ := starlark.AsString(found.Starlark())
	return strings.TrimSpace(text)
}
