//go:build !playground

package feature

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/check/jsonschema"
	"weft/internal/check/kubernetes"
	"weft/internal/engine/override"
	"weft/internal/lang/lazy"
	"weft/internal/lang/script"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
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
	var all jsonschema.Outline
	for _, typ := range k.typesOf(t, n) {
		found, _ := k.find(typ)
		all = append(all, found...)
	}
	return all
}

func (k *objects) find(t kubernetes.Type) (jsonschema.Outline, kubernetes.Type) {
	if t.Kind == krm.Kind && (t.APIVersion == krm.APIVersion || t.APIVersion == "") {
		return functionConfig(), t
	}
	if k.known == nil {
		return nil, t
	}
	return k.known.Find(t)
}

// isPlain reports whether a cursor is in a Kubernetes object: whoever wrote its schema.
func (k *objects) isPlain(c *outline.Cursor) bool {
	return !k.isValues(c.Tree, c.Doc) && scalarAt(c.Tree, c.Tree.Root(c.Doc), "kind") != krm.Kind
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
	if x, ok := k.doc.Overrides(); ok && x.Select != "" {
		return k.selected(x.Select)
	}
	return nil
}

// scalarAt returns the text of a key of a map, or "".
func scalarAt(t *yaml.Tree, n yaml.NodeID, name string) string {
	for key, value := range pairs(t, n) {
		if t.IsString(key, name) && t.Kind(value) == yaml.Scalar {
			return string(t.Text(value))
		}
	}
	return ""
}

// matcherOf returns the arguments of the matcher of an overlay, or "".
func matcherOf(t *yaml.Tree, doc yaml.NodeID) string {
	args, _ := annotationOf(t, doc, "overlay/match")
	return args
}

// matched returns the types that a matcher accepts, as far as its text says so: it is not evaluated. If it
// names no kind, they are those of the objects of the output that it may match.
func (k *objects) matched(args string) []kubernetes.Type {
	call, err := script.Options().ParseExpr("", "match("+args+")", 0)
	if err != nil {
		return nil
	}
	m := matcherReader{assigned: k.assigned()}
	m.read(call)
	if m.types != nil || k.known == nil {
		return m.types
	}
	return typesOf(k.known.Objects(), m.dicts)
}

// maxMatched limits the types that an overlay is described by which names no kind.
const maxMatched = 10

// typesOf returns the types of the objects that contain one of some dicts or, without dicts, of all.
func typesOf(objects []kubernetes.Object, dicts []*syntax.DictExpr) (types []kubernetes.Type) {
	for _, o := range objects {
		in := func(d *syntax.DictExpr) bool { return holds(o.Value, d) }
		if len(types) < maxMatched && !slices.Contains(types, o.Type) &&
			(len(dicts) == 0 || slices.ContainsFunc(dicts, in)) {
			types = append(types, o.Type)
		}
	}
	return types
}

// holds reports whether a value contains the texts of a dict of the code. Other values of the dict may be
// anything: they are not evaluated.
func holds(v tree.Value, d *syntax.DictExpr) bool {
	for _, x := range d.List {
		entry, ok := x.(*syntax.DictEntry)
		if !ok {
			continue
		}
		key, _ := script.StringOf(entry.Key)
		at, ok := valueAt(v, []string{key})
		if !ok {
			return false
		}
		if inner, ok := entry.Value.(*syntax.DictExpr); ok && !holds(at, inner) {
			return false
		}
		if text, ok := script.StringOf(entry.Value); ok && !at.IsString(text) {
			return false
		}
	}
	return true
}

// assigned returns the expressions that are assigned to names in the document.
func (k *objects) assigned() map[string]syntax.Expr {
	all := map[string]syntax.Expr{}
	a, _ := k.doc.LastGood()
	if a == nil {
		a = k.doc.Analysis()
	}
	if a.Code == nil {
		return all
	}
	syntax.Walk(a.Code, func(n syntax.Node) bool {
		if set, ok := n.(*syntax.AssignStmt); ok && set.Op == syntax.EQ {
			if id, ok := set.LHS.(*syntax.Ident); ok {
				all[id.Name] = set.RHS
			}
		}
		return true
	})
	return all
}

