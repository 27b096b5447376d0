package lint

import (
	"slices"
	"testing"
)

func TestLevel(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want Level
	}{
		{Rule{Grade: Error, Real: Evidence{Findings: 20, Projects: 20, Right: 19}}, Error},
		{Rule{Grade: Warning, Real: Evidence{Findings: 100, Projects: 20, Right: 18}}, Info},
		{Rule{Grade: Warning, Real: Evidence{Findings: 19, Projects: 19, Right: 19}}, Info},
		{Rule{Grade: Warning, Real: Evidence{Findings: 50, Projects: 20, Right: notJudged}}, Info},
		{Rule{Grade: Warning}, Info},
		{Rule{Grade: Error, Sure: isMessage}, Error},
		{Rule{Grade: Info, Real: Evidence{Findings: 20, Projects: 20, Right: 20}}, Info},
		{Rule{Grade: Off}, Off},
	} {
		if got := c.rule.Level(); got != c.want {
			t.Errorf("%+v: level %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestIsVendored(t *testing.T) {
	for name, want := range map[string]bool{
		"config/vendor/app.yml":                  true,
		`config\third_party\app.yml`:             true,
		"_ytt_lib/github.com/team/app/a.yml":     true,
		"config/_ytt_lib/app/a.yml":              false,
		"config/_ytt_lib/app.lib.yml":            false,
		"vendor.yml":                             false,
		"upstream/app.yml":                       false,
		"config/vendor-overlays/change/name.yml": false,
	} {
		if got := IsVendored(name); got != want {
			t.Errorf("IsVendored(%q) = %v", name, got)
		}
	}
}

// Examples of the same type overlap, and a float takes integers. Lists that share only the empty list do not.
func TestOverlaps(t *testing.T) {
	for text, want := range map[string][]string{
		`80, "http"`:                 {"", ""},
		`80, 443`:                    {"", "integers"},
		`-1, (80)`:                   {"", "integers"},
		`1, 0.5`:                     {"", ""},
		`0.5, 1`:                     {"", "all numbers"},
		`"", True, False`:            {"", "", "booleans"},
		`[""], [0], [""]`:            {"", "", "lists of strings"},
		`[0.5], [1]`:                 {"", "lists of all numbers"},
		`[{"a": 1}], [{"b": 1}]`:     {"", "the same lists"},
		`[[1]], [[2]]`:               {"", "the same lists"},
		`s3(), gcs()`:                {"", ""},
		`None, [], [1, 2], x, y, []`: {"", "", "", "", "", ""},
	} {
		args := arguments(text)
		var got []string
		for i, x := range args {
			first := ""
			for _, before := range args[:i] {
				if k := exampleKind(before); k != "" && takes(k, exampleKind(x)) {
					first = plural(k)
				}
			}
			got = append(got, first)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
