package jsonschema

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
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
		s.failAt(s.raw.Span(), "expected a schema, but found %s", found(s.raw))
		return
	}
	known := keywords.Get()
	alone := s.refersOnly()
	for _, it := range s.raw.Entries() {
		name := tree.KeyText(it.Key)
		k, ok := known[name]
		if !ok || alone && name != "$ref" && name != "writeOnly" || !hasKeyword(s.draft(), name) {
			continue
		}
		if k.shape != 0 && s.mode == standard && !s.expect(k.shape, name, it.Value) {
			continue
		}
		k.read(s, it.Value)
	}
	if s.mode == structural {
		s.compileStructural()
	}
}

// refersOnly reports whether a reference is all that counts: up to draft 7, keywords beside a reference
// have no meaning.
func (s *Schema) refersOnly() bool {
	if s.mode != plain && (s.mode != standard || s.in.draft >= draft2019) {
		return false
	}
	_, ok := s.raw.Lookup("$ref")
	return ok
}

// failAt records why the schema cannot be used, and where. The first reason counts.
func (s *Schema) failAt(at source.Span, format string, args ...any) {
	if s.broken == "" {
		s.broken, s.brokenAt = fmt.Sprintf(format, args...), at
	}
}

// keyword is a keyword of schemas.
type keyword struct {
	read  func(*Schema, tree.Value)
	shape types // what its value must be, in standard schemas; 0 for anything
}

// expect reports whether the value of a keyword has the right type.
func (s *Schema) expect(want types, name string, v tree.Value) bool {
	if want&keywordType(v) != 0 {
		return true
	}
	s.failAt(v.Span(), "expected %s as the value of '%s', but found %s", want, name, found(v))
	return false
}

// schemaTypes are the types of a schema.
const schemaTypes = objectType | booleanType

// keywords are the supported keywords of JSON Schema and of OpenAPI.
var keywords = lazy.Value[map[string]keyword]{New: func() map[string]keyword {
	part := func(to func(*rules) **Schema) func(*Schema, tree.Value) {
		return func(s *Schema, v tree.Value) { *to(&s.rules) = s.part(v, s.mode.inside()) }
	}
	all := map[string]keyword{
		"$ref":    {read: (*Schema).readRef, shape: stringType},
		"type":    {read: (*Schema).readTypes, shape: stringType | arrayType},
		"enum":    {read: (*Schema).readEnum, shape: arrayType},
		"const":   {read: func(s *Schema, v tree.Value) { s.setEnum([]tree.Value{v}) }},
		"format":  {read: (*Schema).readFormat, shape: stringType},
		"pattern": {read: func(s *Schema, v tree.Value) { s.pattern = s.regexp(v) }, shape: stringType},
		"default": {read: func(s *Schema, v tree.Value) { s.hasDefault = !v.IsNull() }},

		"multipleOf": {read: (*Schema).readMultiple},

		"items":           {read: (*Schema).readItems, shape: schemaTypes | arrayType},
		"additionalItems": {read: (*Schema).readMoreItems, shape: schemaTypes},
		"uniqueItems":     {read: func(s *Schema, v tree.Value) { s.unique = isTrue(v) }, shape: booleanType},
		"contains":        {read: part(func(r *rules) **Schema { return &r.contains }), shape: schemaTypes},

		"properties":           {read: (*Schema).readFields, shape: objectType},
		"patternProperties":    {read: (*Schema).readPatterns, shape: objectType},
		"additionalProperties": {read: (*Schema).readOthers, shape: schemaTypes},
		"propertyNames":        {read: part(func(r *rules) **Schema { return &r.names }), shape: schemaTypes},
		"required":             {read: (*Schema).readRequired, shape: arrayType},
		"dependencies":         {read: (*Schema).readDependencies, shape: objectType},

		"allOf": {read: func(s *Schema, v tree.Value) { s.all = s.list(v) }, shape: arrayType},
		"anyOf": {read: func(s *Schema, v tree.Value) { s.any = s.list(v) }, shape: arrayType},
		"oneOf": {read: func(s *Schema, v tree.Value) { s.one = s.list(v) }, shape: arrayType},
		"not":   {read: part(func(r *rules) **Schema { return &r.not }), shape: schemaTypes},
		"if":    {read: part(func(r *rules) **Schema { return &r.when }), shape: schemaTypes},
		"then":  {read: part(func(r *rules) **Schema { return &r.then }), shape: schemaTypes},
		"else":  {read: part(func(r *rules) **Schema { return &r.orElse }), shape: schemaTypes},

		"nullable":  {read: func(s *Schema, v tree.Value) { s.null = isTrue(v) }},
		"writeOnly": {read: (*Schema).readSecret},
	}
	addLimits(all)
	addNewKeywords(all)
	return all
}}

