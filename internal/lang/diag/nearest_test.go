package diag

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"file", "file-mark", "output", "strict", "yaml"}
	for s, want := range map[string]string{
		"fiel": "file", "files": "file", "filemark": "file-mark", "file-marks": "file-mark", "otput": "output",
		"stirct": "strict", "yml": "yaml", "recursive": "", "x": "", "xml": "", "": "",
	} {
		if got := Nearest(s, names); got != want {
			t.Errorf("Nearest(%q): got %q, want %q", s, got, want)
		}
	}
}

// A whole text is not a misspelling of anything: to compare it letter by letter would take the product
// of the lengths.
func TestNearestOfTexts(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	if got := Nearest(text, []string{text + "y", "x"}); got != "" {
		t.Errorf("a text is taken for a misspelling of one with %d letters", len(got))
	}
	if got := Nearest("name", []string{text, "nam"}); got != "nam" {
		t.Errorf("got %.20q, want nam", got)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "abc", 0},
		{"abc", "", 3},
		{"abc", "acb", 1},
		{"kitten", "sitting", 3},
		{"ab", "ba", 1},
		{"abcd", "badc", 2},
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q): got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("distance(%q, %q): got %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

// Pairs of ordinary keys are no slips of typing.
func TestMisspells(t *testing.T) {
	for _, tt := range []struct{ word, name string }{
		{"spce", "spec"},
		{"sepc", "spec"},
		{"speec", "spec"},
		{"specc", "spec"},
		{"spc", "spec"},
		{"metdata", "metadata"},
		{"metaadta", "metadata"},
		{"kidn", "kind"},
		{"apiVersoin", "apiVersion"},
	} {
		if !Misspells(tt.word, tt.name) {
			t.Errorf("%s is not a misspelling of %s", tt.word, tt.name)
		}
	}
	for _, tt := range [][2]string{
		{"appVersion", "apiVersion"},
		{"maxReplicas", "minReplicas"},
		{"podSecurityContext", "securityContext"},
		{"httpsPort", "httpPort"},
		{"nameSuffix", "namePrefix"},
		{"remote_write", "remote_read"},
		{"devDependencies", "dependencies"},
		{"host", "hosts"},
		{"hosts_file", "host_file"},
		{"enabled", "enable"},
		{"oauth", "auth"},
		{"http2Port", "httpPort"},
		{"port12", "port21"},
		{"port1", "port"},
		{"class", "clas"},
		{"id", "iid"},
		{"spec", "spec"},
		{"", "a"},
		{"", ""},
	} {
		if Misspells(tt[0], tt[1]) || Misspells(tt[1], tt[0]) {
			t.Errorf("%s and %s are not two spellings of one word", tt[0], tt[1])
		}
	}
}
