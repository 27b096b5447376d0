package suggest

import (
	"fmt"
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
	index      int      // of the only document, if nothing else tells it apart; otherwise -1
	path       []string // if there are names: where documents have one of them
	names      []string // as Starlark
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

// census counts documents by what they have, so that a matcher of one need not look at all others.
type census struct {
	docs []tree.Value
	have map[string]counted // by the paths of conditions
	late map[string]bool    // labels that short cuts set: overlays, which come first, do not see them
}

// counted is how many documents have the same scalars at some paths.
type counted struct {
	paths [][]string
	count map[string]int // by the scalars
}

func newCensus(docs []tree.Value) *census { return &census{docs: docs, have: map[string]counted{}} }

// overlayCensus counts documents for the matchers of overlays.
func (s *search) overlayCensus(docs []tree.Value) *census {
	c := newCensus(docs)
	if s.now == nil {
		return c
	}
	settings, err := s.now.Environment(s.in.Env)
	if err != nil {
		return c
	}
	c.late = map[string]bool{}
	for _, x := range settings.Kubernetes {
		if x.Key == "labels" {
			c.late[x.Name] = true
		}
	}
	return c
}

// scalarsAt returns the scalars of a document at some paths as a key; false if it has not all of them.
func scalarsAt(v tree.Value, paths [][]string) (string, bool) {
	var b strings.Builder
	for _, way := range paths {
		c, ok := conditionAt(v, way...)
		if !ok {
			return "", false
		}
		if val, text := c.value.Scalar(); val.Kind == yaml.String {
			b.WriteString(strconv.Itoa(len(text)) + ":")
			b.Write(text)
		} else {
			b.WriteString(literal(c.value) + " ")
		}
	}
	return b.String(), true
}

// replace says that a document is another one now.
func (c *census) replace(i int, v tree.Value) {
	c.recount(c.docs[i], -1)
	c.docs[i] = v
	c.recount(v, 1)
}

// remove says that a document is not there any more. The next ones get other numbers.
func (c *census) remove(i int) {
	c.recount(c.docs[i], -1)
	c.docs = slices.Delete(c.docs, i, i+1)
}

func (c *census) recount(v tree.Value, by int) {
	for _, x := range c.have {
		if key, ok := scalarsAt(v, x.paths); ok {
			x.count[key] += by
		}
	}
}

// selects returns how many documents meet all conditions, and whether those with some numbers do.
func (c *census) selects(list []condition, wanted []int) (n int, all bool) {
	var paths [][]string
	for _, x := range list {
		paths = append(paths, x.path)
	}
	name := fmt.Sprintf("%q", paths)
	x, ok := c.have[name]
	if !ok {
		x = counted{paths, map[string]int{}}
		for _, v := range c.docs {
			if key, ok := scalarsAt(v, paths); ok {
				x.count[key]++
			}
		}
		c.have[name] = x
	}
	first, _ := scalarsAt(c.docs[wanted[0]], paths)
	return x.count[first], !slices.ContainsFunc(wanted, func(i int) bool {
		key, ok := scalarsAt(c.docs[i], paths)
		return !ok || key != first
	})
}

// matcherOf returns the most stable matcher that selects exactly the wanted ones of some documents: by kind
// and name, by what else they have in common, or, for a single one, by its number.
func (c *census) matcherOf(wanted []int) (matcher, bool) {
	for _, list := range c.candidates(c.docs[wanted[0]], len(wanted) == 1, len(c.docs) == 1) {
		if n, all := c.selects(list, wanted); all && n == len(wanted) {
			return matcher{conditions: list, index: -1}, true
		}
	}
	if len(wanted) == 1 {
		return matcher{index: wanted[0]}, true
	}
	return matcher{}, false
}

// titles are keys that name a document that is no object of Kubernetes.
var titles = []string{"name", "id", "title"}

// candidates returns conditions that may tell a document apart, the most stable first. alone says that it is one
// document, and only that there is no other: then all documents are that one.
func (c *census) candidates(v tree.Value, alone, only bool) (lists [][]condition) {
	var known []condition
	add := func(path ...string) {
		if x, ok := conditionAt(v, path...); ok {
			known = append(known, x)
		}
	}
	add("kind")
	if alone {
		add("metadata", "name")
		if len(known) == 2 {
			lists = append(lists, slices.Clone(known))
			add("metadata", "namespace")
			lists = append(lists, slices.Clone(known))
			if x, ok := conditionAt(v, "apiVersion"); ok {
				lists = append(lists, slices.Insert(slices.Clone(known), 0, x), []condition{x, known[0], known[1]})
			}
		}
	} else if len(known) == 1 {
		lists = append(lists, slices.Clone(known))
		for _, x := range c.labels(v) {
			lists = append(lists, []condition{known[0], x})
		}
	}
	for _, x := range c.labels(v) {
		lists = append(lists, []condition{x})
	}
	for _, key := range titles {
		if x, ok := conditionAt(v, key); ok {
			lists = append(lists, []condition{x})
		}
	}
	if only {
		return append(lists, nil)
	}
	for _, it := range entriesOf(v) {
		if x, ok := conditionAt(v, tree.KeyText(it.Key)); ok && it.Value.Kind() == tree.ScalarKind {
			lists = append(lists, []condition{x})
		}
	}
	if lists != nil || !alone {
		lists = append(lists, nil) // all documents
	}
	return lists
}

// labels returns the conditions that a document has its labels.
func (c *census) labels(v tree.Value) (list []condition) {
	metadata, _ := v.Lookup("metadata")
	all, _ := metadata.Lookup("labels")
	for _, it := range entriesOf(all) {
		key := tree.KeyText(it.Key)
		if x, ok := conditionAt(v, "metadata", "labels", key); ok && !c.late[key] {
			list = append(list, x)
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
		find := finder(v)
		return !slices.ContainsFunc(part.Entries(), func(it tree.Item) bool {
			x, ok := find(it.Key)
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
