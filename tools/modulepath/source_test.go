package main

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// sourceFS is the files of a Go module: those that are compiled, and those that describe it.
type sourceFS struct{ root string }

// Open implements fs.FS.
func (s sourceFS) Open(name string) (fs.File, error) { return os.DirFS(s.root).Open(name) }

// ReadDir implements fs.ReadDirFS.
func (s sourceFS) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(os.DirFS(s.root), name)
	var kept []fs.DirEntry
	for _, e := range all {
		ext := path.Ext(e.Name())
		switch {
		case e.IsDir() && (e.Name() == "testdata" || e.Name() != ".ci" && strings.HasPrefix(e.Name(), ".")):
		case e.IsDir(), ext == ".go", ext == ".mod", ext == ".sum", ext == ".md", name == ".ci":
			kept = append(kept, e)
		case ext == ".yaml" || ext == ".yml" || ext == ".json" || ext == ".txt": // may be embedded
			kept = append(kept, e)
		}
	}
	return kept, err
}
