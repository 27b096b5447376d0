package jsonschema

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Outline is what a schema says about one place of a document, for people who write there: the schemas
// that apply to the value. Of alternatives and conditions all count, since a half-written value does not
// decide between them.
type Outline []*Schema

// maxOutline is the maximum number of schemas that apply to one place. References may be circular.
const maxOutline = 200

// Outline returns what the schema says about the value itself.
func (s *Schema) Outline() Outline { return outlineOf(s) }

// outlineOf returns schemas, with those that they refer to and are composed of.
func outlineOf(list ...*Schema) Outline {
	var o Outline
	for i := 0; i < len(list) && len(o) < maxOutline; i++ {
		s := list[i]
		if s == nil || slices.Contains(o, s) {
			continue
		}
		o = append(o, s)
		r := s.read()
		list = slices.Concat(list, r.refs, r.all, r.any, r.one, []*Schema{r.then, r.orElse})
		for _, name := range slices.Sorted(maps.Keys(r.implied)) {
			list = append(list, r.implied[name])
		}
		if r.dynamic != nil {
			list = append(list, s.in.targets(r.dynamic)...)
		}
	}
	return o
}

// Field returns what the schema says about the value of a key. What it says about other keys counts only if
// no part of it knows the key.
func (o Outline) Field(name string) Outline {
	var list, others []*Schema
	for _, s := range o {
		r := s.read()
		if known := r.fields[name]; known != nil {
			list = append(list, known)
		}
		for _, p := range r.patterns {
			if p.pattern.MatchString(name) {
				list = append(list, p.schema)
			}
		}
		if r.object && name == "metadata" {
			list = append(list, s.file.metadata())
		}
		others = append(others, r.others, r.otherFields)
	}
	if list == nil {
		list = others
	}
	return outlineOf(list...)
}

// Item returns what the schema says about the item of a list.
func (o Outline) Item(i int) Outline {
	var list []*Schema
	for _, s := range o {
		switch r := s.read(); {
		case i < len(r.first):
			list = append(list, r.first[i])
		default:
			list = append(list, r.items, r.otherItems, r.contains)
		}
	}
	return outlineOf(list...)
}

// Field is a key that a value may have.
type Field struct {
	Name     string
	Required bool
	Outline
}

// Fields returns the keys that a value may have, in the order of the schema.
func (o Outline) Fields() []Field {
	var names []string
	required := map[string]bool{}
	for _, s := range o {
		r := s.read()
		if fields, ok := s.raw.Lookup("properties"); ok && r.fields != nil {
			for _, it := range fields.Entries() {
				names = append(names, tree.KeyText(it.Key))
			}
		}
		if r.object {
			names = append(names, "apiVersion", "kind", "metadata")
		}
		if s == o[0] || !s.isAlternative(o) {
			for _, name := range r.required {
				required[name] = true
			}
		}
	}
	var fields []Field
	seen := map[string]bool{}
	for _, name := range names {
		if at := o.Field(name); !seen[name] && !at.isNever() {
			fields = append(fields, Field{name, required[name], at})
		}
		seen[name] = true
	}
	return fields
}

// isAlternative reports whether a schema is one of several that need not all apply.
func (s *Schema) isAlternative(o Outline) bool {
	return slices.ContainsFunc(o, func(of *Schema) bool {
		r := of.read()
		return slices.Contains(r.any, s) || slices.Contains(r.one, s) || s == r.then || s == r.orElse ||
			slices.Contains(slices.Collect(maps.Values(r.implied)), s)
	})
}

// isNever reports whether no value is allowed.
func (o Outline) isNever() bool {
	return slices.ContainsFunc(o, func(s *Schema) bool { return s.read().never })
}

// Values returns the scalars that are allowed, if the schema lists them: those of enumerations, and true
// and false.
func (o Outline) Values() []tree.Value {
	var list []tree.Value
	seen := map[string]bool{}
	add := func(values ...tree.Value) {
		for _, v := range values {
			if id := canonical(v); v.Kind() == tree.ScalarKind && !v.IsNull() && !seen[id] {
				seen[id] = true
				list = append(list, v)
			}
		}
	}
	for _, s := range o {
		switch r := s.read(); {
		case r.enum != nil:
			add(r.enum...)
		case r.types&^nullType == booleanType:
			add(tree.Of(starlark.True), tree.Of(starlark.False))
		}
	}
	return list
}

