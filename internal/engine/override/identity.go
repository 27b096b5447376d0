package override

import (
	"maps"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// identity is the kind and the name that an override sets, as a patch of one Kubernetes object does.
type identity struct{ kind, name string }

// identityOf returns the identity of a document or an override. ok is false if it has none.
func identityOf(v tree.Value) (id identity, ok bool) {
	kind, ok := textOf(v, "kind")
	if !ok {
		return id, false
	}
	meta, ok := v.Lookup("metadata")
	if !ok {
		return id, false
	}
	name, ok := textOf(meta, "name")
	return identity{kind, name}, ok
}

// textOf returns the scalar at a key of a mapping.
func textOf(v tree.Value, key string) (string, bool) {
	if v.Kind() != tree.MapKind {
		return "", false
	}
	found, ok := v.Lookup(key)
	if !ok || found.Kind() != tree.ScalarKind || found.IsNull() {
		return "", false
	}
	return found.Text(), true
}

// stray records an override that would give a document the kind and name of another one. If there
// is only one document, that is what the override is for.
func (m *merger) stray(d tree.Value, o *patch) {
	if o.identity == nil || !m.opt.Select.IsZero() || m.opt.Dialect != nil || m.strays[o.pos] != nil {
		return
	}
	if id, ok := identityOf(d); ok && id == *o.identity {
		return
	}
	id := *o.identity
	x := diag.Errorf(o.at(), CodeIdentity, "this override has the kind and name of one document, %s/%s, but it "+
		"changes all of them", id.kind, id.name).
		WithRelated(m.where.To(m.where.Offset()+1), "this one is another").
		WithHint("%s", m.selectHint(id))
	if m.strays == nil {
		m.strays = map[source.Pos]*diag.Diagnostic{}
	}
	m.strays[o.pos] = x
}

// selectHint says how to change only the document with an identity.
func (m *merger) selectHint(id identity) string {
	what := diag.InShell("kind=" + id.kind + ",metadata.name=" + id.name)
	if m.opt.Written {
		return "change only that one: --select " + what
	}
	return "remove kind and metadata.name to change all documents; to change one, write an overlay, or " +
		"run `weft override - --select " + what + "` on the output"
}

// strayed returns the errors about overrides with the identity of another document.
func (m *merger) strayed() diag.List {
	list := diag.List(slices.Collect(maps.Values(m.strays)))
	list.Sort()
	return list
}
