// Package docs holds the pages that the program prints.
package docs

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed lint help
var pages embed.FS

// manual has the pages for people. It is separate from pages, so that programs without them stay small.
//
//go:embed *.md guides/*.md recipes/*.md reference/*.md
var manual embed.FS

// Pages returns the names of all pages, sorted, such as guides/overlays.md.
func Pages() []string {
	var names []string
	for _, files := range []fs.FS{manual, pages} {
		_ = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				names = append(names, name)
			}
			return err // reading an embedded file cannot fail
		})
	}
	slices.Sort(names)
	return names
}

// Page returns a page by its name.
func Page(name string) ([]byte, error) {
	if text, err := manual.ReadFile(name); err == nil {
		return text, nil
	}
	return pages.ReadFile(name)
}

// Rule returns the page about a rule of the linter.
func Rule(code string) ([]byte, error) { return pages.ReadFile("lint/" + code + ".md") }

// Topic returns a short text about a subject, for weft help.
func Topic(name string) ([]byte, error) { return pages.ReadFile("help/" + name + ".md") }

// Topics returns the names of all topics, sorted.
func Topics() []string {
	entries, err := pages.ReadDir("help")
	if err != nil {
		panic(err) // the file is embedded, so reading cannot fail
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".md"))
	}
	return names
}
