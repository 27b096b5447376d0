// Package selector names documents and selects them: by kind and name, by conditions on their values,
// or by file and number. Parse reads every name that Names returns.
package selector

import (
	"cmp"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Selectable is a document that has a name and may be selected.
type Selectable struct {
	Value tree.Value
	File  string // where it comes from; "" if that is not known
	Also  string // another name of the file, such as its path below an input
	N     int    // its number among the documents of the file, from 1
	Whole bool   // it is a text file, not a document in one
}

// Of returns documents with the files that they come from, and their numbers.
func Of(docs []tree.Doc, files *source.Set) []Selectable {
	list := make([]Selectable, len(docs))
	for i := range docs {
		list[i].Value = docs[i].Value
		list[i].from(files, docs[i].Pos)
	}
	Number(list)
	return list
}

// from sets the file of a document that comes from a position.
func (d *Selectable) from(files *source.Set, at source.Pos) {
	if f := files.File(at); f != nil {
		d.File, d.Also = f.Shown(), f.Name()
	}
}

// Number numbers documents that come one after another by their files.
func Number(docs []Selectable) {
	count := map[string]int{}
	for i := range docs {
		count[docs[i].File]++
		docs[i].N = count[docs[i].File]
	}
}

// Object is what identifies a Kubernetes object.
type Object struct{ Group, Kind, Namespace, Name string }

// ObjectOf returns the object that a document is. The kind is "" if it is none. A name that is to be
// generated ends in a star.
func ObjectOf(v tree.Value) Object {
	meta, _ := v.Lookup("metadata")
	return ObjectFrom(v.TextAt, meta.TextAt)
}

// ObjectFrom is like ObjectOf, for a document that is read by functions: they return the scalars at keys
// of the document and of its metadata.
func ObjectFrom(document, metadata func(key string) string) (o Object) {
	if o.Name = metadata("name"); o.Name == "" {
		if o.Name = metadata("generateName"); o.Name != "" {
			o.Name += "*"
		}
	}
	if o.Kind = document("kind"); o.Kind == "" || o.Name == "" {
		return Object{}
	}
	o.Namespace = metadata("namespace")
	if group, _, ok := strings.Cut(document("apiVersion"), "/"); ok {
		o.Group = group
	}
	return o
}

// IsZero reports whether a document is no object.
func (o Object) IsZero() bool { return o.Kind == "" }

// String returns the name of an object by itself, or "" if it is none.
func (o Object) String() string {
	if o.IsZero() {
		return ""
	}
	return Name{Object: o}.String()
}

// Name is the name of a document among others: KIND/NAMESPACE/NAME, without a namespace KIND/NAME, and for
// documents without kind and name FILE#N. If there are others that KIND/NAME would also select, it is
// KIND.GROUP/NAME, or KIND//NAME for the one without a namespace.
type Name struct {
	Object
	File      string
	N         int  // the number of the document in the file; 0 for a file as a whole
	WithGroup bool // objects of another group have the same kind
	Unspaced  bool // it has no namespace, but objects of the same name have one
	Same      int  // its number among documents that would have the same name, from 1; 0 if there is only one
}

// NamesOf returns the names of documents, in parts.
func NamesOf(docs []Selectable) []Name {
	groups := map[string]string{} // of kinds, or "*" if there are several
	names := make([]Name, len(docs))
	for i, d := range docs {
		if names[i] = (Name{File: d.File, N: d.N}); d.Whole {
			names[i].N = 0
			continue
		}
		o := ObjectOf(d.Value)
		names[i].Object = o
		if group, ok := groups[o.Kind]; ok && group != o.Group {
			groups[o.Kind] = "*"
		} else if !ok {
			groups[o.Kind] = o.Group
		}
	}
	spaced := map[[2]string]bool{} // kinds and names of objects with a namespace
	for i := range names {
		n := &names[i]
		n.WithGroup = groups[n.Kind] == "*"
		if n.Namespace != "" {
			spaced[[2]string{n.Kind, n.Name}] = true
		}
	}
	for i := range names {
		n := &names[i]
		n.Unspaced = n.Namespace == "" && spaced[[2]string{n.Kind, n.Name}]
	}
	numberEqual(names)
	return names
}

// numberEqual numbers objects that would have the same name.
func numberEqual(names []Name) {
	count := map[string]int{}
	for i := range names {
		if names[i].Kind != "" {
			count[names[i].String()]++
		}
	}
	if len(count) == len(names) {
		return
	}
	seen := map[string]int{}
	for i := range names {
		n := &names[i]
		if n.Kind == "" {
			continue
		}
		if s := n.String(); count[s] > 1 {
			seen[s]++
			n.Same = seen[s]
		}
	}
}

// Names returns the names of documents, as people see them and as Parse reads them.
func Names(docs []Selectable) []string {
	list := make([]string, len(docs))
	for i, n := range NamesOf(docs) {
		list[i] = n.String()
	}
	return list
}

// Prefix returns the part of the name that objects of one kind and namespace share, or "" if the document
// is identified by its file.
func (n Name) Prefix() string {
	if n.Kind == "" {
		return ""
	}
	s := diag.Visible(n.Kind)
	if n.WithGroup {
		s += "." + cmp.Or(diag.Visible(n.Group), coreGroup)
	}
	if n.Namespace != "" || n.Unspaced {
		s += "/" + diag.Visible(n.Namespace)
	}
	return s + "/"
}

// Short returns the name without its prefix.
func (n Name) Short() string {
	s, number := diag.Visible(n.Name), n.Same
	if n.Kind == "" {
		if s, number = diag.Visible(n.File), n.N; s == "" {
			s = unnamed
		}
	}
	if number > 0 {
		s += "#" + strconv.Itoa(number)
	}
	return s
}

// unnamed is what documents of an unknown file are called, with their number. It is easier to type in a
// shell than the number alone, which would begin a comment.
const unnamed = "document"

// String returns the name as people see it.
func (n Name) String() string { return n.Prefix() + n.Short() }
