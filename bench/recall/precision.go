package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A claim is right if a change of the data value changes the node. For most claims, changing that value
// alone shows it. The others get a second chance, since one value can hide another: while a is false, `a
// and b` does not depend on b, although b is one of its two inputs. So other data values are changed
// first, at random, and then the value in question, if the node still exists. These second chances count
// for precision only, not for recall.
//
// A claim that no change confirms is wrong. If a change of its data value does not render, there is no
// output to compare with, and the claim does not count.

// claim is a data value that blame names at a node.
type claim struct{ value, path string }

// precision counts how many claims are right. moved maps each data value to the nodes that it changes;
// failing has the data values with a change that does not render.
func (t *tally) precision(
	seed uint64, p *project, claimed *claims, moved map[string]map[string]bool, failing map[string]bool,
) {
	var open []claim
	for path, found := range claimed.nodes {
		for n := range found {
			s := t.of(path)
			s.claims++
			if c := (claim{n, path}); c.shown(moved) {
				s.right++
				s.alone++
			} else {
				open = append(open, c)
			}
		}
	}
	slices.SortFunc(open, func(a, b claim) int { return strings.Compare(a.value+a.path, b.value+b.path) })
	for round := range uint64(chances) {
		if len(open) == 0 {
			return
		}
		moved := p.movedBeside(rand.New(rand.NewPCG(seed, round)), open)
		open = slices.DeleteFunc(open, func(c claim) bool {
			ok := c.shown(moved)
			if ok {
				t.of(c.path).right++
			}
			return ok
		})
	}
	for _, c := range open {
		if failing[c.value] {
			t.of(c.path).claims--
			continue
		}
		t.wrong = append(t.wrong, fmt.Sprintf("seed %d: %s does not change %s (%s)", seed, c.value, c.path,
			claimed.parts[c]))
	}
}

// chances is the number of attempts with other data values changed first.
const chances = 16

// shown reports whether a change of the data value changed the node, or something in it.
func (c claim) shown(moved map[string]map[string]bool) bool {
	for v, nodes := range moved {
		if (v == c.value || inside(v, c.value) || inside(c.value, v)) && touches(nodes, c.path) {
			return true
		}
	}
	return false
}

// movedBeside returns the nodes that the data values of claims change while other data values are
// changed as well.
func (p *project) movedBeside(r *rand.Rand, open []claim) map[string]map[string]bool {
	others := p.values.beside(r, 2+r.IntN(3))
	base, err := render(p.options(others.root, ""))
	moved := map[string]map[string]bool{}
	if err != nil {
		return moved // not every choice of values renders
	}
	for _, c := range others.changes() {
		asked := func(o claim) bool {
			return o.value == c.path || inside(c.path, o.value) || inside(o.value, c.path)
		}
		if !slices.ContainsFunc(open, asked) {
			continue
		}
		if got, err := render(p.options(c.root, "")); err == nil {
			compare(base, got.aligned(base), func(path string, _ bool) {
				add(moved, c.path,
					[]string{path})
			})
		}
	}
	return moved
}

// touches reports whether moved contains a node or something in it.
func touches(moved map[string]bool, path string) bool {
	if moved[path] {
		return true
	}
	for m := range moved {
		if strings.HasPrefix(m, path+"/") {
			return true
		}
	}
	return false
}
