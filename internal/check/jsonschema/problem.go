package jsonschema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Problem is one problem with a value.
type Problem struct {
	Path path.Path // the path from the document

	what   what
	value  tree.Value
	types  types
	values []tree.Value // allowed values, or a limit
	names  []string     // names of fields
	text   string
	count  int
	limit  int
	strict bool
	schema *Schema // the schema with the known fields
	rule   *Schema // the schema that the value does not fit
}

// what is the kind of a problem.
type what uint8

const (
	wrongType what = iota
	notInEnum
	wrongFormat
	noMatch
	tooSmall
	tooLarge
	noMultiple
	tooFew
	tooMany
	repeated
	notContained
	wrongName
	notAllowed
	forbidden
	ambiguous
	unknownField
	missingField
	brokenSchema
)

// IsUnknown reports whether the problem is an unknown field.
func (p *Problem) IsUnknown() bool { return p.what == unknownField }

// IsMissing reports whether the problem is a missing field.
func (p *Problem) IsMissing() bool { return p.what == missingField }

// IsSchema reports whether the schema, not the value, is wrong.
func (p *Problem) IsSchema() bool { return p.what == brokenSchema }

// IsQuoted reports whether the value is a string, and its text would be a value of the expected type.
func (p *Problem) IsQuoted() bool {
	return p.what == wrongType && typeOf(p.value) == stringType &&
		p.types&(integerType|numberType|booleanType) != 0 && p.reads()
}

// Rule returns the keyword of the schema that the value does not fit, or the schema itself.
func (p *Problem) Rule() source.Span {
	raw := p.rule.raw
	for _, name := range p.keywords() {
		for _, it := range raw.Entries() {
			if tree.KeyText(it.Key) == name && it.Pos.IsValid() {
				return it.Key.Span()
			}
		}
	}
	at := raw.Span()
	at.Len = min(at.Len, 1)
	return at
}

// keywords are the keywords that can cause the problem.
func (p *Problem) keywords() []string {
	switch p.what {
	case wrongType:
		return []string{"type"}
	case notInEnum:
		return []string{"enum", "const"}
	case wrongFormat:
		return []string{"format"}
	case noMatch:
		return []string{"pattern"}
	case tooSmall:
		return []string{"minimum", "exclusiveMinimum"}
	case tooLarge:
		return []string{"maximum", "exclusiveMaximum"}
	case noMultiple:
		return []string{"multipleOf"}
	case tooFew:
		return []string{"min" + lengthKeyword(p.text)}
	case tooMany:
		return []string{"max" + lengthKeyword(p.text)}
	case repeated:
		return []string{"uniqueItems"}
	case notContained:
		return []string{"contains"}
	case wrongName:
		return []string{"propertyNames"}
	case forbidden:
		return []string{"not"}
	case ambiguous:
		return []string{"oneOf"}
	case unknownField:
		return []string{"additionalProperties", "unevaluatedProperties"}
	case missingField:
		return []string{"required", "dependentRequired", "dependencies"}
	}
	return nil
}

// lengthKeyword returns the part of a keyword that says what is counted.
func lengthKeyword(unit string) string {
	switch unit {
	case "character":
		return "Length"
	case "item":
		return "Items"
	case "field":
		return "Properties"
	}
	return "Contains"
}

// Shown formats a value for messages, hiding secrets.
type Shown func(v tree.Value) string

// Message returns the message without the place.
func (p *Problem) Message(show Shown) string {
	if show == nil {
		show = found
	}
	switch p.what {
	case unknownField:
		return "unknown " + p.noun()
	case missingField:
		return p.missing()
	case brokenSchema:
		return "the schema cannot be used: " + p.text
	case repeated:
		return p.repetition()
	case notAllowed:
		return "nothing is allowed here"
	case forbidden:
		if p.names != nil {
			return "must not have " + p.fieldList("and")
		}
		return "the schema does not allow this value"
	case ambiguous:
		if p.names != nil {
			return "must have only one of " + p.fieldList("and")
		}
		return "fits several alternatives of the schema, which exclude each other"
	case notContained:
		return "has none of the items that it must have"
	}
	return "expected " + p.expected() + ", found " + p.foundText(show)
}

// foundText describes the value found.
func (p *Problem) foundText(show Shown) string {
	if p.what == tooFew || p.what == tooMany {
		if p.count == 0 {
			return "none"
		}
		return strconv.Itoa(p.count)
	}
	return show(p.value)
}

// expected describes the value expected.
func (p *Problem) expected() string {
	switch p.what {
	case wrongType:
		return p.types.String()
	case notInEnum:
		return oneOf(p.values)
	case wrongFormat:
		return formatsOf(p.rule.mode == standard)[p.text].description
	case noMatch:
		return "text that matches " + p.text
	case tooSmall:
		return bound(p.strict, "more than ", "at least ") + p.values[0].Text()
	case tooLarge:
		return bound(p.strict, "less than ", "at most ") + p.values[0].Text()
	case noMultiple:
		return "a multiple of " + p.values[0].Text()
	case tooFew:
		return "at least " + p.limitText()
	case tooMany:
		return "at most " + p.limitText()
	case wrongName:
		return "a " + p.noun() + " whose name the schema allows"
	}
	return "one of several alternatives"
}

