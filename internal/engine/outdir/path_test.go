package outdir

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/engine/emit"
)

func TestCleanPath(t *testing.T) {
	tests := []struct {
		path    string
		windows bool
		want    string // "" if it is refused
		problem string
	}{
		{"a.yml", false, "a.yml", ""},
		{"a/b.yml", false, "a/b.yml", ""},
		{"./a//b.yml", false, "a/b.yml", ""},
		{"a/../b.yml", false, "b.yml", ""},
		{"...", false, "...", ""},
		{"..a/b", false, "..a/b", ""},
		{"", false, "", "it is empty"},
		{".", false, "", "it is the output directory itself"},
		{"a/..", false, "", "it is the output directory itself"},
		{"..", false, "", "it leaves the output directory"},
		{"../a.yml", false, "", "it leaves the output directory"},
		{"a/../../b.yml", false, "", "it leaves the output directory"},
		{"/etc/passwd", false, "", "it is absolute"},
		{"a\x00.yml", false, "", "it contains a NUL character"},
		{".weft-manifest", false, "", "weft reserves this name"},
		{".weft-tmp/0", false, "", "weft reserves this name"},
		{".WEFT-TMP", false, "", "weft reserves this name"},
		{".git/config", false, "", "it belongs to git, and weft never writes there"},
		{"a/../.GIT/hooks/x", false, "", "it belongs to git, and weft never writes there"},
		{"sub/.git", false, "", "it belongs to git, and weft never writes there"},
		{"sub/.git /x", false, "", "it belongs to git, and weft never writes there"},
		{"git~1/config", false, "", "it belongs to git, and weft never writes there"},
		{`x\.git\config`, false, "", "it belongs to git, and weft never writes there"},
		{".gitignore", false, ".gitignore", ""},
		{"sub/.weft-manifest", false, "sub/.weft-manifest", ""},
		{"a\nb.yml", false, "a\nb.yml", ""},
		{"bad-\xff.yml", false, "bad-\xff.yml", ""},

		// A backslash is a character like any other, unless the system says that it is not.
		{`a\b.yml`, false, `a\b.yml`, ""},
		{`a\b.yml`, true, "a/b.yml", ""},
		{`..\b.yml`, true, "", "it leaves the output directory"},
		{`a\..\..\b.yml`, true, "", "it leaves the output directory"},
		{`\b.yml`, true, "", "it is absolute"},
		{`\\server\share\b.yml`, true, "", "it is absolute"},
		{`C:\b.yml`, true, "", "Windows does not allow : in names"},
		{"C:b.yml", true, "", "Windows does not allow : in names"},
		{"C:b.yml", false, "C:b.yml", ""},
		{"a.yml:stream", true, "", "Windows does not allow : in names"},
		{"what?.yml", true, "", "Windows does not allow ? in names"},
		{"a\nb.yml", true, "", "Windows does not allow control characters in names"},
		{"a.", true, "", "Windows drops dots and spaces at the end of names"},
		{"dir /a.yml", true, "", "Windows drops dots and spaces at the end of names"},
		{"NUL", true, "", "'NUL' is a device on Windows"},
		{"nul.yml", true, "", "'nul' is a device on Windows"},
		{"nul.yml", false, "nul.yml", ""},
		{"nul .yml", true, "", "'nul ' is a device on Windows"},
		{"aux/a.yml", true, "", "'aux' is a device on Windows"},
		{"Com1.yml", true, "", "'Com1' is a device on Windows"},
		{"LPT².txt", true, "", "'LPT²' is a device on Windows"},
		{"com.yml", true, "com.yml", ""},
		{"com10.yml", true, "com10.yml", ""},
		{"console.yml", true, "console.yml", ""},
		{"x.nul.yml", true, "x.nul.yml", ""},
	}
	for _, tt := range tests {
		got, problem := cleanPath(tt.path, tt.windows)
		if got != tt.want || problem != tt.problem {
			t.Errorf(
				"cleanPath(%q, windows %t): got %q, %q, want %q, %q",
				tt.path,
				tt.windows,
				got,
				problem,
				tt.want,
				tt.problem,
			)
		}
	}
}

