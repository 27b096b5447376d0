package unified

// Increasing returns the indexes of a longest increasing subsequence of a list, in n log n. In a
// list of new places, those are the elements that stay; the others have moved.
func Increasing(list []int) []int {
	// tails[k] is the end of the subsequence of length k+1 whose last element is the smallest;
	// before links its elements backward.
	var tails []int
	before := make([]int, len(list))
	for i, x := range list {
		lo, hi := 0, len(tails)
		for lo < hi {
			if mid := (lo + hi) / 2; list[tails[mid]] < x {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		before[i] = -1
		if lo > 0 {
			before[i] = tails[lo-1]
		}
		if lo == len(tails) {
			tails = append(tails, i)
		} else {
			tails[lo] = i
		}
	}
	run := make([]int, len(tails))
	if len(tails) > 0 {
		for k, i := len(tails)-1, tails[len(tails)-1]; k >= 0; k, i = k-1, before[i] {
			run[k] = i
		}
	}
	return run
}
