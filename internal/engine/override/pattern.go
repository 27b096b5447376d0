package override

import (
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
)

// Rules are a user's exceptions to how lists are merged: by which key, or not by key at all.
type Rules struct {
	keys  []exception
	lists []exception
}

// exception is one flag: a pattern of paths, and the rule for them.
type exception struct {
	flag    string // as it was written, for messages
	pattern path.Pattern
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
		e, key, err := parseException("--merge-key", s, "PATH=KEY, as in ports=value or **.containers=name")
		if err != nil {
			return nil, err
		}
		e.key = key
		r.keys = append(r.keys, e)
	}
	const form = "PATH=append, PATH=replace or PATH=union, as in packages.install=union"
	for _, s := range lists {
		e, how, err := parseException("--lists", s, form)
		if err != nil {
			return nil, err
		}
		mode, known := map[string]ListMode{
			"append": AppendList, "replace": ReplaceList, "union": UnionList,
		}[how]
		if !known {
			return nil, badFlag("--lists", s, form)
		}
		e.list = mode
		r.lists = append(r.lists, e)
	}
	return r, nil
}

// parseException reads PATH=HOW.
func parseException(flag, text, form string) (e exception, how string, err error) {
	at := path.Index(text, '=')
	if at == 0 || at >= len(text)-1 {
		return e, "", badFlag(flag, text, form)
	}
	e.flag = flag + " " + text
	e.pattern, err = path.Parse(flag, text[:at])
	return e, text[at+1:], err
}

func badFlag(flag, value, form string) error {
	return diag.Errorf(source.Span{}, CodeArgument, "%s takes %s, but found '%s'", flag, form, value)
}

// at returns how the list at a path is merged. If several patterns match, the last one wins.
// Matching flags are recorded in met.
func (r *Rules) at(way path.Path, met map[string]bool) (mode ListMode, key string) {
	mode, key = ByKey, defaultKey
	for i := range r.keys {
		if e := &r.keys[i]; e.pattern.MatchWhole(way) {
			met[e.flag], key = true, e.key
		}
	}
	for i := range r.lists {
		if e := &r.lists[i]; e.pattern.MatchWhole(way) {
			met[e.flag], mode = true, e.list
		}
	}
	return mode, key
}

// of is like at, for a path of the merge. Without exceptions, that costs nothing.
func (r *Rules) of(p Path, met map[string]bool) (mode ListMode, key string) {
	if r == nil || len(r.keys)+len(r.lists) == 0 {
		return ByKey, defaultKey
	}
	return r.at(p.steps(), met)
}

// KeyAt returns the key that identifies entries of the list at a path.
func (r *Rules) KeyAt(way path.Path) string {
	_, key := r.at(way, map[string]bool{})
	return key
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
