// Package web has the page of the playground, which `go run ./tools/web` builds from the folder
// playground. The result is not in the repository: without it, the only page says how to build it.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Page returns the files of the page. Its name is index.html, or missing.html if it was not built.
func Page() (files fs.FS, name string) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder exists
	}
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return files, "missing.html"
	}
	return files, "index.html"
}
