package explain

import (
	"slices"

	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Named returns steps with the names that their documents have in the output, and only those that any of
// the selectors selects. A document that an overlay removes later has its name at that time.
func Named(steps []Step, docs []tree.Doc, files *source.Set, chosen []selector.Selector) []Step {
	all := selector.Of(docs, files)
	out := output{names: selector.Names(all), chosen: selector.Any(chosen, all), at: map[source.Pos][]int{}}
	for i := range docs {
		out.at[docs[i].Pos] = append(out.at[docs[i].Pos], i)
		out.objects = append(out.objects, selector.ObjectOf(docs[i].Value))
	}
	var list []Step
	for i := range steps {
		s := steps[i]
		s.Matched = slices.Clone(s.Matched)
		keep := make([]bool, len(s.Matched))
		for k := range s.Matched {
			keep[k] = out.name(&s.Matched[k], chosen)
		}
		if len(chosen) == 0 {
			list = append(list, s)
		} else if slices.Contains(keep, true) {
			list = append(list, s.only(keep))
		}
	}
	return list
}

// output is the documents of a run with their names.
type output struct {
	names   []string
	chosen  []bool
	objects []selector.Object
	at      map[source.Pos][]int // indexes of documents, by position
}

// name sets the name of a target in the output, and reports whether the target is selected.
func (o *output) name(t *Target, chosen []selector.Selector) bool {
	i := o.find(t)
	if i < 0 {
		return len(chosen) == 0 ||
			slices.ContainsFunc(chosen, func(s selector.Selector) bool { return s.Names(t.object) })
	}
	t.Name = o.names[i]
	return o.chosen[i]
}

// find returns the document of the output that a target became, or -1 if that is unclear: a loop
// produces many documents at one position.
func (o *output) find(t *Target) int {
	list := o.at[t.At.Pos]
	if len(list) != 1 {
		list = slices.DeleteFunc(slices.Clone(list), func(i int) bool { return o.objects[i] != t.object })
	}
	if len(list) != 1 {
		return -1
	}
	return list[0]
}

// only returns the step with some of its targets.
func (s Step) only(keep []bool) Step {
	var to []int
	var matched []Target
	for i, ok := range keep {
		to = append(to, -1)
		if ok {
			to[i] = len(matched)
			matched = append(matched, s.Matched[i])
		}
	}
	s.Matched = matched
	var effects []Effect
	for _, e := range s.Effects {
		if e.Target >= 0 && to[e.Target] >= 0 {
			e.Target = to[e.Target]
			effects = append(effects, e)
		}
	}
	var skipped []Skip
	for _, k := range s.Skipped {
		if k.Target >= 0 && to[k.Target] >= 0 {
			k.Target = to[k.Target]
			skipped = append(skipped, k)
		}
	}
	s.Effects, s.Skipped = effects, skipped
	return s
}