// addLimits adds the keywords that limit numbers and lengths.
func addLimits(all map[string]keyword) {
	maps.Copy(all, map[string]keyword{
		"minimum": {
			read: func(s *Schema, v tree.Value) { s.readBound(&s.least, &s.above, v) }, shape: numberType,
		},
		"maximum": {
			read: func(s *Schema, v tree.Value) { s.readBound(&s.most, &s.below, v) }, shape: numberType,
		},
		"exclusiveMinimum": {read: func(s *Schema, v tree.Value) { s.readExclusive(&s.least, &s.above, v) }},
		"exclusiveMaximum": {read: func(s *Schema, v tree.Value) { s.readExclusive(&s.most, &s.below, v) }},
	})
	for name, to := range map[string]func(*rules) *limit{
		"minLength":     func(r *rules) *limit { return &r.minLength },
		"maxLength":     func(r *rules) *limit { return &r.maxLength },
		"minItems":      func(r *rules) *limit { return &r.minItems },
		"maxItems":      func(r *rules) *limit { return &r.maxItems },
		"minProperties": func(r *rules) *limit { return &r.minFields },
		"maxProperties": func(r *rules) *limit { return &r.maxFields },
	} {
		all[name] = keyword{read: func(s *Schema, v tree.Value) { *to(&s.rules) = s.limit(v) }}
	}
}

// addNewKeywords adds the keywords that drafts after 7 have.
func addNewKeywords(all map[string]keyword) {
	maps.Copy(all, map[string]keyword{
		"minContains":           {read: func(s *Schema, v tree.Value) { s.minContains = s.limit(v) }},
		"maxContains":           {read: func(s *Schema, v tree.Value) { s.maxContains = s.limit(v) }},
		"dependentRequired":     {read: (*Schema).readDependentRequired, shape: objectType},
		"dependentSchemas":      {read: (*Schema).readDependentSchemas, shape: objectType},
		"unevaluatedItems":      {read: (*Schema).readOtherItems, shape: schemaTypes},
		"unevaluatedProperties": {read: (*Schema).readOtherFields, shape: schemaTypes},
		"$recursiveRef":         {read: (*Schema).readRecursiveRef, shape: stringType},
		"prefixItems":           {read: (*Schema).readFirstItems, shape: arrayType},
		"$dynamicRef":           {read: (*Schema).readDynamicRef, shape: stringType},
	})
}

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
			s.addType(text(name), name.Span())
		}
		if s.types == 0 && s.mode == standard {
			s.failAt(v.Span(), "expected at least one type, but the list is empty")
		}
		return
	}
	s.addType(text(v), v.Span())
}

