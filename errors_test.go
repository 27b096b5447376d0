package weft

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

func TestErrorNamesPlaces(t *testing.T) {
	var set source.Set
	f, err := set.Add("config.yml", []byte("a: 1\nä: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	bad := diag.Errorf(f.Span(9, 10), "yaml/x", "found x").
		WithRelated(f.Span(0, 5), "all this").
		WithHint("write y")
	bad.Path = "ä"
	e := newError(&set, diag.List{
		diag.Warningf(f.Span(0, 1), "yaml/a", "found a"),
		bad,
		diag.Errorf(source.Span{}, "load/x", "no such file"),
	})
	if got, want := e.Error(), "config.yml:1:1: found a\nconfig.yml:2:4: found x\nno such file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []Diagnostic{
		{Severity: SeverityWarning, Code: "yaml/a", Message: "found a", Place: Place{
			File: "config.yml", Line: 1, Column: 1, EndLine: 1, EndColumn: 2,
			Start: Offset{0, 1, 1}, End: Offset{1, 2, 2},
		}},
		{
			Severity: SeverityError, Code: "yaml/x", Message: "found x", Hint: "write y", Path: "ä",
			Place: Place{
				File: "config.yml", Line: 2, Column: 4, EndLine: 2, EndColumn: 5,
				Start: Offset{9, 5, 4}, End: Offset{10, 6, 5},
			},
			Related: []Related{{"all this", Place{
				File: "config.yml", Line: 1, Column: 1, EndLine: 2, EndColumn: 1,
				Start: Offset{0, 1, 1}, End: Offset{5, 1, 1},
			}}},
		},
		{Severity: SeverityError, Code: "load/x", Message: "no such file"},
	}
	if diff := cmp.Diff(want, e.Diagnostics()); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	asJSON := `{"severity":"error","code":"yaml/x","message":"found x","hint":"write y","path":"ä","file":"config.yml","line":2,"column":4,"endLine":2,"endColumn":5,` +
		`"related":[{"message":"all this","file":"config.yml","line":1,"column":1,"endLine":2,"endColumn":1}]}`
	if got, err := json.Marshal(e.Diagnostics()[1]); string(got) != asJSON || err != nil {
		t.Errorf("as JSON: got\n%s, %v, want\n%s", got, err, asJSON)
	}
	if diff := cmp.Diff(want[1:], newError(&set, e.list.Errors()).Diagnostics()); diff != "" {
		t.Errorf("without warnings (-want +got):\n%s", diff)
	}
	if got := e.list[:1].Errors(); got != nil {
		t.Errorf("nothing but a warning: got %v, want nil", got)
	}
	if got, want := newError(nil, diag.List{bad}).Error(), "found x"; got != want {
		t.Errorf("without files: got %q, want %q", got, want)
	}
}

func TestErrorRender(t *testing.T) {
	_, err := Render(t.Context(), Options{Files: []File{{Path: "a.yml", Data: []byte("a: *b\n")}}})
	var plain, color strings.Builder
	if err := errors.Join(ErrorOf(err).Render(&plain, false), ErrorOf(err).Render(&color, true)); err != nil {
		t.Fatal(err)
	}
	if got, want := plain.String(), "a.yml:1:4: error: unknown anchor 'b' referenced [yaml/anchor]\n  |\n1 | a: *b\n  |    ^^\nhint: "; !strings.HasPrefix(
		got,
		want,
	) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(color.String(), "\x1b[1;31merror:\x1b[0m") {
		t.Errorf("in colour: got %q", color.String())
	}
}

// TestPlaces has inputs of every kind. Each place is what the user can open, as given, with the
// name that templates know the file by beside it if that is another.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll(filepath.Join("config", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.yml", filepath.Join("config", "b.yml"), filepath.Join("config", "sub", "c.yml")} {
		if err := os.WriteFile(name, []byte("a: *b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := func(path string) []File { return []File{{Path: path, Data: []byte("a: *b\n")}} }
	type places []Place
	at := func(file, name string) Place {
		return Place{
			File: filepath.FromSlash(
				file,
			), Name: name, Line: 1, Column: 4, EndLine: 1, EndColumn: 6,
			Start: Offset{3, 4, 4}, End: Offset{5, 6, 6},
		}
	}
	for _, tt := range []struct {
		opts Options
		want places
	}{
		{Options{Inputs: []string{"a.yml"}}, places{at("a.yml", "")}},
		{Options{Inputs: []string{"./a.yml"}}, places{at("./a.yml", "a.yml")}},
		{Options{Inputs: []string{"config"}}, places{at("config/b.yml", "b.yml"), at("config/sub/c.yml", "sub/c.yml")}},
		{Options{Inputs: []string{"./config//"}}, places{at("./config//b.yml", "b.yml"), at("./config//sub/c.yml", "sub/c.yml")}},
		{Options{Inputs: []string{"config/.."}}, places{at("a.yml", ""), at("config/b.yml", ""), at("config/sub/c.yml", "")}},
		{Options{Inputs: []string{"."}}, places{at("a.yml", ""), at("config/b.yml", ""), at("config/sub/c.yml", "")}},
		{Options{Inputs: []string{dir + "/a.yml"}}, places{at(dir+"/a.yml", "a.yml")}},
		{Options{Inputs: []string{"x.yml=config/b.yml"}}, places{at("config/b.yml", "x.yml")}},
		{Options{Inputs: []string{"a.yml"}, Marks: []string{"a.yml:path=y.yml"}}, places{at("a.yml", "y.yml")}},
		{Options{Inputs: []string{"-"}, Stdin: strings.NewReader("a: *b\n")}, places{at("(stdin)", "stdin.yml")}},
		{Options{Inputs: []string{"x.yml=-"}, Stdin: strings.NewReader("a: *b\n")}, places{at("(stdin)", "x.yml")}},
		{Options{Inputs: []string{"config"}, FS: os.DirFS(dir)}, places{at("config/b.yml", "b.yml"), at("config/sub/c.yml", "sub/c.yml")}},
		{Options{Files: bad("m/a.yml")}, places{at("m/a.yml", "")}},
		{Options{Files: bad("a.yml"), Inputs: []string{"a.yml"}}, places{at("a.yml (2)", "a.yml"), at("a.yml", "")}},
		{Options{Files: append(bad("a.yml"), bad("a.yml")...)}, places{at("a.yml", ""), at("a.yml (2)", "a.yml")}},
	} {
		_, err := Render(t.Context(), tt.opts)
		var got places
		for _, d := range ErrorOf(err).Diagnostics() {
			got = append(got, d.Place)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.opts.Inputs, diff)
		}
	}
}

func TestErrorOf(t *testing.T) {
	if got := ErrorOf(nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
	e := newError(nil, diag.List{diag.Errorf(source.Span{}, "load/x", "no such file")})
	if got := ErrorOf(fmt.Errorf("wrapped: %w", e)); got != e {
		t.Errorf("got %v, want the error that is wrapped", got)
	}
	two := ErrorOf(
		errors.Join(
			errors.New("first"),
			diag.Errorf(source.Span{}, "emit/x", "second").WithHint("third"),
		),
	)
	want := []Diagnostic{
		{Severity: SeverityError, Message: "first"},
		{Severity: SeverityError, Code: "emit/x", Message: "second", Hint: "third"},
	}
	if diff := cmp.Diff(want, two.Diagnostics()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A fix that would write a secret is left out: hidden, it would write the mark into the file.
func TestFixesWithSecrets(t *testing.T) {
	schema := "#@data/values-schema\n---\nreplicaCounter: 1\n#@schema/secret\npassword: %s\n"
	for secret, want := range map[string]bool{"something-else": true, "replicaCounter": false} {
		_, err := Render(t.Context(), Options{Files: []File{
			{Path: "schema.yml", Data: fmt.Appendf(nil, schema, secret)},
			{Path: "in.yml", Data: []byte(
				"#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.replicaCountr\n",
			)},
		}})
		if err == nil {
			t.Fatal("there is no error")
		}
		found := ErrorOf(err).Diagnostics()
		if len(found) != 1 || (found[0].Fix != nil) != want {
			t.Errorf("with the secret %q: %+v, want a fix: %t", secret, found, want)
		}
	}
}
