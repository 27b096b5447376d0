package diff

import (
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// Name identifies a document. Kubernetes objects have a kind and a name; other documents are identified by
// their file.
type Name struct {
	Group, Kind, Namespace string
	Name                   string
	Generated              bool // Name is the prefix of a generated name
	File                   string
	// its number among documents with the same name, from 1; 0 if there is only one
	Number int
}

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

// isObject reports whether the document is a Kubernetes object.
func (n Name) isObject() bool { return n.Kind != "" }

// identity returns the name without the fields that do not distinguish objects.
func (n Name) identity() Name {
	n.File, n.Number = "", 0
	return n
}

// same reports whether two names belong to the same document, so that it is not renamed. An object may
// move to another file, and its API to another group.
func (n Name) same(other Name) bool {
	if n.isObject() {
		n.Group, other.Group = "", ""
		return n.identity() == other.identity()
	}
	return n.File == other.File && !other.isObject()
}

// masked returns the name with its secrets hidden. Kinds and files are never secret.
func (n Name) masked(rules *secret.Rules) Name {
	n.Namespace, n.Name = rules.MaskText(n.Namespace), rules.MaskText(n.Name)
	n.Kind, n.File = rules.MaskText(n.Kind), rules.MaskText(n.File)
	return n
}

// Prefix returns the part of the name that objects reported together share, or "" if the document is
// identified by its file.
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

// String returns the name as shown to people: Deployment/web, with the namespace in between if there is
// one.
func (n Name) String() string { return n.Prefix() + n.Short() }

// numberNames numbers the documents of a side that have the same name.
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
