// Command modulepath changes the path of the module, so that others can import it from its repository:
//
//	go run ./tools/modulepath example.com/team/weft
//
// It changes go.mod, tools.mod, every import, and the places in docs and scripts that name packages
// by their full path. It changes nothing else, and nothing at all if a file cannot be read.
package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/modulepath HOST/PATH")
		os.Exit(2)
	}
	changed, err := move(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulepath:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed. Next: go build ./..., and a new profile (see bench/README.md): "+
		"the old one knows the old names.\n", changed)
}

// validPath matches module paths of repositories: a host with a dot, and at least one name.
var validPath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+$`)

// move changes the path of the module in a directory, and returns the number of changed files.
func move(dir, to string) (changed int, err error) {
	if !validPath.MatchString(to) {
		return 0, fmt.Errorf("expected a path such as example.com/team/weft, but found '%s'", to)
	}
	from, err := modulePath(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, err
	}
	files := map[string][]byte{} // new contents, by path
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "testdata" ||
				name == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		rewrite := rewriter(filepath.ToSlash(path))
		if rewrite == nil {
			return nil
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := rewrite(old, from, to)
		if err == nil && !bytes.Equal(text, old) {
			files[path] = text
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for path, text := range files {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// modulePath returns the path that a go.mod declares.
func modulePath(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(data)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.TrimSpace(path), nil
		}
	}
	return "", fmt.Errorf("%s declares no module", file)
}

// rewriter returns the function that rewrites a file, or nil if it stays unchanged.
func rewriter(path string) func(text []byte, from, to string) ([]byte, error) {
	name := filepath.Base(path)
	switch {
	case strings.HasSuffix(name, ".go"):
		return rewriteGo
	case name == "go.mod" || name == "tools.mod":
		return rewriteModule
	case strings.HasSuffix(name, ".md") || strings.Contains(path, ".ci/"):
		return rewriteText
	}
	return nil
}

// rewriteModule changes the path that a go.mod declares, requires or replaces.
func rewriteModule(text []byte, from, to string) ([]byte, error) {
	re := regexp.MustCompile(`(?m)^(module |replace |require |\t)` + regexp.QuoteMeta(from) +
		`(/\S+)?( v\S+| =>.*)?$`)
	return re.ReplaceAll(text, []byte("${1}"+to+"${2}${3}")), nil
}

// rewriteGo changes the imports of a Go file, and the packages that its comments name.
func rewriteGo(text []byte, from, to string) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range slices.Backward(file.Imports) { // from the end, so that offsets hold
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '/') {
			start, end := set.Position(spec.Path.Pos()).Offset, set.Position(spec.Path.End()).Offset
			text = slices.Concat(text[:start], []byte(strconv.Quote(to+rest)), text[end:])
		}
	}
	return rewriteText(text, from, to)
}

// rewriteText changes full paths of packages, as in -ldflags '-X
// weft/internal/serve/cli/process.version=1.0' and in lists of packages.
func rewriteText(text []byte, from, to string) ([]byte, error) {
	re := regexp.MustCompile(
		`(?m)(^|[\s'"=(` + "`" + `])` + regexp.QuoteMeta(
			from,
		) + `(/(?:internal|cmd|bench|tools)/[a-z]| Fuzz)`,
	)
	return re.ReplaceAll(text, []byte("${1}"+to+"${2}")), nil
}
