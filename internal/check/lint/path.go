package lint

import (
	"path"
	"strings"
)

// MatchPath reports whether a pattern matches a path: `*` is any part of a name, `**` any number of
// folders.
func MatchPath(pattern, name string) bool {
	return matchParts(strings.Split(pattern, "/"), strings.Split(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func matchParts(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			if len(pattern) == 1 {
				return true
			}
			for i := range name {
				if matchParts(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], name[0]); !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}

// IsVendored reports whether a file is a copy of what others maintain: it is changed where it comes
// from, so that findings in it are only suggestions.
func IsVendored(name string) bool {
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	for i, part := range parts[:len(parts)-1] {
		switch part {
		case "vendor", "vendored", "third_party", "third-party":
			return true
		case "_ytt_lib": // below it, the name of a host is that of a repository
			if strings.Contains(parts[i+1], ".") && i+2 < len(parts) {
				return true
			}
		}
	}
	return false
}
