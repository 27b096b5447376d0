// Package shape checks files whose keys weft knows: project files, test files and the configurations
// of programs that call weft. A table of Keys has the name, the value and the meaning of each key.
// Check checks a value against that table, Schema converts the table to a JSON Schema, and Table to
// the Markdown of the reference.
//
// Check visits each value that the table describes once. Values of any shape (Any, AnyMap) are not
// visited, however large they are.
package shape

import (
	"regexp"
	"sync"

	"weft/internal/lang/tree"
)

// Shape is what a value must look like.
type Shape struct {
	Kind Kind
	// the shape of the elements of a List, or of the values of a Map; if nil, Language.Entry checks
	// them
	Item     *Shape
	Keys     []Key    // the keys of a Record
	Required []string // keys that a Record must have
	Excluded []string // two keys that exclude each other in a Record
	Full     bool     // a List, a Map or a Record may not be empty
	Choices  []string // the words that a Choice or a Version may be
	Either   []*Shape // the alternatives of an Either
	Min, Max int      // limits of a Number; a Max of 0 means no maximum
	Pattern  string   // what a Text or a Scalar must match, if not empty

	Fits     func(tree.Value) bool // for a Custom shape
	Expected string                // its name in messages, unless the kind determines it
	Matching string                // its name in messages about a value that has the right kind but is wrong
	Noun     string                // its name in the reference, unless the kind determines it
	JSON     Object                // the JSON Schema, unless the kind determines it
}

// Kind is the kind of a Shape.
type Kind uint8

// The kinds.
const (
	Text    Kind = iota // a string that is not empty
	Bool                // true or false
	True                // true
	Number              // an integer from Min to Max
	Choice              // one of some words
	Version             // one of some numbers, also as text
	Scalar              // any scalar but null
	Custom              // what Fits accepts
	List                // a list of Item
	Map                 // a mapping with any keys, and values of the shape Item
	Record              // a mapping with Keys
	AnyMap              // a mapping of anything
	Any                 // anything
	Either              // one of several shapes
)

// Key describes a key of a mapping: its name, its value, where it may be and what it does.
type Key struct {
	Name    string
	Shape   *Shape
	Where   uint8  // in which of the mappings that share a table the key may be; 0 means all
	Doc     string // what it does, as Markdown
	Example string // its value in the example of the reference
}

// OneOf returns the shape of a word that is one of several.
func OneOf(words ...string) *Shape { return &Shape{Kind: Choice, Choices: words} }

// ListOf returns the shape of a list.
func ListOf(item *Shape) *Shape { return &Shape{Kind: List, Item: item} }

// MapOf returns the shape of a mapping with any keys.
func MapOf(value *Shape) *Shape { return &Shape{Kind: Map, Item: value} }

// RecordOf returns the shape of a mapping with known keys.
func RecordOf(keys ...Key) *Shape { return &Shape{Kind: Record, Keys: keys} }

// EitherOf returns the shape of a value that has one of several shapes, which differ in whether
// they are scalars, lists or mappings.
func EitherOf(expected string, shapes ...*Shape) *Shape {
	return &Shape{Kind: Either, Either: shapes, Expected: expected}
}

// OneOrMore returns the shape of a value or a list of such values.
func OneOrMore(item *Shape) *Shape {
	return EitherOf(item.expected()+", or a list of them", item, ListOf(item))
}

// Requiring returns s, a Record, with keys that it must have.
func (s *Shape) Requiring(keys ...string) *Shape {
	s.Required = keys
	return s
}

// Excluding returns s, a Record, with two keys that exclude each other.
func (s *Shape) Excluding(a, b string) *Shape {
	s.Excluded = []string{a, b}
	return s
}

// Names returns the names of keys.
func Names(keys []Key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// expected returns the name of the shape in messages.
func (s *Shape) expected() string {
	if s.Expected != "" {
		return s.Expected
	}
	switch s.Kind {
	case Text:
		return "text"
	case Bool:
		return "true or false"
	case True:
		return "true"
	case Choice, Version:
		return Words(s.Choices)
	case List:
		return "a list"
	}
	return "a mapping"
}

// Words joins words: a, b or c.
func Words(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += w
	}
	return text
}

// kindOf returns the kind of the values of the shape, unless it is Any or Either.
func (s *Shape) kindOf() tree.Kind {
	switch s.Kind {
	case Map, Record, AnyMap:
		return tree.MapKind
	case List:
		return tree.ArrayKind
	}
	return tree.ScalarKind
}

// compiled caches the patterns of shapes.
var compiled sync.Map

// Matches reports whether a text matches a pattern, which is compiled once.
func Matches(pattern, s string) bool {
	re, ok := compiled.Load(pattern)
	if !ok {
		re, _ = compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
