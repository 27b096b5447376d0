package diff

import (
	"fmt"
	"strings"

	"weft/internal/lang/tree"
)

// Cause is a change of the inputs.
type Cause struct {
	Title string // what changed, such as a data value's path or a file's name
	Note  string // what happened to it, such as "only in prod"; may be empty
	Place string // where it is written, such as envs/prod.yml:2; may be empty

	// Before and After are the two values, if it is a data value. They are nil if there was none,
	// or will be none, and what they show is hidden if Secret is set.
	Before, After *tree.Value
	Secret        bool
}

// Attribute finds out which changes each cause makes. Alone are the differences that the causes
// make by themselves, in the same order: from the first side to the first side with that change of
// the inputs. An element is nil if that could not be evaluated. Changes that no cause makes by
// itself are those of all of them together.
func (d *Difference) Attribute(causes []Cause, alone []*Difference) {
	if len(causes) == 0 || d.Empty() {
		return
	}
	d.Causes = causes
	if len(causes) == 1 {
		for i := range d.Changes {
			d.Changes[i].Cause = 0
		}
		return
	}
	h := newComparer(d.A, d.B, &Options{}).hash
	counts := map[effect]int{}
	for k, one := range alone {
		if one == nil {
			continue
		}
		for i := range one.Changes {
			e := h.effect(&one.Changes[i])
			if _, ok := counts[e]; !ok {
				counts[e] = k
			}
		}
	}
	rest := -1
	for i := range d.Changes {
		k, ok := counts[h.effect(&d.Changes[i])]
		if !ok {
			if rest < 0 {
				rest = len(causes)
				d.Causes = append(causes[:rest:rest], Cause{Title: together(causes, alone)})
			}
			k = rest
		}
		d.Changes[i].Cause = k
	}
}

// mostTogether is how many causes are named as those that do something together.
const mostTogether = 6

// together names what several causes do. Those that do nothing by themselves come first: nothing
// else names them, and one of them has its part in what remains.
func together(causes []Cause, alone []*Difference) string {
	titles := make([]string, len(causes))
	var idle, others []string
	for i, c := range causes {
		titles[i] = c.Title
		if alone[i] == nil || alone[i].Empty() {
			idle = append(idle, c.Title)
		} else {
			others = append(others, c.Title)
		}
	}
	if last := len(titles) - 1; last < 3 {
		return strings.Join(titles[:last], ", ") + " and " + titles[last] + " together"
	}
	names, more := append(idle, others...), ""
	if n := len(names) - mostTogether; n > 1 {
		names, more = names[:mostTogether], fmt.Sprintf(" and %d more", n)
	}
	return "several changes together: " + strings.Join(names, ", ") + more
}

// effect is what a change does, wherever it is written. Documents have the names of the first side,
// which all differences have in common, or else those that they are given.
type effect struct {
	op            Op
	object, path  string
	before, after uint64
}

func (h *hasher) effect(c *Change) effect {
	return effect{
		op: c.Op, object: c.Object.Was.String(), path: c.Path.String(),
		before: h.value(c.Before), after: h.value(c.After),
	}
}
