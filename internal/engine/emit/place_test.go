package emit

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
)

func TestPathProblem(t *testing.T) {
	for name, want := range map[string]string{
		"":               "it is empty",
		"/etc/passwd":    "it is absolute",
		"//host/share":   "it is absolute",
		"..":             "it contains '..'",
		"../x.yml":       "it contains '..'",
		"a/../../x.yml":  "it contains '..'",
		"./x.yml":        "it contains '.'",
		"a//b.yml":       "a part of the path is empty",
		"a/":             "it ends with a slash",
		`a\b.yml`:        `it contains a \`,
		`..\x.yml`:       `it contains a \`,
		"c:/x.yml":       "Windows does not allow :",
		"c:x.yml":        "Windows does not allow :",
		"x.yml:stream":   "Windows does not allow :",
		"con.yml":        "'con' is a device",
		"a/NUL":          "'NUL' is a device",
		"com1 .yml":      "'com1 ' is a device",
		"x.yml.":         "drops dots and spaces",
		"a /x.yml":       "drops dots and spaces",
		"a\x00b":         "control characters",
		"a\nb":           "control characters",
		".git/config":    "it belongs to git",
		"a/.GIT/hooks/x": "it belongs to git",
		"git~1/config":   "it belongs to git",
		"x.yml":          "",
		"a/b/c.yml":      "",
		"..a/b..yml":     "",
		"git/config":     "",
		"äö/ü.yml":       "",
	} {
		got := PathProblem(name)
		if want == "" && got != "" || want != "" && !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// FuzzPathProblem: a path without a problem is inside the directory that it is joined to, is not git's,
// and means the same on all systems.
func FuzzPathProblem(f *testing.F) {
	for _, s := range []string{"a/b.yml", "../a", "/a", "c:\\a", ".git/x", "a/.Git/x", "nul", "a/..", "x. /y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if PathProblem(name) != "" {
			return
		}
		if !filepath.IsLocal(name) || path.Clean(name) != name || path.IsAbs(name) {
			t.Errorf("%q is not a clean path inside a directory", name)
		}
		for _, s := range strings.Split(name, "/") {
			if strings.EqualFold(s, ".git") || strings.ContainsAny(s, "\\:\x00") {
				t.Errorf("%q has the part %q", name, s)
			}
		}
	})
}

func TestPlace(t *testing.T) {
	note := func(name string, args ...starlark.Value) tree.Annotation {
		return tree.Annotation{Name: name, Args: args}
	}
	for _, tt := range []struct {
		notes   []tree.Annotation
		file    string
		skip    bool
		problem string
	}{
		{nil, "", false, ""},
		{[]tree.Annotation{note("overlay/match")}, "", false, ""},
		{[]tree.Annotation{note(NoteFile, starlark.String("a.yml"))}, "a.yml", false, ""},
		{[]tree.Annotation{note(NoteSkip)}, "", true, ""},
		{[]tree.Annotation{note(NoteSkip, starlark.True), note(NoteFile, starlark.String("a"))}, "", true, ""},
		{[]tree.Annotation{note(NoteSkip, starlark.False), note(NoteFile, starlark.String("a"))}, "a", false, ""},
		{[]tree.Annotation{note(NoteSkip, starlark.String("x"))}, "", false, "no argument, or True or False"},
		{[]tree.Annotation{note(NoteFile)}, "", false, "one argument, the path of a file"},
		{[]tree.Annotation{note(NoteFile, starlark.MakeInt(1))}, "", false, "to be a string, but was an int"},
		{[]tree.Annotation{note(NoteFile, starlark.String("../a"))}, "", false, "it contains '..'"},
	} {
		file, skip, problem := Place(tree.NewAnnotations(tt.notes))
		text := ""
		if problem != nil {
			text = problem.Message
		}
		if file != tt.file || skip != tt.skip || (text == "") != (tt.problem == "") ||
			!strings.Contains(text, tt.problem) {
			t.Errorf("%v: got %q, %v, %q", tt.notes, file, skip, text)
		}
	}
}
