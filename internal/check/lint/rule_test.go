package lint

import "testing"

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
