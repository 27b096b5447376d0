// Package cases finds the cases of tests: files below testdata, folders that environment variables
// name, and how many random cases to try. Only tests import it.
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

// Update is set by -update: tests rewrite their expected output, or the page that they compare with a
// table.
var Update = flag.Bool("update", false, "rewrite what tests want, and pages made from tables")

// Paths returns the files that match a pattern, as absolute paths: a test may change its directory.
// If there are none, the test fails.
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

// Folder returns the folder that an environment variable names, for data that cannot be part of the
// repository. Without it, the test is skipped.
func Folder(tb testing.TB, variable string) string {
	tb.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		tb.Skip(variable + " is not set")
	}
	return dir
}

// EachFolder runs a test for each folder below the one that a variable names, if it contains a file
// with this name. The test is named after the path of the folder. EachFolder returns the number of
// folders.
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

// Number returns how many random cases a test generates: few, or many if it may take long.
func Number(few, many uint64) uint64 {
	if Long() {
		return many
	}
	return few
}
