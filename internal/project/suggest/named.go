package suggest

import (
	"slices"
	"strconv"
	"strings"
)

// This file finds matchers for documents that have nothing in common but their edit: lists of names.

// minNamed is how many documents get a list of their names. Two are matched one by one.
const minNamed = 3

// naming is a way to name documents that have the same scalars at some paths: by what is at another path.
type naming struct {
	common [][]string
	path   []string
}

// namings returns the ways to name documents, the most stable first.
func namings() []naming {
	kind, name := []string{"kind"}, []string{"metadata", "name"}
	list := []naming{{[][]string{kind}, name}, {[][]string{kind, {"metadata", "namespace"}}, name}}
	for _, key := range titles {
		list = append(list, naming{nil, []string{key}})
	}
	return list
}

// namesake is documents that a list of names selects, and no others.
type namesake struct {
	docs  []int
	has   map[string]bool // their names
	wrong bool            // another document has one of the names, or one has none
}

// byNames returns matchers that each select some of the wanted documents by a list of names, and the documents that
// none of them selects.
func (c *census) byNames(wanted []int) (list []selection, rest []int) {
	for _, how := range namings() {
		found := map[int]bool{}
		for _, g := range c.namedBy(how, wanted) {
			if g.wrong || len(g.docs) < minNamed {
				continue
			}
			m := matcher{index: -1, path: how.path}
			for _, way := range how.common {
				x, _ := conditionAt(c.docs[g.docs[0]], way...)
				m.conditions = append(m.conditions, x)
			}
			for _, i := range g.docs {
				x, _ := conditionAt(c.docs[i], how.path...)
				if text := literal(x.value); g.has[text] {
					m.names, g.has[text] = append(m.names, text), false // once
				}
				found[i] = true
			}
			list = append(list, selection{m, g.docs})
		}
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(i int) bool { return found[i] })
	}
	return list, wanted
}

// selection is a matcher, and the documents that it selects.
type selection struct {
	matcher
	docs []int
}

// namedBy groups the wanted documents by what they have in common.
func (c *census) namedBy(how naming, wanted []int) (order []*namesake) {
	groups := map[string]*namesake{}
	for _, i := range wanted {
		key, ok := scalarsAt(c.docs[i], how.common)
		if !ok {
			continue
		}
		g := groups[key]
		if g == nil {
			g = &namesake{has: map[string]bool{}}
			groups[key], order = g, append(order, g)
		}
		g.docs = append(g.docs, i)
		if x, ok := conditionAt(c.docs[i], how.path...); ok {
			g.has[literal(x.value)] = true
		}
	}
	isWanted := setOf(wanted)
	for i, v := range c.docs {
		key, ok := scalarsAt(v, how.common)
		if g := groups[key]; ok && g != nil {
			x, ok := conditionAt(v, how.path...)
			g.wrong = g.wrong || !ok || !isWanted[i] && g.has[literal(x.value)]
		}
	}
	return order
}

// byName returns the expression that selects documents by a list, which a variable has.
func (m matcher) byName(variable string) string {
	where := "left"
	for _, key := range m.path {
		where += "[" + strconv.Quote(key) + "]"
	}
	by := "lambda index, left, right: " + where + " in " + variable
	if len(m.conditions) > 0 {
		by = "overlay.and_op(overlay.subset(" + subset(m.conditions, 0) + "), " + by + ")"
	}
	return by
}

const (
	maxLine   = 100 // the width of a list on one line
	manyNames = 100 // from here on, a list takes longer to search than a dict
)

// listOf returns the line or the lines of code that give a variable a list of names.
func listOf(variable string, names []string) string {
	if line := "#@ " + variable + " = [" + strings.Join(names, ", ") + "]\n"; len(line) <= maxLine {
		return line
	}
	list := "[\n#@   " + strings.Join(names, ",\n#@   ") + ",\n#@ ]"
	if len(names) >= manyNames {
		list = "{name: True for name in " + list + "}"
	}
	return "#@ " + variable + " = " + list + "\n"
}
