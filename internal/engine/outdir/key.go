package outdir

import (
	"strings"
	"unicode/utf8"
)

// Key returns the same string for paths that some file system treats as equal: those that differ
// only in case, or in how their letters are composed.
func Key(path string) string {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			// Upper case first, since some letters have more than one lower case: σ and ς.
			return strings.ToLower(strings.ToUpper(decomposed(path)))
		}
	}
	return strings.ToLower(path)
}
