package diff

import (
	"strings"

	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// Name identifies a document. Kubernetes objects have a kind and a name; other documents are identified by
// their file.
type Name struct{ selector.Name }

// objectNamed returns the name of an object by itself.
func objectNamed(v tree.Value) Name { return Name{selector.Name{Object: selector.ObjectOf(v)}} }

// namesOf returns the names of documents. One of an unknown file that has no other needs no number.
func namesOf(docs []selector.Selectable) []Name {
	names := make([]Name, len(docs))
	for i, n := range selector.NamesOf(docs) {
		if n.File == "" && len(docs) == 1 {
			n.N = 0
		}
		names[i] = Name{n}
	}
	return names
}

// isObject reports whether the document is a Kubernetes object.
func (n Name) isObject() bool { return !n.Object.IsZero() }

// withoutGroup returns the object, whatever group its API is in.
func (n Name) withoutGroup() selector.Object {
	o := n.Object
	o.Group = ""
	return o
}

// base returns the name of an object without the star of names that are generated.
func (n Name) base() string { return strings.TrimSuffix(n.Object.Name, "*") }

// same reports whether two names belong to the same document, so that it is not renamed. An object may
// move to another file, and its API to another group.
func (n Name) same(other Name) bool {
	if n.isObject() {
		return n.withoutGroup() == other.withoutGroup()
	}
	return n.File == other.File && !other.isObject()
}

// masked returns the name with its secrets hidden. Groups are never secret.
func (n Name) masked(rules *secret.Rules) Name {
	n.Namespace, n.Object.Name = rules.MaskText(n.Namespace), rules.MaskText(n.Object.Name)
	n.Kind, n.File = rules.MaskText(n.Kind), rules.MaskText(n.File)
	return n
}
