package schemas

import (
	"math/bits"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// read returns one type for values that must match all of the given schemas.
func (r *reader) read(parts []part, at string) *node {
	n := &node{at: at}
	if r.nodes++; r.nodes > maxTypes {
		if r.err == nil {
			r.err = diag.Errorf(parts[0].value.Span(), CodeImport,
				"the schema has more than %d types where references are written out", maxTypes).
				WithHint("import a part of it: --name NAME")
		}
		return n
	}
	if r.depth++; r.depth > maxLevels {
		n.lose("schema", "it is nested too deeply", parts[0].value.Span())
		r.depth--
		return n
	}
	w := r.expand(n, parts)
	f := r.gather(n, w)
	if w.never {
		n.lose("false", "no value is allowed", parts[0].value.Span())
	}
	r.typed(n, f)
	f.exclude(n)
	n.dropForeign()
	r.depth--
	for _, to := range w.followed {
		delete(r.active, to)
	}
	return n
}

// typed gives a node its kind, and reads what is below.
func (r *reader) typed(n *node, f *facts) {
	n.def = f.def
	set := f.kinds()
	n.nullable = f.nullable || f.typed && set&nullType != 0
	f.enumerate(n)
	set &^= nullType
	if !f.typed && f.intOrString {
		set, f.typed = stringType|integerType, true
	}
	switch {
	case set == 0:
		n.lose("type", "no type is left", source.Span{})
	case set&everything == everything:
		n.rules.notNull = f.typed && !n.nullable
		n.nullable = false
	case set&numberType != 0 && set&^numberType&^integerType == 0:
		n.kind = floatKind
	case bits.OnesCount8(uint8(set)) == 1:
		n.kind = kindOfType(set)
	default:
		r.several(n, f, set)
	}
	switch n.kind {
	case mapKind:
		r.mapped(n, f)
	case arrayKind:
		r.listed(n, f)
	case anyKind:
		r.unknown(n, f)
	}
	r.choose(n, f)
}

// kinds returns the types that are possible: those that are named, or else those that the keywords imply.
func (f *facts) kinds() types {
	switch {
	case f.typed:
		return f.types
	case len(f.names) > 0, len(f.required) > 0, f.closed, f.additional != nil, f.patterns != nil,
		f.nameRules != nil:
		f.typed = true
		return objectType
	case f.items != nil:
		f.typed = true
		return arrayType
	case f.hasEnum:
		return f.enumKinds()
	}
	return f.types
}

// enumKinds returns the type of all allowed values, if they are scalars of one type.
func (f *facts) enumKinds() types {
	var set types
	for _, v := range f.enum {
		set |= typeOfKind(kindOf(v))
	}
	if bits.OnesCount8(uint8(set)) != 1 || set&(objectType|arrayType) != 0 ||
		slices.ContainsFunc(f.enum, tree.Value.IsNull) {
		return f.types
	}
	f.typed = true
	return set
}

func typeOfKind(k kind) types {
	return [...]types{
		anyKind: 0, mapKind: objectType, arrayKind: arrayType, stringKind: stringType,
		intKind: integerType, floatKind: numberType, boolKind: booleanType,
	}[k]
}

func kindOfType(t types) kind {
	switch t {
	case objectType:
		return mapKind
	case arrayType:
		return arrayKind
	case stringType:
		return stringKind
	case integerType:
		return intKind
	case booleanType:
		return boolKind
	}
	return anyKind
}

// enumerate reads the allowed values. It leaves out null, because weft does not check rules for null.
func (f *facts) enumerate(n *node) {
	if !f.hasEnum {
		return
	}
	list := []tree.Value{}
	for _, v := range f.enum {
		if v.IsNull() {
			continue
		}
		if !isPlain(v) {
			n.lose("enum", "it is not JSON", v.Span())
			return
		}
		list = append(list, v)
	}
	n.rules.oneOf = list
}

// several makes a choice between the types of a schema. It cannot be imported if one of them is a map.
func (r *reader) several(n *node, f *facts, set types) {
	if set&objectType != 0 {
		n.lose("type", "a map or something else", source.Span{})
		return
	}
	n.kind = choiceKind
	for _, t := range []types{booleanType, integerType, numberType, stringType, arrayType} {
		if set&t == 0 || t == integerType && set&numberType != 0 {
			continue
		}
		c := &node{at: n.at, kind: kindOfType(t)}
		if t == numberType {
			c.kind = floatKind
		}
		if c.kind == arrayKind {
			r.listed(c, f)
		}
		n.choices = append(n.choices, c)
	}
}

// listed reads the items of a list.
func (r *reader) listed(n *node, f *facts) {
	n.item = &node{at: n.at + "/*"}
	if f.items != nil {
		n.item = r.read(f.items, n.at+"/*")
	}
}

// unknown notes that additionalProperties is lost, because the value need not be a map.
func (r *reader) unknown(n *node, f *facts) {
	for _, a := range f.additional {
		n.lose("additionalProperties", "the type is not known", a.value.Span())
	}
}

// dropForeign removes rules that do not apply to the kind.
func (n *node) dropForeign() {
	r := &n.rules
	text := n.kind == stringKind || n.kind == anyKind
	list := n.kind == arrayKind || n.kind == anyKind
	numeric := n.kind == intKind || n.kind == floatKind || n.kind == anyKind
	sized := text || list || n.kind == mapKind && n.rest != nil
	drop := func(applies, has bool, reset func(), keywords ...string) {
		if applies || !has {
			return
		}
		reset()
		why := "it is about another type"
		if n.kind == mapKind {
			why = "the map has all of its keys"
		}
		for _, k := range keywords {
			if at, ok := n.from[k]; ok {
				n.lose(k, why, at)
			}
		}
	}
	drop(text, r.matches != "", func() { r.matches = "" }, "pattern")
	drop(text, r.format != "", func() { r.format = "" }, "format")
	drop(list, r.unique, func() { r.unique = false }, "uniqueItems", "x-kubernetes-list-type")
	drop(numeric, r.min != nil, func() { r.min = nil }, "minimum", "exclusiveMinimum")
	drop(numeric, r.max != nil, func() { r.max = nil }, "maximum", "exclusiveMaximum")
	drop(numeric, r.multipleOf != nil, func() { r.multipleOf = nil }, "multipleOf")
	drop(sized, r.minLen != nil, func() { r.minLen = nil }, "minLength", "minItems", "minProperties")
	drop(sized, r.maxLen != nil, func() { r.maxLen = nil }, "maxLength", "maxItems", "maxProperties")
	drop(n.kind != mapKind, r.oneOf != nil, func() { r.oneOf = nil }, "enum", "const")
}

// pointer returns a JSON pointer with a key appended.
func pointer(at, key string) string {
	return at + "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
