package kubernetes

import (
	"slices"
	"testing"
	"testing/fstest"
)

// Only what is read from disk can change while weft watches.
func TestReportedReads(t *testing.T) {
	var read []string
	note := func(path string) { read = append(read, path) }
	Files{Reads: note}.reportRead("a.json")
	Files{Reads: note, FS: fstest.MapFS{}}.reportRead("b.json")
	Files{}.reportRead("c.json")
	if !slices.Equal(read, []string{"a.json"}) {
		t.Errorf("reported %q", read)
	}
}
