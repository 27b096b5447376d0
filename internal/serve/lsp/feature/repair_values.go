package feature

import (
	"bytes"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// removeValue removes a data value that nothing reads, from the schema and from all data values.
func removeValue(doc *workspace.TextDocument, x report.Finding) []repair {
	f := fileAt(x)
	a := doc.Analysis()
	v := doc.View()
	if f == nil || v == nil || v.Latest() == nil || v.Latest().Session == nil || !doc.Is(f) ||
		a.Tree == nil || !f.SameText(a.File) {
		return nil
	}
	keys := keysTo(a.Tree, a.Tree.NodeAt(x.Of.At.Offset()))
	if len(keys) == 0 || inProjectFile(doc, keys[len(keys)-1]) {
		return nil
	}
	edits := workspace.Edits{}
	for _, path := range valueFiles(v) {
		other := doc.Snapshot().Document(path)
		if other == nil || other.Analysis().Tree == nil || len(other.Analysis().Errors) > 0 {
			return nil
		}
		if !removeFrom(doc, other.Analysis(), keys, edits) {
			return nil
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return []repair{{title: "remove " + strings.Join(keys, "."), edits: edits}}
}

// valueFiles returns the files that declare or set data values.
func valueFiles(v *workspace.View) (paths []string) {
	for _, in := range v.Latest().Session.Inputs() {
		if in.File == nil || in.Type != load.YAML || in.Origin() == "" {
			continue
		}
		if bytes.Contains(in.File.Data(), []byte(compile.ValuesAnnotation)) {
			paths = append(paths, in.Origin())
		}
	}
	return append(paths, v.ValueFiles()...)
}

// inProjectFile reports whether the project file may set a data value, which is not removed there.
func inProjectFile(doc *workspace.TextDocument, key string) bool {
	p := doc.Project()
	if p == nil || p.File() == "" {
		return false
	}
	text, err := doc.Snapshot().Files().ReadFile(p.File())
	return err != nil || bytes.Contains(text, []byte(key))
}

// keysTo returns the path of an entry of a map, with its own key, or nil if there is a list on the way.
func keysTo(t *yaml.Tree, key yaml.NodeID) []string {
	var keys []string
	var find func(n yaml.NodeID, above []string) bool
	find = func(n yaml.NodeID, above []string) bool {
		if t.Kind(n) != yaml.Mapping {
			return false
		}
		for k, value := range t.Pairs(n) {
			at := append(slices.Clip(above), string(t.Text(k)))
			if k == key {
				keys = at
				return true
			}
			if key < t.Next(value) {
				return find(value, at)
			}
		}
		return false
	}
	for d := range t.Documents() {
		if key < t.Next(d) {
			find(t.Root(d), nil)
			break
		}
	}
	return keys
}

// removeFrom removes an entry from all documents of a file. It returns false if that is not possible:
// for an entry in braces, or the only entry of a map.
func removeFrom(
	doc *workspace.TextDocument, a *compile.Analysis, way []string, edits workspace.Edits,
) bool {
	t := a.Tree
	for d := range t.Documents() {
		n, key := t.Root(d), yaml.NodeID(0)
		around := n
		for _, name := range way {
			around, key = n, keyNamed(t, n, name)
			if key == 0 {
				break
			}
			n = t.Next(key)
		}
		if key == 0 {
			continue
		}
		first := around + 1
		if t.Style(around) == yaml.Flow || t.Next(t.Next(first)) >= t.Next(around) {
			return false
		}
		from, to := entryLines(a, key)
		if !edits.Add(doc.Snapshot(), a.File, from, to, "") {
			return false
		}
	}
	return true
}

// keyNamed returns a key of a mapping, or 0.
func keyNamed(t *yaml.Tree, n yaml.NodeID, name string) yaml.NodeID {
	if t.Kind(n) != yaml.Mapping {
		return 0
	}
	for k := range t.Pairs(n) {
		if t.Kind(k) == yaml.Scalar && string(t.Text(k)) == name {
			return k
		}
	}
	return 0
}

// entryLines returns the lines of an entry, with its annotations and the comments above it.
func entryLines(a *compile.Analysis, key yaml.NodeID) (from, to int) {
	t := a.Tree
	from, _ = lineOf(a.File, t.Start(key).Offset())
	for _, c := range t.Comments() {
		if c.Owner() == key && !c.Trailing() {
			start, _ := lineOf(a.File, t.CommentSpan(c).Offset())
			from = min(from, start)
		}
	}
	return from, a.File.LineEnd(t.ContentEnd(t.Next(key)))
}
