package vendor

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// versionRange is a set of versions: those from low on and below high. An exact version has no range.
type versionRange struct {
	low, high string // as semver has them, with a v; an empty high is no limit
	early     bool   // versions before a release count, because the range names one
}

// parseRange reads ^2.4, ~2.4, 2.x, 2 and *. It reports false for anything else, such as 2.4.1, which is a
// version.
func parseRange(text string) (versionRange, bool) {
	rest, kind := text, byte(0)
	if text != "" && (text[0] == '^' || text[0] == '~') {
		rest, kind = text[1:], text[0]
	}
	rest = strings.TrimPrefix(rest, "v")
	parts := strings.SplitN(rest, ".", 3)
	open := false
	var numbers []string
	for _, p := range parts {
		if p == "x" || p == "X" || p == "*" {
			open = true
			break
		}
		numbers = append(numbers, p)
	}
	if kind == 0 && !open && len(numbers) == 3 {
		return versionRange{}, false
	}
	if len(numbers) == 0 {
		return versionRange{low: "v0.0.0"}, open && kind == 0
	}
	low := "v" + strings.Join(numbers, ".")
	if !semver.IsValid(low) {
		return versionRange{}, false
	}
	r := versionRange{low: semver.Canonical(low), early: semver.Prerelease(low) != ""}
	fixed := len(numbers) // how many of the numbers stay the same
	switch kind {
	case '^':
		fixed = leading(r.low, len(numbers))
	case '~':
		fixed = min(fixed, 2)
	}
	r.high = bumped(r.low, fixed)
	return r, true
}

// leading returns how many numbers stay the same in a range that begins with ^: all up to the first that
// is not zero.
func leading(version string, given int) int {
	for i, n := range release(version)[:given] {
		if n != "0" {
			return i + 1
		}
	}
	return given
}

// release returns the three numbers of a canonical version.
func release(version string) []string {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	return strings.Split(version, ".")
}

// bumped returns the first version in which one of the first n numbers is larger.
func bumped(version string, n int) string {
	numbers := release(version)
	numbers[n-1] = increased(numbers[n-1])
	for i := n; i < len(numbers); i++ {
		numbers[i] = "0"
	}
	return "v" + strings.Join(numbers, ".")
}

// increased returns a decimal number plus one.
func increased(number string) string {
	digits := []byte(number)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return string(digits)
		}
		digits[i] = '0'
	}
	return "1" + string(digits)
}

// has reports whether a canonical version is in the range.
func (r versionRange) has(version string) bool {
	if semver.Prerelease(version) != "" {
		// 3.0.0-rc.1 is below 3.0.0, but not a version 2
		if !r.early || r.high != "" && semver.Compare(strings.SplitN(version, "-", 2)[0], r.high) >= 0 {
			return false
		}
	}
	return semver.Compare(version, r.low) >= 0 && (r.high == "" || semver.Compare(version, r.high) < 0)
}

// canonical returns the version that a tag is, or "". A version has three numbers, or two with a v before
// them: 20231201 is a date, 1.36 and v2 are tags that move with each release.
func canonical(tag string) string {
	text, marked := strings.CutPrefix(tag, "v")
	numbers, _, _ := strings.Cut(text, "-")
	numbers, _, _ = strings.Cut(numbers, "+")
	if dots := strings.Count(numbers, "."); dots == 2 || dots == 1 && marked {
		return semver.Canonical("v" + text)
	}
	return ""
}

// pick returns the newest of some tags that a version or a range allows, or "".
func pick(tags []string, spec string) string {
	if slices.Contains(tags, spec) {
		return spec
	}
	r, isRange := parseRange(spec)
	best := ""
	for _, tag := range tags {
		v := canonical(tag)
		switch {
		case v == "":
		case !isRange && (strings.TrimPrefix(tag, "v") == strings.TrimPrefix(spec, "v")):
			return tag
		case isRange && r.has(v) && (best == "" || newer(tag, best)):
			best = tag
		}
	}
	return best
}

// allows reports whether a version satisfies what weft.yml asks for.
func allows(spec, version string) bool {
	return spec == "" || pick([]string{version}, spec) != ""
}

// newest returns the newest release among some tags, or "".
func newest(tags []string) string { return pick(tags, "*") }

// newer reports whether one tag is a newer version than another.
func newer(a, b string) bool {
	return cmp.Or(semver.Compare(canonical(a), canonical(b)), strings.Compare(a, b)) > 0
}

// releasesOf returns the versions among some tags, the newest first.
func releasesOf(tags []string) (versions []string) {
	for _, tag := range tags {
		if canonical(tag) != "" {
			versions = append(versions, tag)
		}
	}
	slices.SortFunc(versions, func(a, b string) int {
		if newer(a, b) {
			return -1
		}
		return 1
	})
	return slices.Compact(versions)
}
