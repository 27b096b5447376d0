package diff

import (
	"slices"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Search finds patterns that match nothing. A misspelled path of a secret must be reported, because the
// secret would be shown.
type Search struct {
	opt      Options
	patterns []path.Pattern
	left     []int // indexes of the patterns without a match so far
}

// NewSearch starts a search for patterns in documents that are compared with the given options.
func NewSearch(patterns []path.Pattern, opt Options) *Search {
	s := &Search{opt: opt, patterns: patterns}
	for i := range patterns {
		s.left = append(s.left, i)
	}
	return s
}

// Unmatched returns the indexes of the patterns without a match.
func (s *Search) Unmatched() []int { return s.left }

// In searches the documents of a side.
func (s *Search) In(side *Side) {
	c := newComparer(side, side, &s.opt)
	for i := range side.Docs {
		if len(s.left) == 0 {
			return
		}
		if !side.Docs[i].Text {
			s.value(c, side.Docs[i].Value, nil)
		}
	}
}

// value searches a value, and the YAML or JSON in its strings.
func (s *Search) value(c *comparer, v tree.Value, at path.Path) {
	if len(at) > 0 {
		s.left = slices.DeleteFunc(s.left, func(i int) bool { return s.patterns[i].Match(at) })
	}
	if !slices.ContainsFunc(s.left, func(i int) bool { return s.patterns[i].MayMatchBelow(at) }) {
		return
	}
	at = at[:len(at):len(at)]
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		for _, it := range r.Items(nil, v) {
			s.value(c, it.Value, append(at, path.ToKey(it.Key)))
		}
	case tree.ArrayKind:
		c.path = at
		key := c.keyHere()
		for i, it := range r.Items(nil, v) {
			to := path.ToItem(i, i)
			if id, ok := it.Value.Lookup(key); ok {
				to.By, to.ID = key, id
			}
			s.value(c, it.Value, append(at, to))
		}
	default:
		if inner, ok := c.parse(v); ok && inside(at) < maxInside {
			s.value(c, inner, append(at, path.Segment{Kind: path.Inside}))
		}
	}
}

// inside returns the number of strings that a path leads into.
func inside(at path.Path) (n int) {
	for i := range at {
		if at[i].Kind == path.Inside {
			n++
		}
	}
	return n
}
