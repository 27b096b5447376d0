// Package gitdir decides which paths belong to git: those below .git, in a bare repository, or where a
// .git file points. Writing there can make the next git command run a program, and reading there may
// reveal a password, so weft leaves these paths alone. What that means is up to the callers.
package gitdir

import (
	"strings"
	"unicode"
)

// IsName reports whether some file system takes a name for .git: in any case, with dots and blanks
// at its end or as a stream of NTFS, as the short name of Windows, or with characters that some
// file systems ignore. It is the same on all systems, since a name that is harmless here is cloned
// elsewhere.
func IsName(name string) bool {
	name, _, _ = strings.Cut(name, ":") // .git::$INDEX_ALLOCATION is .git
	if len(name) < len(".git") {
		return false // which nearly all short names are
	}
	name = strings.TrimRight(strings.Map(visible, name), ". ")
	if strings.EqualFold(name, ".git") {
		return true
	}
	stem, number, ok := strings.Cut(name, "~")
	return ok && strings.EqualFold(stem, "git") && number != "" && strings.Trim(number, "0123456789") == ""
}

// visible drops the characters that HFS+ and case-insensitive ext4 ignore in names.
func visible(r rune) rune {
	if r >= 0x80 &&
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}

// IsBelow reports whether a path has a part that IsName: it is .git, or below one. A backslash
// separates parts on all systems, as in git.
func IsBelow(path string) bool { return named(path) != "" }

// named returns the path as far as its first part that IsName, or "".
func named(path string) string {
	for i := 0; i < len(path); {
		n := strings.IndexAny(path[i:], `/\`)
		if n < 0 {
			n = len(path) - i
		}
		if IsName(path[i : i+n]) {
			return path[:i+n]
		}
		i += n + 1
	}
	return ""
}
