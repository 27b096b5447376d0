// Package kubernetes checks rendered documents against the schemas of Kubernetes: those of a
// version, as JSON Schemas in directories, and those of custom resources, as
// CustomResourceDefinitions.
//
// It returns problems, each with its place in a document. It reads schemas from files and never
// from a network, and reads only the parts of a schema that a value needs.
//
//	schema.go, compile.go  a schema, and how it is read
//	check.go               checks a value against a schema
//	alternatives.go        a value that fits none of several schemas
//	formats.go, equal.go   formats of strings and numbers, and equality of values
//	problem.go             messages
//	crd.go                 schemas of custom resources
//	locate.go, schemas.go  finds schemas
//	object.go              the objects in a document
package kubernetes

import (
	"regexp"
	"sync"

	"weft/internal/lang/tree"
)

// Schema is a JSON Schema, or a part of one. Most parts of a large schema are never needed, so each
// is read when a value is first checked against it. It is safe for concurrent use.
type Schema struct {
	raw  tree.Value
	mode mode
	file *file

	once sync.Once
	rules
}

// mode is how to read a schema.
type mode uint8

const (
	plain      mode = iota // standard JSON Schema
	structural             // of a custom resource: unknown fields are errors, null is not a value
	loose                  // a condition inside a structural schema, which adds no fields
)

// file is what the parts of a schema share.
type file struct {
	name string // the name that messages show
	root *Schema

	// other returns the schema at a path relative to the file, for references.
	other func(name string) (*Schema, error)

	mu   sync.Mutex
	refs map[string]*Schema // schemas by reference
}

// rules is the content of a schema, once it is read.
type rules struct {
	broken  string // why it cannot be used
	never   bool   // nothing is valid: the schema is false
	ref     *Schema
	types   types
	null    bool // null is allowed in addition to types
	enum    []tree.Value
	allowed map[string]bool // enum in canonical form
	format  string
	pattern *regexp.Regexp

	least, most          *tree.Value
	above, below         bool // least and most are exclusive
	multiple             *tree.Value
	minLength, maxLength limit

	items              *Schema   // the schema of all items after first
	first              []*Schema // the schemas of the first items
	minItems, maxItems limit
	unique             bool
	contains           *Schema
	keys               []string // keys by which the items of a list must differ

	fields               map[string]*Schema
	patterns             []patternFields
	others               *Schema // for fields that nothing else describes
	closed               bool    // such fields are not allowed
	names                *Schema // the schema of the names of fields
	minFields, maxFields limit
	required             []string
	dependent            map[string][]string // fields that the presence of a field requires
	implied              map[string]*Schema  // schemas that the presence of a field requires
	object               bool                // it has its own apiVersion, kind and metadata
	hasDefault           bool

	all, any, one []*Schema
	not           *Schema
	when          *Schema
	then, orElse  *Schema
}

// patternFields are the fields whose names match a pattern.
type patternFields struct {
	pattern *regexp.Regexp
	schema  *Schema
}

// limit is an optional limit.
type limit struct {
	n   int
	set bool
}

// types is a set of types of JSON.
type types uint8

const (
	nullType types = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType
)

// typeNames are the names of types in schemas, and in messages.
var typeNames = []struct {
	is           types
	name, phrase string
}{
	{stringType, "string", "a string"},
	{integerType, "integer", "an integer"},
	{numberType, "number", "a number"},
	{booleanType, "boolean", "true or false"},
	{arrayType, "array", "a list"},
	{objectType, "object", "a map"},
	{nullType, "null", "null"},
}

// part returns a part of s, which is read in a mode.
func (s *Schema) part(raw tree.Value, m mode) *Schema {
	return &Schema{raw: raw, mode: m, file: s.file}
}

// read reads the schema, once.
func (s *Schema) read() *rules {
	s.once.Do(s.compile)
	return &s.rules
}
