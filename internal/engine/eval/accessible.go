package eval

import (
	"slices"

	"weft/internal/engine/load"
)

// Accessible returns the paths of all inputs outside private libraries, in input order.
func Accessible(inputs []load.Input) []string {
	var paths []string
	for _, in := range inputs {
		if !slices.Contains(splitPath(dirOf(in.Path)), privateDir) {
			paths = append(paths, in.Path)
		}
	}
	return paths
}
