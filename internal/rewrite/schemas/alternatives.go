package schemas

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// choose reads anyOf and oneOf.
func (r *reader) choose(n *node, f *facts) {
	for _, a := range f.alternatives {
		if n.kind == mapKind && n.exactlyOne(a) {
			continue
		}
		var null bool
		a.list, null = withoutNull(a.list)
		list := r.readAll(n, a)
		n.nullable = n.nullable || null
		switch {
		case n.kind == choiceKind && n.covers(list):
		case n.kind == anyKind && !f.typed && all(list, isNoMap):
			n.oneKindOf(a, list)
		case all(list, isMap) && (n.kind == mapKind || n.kind == anyKind && !f.typed):
			if !n.tagged(f, a, list) {
				n.lose(a.keyword, "maps that no key tells apart; all of their keys are allowed", a.at.value.Span())
				n.union(list)
			}
		default:
			n.lose(a.keyword, "", a.at.value.Span())
		}
	}
}

// withoutNull returns the alternatives that are not null, and whether null is another.
func withoutNull(list []part) (others []part, null bool) {
	others = slices.DeleteFunc(slices.Clone(list), isNullSchema)
	return others, len(others) < len(list)
}

// readAll reads the alternatives.
func (r *reader) readAll(n *node, a alternatives) (list []*node) {
	for _, p := range a.list {
		list = append(list, r.read([]part{p}, n.at))
	}
	return list
}

func all(list []*node, is func(*node) bool) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(n *node) bool { return !is(n) })
}

func isNoMap(n *node) bool { return n.kind == arrayKind || n.isScalar() }

func isMap(n *node) bool { return n.kind == mapKind }

// covers reports whether alternatives say no more than the types of a choice.
func (n *node) covers(list []*node) bool {
	return all(list, func(x *node) bool {
		same := func(c *node) bool { return c.kind == x.kind }
		return x.validation() == "" && slices.ContainsFunc(n.choices, same)
	})
}

// oneKindOf makes a choice of alternatives that are not maps. Alternatives of the same kind become one,
// except lists of different items.
func (n *node) oneKindOf(a alternatives, list []*node) {
	var kinds []*node
	lost := false
	for _, x := range list {
		n.nullable = n.nullable || x.nullable
		i := slices.IndexFunc(kinds, func(k *node) bool {
			return k.kind == x.kind && (a.keyword == "oneOf" || !differ(k, x))
		})
		if i < 0 {
			kinds = append(kinds, x)
			continue
		}
		lost = !kinds[i].widen(x) || lost
	}
	kinds = withoutIntegers(kinds)
	if lost {
		n.lose(a.keyword, "rules of alternatives", a.at.value.Span())
	}
	if len(kinds) == 1 {
		n.become(kinds[0])
		return
	}
	n.kind = choiceKind
	for _, k := range kinds {
		if k.validation() != "" {
			n.lose(a.keyword, "rules of alternatives", a.at.value.Span())
		}
		n.choices = append(n.choices, &node{at: k.at, kind: k.kind, item: k.item})
	}
}

// differ reports whether two lists have items of different types, and examples say all about both. With
// oneOf they exclude each other, which examples cannot say of the empty list.
func differ(a, b *node) bool {
	plain := func(n *node) bool { return n.kind == arrayKind && isExample(n) && n.validation() == "" }
	return plain(a) && plain(b) && !sameItems(a, b)
}

// sameItems reports whether the items of two lists have the same type.
func sameItems(a, b *node) bool {
	if a.item.kind != b.item.kind {
		return false
	}
	return a.item.kind != arrayKind || sameItems(a.item, b.item)
}

// withoutIntegers removes integers if floats are another alternative, since these include integers.
func withoutIntegers(kinds []*node) []*node {
	if !slices.ContainsFunc(kinds, func(k *node) bool { return k.kind == floatKind }) {
		return kinds
	}
	return slices.DeleteFunc(kinds, func(k *node) bool { return k.kind == intKind })
}

// widen adds the values of another alternative of the same kind, and reports whether nothing is lost.
func (n *node) widen(x *node) bool {
	if n.rules.oneOf != nil && x.rules.oneOf != nil && n.onlyEnum() && x.onlyEnum() {
		n.rules.oneOf = append(n.rules.oneOf, x.rules.oneOf...)
		return true
	}
	if n.kind == arrayKind && !sameKind(n.item, x.item) {
		n.item = &node{at: n.item.at}
	}
	equal := n.validation() == x.validation() && n.kind != arrayKind
	if !equal {
		n.rules = rules{}
	}
	return equal
}

// onlyEnum reports whether a list of values is the only rule.
func (n *node) onlyEnum() bool {
	return strings.Count(n.validation(), "=[") == 1 && n.rules.matches == ""
}

func sameKind(a, b *node) bool { return a.kind == b.kind && a.isScalar() }

