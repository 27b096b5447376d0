package path

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Near is how far a pattern leads in a value in which it matches nothing.
type Near struct {
	Taken   Pattern    // the steps that match
	Way     []Step     // where they lead
	Value   tree.Value // what is there
	Next    Pattern    // the step that leads nowhere
	Names   []string   // the keys that the value has instead, or the names of its items
	Nearest string     // the one that was probably meant, or ""

	rank int
}

// Hint returns what was probably meant, or else what is there instead.
func (n *Near) Hint() string {
	if n.Nearest != "" {
		return "did you mean '" + n.Nearest + "'?"
	}
	const most = 10
	switch names := strings.Join(n.Names[:min(len(n.Names), most)], ", "); {
	case names == "":
		return ""
	case len(n.Names) > most:
		return "there are " + names + ", …"
	default:
		return "there are " + names
	}
}

// maxNear is the number of values in which a near miss is looked for.
const maxNear = 10_000

// Near returns how far the pattern leads in v.
func (p Pattern) Near(v tree.Value) Near {
	s := nearSearch{pattern: p, left: maxNear, best: Near{rank: -1}}
	s.walk(v, []int{0})
	return s.best
}

// Better reports whether n is nearer than m.
func (n *Near) Better(m *Near) bool {
	if n.rank != m.rank {
		return n.rank > m.rank
	}
	return n.Nearest != "" && m.Nearest == ""
}

type nearSearch struct {
	pattern Pattern
	way     []Step
	best    Near
	left    int
}

// walk follows the alternatives ways, as Finder.walk does.
func (s *nearSearch) walk(v tree.Value, ways []int) {
	if s.left--; s.left < 0 {
		return
	}
	for i := 0; i < len(ways); i++ {
		if w := ways[i]; w < len(s.pattern) && s.pattern[w].kind == anyNumber && !slices.Contains(ways, w+1) {
			ways = append(ways, w+1)
		}
	}
	for _, w := range ways {
		s.consider(v, w)
	}
	var f Finder
	for i, it := range v.Entries() {
		to := Step{Index: i, Item: it, List: v.Kind() == tree.ArrayKind}
		var next []int
		for _, w := range ways {
			switch {
			case w == len(s.pattern):
			case s.pattern[w].kind == anyNumber:
				next = append(next, w)
			case f.takes(&s.pattern[w], it.Key, it.Value, i, to.List):
				next = append(next, w+1)
			}
		}
		if next != nil {
			s.way = append(s.way, to)
			s.walk(it.Value, next)
			s.way = s.way[:len(s.way)-1]
		}
	}
}

// consider keeps v as the best near miss if the first w steps of the pattern lead to it, and no
// better one is known.
func (s *nearSearch) consider(v tree.Value, w int) {
	if w == len(s.pattern) || s.pattern[w].kind == anyNumber {
		return
	}
	n := Near{Taken: s.pattern[:w], Value: v, Next: s.pattern[w : w+1]}
	for _, taken := range n.Taken {
		if taken.kind != anyNumber {
			n.rank++
		}
	}
	if n.rank < s.best.rank || s.best.Nearest != "" && n.rank == s.best.rank {
		return
	}
	n.Names = s.pattern[w].names(v)
	if text := s.pattern[w].text; len(text) > 2 {
		n.Nearest = diag.Nearest(text, n.Names)
	}
	if n.Better(&s.best) {
		n.Way = slices.Clone(s.way)
		s.best = n
	}
}

// names returns what v has of the kind that the step looks for.
func (s *step) names(v tree.Value) []string {
	var names []string
	for _, it := range v.Entries() {
		switch {
		case s.kind == oneKey && v.Kind() == tree.MapKind && it.Key.Kind() == tree.ScalarKind:
			names = append(names, it.Key.Text())
		case s.by != "" && v.Kind() == tree.ArrayKind:
			if id, ok := it.Value.Lookup(s.by); ok && id.Kind() == tree.ScalarKind {
				names = append(names, id.Text())
			}
		}
	}
	return names
}

// String formats a pattern as Parse reads it.
func (p Pattern) String() string {
	var b strings.Builder
	for _, s := range p {
		text := s.String()
		if b.Len() > 0 && text[0] != '[' {
			b.WriteByte('.')
		}
		b.WriteString(text)
	}
	return b.String()
}

func (s *step) String() string {
	switch s.kind {
	case anyNumber:
		return "**"
	case anyOne:
		return "*"
	case anyItem:
		return "[*]"
	case oneItem:
		return "[" + strconv.Itoa(s.n) + "]"
	case keyedItem:
		to := Segment{By: s.by, ID: tree.String(s.text)}
		return "[" + to.itemText() + "]"
	case likeItem:
		return "[" + s.by + "=~" + s.re.String() + "]"
	}
	if s.n >= 0 {
		return s.text
	}
	return keyText(tree.String(s.text))
}

// Sought returns the key or the name that the first step of a pattern looks for.
func (p Pattern) Sought() string {
	if len(p) == 0 {
		return ""
	}
	return p[0].text
}
