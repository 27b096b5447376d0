// Package shape reads files whose keys weft knows: project files, test files and the configurations
// of programs that call weft. A table of Keys says what each key is called, what it takes and what it
// does. Check holds a value to that table, Schema makes a JSON Schema of it, and Table the reference.
//
// Check visits each value that the table knows once. What a key takes as it is (Any, AnyMap) is not
// looked at, however large it is.
package shape

import (
	"regexp"
	"sync"

	"weft/internal/lang/tree"
)

// Shape is what a value must look like.
type Shape struct {
	Kind     Kind
	Item     *Shape   // of the elements of a List, or the values of a Map; nil for Language.Entry
	Keys     []Key    // of a Record
	Required []string // keys that a Record must have
	Excluded []string // two keys of which a Record may have one only
	Full     bool     // a List, a Map or a Record may not be empty
	Choices  []string // the words that a Choice or a Version may be
	Either   []*Shape // the alternatives of an Either, of which a value has one
	Min, Max int      // of a Number; there is no Max if it is 0
	Pattern  string   // what a Text or a Scalar must match, if it is not empty

	Fits     func(tree.Value) bool // of an Own
	Expected string                // what messages call it, if the kind does not say it
	Matching string                // what messages call it if a value is of the kind, and wrong otherwise
	Noun     string                // what the reference calls it, if the kind does not say it
	JSON     Object                // the JSON Schema, if the kind does not say it
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
	Own                 // what Fits accepts
	List                // a list of Item
	Map                 // a mapping with any keys, and values of the shape Item
	Record              // a mapping with Keys
	AnyMap              // a mapping of anything
	Any                 // anything
	Either              // one of several shapes
)

// Key is a key of a mapping: the one place that says what it is called, what it takes, where it may
// be and what it does.
type Key struct {
	Name    string
	Shape   *Shape
	Where   uint8  // in which of several mappings with a common table it may be; 0 means in all
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

// EitherOf returns the shape of a value that has one of several. They differ in whether they are
// scalars, lists or mappings.
func EitherOf(expected string, shapes ...*Shape) *Shape {
	return &Shape{Kind: Either, Either: shapes, Expected: expected}
}

// OneOrMore returns the shape of a value or a list of such.
func OneOrMore(item *Shape) *Shape {
	return EitherOf(item.expected()+", or a list of them", item, ListOf(item))
}

// Requiring returns s, a Record, with keys that it must have.
func (s *Shape) Requiring(keys ...string) *Shape {
	s.Required = keys
	return s
}

// Excluding returns s, a Record, with two keys of which it may have one only.
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

// expected returns what messages call the shape.
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

// Words lists words: a, b or c.
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

// compiled are the patterns of shapes, which are few.
var compiled sync.Map

// Matches reports whether a text matches a pattern, which is compiled once.
func Matches(pattern, s string) bool {
	re, ok := compiled.Load(pattern)
	if !ok {
		re, _ = compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
