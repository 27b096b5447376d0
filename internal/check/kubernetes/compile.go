package kubernetes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// compile reads a schema, but not its parts: these are read when they are needed.
func (s *Schema) compile() {
	val, _ := s.raw.Scalar()
	switch {
	case s.raw.Kind() == tree.MapKind:
	case s.raw.Kind() == tree.ScalarKind && val.Kind == yaml.Bool:
		s.never = !val.Bool()
		return
	default:
		s.fail("expected a schema, but found %s", found(s.raw))
		return
	}
	known := keywords.Get()
	for _, it := range s.raw.Entries() {
		if read := known[tree.KeyText(it.Key)]; read != nil {
			read(s, it.Value)
		}
	}
	if s.mode == structural {
		s.compileStructural()
	}
}

// fail records why the schema cannot be used. The first reason counts.
func (s *Schema) fail(format string, args ...any) {
	if s.broken == "" {
		s.broken = s.file.name + ": " + fmt.Sprintf(format, args...)
	}
}

// keyword reads the value of a keyword.
type keyword func(*Schema, tree.Value)

// keywords are the supported keywords of JSON Schema, from the drafts used for Kubernetes (4, 6 and
// 7) and from OpenAPI.
var keywords = lazy.Value[map[string]keyword]{New: func() map[string]keyword {
	return map[string]keyword{
		"$ref":     (*Schema).readRef,
		"type":     (*Schema).readTypes,
		"nullable": func(s *Schema, v tree.Value) { s.null = isTrue(v) },
		"enum":     (*Schema).readEnum,
		"const":    func(s *Schema, v tree.Value) { s.setEnum([]tree.Value{v}) },
		"format":   func(s *Schema, v tree.Value) { s.format = text(v) },
		"pattern":  func(s *Schema, v tree.Value) { s.pattern = s.regexp(text(v)) },
		"default":  func(s *Schema, v tree.Value) { s.hasDefault = !v.IsNull() },

		"minimum":          func(s *Schema, v tree.Value) { s.readBound(&s.least, &s.above, v, false) },
		"maximum":          func(s *Schema, v tree.Value) { s.readBound(&s.most, &s.below, v, false) },
		"exclusiveMinimum": func(s *Schema, v tree.Value) { s.readBound(&s.least, &s.above, v, true) },
		"exclusiveMaximum": func(s *Schema, v tree.Value) { s.readBound(&s.most, &s.below, v, true) },
		"multipleOf":       func(s *Schema, v tree.Value) { s.multiple = &v },
		"minLength":        func(s *Schema, v tree.Value) { s.minLength = s.limit(v) },
		"maxLength":        func(s *Schema, v tree.Value) { s.maxLength = s.limit(v) },

		"items":           (*Schema).readItems,
		"additionalItems": (*Schema).readMoreItems,
		"minItems":        func(s *Schema, v tree.Value) { s.minItems = s.limit(v) },
		"maxItems":        func(s *Schema, v tree.Value) { s.maxItems = s.limit(v) },
		"uniqueItems":     func(s *Schema, v tree.Value) { s.unique = isTrue(v) },
		"contains":        func(s *Schema, v tree.Value) { s.contains = s.part(v, s.mode.inside()) },

		"properties":           func(s *Schema, v tree.Value) { s.fields = s.parts(v, s.mode) },
		"patternProperties":    (*Schema).readPatterns,
		"additionalProperties": (*Schema).readOthers,
		"propertyNames":        func(s *Schema, v tree.Value) { s.names = s.part(v, s.mode.inside()) },
		"minProperties":        func(s *Schema, v tree.Value) { s.minFields = s.limit(v) },
		"maxProperties":        func(s *Schema, v tree.Value) { s.maxFields = s.limit(v) },
		"required":             (*Schema).readRequired,
		"dependencies":         (*Schema).readDependencies,

		"allOf": func(s *Schema, v tree.Value) { s.all = s.list(v) },
		"anyOf": func(s *Schema, v tree.Value) { s.any = s.list(v) },
		"oneOf": func(s *Schema, v tree.Value) { s.one = s.list(v) },
		"not":   func(s *Schema, v tree.Value) { s.not = s.part(v, s.mode.inside()) },
		"if":    func(s *Schema, v tree.Value) { s.when = s.part(v, s.mode.inside()) },
		"then":  func(s *Schema, v tree.Value) { s.then = s.part(v, s.mode.inside()) },
		"else":  func(s *Schema, v tree.Value) { s.orElse = s.part(v, s.mode.inside()) },
	}
}}

