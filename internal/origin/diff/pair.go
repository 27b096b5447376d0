package diff

import (
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
)

// pairing pairs the documents of two sides in several steps. Each step pairs documents that the previous
// steps left.
type pairing struct {
	*comparer
	names [2][]Name
	to    [2][]int // the document of the other side, or -1
}

// pair pairs documents and returns them in the order of the second side. Each document that is only on the
// first side comes after its predecessor there.
func (c *comparer) pair() []*Object {
	p := &pairing{comparer: c}
	for i, side := range []*Side{c.a, c.b} {
		p.to[i] = slices.Repeat([]int{-1}, len(side.Docs))
		p.names[i] = side.names
	}
	p.byKey(func(n Name) (any, bool) { return n.Object, n.isObject() })
	p.byKey(func(n Name) (any, bool) { // the API may have moved to another group
		return n.withoutGroup(), n.isObject()
	})
	p.byKey(func(n Name) (any, bool) { return n.File, !n.isObject() })
	p.equal()
	p.pairSimilar()
	list := p.objects()
	if rules := &c.opt.Secrets; len(rules.Texts) > 0 {
		for _, o := range list {
			o.Name, o.Was = o.Name.masked(rules), o.Was.masked(rules)
		}
	}
	return list
}

// byKey pairs documents with the same key. If several documents of a side have the same key, they are
// paired by content.
func (p *pairing) byKey(key func(Name) (any, bool)) {
	type group struct{ of [2][]int }
	groups := map[any]*group{}
	var order []*group
	for side := range p.names {
		for i, n := range p.names[side] {
			k, ok := key(n)
			if !ok || p.to[side][i] >= 0 {
				continue
			}
			g := groups[k]
			if g == nil {
				g = &group{}
				groups[k] = g
				order = append(order, g)
			}
			g.of[side] = append(g.of[side], i)
		}
	}
	for _, g := range order {
		a, b := g.of[0], g.of[1]
		switch {
		case len(a) == 0 || len(b) == 0:
		case len(a) == 1 && len(b) == 1:
			p.join(a[0], b[0])
		default:
			p.pairSameName(a, b)
		}
	}
}

// pairSameName pairs documents with the same name: equal ones first, then similar ones in the same file, then
// similar ones, then the rest in order.
func (p *pairing) pairSameName(a, b []int) {
	p.joinEqual(a, b, func(i int) string { return p.names[0][i].File },
		func(j int) string { return p.names[1][j].File })
	p.joinEqual(a, b, nil, nil)
	a, b = p.left(0, a), p.left(1, b)
	for _, m := range similar(p.featuresOf(0, a), p.featuresOf(1, b)) {
		p.join(a[m.a], b[m.b])
	}
	a, b = p.left(0, a), p.left(1, b)
	for i := range min(len(a), len(b)) {
		if p.sameKind(a[i], b[i]) {
			p.join(a[i], b[i])
		}
	}
}

// sameKind reports whether two documents can be versions of each other even if their content has nothing
// in common.
func (p *pairing) sameKind(i, j int) bool {
	x, y := &p.a.Docs[i], &p.b.Docs[j]
	return x.Text == y.Text && x.Value.Kind() == y.Value.Kind()
}

// equal pairs documents that are equal except for their names.
func (p *pairing) equal() {
	a, b := p.unpaired(0), p.unpaired(1)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	kind := func(side int) func(int) string {
		return func(i int) string { return p.names[side][i].Kind }
	}
	p.joinEqual(a, b, kind(0), kind(1))
	a, b = p.left(0, a), p.left(1, b)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	// A thousand objects with a new prefix are equal once their names are ignored.
	type key struct {
		kind string
		sum  uint64
	}
	keyOf := func(side, i int) (key, bool) {
		n := p.names[side][i]
		f := p.featuresOf(side, []int{i})[0]
		k := key{kind: n.Kind}
		for _, x := range f {
			k.sum += mix(x, 1)
		}
		return k, n.isObject() && len(f) > 0
	}
	byKey := map[key][]int{}
	for _, j := range b {
		if k, ok := keyOf(1, j); ok {
			byKey[k] = append(byKey[k], j)
		}
	}
	for _, i := range a {
		if k, ok := keyOf(0, i); ok && len(byKey[k]) > 0 {
			p.join(i, byKey[k][0])
			byKey[k] = byKey[k][1:]
		}
	}
}

