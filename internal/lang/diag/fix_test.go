package diag_test

import (
	"testing"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// A fix is located where its word stands for certain, and left out where it may be another.
func TestLocated(t *testing.T) {
	const text = "one: two\ntwo-x: x two\nx: x x\n"
	var files source.Set
	f, err := files.Add("a.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	argument, err := files.AddArgument("flag", "--data-value x=1", []byte("x=1"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		at   source.Span
		was  string
		want int // the offset, or -1
	}{
		{"at the place", f.Span(0, 3), "one", 0},
		{"on its line", f.Span(0, 3), "two", 5},
		{"at the place, whatever follows", f.Span(9, 10), "two", 9},
		{"the only whole word", f.Span(14, 15), "two", 18},
		{"on another line", f.Span(24, 25), "two", -1},
		{"twice on its line", f.Span(26, 27), "x", -1},
		{"of a flag", argument.Span(0, 1), "x", -1},
		{"of nothing", source.Span{}, "x", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := -1
			if fix := diag.Errorf(tt.at, "x/a", "a").WithFix(tt.was, "y").Located(&files); fix != nil {
				got = fix.Edits[0].At.Offset()
			}
			if got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
	if diag.Errorf(f.Span(0, 3), "x/a", "a").Located(&files) != nil {
		t.Error("a diagnostic without a fix has one")
	}
}
