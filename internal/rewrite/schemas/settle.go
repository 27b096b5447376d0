package schemas

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// settle decides what is null, required or has a default, for a whole schema. weft has no values that
// are absent, so each key needs one of the three.
func (n *node) settle() {
	if n.secret {
		n.secret = false
		n.lose("writeOnly", "a document cannot be secret as a whole", source.Span{})
	}
	if n.deprecated != nil {
		n.deprecated = nil
		n.lose("deprecated", "a document cannot be deprecated as a whole", source.Span{})
	}
	n.required = true // it is always there
	n.settleField()
	n.required = false
	if n.def == nil && n.kind != mapKind && n.kind != arrayKind {
		n.nullable = true
	}
}

// settleField settles the value of a key.
func (n *node) settleField() {
	n.takeDefault()
	n.settleBelow()
	switch {
	case n.def != nil:
		n.required = false
		if n.rules.notNull && n.def.IsNull() {
			n.required, n.rules.notNull, n.def = true, false, nil
		}
	case n.kind == mapKind && n.rest == nil && n.needs():
		// An optional map becomes null by default. A required one need not say so, since its keys do,
		// unless null is allowed.
		n.nullable = n.nullable || !n.required
		n.required = n.required && n.nullable
	case n.required:
	case n.kind == mapKind:
	case n.kind == anyKind:
		n.rules.notNull = false // it is null if nothing sets it
	case n.kind == arrayKind && !n.needsItems():
	default:
		n.nullable = true
	}
	n.settleOpen()
}

// settleOpen takes null away from a map with arbitrary keys, which cannot be null in weft.
func (n *node) settleOpen() {
	if n.kind != mapKind || n.rest == nil {
		return
	}
	if n.nullable {
		n.nullable = false
		n.lose("null", "a map with arbitrary keys is empty by default", source.Span{})
	}
	if n.def != nil && n.def.IsNull() {
		n.def = nil
	}
	if n.def != nil || n.rules.minLen == nil {
		return
	}
	if n.required {
		n.required = false // the minimum number of keys says so already
		return
	}
	n.rules.minLen = nil
	n.lose("minProperties", "the map may be left out", source.Span{})
}

// settleFree settles an item of a list, or the value of an arbitrary key. It exists only if users write it,
// so it is never required, and a collection needs no default.
func (n *node) settleFree() {
	n.takeDefault()
	n.required = false
	n.settleBelow()
	if n.kind == mapKind {
		n.settleOpen()
	}
	if n.def != nil && (n.kind == mapKind || n.kind == arrayKind) {
		if n.def.Kind() != tree.ScalarKind && n.def.Len() > 0 {
			n.lose("default", "if the value is there, it is given", n.def.Span())
		}
		n.def = nil
	}
}

// settleBelow settles what is in the type.
func (n *node) settleBelow() {
	for _, f := range n.fields {
		f.typ.settleField()
	}
	if n.rest != nil {
		n.rest.settleFree()
	}
	if n.item != nil {
		n.item.settleFree()
	}
	for _, c := range n.choices {
		c.settleFree()
	}
	for _, v := range n.variants {
		v.typ.settleFree()
	}
}

// takeDefault makes sure that the default fits, and moves the default of a map to its keys.
func (n *node) takeDefault() {
	n.dropExamples()
	if n.def == nil {
		return
	}
	v := n.adapted(*n.def)
	switch {
	case !isPlain(v):
		n.def = nil
		n.lose("default", "it is not JSON", v.Span())
		return
	case v.IsNull() && !n.nullable && n.kind != anyKind:
		n.nullable = true
	case !n.fits(v):
		n.lose("default "+brief(v), "it has another type", n.def.Span())
		n.def = nil
		return
	}
	n.def = &v
	if n.kind == mapKind && n.rest == nil && !n.nullable {
		for _, it := range v.Entries() {
			key, _ := starlark.AsString(it.Key.Starlark())
			n.field(key).def = &it.Value
		}
		n.def = nil
		n.required = false
	}
}

// dropExamples removes examples that do not fit.
func (n *node) dropExamples() {
	var fit []tree.Value
	for _, v := range n.examples {
		v = n.adapted(v)
		if isPlain(v) && n.fits(v) && !v.IsNull() {
			fit = append(fit, v)
		} else {
			n.lose("example "+brief(v), "it has another type", v.Span())
		}
	}
	n.examples = fit
}

// adapted returns a value with numbers of the type: in JSON, 1.0 is an integer, and 1 a number.
func (n *node) adapted(v tree.Value) tree.Value {
	switch k := v.Kind(); {
	case n.kind == intKind:
		return asInt(v)
	case n.kind == floatKind:
		return asFloat(v)
	case n.kind == mapKind && k == tree.MapKind, n.kind == arrayKind && k == tree.ArrayKind:
		return n.adaptedItems(v)
	}
	return v
}

func (n *node) adaptedItems(v tree.Value) tree.Value {
	items := append([]tree.Item(nil), v.Entries()...)
	for i := range items {
		typ := n.item
		if n.kind == mapKind {
			key, _ := starlark.AsString(items[i].Key.Starlark())
			if typ = n.field(key); typ == nil {
				typ = n.rest
			}
		}
		if typ != nil {
			items[i].Value = typ.adapted(items[i].Value)
		}
	}
	if n.kind == arrayKind {
		return tree.Of(tree.NewArray(items, source.Pos{}))
	}
	return mapOf(items...)
}

// needs reports whether a map that is always there has something in it that must be set.
func (n *node) needs() bool {
	for _, f := range n.fields {
		if f.typ.required || f.typ.kind == mapKind && f.typ.rest == nil && !f.typ.nullable && f.typ.needs() {
			return true
		}
	}
	return false
}

// needsItems reports whether a list must not be empty.
func (n *node) needsItems() bool {
	if n.rules.minLen == nil {
		return false
	}
	least, ok := starlark.AsFloat(n.rules.minLen.Starlark())
	return ok && least > 0
}

// brief returns a value for a comment.
func brief(v tree.Value) string {
	const longest = 60
	if !isPlain(v) {
		return diag.Article(v.TypeName())
	}
	text := starlarkOf(v)
	if len(text) > longest {
		return diag.Article(v.TypeName())
	}
	return text
}

// mapOf and arrayOf return collections.
func mapOf(items ...tree.Item) tree.Value { return tree.Of(tree.NewMap(items, source.Pos{})) }

func arrayOf(values ...tree.Value) tree.Value {
	items := make([]tree.Item, len(values))
	for i, v := range values {
		items[i].Value = v
	}
	return tree.Of(tree.NewArray(items, source.Pos{}))
}
