package schemas

import (
	"cmp"

	"weft/internal/lang/source"
)

// restrict removes alternatives that no annotation can say, and notes the loss: those of the whole schema,
// and those that are more than examples of their types.
func (n *node) restrict() {
	for _, c := range n.children() {
		c.restrict()
	}
	switch {
	case n.kind == choiceKind && (n.at == "" || !all(n.choices, isExample)):
		n.lose(n.oneOf("anyOf", "oneOf", "type", "x-kubernetes-int-or-string"), "several types", source.Span{})
		n.kind, n.choices, n.nullable = anyKind, nil, false
	case n.kind == variantKind && n.at == "":
		n.lose(n.oneOf("oneOf", "anyOf"), "several maps; all of their keys are allowed", source.Span{})
		list := n.variants
		n.variants = nil
		for _, v := range list {
			n.union([]*node{v.typ})
		}
	}
}

// isExample reports whether an example says all about a type, as the alternatives of @schema/any-of are
// written.
func isExample(n *node) bool {
	return n.isScalar() || n.kind == arrayKind && isExample(n.item) && !n.item.nullable &&
		n.item.validation() == ""
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
