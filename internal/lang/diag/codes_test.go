package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"weft/internal/lang/diag"
)

// TestCodes holds the table of codes to the source: each code that is declared is documented, each
// one that is documented is declared, and none is written where it is used, as a bare string.
func TestCodes(t *testing.T) {
	found := scan(t, filepath.Join("..", "..", ".."))
	documented := map[diag.Code]bool{}
	for _, info := range diag.Codes() {
		if documented[info.Code] {
			t.Errorf("%s is documented twice", info.Code)
		}
		documented[info.Code] = true
		if info.Title == "" || info.Doc == "" || strings.HasSuffix(info.Title, ".") ||
			strings.HasSuffix(info.Doc, ".") {
			t.Errorf("%s: want a title and documentation, without a full stop", info.Code)
		}
		if found.declared[info.Code] == "" {
			t.Errorf("%s is documented, but declared nowhere", info.Code)
		}
	}
	for code, name := range found.declared {
		if !documented[code] {
			t.Errorf("%s (%s) is not documented in codes.go", code, name)
			continue
		}
		info, _ := diag.About(code)
		if want, known := found.severity(name); known && info.Severity != want {
			t.Errorf("%s is documented as %s, but made as %s", code, info.Severity, want)
		}
	}
	if len(documented) < 100 {
		t.Errorf("only %d codes: does the scan find the source?", len(documented))
	}
}

// scanned is what the scan has found.
type scanned struct {
	t        *testing.T
	declared map[diag.Code]string // the constant of a code, as package.Name
	errors   map[string]bool      // constants that errors are made of
	warnings map[string]bool      // and warnings
}

// severity is the gravest with which a code is made, if it is made by its name.
func (s *scanned) severity(name string) (severity diag.Severity, known bool) {
	if s.errors[name] {
		return diag.Error, true
	}
	return diag.Warning, s.warnings[name]
}

// scan reads the Go files below root.
func scan(t *testing.T, root string) *scanned {
	t.Helper()
	s := &scanned{t, map[diag.Code]string{}, map[string]bool{}, map[string]bool{}}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				s.declaration(f.Name.Name, n)
			case *ast.CallExpr:
				s.call(fset, f.Name.Name, n)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// declaration takes note of `CodeX diag.Code = "group/name"`.
func (s *scanned) declaration(pkg string, n *ast.ValueSpec) {
	typ, ok := n.Type.(*ast.SelectorExpr)
	if !ok || typ.Sel.Name != "Code" {
		return
	}
	for i, name := range n.Names {
		if lit, ok := n.Values[i].(*ast.BasicLit); ok {
			code, _ := strconv.Unquote(lit.Value)
			s.declared[diag.Code(code)] = pkg + "." + name.Name
		}
	}
}

// call takes note of the code that a diagnostic is made with.
func (s *scanned) call(fset *token.FileSet, pkg string, n *ast.CallExpr) {
	fun, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if x, ok := fun.X.(*ast.Ident); !ok || x.Name != "diag" {
		return
	}
	at := map[string]int{"Errorf": 1, "Warningf": 1, "Failf": 0}
	i, ok := at[fun.Sel.Name]
	if !ok || i >= len(n.Args) {
		return
	}
	made := s.errors
	if fun.Sel.Name == "Warningf" {
		made = s.warnings
	}
	switch code := n.Args[i].(type) {
	case *ast.BasicLit:
		s.t.Errorf("%s: declare a constant for the code %s", fset.Position(code.Pos()), code.Value)
	case *ast.Ident:
		made[pkg+"."+code.Name] = true
	case *ast.SelectorExpr:
		if x, ok := code.X.(*ast.Ident); ok {
			made[x.Name+"."+code.Sel.Name] = true
		}
	}
}
