// Package gitdir decides which paths belong to git: those below .git, in a bare repository, or where
// a .git file points. Writing there can make the next git command run a program, and reading there
// may reveal a password, so weft leaves these paths alone. Callers decide how.
package gitdir

import (
	"strings"
	"unicode"
)

// IsName reports whether some file system treats a name as .git: in any case, with trailing dots or
// spaces, as an NTFS stream, as a Windows short name, or with characters that some file systems
// ignore. The result is the same on all systems, since a name that is harmless here may be cloned
// elsewhere.
func IsName(name string) bool {
	if len(name) < len(".git") {
		return false // like nearly all short names
	}
	name = plain(name)
	if strings.EqualFold(name, ".git") {
		return true
	}
	stem, number, ok := strings.Cut(name, "~")
	return ok && strings.EqualFold(stem, "git") && number != "" && strings.Trim(number, "0123456789") == ""
}

// IsCheckout reports whether some file system treats a name as .gitignore or .gitattributes. With such a file
// in a folder, git leaves files of the folder out, or writes other bytes when it checks them out.
func IsCheckout(name string) bool {
	if len(name) < len(".gitignore") {
		return false
	}
	name = plain(name)
	return strings.EqualFold(name, ".gitignore") || strings.EqualFold(name, ".gitattributes")
}

// plain returns a name without what some file systems ignore in it.
func plain(name string) string {
	name, _, _ = strings.Cut(name, ":") // .git::$INDEX_ALLOCATION is .git
	return strings.TrimRight(strings.Map(visible, name), ". ")
}

// visible drops the characters that HFS+ and case-insensitive ext4 ignore in names.
func visible(r rune) rune {
	if r >= 0x80 &&
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}

// IsBelow reports whether a path is .git or below one: some part of it satisfies IsName. A
// backslash separates parts on all systems, as in git.
func IsBelow(path string) bool { return named(path) != "" }

// named returns the path up to its first part that satisfies IsName, or "".
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
