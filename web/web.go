// Package web has the page of the playground, as `go run ./tools/web` builds it from the folder
// playground. What is built is not in the repository: without it there is one page, which says how
// to get it.
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
		panic(err) // the name of the folder is right
	}
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return files, "missing.html"
	}
	return files, "index.html"
}
