package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changing are the functions of package os that change files, or open them so that someone can.
var changing = []string{
	"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll",
	"MkdirTemp", "OpenFile", "OpenInRoot", "OpenRoot", "Remove", "RemoveAll", "Rename", "Symlink", "Truncate",
	"WriteFile",
}

// writers are the places outside of internal/engine/outdir that use one of them, and why.
var writers = map[string]string{
	"internal/project/git/fetch.go: os.MkdirTemp":        "a private directory for a commit of others",
	"internal/project/git/fetch.go: os.RemoveAll":        "removes that directory",
	"internal/project/vendor/tree.go: os.OpenRoot":       "reads the folder of a source",
	"internal/project/vendor/update.go: os.RemoveAll":    "removes a source that can be fetched again",
	"internal/serve/upgrade/files.go: os.OpenRoot":       "reads the folder of a source",
	"internal/serve/cli/edit.go: os.MkdirTemp":           "a private directory for a file to edit",
	"internal/serve/cli/edit.go: os.RemoveAll":           "removes that directory",
	"internal/serve/cli/edit.go: os.WriteFile":           "the file to edit",
	"internal/serve/cli/suggest_files.go: os.OpenRoot":   "reads the folder of a project",
	"internal/serve/mcp/suggest.go: os.OpenRoot":         "reads the folder of a project",
	"internal/serve/lsp/workspace/files.go: os.OpenRoot": "reads the folder of an editor",
}

// One package writes files: internal/engine/outdir knows what must not be written to, deleted or followed.
// Everything else of the program goes through it.
func TestOnePackageWritesFiles(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			switch name {
			// what is not part of the program, or is a module of its own
			case ".git", "bench", "tools", "web", "editors", "testdata", "internal/engine/outdir":
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		return findWrites(name, func(what string) {
			at := name + ": " + what
			found[at] = true
			if writers[at] == "" {
				t.Errorf("%s: write files with package internal/engine/outdir", at)
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range writers {
		if !found[at] {
			t.Errorf("%s: it is not used any more", at)
		}
	}
}

// findWrites calls each with what a file uses to change files.
func findWrites(name string, each func(what string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return err
	}
	pkg := ""
	for _, i := range file.Imports {
		switch i.Path.Value {
		case `"io/ioutil"`:
			each("io/ioutil")
		case `"os"`:
			pkg = "os"
			if i.Name != nil {
				pkg = i.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && pkg != "" && x.Name == pkg && slices.Contains(changing, s.Sel.Name) {
			each("os." + s.Sel.Name)
		}
		return true
	})
	return nil
}
