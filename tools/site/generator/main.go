// Command generator builds the web site. `go run ./tools/site` runs it. It is a separate module, so that
// weft does not depend on a Markdown library.
//
// Every page starts as Markdown, either from the repository (pages.go) or generated from weft's tables
// (codes.go). The generator parses it, runs its tested examples again (examples.go), checks its links
// (links.go), and writes HTML that works without scripts (render.go, layout.go). The same sources give
// the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "", "write the site to the directory `DIR`")
	root := flag.String("root", ".", "the repository's `directory`")
	from := flag.String("from", ".", "the `directory` that -o is relative to")
	pages := flag.Bool("pages", false, "make only the pages, without weft and the playground")
	version := flag.String("version", "", "the `version` that the playground shows (default: git describe)")
	address := flag.String("url", "", "the `ADDRESS` at which the site will be, for search engines")
	small := flag.Bool("compress", false, "also write NAME.br and NAME.zst, which needs brotli and zstd")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/site -o DIR [-pages] [-compress] [-url ADDRESS]")
		os.Exit(2)
	}
	to := *out
	if !filepath.IsAbs(to) {
		to = filepath.Join(*from, to)
	}
	if err := generate(*root, to, *version, *address, *pages, *small); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// generate builds the site of the repository in root.
func generate(root, to, version, address string, onlyPages, small bool) error {
	s, err := build(root, address, !onlyPages && hasNpm())
	if err != nil {
		return err
	}
	if err := s.write(to); err != nil {
		return err
	}
	fmt.Printf("%d pages, %d examples, %d files in %s\n", len(s.pages), s.runs, len(s.files), to)
	if s.playground {
		if err := programs(root, to, version, address); err != nil {
			return err
		}
	} else if !onlyPages {
		fmt.Fprintln(os.Stderr, "site: npm is not installed, so the playground and the search are left out")
	}
	if small {
		return web(root, "-compress", to)
	}
	return nil
}
