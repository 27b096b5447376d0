// Command site builds the web site: all of docs as pages with a search, tested examples that can be
// edited and run, and the playground.
//
//	go run ./tools/site -o DIR           everything; the playground needs npm
//	go run ./tools/site -o DIR -pages    only the pages, which takes a few seconds
//	go run ./tools/site -o DIR -compress  with .br and .zst files beside large ones, for the server to send
//	go run ./tools/site -o DIR -url URL  pages say that they are below URL, and a list of them is made
//
// The generator is a separate module in the folder generator, so that users of weft don't download the
// Markdown libraries. This command only finds it and runs it.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := generate(os.Args[1:]); err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			os.Exit(exit.ExitCode()) // the generator has printed the error
		}
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// generate runs the generator with these arguments, and with those that name the repository.
func generate(args []string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("finding the module: %w; run this in a clone of weft", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	dir := strings.TrimSpace(string(root))
	cmd := exec.Command("go", append([]string{
		"run", "-C", filepath.Join(dir, "tools", "site", "generator"), "-pgo=off", ".",
		"-root", dir, "-from", here,
	}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
