package selector

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Index selects among the same documents many times. A selector that names an object, a kind or a file looks
// only at the documents with that name.
type Index struct {
	docs  []Selectable
	names []string         // of the documents
	exact map[string][]int // documents by their names
	filed map[string][]int // documents by their keys
}

// NewIndex returns an index of documents.
func NewIndex(docs []Selectable) *Index {
	x := &Index{
		docs: docs, names: Names(docs),
		exact: make(map[string][]int, len(docs)), filed: make(map[string][]int, len(docs)),
	}
	for i, d := range docs {
		x.exact[x.names[i]] = append(x.exact[x.names[i]], i)
		for _, key := range d.Keys() {
			x.filed[key] = append(x.filed[key], i)
		}
	}
	return x
}

// Docs returns the documents. The caller must not change them.
func (x *Index) Docs() []Selectable { return x.docs }

// Names returns the names of the documents, as the function Names does.
func (x *Index) Names() []string { return x.names }

// Set changes the value of document i. It returns false, and changes nothing, if documents may get other
// names by that: then a new index is needed.
func (x *Index) Set(i int, v tree.Value) bool {
	d := x.docs[i]
	d.Value = v
	if ObjectOf(v) != ObjectOf(x.docs[i].Value) || !slices.Equal(d.Keys(), x.docs[i].Keys()) {
		return false
	}
	x.docs[i] = d
	return true
}

// Select returns the numbers of the documents that are selected, in order.
func (x *Index) Select(s Selector) []int {
	if found := x.exact[s.written]; len(found) > 0 && s.mayBeName() {
		return slices.Clone(found)
	}
	var found []int
	if s.any != nil {
		for _, one := range s.any {
			found = append(found, x.Select(one)...)
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
	n := 0
	for _, i := range x.candidates(s) {
		if d := x.docs[i]; s.Matches(d) {
			if n++; s.takes(d, n) {
				found = append(found, i)
			}
		}
	}
	return found
}

// candidates returns the only documents that the selector may select, in order.
func (x *Index) candidates(s Selector) (list []int) {
	keys, ok := s.Keys()
	if !ok {
		for i := range x.docs {
			list = append(list, i)
		}
		return list
	}
	for _, key := range keys {
		list = append(list, x.filed[key]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Keys returns texts of which a document must have at least one to be selected. It returns false if the
// selector may select any document.
func (s Selector) Keys() (keys []string, ok bool) {
	switch {
	case s.any != nil:
		for _, one := range s.any {
			some, ok := one.Keys()
			if !ok {
				return nil, false
			}
			keys = append(keys, some...)
		}
	case s.conditions != nil:
		keys = s.wantedTexts()
	case !strings.Contains(s.base, "*") && s.base != "":
		name := strings.ToLower(s.parts[len(s.parts)-1])
		if keys = []string{s.base, name}; len(s.parts) == 1 {
			kind, _, _ := strings.Cut(name, ".")
			if keys = append(keys, kind); shortName(kind) != "" {
				keys = append(keys, shortName(kind))
			}
		}
	}
	if len(keys) == 0 {
		return nil, false
	}
	file := s.written
	if at := strings.LastIndexByte(file, '#'); at >= 0 {
		file = file[:at]
	}
	return append(keys, s.written, file), true
}

// wantedTexts returns the texts of which the name of a document must be one or, if no condition is about the
// name, its kind.
func (s Selector) wantedTexts() []string {
	for _, where := range []string{"metadata.name", "kind"} {
		for i := range s.conditions {
			if c := &s.conditions[i]; c.where == where && c.wants.re == nil && !c.differ {
				return slices.Clone(c.wants.texts)
			}
		}
	}
	return nil
}

// Keys returns the texts by which selectors may find a document, in order.
func (d Selectable) Keys() []string {
	keys := []string{d.File, diag.Visible(d.File), d.Also}
	if o := (Name{Object: ObjectOf(d.Value)}); o.Kind != "" {
		keys = append(keys, strings.ToLower(o.Name), o.String())
		o.WithGroup = true
		keys = append(keys, o.String())
	}
	if text := d.Value.TextAt("kind"); text != "" {
		group, _, _ := strings.Cut(d.Value.TextAt("apiVersion"), "/")
		kind := strings.ToLower(text)
		keys = append(keys, kind, plural(kind), kind+"."+strings.ToLower(group), kind+"."+coreGroup)
	}
	meta, _ := d.Value.Lookup("metadata")
	for key, in := range map[string]tree.Value{"kind": d.Value, "name": meta} {
		if v, ok := in.Lookup(key); ok && v.Kind() == tree.ScalarKind {
			keys = append(keys, v.Text(), v.Written()) // what conditions compare
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
