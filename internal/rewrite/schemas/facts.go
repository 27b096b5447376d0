package schemas

import (
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/schema"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// facts is what the keywords of all parts of a schema say about a value.
type facts struct {
	types    types
	typed    bool // there is a type
	nullable bool
	def      *tree.Value
	enum     []tree.Value
	hasEnum  bool

	names      []string // of properties, in order
	properties map[string][]part
	required   []string
	additional []part // schemas of other keys
	closed     bool   // there are no other keys
	open       bool   // there are other keys
	patterns   []pattern
	nameRules  []part // propertyNames

	items []part

	alternatives []alternatives
	tag          string            // of a discriminator
	mapping      map[string]string // its names, and the references that they stand for

	above, below *keyword // the keywords that make limits exclusive, or nil

	intOrString  bool
	ofKubernetes bool // the schema is that of a custom resource
}

// pattern is a schema of keys that match a regular expression.
type pattern struct {
	text   string
	schema part
}

// alternatives is anyOf or oneOf.
type alternatives struct {
	keyword string
	at      part
	list    []part
}

// types is a set of types of JSON.
type types uint8

const (
	nullType types = 1 << iota
	booleanType
	integerType
	numberType
	stringType
	arrayType
	objectType

	allTypes   = 1<<7 - 1
	everything = allTypes &^ nullType &^ integerType
)

// typeOf returns the type with a name, or 0.
func typeOf(name string) types {
	switch name {
	case "null":
		return nullType
	case "boolean":
		return booleanType
	case "integer":
		return integerType
	case "number":
		return numberType | integerType
	case "string":
		return stringType
	case "array":
		return arrayType
	case "object":
		return objectType
	}
	return 0
}

// gather reads the keywords of the parts of a schema.
func (r *reader) gather(n *node, w *whole) *facts {
	n.from = map[string]source.Span{}
	f := &facts{
		types: allTypes, properties: map[string][]part{}, nullable: w.nullable, ofKubernetes: r.ofKubernetes,
	}
	for _, p := range w.parts {
		for _, it := range p.value.Entries() {
			key, ok := starlark.AsString(it.Key.Starlark())
			if !ok || !isRule(key) {
				continue
			}
			r.keywords++
			if _, seen := n.from[key]; !seen {
				n.from[key] = it.Value.Span()
			}
			k := keyword{key, part{it.Value, p.in}}
			if !f.describe(n, k) && !f.number(n, k) && !f.text(n, k) && !f.collection(n, k) &&
				!f.object(n, k) && !f.combined(n, k) && !f.kubernetes(n, k) {
				n.lose(key, "", it.Value.Span())
			}
		}
	}
	return f
}

// keyword is a keyword of a schema.
type keyword struct {
	name string
	part
}

// isRule reports whether a keyword says something about values. Other keywords name schemas, hold schemas
// that references lead to, or belong to other programs: nothing is lost without them. expand reads $ref and
// allOf.
func isRule(key string) bool {
	switch key {
	case "title", "description", "type", "nullable", "default", "examples", "example", "deprecated",
		"deprecationMessage", "writeOnly", "enum", "const", "x-example-description",
		"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema",
		"items", "prefixItems", "additionalItems", "unevaluatedItems", "minItems", "maxItems", "uniqueItems",
		"contains", "minContains", "maxContains",
		"properties", "required", "additionalProperties", "unevaluatedProperties", "patternProperties",
		"propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies",
		"anyOf", "oneOf", "not", "if", "then", "else", "discriminator", "$dynamicRef", "$recursiveRef":
		return true
	}
	return strings.HasPrefix(key, "x-kubernetes-")
}

// describe reads the keywords that are for people, and types.
func (f *facts) describe(n *node, k keyword) bool {
	switch k.name {
	case "title":
		setText(&n.title, k.value)
	case "description":
		setText(&n.desc, k.value)
	case "type":
		return f.addTypes(k.value)
	case "nullable":
		f.nullable = f.nullable || isTrue(k.value)
	case "default":
		if f.def == nil {
			f.def = &k.value
		}
	case "examples", "example":
		if k.name == "example" || k.value.Kind() != tree.ArrayKind {
			n.examples = append(n.examples, k.value)
		} else {
			n.examples = slices.AppendSeq(n.examples, k.value.Elements())
		}
	case "deprecated":
		if isTrue(k.value) && n.deprecated == nil {
			n.deprecated = new(string)
		}
	case "deprecationMessage":
		if text, ok := starlark.AsString(k.value.Starlark()); ok {
			n.deprecated = &text
		}
	case "writeOnly":
		n.secret = n.secret || isTrue(k.value)
	case "enum":
		f.addEnum(slices.Collect(k.value.Elements()))
	case "const":
		f.addEnum([]tree.Value{k.value})
	case "x-example-description":
	default:
		return false
	}
	return true
}

func setText(to *string, v tree.Value) {
	if text, ok := starlark.AsString(v.Starlark()); ok && *to == "" {
		*to = text
	}
}

func isTrue(v tree.Value) bool { return v.Starlark() == starlark.Value(starlark.True) }

// addTypes reads type, which is one name or several.
func (f *facts) addTypes(v tree.Value) bool {
	names := []tree.Value{v}
	if v.Kind() == tree.ArrayKind {
		names = slices.Collect(v.Elements())
	}
	var set types
	for _, name := range names {
		text, _ := starlark.AsString(name.Starlark())
		if name.IsNull() { // a name without quotes, in YAML
			text = "null"
		}
		t := typeOf(text)
		if t == 0 {
			return false
		}
		set |= t
	}
	f.types &= set
	f.typed = true
	return true
}

// addEnum reads the values that are allowed: those that all lists have.
func (f *facts) addEnum(list []tree.Value) {
	if !f.hasEnum {
		f.hasEnum, f.enum = true, list
		return
	}
	f.enum = slices.DeleteFunc(slices.Clone(f.enum), func(v tree.Value) bool {
		return !slices.ContainsFunc(list, func(w tree.Value) bool { return same(v, w) })
	})
}

// same reports whether two values are equal.
func same(a, b tree.Value) bool { return isPlain(a) && isPlain(b) && starlarkOf(a) == starlarkOf(b) }

// number reads the keywords of numbers.
func (f *facts) number(n *node, k keyword) bool {
	r := &n.rules
	switch k.name {
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		return f.limit(n, k)
	case "multipleOf":
		if !isNumber(k.value) || !isLess(number(0), k.value) ||
			r.multipleOf != nil && !same(*r.multipleOf, k.value) {
			return false
		}
		r.multipleOf = &k.value
	default:
		return false
	}
	return true
}

// limit reads the least or the largest number. In older drafts, and in OpenAPI,
// exclusiveMinimum and exclusiveMaximum are booleans beside the limit.
func (f *facts) limit(n *node, k keyword) bool {
	at, exclusive := &n.rules.min, &f.above
	upper := strings.HasSuffix(k.name, "aximum")
	if upper {
		at, exclusive = &n.rules.max, &f.below
	}
	isExclusive := strings.HasPrefix(k.name, "exclusive")
	if isExclusive && kindOf(k.value) == boolKind {
		if isTrue(k.value) {
			*exclusive = &k
		}
		return true
	}
	v := k.value
	if !isNumber(v) {
		return false
	}
	if *at == nil || isLess(**at, v) != upper || isExclusive && same(**at, v) {
		if *at = &v; isExclusive {
			*exclusive = &k
		}
	}
	return true
}

// exclude replaces exclusive limits of integers with the next integer, because limits in weft are inclusive.
// For floats, it notes the loss.
func (f *facts) exclude(n *node) {
	for _, x := range []struct {
		limit **tree.Value
		by    *keyword
		step  int
	}{{&n.rules.min, f.above, 1}, {&n.rules.max, f.below, -1}} {
		if x.by == nil || *x.limit == nil {
			continue
		}
		whole, ok := asInt(**x.limit).Starlark().(starlark.Int)
		if n.kind != intKind || !ok {
			n.lose(x.by.name, "weft includes the limit", x.by.value.Span())
			continue
		}
		next := tree.Of(whole.Add(starlark.MakeInt(x.step)))
		*x.limit = &next
	}
}

func isNumber(v tree.Value) bool {
	k := kindOf(v)
	return (k == intKind || k == floatKind) && isPlain(v)
}

func isLess(a, b tree.Value) bool {
	x, _ := starlark.AsFloat(a.Starlark())
	y, _ := starlark.AsFloat(b.Starlark())
	return x < y
}

// text reads the keywords of strings.
func (f *facts) text(n *node, k keyword) bool {
	r := &n.rules
	s, isText := starlark.AsString(k.value.Starlark())
	switch k.name {
	case "minLength":
		return least(&r.minLen, k.value)
	case "maxLength":
		return most(&r.maxLen, k.value)
	case "pattern":
		if name := schema.FormatOfPattern(s); s != "" && name != "" {
			return r.setFormat(name)
		}
		if _, err := regexp.Compile(s); !isText || err != nil || r.matches != "" && r.matches != s {
			return false
		}
		r.matches = s
	case "format":
		return isImplied(s) || s != "" && r.setFormat(f.formatOf(s))
	default:
		return false
	}
	return true
}

// isImplied reports whether weft needs no rule for a format. For example, integers and floats in weft have no
// size.
func isImplied(format string) bool {
	return slices.Contains([]string{"int32", "int64", "float", "double", "int-or-string", "password"}, format)
}

// formatOf returns weft's name of a format of JSON Schema or Kubernetes, or "". Only Kubernetes has
// durations like weft: in JSON Schema they are those of ISO 8601.
func (f *facts) formatOf(format string) string {
	if f.ofKubernetes && (format == "duration" || format == "cidr") {
		return format
	}
	return schema.StandardFormat(format)
}

// setFormat adds a rule about the form of texts. It returns false if there is another such rule, or no name.
func (r *rules) setFormat(name string) bool {
	if name == "" || r.format != "" && r.format != name {
		return false
	}
	r.format = name
	return true
}

// least and most keep the stricter of two limits.
func least(at **tree.Value, v tree.Value) bool {
	if v = asInt(v); !isNumber(v) {
		return false
	}
	if *at == nil || isLess(**at, v) {
		*at = &v
	}
	return true
}

func most(at **tree.Value, v tree.Value) bool {
	if v = asInt(v); !isNumber(v) {
		return false
	}
	if *at == nil || isLess(v, **at) {
		*at = &v
	}
	return true
}

// collection reads the keywords of lists.
func (f *facts) collection(n *node, k keyword) bool {
	switch k.name {
	case "items":
		if k.value.Kind() == tree.ArrayKind {
			return false
		}
		f.items = append(f.items, k.part)
	case "minItems":
		return least(&n.rules.minLen, k.value)
	case "maxItems":
		return most(&n.rules.maxLen, k.value)
	case "uniqueItems":
		n.rules.unique = n.rules.unique || isTrue(k.value)
	default:
		return false
	}
	return true
}

// object reads the keywords of maps.
func (f *facts) object(n *node, k keyword) bool {
	switch k.name {
	case "properties":
		for _, it := range k.value.Entries() {
			key, ok := starlark.AsString(it.Key.Starlark())
			if !ok {
				key = it.Key.Written() // to YAML a number or a boolean; to JSON Schema a name
			}
			if f.properties[key] == nil {
				f.names = append(f.names, key)
			}
			f.properties[key] = append(f.properties[key], part{it.Value, k.in})
		}
	case "required":
		if k.value.Kind() != tree.ArrayKind {
			n.required = isTrue(k.value) // as in draft 3, which some still write
			return kindOf(k.value) == boolKind
		}
		for v := range k.value.Elements() {
			if key, ok := starlark.AsString(v.Starlark()); ok {
				f.required = append(f.required, key)
			}
		}
	case "additionalProperties", "unevaluatedProperties":
		if kindOf(k.value) != boolKind {
			f.additional = append(f.additional, k.part)
			break
		}
		f.closed = f.closed || !isTrue(k.value)
		f.open = f.open || isTrue(k.value)
	case "patternProperties":
		for _, it := range k.value.Entries() {
			key, _ := starlark.AsString(it.Key.Starlark())
			f.patterns = append(f.patterns, pattern{key, part{it.Value, k.in}})
		}
	case "propertyNames":
		f.nameRules = append(f.nameRules, k.part)
	case "minProperties":
		return least(&n.rules.minLen, k.value)
	case "maxProperties":
		return most(&n.rules.maxLen, k.value)
	default:
		return false
	}
	return true
}

// combined reads the keywords that join schemas.
func (f *facts) combined(_ *node, k keyword) bool {
	switch k.name {
	case "anyOf", "oneOf":
		list := k.list()
		if _, _, only := onlyAlternative(list); !only && len(list) > 0 {
			f.alternatives = append(f.alternatives, alternatives{k.name, k.part, list})
		}
	case "discriminator":
		if name, ok := k.value.Lookup("propertyName"); ok {
			setText(&f.tag, name)
		}
		if mapping, ok := k.value.Lookup("mapping"); ok {
			f.mapping = map[string]string{}
			for _, it := range mapping.Entries() {
				key, _ := starlark.AsString(it.Key.Starlark())
				f.mapping[key], _ = starlark.AsString(it.Value.Starlark())
			}
		}
	default:
		return false
	}
	return true
}

// kubernetes reads what definitions of custom resources add.
func (f *facts) kubernetes(n *node, k keyword) bool {
	switch k.name {
	case "x-kubernetes-int-or-string":
		f.intOrString = f.intOrString || isTrue(k.value)
	case "x-kubernetes-preserve-unknown-fields":
		f.open = f.open || isTrue(k.value)
	case "x-kubernetes-list-type":
		n.rules.unique = n.rules.unique || k.value.IsString("set")
		return !k.value.IsString("map")
	case "x-kubernetes-list-map-keys":
		return true // x-kubernetes-list-type reports the loss
	case "x-kubernetes-map-type", "x-kubernetes-group-version-kind", "x-kubernetes-patch-merge-key",
		"x-kubernetes-patch-strategy":
	default:
		return false
	}
	return true
}
