package schema

import (
	"math"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Dialect is the version of JSON Schema that JSONSchema writes.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema returns the type as a JSON Schema for a file of data values, in which every key with a
// default may be left out. It leaves out what JSON Schema cannot express (functions, conditions, the
// order of strings), so weft may still reject values that the JSON Schema accepts. There is one
// difference in the other direction: JSON Schema counts the characters of a string, and weft counts
// the bytes.
func (t *Type) JSONSchema() tree.Value {
	o, _ := t.jsonSchema(object{}.text("$schema", Dialect), t.def)
	return o.value()
}

// jsonSchema adds the schema of a value whose default is def: that of the type, unless a map around
// it has its own default. It reports whether the default is invalid, so that the value must be set.
func (t *Type) jsonSchema(o object, def tree.Value) (object, bool) {
	// Rules with a condition may not apply.
	r := t.rules
	if r == nil || r.when != nil {
		r = &rules{}
	}
	if t.title != "" {
		o = o.text("title", t.title)
	}
	if t.desc != "" {
		o = o.text("description", t.desc)
	}
	if t.union == nil {
		o = t.jsonType(o, r.notNull)
	}
	if t.secret {
		o = o.flag("writeOnly", true)
	}
	if t.deprecation != nil {
		o = o.flag("deprecated", true)
		if *t.deprecation != "" {
			o = o.text("deprecationMessage", *t.deprecation) // not part of the standard, but editors show it
		}
	}
	var examples []tree.Value
	for _, e := range t.examples {
		if inJSON(e.value) {
			examples = append(examples, e.value)
		}
	}
	if examples != nil {
		o = o.with("examples", list(examples))
	}
	absent := def == (tree.Value{})
	if t.union != nil {
		o = t.jsonUnion(o, r.notNull, func(alt *Type) object {
			sub, _ := alt.jsonSchema(nil, tree.Value{})
			return sub
		})
		if absent || !inJSON(def) || t.hidesDefault() || t.union.by != "" && !t.nullable {
			return o, t.required && absent
		}
		return o.with("default", def), t.required && absent
	}
	needed := t.required && absent || r.notNull && def.IsNull()
	switch t.kind {
	case mapKind:
		var below bool
		o, below = t.jsonProperties(o, def)
		needed = needed || below && !def.IsNull() || t.open.needs(def)
	case arrayKind:
		item, _ := t.item.jsonSchema(nil, t.item.def)
		o = o.with("items", item.value())
	}
	if r.oneNotNull != nil && t.kind == mapKind {
		var below bool
		o, below = t.jsonOneNotNull(o, r.oneNotNull, def)
		needed = needed || below
	}
	o = t.jsonRules(o, r)
	if absent || t.kind == mapKind && !t.nullable && !t.hasMore(def) || r.notNull && def.IsNull() ||
		!inJSON(def) || t.hidesDefault() {
		return o, needed
	}
	return o.with("default", def), needed
}

// hasMore reports whether the default of a map has keys that the map does not declare. The others have
// their own defaults.
func (t *Type) hasMore(def tree.Value) bool {
	if t.open == nil {
		return false
	}
	for i, it := range def.Entries() {
		if _, declared := t.lookup(it.Key, i); !declared {
			return true
		}
	}
	return false
}

func (t *Type) jsonType(o object, notNull bool) object {
	var names []tree.Value
	switch t.kind {
	case anyKind:
		if !notNull {
			return o
		}
		for _, name := range []string{"object", "array", "string", "number", "boolean"} {
			names = append(names, tree.String(name))
		}
	case mapKind:
		names = append(names, tree.String("object"))
	case floatKind:
		names = append(names, tree.String("number"))
	default:
		names = append(names, tree.String(t.kind.String()))
	}
	if t.kind != anyKind && t.nullable && !notNull {
		names = append(names, tree.String("null"))
	}
	if len(names) == 1 {
		return o.with("type", names[0])
	}
	return o.with("type", list(names))
}

// jsonProperties adds the keys of a map, and reports whether some of them must be given.
func (t *Type) jsonProperties(o object, def tree.Value) (object, bool) {
	defaults := t.defaultsOf(def)
	var properties object
	var required []tree.Value
	for i, f := range t.fields {
		name := tree.KeyText(f.key)
		sub, needed := f.typ.jsonSchema(nil, defaults[i])
		properties = properties.with(name, sub.value())
		if needed {
			required = append(required, tree.String(name))
		}
	}
	o = o.with("properties", properties.value())
	if required != nil {
		o = o.with("required", list(required))
	}
	return t.jsonRest(o), required != nil
}

// jsonUnion adds the alternatives. A map with @schema/one-of may leave out its tag: then the tag
// of the default counts.
func (t *Type) jsonUnion(o object, notNull bool, describe func(*Type) object) object {
	var alts []tree.Value
	for i, alt := range t.union.alts {
		sub := describe(alt)
		if t.union.by != "" {
			sub = t.jsonTag(sub, i)
		}
		alts = append(alts, sub.value())
	}
	if t.nullable && !notNull {
		alts = append(alts, object{}.text("type", "null").value())
	}
	if t.union.by == "" {
		return o.with("anyOf", list(alts))
	}
	return o.with("oneOf", list(alts)).
		with("discriminator", object{}.text("propertyName", t.union.by).value())
}

// jsonTag says in the schema of alternative i what its tag is.
func (t *Type) jsonTag(sub object, i int) object {
	needed := t.union.named(t.def) != i
	for j, it := range sub {
		switch {
		case it.Key.IsString("properties"):
			m, _ := it.Value.Map()
			items := slices.Clone(m.Entries())
			items[0].Value = object{}.with("enum", list([]tree.Value{tree.String(t.union.names[i])})).
				value() // the tag is its first key
			sub[j].Value = tree.Of(tree.NewMap(items, source.Pos{}))
		case it.Key.IsString("required") && needed:
			a, _ := it.Value.Array()
			tag := tree.Item{Value: tree.String(t.union.by)}
			sub[j].Value = tree.Of(tree.NewArray(append(slices.Clip(a.Entries()), tag), source.Pos{}))
			needed = false
		}
	}
	if needed {
		sub = sub.with("required", list([]tree.Value{tree.String(t.union.by)}))
	}
	return sub
}

// jsonRest adds what is said about keys that are not declared.
func (t *Type) jsonRest(o object) object {
	if t.open == nil {
		return o.flag("additionalProperties", false)
	}
	item, _ := t.open.item.jsonSchema(nil, t.open.item.def)
	o = o.with("additionalProperties", item.value())
	if names := t.jsonNames(); names != nil {
		o = o.with("propertyNames", names.value())
	}
	return t.jsonCount(o)
}

// jsonNames returns the schema of all keys: those that are declared, and those that match.
func (t *Type) jsonNames() object {
	var declared []tree.Value
	for _, f := range t.fields {
		declared = append(declared, tree.String(tree.KeyText(f.key)))
	}
	if t.open.keys == nil {
		return object{}.with("not", object{}.text("const", restKey).value())
	}
	matching := object{}.text("pattern", t.open.keys.String())
	if declared == nil {
		return matching
	}
	return object{}.with("anyOf", list([]tree.Value{
		matching.value(), object{}.with("enum", list(declared)).value(),
	}))
}

// jsonCount adds how many keys may be written in a map with arbitrary keys. Declared keys exist in
// the end even if they are not written.
func (t *Type) jsonCount(o object) object {
	r := t.open.rules
	if r == nil {
		return o
	}
	if r.minLen != nil {
		least := *r.minLen - float64(len(t.fields))
		if n, ok := wholeLimit(&least, math.Ceil); ok && least > 0 {
			o = o.with("minProperties", n)
		}
	}
	if n, ok := wholeLimit(r.maxLen, math.Floor); ok {
		o = o.with("maxProperties", n)
	}
	return o
}

// needs reports whether a map must be set, since its default has too few keys. o may be nil.
func (o *openMap) needs(def tree.Value) bool {
	return o != nil && o.rules != nil && o.rules.minLen != nil && float64(def.Len()) < *o.rules.minLen
}

// wholeLimit returns a limit as a whole number that JSON Schema takes.
func wholeLimit(limit *float64, round func(float64) float64) (tree.Value, bool) {
	if limit == nil || *limit < 0 || *limit > math.MaxInt32 {
		return tree.Value{}, false
	}
	return tree.Of(starlark.MakeInt(int(round(*limit)))), true
}

// defaultsOf returns the defaults of the fields, given that of the map. A map that is null by default
// gets the defaults of its fields if a part of it is set.
func (t *Type) defaultsOf(def tree.Value) []tree.Value {
	out := make([]tree.Value, len(t.fields))
	for i, f := range t.fields {
		out[i] = f.typ.def
	}
	if m, ok := def.Map(); ok {
		for i, it := range m.Entries() {
			if at, ok := t.lookup(it.Key, i); ok {
				out[at] = it.Value
			}
		}
	}
	return out
}

// jsonRules adds the keyword rules.
func (t *Type) jsonRules(o object, r *rules) object {
	text, array, anything := t.kind == stringKind, t.kind == arrayKind, t.kind == anyKind
	for _, l := range []struct {
		limit               *float64
		text, array, object string
		round               func(float64) float64
	}{
		{r.minLen, "minLength", "minItems", "minProperties", math.Ceil},
		{r.maxLen, "maxLength", "maxItems", "maxProperties", math.Floor},
	} {
		n, ok := wholeLimit(l.limit, l.round)
		if !ok {
			continue
		}
		if text || anything {
			o = o.with(l.text, n)
		}
		if array || anything {
			o = o.with(l.array, n)
		}
		if anything {
			// a map of the schema has all of its keys after defaults are filled in, however many are
			// written
			o = o.with(l.object, n)
		}
	}
	if t.kind == intKind || t.kind == floatKind || anything {
		if r.min != nil && isNumber(*r.min) {
			o = o.with("minimum", *r.min)
		}
		if r.max != nil && isNumber(*r.max) {
			o = o.with("maximum", *r.max)
		}
	}
	o = t.jsonForms(o, r)
	// Only part of a map may be written, so it cannot be compared with the members of a list.
	if r.oneOf != nil && t.kind != mapKind && (t.kind != arrayKind || t.item.kind > arrayKind) {
		var allowed []tree.Value
		for _, v := range r.oneOf {
			if inJSON(v) {
				allowed = append(allowed, v)
			}
		}
		if t.nullable && !r.notNull {
			allowed = append(allowed, tree.Null)
		}
		o = o.with("enum", list(allowed))
	}
	return o
}

// jsonForms adds the rules about the form of texts, about multiples and about lists whose items differ.
func (t *Type) jsonForms(o object, r *rules) object {
	text, number := t.kind == stringKind, t.kind == intKind || t.kind == floatKind
	var patterns []string
	if r.matches != nil {
		patterns = append(patterns, r.matches.String())
	}
	if f := r.format; f != nil {
		if f.pattern != "" {
			patterns = append(patterns, f.pattern)
		}
		if text && f.standard != "" {
			o = o.text("format", f.standard)
		}
		if f.name == "port" && number && r.min == nil {
			o = o.with("minimum", tree.Of(starlark.MakeInt(1)))
		}
		if f.name == "port" && number && r.max == nil {
			o = o.with("maximum", tree.Of(starlark.MakeInt(65535)))
		}
	}
	switch {
	case !text:
	case len(patterns) == 1:
		o = o.text("pattern", patterns[0])
	case len(patterns) == 2:
		o = o.with("allOf", list([]tree.Value{
			object{}.text("pattern", patterns[0]).value(), object{}.text("pattern", patterns[1]).value(),
		}))
	}
	if r.multipleOf != nil && number {
		o = o.with("multipleOf", *r.multipleOf)
	}
	// Only part of a map may be written, so two that differ in the file may be equal in the end.
	if r.unique && t.kind == arrayKind && t.item.kind > arrayKind {
		o = o.flag("uniqueItems", true)
	}
	return o
}

// jsonOneNotNull requires that exactly one key has a value. It reports whether the map must be set
// because no key has a value by default. It adds nothing if a key has one, because that key may be
// left out, nor for a map that may be null.
func (t *Type) jsonOneNotNull(o object, s *keySet, def tree.Value) (object, bool) {
	keys := s.keys
	if s.all {
		for _, f := range t.fields {
			keys = append(keys, f.key)
		}
	}
	defaults := t.defaultsOf(def)
	var choices []tree.Value
	for _, key := range keys {
		i, ok := t.lookup(key, 0)
		if !ok {
			continue // a key that is never set, so always null
		}
		if t.nullable || !defaults[i].IsNull() {
			return o, false
		}
		name := tree.KeyText(key)
		value := object{}.with("not", object{}.text("type", "null").value()).value()
		choices = append(choices, object{}.
			with("required", list([]tree.Value{tree.String(name)})).
			with("properties", object{}.with(name, value).value()).value())
	}
	if choices == nil {
		return o, false
	}
	return o.with("oneOf", list(choices)), true
}

func isNumber(v tree.Value) bool {
	switch v.Starlark().(type) {
	case starlark.Int, starlark.Float:
		return inJSON(v)
	}
	return false
}

// inJSON reports whether JSON can represent v: it has neither infinite numbers nor keys that are
// not strings.
func inJSON(v tree.Value) bool {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		for _, it := range x.Entries() {
			if _, ok := it.Key.Starlark().(starlark.String); !ok || !inJSON(it.Value) {
				return false
			}
		}
	case *tree.Array:
		for _, it := range x.Entries() {
			if !inJSON(it.Value) {
				return false
			}
		}
	case starlark.Float:
		return !math.IsInf(float64(x), 0) && !math.IsNaN(float64(x))
	}
	return true
}
