package secret

import "slices"

// index finds out which of many texts may be part of another, by how they begin: a cluster has
// thousands of secrets, and looking for each of them in each value would take minutes.
type index struct {
	always  []int                    // those that are too short, or may be written in another way
	byStart map[[shortest]byte][]int // the others
}

// few is how many texts are looked for one by one.
const few = 8

// Hide makes texts those that are hidden wherever they turn up. The longest come first, since one
// may be part of another.
func (r *Rules) Hide(texts []string) {
	r.Texts, r.index = texts, nil
	if len(texts) <= few {
		return
	}
	x := &index{byStart: map[[shortest]byte][]int{}}
	for i, s := range texts {
		if len(s) < shortest || unindented(s) != s {
			x.always = append(x.always, i)
			continue
		}
		start := [shortest]byte([]byte(s[:shortest]))
		x.byStart[start] = append(x.byStart[start], i)
	}
	r.index = x
}

// within are the texts that may be part of text, in their order.
func (r *Rules) within(text string) []string {
	if r.index == nil {
		return r.Texts
	}
	found := slices.Clone(r.index.always)
	for i := 0; i+shortest <= len(text); i++ {
		found = append(found, r.index.byStart[[shortest]byte([]byte(text[i:i+shortest]))]...)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	list := make([]string, len(found))
	for i, n := range found {
		list[i] = r.Texts[n]
	}
	return list
}
