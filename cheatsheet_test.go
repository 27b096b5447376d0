package weft_test

import (
	"os"
	"strings"
	"testing"

	"weft/internal/lang/tree"
)

// TestCheatSheet checks that the cheat sheet has every annotation. TestDocs runs what it shows.
func TestCheatSheet(t *testing.T) {
	page, err := os.ReadFile("docs/reference/cheat-sheet.md")
	if err != nil {
		t.Fatal(err)
	}
	names := tree.Known("")
	if len(names) == 0 {
		t.Fatal("there are no annotations")
	}
	for _, name := range names {
		if !strings.Contains(string(page), "#@"+name) {
			t.Errorf("the cheat sheet lacks #@%s", name)
		}
	}
}
