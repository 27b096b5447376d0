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

	"weft/internal/diag"
	"weft/internal/source"
)

func TestErrorNamesPlaces(t *testing.T) {
	var set source.Set
	f, err := set.Add("config.yml", []byte("a: 1\nä: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	bad := diag.Errorf(f.Span(9, 10), "yaml/x", "found x").WithRelated(f.Span(0, 5), "all this").WithHint("write y")
	bad.Path = "ä"
	e := &Error{files: &set, list: diag.List{diag.Warningf(f.Span(0, 1), "yaml/a", "found a"), bad, diag.Errorf(source.Span{}, "load/x", "no such file")}}
	if got, want := e.Error(), "config.yml:1:1: found a\nconfig.yml:2:4: found x\nno such file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []Diagnostic{
		{Severity: SeverityWarning, Code: "yaml/a", Message: "found a", Place: Place{File: "config.yml", Line: 1, Column: 1, EndLine: 1, EndColumn: 2}},
		{
			Severity: SeverityError, Code: "yaml/x", Message: "found x", Hint: "write y", Path: "ä",
			Place:   Place{File: "config.yml", Line: 2, Column: 4, EndLine: 2, EndColumn: 5},
			Related: []Related{{"all this", Place{File: "config.yml", Line: 1, Column: 1, EndLine: 2, EndColumn: 1}}},
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
	if diff := cmp.Diff(want[1:], e.WithoutWarnings().Diagnostics()); diff != "" {
		t.Errorf("without warnings (-want +got):\n%s", diff)
	}
	if got := (&Error{files: &set, list: e.list[:1]}).WithoutWarnings(); got != nil {
		t.Errorf("nothing but a warning: got %v, want nil", got)
	}
	if got, want := (&Error{list: diag.List{bad}}).Error(), "found x"; got != want {
		t.Errorf("without files: got %q, want %q", got, want)
	}
}

func TestErrorRender(t *testing.T) {
	_, err := Render(t.Context(), Options{Files: []File{{Path: "a.yml", Data: []byte("a: *b\n")}}})
	var plain, color strings.Builder
	if err := errors.Join(ErrorOf(err).Render(&plain, false), ErrorOf(err).Render(&color, true)); err != nil {
		t.Fatal(err)
	}
	if got, want := plain.String(), "a.yml:1:4: error: unknown anchor 'b' referenced [yaml/anchor]\n  |\n1 | a: *b\n  |    ^^\nhint: "; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(color.String(), "\x1b[1;31merror:\x1b[0m") {
		t.Errorf("in colour: got %q", color.String())
	}
}

// TestDiagnosticOnDisk has a file whose name in the run is not the one on disk, and one whose name is.
func TestDiagnosticOnDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("config", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.yml", filepath.Join("config", "b.yml")} {
		if err := os.WriteFile(name, []byte("a: *b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for input, want := range map[string]Place{
		"a.yml":  {File: "a.yml", Line: 1, Column: 4, EndLine: 1, EndColumn: 6},
		"config": {File: "b.yml", Disk: "config/b.yml", Line: 1, Column: 4, EndLine: 1, EndColumn: 6},
	} {
		_, err := Render(t.Context(), Options{Inputs: []string{input}})
		if got := ErrorOf(err).Diagnostics()[0].Place; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestErrorOf(t *testing.T) {
	if got := ErrorOf(nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
	e := &Error{list: diag.List{diag.Errorf(source.Span{}, "load/x", "no such file")}}
	if got := ErrorOf(fmt.Errorf("wrapped: %w", e)); got != e {
		t.Errorf("got %v, want the error that is wrapped", got)
	}
	two := ErrorOf(errors.Join(errors.New("first"), diag.Errorf(source.Span{}, "emit/x", "second").WithHint("third")))
	want := []Diagnostic{{Severity: SeverityError, Message: "first"}, {Severity: SeverityError, Code: "emit/x", Message: "second", Hint: "third"}}
	if diff := cmp.Diff(want, two.Diagnostics()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBulk(t *testing.T) {
	files := []File{{Path: "a.yml", Data: []byte("a: 1\n")}, {Path: "b.yml", Data: []byte{}}}
	var b strings.Builder
	if err := WriteBulk(&b, files, nil); err != nil {
		t.Fatal(err)
	}
	got, err := ParseBulk([]byte(b.String()))
	if diff := cmp.Diff(files, got); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
	_, err = ParseBulk([]byte("{"))
	if e, ok := errors.AsType[*Error](err); !ok || e.Diagnostics()[0].Code != "emit/bulk" {
		t.Errorf("got %v, want an *Error about bulk input", err)
	}
	b.Reset()
	if err := WriteBulk(&b, nil, errors.New("the sky fell")); err != nil || b.String() != `{"errors":"the sky fell\n"}` {
		t.Errorf("got %s, %v", b.String(), err)
	}
}
