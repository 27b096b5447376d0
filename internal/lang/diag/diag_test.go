package diag_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

func TestOf(t *testing.T) {
	a := diag.Errorf(source.Span{}, "x/a", "a")
	b := diag.Errorf(source.Span{}, "x/b", "b")
	tests := []struct {
		name string
		err  error
		want []string
	}{
		{"nil", nil, nil},
		{"list", diag.List{a, b}, []string{"x/a a", "x/b b"}},
		{"diagnostic", a, []string{"x/a a"}},
		{"wrapped list", fmt.Errorf("reading: %w", diag.List{a, b}), []string{"x/a a", "x/b b"}},
		{"wrapped twice", fmt.Errorf("1: %w", fmt.Errorf("2: %w", a)), []string{"x/a a"}},
		{
			"joined",
			errors.Join(a, errors.New("plain"), diag.List{b}),
			[]string{"x/a a", " plain", "x/b b"},
		},
		{"joined in a wrapper", fmt.Errorf("%w and %w", b, a), []string{"x/b b", "x/a a"}},
		{"another kind", errors.New("100% plain"), []string{" 100% plain"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range diag.Of(tt.err) {
				got = append(got, string(d.Code)+" "+d.Message)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestList(t *testing.T) {
	list := diag.List{
		diag.Warningf(source.Span{}, "x/w", "slow"),
		diag.Warningf(source.Span{}, "x/w", "slower"),
	}
	if list.Failed() {
		t.Error("warnings alone fail the run")
	}
	list = append(list, diag.Errorf(source.Span{}, "x/e", "stopped"))
	if !list.Failed() {
		t.Error("a list with an error does not fail the run")
	}
	if got, want := list.Error(), "slow\nslower\nstopped"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
