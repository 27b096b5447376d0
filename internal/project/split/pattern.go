// Package split names files for single documents: one file for each object.
package split

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// Code is the code of errors about patterns, and about documents without a name.
const Code diag.Code = "emit/split"

// Pattern is how files are named, such as `{kind|lower}-{name}.yml`.
type Pattern struct {
	text  string
	parts []part
}

// part is text, or the place of a field.
type part struct {
	text  string // literal text, if there is no field
	field string
	lower bool // the value is written in lower case
	safe  bool // characters that are unsafe in names of files are replaced
	other string
	given bool // other replaces a missing value
}

// The fields of documents, and of where they come from.
const (
	kindField       = "kind"
	nameField       = "name"
	namespaceField  = "namespace"
	apiVersionField = "apiVersion"
	groupField      = "group"
	versionField    = "version"
	fileField       = "file"
	indexField      = "index"
)

var fields = []string{
	kindField, nameField, namespaceField, apiVersionField, groupField, versionField, fileField,
	indexField,
}

// Parse reads a pattern. The error is a *diag.Diagnostic.
func Parse(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	for rest := text; rest != ""; {
		before, after, open := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return nil, bad(text, "a '}' closes nothing")
		}
		if before != "" {
			p.parts = append(p.parts, part{text: before})
		}
		if !open {
			break
		}
		inner, tail, closed := strings.Cut(after, "}")
		if !closed {
			return nil, bad(text, "a '{' is not closed")
		}
		field, err := parseField(text, inner)
		if err != nil {
			return nil, err
		}
		p.parts = append(p.parts, field)
		rest = tail
	}
	switch {
	case !slices.ContainsFunc(p.parts, func(x part) bool { return x.field != "" }):
		return nil, bad(text, "it names no field, so all documents would have one name").
			WithHint("write {kind}-{name}.yml")
	case strings.HasSuffix(text, "/"):
		return nil, bad(text, "it ends with a slash, so it names a directory").
			WithHint("write %s{name}.yml", text)
	}
	return p, nil
}

// parseField reads what is in braces: FIELD, FIELD|lower, FIELD:-text.
func parseField(pattern, inner string) (part, error) {
	head, other, given := strings.Cut(inner, ":-")
	words := strings.Split(head, "|")
	x := part{field: words[0], other: other, given: given}
	if !slices.Contains(fields, x.field) {
		err := bad(pattern, "there is no field {"+x.field+"}").
			WithHint("the fields are {%s}", strings.Join(fields, "}, {"))
		return x, err.WithNearestAs("{%s}", x.field, fields)
	}
	for _, word := range words[1:] {
		switch word {
		case "lower":
			x.lower = true
		case "safe":
			x.safe = true
		default:
			return x, bad(pattern, "there is no way '"+word+"' to write a field").
				WithHint("write {%[1]s|lower} for lower case, {%[1]s|safe} to replace characters "+
					"that names of files should not have", x.field)
		}
	}
	return x, nil
}

func bad(pattern, problem string) *diag.Diagnostic {
	return diag.Failf(Code, "cannot understand the pattern '%s' of file names: %s", pattern, problem)
}
