package diag

import (
	"strings"
	"testing"
)

// TestNearestGrowth holds the search for the nearest name to cost what the names are long: a
// misspelling of a megabyte is compared with none of them.
func TestNearestGrowth(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	var names []string
	for i := range 26 {
		names = append(names, long+string(rune('a'+i)))
	}
	if near := Nearest(long, names); near != "" {
		t.Errorf("a name of a megabyte is near one of %d letters", len(near))
	}
	if allocs := testing.AllocsPerRun(5, func() { Nearest(long, names) }); allocs > 10 {
		t.Errorf("comparing long names allocates %v times", allocs)
	}
	if near := Nearest("replcias", []string{"name", "replicas"}); near != "replicas" {
		t.Errorf("replcias is near %q", near)
	}
}
