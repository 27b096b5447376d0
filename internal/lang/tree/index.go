package tree

// IndexKeys maps the scalar keys of items to their indexes. If keys are equal, the last one counts.
func IndexKeys(items []Item) map[ScalarKey]int {
	index := make(map[ScalarKey]int, len(items))
	for i := range items {
		if k, ok := items[i].Key.ScalarKey(); ok {
			index[k] = i
		}
	}
	return index
}
