package blame

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// DataValue is a data value, or a value of another document, that was read.
type DataValue struct {
	Name   string // image.tag, @library:image.tag for a library's, or Service/web spec.port for a document's
	Kind   tree.LeafKind
	Secret bool    // it must not be shown
	marked bool    // secret by schema or name, not because it is part of a hidden node
	Layers []Event // what set it, lowest priority first; empty if it is missing

	isCopied bool        // it is a value of another document
	inside   []tree.Leaf // for a collection of another document: what the values in it were computed from
}

// DataValue returns a data value that was read, with the layers that set it.
func (r *Report) DataValue(l tree.Leaf) *DataValue {
	if d, ok := r.leaves[l]; ok {
		return d
	}
	info := r.in.Origins.Leaf(l)
	d := r.dataValueAt(info)
	d.Kind = info.Kind
	r.leaves[l] = d
	return d
}

// DataValueAt returns the data value at a path, with the layers that set it, whether or not it was read.
func (r *Report) DataValueAt(values int, way []tree.Step) *DataValue {
	return r.dataValueAt(tree.LeafInfo{Values: values, Path: way})
}

// dataValueAt returns a data value, whether or not it was read.
func (r *Report) dataValueAt(info tree.LeafInfo) *DataValue {
	d := &DataValue{Name: r.leafName(info), isCopied: info.Document != ""}
	v := r.in.Origins.DataValues()[info.Values].Value
	document := v
	id, at := v.Origin(), v.Start()
	var inside path.Path // the path from the value that was set
	for _, step := range steps(info.Path) {
		it, ok := r.find.item(r.open(v), step)
		if !ok {
			return d
		}
		v, at = it.Value, it.Pos
		if inside = append(inside, step); v.Origin() != 0 {
			id, inside = v.Origin(), nil
		}
	}
	d.Layers = r.history(id, 0, v, at, inside)
	d.marked = r.holdsSecret(v)
	if d.isCopied {
		d.marked = d.marked || r.hidesIn(document, steps(info.Path))
		if v.Kind() != tree.ScalarKind {
			d.inside = r.readsIn(v)
		}
	}
	d.Secret = d.marked
	if a, ok := v.Array(); ok && v.Len() > 0 {
		// Layers set the items of an array, not the array itself.
		if first := a.Entries()[0]; first.Value.Origin() != 0 {
			set := r.history(first.Value.Origin(), 0, first.Value, first.Pos, nil)
			last := set[len(set)-1]
			last.Value = v
			d.Layers = []Event{last}
		}
	}
	return d
}

// hidesIn reports whether a value of a document is secret.
func (r *Report) hidesIn(document tree.Value, at path.Path) bool {
	var within path.Path
	if secret.IsObject(document) {
		within = at
	}
	return r.in.Secrets.Hides(at, within)
}

// readsIn returns the data values that the values in a collection were computed from.
func (r *Report) readsIn(v tree.Value) []tree.Leaf {
	var all []tree.Leaf
	for _, it := range r.open(v).Entries() {
		for _, e := range r.history(it.Value.Origin(), 0, it.Value, it.Pos, nil) {
			all = append(all, r.decidedBy(e)...)
		}
		all = append(all, r.readsIn(it.Value)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// open returns a collection with its items materialized. A collection still backed by its syntax tree
// would decode them again for each value looked up in it.
func (r *Report) open(v tree.Value) tree.Value {
	if _, _, ok := v.Syntax(); !ok {
		return v
	}
	x, ok := r.opened[v]
	if !ok {
		x = v
		if m, ok := v.Map(); ok {
			x = tree.Of(m)
		} else if a, ok := v.Array(); ok {
			x = tree.Of(a)
		}
		r.opened[v] = x
	}
	return x
}

func (r *Report) leafName(info tree.LeafInfo) string {
	if info.Document != "" {
		return strings.TrimSpace(info.Document + " " + steps(info.Path).String())
	}
	name := info.String()
	if name == "" {
		name = "data.values"
	}
	if info.Values >= len(r.libraries) { // runs that share the table of origins add to it
		r.libraries = libraryNames(r.in.Origins.DataValues())
	}
	if lib := r.libraries[info.Values]; lib != "" {
		return "@" + lib + ":" + name
	}
	return name
}

// libraryNames returns the names of library evaluations, by the number of their data values. The second
// evaluation of a library is lib#2.
func libraryNames(all []tree.DataValues) []string {
	names := make([]string, len(all))
	times := map[string]int{}
	for i, v := range all {
		if v.Document != "" {
			continue
		}
		names[i] = v.Library
		if times[v.Library]++; v.Library != "" && times[v.Library] > 1 {
			names[i] += "#" + strconv.Itoa(times[v.Library])
		}
	}
	return names
}

// holdsSecret reports whether a data value is secret or contains a secret.
func (r *Report) holdsSecret(v tree.Value) bool {
	if len(r.in.Secrets.Texts) == 0 || r.in.Secrets.Show {
		return false
	}
	found, find := false, finder{}
	eachLeaf(v, nil, func(way []tree.Step) {
		if leaf, ok := find.valueAt(v, steps(way)); ok && r.in.Secrets.HidesText(leaf) {
			found = true
		}
	})
	return found
}
