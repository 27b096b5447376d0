package suggest

import (
	"slices"
	"strings"
	"unicode"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/lang/yaml"
)

// grafted returns a new value of a text with what stays of the old one, so that only the rest is written: also the
// quotes of strings, unless they have to be those of the new value. It is an error if items of a list with comments
// have moved: the comments would get lost.
func grafted(old, now tree.Value, newQuotes bool) (tree.Value, error) {
	switch {
	case edit.Equal(old, now):
		return old, nil
	case old.Kind() == tree.ScalarKind && now.Kind() == tree.ScalarKind && !newQuotes:
		return quotedAs(old, now), nil
	case old.Kind() != now.Kind() || old.Kind() == tree.ScalarKind:
		return now, nil
	case old.Kind() == tree.MapKind:
		return graftedMap(old, now, newQuotes)
	}
	return graftedList(old, now, newQuotes)
}

// quotedAs returns a string with the quotes of the one that it replaces, if it needs no escapes in them.
func quotedAs(old, now tree.Value) tree.Value {
	t, n, ok := old.Syntax()
	val, _ := now.Scalar()
	if !ok || val.Kind != yaml.String || strings.ContainsFunc(now.Text(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return now
	}
	text := now.Text()
	switch style := t.Style(n); {
	case style == yaml.SingleQuoted:
		text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case style == yaml.DoubleQuoted && !strings.ContainsAny(text, `"\`):
		text = `"` + text + `"`
	default:
		return now
	}
	_, docs, err := parse([]byte(text), "", yaml.Options{})
	if err != nil || len(docs) != 1 || !edit.Equal(docs[0], now) {
		return now
	}
	return docs[0]
}

func graftedMap(old, now tree.Value, newQuotes bool) (tree.Value, error) {
	var items []tree.Item
	was, is := finder(old), finder(now)
	for _, it := range old.Entries() {
		if v, ok := is(it.Key); ok {
			var err error
			if it.Value, err = grafted(it.Value, v, newQuotes); err != nil {
				return now, err
			}
			items = append(items, it)
		}
	}
	for _, it := range now.Entries() {
		if _, ok := was(it.Key); !ok {
			items = append(items, tree.Item{Key: it.Key, Value: it.Value})
		}
	}
	return tree.Of(tree.NewMap(items, old.Start())), nil
}

func graftedList(old, now tree.Value, newQuotes bool) (tree.Value, error) {
	was, is := old.Entries(), elements(now)
	from, moved := pairs(elements(old), is)
	if moved && hasComments(old) {
		return now, diag.Failf(CodeNone, "a list with comments has another order")
	}
	items := make([]tree.Item, len(is))
	for j, v := range is {
		items[j].Value = v
		if i := from[j]; i >= 0 {
			var err error
			items[j] = was[i]
			if items[j].Value, err = grafted(was[i].Value, v, newQuotes); err != nil {
				return now, err
			}
		}
	}
	return tree.Of(tree.NewArray(items, old.Start())), nil
}

// pairs returns for each item of a list the one of another list that it comes from, or -1, and whether items have
// moved.
func pairs(before, after []tree.Value) (from []int, moved bool) {
	l := listing{before: before, after: after}
	if l.identify() {
		l.align(false)
		return l.from, l.moved
	}
	from = slices.Repeat([]int{-1}, len(after))
	i, j := 0, 0
	pair := func(endA, endB int) {
		for ; i < endA && j < endB; i, j = i+1, j+1 {
			from[j] = i
		}
		i, j = endA, endB
	}
	a, b := blocks(before), blocks(after)
	gone := map[string]bool{}
	edits := unified.CompareLines(a, b)
	for _, e := range edits {
		pair(e.A0, e.B0)
		pair(e.A1, e.B1)
		for _, text := range a[e.A0:e.A1] {
			gone[text] = true
		}
	}
	pair(len(before), len(after))
	for _, e := range edits {
		moved = moved || slices.ContainsFunc(b[e.B0:e.B1], func(text string) bool { return gone[text] })
	}
	return from, moved
}

// hasComments reports whether there are comments in the text of a value.
func hasComments(v tree.Value) bool {
	t, n, ok := v.Syntax()
	if !ok {
		return false
	}
	return slices.ContainsFunc(t.Comments(), func(c yaml.Comment) bool {
		isAfter := t.Style(n) == yaml.Flow && t.CommentSpan(c).Offset() > t.Span(n).End()
		return c.Owner() > n && c.Owner() < t.Next(n) && !isAfter
	})
}