// Whatever the path, it is refused or stays inside, and cleaning it again changes nothing.
func FuzzCleanPath(f *testing.F) {
	for _, s := range []string{"a/b.yml", "../x", "a/../../x", `..\x`, "/x", "C:x", "nul", ".", ""} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, p string, windows bool) {
		clean, problem := cleanPath(p, windows)
		if (clean == "") == (problem == "") {
			t.Fatalf("%q: got %q and %q", p, clean, problem)
		}
		if problem != "" {
			return
		}
		if !filepath.IsLocal(clean) || windows && strings.ContainsAny(clean, `\:`) {
			t.Errorf("%q became %q, which leads elsewhere", p, clean)
		}
		if again, problem := cleanPath(clean, windows); again != clean {
			t.Errorf("%q became %q and then %q, %q", p, clean, again, problem)
		}
	})
}

func named(paths ...string) []emit.File {
	files := make([]emit.File, len(paths))
	for i, p := range paths {
		files[i] = emit.File{Path: p, Data: []byte{byte('0' + i)}}
	}
	return files
}

func TestCleanAllTellsEverything(t *testing.T) {
	_, err := cleanAll(named("../a", "ok", "/b"), false)
	want := "cannot write a file at the path '../a': it leaves the output directory\ncannot write a file at the path '/b': it is absolute"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCleanAllNested(t *testing.T) {
	_, err := cleanAll(named("a/b/c.yml", "x", "a/b", "a/b/d.yml"), false)
	if want := "cannot write both a file 'a/b' and a file 'a/b/c.yml' below it"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := cleanAll(named("a/b.yml", "a/c.yml", "a.yml"), false); err != nil {
		t.Errorf("got %v, want nothing", err)
	}
}

func TestRepeated(t *testing.T) {
	if got := repeated(named("a", "A", "a/b")); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
	list := repeated(named("a", "b", "b", "a", "b", "c"))
	if got, want := list.Error(), "output file 'b' would be written twice\noutput file 'a' would be written twice"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Paths are compared in their shortest form.
	if _, err := cleanAll(named("./a/b.yml", "x", "a/../a/b.yml"), false); err == nil {
		t.Error("two spellings of one path are no error")
	}
}

// Paths that some file system takes for one are refused on all systems.
func TestAlike(t *testing.T) {
	tests := []struct {
		paths []string
		want  string
	}{
		{[]string{"a.yml", "b.yml", "ab.yml"}, ""},
		{[]string{"ä", "a"}, ""},
		{[]string{"Dir/x", "dir/y"}, ""},
		{[]string{"a.yml", "b.yml", "A.yml"}, "cannot write both 'a.yml' and 'A.yml': some file systems do not distinguish upper and lower case"},
		{[]string{"Dir/x", "dir/x"}, "cannot write both 'Dir/x' and 'dir/x': some file systems do not distinguish upper and lower case"},
		{[]string{"σ", "ς"}, "cannot write both 'σ' and 'ς': some file systems do not distinguish upper and lower case"},
		{[]string{"\u00e9", "e\u0301"}, "cannot write both '\u00e9' and 'e\u0301': some file systems do not distinguish how letters with accents are composed"},
		{[]string{"\u00c9", "e\u0301"}, "cannot write both '\u00c9' and 'e\u0301': some file systems do not distinguish upper and lower case"},
		{[]string{"\uac00", "\u1100\u1161"}, "cannot write both '\uac00' and '\u1100\u1161': some file systems do not distinguish how letters with accents are composed"},
		{[]string{"x", "X/y"}, "cannot write both a file 'x' and a file 'X/y' below it"},
		{[]string{"\u00e9/y", "e\u0301"}, "cannot write both a file 'e\u0301' and a file '\u00e9/y' below it"},
	}
	for _, tt := range tests {
		_, err := cleanAll(named(tt.paths...), false)
		if got := fmt.Sprint(err); got != tt.want && (tt.want != "" || err != nil) {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.paths, got, tt.want)
		}
	}
}