// joinEqual pairs documents that are equal and, if there are classes, in the same class.
func (p *pairing) joinEqual(a, b []int, classA, classB func(int) string) {
	type key struct {
		class string
		sum   uint64
	}
	byHash := map[key][]int{}
	for _, j := range b {
		if p.to[1][j] < 0 {
			k := key{sum: p.hash.value(p.b.Docs[j].Value)}
			if classB != nil {
				k.class = classB(j)
			}
			byHash[k] = append(byHash[k], j)
		}
	}
	for _, i := range a {
		if p.to[0][i] >= 0 || len(byHash) == 0 {
			continue
		}
		k := key{sum: p.hash.value(p.a.Docs[i].Value)}
		if classA != nil {
			k.class = classA(i)
		}
		if list := byHash[k]; len(list) > 0 &&
			p.comparer.equal(p.a.Docs[i].Value, p.b.Docs[list[0]].Value) {
			p.join(i, list[0])
			byHash[k] = list[1:]
		}
	}
}

// pairSimilar pairs the remaining documents by content: objects of the same kind, and other documents.
func (p *pairing) pairSimilar() {
	a, b := p.unpaired(0), p.unpaired(1)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	for _, m := range similar(p.featuresOf(0, a), p.featuresOf(1, b)) {
		if i, j := a[m.a], b[m.b]; p.names[0][i].Kind == p.names[1][j].Kind {
			p.join(i, j)
		}
	}
}

// unpaired returns the documents of a side without a partner.
func (p *pairing) unpaired(side int) (list []int) {
	for i, to := range p.to[side] {
		if to < 0 {
			list = append(list, i)
		}
	}
	return list
}

// left returns the documents of a list without a partner.
func (p *pairing) left(side int, of []int) (rest []int) {
	for _, i := range of {
		if p.to[side][i] < 0 {
			rest = append(rest, i)
		}
	}
	return rest
}

// featuresOf returns the features of documents. Objects of different kinds share none.
func (p *pairing) featuresOf(side int, of []int) [][]uint64 {
	docs := [...]*Side{p.a, p.b}[side].Docs
	list := make([][]uint64, len(of))
	for k, i := range of {
		n := p.names[side][i]
		list[k] = p.hash.features(docs[i].Value, n)
		kind := p.hash.value(tree.String(n.Kind))
		for x := range list[k] {
			list[k][x] = mix(kind, list[k][x])
		}
	}
	return list
}

func (p *pairing) join(i, j int) { p.to[0][i], p.to[1][j] = j, i }

// objects returns the pairs and the documents without a partner.
func (p *pairing) objects() []*Object {
	onlyFirst := map[int][]int{} // documents only on the first side, by their predecessor on the second
	last := -1
	for i, to := range p.to[0] {
		if to >= 0 {
			last = to
		} else {
			onlyFirst[last] = append(onlyFirst[last], i)
		}
	}
	list := make([]*Object, 0, len(p.to[1]))
	removed := func(behind int) {
		for _, i := range onlyFirst[behind] {
			n := p.names[0][i]
			list = append(list, &Object{A: i, B: -1, Name: n, Was: n})
		}
	}
	removed(-1)
	for j, from := range p.to[1] {
		o := &Object{A: from, B: j, Name: p.names[1][j], Was: p.names[1][j]}
		if from >= 0 {
			o.Was = p.names[0][from]
			o.renamed = !o.Was.same(o.Name)
		}
		list = append(list, o)
		removed(j)
	}
	if p.opt.Order {
		markMoved(list)
	}
	return list
}

// markMoved marks the documents whose position relative to the others has changed.
func markMoved(list []*Object) {
	var both []*Object
	var from []int
	for _, o := range list {
		if o.A >= 0 && o.B >= 0 {
			both, from = append(both, o), append(from, o.A)
			o.moved = true
		}
	}
	for _, k := range unified.Increasing(from) {
		both[k].moved = false
	}
}
