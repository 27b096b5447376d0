// Package selector names documents and selects them: by kind and name, by conditions on their values,
// or by file and number. Parse reads every name that Names returns.
package selector

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Selectable is a document that has a name and may be selected.
type Selectable struct {
	Value tree.Value
	File  string // where it comes from; "" if that is not known
	Also  string // another name of the file, such as its path below an input
	N     int    // its number among the documents of the file, from 1
}

// object is what identifies a Kubernetes object.
type object struct{ group, kind, namespace, name string }

// objectOf returns the object that a document describes. Its kind is "" if the document is not a
// Kubernetes object. A name that is to be generated ends in a star.
func objectOf(v tree.Value) (o object) {
	meta, _ := v.Lookup("metadata")
	if o.name = meta.TextAt("name"); o.name == "" {
		if o.name = meta.TextAt("generateName"); o.name != "" {
			o.name += "*"
		}
	}
	if o.kind = v.TextAt("kind"); o.kind == "" || o.name == "" {
		return object{}
	}
	o.namespace = meta.TextAt("namespace")
	if group, _, ok := strings.Cut(v.TextAt("apiVersion"), "/"); ok {
		o.group = group
	}
	return o
}

// text returns the name of an object: KIND/NAMESPACE/NAME, without a namespace KIND/NAME. The kind has its
// group if others have the same kind.
func (o object) text(withGroup bool) string {
	s := diag.Visible(o.kind)
	if withGroup && o.group != "" {
		s += "." + diag.Visible(o.group)
	}
	if o.namespace != "" {
		s += "/" + diag.Visible(o.namespace)
	}
	return s + "/" + diag.Visible(o.name)
}

// text returns the name of a document without kind and name: FILE#N.
func (d Selectable) text() string {
	return diag.Visible(d.File) + "#" + strconv.Itoa(d.N)
}

// Names returns the names of documents, as people see them and as Parse reads them.
func Names(docs []Selectable) []string {
	groups := map[string]string{} // the groups of kinds, or "*" if a kind has several
	objects := make([]object, len(docs))
	for i, d := range docs {
		o := objectOf(d.Value)
		objects[i] = o
		if group, ok := groups[o.kind]; ok && group != o.group {
			groups[o.kind] = "*"
		} else if !ok {
			groups[o.kind] = o.group
		}
	}
	names := make([]string, len(docs))
	for i, o := range objects {
		if names[i] = docs[i].text(); o.kind != "" {
			names[i] = o.text(groups[o.kind] == "*")
		}
	}
	return names
}

// ObjectName returns the name of the object that a document describes, without regard to other
// documents, or "" if it is not an object.
func ObjectName(v tree.Value) string {
	if o := objectOf(v); o.kind != "" {
		return o.text(false)
	}
	return ""
}
