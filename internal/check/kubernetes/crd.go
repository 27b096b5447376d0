package kubernetes

import (
	"weft/internal/check/jsonschema"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// crdGroup is the group of custom resource definitions.
const crdGroup = "apiextensions.k8s.io"

// isDefinition reports whether an object defines custom resources.
func isDefinition(v tree.Value) bool {
	group, _ := groupVersion(v.TextAt("apiVersion"))
	return v.TextAt("kind") == "CustomResourceDefinition" && group == crdGroup
}

// definitions maps types to the schemas of custom resources.
type definitions map[Type]*jsonschema.Schema

// addAll adds the types that the objects of a document define. name is its file.
func (d definitions) addAll(doc tree.Value, name string) {
	for _, o := range Objects(doc) {
		if isDefinition(o.Value) {
			d.add(o.Value, name)
		}
	}
}

// add adds the types that an object defines. name is its file.
func (d definitions) add(v tree.Value, name string) {
	spec, _ := v.Lookup("spec")
	names, _ := spec.Lookup("names")
	kind := names.TextAt("kind")
	group := spec.TextAt("group")
	if kind == "" || group == "" {
		return
	}
	versions, _ := spec.Lookup("versions")
	for version := range versions.Elements() {
		s := definedSchema(spec, version, name+": CustomResourceDefinition "+crdName(v))
		d[Type{group + "/" + version.TextAt("name"), kind}] = s
	}
	if version := spec.TextAt("version"); version != "" && versions.Len() == 0 { // in v1beta1
		d[Type{group + "/" + version, kind}] = definedSchema(spec, tree.Value{}, name)
	}
}

func crdName(v tree.Value) string {
	meta, _ := v.Lookup("metadata")
	return meta.TextAt("name")
}

// definedSchema returns the schema of one version of a custom resource.
func definedSchema(spec, version tree.Value, name string) *jsonschema.Schema {
	validation, ok := version.Lookup("schema")
	if !ok {
		validation, _ = spec.Lookup("validation") // in v1beta1, for all versions
	}
	raw, ok := validation.Lookup("openAPIV3Schema")
	if !ok {
		raw = anything.Get()
	}
	kept, _ := spec.Lookup("preserveUnknownFields")
	closed := ok && !isTrue(kept) // otherwise unknown fields are kept
	return jsonschema.New(raw, jsonschema.Options{
		Name: name, Structural: closed, Object: closed, Metadata: objectMeta.Get,
	})
}

func isTrue(v tree.Value) bool {
	val, _ := v.Scalar()
	return v.Kind() == tree.ScalarKind && val.Kind == yaml.Bool && val.Bool()
}

// anything is the schema of any value.
var anything = lazy.Value[tree.Value]{New: func() tree.Value { return parsed("{}") }}

// objectMeta is the schema of the metadata of objects, which definitions of custom resources leave
// out.
var objectMeta = lazy.Value[*jsonschema.Schema]{New: func() *jsonschema.Schema {
	return jsonschema.New(parsed(metadataText), jsonschema.Options{Name: "metadata", Structural: true})
}}

// parsed parses a built-in text.
func parsed(text string) tree.Value {
	v, err := parse(&source.Set{}, "schema", []byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// parse reads a schema. It may be JSON, which is YAML too.
func parse(set *source.Set, name string, text []byte) (tree.Value, error) {
	docs, err := parseAll(set, name, text)
	if err != nil || len(docs) == 0 {
		return tree.Null, err
	}
	return docs[0], nil
}

// parseAll returns the documents of a file.
func parseAll(set *source.Set, name string, text []byte) ([]tree.Value, error) {
	f, err := set.Add(name, text)
	if err != nil {
		return nil, err
	}
	return jsonschema.Parse(f)
}

// metadataText is the schema of an object's metadata.
const metadataText = `
type: object
properties:
  name: {type: string}
  generateName: {type: string}
  namespace: {type: string}
  labels: {type: object, additionalProperties: {type: string}}
  annotations: {type: object, additionalProperties: {type: string}}
  finalizers: {type: array, items: {type: string}}
  ownerReferences:
    type: array
    items:
      type: object
      required: [apiVersion, kind, name, uid]
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        name: {type: string}
        uid: {type: string}
        controller: {type: boolean}
        blockOwnerDeletion: {type: boolean}
  creationTimestamp: {type: string, format: date-time}
  deletionTimestamp: {type: string, format: date-time}
  deletionGracePeriodSeconds: {type: integer, format: int64}
  generation: {type: integer, format: int64}
  resourceVersion: {type: string}
  selfLink: {type: string}
  uid: {type: string}
  managedFields: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
