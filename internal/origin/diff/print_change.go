package diff

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// Lines returns what WriteText prints for a single change: its line, and the lines below.
func (c *Change) Lines() (line string, below []string) {
	e := entry{Change: c, path: c.Path.String(), objects: []*Object{c.Object}}
	mark, _ := c.Op.mark()
	line = mark + " " + e.name()
	switch {
	case c.Op == Renamed:
		line = mark + " " + c.Object.Was.String() + " → " + c.Object.Name.String()
	case e.path != "":
		line += "  " + e.path
	}
	value, lines := e.shown(nil)
	for _, l := range lines {
		below = append(below, strings.TrimRight(string(l.mark)+" "+l.text, " "))
	}
	return line + value, below
}

// Inline returns a value on one line. It truncates a long scalar, and describes a long collection by
// its size.
func Inline(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		return inlineOr(v, "a map of "+diag.Count(v.Len(), "key"))
	case tree.ArrayKind:
		return inlineOr(v, "a list of "+diag.Count(v.Len(), "item"))
	}
	s := string(appendScalar(nil, v))
	if runes := []rune(s); len(runes) > widest {
		s = string(runes[:widest]) + "…"
	}
	return s
}
