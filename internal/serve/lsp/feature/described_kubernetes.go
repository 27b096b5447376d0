//go:build !playground

package feature

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/lang/selector"
	"weft/internal/lang/yaml"
	"weft/internal/serve/krm"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// objectRules describes the Kubernetes objects and the configurations of functions in a document.
func (d *described) objectRules() outline.Rules {
	k := &objects{described: d}
	if v := d.doc.View(); v != nil {
		k.known = v.Kubernetes(d.doc.Snapshot())
	}
	d.common = kubernetes.CommonFields()
	d.names, d.of, d.isPlain = k.names, k.typeName, k.isPlain
	return k.rules
}

// objects are the Kubernetes objects of a document.
type objects struct {
	*described
	known *workspace.Kubernetes // nil without a project
}

// rules returns what is known about an object, or nil if a map is none.
func (k *objects) rules(t *yaml.Tree, n yaml.NodeID) jsonschema.Outline {
	if isFunctionValues(t, n) {
		return k.described.values()
	}
	var all jsonschema.Outline
	for _, typ := range k.typesOf(t, n) {
		found, _, _ := k.find(typ)
		all = append(all, found...)
	}
	return all
}

// find returns what is known about a type, its full name, and where the schema is from.
func (k *objects) find(t kubernetes.Type) (o jsonschema.Outline, of kubernetes.Type, from string) {
	if t.Kind == krm.Kind && (t.APIVersion == krm.APIVersion || t.APIVersion == "") {
		return functionConfig(), t, ""
	}
	if k.known == nil {
		return nil, t, ""
	}
	return k.known.Find(t)
}

// isPlain reports whether a cursor is in a Kubernetes object: whoever wrote its schema. Data values may
// contain one.
func (k *objects) isPlain(c *outline.Cursor) bool {
	if name, _ := k.typeName(c); name != "" {
		return !strings.HasPrefix(name, krm.Kind+" ")
	}
	return !k.isValues(c.Tree, c.Doc) && scalarAt(c.Tree, c.Tree.Root(c.Doc), "kind") != krm.Kind
}

// isFunctionConfig reports whether the first document of a file configures weft krm.
func isFunctionConfig(doc *workspace.TextDocument) bool {
	if !bytes.Contains(doc.File().Data(), []byte(krm.APIVersion)) {
		return false
	}
	t := compile.Analyse(doc.File(), compile.PlainYAML, compile.Options{YAML: doc.Syntax()}).Tree
	if t == nil || !t.More(t.First()) {
		return false
	}
	root := t.Root(t.First())
	return scalarAt(t, root, "kind") == krm.Kind && scalarAt(t, root, "apiVersion") == krm.APIVersion
}

// isFunctionValues reports whether a node is spec.values of a configuration of weft krm.
func isFunctionValues(t *yaml.Tree, n yaml.NodeID) bool {
	for doc := range t.Documents() {
		if scalarAt(t, t.Root(doc), "kind") != krm.Kind {
			continue
		}
		for key, spec := range pairs(t, t.Root(doc)) {
			if !t.IsString(key, "spec") {
				continue
			}
			for key, value := range pairs(t, spec) {
				if value == n && t.IsString(key, "values") {
					return true
				}
			}
		}
	}
	return false
}

// functionConfig describes the configuration of weft krm.
func functionConfig() jsonschema.Outline { return functionSchema.Get().Outline() }

var functionSchema = lazy.Value[*jsonschema.Schema]{New: func() *jsonschema.Schema {
	return builtinSchema("functionConfig", krm.Schema())
}}

// typesOf returns the types that an object may have: its own, or those that an overlay or an override is for.
func (k *objects) typesOf(t *yaml.Tree, n yaml.NodeID) []kubernetes.Type {
	own := kubernetes.Type{APIVersion: scalarAt(t, n, "apiVersion"), Kind: scalarAt(t, n, "kind")}
	if own.Kind != "" {
		return []kubernetes.Type{own}
	}
	doc, ok := documentOf(t, n)
	if !ok {
		return nil
	}
	if m := matcherOf(t, doc); m != "" {
		return k.matched(m)
	}
	if sel, ok := k.overridden(t, doc); ok && len(sel) > 0 {
		return k.selected(sel)
	}
	return nil
}