// maxTypeDepth is the maximum number of lists in each other that a type describes.
const maxTypeDepth = 3

// Type describes the type of the value in a few words, or is "" if it may be anything.
func (o Outline) Type() string { return o.typeTo(maxTypeDepth) }

// typeTo describes a type with at most a number of lists in each other.
func (o Outline) typeTo(depth int) string {
	var all types
	for _, s := range o {
		all |= s.read().types
	}
	var names []string
	for _, t := range typeNames {
		if all&t.is == 0 || t.is == nullType && all != nullType || t.is == integerType && all&numberType != 0 {
			continue
		}
		name := map[types]string{arrayType: "list", objectType: "map"}[t.is]
		if name == "" {
			name = t.name
		}
		if t.is == arrayType && depth > 1 {
			if item := o.Item(maxOutline).typeTo(depth - 1); item != "" && !strings.Contains(item, " or ") {
				name += " of " + plural(item)
			}
		}
		names = append(names, name)
	}
	if names == nil {
		return o.impliedType()
	}
	return Joined(names, "or")
}

// impliedType returns the type of a value that the schema describes without naming a type, or "".
func (o Outline) impliedType() string {
	if values := o.Values(); len(values) > 0 {
		return values[0].TypeName()
	}
	for _, s := range o {
		switch r := s.read(); {
		case r.fields != nil:
			return "map"
		case r.items != nil || r.first != nil:
			return "list"
		}
	}
	return ""
}

// plural returns the plural of a description of a type.
func plural(kind string) string {
	head, rest, _ := strings.Cut(kind, " ")
	return strings.TrimSpace(head + "s " + rest)
}

// Documentation returns the first title and the first description.
func (o Outline) Documentation() (title, description string) {
	for _, s := range o {
		if title == "" {
			title = s.raw.TextAt("title")
		}
		if description == "" {
			description = s.raw.TextAt("description")
		}
	}
	return title, description
}

// Default returns the default of the value.
func (o Outline) Default() (tree.Value, bool) {
	for _, s := range o {
		if v, ok := s.raw.Lookup("default"); ok && !v.IsNull() {
			return v, true
		}
	}
	return tree.Value{}, false
}

// IsNullable reports whether the value may be null and something else.
func (o Outline) IsNullable() bool {
	var all types
	for _, s := range o {
		all |= s.read().types
	}
	return all&nullType != 0 && all != nullType
}

// IsDeprecated reports whether the schema calls the value deprecated.
func (o Outline) IsDeprecated() bool {
	return slices.ContainsFunc(o, func(s *Schema) bool {
		v, _ := s.raw.Lookup("deprecated")
		return isTrue(v)
	})
}

// IsCollection reports whether the value is a map or a list, and never a scalar.
func (o Outline) IsCollection() bool {
	var all types
	for _, s := range o {
		all |= s.read().types
	}
	return all&^nullType != 0 && all&^(nullType|objectType|arrayType) == 0
}

// Limits describes the rules for a scalar, one line each.
func (o Outline) Limits() (lines []string) {
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, s := range o {
		r := s.read()
		if format := s.raw.TextAt("format"); format != "" {
			add("format " + Code(format))
		}
		if r.pattern != nil {
			add("pattern " + Code(r.pattern.String()))
		}
		for _, name := range []string{
			"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
			"minItems", "maxItems",
		} {
			if v, ok := s.raw.Lookup(name); ok && v.Kind() == tree.ScalarKind && isNumber(v) {
				add(name + " `" + v.Text() + "`")
			}
		}
	}
	return lines
}

// Code returns a text as inline code of Markdown, which ends neither at a backquote nor at an empty line.
func Code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "\n", " ", "\r", " ").Replace(text) + "`"
}

func isNumber(v tree.Value) bool {
	val, _ := v.Scalar()
	return val.Kind == yaml.Int || val.Kind == yaml.Float
}