// inside returns the mode of conditions inside a schema.
func (m mode) inside() mode {
	if m == structural {
		return loose
	}
	return m
}

// compileStructural reads the keywords of schemas of custom resources.
func (s *Schema) compileStructural() {
	is := func(name string) bool {
		v, ok := s.raw.Lookup(name)
		return ok && isTrue(v)
	}
	if is("x-kubernetes-int-or-string") {
		s.types = integerType | stringType
	}
	s.object = s.object || is("x-kubernetes-embedded-resource")
	if meta := s.fields["metadata"]; meta != nil && s.object {
		meta.mode = loose // it adds conditions to the common metadata
	}
	open := is("x-kubernetes-preserve-unknown-fields") || s.others != nil
	s.closed = !open && (s.types == objectType || s.fields != nil)
	s.readListType()
}

// readListType reads which keys of the items of a list must differ.
func (s *Schema) readListType() {
	kind, _ := s.raw.Lookup("x-kubernetes-list-type")
	switch text(kind) {
	case "set":
		s.unique = true
	case "map":
		keys, _ := s.raw.Lookup("x-kubernetes-list-map-keys")
		for key := range keys.Elements() {
			s.keys = append(s.keys, text(key))
		}
	}
}

func (s *Schema) readTypes(v tree.Value) {
	if v.Kind() == tree.ArrayKind {
		for name := range v.Elements() {
			s.addType(text(name))
		}
		return
	}
	s.addType(text(v))
}

func (s *Schema) addType(name string) {
	for _, t := range typeNames {
		if t.name == name {
			s.types |= t.is
			return
		}
	}
	s.fail("there is no type '%s'", name)
}

func (s *Schema) readEnum(v tree.Value) {
	var list []tree.Value
	for x := range v.Elements() {
		list = append(list, x)
	}
	s.setEnum(list)
}

// setEnum sets the allowed values. With several lists, these are the values in all of them.
func (s *Schema) setEnum(list []tree.Value) {
	before := s.allowed
	s.enum, s.allowed = nil, map[string]bool{}
	for _, x := range list {
		if id := canonical(x); before == nil || before[id] {
			s.enum = append(s.enum, x)
			s.allowed[id] = true
		}
	}
}

// readBound reads a limit of numbers. In draft 4 the keyword for an exclusive limit is a boolean.
func (s *Schema) readBound(to **tree.Value, strict *bool, v tree.Value, exclusive bool) {
	switch val, _ := v.Scalar(); {
	case v.Kind() != tree.ScalarKind:
		s.fail("expected a number, but found %s", found(v))
	case val.Kind == yaml.Bool && exclusive:
		*strict = val.Bool()
	case !isNumber(val):
		s.fail("expected a number, but found %s", found(v))
	case *to != nil: // if there are both keywords, the stricter one counts
		order := compare(v, **to)
		if to == &s.most {
			order = -order
		}
		if order > 0 || order == 0 && exclusive {
			*to, *strict = &v, exclusive
		}
	default:
		*to, *strict = &v, *strict || exclusive
	}
}

func (s *Schema) limit(v tree.Value) limit {
	if v.Kind() == tree.ScalarKind {
		if n, err := strconv.ParseFloat(v.Text(), 64); err == nil && n >= 0 {
			return limit{int(min(n, 1<<53)), true}
		}
	}
	s.fail("expected a number of at least 0, but found %s", found(v))
	return limit{}
}

// regexp compiles a pattern. Kubernetes itself uses Go's regular expressions.
func (s *Schema) regexp(pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil {
		s.fail("the pattern %s cannot be used: %s", strconv.Quote(pattern), err)
	}
	return re
}

func (s *Schema) readItems(v tree.Value) {
	if v.Kind() != tree.ArrayKind {
		s.items = s.part(v, s.mode)
		return
	}
	for x := range v.Elements() {
		s.first = append(s.first, s.part(x, s.mode))
	}
}

