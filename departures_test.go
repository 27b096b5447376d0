package weft_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDepartures holds the list of recorded cases in which weft differs to give a reason for each,
// and docs/differences-from-ytt.md, which is for users, to speak of behavior and never of those
// cases.
func TestDepartures(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("conformance", "departures-ytt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("docs", "differences-from-ytt.md"))
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cases++
		name, reason, _ := strings.Cut(line, ": ")
		if len(reason) < 20 {
			t.Errorf("no reason: %s", line)
		}
		if strings.Contains(string(page), name) {
			t.Errorf("the page names the recorded case %s", name)
		}
	}
	if cases == 0 {
		t.Error("no case was read")
	}
}
