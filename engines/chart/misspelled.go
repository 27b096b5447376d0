package chart

import (
	"maps"
	"slices"
	"strings"

	v2 "helm.sh/helm/v4/pkg/chart/v2"

	"weft/internal/lang/diag"
	"weft/internal/project/engines/wire"
)

// misspelled returns warnings about keys of given values that are probably misspelled: no template reads
// them, and values.yaml has a similar key, which templates do read. So there is no warning about charts that
// take any key, as a map of labels does. Dependencies are not looked at: their values are those of other
// charts. The chart must be as it was loaded: processing its dependencies removes some.
func misspelled(c *v2.Chart, r *wire.Chart, given map[string]any) []wire.Error {
	s := speller{skip: map[string]bool{"global": true, "tags": true}, values: r.Values}
	for _, d := range c.Metadata.Dependencies {
		s.skip[d.Name], s.skip[d.Alias] = true, true
		s.texts = append(s.texts, "."+strings.ReplaceAll(d.Condition, ",", " ."))
	}
	for _, d := range c.Dependencies() {
		s.skip[d.Name()] = true
	}
	s.check(c, nil, given, c.Values)
	return s.found
}

// speller compares keys with those of values.yaml.
type speller struct {
	skip   map[string]bool // keys at the top that are not compared
	values []wire.ValuesFile
	texts  []string // what may name a key: read if there is a key to look for
	read   bool
	found  []wire.Error
}

// maxPairs is how many pairs of keys of a map and its default are compared. Larger maps have no known keys.
const maxPairs = 1_000_000

// check compares the keys of a map with those of its default.
func (s *speller) check(c *v2.Chart, path []string, given, defaults map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if len(path) == 0 && s.skip[key] {
			continue
		}
		at := append(slices.Clip(path), key)
		if value, ok := defaults[key]; ok {
			below, _ := given[key].(map[string]any)
			defaults, _ := value.(map[string]any)
			s.check(c, at, below, defaults)
			continue
		}
		if len(given)*len(defaults) > maxPairs {
			continue
		}
		near := diag.Nearest(key, slices.Sorted(maps.Keys(defaults)))
		if near == "" {
			continue
		}
		s.readTexts(c)
		if s.names(near) && !s.names(key) {
			s.found = append(s.found, wire.Error{
				Message: "values.yaml has no key '" + strings.Join(at, ".") + "', and no template reads it",
				Code:    wire.CodeKey, Values: at, Near: near,
			})
		}
	}
}

// readTexts collects the texts that may name keys: templates and other files of the chart and of its
// dependencies, and values, which may be templates, too.
func (s *speller) readTexts(c *v2.Chart) {
	if s.read {
		return
	}
	s.read = true
	var add func(c *v2.Chart)
	add = func(c *v2.Chart) {
		for _, f := range slices.Concat(c.Templates, c.Files) {
			s.texts = append(s.texts, string(f.Data))
		}
		for _, d := range c.Dependencies() {
			add(d)
		}
	}
	add(c)
}

// names reports whether a text names a key: as .key, or in quotes, as arguments of index are.
func (s *speller) names(key string) bool {
	if slices.ContainsFunc(s.texts, func(text string) bool {
		return namesField(text, key) || strings.Contains(text, `"`+key+`"`) || strings.Contains(text, "`"+key+"`")
	}) {
		return true
	}
	return slices.ContainsFunc(s.values, func(f wire.ValuesFile) bool { return namesField(f.Text, key) })
}

// namesField reports whether a text has .key as a whole word.
func namesField(text, key string) bool {
	for {
		_, rest, ok := strings.Cut(text, "."+key)
		if !ok {
			return false
		}
		if rest == "" || !isWord(rest[0]) {
			return true
		}
		text = rest
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