// matcherReader finds the types in the code of a matcher.
type matcherReader struct {
	assigned map[string]syntax.Expr // those that were not followed yet
	types    []kubernetes.Type
	dicts    []*syntax.DictExpr // those without a kind
}

// read finds calls of overlay.subset with a dict that has a kind. It follows each name once.
func (m *matcherReader) read(e syntax.Expr) {
	for left := []syntax.Expr{e}; len(left) > 0; left = left[1:] {
		syntax.Walk(left[0], func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DictExpr:
				t := kubernetes.Type{APIVersion: m.textAt(n, "apiVersion"), Kind: m.textAt(n, "kind")}
				if t.Kind != "" {
					m.types = append(m.types, t)
				} else {
					m.dicts = append(m.dicts, n)
				}
				return false
			case *syntax.Ident:
				if to := m.assigned[n.Name]; to != nil {
					delete(m.assigned, n.Name)
					left = append(left, to)
				}
			}
			return true
		})
	}
}

// textAt returns the string that a dict has for a key, or "".
func (m *matcherReader) textAt(d *syntax.DictExpr, key string) string {
	for _, x := range d.List {
		entry, ok := x.(*syntax.DictEntry)
		if !ok {
			continue
		}
		k, _ := entry.Key.(*syntax.Literal)
		v, _ := entry.Value.(*syntax.Literal)
		if k != nil && v != nil && k.Value == key {
			text, _ := v.Value.(string)
			return text
		}
	}
	return ""
}

// selected returns the types of the objects of the output that a selection of weft.yml selects.
func (k *objects) selected(text string) (types []kubernetes.Type) {
	sel, err := override.ReadSelector("select", text)
	if err != nil || k.known == nil {
		return nil
	}
	for _, o := range k.known.Objects() {
		if sel.Matches(selector.Selectable{Value: o.Value}) && !slices.Contains(types, o.Type) {
			types = append(types, o.Type)
		}
	}
	return types
}

// typeName returns the type of the object around a cursor.
func (k *objects) typeName(c *outline.Cursor) string {
	at := []yaml.NodeID{c.Tree.Root(c.Doc)}
	for _, s := range c.Path {
		at = append(at, s.In)
	}
	slices.Reverse(at)
	for _, n := range at {
		for _, t := range k.typesOf(c.Tree, n) {
			if o, full := k.find(t); o != nil {
				return strings.TrimSpace(full.Kind + " " + full.APIVersion)
			}
		}
	}
	return ""
}

// names returns the kinds and apiVersions that can be written, and the first keys of an object.
func (k *objects) names(c *outline.Cursor, o jsonschema.Outline) (items []outline.Item) {
	root := c.Tree.Root(c.Doc)
	if k.isMissed(c) {
		k.doc.ReportMissingSchemas()
	}
	if k.known == nil || k.isValues(c.Tree, c.Doc) || k.isSchema(c.Tree, c.Doc) {
		return nil
	}
	switch {
	case c.Key && len(c.Path) == 0 && o == nil && k.canBeObject(c):
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if !slices.Contains(c.Siblings(), name) {
				items = append(items, keyItem(c, name))
			}
		}
	case !c.Key && len(c.Path) == 1 && c.Path[0].Key == "kind":
		return k.kinds(scalarAt(c.Tree, root, "apiVersion"))
	case !c.Key && len(c.Path) == 1 && c.Path[0].Key == "apiVersion":
		return k.apiVersions(scalarAt(c.Tree, root, "kind"))
	}
	return items
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

func keyItem(c *outline.Cursor, name string) outline.Item {
	it := outline.Item{Text: name, Rank: outline.Common, CompletionItem: protocol.CompletionItem{
		Label: name, Kind: protocol.CompleteProperty,
	}}
	switch {
	case c.HasColon:
	case name == "metadata":
		it.Text += ":"
	default:
		it.Text += ": "
	}
	return it
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
	for _, first := range []bool{true, false} {
		for _, t := range k.known.Types() {
			name, detail, fits := of(t)
			same := func(it outline.Item) bool { return it.Label == name }
			if fits != first || slices.ContainsFunc(items, same) {
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
