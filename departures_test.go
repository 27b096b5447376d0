package weft_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDepartures holds docs/differences-from-ytt.md to name every recorded case in which weft differs.
func TestDepartures(t *testing.T) {
	const begin, end = "<!-- the list is made of conformance/departures-ytt.txt: go test . -update -->\n", "<!-- end of the list -->\n"
	path := filepath.Join("docs", "differences-from-ytt.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the list")
	}
	want := before + begin + departures(t) + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(page), want); diff != "" {
		t.Errorf("the page does not list the departures; go test . -update rewrites it (-page +real):\n%s", diff)
	}
}

// departures is the list: each reason once, with the cases that it is about.
func departures(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("conformance", "departures-ytt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var reasons []string
	cases := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("no reason: %s", line)
		}
		if cases[reason] == nil {
			reasons = append(reasons, reason)
		}
		cases[reason] = append(cases[reason], "`"+name+"`")
	}
	var b strings.Builder
	for _, r := range reasons {
		b.WriteString("- " + r + ": " + strings.Join(cases[r], ", ") + "\n")
	}
	return b.String()
}
