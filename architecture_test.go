package weft_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the folders of internal, from the lowest to the highest. The root package, the public API, is
// between the last two.
var floors = []string{"lang", "engine", "origin", "rewrite", "check", "project", "", "serve"}

// floorOf returns the number of the floor of a package, which is -1 for what is on none.
func floorOf(pkg string) int {
	if pkg == "weft" {
		return slices.Index(floors, "")
	}
	below, ok := strings.CutPrefix(pkg, "weft/internal/")
	if !ok {
		return -1
	}
	floor, _, _ := strings.Cut(below, "/")
	return slices.Index(floors, floor)
}

// TestFloors fails if an import points up.
func TestFloors(t *testing.T) {
	seen := 0
	for file, imports := range imports(t) {
		pkg := path.Join("weft", path.Dir(file))
		floor := floorOf(pkg)
		if floor < 0 {
			if strings.HasPrefix(file, "internal/") && !strings.HasPrefix(file, "internal/testing/") {
				t.Errorf("%s is on no floor", file)
			}
			continue
		}
		for _, imported := range imports {
			if to := floorOf(imported); to > floor {
				t.Errorf("%s imports %s, which is on a higher floor", file, imported)
			} else if to >= 0 {
				seen++
			}
			if strings.HasPrefix(imported, "weft/internal/testing") {
				t.Errorf("%s imports %s, which is for tests", file, imported)
			}
		}
	}
	if seen < 100 {
		t.Errorf("there are %d imports of floors, want many", seen)
	}
	for _, floor := range floors {
		if _, err := os.Stat(filepath.Join("internal", floor, "doc.go")); floor != "" && err != nil {
			t.Errorf("the floor %s has no doc.go", floor)
		}
	}
}

// imports returns what the Go files of the root and of internal import, apart from tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	read := func(file string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range f.Imports {
			name, _ := strconv.Unquote(s.Path.Value)
			names = append(names, name)
		}
		found[filepath.ToSlash(file)] = names
	}
	root, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range root {
		read(file)
	}
	err = filepath.WalkDir("internal", func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			read(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestArchitecture fails if the picture of the folders in docs/architecture.md lacks a file of the root or a
// package of internal, or shows one that does not exist.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := shownIn(string(page))
	here := map[string]bool{}
	for file := range imports(t) {
		if dir := path.Dir(file); dir != "." {
			here[dir] = true
		}
	}
	for _, floor := range append(slices.Clone(floors), "testing") {
		if floor != "" {
			here["internal/"+floor] = true
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		here[file] = !strings.HasSuffix(file, "_test.go")
	}
	for name, want := range here {
		if want && !shown[name] {
			t.Errorf("%s is not in the picture", name)
		}
		delete(shown, name)
	}
	for name := range shown {
		t.Errorf("%s is in the picture, but does not exist", name)
	}
}

// shownIn returns the Go files and the folders of internal that the picture of a page shows.
func shownIn(page string) map[string]bool {
	shown := map[string]bool{}
	line := regexp.MustCompile(`(?m)^((?:│   |    )*)[├└]── ([a-z_/]+(?:\.go)?) `)
	floor := ""
	for _, m := range line.FindAllStringSubmatch(page, -1) {
		switch name := m[2]; strings.Count(m[1], "   ") {
		case 0:
			if strings.HasSuffix(name, ".go") && !strings.Contains(name, "/") {
				shown[name] = true
			}
		case 1:
			floor = "internal/" + name
			shown[floor] = true
		default:
			shown[floor+"/"+name] = true
		}
	}
	return shown
}

// A package comment that lists files lists all of them, and none that are gone.
func TestFileMaps(t *testing.T) {
	maps := 0
	for dir, comment := range packageComments(t) {
		listed := listedFiles(comment)
		if len(listed) < 2 {
			continue // an example, not a map
		}
		maps++
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
		used := map[string]bool{}
		for _, file := range files {
			name := filepath.Base(file)
			i := slices.IndexFunc(listed, func(pattern string) bool {
				ok, err := path.Match(pattern, name)
				return ok && err == nil
			})
			if i < 0 {
				t.Errorf("the comment of package %s does not list %s", dir, name)
				continue
			}
			used[listed[i]] = true
		}
		for _, pattern := range listed {
			if !used[pattern] {
				t.Errorf("the comment of package %s lists %s, which does not exist", dir, pattern)
			}
		}
	}
	if maps == 0 {
		t.Error("no package comment lists files")
	}
}

// packageComments returns the comments of the packages below internal, by directory.
func packageComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	err := filepath.WalkDir("internal", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && f.Doc != nil {
			comments[filepath.Dir(file)] = f.Doc.Text()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return comments
}

// listedFiles returns the patterns of files that begin an indented line: `parse*.go, tree.go   text`.
func listedFiles(comment string) []string {
	var listed []string
	for line := range strings.Lines(comment) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			name, more := strings.CutSuffix(word, ",")
			if !strings.HasSuffix(name, ".go") {
				break
			}
			listed = append(listed, name)
			if !more {
				break
			}
		}
	}
	return listed
}

// TestOneType checks that three words for which every package once had a type name one type each.
func TestOneType(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^(?:type |\t)(Document|Project|Change) +(?:struct\b|interface\b|func\(|= )`)
	places := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			places[string(m[1])] = append(places[string(m[1])], path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Document", "Project", "Change"} {
		if len(places[name]) != 1 {
			t.Errorf("%d types are called %s, want 1: %s", len(places[name]), name, places[name])
		}
	}
}
