// Package kubernetes checks rendered documents against the schemas of Kubernetes: those of a
// version, as JSON Schemas in directories, and those of custom resources, as
// CustomResourceDefinitions.
//
// It finds the schema of an object, and package jsonschema checks the object. It reads schemas from files
// and never from a network, and reads only the parts of a schema that a value needs.
//
//	crd.go                 schemas of custom resources
//	kinds.go               which types there are
//	locate.go, schemas.go  finds schemas
//	object.go              the objects in a document
package kubernetes

import (
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// Type is the type of an object: apps/v1 Deployment.
type Type struct{ APIVersion, Kind string }

func (t Type) String() string { return t.Kind + " of " + t.APIVersion }

// groupVersion splits an apiVersion into group and version. The core group is empty.
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
	At    path.Path // the path from the document
}

// String returns the name of an object for people: Deployment/web.
func (o *Object) String() string {
	if o.Kind == "" {
		return "document"
	}
	if name := selector.ObjectOf(o.Value).String(); name != "" {
		return name
	}
	return o.Kind
}

// Objects returns the objects of a document: itself, or the items of a list. The items of a list of
// one kind, such as a SecretList, may omit their kind.
func Objects(doc tree.Value) []Object {
	if doc.Empty() {
		return nil
	}
	return objects(nil, doc, nil, Type{})
}

// objects adds the objects of a value; of is their type if they omit it.
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

// maxNested is the maximum length of the path to an item of nested lists.
const maxNested = 20

// isList reports whether objects of a type are lists of others.
func (t Type) isList() bool { return t.APIVersion != "" && strings.HasSuffix(t.Kind, "List") }

// itemType returns the type of items that omit theirs, as in kubectl: Secret in a SecretList, and
// none in a List.
func (t Type) itemType() Type {
	kind := strings.TrimSuffix(t.Kind, "List")
	if kind == "" {
		return Type{}
	}
	return Type{t.APIVersion, kind}
}

// NeedsName reports whether objects of a type have a name: requests to a server and configurations
// of tools do not.
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

// IsToolConfig reports whether objects of a type are configuration files of tools: no server has
// them, so they need no name and have no schema.
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
