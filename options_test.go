package weft

import (
	"errors"
	"testing"

	"weft/internal/diag"
	"weft/internal/source"
)

func TestErrorNamesPlaces(t *testing.T) {
	var set source.Set
	f, err := set.Add("config.yml", []byte("a: 1\nä: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	bad := diag.Errorf(f.Span(9, 10), "yaml/x", "found x")
	err = &Error{Files: &set, List: diag.List{bad, diag.Errorf(source.Span{}, "load/x", "no such file")}}
	if got, want := err.Error(), "config.yml:2:4: found x\nno such file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if list, ok := errors.AsType[diag.List](err); !ok || list[0] != bad {
		t.Error("the error does not give its diagnostics")
	}
	if got, want := (&Error{List: diag.List{bad}}).Error(), "found x"; got != want {
		t.Errorf("without files: got %q, want %q", got, want)
	}
}
