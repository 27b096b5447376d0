// Package docs holds the pages that the program prints.
package docs

import (
	"embed"
	"strings"
)

//go:embed lint help
var pages embed.FS

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
