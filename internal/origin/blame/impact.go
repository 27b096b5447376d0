package blame

import (
	"fmt"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// CodeValue reports an unknown data value.
const CodeValue diag.Code = "impact/value"

// Impact lists what depends on one data value.
type Impact struct {
	Value *DataValue
	Read  bool // code reads it
	Uses  []Use
}

// Use is a node or a line that depends on a data value.
type Use struct {
	Object string // the document
	File   string // the text file
	Path   string
	Line   int // its line in the output; 0 if it is missing there
	At     source.Pos
	How    UseKind

	Overwritten source.Pos // what replaced it, if anything did
	Proof       Verdict

	doc    int     // or -1
	absent *Absent // what is left out, if it is a document
}

// UseKind says how a node depends on a data value.
type UseKind uint8

const (
	UseCopied   UseKind = iota // the node is the data value
	UseComputed                // the node was computed from it
	UseDecides                 // the data value decides whether the node exists
	UseMatched                 // the data value decides whether an overlay changes it
	UseLeftOut                 // it is missing because of the data value
	UseSpared                  // an overlay skips it because of the data value
)

func (k UseKind) String() string {
	return [...]string{"copied", "computed", "decides", "matched", "left out", "unmatched"}[k]
}

// Impacts returns what depends on the data values at the given paths, in the order of the data values. If
// there are selectors, it is about what any of them selects.
func (r *Report) Impacts(ways []string, chosen []selector.Selector) ([]Impact, error) {
	named, err := r.named(ways)
	if err != nil {
		return nil, err
	}
	var all []*Selection
	for _, s := range chosen {
		one, err := r.selectBy(s, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	var list []Impact
	for _, l := range named {
		x := r.impact(l)
		if len(all) > 0 {
			x.Uses = slices.DeleteFunc(x.Uses, func(u Use) bool {
				return !slices.ContainsFunc(all, func(s *Selection) bool { return s.hasUse(u) })
			})
		}
		list = append(list, x)
	}
	return list, nil
}

// hasUse reports whether a use is in the part of the output that is selected.
func (s *Selection) hasUse(u Use) bool {
	switch {
	case u.File != "":
		return s.files[u.File]
	case u.doc >= 0:
		return s.docs[u.doc]
	}
	return s.absent[u.absent]
}

// leafAt is a data value given by its path.
type leafAt struct {
	info tree.LeafInfo
	path path.Path
}

// named returns the data values at the given paths.
func (r *Report) named(paths []string) ([]leafAt, error) {
	var all []leafAt
	known := map[string]bool{}
	for _, text := range paths {
		list, err := r.namedBy(text)
		if err != nil {
			return nil, err
		}
		for _, l := range list {
			if key := fmt.Sprintf("%#v", l.info); !known[key] {
				known[key] = true
				all = append(all, l)
			}
		}
	}
	return all, nil
}

func (r *Report) namedBy(text string) ([]leafAt, error) {
	library, rest := splitLibrary(text)
	at, err := path.Parse("PATH", rest)
	if err != nil {
		return nil, err
	}
	var known []string
	var found []leafAt
	for i, v := range r.in.Origins.DataValues() {
		if v.Document != "" || v.Library != library && r.libraries[i] != library {
			continue
		}
		eachLeaf(v.Value, nil, func(way []tree.Step) {
			l := leafAt{tree.LeafInfo{Values: i, Path: way}, steps(way)}
			known = append(known, r.leafName(l.info))
			if at.Match(l.path) {
				found = append(found, l)
			}
		})
	}
	if len(found) > 0 {
		return found, nil
	}
	x := diag.Failf(CodeValue, "there is no data value '%s'", text)
	if near := diag.NearestPath(text, known); near != "" {
		return nil, x.WithHint("did you mean %s?", diag.InShell(near))
	}
	return nil, x.WithHint("run weft --data-values-inspect with the same flags to see all of them")
}

// splitLibrary splits @library:path.
func splitLibrary(way string) (library, rest string) {
	if len(way) == 0 || way[0] != '@' {
		return "", way
	}
	for i := len(way) - 1; i > 0; i-- {
		if way[i] == ':' {
			return way[1:i], way[i+1:]
		}
	}
	return "", way
}

// eachLeaf calls f with the path of each scalar and each empty collection.
func eachLeaf(v tree.Value, way []tree.Step, f func([]tree.Step)) {
	way = slices.Clip(way)
	if m, ok := v.Map(); ok && v.Len() > 0 {
		for _, it := range m.Entries() {
			eachLeaf(it.Value, append(way, tree.Step{Key: tree.KeyText(it.Key), Index: -1}), f)
		}
		return
	}
	if a, ok := v.Array(); ok && v.Len() > 0 {
		for i, it := range a.Entries() {
			eachLeaf(it.Value, append(way, tree.Step{Index: i}), f)
		}
		return
	}
	f(way)
}

// impact returns what depends on one data value: everything computed from it, or from a whole collection
// that contains it.
func (r *Report) impact(l leafAt) Impact {
	x := Impact{Value: r.dataValueAt(l.info)}
	var of []tree.Leaf
	for _, read := range r.in.Origins.ReadLeaves() {
		if info := r.in.Origins.Leaf(read); reaches(info, l.info) {
			of = append(of, read)
			// A collection may only have been read to reach another value in it.
			x.Read = x.Read || info.Kind != tree.Whole && len(info.Path) == len(l.info.Path)
		}
	}
	if len(of) == 0 {
		return x
	}
	decided := map[int32]bool{} // nodes whose descendants are not listed
	for i := range r.Nodes {
		if n := &r.Nodes[i]; n.up > 0 && decided[n.parent] {
			decided[int32(i)] = true // it exists because its parent does
		}
		for _, u := range r.usesIn(i, of) {
			if u.How == UseDecides {
				decided[int32(i)] = true
				if decided[r.Nodes[i].parent] {
					continue
				}
			}
			x.Uses = append(x.Uses, u)
		}
	}
	for i := range r.Parts {
		x.Uses = append(x.Uses, r.usesInLines(&r.Parts[i], of)...)
	}
	x.Read = x.Read || len(x.Uses) > 0
	return x
}

// reaches reports whether a read value contains a data value, or depends on which items the collection
// around it has: without the data value these would differ.
func reaches(read, of tree.LeafInfo) bool {
	if read.Values != of.Values || len(read.Path) > len(of.Path) {
		return false
	}
	if !slices.Equal(read.Path, of.Path[:len(read.Path)]) {
		return false
	}
	return len(read.Path) == len(of.Path) || read.Kind == tree.Whole || read.Kind == tree.Shape
}

// usesIn returns the uses of data values in a node.
func (r *Report) usesIn(node int, of []tree.Leaf) []Use {
	n := &r.Nodes[node]
	if n.up > 0 && n.Value.Kind() != tree.ScalarKind && r.instead[outcome{node: int32(node)}] == nil {
		return nil // its parent is listed
	}
	var uses []Use
	history := r.History(n)
	for i, e := range history {
		how, at, ok := r.useOf(e, of)
		if !ok {
			continue
		}
		u := r.use(n, how, at)
		if i+1 < len(history) && how != UseDecides {
			u.Overwritten = history[i+1].At
		}
		r.prove(&u, node, of)
		uses = append(uses, u)
	}
	for _, a := range r.instead[outcome{node: int32(node)}] {
		if (a.Kind == tree.Unmatched || len(uses) == 0) && overlaps(r.throughLibraries(a.Reads), of) {
			u := r.use(n, UseSpared, a.At)
			if a.Kind != tree.Unmatched {
				u = r.use(n, UseDecides, a.Condition)
			}
			r.prove(&u, node, of)
			return append(uses, u)
		}
	}
	return uses
}

// use returns the Use for a node.
func (r *Report) use(n *Node, how UseKind, at source.Pos) Use {
	return Use{
		Object: r.Docs[n.Doc].Object, Path: r.Path(n).String(), Line: int(n.Line), At: at, How: how,
		doc: int(n.Doc),
	}
}

// prove sets the verdict of a use from the altered renders.
func (r *Report) prove(u *Use, node int, of []tree.Leaf) {
	if p := r.proofs[node]; p != nil {
		for _, l := range of {
			u.Proof = max(u.Proof, p.By[l])
		}
	}
}

// useOf returns how an event uses data values, and where.
func (r *Report) useOf(e Event, of []tree.Leaf) (how UseKind, at source.Pos, ok bool) {
	switch {
	case overlaps(r.throughLibraries(e.Reads), of):
		if e.How == Copied {
			return UseCopied, e.At, true
		}
		return UseComputed, e.At, true
	case overlaps(r.throughLibraries(e.Matched), of):
		return UseMatched, e.At, true
	}
	for _, c := range e.When {
		if overlaps(r.throughLibraries(r.in.Origins.Leaves(c.Reads)), of) {
			return UseDecides, c.At.Pos, true
		}
	}
	return 0, source.Pos{}, false
}

// throughLibraries returns data values, plus those that the data values of libraries, and the values of
// other documents, among them were computed from.
func (r *Report) throughLibraries(leaves []tree.Leaf) []tree.Leaf {
	all := slices.Clone(leaves)
	add := func(more []tree.Leaf) {
		for _, l := range more {
			if !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	for i := 0; i < len(all); i++ {
		d := r.DataValue(all[i])
		for _, e := range d.Layers {
			if add(e.Reads); d.isCopied {
				add(r.decidedBy(e))
			}
		}
		add(d.inside)
	}
	return all
}

// decidedBy returns the data values that a value was computed from, and those that decided that it is set.
func (r *Report) decidedBy(e Event) []tree.Leaf {
	all := slices.Concat(e.Reads, e.Matched)
	for _, c := range e.When {
		all = append(all, r.in.Origins.Leaves(c.Reads)...)
	}
	return all
}

func overlaps(a, b []tree.Leaf) bool {
	return slices.ContainsFunc(a, func(l tree.Leaf) bool { return slices.Contains(b, l) })
}

// usesInLines returns the uses in text files and in absences.
func (r *Report) usesInLines(p *Part, of []tree.Leaf) []Use {
	var uses []Use
	for i := range p.Lines {
		line := &p.Lines[i]
		if a := line.Absent; a != nil && overlaps(r.throughLibraries(a.Reads), of) {
			u := Use{File: p.File, Path: "(no " + a.Name + ")", At: a.Condition, How: UseLeftOut, doc: a.Doc, absent: a}
			if a.Kind == tree.Removed {
				u.At = a.At
			}
			if a.Doc >= 0 {
				u.Object = r.Docs[a.Doc].Object
			}
			uses = append(uses, u)
		}
		s, ok := r.in.Origins.Of(line.Origin)
		if !ok {
			continue
		}
		e := r.event(s, tree.Value{}, s.At.Pos, false)
		if how, _, ok := r.useOf(e, of); ok {
			uses = append(uses, Use{File: p.File, Line: int(line.Number), At: s.At.Pos, How: how, doc: -1})
		}
	}
	return uses
}
