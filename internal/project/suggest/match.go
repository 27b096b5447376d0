package suggest

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// literal returns a scalar as Starlark.
func literal(v tree.Value) string {
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.String:
		return syntax.Quote(string(text), false)
	case yaml.Null:
		return "None"
	case yaml.Bool:
		if val.Bool() {
			return "True"
		}
		return "False"
	}
	return v.Starlark().String()
}

func number(i int) tree.Value { return tree.Of(starlark.MakeInt(i)) }

// yes is the value true.
func yes() tree.Value { return truth(true) }

func truth(v bool) tree.Value { return tree.Of(starlark.Bool(v)) }

// joined returns a path for people.
func joined(path []string) string {
	return strings.ReplaceAll(strings.Join(path, "."), ".[", "[")
}

// condition is a scalar that a document has at a path of keys.
type condition struct {
	path  []string
	value tree.Value
}

func (c condition) holds(v tree.Value) bool {
	for _, key := range c.path {
		var ok bool
		if v, ok = v.Lookup(key); !ok {
			return false
		}
	}
	return v.Kind() == tree.ScalarKind && tree.SameScalar(v, c.value)
}

// conditionAt returns the condition that a document has what it has at a path; false if there is no scalar.
func conditionAt(v tree.Value, path ...string) (condition, bool) {
	c := condition{path: path}
	for _, key := range path {
		var ok bool
		if v, ok = v.Lookup(key); !ok {
			return c, false
		}
	}
	c.value = v
	return c, v.Kind() == tree.ScalarKind && !v.IsNull()
}

// matcher finds documents: those for which all conditions hold.
type matcher struct {
	conditions []condition
	index      int // of the only document, if nothing else tells it apart; otherwise -1
}

func (m matcher) holds(v tree.Value) bool {
	return !slices.ContainsFunc(m.conditions, func(c condition) bool { return !c.holds(v) })
}

// String returns the matcher as an overlay writes it.
func (m matcher) String() string {
	switch {
	case m.index >= 0:
		return "overlay.index(" + strconv.Itoa(m.index) + ")"
	case len(m.conditions) == 0:
		return "overlay.all"
	}
	return "overlay.subset(" + subset(m.conditions, 0) + ")"
}

