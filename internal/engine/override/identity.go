package override

import (
	"maps"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// identity is the kind and the name that an override has, as a patch of one Kubernetes object does. The
// other two are "" if it leaves them out.
type identity struct{ kind, name, version, namespace string }

// identityOf returns the identity of a document or an override. ok is false if it has none.
func identityOf(v tree.Value) (id identity, ok bool) {
	if v.Kind() != tree.MapKind {
		return id, false
	}
	meta, _ := v.Lookup("metadata")
	id = identity{
		kind: v.TextAt("kind"), name: meta.TextAt("name"),
		version: v.TextAt("apiVersion"), namespace: meta.TextAt("namespace"),
	}
	return id, id.kind != "" && id.name != ""
}

// is reports whether a document is the one that an override is for.
func (id *identity) is(v tree.Value) bool {
	d, ok := identityOf(v)
	return ok && id.kind == d.kind && id.name == d.name &&
		(id.version == "" || id.version == d.version) && (id.namespace == "" || id.namespace == d.namespace)
}

// String returns the name of the document: KIND/NAMESPACE/NAME, with apiVersion if that is given.
func (id *identity) String() string {
	text := id.kind + "/"
	if id.namespace != "" {
		text += id.namespace + "/"
	}
	if text += id.name; id.version != "" {
		text += " of apiVersion " + id.version
	}
	return diag.Visible(text)
}

// near says which document may have been meant.
func (id *identity) near(docs []selector.Selectable) string {
	for _, d := range docs {
		if other, ok := identityOf(d.Value); ok && other.kind == id.kind && other.name == id.name {
			return "there is '" + other.String() + "'"
		}
	}
	names := slices.DeleteFunc(selector.Names(docs), func(s string) bool { return strings.Contains(s, "#") })
	want := id.kind + "/" + id.name
	if near := diag.Nearest(want, names); near != "" {
		return "did you mean " + near + "?"
	}
	for _, name := range names { // another name of the kind, or another kind of the name
		if strings.HasPrefix(name, id.kind+"/") || strings.HasSuffix(name, "/"+id.name) {
			return "did you mean " + name + "? To give a document another kind or name, select it with " +
				keySelect
		}
	}
	return "to give a document another kind or name, select it with " + keySelect
}

// stray records an override that would give a document the kind and name of another one. One document
// without a kind and a name may get them.
func (m *merger) stray(d tree.Value, o *patch) {
	if m.opt.Dialect != nil || o.identity.is(d) {
		return
	}
	_, named := identityOf(d)
	m.renames = m.renames || named
	if m.strays[o.pos] != nil {
		return
	}
	x := diag.Errorf(o.at(), CodeIdentity, "this override has the kind and name of one document, %s, but it "+
		"changes all of them", o.identity).
		WithRelated(m.where.To(m.where.Offset()+1), "this one is another").
		WithHint("%s", m.selectHint(*o.identity))
	if m.strays == nil {
		m.strays = map[source.Pos]*diag.Diagnostic{}
	}
	m.strays[o.pos] = x
}

// selectHint says how to change only the document with an identity.
func (m *merger) selectHint(id identity) string {
	name := diag.InShell(id.kind + "/" + id.name)
	if m.opt.Written {
		return "change only that one with --select " + name + ", or with --edition 2026, where kind and " +
			"name select; to give documents this kind and name, --select those"
	}
	return "change only that one: write `" + keySelect + ": " + name + "` as its first line; in edition 2026 " +
		"kind and name select"
}

// strayed returns the errors about overrides with the identity of another document.
func (m *merger) strayed() diag.List {
	list := diag.List(slices.Collect(maps.Values(m.strays)))
	list.Sort()
	return list
}
