package suggest

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
)

// maxReads is how many data values of a computed text are tried.
const maxReads = 8

// partOptions returns the ways to change a text that is computed from data values by another one of them: if
// the text contains the data value, and only this part of it was edited, the edit says what the data value
// should be. Whether the code computes the text from it is seen by rendering.
func (s *search) partOptions(
	c *choice, history []blame.Event, way path.Path, after tree.Value,
) (list []option) {
	old, ok := before(way)
	if !ok {
		return nil
	}
	was, ok := tree.At(s.docs[c.change.Object.A].Value, old.Steps())
	if !ok || was.Kind() != tree.ScalarKind || after.Kind() != tree.ScalarKind {
		return nil
	}
	var seen []tree.Leaf
	for _, e := range slices.Backward(history) {
		for _, leaf := range e.Reads {
			if len(seen) == maxReads || slices.Contains(seen, leaf) {
				continue
			}
			seen = append(seen, leaf)
			info := s.res.Origins.Leaf(leaf)
			v, ok := tree.At(s.values, info.Path)
			if !ok || info.Document != "" || !s.isOwn(info.Values) || v.Kind() != tree.ScalarKind || v.IsNull() {
				continue
			}
			for _, now := range parts(was.Text(), after.Text(), v) {
				list = append(list, s.valueOptions(info.Values, info.Path, &now)...)
			}
		}
	}
	return list
}

// parts returns what a scalar becomes where it is a part of a text, and only this part was edited.
func parts(was, now string, v tree.Value) (list []tree.Value) {
	part := v.Text()
	for from := 0; part != "" && len(list) < 2; {
		i := strings.Index(was[from:], part)
		if i < 0 {
			break
		}
		start, rest := was[:from+i], was[from+i+len(part):]
		from += i + 1
		if len(now) <= len(start)+len(rest) || !strings.HasPrefix(now, start) || !strings.HasSuffix(now, rest) {
			continue
		}
		text := now[len(start) : len(now)-len(rest)]
		val, _ := v.Scalar()
		n, err := strconv.Atoi(text)
		switch {
		case val.Kind == yaml.String:
			list = append(list, tree.String(text))
		case val.Kind == yaml.Int && err == nil:
			list = append(list, number(n))
		}
	}
	return list
}
