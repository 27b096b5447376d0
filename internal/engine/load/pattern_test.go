package load

import (
	"regexp"
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	tests := []struct {
		pattern string
		yes, no string // paths, separated by spaces
	}{
		{"a.yml", "a.yml", "b.yml x/a.yml a.ymlx aaml"},
		{"*", "a.yml .hidden", "x/a.yml"},
		{"*.yml", "a.yml", ".yml x/a.yml a.yaml"},
		{"x/*", "x/a.yml", "x/y/b.yml a.yml x/"},
		{"**/*", "a.yml x/a.yml x/y/b.yml .git/config", ""},
		{"**/*.yml", "a.yml x/a.yml x/y/b.yml", "a.txt .yml"},
		{"x/**/*", "x/a.yml x/y/b.yml", "a.yml xx/a.yml"},
		{"foo**/*", "foobar foo/bar", "foo"},
		// several stars
		{"*/*.yml", "x/a.yml", "a.yml x/y/a.yml"},
		{"*-*.yml", "a-b.yml a-b-c.yml", "ab.yml -b.yml"},
		{"**", "a x/y/z", ""},
		{"x/**", "x/a x/y/z", "x y/a"},
		{"**/a.yml", "a.yml x/a.yml x/y/a.yml", "xa.yml x/aa.yml"},
		{"x/**/a.yml", "x/a.yml x/y/a.yml x/y/z/a.yml", "xa.yml a.yml"},
		{"**/x/**/*.yml", "x/a.yml p/x/a.yml p/x/q/a.yml", "a.yml xx/a.yml"},
		{"**/**/*", "a x/a x/y/a", ""},
		// everything else stands for itself
		{"a?[b].(yml)", "a?[b].(yml)", "ab.yml"},
		{"é*", "éa éöü", "e é é/a"},
	}
	for _, tt := range tests {
		p := parsePattern(tt.pattern)
		for path := range strings.FieldsSeq(tt.yes) {
			if !p.match(path) {
				t.Errorf("%q does not match %q", tt.pattern, path)
			}
		}
		for path := range strings.FieldsSeq(tt.no) {
			if p.match(path) {
				t.Errorf("%q matches %q", tt.pattern, path)
			}
		}
	}
	if !parsePattern("").match("") || parsePattern("").match("a") ||
		parsePattern("**/*").match("") {
		t.Error("the empty path or pattern matches wrongly")
	}
}

// A pattern must agree with the regular expression that it stands for. The regular expression could
// not be used in its place without compiling one for each mark at start-up.
func FuzzPattern(f *testing.F) {
	f.Add("**/x/*-*.yml", "a/x/b-c.yml")
	f.Add("**/**/*", "a/b")
	f.Add("a**b/**/c", "axb/c")
	f.Add("***/", "é/")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 50 || strings.ToValidUTF8(pattern, "") != pattern ||
			strings.ToValidUTF8(path, "") != path {
			t.Skip()
		}
		var re strings.Builder
		re.WriteString(`\A(?s:`)
		for _, tok := range parsePattern(pattern) {
			switch tok.kind {
			case literal:
				re.WriteString(regexp.QuoteMeta(tok.text))
			case inSegment:
				re.WriteString(`[^/]+`)
			case anything:
				re.WriteString(`.*`)
			case something:
				re.WriteString(`.+`)
			case segments:
				re.WriteString(`(.*/)?`)
			}
		}
		re.WriteString(`)\z`)
		want := regexp.MustCompile(re.String()).MatchString(path)
		if got := parsePattern(pattern).match(path); got != want {
			t.Errorf("%q on %q: got %t, want %t as by %s", pattern, path, got, want, re.String())
		}
	})
}
