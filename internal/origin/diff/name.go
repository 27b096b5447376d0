package diff

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// Name is what a document is called. Objects of Kubernetes have a kind and a name; other documents
// are known by their file.
type Name struct {
	Group, Kind, Namespace string
	Name                   string
	Generated              bool // Name is what names begin with that are made up later
	File                   string
	Number                 int // of documents with the same name, from 1; 0 if there is only one
}

// nameOf returns the name of a document.
func nameOf(d *SideDocument) Name {
	n := Name{File: d.File}
	if d.Text {
		return n
	}
	kind, meta := d.Value.TextAt("kind"), tree.Value{}
	if m, ok := d.Value.Lookup("metadata"); ok {
		meta = m
	}
	name := meta.TextAt("name")
	generated := name == ""
	if generated {
		name = meta.TextAt("generateName")
	}
	if kind == "" || name == "" {
		return n
	}
	group, _, ok := strings.Cut(d.Value.TextAt("apiVersion"), "/")
	if !ok {
		group = ""
	}
	n.Group, n.Kind, n.Namespace = group, kind, meta.TextAt("namespace")
	n.Name, n.Generated = name, generated
	return n
}

// isObject reports whether the document says itself what it is called.
func (n Name) isObject() bool { return n.Kind != "" }

// identity returns the name without what does not tell objects apart.
func (n Name) identity() Name {
	n.File, n.Number = "", 0
	return n
}

// same reports whether a document with the one name is not renamed if it has the other. An object
// may be in another file, and its API in another group.
func (n Name) same(other Name) bool {
	if n.isObject() {
		n.Group, other.Group = "", ""
		return n.identity() == other.identity()
	}
	return n.File == other.File && !other.isObject()
}

// masked returns the name with the secrets in it hidden. Kinds and files are known to all.
func (n Name) masked(rules *secret.Rules) Name {
	n.Namespace, n.Name = rules.MaskText(n.Namespace), rules.MaskText(n.Name)
	n.Kind, n.File = rules.MaskText(n.Kind), rules.MaskText(n.File)
	return n
}

// Prefix returns what the names of objects begin with that may be reported together; "" if the
// document is known by its file.
func (n Name) Prefix() string {
	if !n.isObject() {
		return ""
	}
	p := diag.Visible(n.Kind) + "/"
	if n.Namespace != "" {
		p += diag.Visible(n.Namespace) + "/"
	}
	return p
}

// Short returns the name without its prefix.
func (n Name) Short() string {
	s := diag.Visible(n.Name)
	switch {
	case !n.isObject() && n.File == "":
		s = "document"
	case !n.isObject():
		s = diag.Visible(n.File)
	case n.Generated:
		s += "*"
	}
	if n.Number > 0 {
		s += "#" + strconv.Itoa(n.Number)
	}
	return s
}

// String returns the name for people: Deployment/web, with the namespace between the two if there
// is one.
func (n Name) String() string { return n.Prefix() + n.Short() }

// numberNames numbers the documents of a side that would have the same name.
func numberNames(names []Name) {
	count := map[string]int{}
	for _, n := range names {
		count[n.String()]++
	}
	seen := map[string]int{}
	for i, n := range names {
		s := n.String()
		if count[s] > 1 {
			seen[s]++
			names[i].Number = seen[s]
		}
	}
}
