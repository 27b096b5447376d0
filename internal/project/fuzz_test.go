package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/lang/diag"
	"weft/internal/project"
)

// FuzzOpen opens any text as a project, with a base and some files beside it: it is opened, or there
// are errors with places; nothing is read outside of the file system, and nothing hangs.
func FuzzOpen(f *testing.F) {
	for _, dir := range []string{"accepted", "refused", "refused/text"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.yml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data))
		}
	}
	for _, text := range []string{
		"\ufeffweft: 2026\r\ninputs:\r\n- a.yml\r\n",
		"weft: ytt\nextends: weft.yml\n",
		"weft: ytt\nextends: [base.yml, base.yml]\nenvironments:\n  a: {extends: a}\n",
		"weft: ytt\nenvironments:\n  '*': {each: '*.yml'}\n  'x*': {each: 'd/*/v.yml'}\n",
		"weft: ytt\ninputs: [../../../etc/passwd, /etc/passwd, a.yml/../../b, '~/x', 'C:/x']\n",
		"a: &a [*a]\n", "a: &a {b: &b {c: *b}}\n",
		"weft: ytt\nvalues: " + strings.Repeat("{a: ", 600) + "1" + strings.Repeat("}", 600),
		"weft: ytt\nvalues: {a: &a [1,1,1,1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], " +
			"c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c], " +
			"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d], f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e], " +
			"g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fsys := fstest.MapFS{
			"weft.yml":   {Data: []byte(text)},
			"base.yml":   {Data: []byte("weft: ytt\nenvironments: {dev: {labels: {a: b}}}\n")},
			"a.yml":      {Data: []byte("a: 1\n")},
			"d/x/v.yml":  {},
			"envs/b.yml": {},
		}
		p, err := project.Open(project.Options{FS: fsys})
		if err != nil {
			placed(t, err)
			return
		}
		if _, err := p.Default(); err != nil {
			placed(t, err)
		}
		names := p.Names()
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names[:min(len(names), 10)] {
			s, err := p.Environment(name)
			if err != nil {
				placed(t, err)
				continue
			}
			var b strings.Builder
			if err := p.WriteConfig(&b, s, false); err != nil {
				t.Fatal(err)
			}
			if err := p.WriteConfig(&b, s, true); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.CheckOutputs(); err != nil {
			placed(t, err)
		}
	})
}

// placed fails unless an error is one about the project.
func placed(t *testing.T, err error) {
	t.Helper()
	f, ok := errors.AsType[*diag.Failure](err)
	if !ok || len(f.List) == 0 {
		t.Fatalf("not an error about the project: %v", err)
	}
	for _, d := range f.List {
		if d.Message == "" || d.Code == "" {
			t.Fatalf("an error without a message or a code: %+v", d)
		}
	}
}
