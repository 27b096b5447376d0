package modules

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"go.starlark.net/starlark"
)

// LanguageLevel is the version of ytt whose language weft speaks.
const LanguageLevel = "0.49.0"

var versionModule = sync.OnceValue(func() starlark.StringDict {
	return export("version", map[string]function{
		"require_at_least": ofString(func(s string) (starlark.Value, error) {
			want, ok := parseSemver(s)
			if !ok {
				return nil, fmt.Errorf("version string '%s' must be a valid semver", s)
			}
			if have, _ := parseSemver(LanguageLevel); have.compare(want) < 0 {
				return nil, fmt.Errorf("ytt version '%s' does not meet the minimum required version '%s'", LanguageLevel, s)
			}
			return starlark.None, nil
		}),
	}, nil)
})

// semver is a semantic version without its build metadata, which does not count. Numbers are kept as their digits: they may be
// of any size.
type semver struct {
	core [3]string
	pre  []string
}

// parseSemver reads MAJOR.MINOR.PATCH[-pre][+meta] as https://semver.org/spec/v2.0.0 has it.
func parseSemver(s string) (v semver, ok bool) {
	s, meta, hasMeta := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(s, "-")
	numbers := strings.Split(core, ".")
	if len(numbers) != len(v.core) {
		return v, false
	}
	for i, n := range numbers {
		if !isDigits(n) || len(n) > 1 && n[0] == '0' {
			return v, false
		}
		v.core[i] = n
	}
	if hasPre {
		v.pre = strings.Split(pre, ".")
		for _, id := range v.pre {
			if !isIdentifier(id) || isDigits(id) && len(id) > 1 && id[0] == '0' {
				return v, false
			}
		}
	}
	if hasMeta {
		for id := range strings.SplitSeq(meta, ".") {
			if !isIdentifier(id) {
				return v, false
			}
		}
	}
	return v, true
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isIdentifier(s string) bool {
	for _, c := range []byte(s) {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// compare is the order of versions: a pre-release comes before its release.
func (v semver) compare(w semver) int {
	for i := range v.core {
		if c := compareNumbers(v.core[i], w.core[i]); c != 0 {
			return c
		}
	}
	if len(v.pre) == 0 || len(w.pre) == 0 {
		return cmp.Compare(len(w.pre), len(v.pre))
	}
	for i := range min(len(v.pre), len(w.pre)) {
		if c := compareIdentifiers(v.pre[i], w.pre[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(v.pre), len(w.pre))
}

// compareIdentifiers: numbers come before words.
func compareIdentifiers(a, b string) int {
	switch na, nb := isDigits(a), isDigits(b); {
	case na && nb:
		return compareNumbers(a, b)
	case na:
		return -1
	case nb:
		return 1
	}
	return cmp.Compare(a, b)
}

func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
