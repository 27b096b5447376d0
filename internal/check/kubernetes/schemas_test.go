package kubernetes

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"weft/internal/check/jsonschema"
)

// A file of schemas is parsed once, and again when it has changed.
func TestCacheReadsChangedFiles(t *testing.T) {
	t.Parallel()
	path := filepath.ToSlash(filepath.Join(t.TempDir(), "a.json"))
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var c Cache
	read := func() *jsonschema.Schema {
		t.Helper()
		s, err := c.read(location{}, path)
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		return s
	}
	now := time.Now()
	write(`{"type": "object"}`, now)
	first := read()
	if read() != first {
		t.Error("a file that has not changed is parsed twice")
	}
	write(`{"type": "string"}`, now.Add(time.Second))
	second := read()
	if second == first {
		t.Error("a file with another time is not read again")
	}
	write(`{"type": "integer"}`, now.Add(time.Second))
	if read() == second {
		t.Error("a file with another size is not read again")
	}
}
