package vendor

import (
	"strings"
	"testing"
)

// TestPick compares the choice with what a reader of the documentation of semantic versions expects.
func TestPick(t *testing.T) {
	tags := strings.Fields("v0.0.3 v0.0.4 v0.3.1 v0.3.9 v0.4.0 1.2.0 v1.2.3 v1.9.0 v1.10.0 v2.0.0-rc.1 v2.0.0 v2.4.0 v2.4.1 " +
		"v2.6.0 v3.0.0-beta.1 v3.0.0-beta.2 latest nightly-1 v1 v2.4 20231201 v9 7.1 v20231201 v0.5")
	for spec, want := range map[string]string{
		"^2.4": "v2.6.0", "~2.4": "v2.4.1", "2.4.x": "v2.4.1", "2.x": "v2.6.0", "2.*": "v2.6.0", "^2": "v2.6.0", "2": "v2.6.0",
		"^1.2": "v1.10.0", "~1.2": "v1.2.3", "1.9.x": "v1.9.0", "^1.2.1": "v1.10.0", "*": "v2.6.0", "x": "v2.6.0",
		"^0.3": "v0.3.9", "~0.3.1": "v0.3.9", "^0.0.3": "v0.0.3", "^0.0": "v0.0.4", "0.x": "v0.5", "~2": "v2.6.0",
		"2.4.1": "v2.4.1", "v2.4.1": "v2.4.1", "1.2.0": "1.2.0", "v1.2.0": "1.2.0", "2.4": "v2.4.1", "v2.4": "v2.4",
		"^3": "", "^3.0.0-beta.1": "v3.0.0-beta.2", "3.0.0-beta.1": "v3.0.0-beta.1", "^2.0.0-rc.1": "v2.6.0",
		"latest": "latest", "2.4.9": "", "^9": "", "9": "", "v9": "v9", "7.x": "", "7.1": "7.1", "20231201": "20231201", "20231201.x": "", "^20231201": "", "": "", "^": "", "~x": "", "^latest": "", "^2.4.1.1": "", "^-1": "",
	} {
		if got := pick(tags, spec); got != want {
			t.Errorf("%s: got %q, want %q", spec, got, want)
		}
	}
	for number, want := range map[string]string{"0": "1", "9": "10", "199": "200", "99": "100"} {
		if got := increased(number); got != want {
			t.Errorf("%s + 1: got %s", number, got)
		}
	}
}

// TestCommonDir checks which part of names patterns take away.
func TestCommonDir(t *testing.T) {
	for patterns, want := range map[string]string{
		"deploy/*.yml": "deploy/", "deploy/*.yml deploy/crds/*": "deploy/", "a/*.yml b/*.yml": "", "**/*.yml": "",
		"deploy/x.yml": "deploy/", "x.yml": "", "deploy/a*/x.yml": "deploy/", "a/b/c.yml a/b/d/*": "a/b/", "deploy/": "deploy/",
		"a/bc/* a/bd/*": "a/", "": "",
	} {
		if got := CommonDir(strings.Fields(patterns)); got != want {
			t.Errorf("%s: got %q, want %q", patterns, got, want)
		}
	}
}
