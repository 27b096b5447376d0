// Package jsonschema checks values against JSON Schemas: of draft 4 to draft 2020-12, and of Kubernetes,
// which has its own rules about null, unknown fields and formats.
//
// It returns problems, each with its place in a document and in the schema. It does not read files:
// callers pass a function that does, and that decides which files a schema may refer to.
//
//	schema.go, compile.go  a schema, and how it is read
//	load.go, resource.go   standard schemas: their files, drafts, identifiers and references
//	check.go               checks a value against a schema
//	alternatives.go        a value that fits none of several schemas
//	unevaluated.go         which fields and items other parts of a schema have checked
//	formats.go             formats of Kubernetes
//	standard_formats.go    formats of JSON Schema
//	secret.go              the parts of a value that a schema marks as secret
//	outline.go             what a schema says about a place of a document, for editors
//	equal.go               equality and order of values
//	problem.go             messages
package jsonschema

import (
	"regexp"
	"sync"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Schema is a JSON Schema, or a part of one. Most parts of a large schema are never needed, so each
// is read when a value is first checked against it. It is safe for concurrent use.
type Schema struct {
	raw  tree.Value
	mode mode
	file *file
	in   *resource // what its references are relative to; nil in schemas of Kubernetes

	once sync.Once
	rules
}

// mode is how to read a schema.
type mode uint8

const (
	plain      mode = iota // of Kubernetes: the keywords of drafts 4 to 7 and of OpenAPI
	structural             // of a custom resource: unknown fields are errors, null is not a value
	loose                  // a condition inside a structural schema, which adds no fields
	standard               // JSON Schema, by the rules of a draft
)

// Options describes a schema of Kubernetes.
type Options struct {
	Name string // the name that messages show

	// Structural means that it is the schema of a custom resource: unknown fields are errors, null is not
	// a value, and the server sets defaults.
	Structural bool
	Object     bool           // it has its own apiVersion, kind and metadata
	Metadata   func() *Schema // the schema of the metadata of objects

	// Other returns the schema at a path relative to the file, for references.
	Other func(name string) (*Schema, error)
}

// New returns a schema of Kubernetes.
func New(raw tree.Value, opt Options) *Schema {
	s := &Schema{raw: raw, file: &file{name: opt.Name, other: opt.Other, metadata: opt.Metadata}}
	if opt.Structural {
		s.mode = structural
	}
	s.object = opt.Object
	s.file.root = s
	return s
}

// Name returns the name that messages show: where the schema is from.
func (s *Schema) Name() string { return s.file.name }

// Value returns the text of the schema, as a value.
func (s *Schema) Value() tree.Value { return s.raw }

// file is what the parts of a schema share.
type file struct {
	name     string // the name that messages show
	root     *Schema
	other    func(name string) (*Schema, error) // see Options.Other
	metadata func() *Schema                     // see Options.Metadata
	tracks   bool                               // some part of it has unevaluatedProperties or unevaluatedItems

	mu   sync.Mutex
	refs map[string]*Schema // schemas by reference
}

// rules is the content of a schema, once it is read.
type rules struct {
	broken   string      // why it cannot be used
	brokenAt source.Span // the keyword that is wrong, if that is known
	never    bool        // nothing is valid: the schema is false
	refs     []*Schema   // what references refer to, other than dynamic
	dynamic  *dynamicRef
	types    types
	null     bool // null is allowed in addition to types
	enum     []tree.Value
	allowed  map[string]bool // enum in canonical form
	format   string
	pattern  *regexp.Regexp

	least, most          *tree.Value
	above, below         bool // least and most are exclusive
	multiple             *tree.Value
	minLength, maxLength limit

	items              *Schema   // the schema of all items after first
	first              []*Schema // the schemas of the first items
	minItems, maxItems limit
	unique             bool
	contains           *Schema
	minContains        limit
	maxContains        limit
	otherItems         *Schema  // for items that no other part of the schema has checked
	keys               []string // keys by which the items of a list must differ

	fields               map[string]*Schema
	patterns             []patternFields
	others               *Schema // for fields that nothing else describes
	closed               bool    // such fields are not allowed
	otherFields          *Schema // for fields that no other part of the schema has checked
	names                *Schema // the schema of the names of fields
	minFields, maxFields limit
	required             []string
	dependent            map[string][]string // fields that the presence of a field requires
	implied              map[string]*Schema  // schemas that the presence of a field requires
	object               bool                // it has its own apiVersion, kind and metadata
	hasDefault           bool
	secret               bool

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
	return &Schema{raw: raw, mode: m, file: s.file, in: s.in.of(raw)}
}

// read reads the schema, once.
func (s *Schema) read() *rules {
	s.once.Do(s.compile)
	return &s.rules
}
