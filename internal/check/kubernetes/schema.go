// Package kubernetes checks rendered documents against the schemas of Kubernetes: those of a version, as
// JSON Schemas in directories, and those of custom resources, as CustomResourceDefinitions.
//
// It takes documents and gives problems: where in a document something is wrong, and what. It reads
// schemas from files and never from a network.
//
//	schema.go, compile.go  a schema, and how it is read
//	check.go               a value checked against a schema
//	alternatives.go        a value that fits none of several schemas
//	formats.go, equal.go   what strings and numbers must be, and which values are the same
//	problem.go             what is wrong, in words
//	crd.go                 schemas of custom resources
//	locate.go, schemas.go  where schemas are found
//	object.go              the objects in a document
package kubernetes

import (
	"regexp"
	"sync"

	"weft/internal/lang/tree"
)

// Schema is a JSON Schema, or a part of one. Most parts of a large schema are never asked for, so
// that each is read when a value is first held to it. Goroutines may share it.
type Schema struct {
	raw  tree.Value
	mode mode
	file *file

	once sync.Once
	rules
}

// mode is how a schema is read.
type mode uint8

const (
	plain      mode = iota // JSON Schema as it is
	structural             // of a custom resource: unknown fields are errors, null is not a value
	loose                  // a condition inside a structural schema, which adds no fields
)

// file is what the parts of a schema have in common.
type file struct {
	name string // as messages show it
	root *Schema

	// other is the schema at a path relative to the file, for references.
	other func(name string) (*Schema, error)

	mu   sync.Mutex
	refs map[string]*Schema // by what references say
}

// rules is what a schema says, once it is read.
type rules struct {
	broken  string // why it cannot be used
	never   bool   // nothing is valid: the schema false
	ref     *Schema
	types   types
	null    bool // null is a value too, whatever types say
	enum    []tree.Value
	allowed map[string]bool // the same in canonical form
	format  string
	pattern *regexp.Regexp

	least, most          *tree.Value
	above, below         bool // least and most themselves are not allowed
	multiple             *tree.Value
	minLength, maxLength limit

	items              *Schema   // of all items after first
	first              []*Schema // of the first items
	minItems, maxItems limit
	unique             bool
	contains           *Schema
	keys               []string // by which the items of a list differ

	fields               map[string]*Schema
	patterns             []patternFields
	others               *Schema // of fields that nothing else describes
	closed               bool    // there must be no such fields
	names                *Schema // of the names of fields
	minFields, maxFields limit
	required             []string
	dependent            map[string][]string // fields that a field requires
	implied              map[string]*Schema  // schemas that a field requires
	object               bool                // it has apiVersion, kind and metadata of its own
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

// limit is a number that a schema may say.
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

// typeNames are the types as schemas name them, and as messages do.
var typeNames = []struct {
	is           types
	name, spoken string
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

// read reads what the schema says, once.
func (s *Schema) read() *rules {
	s.once.Do(s.compile)
	return &s.rules
}