func (s *Schema) addType(name string, at source.Span) {
	for _, t := range typeNames {
		if t.name == name {
			s.types |= t.is
			return
		}
	}
	s.failAt(at, "there is no type '%s'", name)
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

// readBound reads a limit of numbers.
func (s *Schema) readBound(to **tree.Value, strict *bool, v tree.Value) {
	switch {
	case keywordType(v)&numberType == 0:
		s.failAt(v.Span(), "expected a number, but found %s", found(v))
	case *to == nil:
		*to = &v
	case s.order(to, v) > 0: // if there are both keywords, the stricter one counts
		*to, *strict = &v, false
	}
}

// readExclusive reads an exclusive limit of numbers. In draft 4 and in OpenAPI it is a boolean that says
// whether the other limit is exclusive.
func (s *Schema) readExclusive(to **tree.Value, strict *bool, v tree.Value) {
	is := keywordType(v)
	switch {
	case is == booleanType && (s.mode != standard || s.in.draft == draft4):
		*strict = isTrue(v)
	case is == booleanType:
		s.failAt(v.Span(), "expected a number, but found %s, which is for draft 4 only", found(v))
	case s.mode == standard && s.in.draft == draft4:
		s.failAt(v.Span(), "expected true or false, but found %s: a number is for drafts after 4 only", found(v))
	case is&numberType == 0:
		s.failAt(v.Span(), "expected a number, but found %s", found(v))
	case *to == nil || s.order(to, v) >= 0:
		*to, *strict = &v, true
	}
}

// order compares how strict a number is as a limit with how strict the limit is that there is.
func (s *Schema) order(limit **tree.Value, v tree.Value) int {
	if limit == &s.most {
		return compare(**limit, v)
	}
	return compare(v, **limit)
}

func (s *Schema) readMultiple(v tree.Value) {
	if keywordType(v)&numberType == 0 || rational(v).Sign() <= 0 {
		s.failAt(v.Span(), "expected a number above 0 as the value of 'multipleOf', but found %s", found(v))
		return
	}
	s.multiple = &v
}

func (s *Schema) limit(v tree.Value) limit {
	if keywordType(v)&integerType == 0 || rational(v).Sign() < 0 {
		s.failAt(v.Span(), "expected a whole number of at least 0, but found %s", found(v))
		return limit{}
	}
	n, _ := strconv.ParseFloat(v.Text(), 64) // infinite if it is too large
	return limit{int(min(n, 1<<53)), true}
}

// readFormat reads a format. Since draft 2019-09 it is a remark that is not checked.
func (s *Schema) readFormat(v tree.Value) {
	if s.mode != standard || s.in.draft < draft2019 {
		s.format = text(v)
	}
}

// readSecret reads whether values are secret. The keyword is known since draft 7, but people and OpenAPI write
// it in older schemas too.
func (s *Schema) readSecret(v tree.Value) {
	if s.mode != standard || s.in.draft < draft7 || s.expect(booleanType, "writeOnly", v) {
		s.secret = isTrue(v)
	}
}

// regexp compiles a pattern. Kubernetes itself uses Go's regular expressions.
func (s *Schema) regexp(v tree.Value) *regexp.Regexp {
	pattern := text(v)
	re, err := regexp.Compile(pattern)
	if err != nil {
		s.failAt(v.Span(), "the pattern %s cannot be used: %s", strconv.Quote(pattern), err)
	}
	return re
}

func (s *Schema) readItems(v tree.Value) {
	if v.Kind() != tree.ArrayKind {
		s.items = s.part(v, s.mode)
		return
	}
	if s.mode == standard && s.in.draft >= draft2020 {
		s.failAt(v.Span(), "'items' is a list: since draft 2020-12 it is called 'prefixItems'")
		return
	}
	s.readFirstItems(v)
}

// readFirstItems reads the schemas of the first items of a list.
func (s *Schema) readFirstItems(v tree.Value) {
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

func (s *Schema) readFields(v tree.Value) { s.fields = s.parts(v, s.mode) }

func (s *Schema) readOtherFields(v tree.Value) { s.otherFields = s.part(v, s.mode) }

func (s *Schema) readOtherItems(v tree.Value) { s.otherItems = s.part(v, s.mode) }

func (s *Schema) readPatterns(v tree.Value) {
	for _, it := range v.Entries() {
		if re := s.regexp(it.Key); re != nil {
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

func (s *Schema) readRequired(v tree.Value) { s.required = append(s.required, s.keyNames(v)...) }

// keyNames reads a list of the names of keys. In draft 3, which is not supported, it is a boolean.
func (s *Schema) keyNames(v tree.Value) (names []string) {
	for name := range v.Elements() {
		if s.mode == standard && typeOf(name) != stringType {
			s.failAt(name.Span(), "expected the name of a key, but found %s", found(name))
		}
		names = append(names, text(name))
	}
	return names
}

// readDependencies reads what the presence of keys requires: a list of other keys, or a schema.
func (s *Schema) readDependencies(v tree.Value) {
	for _, it := range v.Entries() {
		if it.Value.Kind() == tree.ArrayKind {
			s.depend(it)
		} else {
			s.imply(it)
		}
	}
}

func (s *Schema) readDependentRequired(v tree.Value) {
	for _, it := range v.Entries() {
		if s.expect(arrayType, tree.KeyText(it.Key), it.Value) {
			s.depend(it)
		}
	}
}

func (s *Schema) readDependentSchemas(v tree.Value) {
	for _, it := range v.Entries() {
		s.imply(it)
	}
}

func (s *Schema) depend(it tree.Item) {
	if s.dependent == nil {
		s.dependent = map[string][]string{}
	}
	name := tree.KeyText(it.Key)
	s.dependent[name] = append(s.dependent[name], s.keyNames(it.Value)...)
}

func (s *Schema) imply(it tree.Item) {
	if s.implied == nil {
		s.implied = map[string]*Schema{}
	}
	s.implied[tree.KeyText(it.Key)] = s.part(it.Value, s.mode.inside())
}

func (s *Schema) list(v tree.Value) (all []*Schema) {
	for x := range v.Elements() {
		all = append(all, s.part(x, s.mode.inside()))
	}
	if all == nil && s.mode == standard {
		s.failAt(v.Span(), "expected at least one schema, but the list is empty")
	}
	return all
}

// readRef follows a reference: to a part of the same file, or of another one.
func (s *Schema) readRef(v tree.Value) {
	find := func(ref string) (*Schema, error) { return s.file.find(ref, s.mode) }
	if s.mode == standard {
		find = s.in.find
	}
	to, err := find(text(v))
	if err != nil {
		s.failAt(v.Span(), "%s", err)
		return
	}
	s.refs = append(s.refs, to)
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
