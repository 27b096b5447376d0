package outdir

import (
	"strings"
	"unicode/utf8"
)

// Key returns the same for paths that some file system takes for one: those that differ only in
// upper and lower case, or in how their letters are composed.
func Key(path string) string {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			// By way of upper case, since some letters have more than one lower case: σ and ς.
			return strings.ToLower(strings.ToUpper(decomposed(path)))
		}
	}
	return strings.ToLower(path)
}
