package tree

import (
	"slices"
	"strings"
	"testing"
)

// The table is searched by halves, and the reference is made from it.
func TestMeanings(t *testing.T) {
	if !slices.IsSortedFunc(
		meanings,
		func(a, b Meaning) int { return strings.Compare(a.Name, b.Name) },
	) {
		t.Error("the annotations are not sorted by name")
	}
	for _, m := range Meanings() {
		if got, ok := MeaningOf(m.Name); !ok || got.Doc != m.Doc || !Means(m.Name) {
			t.Errorf("%s is not found", m.Name)
		}
		if m.On == "" || m.Doc == "" || strings.HasSuffix(m.Doc, ".") {
			t.Errorf("%s: want where it may stand, and documentation without a full stop", m.Name)
		}
		for i, name := range m.KeywordNames() {
			if m.Keywords[i].Type == "" || !m.Takes(name) {
				t.Errorf("%s: want a type of the keyword %s", m.Name, name)
			}
		}
	}
	if Means("overlay/delete") || Means("") {
		t.Error("an annotation that there is not means something")
	}
}
