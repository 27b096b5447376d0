// Package cases finds the cases of tests: files below testdata, folders that variables of the
// environment name, and how many cases there is time for. Only tests import it.
package cases

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Update is set by -update: a test rewrites what it wants, or the page that it holds to a table.
var Update = flag.Bool("update", false, "rewrite what tests want, and pages made from tables")

// Paths returns the files that match a pattern, as absolute paths: a test may change its directory.
// A test that has lost its cases fails.
func Paths(tb testing.TB, pattern string) []string {
	tb.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no cases match %s: %v", pattern, err)
	}
	for i, path := range paths {
		if paths[i], err = filepath.Abs(path); err != nil {
			tb.Fatal(err)
		}
	}
	return paths
}

// Each runs a test for each file that matches a pattern, under the name of the file.
func Each(t *testing.T, pattern string, run func(t *testing.T, path string)) {
	t.Helper()
	for _, path := range Paths(t, pattern) {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(t *testing.T) { run(t, path) })
	}
}

// Archive reads a txtar archive.
func Archive(tb testing.TB, path string) *txtar.Archive {
	tb.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// Folder returns the folder that a variable names, in which there is what cannot be part of the
// repository. Without it the test is left out.
func Folder(tb testing.TB, variable string) string {
	tb.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		tb.Skip(variable + " is not set")
	}
	return dir
}

// EachFolder runs a test for each folder below the one that a variable names in which there is a
// file of a name, under the path of the folder. It gives how many there are.
func EachFolder(
	t *testing.T, variable, file string, run func(t *testing.T, dir, name string),
) (count int) {
	t.Helper()
	root := Folder(t, variable)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != file {
			return err
		}
		count++
		dir := filepath.Dir(path)
		name, err := filepath.Rel(root, dir)
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) { run(t, dir, name) })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// Long reports whether tests may take long, because WEFT_TEST_LONG is set.
func Long() bool { return os.Getenv("WEFT_TEST_LONG") != "" }

// Number returns how many cases a test makes up: few of them, or many if it may take long.
func Number(few, many uint64) uint64 {
	if Long() {
		return many
	}
	return few
}
