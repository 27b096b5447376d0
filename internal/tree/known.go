package tree

import (
	"slices"
	"strings"
)

// takes are the keywords of each annotation that means something. Other names in the same groups are mistakes; those of other groups are their authors' own.
var takes = map[string][]string{
	"assert/validate": {"when", "min_len", "max_len", "min", "max", "not_null", "one_not_null", "one_of"},

	"data/values":        {"after_library_module"},
	"data/values-schema": {"after_library_module"},

	"library/ref": nil,

	"overlay/append":               nil,
	"overlay/assert":               {"via"},
	"overlay/insert":               {"before", "after", "via"},
	"overlay/match":                {"by", "expects", "missing_ok", "when"},
	"overlay/match-child-defaults": {"expects", "missing_ok", "when"},
	"overlay/merge":                nil,
	"overlay/remove":               nil,
	"overlay/replace":              {"via", "or_add"},

	"schema/default":    nil,
	"schema/deprecated": nil,
	"schema/desc":       nil,
	"schema/examples":   nil,
	"schema/nullable":   nil,
	"schema/title":      nil,
	"schema/type":       {"any"},
	"schema/validation": {"when", "min_len", "max_len", "min", "max", "not_null", "one_not_null", "one_of"},

	"template/code":  nil,
	"template/value": nil,

	"yaml/map-key-override":       nil,
	"yaml/text-templated-strings": nil,
}

// Keywords are the keywords that an annotation takes; it is not known if it means nothing.
func Keywords(annotation string) (keywords []string, known bool) {
	keywords, known = takes[annotation]
	return keywords, known
}

// Known are the names of the annotations that mean something and begin with prefix, sorted.
func Known(prefix string) []string {
	var names []string
	for name := range takes {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
