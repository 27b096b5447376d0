package tree

import (
	"slices"
	"strings"
)

// Meaning is what an annotation means to weft. Other annotations mean nothing.
type Meaning struct {
	Name     string
	Keywords []Keyword
	On       string // the nodes that it may be on
	Doc      string // what it does, in one line of Markdown
}

// Keyword is a keyword argument of an annotation.
type Keyword struct{ Name, Type string }

// Where annotations may be.
const (
	onDocument = "document"
	onItem     = "map item, array item"
	onMapItem  = "map item"
	onAny      = "document, map item, array item"
)

// rules are the keywords of validations.
var rules = []Keyword{
	{"min_len", "number"},
	{"max_len", "number"},
	{"min", "number or string"},
	{"max", "number or string"},
	{"not_null", "bool"},
	{"one_not_null", "bool or list of keys"},
	{"one_of", "list"},
	{"matches", "string"},
	{"format", "string"},
	{"multiple_of", "number"},
	{"unique", "bool"},
	{"when", "function"},
}

// The keywords that say which nodes an overlay matches, and how many there may be.
var matching = []Keyword{
	{"by", "string, function or matcher"},
	{"expects", "int, string, list or function"},
	{"missing_ok", "bool"},
	{"when", "int, string, list or function"},
}

var childDefaults = []Keyword{
	{"expects", "int, string, list or function"},
	{"missing_ok", "bool"},
	{"when", "int, string, list or function"},
}

// meanings are the annotations, sorted by their names.
var meanings = []Meaning{
	{
		"assert/validate", rules, onAny,
		"checks a data value against rules; `(description, function)` is a rule of your own",
	},

	{
		"data/values",
		[]Keyword{{"after_library_module", "bool"}},
		onDocument,
		"the document holds data values",
	},
	{
		"data/values-schema", nil, onDocument,
		"the document declares data values, with their types and defaults",
	},

	{
		"library/ref", nil, onDocument,
		"sends data values or a schema to a library: `#@library/ref \"@name\"`",
	},

	{
		"output/file", nil, onDocument,
		"writes the document to a file of this name: `#@output/file \"deploy/web.yml\"`",
	},
	{"output/skip", nil, onDocument, "leaves the document out of the output"},

	{"overlay/append", nil, "document, array item", "adds the item after the last one"},
	{
		"overlay/assert",
		[]Keyword{{"via", "function"}},
		onAny,
		"fails unless the match is equal, or `via` accepts it",
	},
	{
		"overlay/insert",
		[]Keyword{{"before", "bool"}, {"after", "bool"}, {"via", "function"}},
		"document, array item",
		"adds the item before or after each match",
	},
	{
		"overlay/inside", matching, onItem,
		"changes the YAML or JSON that a string holds: `#@overlay/inside \"yaml\"`",
	},
	{
		"overlay/match", matching, onAny,
		"says which nodes the overlay changes, and how many there may be",
	},
	{
		"overlay/match-child-defaults", childDefaults, onAny,
		"sets `expects`, `missing_ok` and `when` for the nodes below it",
	},
	{"overlay/merge", nil, onAny, "merges the value into each match (the default)"},
	{"overlay/remove", nil, onAny, "removes each match"},
	{
		"overlay/replace",
		[]Keyword{{"via", "function"}, {"or_add", "bool"}},
		onAny,
		"replaces each match",
	},

	{
		"schema/any-of", nil, onItem,
		"allows values of several types, with an example of each: `#@schema/any-of 80, \"http\"`",
	},
	{
		"schema/computed", nil, onMapItem,
		"computes the default: `lambda v: v.name + \".example.com\"` gets the final data values",
	},
	{"schema/default", nil, "document, map item", "sets the default value"},
	{"schema/deprecated", nil, onItem, "warns those who set the value, with a notice"},
	{"schema/desc", nil, onAny, "describes the value"},
	{"schema/examples", nil, onAny, "gives examples: `(description, value)` each"},
	{
		"schema/map",
		[]Keyword{{"keys", "string"}, {"min_len", "number"}, {"max_len", "number"}},
		onAny,
		"allows arbitrary keys; the item `_` is the type of each value",
	},
	{"schema/nullable", nil, onAny, "allows null, which becomes the default"},
	{
		"schema/one-of",
		[]Keyword{{"by", "string"}},
		onItem,
		"allows several maps, which a key tells apart: `#@schema/one-of by=\"type\", s3=s3(), gcs=gcs()`",
	},
	{"schema/required", nil, onMapItem, "the value must be set; the example is only its type"},
	{"schema/secret", nil, onItem, "hides the value where weft shows documents to people"},
	{"schema/title", nil, onAny, "gives the value a title"},
	{"schema/type", []Keyword{{"any", "bool"}}, onAny, "`any=True` allows values of any type"},
	{
		"schema/validation", rules, onAny,
		"declares rules that a value must follow; `(description, function)` is a rule of your own",
	},

	{"template/code", nil, onAny, "code, as `#@ ` writes it"},
	{"template/value", nil, onAny, "the value of the node, as `#@ ` writes it"},

	{"yaml/map-key-override", nil, onMapItem, "replaces an earlier item with the same key"},
	{"yaml/text-templated-strings", nil, onAny, "strings at and below the node are text templates"},
}

// Meanings returns all annotations that mean something, sorted by their names.
func Meanings() []Meaning { return meanings }

// MeaningOf returns what an annotation means; if it means nothing, ok is false and m is empty.
// Searching such a short list is as fast as a map, which would cost time at startup.
func MeaningOf(annotation string) (m *Meaning, ok bool) {
	low, high := 0, len(meanings)
	for low < high {
		switch mid := (low + high) / 2; strings.Compare(meanings[mid].Name, annotation) {
		case 0:
			return &meanings[mid], true
		case -1:
			low = mid + 1
		default:
			high = mid
		}
	}
	return new(Meaning), false
}

// Takes reports whether the annotation takes a keyword.
func (m *Meaning) Takes(keyword string) bool {
	return slices.ContainsFunc(m.Keywords, func(k Keyword) bool { return k.Name == keyword })
}

// KeywordNames returns the names of the keywords.
func (m *Meaning) KeywordNames() []string {
	names := make([]string, len(m.Keywords))
	for i, k := range m.Keywords {
		names[i] = k.Name
	}
	return names
}

// Means reports whether an annotation means something.
func Means(annotation string) bool {
	_, ok := MeaningOf(annotation)
	return ok
}

// Known returns the names of the annotations that mean something and begin with prefix, sorted.
func Known(prefix string) []string {
	var names []string
	for _, m := range meanings {
		if strings.HasPrefix(m.Name, prefix) {
			names = append(names, m.Name)
		}
	}
	return names
}
