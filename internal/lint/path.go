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