// matched returns the types that a matcher accepts, as far as its text says so: it is not evaluated. If it
// names no kind, they are those of the objects of the output that it may match.
func (k *objects) matched(args string) []kubernetes.Type {
	m, ok := k.readMatcher(args)
	if !ok {
		return nil
	}
	var types []kubernetes.Type
	for _, d := range m.dicts {
		if t := (kubernetes.Type{APIVersion: textAt(d, "apiVersion"), Kind: textAt(d, "kind")}); t.Kind != "" {
			types = append(types, t)
		}
	}
	if types != nil {
		return types
	}
	return typesOf(k.described.objects(), m)
}

// maxObjects limits the objects of the output that are looked at.
const maxObjects = 1000

// objects returns objects of the output.
func (d *described) objects() (list []kubernetes.Object) {
	for _, doc := range d.output() {
		if len(list) > maxObjects {
			break
		}
		list = append(list, kubernetes.Objects(doc.Value)...)
	}
	return list
}

// maxMatched limits the types that an overlay is described by which names no kind.
const maxMatched = 10

// typesOf returns the types of the objects that contain one of the dicts of a matcher or, without dicts, of all.
func typesOf(objects []kubernetes.Object, m *matcherText) (types []kubernetes.Type) {
	for _, o := range objects {
		if len(types) < maxMatched && !slices.Contains(types, o.Type) &&
			(len(m.dicts) == 0 || slices.ContainsFunc(m.dicts, m.isIn(o.Value))) {
			types = append(types, o.Type)
		}
	}
	return types
}

// selected returns the types of the objects of the output that a selection selects.
func (k *objects) selected(sel selections) (types []kubernetes.Type) {
	for _, o := range k.described.objects() {
		if sel.match(selector.Selectable{Value: o.Value}) && !slices.Contains(types, o.Type) {
			types = append(types, o.Type)
		}
	}
	return types
}

// typeName returns the type of the object around a cursor, and where its schema is from.
func (k *objects) typeName(c *outline.Cursor) (name, from string) {
	at := []yaml.NodeID{c.Tree.Root(c.Doc)}
	for _, s := range c.Path {
		at = append(at, s.In)
	}
	slices.Reverse(at)
	for _, n := range at {
		for _, t := range k.typesOf(c.Tree, n) {
			if o, full, from := k.find(t); o != nil {
				return strings.TrimSpace(full.Kind + " " + full.APIVersion), from
			}
		}
	}
	return "", ""
}

