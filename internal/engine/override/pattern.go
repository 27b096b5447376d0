package override

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Rules are a user's exceptions to how lists are merged: by which key, or not by key at all.
type Rules struct {
	keys  []exception
	lists []exception
}

// exception is one flag: a pattern of paths, and the rule for them.
type exception struct {
	flag    string   // as it was written, for messages
	pattern []string // keys; "*" is any one, "**" any number
	key     string
	list    ListMode
}

// defaultKey is the key that identifies entries of lists by default.
const defaultKey = "name"

// ParseRules reads the values of --merge-key (PATH=KEY) and --lists (PATH=append, replace or
// union).
func ParseRules(mergeKeys, lists []string) (*Rules, error) {
	r := &Rules{}
	for _, s := range mergeKeys {
		path, key, ok := strings.Cut(s, "=")
		pattern := splitPath(path)
		if !ok || key == "" || pattern == nil {
			return nil, badFlag(
				"--merge-key",
				s,
				"PATH=KEY, as in ports=value or **.containers=name",
			)
		}
		r.keys = append(r.keys, exception{flag: "--merge-key " + s, pattern: pattern, key: key})
	}
	for _, s := range lists {
		path, how, ok := strings.Cut(s, "=")
		pattern := splitPath(path)
		mode, known := map[string]ListMode{
			"append": AppendList, "replace": ReplaceList, "union": UnionList,
		}[how]
		if !ok || !known || pattern == nil {
			return nil, badFlag(
				"--lists",
				s,
				"PATH=append, PATH=replace or PATH=union, as in packages.install=union",
			)
		}
		r.lists = append(r.lists, exception{flag: "--lists " + s, pattern: pattern, list: mode})
	}
	return r, nil
}

func badFlag(flag, value, form string) error {
	return diag.Errorf(
		source.Span{},
		CodeArgument,
		"%s takes %s, but found '%s'",
		flag,
		form,
		value,
	)
}

// splitPath splits a path of keys at its dots. It is nil if one of them is empty.
func splitPath(path string) []string {
	parts := strings.Split(path, ".")
	if slices.Contains(parts, "") {
		return nil
	}
	return parts
}

// at returns how the list at a path is merged. If several patterns match, the last one wins.
// Matching flags are recorded in met.
func (r *Rules) at(path Path, met map[string]bool) (mode ListMode, key string) {
	mode, key = ByKey, defaultKey
	if r == nil {
		return mode, key
	}
	for i := range r.keys {
		if e := &r.keys[i]; matches(e.pattern, path) {
			met[e.flag], key = true, e.key
		}
	}
	for i := range r.lists {
		if e := &r.lists[i]; matches(e.pattern, path) {
			met[e.flag], mode = true, e.list
		}
	}
	return mode, key
}

// KeyAt returns the key that identifies entries of the list at a path.
func (r *Rules) KeyAt(path Path) string {
	_, key := r.at(path, map[string]bool{})
	return key
}

// matches reports whether a pattern fits a path. Entries of lists are not part of a path:
// `stages.envs` is the envs of every entry of stages.
func matches(pattern []string, path Path) bool {
	for i, p := range pattern {
		for len(path) > 0 && path[0].entry {
			path = path[1:]
		}
		if p == "**" {
			for {
				if matches(pattern[i+1:], path) {
					return true
				}
				if len(path) == 0 {
					return false
				}
				path = path[1:]
			}
		}
		if len(path) == 0 || p != "*" && p != path[0].text {
			return false
		}
		path = path[1:]
	}
	return len(path) == 0
}

// unmatchedFlags returns the flags that matched no list.
func (r *Rules) unmatchedFlags(met map[string]bool) (flags []string) {
	if r == nil {
		return nil
	}
	for _, list := range [][]exception{r.keys, r.lists} {
		for _, e := range list {
			if !met[e.flag] {
				flags = append(flags, e.flag)
			}
		}
	}
	return flags
}
