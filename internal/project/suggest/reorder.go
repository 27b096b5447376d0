package suggest

import (
	"bytes"
	"slices"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// reordered returns the text of a file with the items of a list in another order, each with its comments:
// those on its lines, and those on the lines above. Items that are gone are left out. ok is false if
// nothing has moved, there are no comments, or items are not on lines of their own.
func reordered(text []byte, old, now tree.Value) (out []byte, ok bool) {
	if old.Kind() != tree.ArrayKind || now.Kind() != tree.ArrayKind || !hasComments(old) {
		return nil, false
	}
	var order []int
	for _, i := range partners(elements(old), elements(now)) {
		if i >= 0 {
			order = append(order, i)
		}
	}
	if slices.IsSorted(order) {
		return nil, false
	}
	t, n, ok := old.Syntax()
	if !ok || t.Style(n) == yaml.Flow {
		return nil, false
	}
	starts, ok := itemLines(text, t, n)
	if !ok || len(starts) != old.Len()+1 {
		return nil, false
	}
	end := starts[old.Len()]
	out = slices.Clone(text[:starts[0]])
	for _, i := range order {
		out = append(out, text[starts[i]:starts[i+1]]...)
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return append(out, text[end:]...), true
}

// itemLines returns the offsets where the lines of each item of a block sequence begin, and where those of the
// last one end.
func itemLines(text []byte, t *yaml.Tree, n yaml.NodeID) (starts []int, ok bool) {
	for item := range t.Items(n) {
		dash := t.Start(item).Offset()
		from := bytes.LastIndexByte(text[:dash], '\n') + 1
		if len(bytes.TrimLeft(text[from:dash], " ")) > 0 {
			return nil, false
		}
		for from > 0 {
			above := bytes.LastIndexByte(text[:from-1], '\n') + 1
			if !bytes.HasPrefix(bytes.TrimLeft(text[above:from], " "), []byte("#")) {
				break
			}
			from = above
		}
		starts = append(starts, from)
	}
	end := t.Span(n).End()
	if end > 0 && text[end-1] != '\n' {
		if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(text)
		}
	}
	return append(starts, end), true
}
