package main

import (
	"io/fs"
	"os"
	"strings"
)

// sourceFS is the files of a Go module, without those that only tests read: any other may be
// embedded.
type sourceFS struct{ root string }

// Open implements fs.FS.
func (s sourceFS) Open(name string) (fs.File, error) { return os.DirFS(s.root).Open(name) }

// ReadDir implements fs.ReadDirFS.
func (s sourceFS) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(os.DirFS(s.root), name)
	var kept []fs.DirEntry
	for _, e := range all {
		hidden := strings.HasPrefix(e.Name(), ".") && e.Name() != ".ci"
		if !hidden && e.Name() != "testdata" && e.Name() != "node_modules" {
			kept = append(kept, e)
		}
	}
	return kept, err
}
