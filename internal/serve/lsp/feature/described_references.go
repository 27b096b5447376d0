//go:build !playground

package feature

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
)

// referring are the fields that hold the name of an object, by their last keys, and the kind of that object.
var referring = lazy.Value[map[string]string]{New: func() map[string]string {
	kinds := map[string]string{}
	for kind, fields := range map[string]string{
		"ConfigMap":             "configMapRef.name configMapKeyRef.name configMap.name",
		"Secret":                "secretRef.name secretKeyRef.name imagePullSecrets.name secretName nodePublishSecretRef.name",
		"Service":               "backend.service.name serviceName clientConfig.service.name",
		"ServiceAccount":        "serviceAccountName serviceAccount",
		"PersistentVolumeClaim": "claimName",
		"StorageClass":          "storageClassName",
		"PriorityClass":         "priorityClassName",
		"IngressClass":          "ingressClassName",
		"RuntimeClass":          "runtimeClassName",
		"Namespace":             "metadata.namespace subjects.namespace",
	} {
		for field := range strings.FieldsSeq(fields) {
			kinds[field] = kind
		}
	}
	return kinds
}}

// named are the fields with few values that schemas describe in words only, or not at all.
var named = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"roleRef.kind":              "ClusterRole Role",
		"roleRef.apiGroup":          "rbac.authorization.k8s.io",
		"subjects.kind":             "ServiceAccount User Group",
		"subjects.apiGroup":         "rbac.authorization.k8s.io",
		"scaleTargetRef.kind":       "Deployment StatefulSet",
		"scaleTargetRef.apiVersion": "apps/v1",
	}
}}

// referred returns what a field of an object may refer to: objects of the output, or parts of its pod.
func (k *objects) referred(c *outline.Cursor) []outline.Item {
	keys := keysOf(c)
	if c.Key || len(keys) < 2 || c.Path[len(c.Path)-1].Item {
		return nil
	}
	in := c.Path[len(c.Path)-1].In
	last, above := keys[len(keys)-1], keys[len(keys)-2]
	if texts := named.Get()[above+"."+last]; texts != "" {
		return texted(c, strings.Fields(texts))
	}
	switch kind := scalarAt(c.Tree, in, "kind"); {
	case last == "name" && above == "volumeMounts":
		return texted(c, k.volumes(c))
	case last == "port" && (above == "httpGet" || above == "tcpSocket"):
		return texted(c, k.ports(c))
	case last == "key" && (above == "configMapKeyRef" || above == "secretKeyRef"):
		return texted(c, k.keysNamed(referring.Get()[above+".name"], scalarAt(c.Tree, in, "name")))
	case last == "name" && kind != "" && (strings.HasSuffix(above, "Ref") || above == "subjects"):
		return texted(c, k.objectsOf(kind))
	}
	for n := 1; n <= min(3, len(keys)); n++ {
		if kind := referring.Get()[strings.Join(keys[len(keys)-n:], ".")]; kind != "" {
			return texted(c, k.objectsOf(kind))
		}
	}
	return nil
}

// objectsOf returns the names of the objects of a kind in the output. Namespaces also exist if objects are in them.
func (k *objects) objectsOf(kind string) (names []string) {
	for _, o := range k.described.objects() {
		if o.Kind == kind {
			names = append(names, o.Name)
		}
		if in, ok := valueAt(o.Value, []string{"metadata", "namespace"}); ok && kind == "Namespace" &&
			in.TypeName() == "string" {
			names = append(names, in.Text())
		}
	}
	return byCount(names)
}

// keysNamed returns the keys of the data of the objects of a kind and a name.
func (k *objects) keysNamed(kind, name string) (keys []string) {
	for _, o := range k.described.objects() {
		if o.Kind != kind || o.Name != name {
			continue
		}
		for _, field := range []string{"data", "stringData", "binaryData"} {
			data, _ := valueAt(o.Value, []string{field})
			if data.Kind() == tree.MapKind {
				for _, it := range data.Entries() {
					keys = append(keys, tree.KeyText(it.Key))
				}
			}
		}
	}
	return byCount(keys)
}

// volumes returns the names of the volumes of the pod around the cursor.
func (k *objects) volumes(c *outline.Cursor) []string {
	return k.namesIn(c, containerAt(c), "volumes")
}

// ports returns the names of the ports of the container around the cursor.
func (k *objects) ports(c *outline.Cursor) []string {
	at := containerAt(c)
	if at < 0 {
		return nil
	}
	return k.namesIn(c, at+2, "ports") // in an item of the list
}

// containerAt returns which step of the path leads from a pod to the list of its containers, or -1.
func containerAt(c *outline.Cursor) int {
	return slices.IndexFunc(c.Path[:max(0, len(c.Path)-2)], func(s outline.Step) bool {
		return s.Key == "containers" || s.Key == "initContainers" || s.Key == "ephemeralContainers"
	})
}

// namesIn returns the names of the items of a list in the map from which a step of the path leads on: those in the
// text, and those in the documents that it changes.
func (k *objects) namesIn(c *outline.Cursor, step int, list string) (names []string) {
	if step < 0 || step >= len(c.Path) {
		return nil
	}
	for key, value := range pairs(c.Tree, c.Path[step].In) {
		if !c.Tree.IsString(key, list) || c.Tree.Kind(value) != yaml.Sequence {
			continue
		}
		for item := range c.Tree.Items(value) {
			names = append(names, scalarAt(c.Tree, item, "name"))
		}
	}
	docs, from := k.changed(c)
	if from > step {
		return names
	}
	for _, doc := range docs {
		for _, v := range valuesAt(doc.Value, append(pathOf(c.Path[from:step]), list, "", "name")) {
			if v.TypeName() == "string" {
				names = append(names, v.Text())
			}
		}
	}
	return byCount(names)
}

// texted returns texts as items, as scalars.
func texted(c *outline.Cursor, texts []string) (items []outline.Item) {
	for _, text := range texts {
		if !isShort(text) || len(items) == maxNamed {
			continue
		}
		it := word(text, "", protocol.CompleteValue)
		if !c.Quoted {
			it.Text = string(edit.AppendScalar(nil, tree.Of(starlark.String(text))))
		}
		items = append(items, it)
	}
	return items
}
