package kubernetes

import (
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Type is what an object is: apps/v1 Deployment.
type Type struct{ APIVersion, Kind string }

func (t Type) String() string { return t.Kind + " of " + t.APIVersion }

// groupVersion returns the group and the version of an apiVersion. Those that Kubernetes began with
// have no group.
func groupVersion(apiVersion string) (group, version string) {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return "", group
	}
	return group, version
}

// Object is an object in a document: the document itself, or an item of a list.
type Object struct {
	Type
	Name  string
	Value tree.Value
	At    path.Path // from the document
}

// String returns an object for people: Deployment web.
func (o *Object) String() string {
	switch {
	case o.Kind == "":
		return "document"
	case o.Name == "":
		return o.Kind
	}
	return o.Kind + " " + o.Name
}

// Objects returns the objects of a document: itself, or the items of a list. The items of a list of
// one kind, such as a SecretList, need not say what they are.
func Objects(doc tree.Value) []Object {
	if doc.Empty() {
		return nil
	}
	return objects(nil, doc, nil, Type{})
}

// objects adds the objects of a value, which are of a type if they do not say so themselves.
func objects(list []Object, v tree.Value, at path.Path, of Type) []Object {
	o := Object{Type: Type{v.TextAt("apiVersion"), v.TextAt("kind")}, Value: v, At: at}
	if o.Type == (Type{}) {
		o.Type = of
	}
	items, ok := v.Lookup("items")
	if o.isList() && ok && items.Kind() == tree.ArrayKind && len(at) < maxNested {
		i := 0
		for x := range items.Elements() {
			to := append(at.Clone(), path.ToKey(tree.String("items")), path.ToItem(i, i))
			list = objects(list, x, to, o.itemType())
			i++
		}
		return list
	}
	if meta, ok := v.Lookup("metadata"); ok {
		if o.Name = meta.TextAt("name"); o.Name == "" {
			o.Name = meta.TextAt("generateName")
		}
	}
	return append(list, o)
}

// maxNested is how long the way to an item of lists in lists may be.
const maxNested = 20

// isList reports whether objects of a type have others as their items.
func (t Type) isList() bool { return t.APIVersion != "" && strings.HasSuffix(t.Kind, "List") }

// itemType returns what the items of a list are that do not say so, as kubectl reads them: Secret
// in a SecretList, and nothing in a List.
func (t Type) itemType() Type {
	kind := strings.TrimSuffix(t.Kind, "List")
	if kind == "" {
		return Type{}
	}
	return Type{t.APIVersion, kind}
}

// NeedsName reports whether objects of a type have a name: not what is asked of a server, and not
// what programs read from files.
func (t Type) NeedsName() bool {
	group, _ := groupVersion(t.APIVersion)
	switch group {
	case "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	if t.IsToolConfig() {
		return false
	}
	return !strings.HasSuffix(t.Kind, "List")
}

// IsToolConfig reports whether programs read objects of a type from files: no server has them, so
// they need no name and have no schema.
func (t Type) IsToolConfig() bool {
	group, _ := groupVersion(t.APIVersion)
	switch group {
	case "kapp.k14s.io", "kbld.k14s.io", "vendir.k14s.io", "imgpkg.carvel.dev", "kctrl.carvel.dev",
		"kuttl.dev", "kustomize.config.k8s.io", "kind.x-k8s.io", "kubeadm.k8s.io",
		"kubelet.config.k8s.io", "audit.k8s.io", "skaffold":
		return true
	}
	return false
}
