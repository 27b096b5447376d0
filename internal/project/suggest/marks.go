package suggest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/schema"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Marks are texts and numbers that nothing else has.
const (
	markKey    = "weftmark0"
	markText   = "weftmark"
	markNumber = 770770000
)

var markPattern = lazy.Regexp{Text: `(?i)weftmark(\d+)|77077(\d{4})`}

// marker makes values with marks. Each mark is another one.
type marker struct{ n int }

func (m *marker) text() tree.Value {
	m.n++
	return tree.String(markText + strconv.Itoa(m.n))
}

// of returns a value of a type with marks.
func (m *marker) of(t *schema.Type, depth int) tree.Value {
	def := t.DefaultValue()
	switch kind := t.Kind(); {
	case depth > 8:
		return def
	case kind == "string", kind == "any" && def.Kind() == tree.ScalarKind:
		return m.text()
	case kind == "integer", kind == "float":
		m.n++
		return number(markNumber + m.n)
	case kind == "array" && t.Item() != nil:
		return tree.Of(tree.NewArray([]tree.Item{{Value: m.of(t.Item(), depth+1)}}, def.Start()))
	case kind == "map":
		var items []tree.Item
		for _, f := range t.Fields() {
			items = append(items, tree.Item{Key: tree.String(f.Key), Value: m.of(f.Type, depth+1)})
		}
		return tree.Of(tree.NewMap(items, def.Start()))
	}
	return def
}

// like returns a value like another one, with marks.
func (m *marker) like(v tree.Value) tree.Value {
	val, _ := v.Scalar()
	switch kind := v.Kind(); {
	case kind == tree.ScalarKind && val.Kind == yaml.String:
		return m.text()
	case kind == tree.ScalarKind && val.Kind == yaml.Int:
		m.n++
		return number(markNumber + m.n)
	case kind == tree.MapKind:
		items := slices.Clone(v.Entries())
		for i := range items {
			items[i].Value = m.like(items[i].Value)
		}
		return tree.Of(tree.NewMap(items, v.Start()))
	case kind == tree.ArrayKind && v.Len() > 0:
		return tree.Of(tree.NewArray([]tree.Item{{Value: m.like(elements(v)[0])}}, v.Start()))
	}
	return v
}

// isMark returns the number of the mark that a scalar is, as a whole.
func isMark(v tree.Value) (n string, ok bool) {
	if v.Kind() != tree.ScalarKind {
		return "", false
	}
	text := v.Text()
	m := markPattern.Get().FindStringSubmatch(text)
	if m == nil || m[0] != text {
		return "", false
	}
	return markOf(m), true
}

// markOf returns the number of a mark that markPattern has found.
func markOf(m []string) string {
	if m[1] != "" {
		return m[1]
	}
	return strings.TrimLeft(m[2], "0")
}

// solution is what marks stand for, by their numbers.
type solution map[string]tree.Value

func (x solution) set(n string, v tree.Value) bool {
	old, ok := x[n]
	if !ok {
		x[n] = v
	}
	return !ok || edit.Equal(old, v)
}

// in returns a value with what marks stand for. A key of a map whose mark is not known is left out.
func (x solution) in(v tree.Value) (tree.Value, bool) {
	switch v.Kind() {
	case tree.ScalarKind:
		n, is := isMark(v)
		if !is {
			return v, true
		}
		now, ok := x[n]
		if val, _ := v.Scalar(); ok && val.Kind == yaml.Int && now.Kind() == tree.ScalarKind {
			now = alike(v, now.Text())
		}
		return now, ok
	case tree.MapKind:
		var items []tree.Item
		for _, it := range v.Entries() {
			if now, ok := x.in(it.Value); ok {
				items = append(items, tree.Item{Key: it.Key, Value: now})
			}
		}
		return tree.Of(tree.NewMap(items, v.Start())), len(items) > 0
	}
	var items []tree.Item
	for _, it := range v.Entries() {
		if now, ok := x.in(it.Value); ok {
			items = append(items, tree.Item{Value: now})
		}
	}
	return tree.Of(tree.NewArray(items, v.Start())), len(items) > 0
}

// unify finds out what the marks of a value stand for in another one.
func unify(pattern, v tree.Value, sol solution) bool {
	if n, ok := isMark(pattern); ok {
		text := pattern.Text()
		isUpper := text == strings.ToUpper(text) && text != strings.ToLower(text)
		if v.Kind() == tree.ScalarKind && isUpper {
			v = tree.String(strings.ToLower(v.Text()))
		}
		return sol.set(n, v)
	}
	if pattern.Kind() != v.Kind() {
		return false
	}
	switch v.Kind() {
	case tree.ScalarKind:
		if edit.Equal(pattern, v) {
			return true
		}
		re := newMarked(pattern.Text())
		return re != nil && re.match(v.Text(), sol)
	case tree.ArrayKind:
		if pattern.Len() != v.Len() {
			return false
		}
		now := elements(v)
		for i, x := range elements(pattern) {
			if !unify(x, now[i], sol) {
				return false
			}
		}
		return true
	}
	if pattern.Len() != v.Len() {
		return false
	}
	now := v.Entries()
	for i, it := range pattern.Entries() { // keys of the output are in the order of the template
		j := slices.IndexFunc(now, func(x tree.Item) bool { return edit.Equal(x.Key, it.Key) })
		if j < 0 {
			j = i
		}
		if !unify(it.Key, now[j].Key, sol) || !unify(it.Value, now[j].Value, sol) {
			return false
		}
	}
	return true
}

// marked is a text with marks, as a pattern.
type marked struct {
	text    string // the regular expression
	numbers []string
}

// newMarked returns the pattern of a text, or nil if it has no marks.
func newMarked(text string) *marked {
	m := &marked{}
	at := 0
	for _, x := range markPattern.Get().FindAllStringSubmatchIndex(text, -1) {
		m.text += regexp.QuoteMeta(text[at:x[0]]) + "(.+?)"
		m.numbers = append(m.numbers, markOf(markPattern.Get().FindStringSubmatch(text[x[0]:x[1]])))
		at = x[1]
	}
	if m.text += regexp.QuoteMeta(text[at:]); m.numbers == nil {
		return nil
	}
	return m
}

func (m *marked) match(text string, sol solution) bool {
	re, err := regexp.Compile(`(?s)\A` + m.text + `\z`)
	if err != nil {
		return false
	}
	found := re.FindStringSubmatch(text)
	for i := range found {
		if i > 0 && !sol.set(m.numbers[i-1], tree.String(found[i])) {
			return false
		}
	}
	return found != nil
}
