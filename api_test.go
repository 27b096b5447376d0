package weft_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxNames is how many exported names and methods the public API may have.
const maxNames = 230

// publicAPI returns the public API with its types.
func publicAPI(t *testing.T) *types.Package {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	check := types.Config{Importer: importer.ForCompiler(fset, "gc", open)}
	pkg, err := check.Check("weft", fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestPublicTypes fails if an exported name of the public API has an internal type, or if there are more
// names than a reader can learn.
func TestPublicTypes(t *testing.T) {
	pkg := publicAPI(t)
	count := 0
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		count++
		checkPublic(t, name, o.Type())
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !ok || !isType {
			continue
		}
		checkPublic(t, name, named.Underlying())
		for m := range named.Methods() {
			if m.Exported() {
				count++
				checkPublic(t, name+"."+m.Name(), m.Type())
			}
		}
	}
	t.Logf("%d exported names and methods", count)
	if count > maxNames {
		t.Errorf("the public API has %d exported names and methods, want at most %d", count, maxNames)
	}
}

// checkPublic reports internal types in what callers see of a type.
func checkPublic(t *testing.T, name string, typ types.Type) {
	t.Helper()
	switch x := typ.(type) {
	case *types.Named:
		if p := x.Obj().Pkg(); p != nil && strings.Contains(p.Path()+"/", "/internal/") {
			t.Errorf("%s has the internal type %s", name, x)
		}
		for i := range x.TypeArgs().Len() {
			checkPublic(t, name, x.TypeArgs().At(i))
		}
	case *types.Alias:
		checkPublic(t, name, types.Unalias(x))
	case *types.Pointer:
		checkPublic(t, name, x.Elem())
	case *types.Slice:
		checkPublic(t, name, x.Elem())
	case *types.Array:
		checkPublic(t, name, x.Elem())
	case *types.Chan:
		checkPublic(t, name, x.Elem())
	case *types.Map:
		checkPublic(t, name, x.Key())
		checkPublic(t, name, x.Elem())
	case *types.Tuple:
		for v := range x.Variables() {
			checkPublic(t, name, v.Type())
		}
	case *types.Signature:
		checkPublic(t, name, x.Params())
		checkPublic(t, name, x.Results())
	case *types.Struct:
		for f := range x.Fields() {
			if f.Exported() {
				checkPublic(t, name+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			checkPublic(t, name+"."+m.Name(), m.Type())
		}
	}
}

// TestEntryPointsHaveExamples fails if a function of the public API, or a type that callers begin with,
// has no example.
func TestEntryPointsHaveExamples(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, text...)
	}
	names := []string{
		"Cache", "Error", "Error_Diagnostics", "LintReport_Without", "Project_WriteConfig", "Result_Decode",
		"Result_Documents", "Result_Files", "Result_Split", "Result_WriteFiles", "Timings",
	}
	scope := publicAPI(t).Scope()
	for _, name := range scope.Names() {
		if _, ok := scope.Lookup(name).(*types.Func); ok && token.IsExported(name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !bytes.Contains(tests, []byte("func Example"+name+"()")) &&
			!bytes.Contains(tests, []byte("func Example"+name+"_")) {
			t.Errorf("%s has no example", name)
		}
	}
}
