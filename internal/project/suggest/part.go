package suggest

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
)

// maxReads is how many data values of a computed text are looked at, and maxTries how many are tried of which
// the text does not show what they become.
const (
	maxReads = 100
	maxTries = 8
)

// partOptions returns the ways to change a text that is computed from data values by another one of them: if
// the text contains the data value, and only this part of it was edited, the edit says what the data value
// should be; one that is empty may be what the code prints if it is set. Whether the code computes the text
// from it is seen by rendering.
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
	var read []readValue
	tries := 0
	for _, e := range slices.Backward(history) {
		for _, leaf := range e.Reads {
			if len(seen) == maxReads || slices.Contains(seen, leaf) {
				continue
			}
			seen = append(seen, leaf)
			info, ok := s.ownLeaf(s.res.Origins.Leaf(leaf))
			v, found := tree.At(s.values, info.Path)
			if !ok || !found {
				continue
			}
			if v.Kind() == tree.ArrayKind {
				for _, now := range joins(was.Text(), after.Text(), v) {
					list = append(list, s.valueOptions(info.Values, info.Path, &now)...)
				}
			}
			if v.Kind() != tree.ScalarKind {
				list = append(list, s.encodedOptions(&c.change, info)...)
				continue
			}
			if val, _ := v.Scalar(); (val.Kind == yaml.Bool || v.IsNull() || v.Text() == "") && tries < maxTries {
				tries++
				list = append(list, s.switched([]tree.Leaf{leaf})...)
				if val.Kind != yaml.Bool { // the code has something for this case
					list = append(list, s.valueOptions(info.Values, info.Path, &after)...)
				}
			}
			if v.IsNull() || v.Text() == "" {
				continue
			}
			read = append(read, readValue{info, v})
			from, to := was.Text(), after.Text()
			for _, now := range slices.Concat(parts(from, to, v), derivedFrom(from, to, v)) {
				if breaksLine(v.Text(), now.Text()) {
					continue
				}
				list = append(list, s.valueOptions(info.Values, info.Path, &now)...)
			}
		}
	}
	return append(s.severalOptions(was.Text(), after.Text(), read), list...)
}

// encodedOptions returns the ways to change a part of a data value that a text has as YAML or JSON: the end
// of the path in the text is one below the data value, and the same is there. Items of lists change with
// their list.
func (s *search) encodedOptions(x *diff.Change, info tree.LeafInfo) []option {
	i := slices.IndexFunc(x.Path, func(p path.Segment) bool { return p.Kind == path.Inside })
	if i < 0 || i+1 == len(x.Path) {
		return nil
	}
	if last := x.Path[len(x.Path)-1]; last.Kind == path.Item && x.Op != diff.Changed {
		return s.encodedList(x, i, info)
	}
	inside, ok := before(x.Path[i+1:])
	if !ok || x.Op != diff.Changed && x.Op != diff.Added {
		return nil
	}
	for rest := inside.Steps(); len(rest) > 0; rest = rest[1:] {
		leaf := slices.Concat(info.Path, rest)
		around, isMap := tree.At(s.values, leaf[:len(leaf)-1])
		v, found := tree.At(s.values, leaf)
		if x.Op == diff.Changed && found && edit.Equal(v, x.Before) ||
			x.Op == diff.Added && !found && isMap && around.Kind() == tree.MapKind {
			return s.valueOptions(info.Values, leaf, &x.After)
		}
	}
	return nil
}

// encodedList is encodedOptions for a list in a text of which an item was added, removed or moved.
func (s *search) encodedList(x *diff.Change, inside int, info tree.LeafInfo) []option {
	now := x.Path[:len(x.Path)-1]
	old, ok := before(now)
	if !ok {
		return nil
	}
	was, found := s.decodedAt(s.docs[x.Object.A].Value, old, inside)
	list, isThere := s.decodedAt(s.edited[x.Object.B].Value, now, inside)
	if !found || !isThere {
		return nil
	}
	rest := old[inside+1:].Steps()
	for k := range len(rest) + 1 {
		leaf := slices.Concat(info.Path, rest[k:])
		if v, ok := tree.At(s.values, leaf); ok && edit.Equal(v, was) {
			return s.valueOptions(info.Values, leaf, &list)
		}
	}
	return nil
}

// decodedAt returns what is at a path of a document that goes through the text at its step with number
// inside.
func (s *search) decodedAt(doc tree.Value, way path.Path, inside int) (tree.Value, bool) {
	text, ok := tree.At(doc, way[:inside].Steps())
	if !ok {
		return text, false
	}
	_, docs, err := parse([]byte(text.Text()), "", s.syntax())
	if err != nil || len(docs) != 1 {
		return text, false
	}
	return tree.At(docs[0], way[inside+1:].Steps())
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
		if x, ok := typed(v, now[len(start):len(now)-len(rest)]); ok {
			list = append(list, x)
		}
	}
	return list
}

// derivedFrom returns what a scalar becomes if a text is computed from it in a way that is easy to turn
// around: by base64, by a product or by a sum.
func derivedFrom(was, now string, v tree.Value) (list []tree.Value) {
	before, err := base64.StdEncoding.DecodeString(was)
	after, fault := base64.StdEncoding.DecodeString(now)
	if err == nil && fault == nil && len(before) > 0 && utf8.Valid(after) {
		list = parts(string(before), string(after), v)
	}
	a, b, ok := numbersThatDiffer(was, now)
	val, _ := v.Scalar()
	x, err := strconv.Atoi(v.Text())
	if !ok || val.Kind != yaml.Int || err != nil || x == 0 || x == a {
		return list
	}
	if a%x == 0 && a != 0 && b%(a/x) == 0 {
		list = append(list, number(b/(a/x)))
	}
	if d := a - x; -maxDistance <= d && d <= maxDistance {
		list = append(list, number(b-d))
	}
	return list
}

// maxDistance is how much a number may differ from the one that it is taken to be computed from by a sum.
const maxDistance = 1000

// numbersThatDiffer returns the only numbers that two texts have in the same place and that differ.
func numbersThatDiffer(was, now string) (a, b int, ok bool) {
	start, end := around(was, now)
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	for start > 0 && isDigit(was[start-1]) {
		start--
	}
	for end > 0 && isDigit(was[len(was)-end]) {
		end--
	}
	a, err := strconv.Atoi(was[start : len(was)-end])
	b, fault := strconv.Atoi(now[start : len(now)-end])
	return a, b, err == nil && fault == nil
}

// breaksLine reports whether a text on one line would get several: it is more likely that lines were added
// after it.
func breaksLine(was, now string) bool {
	return strings.Contains(now, "\n") && !strings.Contains(was, "\n")
}

// typed returns a text as a value of the type of another one: a string or a number.
func typed(v tree.Value, text string) (tree.Value, bool) {
	val, _ := v.Scalar()
	n, err := strconv.Atoi(text)
	switch {
	case val.Kind == yaml.String:
		return tree.String(text), true
	case val.Kind == yaml.Int && err == nil:
		return number(n), true
	case val.Kind == yaml.Float:
		if _, docs, err := parse([]byte(text), "", yaml.Options{}); err == nil && len(docs) == 1 {
			now, _ := docs[0].Scalar()
			return docs[0], now.Kind == yaml.Float || now.Kind == yaml.Int
		}
	}
	return tree.Value{}, false
}
