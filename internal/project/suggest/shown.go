package suggest

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/origin/diff"
)

// This file shows large values by what differs in them: of a list with 20 items, the one that changes.

// maxInline is how long an old and a new value may be together to be shown as they are, and maxParts how many
// differences between them are shown.
const (
	maxInline = 80
	maxParts  = 3
)

// parted returns what differs in two lists, maps or texts that are too long for a line: below which path, if
// that is one place, and how. It returns "" if they are short, differ in too much, or have a secret.
func (s *search) parted(was, now tree.Value) (below, text string) {
	isText := strings.Contains(was.Text(), "\n") && strings.Contains(now.Text(), "\n")
	both := block(was) + block(now)
	if was.Kind() != now.Kind() || was.Kind() == tree.ScalarKind && !isText ||
		!isText && len(diff.Inline(was))+len(diff.Inline(now)) <= maxInline && !strings.Contains(diff.Inline(was), "item") ||
		s.rules.MaskText(both) != both {
		return "", ""
	}
	around := func(v tree.Value) diff.Side {
		in := tree.Of(tree.NewMap([]tree.Item{{Key: tree.String("_"), Value: v}}, v.Start()))
		return diff.Side{Docs: []diff.SideDocument{{Value: in}}}
	}
	changes := diff.Compare(around(was), around(now), diff.Options{Order: true, YAML: s.syntax()}).Changes
	switch {
	case isText && len(changes) == 1 && len(changes[0].Path) == 1:
		return "", partedLines(was.Text(), now.Text())
	case len(changes) == 0 || slices.ContainsFunc(changes, func(c diff.Change) bool { return len(c.Path) < 2 }):
		return "", ""
	}
	if len(changes) == 1 && changes[0].Op == diff.Changed {
		return pathBelow(changes[0].Path), oldAndNew(&changes[0])
	}
	var parts []string
	for i := range changes[:min(len(changes), maxParts)] {
		c := &changes[i]
		at := pathBelow(c.Path)
		switch c.Op {
		case diff.Added:
			parts = append(parts, "+ "+diff.Inline(c.After))
		case diff.Removed:
			parts = append(parts, at+" removed, was "+diff.Inline(c.Before))
		case diff.Moved:
			parts = append(parts, at+" moved")
		default:
			parts = append(parts, at+": "+oldAndNew(c))
		}
	}
	return "", joinedParts(parts, len(changes))
}

// partedLines returns which lines of two texts differ.
func partedLines(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	edits := unified.CompareLines(a, b)
	text := func(lines []string) string { return diff.Inline(tree.String(strings.Join(lines, "\n"))) }
	var parts []string
	for _, e := range edits {
		at := "line " + strconv.Itoa(e.A0+1)
		switch {
		case e.A0 == e.A1:
			parts = append(parts, at+": + "+text(b[e.B0:e.B1]))
		case e.B0 == e.B1:
			parts = append(parts, at+": removed, was "+text(a[e.A0:e.A1]))
		case e.A1-e.A0 == e.B1-e.B0:
			for i := range e.A1 - e.A0 {
				at := "line " + strconv.Itoa(e.A0+i+1)
				parts = append(parts, at+": "+text(a[e.A0+i:e.A0+i+1])+" → "+text(b[e.B0+i:e.B0+i+1]))
			}
		default:
			parts = append(parts, at+": "+text(a[e.A0:e.A1])+" → "+text(b[e.B0:e.B1]))
		}
	}
	return joinedParts(parts, len(parts))
}

// joinedParts returns the first parts of all on one line.
func joinedParts(parts []string, all int) string {
	parts = parts[:min(len(parts), maxParts)]
	if more := all - len(parts); more > 0 {
		parts = append(parts, diag.Count(more, "more change"))
	}
	return strings.Join(parts, "; ")
}

// pathBelow returns a path as it is written after that of the value around it.
func pathBelow(way path.Path) string {
	text := way[1:].String()
	switch way[1].Kind {
	case path.Key:
		return "." + text
	case path.Inside:
		return " " + strings.TrimSpace(text)
	}
	return text
}

func oldAndNew(c *diff.Change) string { return diff.Inline(c.Before) + " → " + diff.Inline(c.After) }
