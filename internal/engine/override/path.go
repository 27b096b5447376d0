package override

import (
	"strconv"
	"strings"

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
func (path Path) String() string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case s.entry:
			b.WriteString("[" + s.String() + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		if s.text == "" || strings.ContainsAny(s.text, ".[]\" \t\r\n:") {
			b.WriteString(strconv.Quote(s.text))
		} else {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// patternText returns the pattern that a path matches.
func patternText(path Path) string {
	var parts []string
	for _, s := range path {
		if !s.entry {
			parts = append(parts, s.text)
		}
	}
	return strings.Join(parts, ".")
}
