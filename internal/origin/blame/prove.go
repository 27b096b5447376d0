package blame

import (
	"context"
	"slices"

	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// Render evaluates the project again, with documents merged into its data values. It returns an error if
// the project does not accept them.
type Render func(ctx context.Context, changes []tree.Value) ([]tree.Doc, error)

// Verdict is what altered renders showed about a data value and a node.
type Verdict uint8

const (
	Unknown Verdict = iota // nothing was tried
	Proved                 // another value changes the node
	Idle                   // other values do not change the node
	Refused                // other values are rejected
)

func (v Verdict) String() string {
	return [...]string{"unknown", "proved", "idle", "refused"}[v]
}

// Proof is what altered renders showed about a node.
type Proof struct {
	By map[tree.Leaf]Verdict

	// Others means that the node changed when all data values changed except those found for it.
	Others  bool
	Checked bool // other data values were changed
	Refused bool // that failed: the other values were rejected
}

// Prove renders the project with other data values, to show which of those found for the selected nodes
// really change them, and that no others do.
func (r *Report) Prove(ctx context.Context, chosen *Selection, render Render) error {
	p := r.prover(ctx, chosen, render)
	for _, l := range p.candidates() {
		if err := p.try(l); err != nil {
			return err
		}
	}
	return p.complements()
}

// ProveValues is like Prove, but changes only the data values at the given paths.
func (r *Report) ProveValues(ctx context.Context, ways []string, render Render) error {
	p := r.prover(ctx, nil, render)
	named, err := r.named(ways)
	if err != nil {
		return err
	}
	for _, l := range p.candidates() {
		info := r.in.Origins.Leaf(l)
		if !slices.ContainsFunc(named, func(n leafAt) bool { return reaches(info, n.info) }) {
			continue
		}
		if err := p.try(l); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) prover(ctx context.Context, chosen *Selection, render Render) *prover {
	p := &prover{
		Report: r, ctx: ctx, render: render, known: literalsOf(r.in.Files),
		nodes: r.chosenScalars(chosen),
	}
	r.proofs = map[int]*Proof{}
	for _, n := range p.nodes {
		r.proofs[n] = &Proof{By: map[tree.Leaf]Verdict{}}
	}
	return p
}

// chosenScalars returns the nodes to prove.
func (r *Report) chosenScalars(chosen *Selection) []int {
	var list []int
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if n.Value.Kind() == tree.ScalarKind && (chosen == nil ||
			chosen.docs[n.Doc] && (chosen.nodes == nil || chosen.nodes[i])) {
			list = append(list, i)
		}
	}
	return list
}

type prover struct {
	*Report
	ctx    context.Context
	render Render
	known  *literals
	nodes  []int
	slices map[int][]tree.Leaf // the data values found for a node
}

// candidates returns the data values found for the nodes, without duplicates.
func (p *prover) candidates() []tree.Leaf {
	p.slices = map[int][]tree.Leaf{}
	var all []tree.Leaf
	for _, n := range p.nodes {
		p.slices[n] = p.sliceOf(&p.Nodes[n])
		all = append(all, p.slices[n]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sliceOf returns the project's data values that a node depends on, including through libraries.
func (r *Report) sliceOf(n *Node) []tree.Leaf {
	var all []tree.Leaf
	seen := map[tree.Leaf]bool{}
	var add func(events []Event)
	leaves := func(list []tree.Leaf) {
		for _, l := range list {
			if seen[l] {
				continue
			}
			seen[l] = true
			all = append(all, l)
			add(r.DataValue(l).Layers)
		}
	}
	add = func(events []Event) {
		for _, e := range events {
			leaves(e.Reads)
			leaves(e.Matched)
			for _, c := range e.When {
				leaves(r.in.Origins.Leaves(c.Reads))
			}
		}
	}
	add(r.History(n))
	for n.parent >= 0 { // what decides whether its ancestors exist
		n = &r.Nodes[n.parent]
		for _, e := range r.History(n) {
			for _, c := range e.When {
				leaves(r.in.Origins.Leaves(c.Reads))
			}
		}
	}
	slices.Sort(all)
	return all
}

// try renders with other values of one data value until every node that it may change has changed.
func (p *prover) try(l tree.Leaf) error {
	info := p.in.Origins.Leaf(l)
	var open []int
	for _, n := range p.nodes {
		if slices.Contains(p.slices[n], l) {
			open = append(open, n)
		}
	}
	v, _, _, ok := p.in.Origins.Find(l)
	if !ok || info.Values != 0 {
		return nil // it is missing, or belongs to a library
	}
	verdict := Refused
	for _, probe := range probes(v, p.known) {
		change, ok := patchFor(p.in.Origins.DataValues()[0].Value, info.Path, probe, false)
		if !ok {
			break
		}
		docs, err := p.render(p.ctx, []tree.Value{change})
		if p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		if err != nil {
			continue
		}
		verdict = Idle
		now := newMatcher(docs)
		open = slices.DeleteFunc(open, func(n int) bool {
			if now.same(p.Report, &p.Nodes[n]) {
				return false
			}
			p.proofs[n].By[l] = Proved
			return true
		})
		if len(open) == 0 {
			return nil
		}
	}
	for _, n := range open {
		p.proofs[n].By[l] = verdict
	}
	return nil
}

// maxSets is the maximum number of complements tried. Nodes with the same data values share one.
const maxSets = 64

// complements changes all data values at once except those found for a node, which must then stay the
// same.
func (p *prover) complements() error {
	groups := map[string][]int{}
	var order []string
	for _, n := range p.nodes {
		key := ""
		for _, l := range p.slices[n] {
			key += p.in.Origins.Leaf(l).String() + "\x00"
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], n)
	}
	for _, key := range order[:min(len(order), maxSets)] {
		if err := p.complement(groups[key]); err != nil {
			return err
		}
	}
	return nil
}

func (p *prover) complement(nodes []int) error {
	var keep []tree.LeafInfo
	for _, l := range p.slices[nodes[0]] {
		keep = append(keep, p.in.Origins.Leaf(l))
	}
	changes := []tree.Value{altered(p.in.Origins.DataValues()[0].Value, nil, keep)}
	docs, err := p.render(p.ctx, changes)
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	if err != nil {
		for _, n := range nodes { // the result shows nothing
			p.proofs[n].Refused = true
		}
		return nil
	}
	now := newMatcher(docs)
	for _, n := range nodes {
		p.proofs[n].Checked = true
		p.proofs[n].Others = !now.same(p.Report, &p.Nodes[n])
	}
	return nil
}

// altered returns data values with all scalars changed except those to keep. Arrays keep their length.
func altered(v tree.Value, way []tree.Step, keep []tree.LeafInfo) tree.Value {
	way = slices.Clip(way)
	if m, ok := v.Map(); ok {
		items := slices.Clone(m.Entries())
		for i, it := range items {
			step := tree.Step{Key: tree.KeyText(it.Key), Index: -1}
			items[i].Value = altered(it.Value, append(way, step), keep)
		}
		return tree.Of(tree.NewMap(items, m.Pos))
	}
	if a, ok := v.Array(); ok {
		items := slices.Clone(a.Entries())
		for i, it := range items {
			items[i].Value = altered(it.Value, append(way, tree.Step{Index: i}), keep)
		}
		return tree.Of(tree.NewArray(items, a.Pos))
	}
	if list := probes(v, &literals{}); len(list) > 0 && !touches(keep, way) {
		return list[0]
	}
	return v
}

// touches reports whether a path is that of a data value to keep, or of one of its descendants or
// ancestors.
func touches(keep []tree.LeafInfo, way []tree.Step) bool {
	return slices.ContainsFunc(keep, func(k tree.LeafInfo) bool {
		n := min(len(k.Path), len(way))
		return k.Values == 0 && slices.Equal(k.Path[:n], way[:n])
	})
}

// matcher finds nodes in the documents of another render.
type matcher struct {
	docs    []tree.Doc
	objects map[string][]int
	find    finder
}

func newMatcher(docs []tree.Doc) *matcher {
	m := &matcher{objects: map[string][]int{}, find: finder{}}
	for _, d := range docs {
		if !d.Value.Empty() {
			name := selector.ObjectOf(d.Value).String()
			m.objects[name] = append(m.objects[name], len(m.docs))
			m.docs = append(m.docs, d)
		}
	}
	return m
}

// same reports whether a node exists with the same value. Documents are matched by kind and name, or by
// their number if they have none.
func (m *matcher) same(r *Report, n *Node) bool {
	d := int(n.Doc)
	name := selector.ObjectOf(r.Docs[d].value).String()
	if d >= len(m.docs) || selector.ObjectOf(m.docs[d].Value).String() != name {
		if list := m.objects[name]; name != "" && len(list) == 1 {
			d = list[0]
		} else if d >= len(m.docs) {
			return false
		}
	}
	v, ok := m.find.valueAt(m.docs[d].Value, r.Path(n))
	return ok && v.Kind() == tree.ScalarKind && tree.SameScalar(v, n.Value)
}
