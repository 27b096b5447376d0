package schemas

import (
	"regexp"
	"slices"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// mapped reads the keys of a map.
func (r *reader) mapped(n *node, f *facts) {
	for _, key := range f.required {
		if f.properties[key] == nil {
			f.names = append(f.names, key)
			f.properties[key] = []part{} // required, but nothing says what it is
		}
	}
	r.others(n, f)
	for _, key := range f.names {
		parts := f.properties[key]
		switch {
		case len(parts) > 0 && isNever(parts):
			n.loseNever(key, parts[0])
			continue
		case len(key) > maxKey:
			n.lose("properties", "a key is too long", parts[0].value.Span())
			continue
		case n.rest != nil && key == restKey:
			n.lose("properties", "the key _ stands for all keys", parts[0].value.Span())
			continue
		}
		typ := &node{at: pointer(n.at, key)}
		if len(parts) > 0 {
			typ = r.read(parts, pointer(n.at, key))
		}
		typ.required = typ.required || slices.Contains(f.required, key)
		n.fields = append(n.fields, field{key, typ})
	}
	if n.rest != nil && n.rules.minLen != nil {
		n.countFields()
	}
}

// loseNever notes that a key must not be set. Leaving it out of the schema forbids it, unless the map has
// arbitrary keys.
func (n *node) loseNever(key string, p part) {
	why := "the key is not declared, so it cannot be set"
	if n.rest != nil {
		why = "the key must not be set, but arbitrary keys are allowed"
	}
	lost := &node{at: pointer(n.at, diag.Shortened(key))}
	lost.lose("false", why, p.value.Span())
	n.lost = append(n.lost, lost.lost...)
}

// countFields raises the minimum number of keys by the number of declared ones: weft counts these too, and
// they always exist.
func (n *node) countFields() {
	if least, ok := n.rules.minLen.Starlark().(starlark.Int); ok {
		all := tree.Of(least.Add(starlark.MakeInt(len(n.fields))))
		n.rules.minLen = &all
	}
}

// isNever reports whether a key must not be set.
func isNever(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool {
		return p.value.Starlark() == starlark.Value(starlark.False)
	})
}

// others reads what is said about keys that are not properties. If nothing is said, a map with
// properties has no other keys: most authors mean that, and then weft finds misspelled keys.
func (r *reader) others(n *node, f *facts) {
	switch {
	case len(f.patterns) > 0:
		r.matching(n, f)
	case len(f.additional) > 0:
		n.rest = r.read(f.additional, n.at+"/*")
	case f.closed:
	case f.open || len(f.names) == 0:
		n.rest = &node{at: n.at + "/*"}
	}
	for _, p := range f.nameRules {
		if !n.nameRule(p) {
			n.lose("propertyNames", "", p.value.Span())
		}
	}
}

// matching reads patternProperties. weft allows one pattern for the other keys of a map.
func (r *reader) matching(n *node, f *facts) {
	first := f.patterns[0]
	_, err := regexp.Compile(first.text)
	if err != nil || len(f.patterns) > 1 || len(f.additional) > 0 || f.open {
		n.lose("patternProperties", "", first.schema.value.Span())
		n.rest = &node{at: n.at + "/*"}
		return
	}
	n.rest = r.read([]part{first.schema}, n.at+"/*")
	n.keys = first.text
}

// nameRule reads a rule about all keys, and reports whether weft has such a rule. It may be a pattern, and
// allow the declared keys besides. Or it forbids the key _, as weft does anyway.
func (n *node) nameRule(p part) bool {
	if n.rest == nil || p.value.Kind() != tree.MapKind {
		return false
	}
	if list, ok := p.at("anyOf"); ok && len(list.list()) == 2 && p.value.Len() == 1 {
		if _, declared := list.list()[1].at("enum"); declared {
			return n.nameRule(list.list()[0])
		}
		return false
	}
	if not, ok := p.at("not"); ok {
		c, ok := not.at("const")
		return ok && c.value.IsString(restKey) && p.value.Len() == 1
	}
	text, ok := p.at("pattern")
	s, isText := starlark.AsString(text.value.Starlark())
	if !ok || !isText || n.keys != "" && n.keys != s {
		return false
	}
	for _, it := range p.value.Entries() {
		if !it.Key.IsString("pattern") && !it.Key.IsString("type") {
			return false
		}
	}
	if _, err := regexp.Compile(s); err != nil {
		return false
	}
	n.keys = s
	return true
}