// limitText returns a limit of a length.
func (p *Problem) limitText() string {
	if p.text == "field" {
		return diag.Count(p.limit, p.noun())
	}
	return diag.Count(p.limit, p.text)
}

func bound(strict bool, yes, no string) string {
	if strict {
		return yes
	}
	return no
}

// missing lists the missing fields, or alternatives of which one is required.
func (p *Problem) missing() string {
	switch {
	case p.strict:
		return "needs one of " + p.fieldList("or")
	case p.text != "":
		return fmt.Sprintf("the %s %s is missing, which %s requires", p.noun(), p.names[0], p.text)
	case len(p.names) == 1:
		return "the required " + p.noun() + " " + p.names[0] + " is missing"
	}
	return "the required " + p.noun() + "s " + Joined(p.names, "and") + " are missing"
}

func (p *Problem) repetition() string {
	if p.names != nil {
		return fmt.Sprintf("item %d of the list has the same %s", p.count, Joined(p.names, "and"))
	}
	return fmt.Sprintf("is the same as item %d of the list", p.count)
}

func (p *Problem) fieldList(word string) string {
	if len(p.names) == 1 {
		return "the " + p.noun() + " " + p.names[0]
	}
	return "the " + p.noun() + "s " + Joined(p.names, word)
}

// noun is what messages call a field: people who write data values call it a key.
func (p *Problem) noun() string {
	if p.rule.mode == standard {
		return "key"
	}
	return "field"
}

// Joined joins names: a, b and c.
func Joined(names []string, word string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " " + word + " " + names[n-1]
}

// MaxAlternatives is the maximum number of alternatives in a message.
const MaxAlternatives = 12

// oneOf names values that are allowed.
func oneOf(values []tree.Value) string {
	var names []string
	for _, v := range values {
		names = append(names, found(v))
	}
	if len(names) > MaxAlternatives {
		more := len(names) - MaxAlternatives
		return "one of " + strings.Join(names[:MaxAlternatives], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	switch len(names) {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	}
	return "one of " + Joined(names, "or")
}

// String names types for people. Null is left out.
func (t types) String() string {
	if t&numberType != 0 {
		t &^= integerType
	}
	if t != nullType {
		t &^= nullType
	}
	var names []string
	for _, x := range typeNames {
		if t&x.is != 0 {
			names = append(names, x.phrase)
		}
	}
	return Joined(names, "or")
}

// longest is the maximum number of characters of a text in a message.
const longest = 60

// found formats a value for a message.
func found(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		return "a map"
	case tree.ArrayKind:
		return "a list"
	}
	val, text := v.Scalar()
	if val.Kind != yaml.String {
		return v.Text()
	}
	if short := []rune(string(text)); len(short) > longest {
		return strconv.Quote(string(short[:longest])) + "…"
	}
	return strconv.Quote(string(text))
}

// Hint returns how to fix the problem, if that is certain. computed means that code produced the
// value.
func (p *Problem) Hint(computed bool) string {
	switch p.what {
	case unknownField:
		return p.unknownHint()
	case notInEnum:
		var names []string
		for _, v := range p.values {
			names = append(names, text(v))
		}
		if near := Nearest(text(p.value), names); near != "" && typeOf(p.value) == stringType {
			return "did you mean " + near + "?"
		}
	case wrongType:
		return p.typeHint(computed)
	case wrongFormat:
		if p.text == "byte" {
			return "write plain text under stringData, or encode it: base64.encode(...)"
		}
	}
	return ""
}

// Nearest returns the name that was meant, which may differ in case only.
func Nearest(name string, names []string) string {
	for _, x := range names {
		if strings.EqualFold(x, name) {
			return x
		}
	}
	return diag.Nearest(name, names)
}

// suggestion returns the field that an unknown one is likely a misspelling of, or "".
func (p *Problem) suggestion() string {
	return Nearest(text(p.Path[len(p.Path)-1].Key), p.schema.fieldNames())
}

func (p *Problem) unknownHint() string {
	if near := p.suggestion(); near != "" {
		return "did you mean " + near + "?"
	}
	known := p.schema.fieldNames()
	if 0 < len(known) && len(known) <= MaxAlternatives {
		return "the " + p.noun() + "s here are " + Joined(known, "and")
	}
	return ""
}

// typeHint returns a hint how to convert a scalar to another type.
func (p *Problem) typeHint(computed bool) string {
	is := typeOf(p.value)
	switch {
	case p.IsQuoted():
		if computed {
			return "convert it: int(...) makes an integer of a string"
		}
		return "remove the quotes"
	case p.types&^nullType == stringType && is&(integerType|numberType|booleanType) != 0:
		if computed {
			return "convert it: str(...) makes a string of a value"
		}
		return "put it in quotes"
	}
	return ""
}

// reads reports whether the text of a string is a value of the expected type.
func (p *Problem) reads() bool {
	val := yaml.Core.Resolve([]byte(p.value.Text()))
	switch val.Kind {
	case yaml.Int:
		return p.types&(integerType|numberType) != 0
	case yaml.Float:
		return p.types&numberType != 0
	case yaml.Bool:
		return p.types&booleanType != 0
	}
	return false
}

// fieldNames returns the fields that a schema knows.
func (s *Schema) fieldNames() []string {
	r := s.read()
	var names []string
	for name := range r.fields {
		names = append(names, name)
	}
	if r.object {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
