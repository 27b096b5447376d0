package schemas

import (
	"cmp"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// restrict removes what this version of weft has no annotation for, and notes the loss.
func (n *node) restrict() {
	for _, c := range n.children() {
		c.restrict()
	}
	switch {
	case n.kind == choiceKind && (n.at == "" || !has("any-of", "") || !all(n.choices, isExample)):
		n.lose(n.oneOf("anyOf", "oneOf", "type", "x-kubernetes-int-or-string"), "several types", source.Span{})
		n.kind, n.choices, n.nullable = anyKind, nil, false
	case n.kind == variantKind && (n.at == "" || !has("one-of", "")):
		n.lose(n.oneOf("oneOf", "anyOf"), "several maps; all of their keys are allowed", source.Span{})
		list := n.variants
		n.variants = nil
		for _, v := range list {
			n.union([]*node{v.typ})
		}
	}
	r := &n.rules
	n.drop(r.matches != "" && !has("validation", "matches"), "pattern", func() { r.matches = "" })
	n.drop(r.format != "" && !has("validation", "format"), "format", func() { r.format = "" })
	n.drop(r.multipleOf != nil && !has("validation", "multiple_of"), "multipleOf", func() { r.multipleOf = nil })
	n.drop(r.unique && !has("validation", "unique"), n.oneOf("uniqueItems", "x-kubernetes-list-type"),
		func() { r.unique = false })
}

// isExample reports whether an example says all about a type, as the alternatives of @schema/any-of are
// written.
func isExample(n *node) bool {
	return n.isScalar() || n.kind == arrayKind && isExample(n.item) && !n.item.nullable &&
		n.item.validation() == ""
}

// drop removes a rule if needed, and notes the loss.
func (n *node) drop(needed bool, keyword string, reset func()) {
	if needed {
		reset()
		n.lose(keyword, "", source.Span{})
	}
}

// oneOf returns the first of several keywords that the schema has.
func (n *node) oneOf(keywords ...string) string {
	for _, k := range keywords {
		if _, ok := n.from[k]; ok {
			return k
		}
	}
	return cmp.Or(keywords...)
}

// has reports whether weft has an annotation and, unless keyword is empty, this keyword of it.
func has(annotation, keyword string) bool {
	m, ok := tree.MeaningOf("schema/" + annotation)
	return ok && (keyword == "" || m.Takes(keyword))
}
