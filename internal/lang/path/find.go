package path

import (
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
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
	f := finder{pattern: p}
	f.walk(f.open(nil, 0), Found{Value: v, At: v.Start()})
	return f.found
}

// finder follows all alternatives of a pattern at once. Each alternative is represented by the number
// of steps that it has taken.
type finder struct {
	pattern Pattern
	found   []Found
}

// open adds an alternative, and those that `**` allows in addition.
func (f *finder) open(ways []int, taken int) []int {
	for _, w := range ways {
		if w == taken {
			return ways
		}
	}
	ways = append(ways, taken)
	if taken < len(f.pattern) && f.pattern[taken].kind == anyNumber {
		return f.open(ways, taken+1)
	}
	return ways
}

// step returns the ways after one more segment of a path.
func (f *finder) step(ways []int, to Segment) (next []int) {
	for _, w := range ways {
		switch {
		case w == len(f.pattern):
		case f.pattern[w].kind == anyNumber:
			next = f.open(next, w)
		case f.pattern[w].matches(to):
			next = f.open(next, w+1)
		}
	}
	return next
}

func (f *finder) walk(ways []int, at Found) {
	onward := false
	for _, w := range ways {
		if w == len(f.pattern) {
			at.Path = at.Path.Clone()
			f.found = append(f.found, at)
		} else {
			onward = true
		}
	}
	if !onward || at.Value.Kind() == tree.ScalarKind {
		return
	}
	isMap := at.Value.Kind() == tree.MapKind
	for i, it := range at.Value.Entries() {
		s := ToValue(i, it.Value)
		if isMap {
			s = ToKey(it.Key)
		}
		next := f.step(ways, s)
		if next == nil {
			continue
		}
		pos := it.Pos
		if !pos.IsValid() {
			pos = at.At
		}
		f.walk(next, Found{Path: append(at.Path, s), Value: it.Value, At: pos})
	}
}
