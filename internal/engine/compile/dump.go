package compile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Dump describes for people how a file was compiled: what it is for, what it loads, which of its
// parts are constant and created at once, and which are computed item by item.
//
//	yaml template, for output, runs code
//	    1: load @ytt:data
//	    3: constant: 2 documents
//	    5: computed: map item foo
func (u *Unit) Dump() []byte {
	var b bytes.Buffer
	b.WriteString(
		[...]string{"plain yaml", "yaml template", "text template", "plain text", "starlark module"}[u.Kind],
	)
	b.WriteString(
		[...]string{", for output", ", for data values", ", for the schema of data values"}[u.Role],
	)
	if u.Program == nil {
		b.WriteString(", nothing to run")
	}
	b.WriteByte('\n')
	type line struct {
		at   source.Pos
		text string
	}
	var lines []line
	for _, l := range u.Loads {
		lines = append(lines, line{l.At.Pos, "load " + l.Module})
	}
	for _, r := range u.Stretches {
		n, kind := len(r.Items), r.Kind.String()
		if n != 1 {
			kind += "s"
		}
		lines = append(lines, line{r.Pos, fmt.Sprintf("constant: %d %s", n, kind)})
	}
	for _, n := range u.Nodes {
		text := "computed: " + n.Kind.String()
		if n.Kind == tree.MapItem {
			if key, ok := starlark.AsString(n.Key.Starlark()); ok {
				text += " " + key
			}
		}
		lines = append(lines, line{n.Pos, text})
	}
	slices.SortStableFunc(lines, func(x, y line) int { return x.at.Compare(y.at) })
	for i, l := range lines {
		if !l.at.IsValid() || i > 0 && l == lines[i-1] {
			continue // it is not in the source, or is computed in several parts
		}
		number := strconv.Itoa(u.File.Line(l.at.Offset()))
		b.WriteString(strings.Repeat(" ", max(0, 5-len(number))) + number + ": " + l.text + "\n")
	}
	if n := len(u.Literals); n > 0 {
		fmt.Fprintf(&b, "literal text: %d\n", n)
	}
	return b.Bytes()
}
