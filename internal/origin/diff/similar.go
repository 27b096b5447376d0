package diff

import (
	"cmp"
	"slices"
)

// minSimilarity is the minimum score of two versions of the same thing.
const minSimilarity = 0.6

// With so few features, sharing half of them is enough: otherwise one change would already be too
// much.
const (
	fewFeatures      = 2
	minSimilarityFew = 0.5
)

// isSimilar reports whether two things are similar enough.
func isSimilar(f, g []uint64, score float64) bool {
	return score >= minSimilarity || score >= minSimilarityFew && max(len(f), len(g)) <= fewFeatures
}

// Limits of the search, which keep its cost linear instead of quadratic. Little is lost, because rare
// features distinguish things best.
const (
	rareFeatures = 16 // features of each thing that are looked up
	common       = 32 // a feature of more things than this is ignored
	candidates   = 8  // things compared with each thing
)

// match is a pair of things, one of each list.
type match struct {
	a, b  int
	score float64
}

// similar pairs similar things: the most similar first and, among equally similar ones, those closest in
// position. Each thing is a list of features.
func similar(a, b [][]uint64) []match {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for _, list := range [][][]uint64{a, b} {
		for _, f := range list {
			slices.Sort(f)
		}
	}
	index := map[uint64][]int32{}
	for j, f := range b {
		for i, x := range f {
			if i == 0 || f[i-1] != x {
				if list := index[x]; len(list) <= common {
					index[x] = append(list, int32(j))
				}
			}
		}
	}
	var found []match
	counts := map[int]int{}
	for i, f := range a {
		for _, j := range candidatesFor(f, index, counts) {
			if s := score(f, b[j]); isSimilar(f, b[j], s) {
				found = append(found, match{i, j, s})
			}
		}
		if j := i * len(b) / len(a); len(counts) == 0 { // nothing is rare: try a neighbor
			if s := score(f, b[j]); isSimilar(f, b[j], s) {
				found = append(found, match{i, j, s})
			}
		}
	}
	return best(found, len(a), len(b))
}

// candidatesFor returns the things that share the most rare features with f.
func candidatesFor(f []uint64, index map[uint64][]int32, counts map[int]int) []int {
	type rare struct {
		feature uint64
		things  []int32
	}
	var features []rare
	for i, x := range f {
		if list := index[x]; (i == 0 || f[i-1] != x) && len(list) > 0 && len(list) <= common {
			features = append(features, rare{x, list})
		}
	}
	// The order of hashes depends on the seed, so it must not decide what is dropped: of equally rare
	// features, those of the first things are kept.
	slices.SortFunc(features, func(x, y rare) int {
		if n := cmp.Compare(len(x.things), len(y.things)); n != 0 {
			return n
		}
		return slices.Compare(x.things, y.things)
	})
	clear(counts)
	for _, r := range features[:min(len(features), rareFeatures)] {
		for _, j := range r.things {
			counts[int(j)]++
		}
	}
	list := make([]int, 0, len(counts))
	for j := range counts {
		list = append(list, j)
	}
	slices.SortFunc(list, func(x, y int) int {
		if n := cmp.Compare(counts[y], counts[x]); n != 0 {
			return n
		}
		return cmp.Compare(x, y)
	})
	return list[:min(len(list), candidates)]
}

// score returns the similarity of two sorted lists of features, where 1 means equal (Dice's coefficient).
func score(f, g []uint64) float64 {
	if len(f)+len(g) == 0 {
		return 0
	}
	shared := 0
	for i, j := 0, 0; i < len(f) && j < len(g); {
		switch {
		case f[i] == g[j]:
			shared, i, j = shared+1, i+1, j+1
		case f[i] < g[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(shared) / float64(len(f)+len(g))
}

// best selects pairs so that each thing is in at most one.
func best(found []match, n, m int) []match {
	slices.SortFunc(found, func(x, y match) int {
		if c := cmp.Compare(y.score, x.score); c != 0 {
			return c
		}
		if c := cmp.Compare(x.distance(), y.distance()); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	usedA, usedB := make([]bool, n), make([]bool, m)
	var list []match
	for _, p := range found {
		if !usedA[p.a] && !usedB[p.b] {
			usedA[p.a], usedB[p.b] = true, true
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(x, y match) int { return cmp.Compare(x.a, y.a) })
	return list
}

func (p match) distance() int { return max(p.a-p.b, p.b-p.a) }