// subset returns conditions as a dict. Those with a common beginning of their paths come one after another.
func subset(list []condition, depth int) string {
	var parts []string
	for i := 0; i < len(list); {
		key := list[i].path[depth]
		n := i + 1
		for n < len(list) && len(list[n].path) > depth && list[n].path[depth] == key {
			n++
		}
		value := literal(list[i].value)
		if len(list[i].path) > depth+1 {
			value = subset(list[i:n], depth+1)
		}
		parts = append(parts, syntax.Quote(key, false)+": "+value)
		i = n
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// matcherOf returns the most stable matcher that selects exactly the wanted ones of some documents: by kind
// and name, by what else they have in common, or, for a single one, by its number.
func matcherOf(docs []tree.Value, wanted []int) (matcher, bool) {
	first := docs[wanted[0]]
	exact := func(list []condition) bool {
		m := matcher{conditions: list}
		for i, v := range docs {
			if m.holds(v) != slices.Contains(wanted, i) {
				return false
			}
		}
		return true
	}
	for _, list := range candidates(first, len(wanted) == 1) {
		if exact(list) {
			return matcher{conditions: list, index: -1}, true
		}
	}
	if len(wanted) == 1 {
		return matcher{index: wanted[0]}, true
	}
	return matcher{}, false
}

// candidates returns conditions that may tell a document apart, the most stable first.
func candidates(v tree.Value, alone bool) (lists [][]condition) {
	var known []condition
	add := func(path ...string) {
		if c, ok := conditionAt(v, path...); ok {
			known = append(known, c)
		}
	}
	add("kind")
	if alone {
		add("metadata", "name")
		if len(known) == 2 {
			lists = append(lists, slices.Clone(known))
			add("metadata", "namespace")
			lists = append(lists, slices.Clone(known))
			if c, ok := conditionAt(v, "apiVersion"); ok {
				lists = append(lists, slices.Insert(slices.Clone(known), 0, c), []condition{c, known[0], known[1]})
			}
		}
	} else if len(known) == 1 {
		lists = append(lists, slices.Clone(known))
		for _, c := range labels(v) {
			lists = append(lists, []condition{known[0], c})
		}
	}
	for _, c := range labels(v) {
		lists = append(lists, []condition{c})
	}
	for _, it := range entriesOf(v) {
		if c, ok := conditionAt(v, tree.KeyText(it.Key)); ok && it.Value.Kind() == tree.ScalarKind {
			lists = append(lists, []condition{c})
		}
	}
	if lists != nil || !alone {
		lists = append(lists, nil) // all documents
	}
	return lists
}

// labels returns the conditions that a document has its labels.
func labels(v tree.Value) (list []condition) {
	metadata, _ := v.Lookup("metadata")
	all, _ := metadata.Lookup("labels")
	for _, it := range entriesOf(all) {
		if c, ok := conditionAt(v, "metadata", "labels", tree.KeyText(it.Key)); ok {
			list = append(list, c)
		}
	}
	return list
}

// entriesOf returns the items of a map, or nothing.
func entriesOf(v tree.Value) []tree.Item {
	if v.Kind() != tree.MapKind {
		return nil
	}
	return v.Entries()
}

// onlyOne returns a matcher for an item of a list by what only this one has: one of its scalars, or all of it
// if it is short. It returns "" if there is nothing.
func onlyOne(items []tree.Value, i int) string {
	subsets := []tree.Value{items[i]}
	for _, it := range slices.Backward(entriesOf(items[i])) {
		if c, ok := conditionAt(items[i], tree.KeyText(it.Key)); ok && it.Key.IsString(c.path[0]) {
			subsets = append(subsets, tree.Of(tree.NewMap([]tree.Item{it}, it.Pos)))
		}
	}
	for _, part := range slices.Backward(subsets) {
		other := func(v tree.Value) bool { return contains(v, part) }
		if slices.ContainsFunc(items[:i], other) || slices.ContainsFunc(items[i+1:], other) {
			continue
		}
		if text, ok := expression(part); ok && (len(text) <= maxMatched || part.Kind() == tree.ScalarKind) {
			return "overlay.subset(" + text + ")"
		}
	}
	return ""
}

// maxMatched is the longest text of an item that a matcher names as a whole.
const maxMatched = 80

// contains reports whether overlay.subset finds a value with this part.
func contains(v, part tree.Value) bool {
	if v.Kind() != part.Kind() {
		return false
	}
	switch v.Kind() {
	case tree.MapKind:
		return !slices.ContainsFunc(part.Entries(), func(it tree.Item) bool {
			x, ok := find(v, it.Key)
			return !ok || !contains(x, it.Value)
		})
	case tree.ArrayKind:
		return v.Len() >= part.Len() && slices.EqualFunc(v.Entries()[:part.Len()], part.Entries(),
			func(a, b tree.Item) bool { return contains(a.Value, b.Value) })
	}
	return tree.SameScalar(v, part)
}

// expression returns a value as Starlark, on one line; false if it has nulls, empty collections or keys that
// are not strings.
func expression(v tree.Value) (string, bool) {
	if v.Kind() == tree.ScalarKind {
		return literal(v), !v.IsNull()
	}
	var parts []string
	for _, it := range v.Entries() {
		text, ok := expression(it.Value)
		if v.Kind() == tree.MapKind {
			ok = ok && it.Key.IsString(tree.KeyText(it.Key))
			text = literal(it.Key) + ": " + text
		}
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	if v.Kind() == tree.MapKind {
		return "{" + text + "}", parts != nil
	}
	return "[" + text + "]", parts != nil
}
