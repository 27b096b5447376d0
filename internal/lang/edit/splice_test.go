package edit_test

import (
	"testing"

	"weft/internal/lang/edit"
)

func TestSpliced(t *testing.T) {
	list := []edit.Splice{{From: 4, To: 5, Text: "2"}, {From: 0, To: 1, Text: "b"}, {From: 5, To: 5, Text: "3"}}
	if got, want := string(edit.Spliced([]byte("a: 1.\n"), list)), "b: 123\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if list[0].From != 4 {
		t.Error("the list of the caller is sorted")
	}
	if edit.Disjoint(list, []edit.Splice{{From: 3, To: 5}}) ||
		!edit.Disjoint(list, []edit.Splice{{From: 2, To: 3}}) {
		t.Error("what overlaps is told apart, or what does not is not")
	}
}