// names returns the kinds and apiVersions that can be written, and the first keys of an object.
func (k *objects) names(c *outline.Cursor, o jsonschema.Outline) (items []outline.Item) {
	root := c.Tree.Root(c.Doc)
	if scalarAt(c.Tree, root, "kind") == krm.Kind && scalarAt(c.Tree, root, "apiVersion") == krm.APIVersion {
		switch at := keysOf(c); {
		case isAt(at, "spec", "files"):
			return k.files(c, nil)
		case isAt(at, "spec", "valuesFiles"):
			return k.files(c, k.isPlainYAML)
		}
		return nil
	}
	switch {
	case c.Key && len(c.Path) == 0 && scalarAt(c.Tree, root, "apiVersion") == krm.APIVersion:
		for _, name := range c.Missing([]string{"kind", "metadata", "spec"}) {
			items = append(items, keyItem(c, name))
		}
		return items
	case c.Key || len(c.Path) != 1:
	case c.Path[0].Key == "kind" && scalarAt(c.Tree, root, "apiVersion") == krm.APIVersion:
		return []outline.Item{word(krm.Kind, krm.APIVersion, protocol.CompleteValue)}
	case c.Path[0].Key == "apiVersion" && scalarAt(c.Tree, root, "kind") == krm.Kind:
		return []outline.Item{word(krm.APIVersion, krm.Kind, protocol.CompleteValue)}
	}
	if k.isMissed(c) {
		k.doc.ReportMissingSchemas()
	}
	if k.isValues(c.Tree, c.Doc) || k.isSchema(c.Tree, c.Doc) {
		return nil
	}
	if !c.Key && len(c.Path) == 1 && c.Path[0].Key == "apiVersion" && scalarAt(c.Tree, root, "kind") == "" {
		items = append(k.apiVersions(""), word(krm.APIVersion, krm.Kind, protocol.CompleteValue))
		items[len(items)-1].Rank = outline.Other
		return items
	}
	if k.known == nil {
		return nil
	}
	switch {
	case c.Key && len(c.Path) == 0 && o == nil && k.canBeObject(c):
		for _, name := range c.Missing([]string{"apiVersion", "kind", "metadata", "spec"}) {
			items = append(items, keyItem(c, name))
		}
	case !c.Key && len(c.Path) == 1 && c.Path[0].Key == "kind":
		return k.kinds(scalarAt(c.Tree, root, "apiVersion"))
	case !c.Key && len(c.Path) == 1 && c.Path[0].Key == "apiVersion":
		return k.apiVersions(scalarAt(c.Tree, root, "kind"))
	case c.Key && len(c.Path) > 1 && isResources(c.Path[len(c.Path)-2:]):
		for _, name := range c.Missing(kubernetes.Resources()) {
			items = append(items, keyItem(c, name))
		}
	case len(o.Values()) == 0:
		if items = k.referred(c); items == nil && isScalar(c) && o.Type() == "string" {
			return namedChoices(o)
		}
	}
	return items
}

// isResources reports whether a map has the resources that something needs or may use.
func isResources(at []outline.Step) bool {
	return at[0].Key == "resources" && (at[1].Key == "limits" || at[1].Key == "requests")
}

// isMissed reports whether a document has a Kubernetes object, and the project names no schemas.
func (k *objects) isMissed(c *outline.Cursor) bool {
	root := c.Tree.Root(c.Doc)
	kind, version := scalarAt(c.Tree, root, "kind"), scalarAt(c.Tree, root, "apiVersion")
	return k.known != nil && !k.known.Named && kind != "" && version != "" && kind != krm.Kind &&
		len(c.Path) > 0
}

// canBeObject reports whether a document without a known type may become a Kubernetes object: it is empty, or
// has a key that only objects have.
func (k *objects) canBeObject(c *outline.Cursor) bool {
	others := c.Siblings()
	return len(k.known.Types()) > 0 && (len(others) == 0 || slices.Contains(others, "kind") ||
		slices.Contains(others, "apiVersion") || slices.Contains(others, "metadata"))
}

// kinds returns the kinds that there are schemas for, those of an apiVersion first.
func (k *objects) kinds(apiVersion string) []outline.Item {
	return k.listed(func(t kubernetes.Type) (string, string, bool) {
		return t.Kind, t.APIVersion, t.APIVersion == apiVersion
	})
}

// apiVersions returns the apiVersions that there are schemas for, those of a kind first.
func (k *objects) apiVersions(kind string) []outline.Item {
	return k.listed(func(t kubernetes.Type) (string, string, bool) {
		return t.APIVersion, t.Kind, t.Kind == kind
	})
}

// listed returns an item for each different name of a type.
func (k *objects) listed(of func(kubernetes.Type) (name, detail string, fits bool)) (items []outline.Item) {
	var types []kubernetes.Type
	if k.known != nil {
		types = k.known.Types()
	}
	for _, o := range k.described.objects() {
		types = append(types, o.Type) // perhaps one without a schema
	}
	for _, first := range []bool{true, false} {
		for _, t := range types {
			name, detail, fits := of(t)
			same := func(it outline.Item) bool { return it.Label == name }
			if fits != first || name == "" || slices.ContainsFunc(items, same) {
				continue
			}
			rank := outline.Common
			if !fits {
				rank = outline.Other
			}
			items = append(items, outline.Item{Text: name, Rank: rank, CompletionItem: protocol.CompletionItem{
				Label: name, Kind: protocol.CompleteValue, Detail: detail,
			}})
		}
	}
	return items
}
