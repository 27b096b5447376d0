package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProfile holds the profile for the compiler to packages that exist. It names functions by the path of
// their package: after a package has moved, the compiler finds none of them, and says nothing.
func TestProfile(t *testing.T) {
	f, err := os.Open("default.pgo")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	// In a profile, each string comes after the byte '2' and its length. Files end in ".go".
	names := regexp.MustCompile(`weft/(internal/[a-z0-9/]+)\.(\(|\w+)`)
	for _, m := range names.FindAllSubmatch(data, -1) {
		if name := string(m[2]); name != "go" && !strings.HasPrefix(name, "go2") {
			seen[string(m[1])] = true
		}
	}
	for path := range seen {
		if _, err := os.Stat(filepath.Join("..", "..", path)); err != nil {
			t.Errorf("default.pgo names functions of %s, which does not exist: see bench/README.md", path)
		}
	}
	if len(seen) < 10 {
		t.Errorf("default.pgo names functions of %d packages of weft only", len(seen))
	}
}
