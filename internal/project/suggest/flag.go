package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
)

// flagOptions returns the ways to add or remove something by switching a data value that decides it: if a
// condition reads only one, and that is true or false. inner reports whether no loop is between it and the
// condition.
func (s *search) flagOptions(c *choice) (list []option, inner bool) {
	x := &c.change
	switch {
	case x.Op == diff.Removed && x.Object.A >= 0:
		old, ok := before(x.Path)
		if !ok || x.Object.B < 0 && len(x.Path) > 0 {
			return nil, false
		}
		when := s.when(x.Object.A, old)
		if len(old) > 0 { // what is around it stays
			outer := s.when(x.Object.A, old[:len(old)-1])
			when = when[:max(len(when)-len(outer), 0)]
		}
		for i, w := range when {
			if w.Kind == tree.If || w.Kind == tree.Else {
				reads := s.res.Origins.Leaves(w.Reads)
				return slices.Concat(s.switched(reads), s.emptied(reads)), i == 0
			}
		}
	case x.Op == diff.Added:
		for _, a := range s.absent(x) {
			list = append(list, s.switched(a.Reads)...)
			list = append(list, s.filled(a.Reads, x.After)...)
		}
	}
	return list, false
}

// switched returns the ways to give a data value that is true or false the other value.
func (s *search) switched(reads []tree.Leaf) []option {
	if len(reads) != 1 {
		return nil
	}
	info, ok := s.ownLeaf(s.res.Origins.Leaf(reads[0]))
	v, found := tree.At(s.values, info.Path)
	if !ok || !found {
		return nil
	}
	val, _ := v.Scalar()
	if v.Kind() != tree.ScalarKind || val.Kind != yaml.Bool {
		return nil
	}
	now := truth(!val.Bool())
	return s.valueOptions(info.Values, info.Path, &now)
}

// emptied returns the ways to leave out a data value, for a condition that it is there.
func (s *search) emptied(reads []tree.Leaf) (list []option) {
	if len(reads) != 1 {
		return nil
	}
	info, ok := s.ownLeaf(s.res.Origins.Leaf(reads[0]))
	v, found := tree.At(s.values, info.Path)
	if val, _ := v.Scalar(); !ok || !found || val.Kind == yaml.Bool && v.Kind() == tree.ScalarKind || v.IsNull() {
		return nil
	}
	list = s.valueOptions(info.Values, info.Path, nil)
	empties := []tree.Value{{}}
	switch {
	case v.Kind() == tree.ArrayKind:
		empties = []tree.Value{tree.Of(tree.NewArray(nil, v.Start()))}
	case v.Kind() == tree.ScalarKind:
		empties = append(empties, tree.String(""))
	}
	for _, empty := range empties {
		list = append(list, s.valueOptions(info.Values, info.Path, &empty)...)
	}
	return list
}

// filled returns the ways to give a data value that is empty what was added, for code that prints it if it is
// there.
func (s *search) filled(reads []tree.Leaf, added tree.Value) []option {
	if len(reads) != 1 {
		return nil
	}
	info, ok := s.ownLeaf(s.res.Origins.Leaf(reads[0]))
	v, found := tree.At(s.values, info.Path)
	if !ok || !found || !v.IsNull() && (v.Kind() != added.Kind() || !isBlank(v)) {
		return nil
	}
	return s.valueOptions(info.Values, info.Path, &added)
}

// isBlank reports whether a value is null, "", or a collection without items.
func isBlank(v tree.Value) bool { return v.IsNull() || v.IsString("") || isEmpty(v) }

// absent returns what conditions have left out that may be what was added.
func (s *search) absent(x *diff.Change) (list []*blame.Absent) {
	place, ok := before(x.Path[:max(len(x.Path)-1, 0)])
	if !ok || len(x.Path) > 0 && x.Object.A < 0 {
		return nil
	}
	object := selector.ObjectOf(s.valueOf(s.edited, x.Object.B))
	for i := range s.blame.Parts {
		for j := range s.blame.Parts[i].Lines {
			a := s.blame.Parts[i].Lines[j].Absent
			if a == nil || a.Kind != tree.NotTaken || (a.Doc < 0) != (len(x.Path) == 0) {
				continue
			}
			kind, name, _ := strings.Cut(a.Name, "/")
			if a.Doc < 0 && kind == object.Kind && (name == "" || name == object.Name) ||
				a.Doc >= 0 && a.Doc == x.Object.A && isAt(a.Path, place, x.Path) {
				list = append(list, a)
			}
		}
	}
	return list
}

// isAt reports whether what a condition left out, at the end of a path, would be what was added there: the same key
// of the same map, or an item of the same list.
func isAt(left, place, added path.Path) bool {
	n := len(left) - 1
	if stepsText(left[:n].Steps()) != stepsText(place.Steps()) {
		return false
	}
	last := added[len(added)-1]
	return last.Kind == path.Item || last.Kind == path.Key && edit.Equal(last.Key, left[n].Key)
}
