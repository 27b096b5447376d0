// Package schema has the types of data values: it checks what users set against what a schema document
// declares.
//
// It takes an evaluated and merged schema document and returns a Type. A Type has the defaults, checks
// values and fills in what they leave out (Assign), runs validations (Validate), warns about deprecated
// values (Deprecated), knows which values are secret (Secrets), and describes itself to other programs
// (OpenAPI, JSONSchema). Each visits a value once. The package neither merges documents, which packages
// overlay and values do, nor evaluates any: it calls the user's functions through a Call.
package schema

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeDefinition diag.Code = "schema/definition"  // a schema that does not declare a valid type
	CodeAnnotation diag.Code = "schema/annotation"  // an annotation that cannot be understood
	CodeType       diag.Code = "schema/type"        // a value of a type other than the declared one
	CodeKey        diag.Code = "schema/unknown-key" // a key that is not declared
	CodeValidation diag.Code = "schema/validation"  // a value that breaks a rule
	CodeRule       diag.Code = "schema/rule"        // a rule that cannot be run
	CodeDeprecated diag.Code = "schema/deprecated"  // a deprecated value that is set
)

// Type is the type of a data value: of the whole document, or of something in it. It never changes,
// and may be used from several goroutines.
type Type struct {
	kind     kind
	nullable bool
	at       source.Span // the document or item that declares it
	def      tree.Value  // the complete default

	fields []field                // the fields of a map, in the order of the schema
	index  map[tree.ScalarKey]int // from keys to fields, if there are many
	item   *Type                  // the type of the items of an array
	union  *union                 // the alternatives that it may be; else nil
	open   *openMap               // for a map with arbitrary keys; otherwise nil

	title, desc string
	deprecation *string   // why it is deprecated; nil if it is not
	secret      bool      // it must not be shown
	required    bool      // it must be set
	computed    *computed // how its default is computed; nil if it is not
	examples    []example
	rules       *rules // nil if there are none

	// Whether there are rules, deprecations, secrets, required and computed values here or below, so
	// that a walk can skip the rest.
	ruled, deprecates, secrets, requires, computes bool

	tagged bool // see Tagged

	// opens means that keys are absent by default, here or below: see Opens.
	opens bool
}

// field is a key of a map and the type of its value.
type field struct {
	key  tree.Value
	name string // the key, if it is a string
	typ  *Type
}

// example is one of @schema/examples.
type example struct {
	desc  string
	value tree.Value
}

// kind is the kind of value that a type takes.
type kind uint8

const (
	anyKind kind = iota
	mapKind
	arrayKind
	stringKind
	intKind
	floatKind
	boolKind
	unionKind // of @schema/any-of
)

// String returns the name of the kind in messages: tree.Value.TypeName uses the same.
func (k kind) String() string {
	return [...]string{
		anyKind: "any", mapKind: "map", arrayKind: "array", stringKind: "string",
		intKind: "integer", floatKind: "float", boolKind: "boolean", unionKind: "any-of",
	}[k]
}

// Any returns the type of data values without a schema: everything is allowed, and there are no
// defaults.
func Any() *Type { return &Type{nullable: true, def: tree.Null} }

// Default returns the document with all defaults. Its items have the positions of their declarations
// in the schema.
func (t *Type) Default() tree.Doc { return tree.Doc{Value: t.def, Pos: t.at.Pos} }

// manyFields is the number of fields from which a map has an index: a few keys are found faster
// without one.
const manyFields = 8

// lookup returns the field for a key. It first tries the field at guess, because most people write
// keys in the order of the schema.
func (t *Type) lookup(key tree.Value, guess int) (int, bool) {
	if guess < len(t.fields) && t.fields[guess].is(key) {
		return guess, true
	}
	if t.index != nil {
		k, ok := key.ScalarKey()
		if !ok {
			return 0, false
		}
		i, ok := t.index[k]
		return i, ok
	}
	for i := range t.fields {
		if t.fields[i].is(key) {
			return i, true
		}
	}
	return 0, false
}

// is reports whether the field has the key.
func (f *field) is(key tree.Value) bool {
	if f.name != "" {
		return key.IsString(f.name)
	}
	return tree.SameScalar(f.key, key)
}
