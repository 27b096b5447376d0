package tree

// Both returns the data values that are in both a and b, so that each of them can change two things
// at once. All items of an array count as one value, because the whole array may be replaced. A
// collection includes its content. Values passed to libraries are not followed: if there are any,
// Both returns the union of a and b.
func (t *Trace) Both(a, b Slice) Slice {
	switch {
	case a == b:
		return a
	case a == 0 || b == 0:
		return 0
	case a > b:
		a, b = b, a
	}
	s, ok := t.both[[2]Slice{a, b}]
	if !ok {
		s = t.inBoth(a, b)
		t.both[[2]Slice{a, b}] = s
	}
	return s
}

func (t *Trace) inBoth(a, b Slice) (s Slice) {
	x, ok := t.reach(t.Leaves(a))
	y, also := t.reach(t.Leaves(b))
	if !ok || !also {
		return t.Union(a, b)
	}
	for _, side := range [2][2]reach{{x, y}, {y, x}} {
		for l, path := range side[0].paths {
			if side[1].passesThrough(path) {
				s = t.Union(s, t.single(l))
			}
		}
	}
	return s
}

// reach holds the paths to a set of leaves.
type reach struct {
	paths   map[Leaf][]leaf // the results of pathTo
	anchors map[leaf]bool   // the first element of each path
	all     map[leaf]bool   // all elements of the paths
}

// passesThrough reports whether a path passes through the first element of another.
func (r reach) passesThrough(path []leaf) bool {
	for _, x := range path {
		if r.anchors[x] {
			return true
		}
	}
	return r.all[path[0]]
}

// reach returns the paths to leaves. It returns false if one of them belongs to a library.
func (o *Origins) reach(list []Leaf) (reach, bool) {
	r := reach{map[Leaf][]leaf{}, map[leaf]bool{}, map[leaf]bool{}}
	for _, l := range list {
		path := o.pathTo(l)
		if path[0].values != 0 {
			return r, false
		}
		r.paths[l] = path
		r.anchors[path[0]] = true
		for _, x := range path {
			r.all[x] = true
		}
	}
	return r, true
}

// pathTo returns a leaf, or the outermost array around it, followed by its parents. A scalar of a
// template is not among the data values and gets a leaf that equals only itself.
func (o *Origins) pathTo(l Leaf) []leaf {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if _, ok := o.fromText[l]; ok {
		return []leaf{{parent: l}}
	}
	var path []leaf
	for l != 0 {
		x := o.leaves[l-1]
		if x.kind = 0; x.step.Index >= 0 {
			path = path[:0]
		} else {
			path = append(path, x)
		}
		l = x.parent
	}
	return path
}

// single returns the set with one leaf.
func (t *Trace) single(l Leaf) Slice {
	if s, ok := t.singles[l]; ok {
		return s
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slices = append(t.slices, slice{leaf: l})
	t.singles[l] = Slice(len(t.slices))
	return t.singles[l]
}
