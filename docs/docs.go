// Package docs holds the pages that the program prints.
package docs

import "embed"

//go:embed lint
var pages embed.FS

// Rule is the page about a rule of the linter.
func Rule(code string) ([]byte, error) { return pages.ReadFile("lint/" + code + ".md") }
