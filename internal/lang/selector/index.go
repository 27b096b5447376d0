package selector

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// Index selects among the same documents many times. A selector that names an object, or the file of a
// document, takes no longer if there are more documents.
type Index struct {
	docs  []Selectable
	names map[string][]int // by the name of the object, in lower case, as it is shown, and by file
	exact map[string]int   // by the name among the documents, from 1
}

// NewIndex returns an index of documents.
func NewIndex(docs []Selectable) *Index {
	x := &Index{docs: docs, names: map[string][]int{}, exact: make(map[string]int, len(docs))}
	for i, name := range Names(docs) {
		x.exact[name] = i + 1
	}
	add := func(name string, i int) {
		if list := x.names[name]; name != "" && (len(list) == 0 || list[len(list)-1] != i) {
			x.names[name] = append(list, i)
		}
	}
	for i, d := range docs {
		add(d.File, i)
		add(diag.Visible(d.File), i)
		add(d.Also, i)
		o := Name{Object: ObjectOf(d.Value)}
		if o.Kind == "" {
			continue
		}
		add(strings.ToLower(o.Name), i)
		add(o.String(), i)
		o.WithGroup = true
		add(o.String(), i)
	}
	return x
}

// Select returns the numbers of the documents that are selected, in order.
func (x *Index) Select(s Selector) []int {
	if i := x.exact[s.written]; i > 0 {
		return []int{i - 1}
	}
	candidates, ok := x.candidates(s)
	if ok {
		return slices.DeleteFunc(candidates, func(i int) bool { return !s.Matches(x.docs[i]) })
	}
	var found []int
	for i, ok := range s.Select(x.docs) {
		if ok {
			found = append(found, i)
		}
	}
	return found
}

// candidates returns the only documents that the selector may select. It returns false if that may be any
// of them.
func (x *Index) candidates(s Selector) ([]int, bool) {
	if len(s.parts) < 2 || s.conditions != nil || s.any != nil || strings.ContainsAny(s.written, "#*") {
		return nil, false
	}
	var all []int
	for _, name := range []string{strings.ToLower(s.parts[len(s.parts)-1]), s.written, s.base} {
		all = append(all, x.names[name]...)
	}
	slices.Sort(all)
	return slices.Compact(all), true
}
