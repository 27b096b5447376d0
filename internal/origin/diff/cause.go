package diff

import (
	"fmt"
	"strings"

	"weft/internal/lang/tree"
)

// Cause is a change of the inputs.
type Cause struct {
	Title string // what changed, such as a data value's path or a file name
	Note  string // how it changed, such as "only in prod"; may be empty
	Place string // where it is written, such as envs/prod.yml:2; may be empty

	// Before and After are the values of a changed data value, or nil if it did not exist. They are masked
	// if Secret is set.
	Before, After *tree.Value
	Secret        bool
}

// Attribute assigns each change to the cause that makes it. Alone holds, for each cause, the difference
// between the first side and the first side with only that cause applied, or nil if it could not be
// evaluated. Changes that no single cause makes are assigned to all causes together.
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
			for _, e := range h.effects(&one.Changes[i]) {
				if _, ok := counts[e]; !ok {
					counts[e] = k
				}
			}
		}
	}
	rest := -1
	for i := range d.Changes {
		k, ok := 0, false
		for _, e := range h.effects(&d.Changes[i]) {
			if k, ok = counts[e]; ok {
				break
			}
		}
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

// maxTogether is the maximum number of causes named in a combined cause.
const maxTogether = 6

// together names the combination of several causes. Causes without an effect on their own come first: they
// are named nowhere else, and one of them contributes to the remaining changes.
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
	if n := len(names) - maxTogether; n > 1 {
		names, more = names[:maxTogether], fmt.Sprintf(" and %d more", n)
	}
	return "several changes together: " + strings.Join(names, ", ") + more
}

// effect identifies what a change does, regardless of where it is written. Documents are named as on the
// first side, which all differences share; added documents have their own names.
type effect struct {
	op            Op
	object, path  string
	before, after uint64
}

// effects returns what a change does, the most specific first. A document that is added or removed is also
// that document, whatever is in it: several inputs may decide about its content, but one of them brings it.
func (h *hasher) effects(c *Change) []effect {
	exact := h.effect(c)
	if len(c.Path) > 0 || c.Op != Added && c.Op != Removed {
		return []effect{exact}
	}
	return []effect{exact, {op: c.Op, object: exact.object}}
}

func (h *hasher) effect(c *Change) effect {
	return effect{
		op: c.Op, object: c.Object.Was.String(), path: c.Path.String(),
		before: h.value(c.Before), after: h.value(c.After),
	}
}
