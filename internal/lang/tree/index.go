package tree

// IndexKeys returns where in items the scalar keys are; of equal keys the last.
func IndexKeys(items []Item) map[ScalarKey]int {
	index := make(map[ScalarKey]int, len(items))
	for i := range items {
		if k, ok := items[i].Key.ScalarKey(); ok {
			index[k] = i
		}
	}
	return index
}
