package override

import (
	"slices"
	"strconv"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Path is the path to a value.
type Path []Segment

// Segment is a part of a Path: a key, or an entry of a list. It is formatted only on demand.
type Segment struct {
	text  string // the key; for an entry, the key that identifies it, or its index
	entry bool
	id    tree.Value // the value of the key that identifies an entry
}

// Key returns the segment for a key.
func Key(text string) Segment { return Segment{text: text} }

// Index returns the segment for the list entry with index i.
func Index(i int) Segment { return Segment{text: strconv.Itoa(i), entry: true} }

// Entry returns the segment for the list entry whose key has the value id.
func Entry(key string, id tree.Value) Segment { return Segment{text: key, entry: true, id: id} }

func (s Segment) String() string {
	if s.id == (tree.Value{}) {
		return s.text
	}
	return s.text + "=" + s.id.Written()
}

// String returns a path for people: labels[name=foo].value. Ambiguous keys are quoted.
func (p Path) String() string { return p.steps().String() }

// steps returns the path as patterns match it.
func (p Path) steps() path.Path {
	way := make(path.Path, len(p))
	for i, s := range p {
		switch {
		case !s.entry:
			way[i] = path.ToKey(tree.String(s.text))
		case s.id == (tree.Value{}):
			n, _ := strconv.Atoi(s.text)
			way[i] = path.ToItem(n, n)
		default:
			way[i] = path.ToItem(-1, -1)
			way[i].By, way[i].ID = s.text, s.id
		}
	}
	return way
}

// patternText returns the pattern that a path matches.
func patternText(p Path) string {
	return slices.DeleteFunc(p.steps(), func(s path.Segment) bool { return s.Kind == path.Item }).String()
}
