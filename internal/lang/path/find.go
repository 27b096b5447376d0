package path

import (
	"slices"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Found is a value that matches a pattern.
type Found struct {
	Path  Path
	Value tree.Value
	At    source.Pos // where its item is
}

// Find returns the values in v that match the pattern, in order, each once. It visits only values
// on the way to a match.
func (p Pattern) Find(v tree.Value) []Found {
	var found []Found
	one := AnyOf(p)
	if one.matchesRoot() {
		found = append(found, Found{Value: v, At: v.Start()})
	}
	var f Finder
	f.Find(one, v, func(way []Step) {
		found = append(found, foundAt(way, v.Start()))
	})
	return found
}

// foundAt returns what is at the end of a way. Items that code made are where the collection around
// them is.
func foundAt(way []Step, start source.Pos) Found {
	out := Found{Path: Of(way), At: start}
	for i := range way {
		if pos := way[i].Item.Pos; pos.IsValid() {
			out.At = pos
		}
	}
	out.Value = way[len(way)-1].Item.Value
	return out
}

// Patterns are several patterns that are looked for at once. They never change.
type Patterns struct {
	steps  []step // of all patterns, each with an end behind it
	begins []int  // where each pattern begins
}

// AnyOf returns patterns that match what at least one of them matches.
func AnyOf(list ...Pattern) Patterns {
	var p Patterns
	for _, one := range list {
		p.begins = append(p.begins, len(p.steps))
		p.steps = append(p.steps, one...)
		p.steps = append(p.steps, step{kind: end})
	}
	return p
}

// matchesRoot reports whether a pattern matches the value itself: only `**` does.
func (p *Patterns) matchesRoot() bool {
	for _, i := range p.begins {
		for p.steps[i].kind == anyNumber {
			i++
		}
		if p.steps[i].kind == end {
			return true
		}
	}
	return false
}

// Step is one step of the way to a value: to an item of a map or a list.
type Step struct {
	Index int // the position of the item, as the collection is written
	Item  tree.Item
	List  bool // the item is one of a list
}

func (s *Step) segment() Segment {
	if s.List {
		return ToValue(s.Index, s.Item.Value)
	}
	return ToKey(s.Item.Key)
}

// Finder finds values that match patterns. It reuses its memory, so only one goroutine may use it.
type Finder struct {
	// Compared, if not nil, is called with each value that a step such as [name=web] looks at.
	Compared func(tree.Value)

	steps []step
	root  tree.Value
	visit func(way []Step)
	ways  []int // for each collection on the way, the alternatives: where in steps one may go on
	way   []Step

	repeated map[mapping][]bool // see isRepeated; nil until a large mapping is seen
}

// mapping is a mapping of a file.
type mapping struct {
	tree *yaml.Tree
	node yaml.NodeID
}

// Find calls visit for each value below v that a pattern matches, in order, each once. It does not
// look into values where nothing can match. The way is valid only during the call.
func (f *Finder) Find(p Patterns, v tree.Value, visit func(way []Step)) {
	f.steps, f.root, f.visit = p.steps, v, visit
	f.ways, f.way, f.repeated = f.ways[:0], f.way[:0], nil
	for _, begin := range p.begins {
		f.open(0, begin)
	}
	f.walk(0, v)
}

// open adds an alternative to those from index first on, and the additional ones that `**` allows.
func (f *Finder) open(first, at int) {
	for _, w := range f.ways[first:] {
		if w == at {
			return
		}
	}
	f.ways = append(f.ways, at)
	if f.steps[at].kind == anyNumber {
		f.open(first, at+1)
	}
}

// walk visits the items of v. Its alternatives are f.ways[first:].
func (f *Finder) walk(first int, v tree.Value) {
	if t, n, ok := v.Syntax(); ok && !(t.Kind(n) == yaml.Mapping && t.Merges(n)) {
		f.walkSyntax(first, t, n)
		return
	}
	last, isList := len(f.ways), v.Kind() == tree.ArrayKind
	items := v.Entries()
	for i := range items {
		it := &items[i]
		if f.choose(first, last, it.Key, it.Value, i, isList) {
			f.follow(last, Step{i, *it, isList})
		}
	}
}

// walkSyntax is walk for a node of a file. It looks at nodes as they are written, which is much
// faster than making items of them: most lead nowhere.
func (f *Finder) walkSyntax(first int, t *yaml.Tree, n yaml.NodeID) {
	last := len(f.ways)
	switch t.Kind(n) {
	case yaml.Mapping:
		i := 0
		for k, v := range t.Pairs(n) {
			key, value := tree.FromSyntax(t, k), tree.FromSyntax(t, v)
			if f.choose(first, last, key, value, i, false) {
				f.follow(last, Step{i, tree.Item{Key: key, Value: value, Pos: t.Start(k)}, false})
			}
			i++
		}
	case yaml.Sequence:
		i := 0
		for v := range t.Items(n) {
			value := tree.FromSyntax(t, v)
			if f.choose(first, last, tree.Value{}, value, i, true) {
				f.follow(last, Step{i, tree.Item{Value: value, Pos: t.Start(v)}, true})
			}
			i++
		}
	}
}

// choose adds the alternatives for an item of a collection, and reports whether there are any. Those of the
// collection are f.ways[first:last].
func (f *Finder) choose(first, last int, key, value tree.Value, i int, isList bool) bool {
	isScalar := value.Kind() == tree.ScalarKind
	for k := first; k < last; k++ {
		w := f.ways[k]
		switch p := &f.steps[w]; {
		case p.kind == end:
		case p.kind == anyNumber:
			if !isScalar || f.mayEnd(w) {
				f.open(last, w)
			}
		case f.takes(p, key, value, i, isList):
			if !isScalar || f.mayEnd(w+1) {
				f.open(last, w+1)
			}
		}
	}
	return len(f.ways) > last
}

// mayEnd reports whether a pattern matches if nothing follows step w.
func (f *Finder) mayEnd(w int) bool {
	for f.steps[w].kind == anyNumber {
		w++
	}
	return f.steps[w].kind == end
}

// follow goes to an item. Its alternatives are f.ways[first:], which it removes.
func (f *Finder) follow(first int, s Step) {
	ends, goesOn := false, false
	for _, w := range f.ways[first:] {
		if f.steps[w].kind == end {
			ends = true
		} else {
			goesOn = true
		}
	}
	f.way = append(f.way, s)
	if ends && f.counts() {
		f.visit(f.way)
	}
	if goesOn {
		f.walk(first, s.Item.Value)
	}
	f.way = f.way[:len(f.way)-1]
	f.ways = f.ways[:first]
}

// counts reports whether the way exists: of equal keys in a map of a file, only the last counts.
func (f *Finder) counts() bool {
	in := f.root
	for i := range f.way {
		s := &f.way[i]
		t, n, ok := in.Syntax()
		if ok && t.Kind(n) == yaml.Mapping && !t.Merges(n) && f.isRepeated(mapping{t, n}, s) {
			return false
		}
		in = s.Item.Value
	}
	return true
}

// fewNodes is the number of nodes up to which the keys of a mapping are compared each time.
const fewNodes = 32

// isRepeated reports whether a later item of a mapping has the same key as the one that a step leads to. It
// reads the keys of a large mapping once, because many ways may lead through it.
func (f *Finder) isRepeated(m mapping, s *Step) bool {
	if m.tree.Next(m.node)-m.node <= fewNodes {
		return repeatedLater(m.tree, m.node, s.Index, s.Item.Key)
	}
	repeated, ok := f.repeated[m]
	if !ok {
		if f.repeated == nil {
			f.repeated = map[mapping][]bool{}
		}
		repeated = repeatedKeys(m)
		f.repeated[m] = repeated
	}
	return repeated != nil && repeated[s.Index]
}

// repeatedKeys returns which items of a mapping have a key that comes again later, or nil if none does.
func repeatedKeys(m mapping) []bool {
	var repeated []bool
	last := map[tree.ScalarKey]int{} // where a key was seen last
	i := 0
	for k := range m.tree.Pairs(m.node) {
		if key, ok := tree.FromSyntax(m.tree, k).ScalarKey(); ok {
			if before, again := last[key]; again {
				repeated = append(repeated, make([]bool, max(0, before+1-len(repeated)))...)
				repeated[before] = true
			}
			last[key] = i
		}
		i++
	}
	if repeated == nil {
		return nil
	}
	return append(repeated, make([]bool, i-len(repeated))...)
}

// repeatedLater reports whether an item of a mapping after the one at index i has the same key.
func repeatedLater(t *yaml.Tree, n yaml.NodeID, i int, key tree.Value) bool {
	print := key.Fingerprint()
	for k := range t.Pairs(n) {
		if i--; i >= -1 {
			continue
		}
		other := tree.FromSyntax(t, k)
		if p := other.Fingerprint(); (p == print || p == 0 || print == 0) && tree.SameScalar(key, other) {
			return true
		}
	}
	return false
}

// takes reports whether a step of a pattern leads to an item of a collection.
func (f *Finder) takes(p *step, key, value tree.Value, i int, isList bool) bool {
	switch p.kind {
	case anyOne:
		return true
	case anyItem:
		return isList
	case oneKey:
		if !isList {
			return p.isKey(key)
		}
		return i == p.n
	case oneItem:
		return isList && i == p.n
	}
	if !isList {
		return false
	}
	if f.Compared != nil {
		if v, ok := value.Lookup(p.by); ok {
			f.Compared(v)
		}
	}
	return p.matches(ToValue(i, value))
}

// Of returns the path that a way takes.
func Of(way []Step) Path {
	out := make(Path, len(way))
	for i := range way {
		out[i] = way[i].segment()
	}
	return out
}

// AnyDepth reports whether a pattern has a `**`.
func (p *Patterns) AnyDepth() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.kind == anyNumber })
}

// Keys returns the keys that steps such as [name=web] compare.
func (p *Patterns) Keys() []string {
	var keys []string
	for i := range p.steps {
		if s := &p.steps[i]; s.by != "" && !slices.Contains(keys, s.by) {
			keys = append(keys, s.by)
		}
	}
	return keys
}