// become takes over the type and the rules of x. The description, the default and a list of allowed values
// stay.
func (n *node) become(x *node) {
	n.kind, n.item, n.fields, n.rest, n.keys = x.kind, x.item, x.fields, x.rest, x.keys
	outer := n.rules
	n.rules = x.rules
	if outer.oneOf != nil {
		n.rules.oneOf = outer.oneOf
	}
	n.lost = append(n.lost, x.lost...)
}

// union adds the keys of alternatives to a map. None of them is required.
func (n *node) union(list []*node) {
	n.kind = mapKind
	for _, x := range list {
		for _, f := range x.fields {
			f.typ.required = false
			switch has := n.field(f.key); {
			case has == nil:
				n.fields = append(n.fields, f)
			case has.kind == anyKind && has.validation() == "" && f.typ.kind != anyKind && has.desc == "":
				has.become(f.typ)
			}
		}
		if x.rest != nil && n.rest == nil && len(x.fields) > 0 {
			n.rest, n.keys = x.rest, x.keys
		}
	}
}

// exactlyOne reads alternatives that say that exactly one of several keys is not null.
func (n *node) exactlyOne(a alternatives) bool {
	var keys []string
	for _, p := range a.list {
		required, ok := p.at("required")
		properties, has := p.at("properties")
		if !ok || !has || p.value.Len() != 2 || required.value.Len() != 1 || properties.value.Len() != 1 {
			return false
		}
		it := properties.value.Entries()[0]
		key, _ := starlark.AsString(it.Key.Starlark())
		not, ok := it.Value.Lookup("not")
		typ, _ := not.Lookup("type")
		if !ok || !typ.IsString("null") || n.field(key) == nil {
			return false
		}
		keys = append(keys, key)
	}
	if a.keyword != "oneOf" || keys == nil || n.rules.oneNotNull != nil {
		return false
	}
	n.rules.oneNotNull = keys
	return true
}

// tagged makes variants of maps that one key tells apart, and reports whether there is such a key.
func (n *node) tagged(f *facts, a alternatives, list []*node) bool {
	if a.keyword != "oneOf" && f.tag == "" {
		return false
	}
	for _, tag := range tagsOf(f, list) {
		if names := variantNames(f, a, list, tag); names != nil {
			n.split(tag, names, list)
			return true
		}
	}
	return false
}

// tagsOf returns the keys that may tell maps apart.
func tagsOf(f *facts, list []*node) []string {
	if f.tag != "" {
		return []string{f.tag}
	}
	var tags []string
	for _, x := range list[0].fields {
		tags = append(tags, x.key)
	}
	return tags
}

// variantNames returns the value of a key in each alternative, or nil if these are not all different
// texts. An alternative that does not set the key may get its name from the discriminator.
func variantNames(f *facts, a alternatives, list []*node, tag string) []string {
	var names []string
	for i, x := range list {
		name := ""
		if typ := x.field(tag); typ != nil && len(typ.rules.oneOf) == 1 {
			name, _ = starlark.AsString(typ.rules.oneOf[0].Starlark())
		} else if f.tag != "" {
			name = f.nameOf(a.list[i])
		}
		if name == "" || name == "by" || slices.Contains(names, name) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// nameOf returns the name that a discriminator gives an alternative: that of its mapping, or the last
// step of the reference.
func (f *facts) nameOf(p part) string {
	ref, _ := p.at("$ref")
	text, _ := starlark.AsString(ref.value.Starlark())
	for name, to := range f.mapping {
		if to == text && text != "" {
			return name
		}
	}
	return text[strings.LastIndexByte(text, '/')+1:]
}

// split makes variants of maps. Keys outside of the alternatives are added to each variant.
func (n *node) split(tag string, names []string, list []*node) {
	outer := n.fields
	var free []string // the variants that need not be named
	n.kind, n.tag, n.fields, n.rest = variantKind, tag, nil, nil
	for i, x := range list {
		for _, f := range outer {
			if x.field(f.key) == nil {
				copied := *f.typ
				x.fields = append(x.fields, field{f.key, &copied})
			}
		}
		name := tree.String(names[i])
		typ := x.field(tag)
		if typ == nil || !typ.required {
			free = append(free, names[i])
		}
		if typ == nil {
			typ = &node{at: pointer(n.at, tag)}
			x.fields = append([]field{{tag, typ}}, x.fields...)
		}
		typ.kind, typ.required, typ.nullable, typ.def = stringKind, false, false, &name
		typ.rules = rules{}
		n.variants = append(n.variants, variant{names[i], x})
	}
	if len(free) == 1 && n.def == nil {
		// weft exports the default so: of all variants, only that of the default may be left unnamed.
		def := tree.Of(tree.NewMap([]tree.Item{{Key: tree.String(tag), Value: tree.String(free[0])}}, source.Pos{}))
		n.def = &def
	}
}