// readMoreItems reads the schema of the items after those of a list of schemas.
func (s *Schema) readMoreItems(v tree.Value) {
	if items, ok := s.raw.Lookup("items"); ok && items.Kind() == tree.ArrayKind {
		s.items = s.part(v, s.mode)
	}
}

// parts returns the schemas of a map.
func (s *Schema) parts(v tree.Value, m mode) map[string]*Schema {
	all := map[string]*Schema{}
	for _, it := range v.Entries() {
		all[tree.KeyText(it.Key)] = s.part(it.Value, m)
	}
	return all
}

func (s *Schema) readPatterns(v tree.Value) {
	for _, it := range v.Entries() {
		if re := s.regexp(tree.KeyText(it.Key)); re != nil {
			s.patterns = append(s.patterns, patternFields{re, s.part(it.Value, s.mode)})
		}
	}
}

func (s *Schema) readOthers(v tree.Value) {
	if val, _ := v.Scalar(); v.Kind() == tree.ScalarKind && val.Kind == yaml.Bool && !val.Bool() {
		s.closed = true
		return
	}
	s.others = s.part(v, s.mode)
}

func (s *Schema) readRequired(v tree.Value) {
	for name := range v.Elements() { // a boolean in draft 3, which is not supported
		s.required = append(s.required, text(name))
	}
}

func (s *Schema) readDependencies(v tree.Value) {
	for _, it := range v.Entries() {
		name := tree.KeyText(it.Key)
		if it.Value.Kind() != tree.ArrayKind {
			if s.implied == nil {
				s.implied = map[string]*Schema{}
			}
			s.implied[name] = s.part(it.Value, s.mode.inside())
			continue
		}
		if s.dependent == nil {
			s.dependent = map[string][]string{}
		}
		for x := range it.Value.Elements() {
			s.dependent[name] = append(s.dependent[name], text(x))
		}
	}
}

func (s *Schema) list(v tree.Value) (all []*Schema) {
	for x := range v.Elements() {
		all = append(all, s.part(x, s.mode.inside()))
	}
	return all
}

// readRef follows a reference: to a part of the same file, or of another one.
func (s *Schema) readRef(v tree.Value) {
	to, err := s.file.find(text(v), s.mode)
	if err != nil {
		s.fail("%s", err)
		return
	}
	s.ref = to
}

// find returns the schema that a reference refers to.
func (f *file) find(ref string, m mode) (*Schema, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.refs[ref]; s != nil {
		return s, nil
	}
	name, pointer, _ := strings.Cut(ref, "#")
	from := f.root
	switch {
	case strings.Contains(name, "://"):
		return nil, fmt.Errorf("refers to '%s', and weft fetches no schemas", ref)
	case name != "":
		var err error
		if from, err = f.other(name); err != nil {
			return nil, err
		}
	}
	raw, ok := valueAt(from.raw, pointer)
	if !ok {
		return nil, fmt.Errorf("refers to '%s', which is not there", ref)
	}
	to := from.part(raw, m)
	if f.refs == nil {
		f.refs = map[string]*Schema{}
	}
	f.refs[ref] = to
	return to, nil
}

// unescape decodes a step of a JSON pointer in a reference.
var unescape = strings.NewReplacer("~1", "/", "~0", "~", "%25", "%")

// valueAt returns the value at a JSON pointer.
func valueAt(v tree.Value, pointer string) (tree.Value, bool) {
	if pointer == "" {
		return v, true
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		step = unescape.Replace(step)
		if v.Kind() == tree.ArrayKind {
			n, err := strconv.Atoi(step)
			if items := v.Entries(); err == nil && n >= 0 && n < len(items) {
				v = items[n].Value
				continue
			}
			return v, false
		}
		next, ok := v.Lookup(step)
		if !ok {
			return v, false
		}
		v = next
	}
	return v, true
}

// text returns a string of a schema, or "".
func text(v tree.Value) string {
	if v.Kind() != tree.ScalarKind || v.IsNull() {
		return ""
	}
	return v.Text()
}

func isTrue(v tree.Value) bool {
	val, _ := v.Scalar()
	return v.Kind() == tree.ScalarKind && val.Kind == yaml.Bool && val.Bool()
}
