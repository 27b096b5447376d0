package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
)

// saidWith returns the messages of each code, without what they insert: readers paste those that they got
// into the search.
func saidWith(root string) (map[diag.Code][]string, error) {
	files, err := parsed(filepath.Join(root, "internal"))
	if err != nil {
		return nil, err
	}
	named := codesIn(files)
	said := map[diag.Code][]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = fieldsOf(n)
			}
			code, text := codeAndText(list, file.Name.Name, named)
			if text = spoken(text); text != "" && !slices.Contains(said[code], text) {
				said[code] = append(said[code], text)
			}
			return true
		})
	}
	return said, nil
}

// parsed returns the Go files in a folder that are no tests. A site of other pages has none.
func parsed(dir string) (files []*ast.File, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return files, err
}

// codesIn returns the texts of constants, by their names: "schema.CodeType".
func codesIn(files []*ast.File) map[string]diag.Code {
	named := map[string]diag.Code{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
				for i, name := range spec.Names {
					if text, ok := textOf(spec.Values[i]); ok {
						named[file.Name.Name+"."+name.Name] = diag.Code(text)
					}
				}
			}
			return true
		})
	}
	return named
}

// codeAndText returns the first text after a code in a list of expressions of a package, and the code.
func codeAndText(list []ast.Expr, pkg string, named map[string]diag.Code) (code diag.Code, text string) {
	for _, e := range list {
		if text, ok := textOf(e); ok && code != "" {
			return code, text
		}
		name := ""
		switch e := e.(type) {
		case *ast.Ident:
			name = pkg + "." + e.Name
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok {
				name = x.Name + "." + e.Sel.Name
			}
		}
		if _, ok := diag.About(named[name]); ok {
			code = named[name]
		}
	}
	return "", ""
}

// fieldsOf returns the fields Code and Message of a literal, in this order.
func fieldsOf(n *ast.CompositeLit) []ast.Expr {
	list := make([]ast.Expr, 2)
	for _, e := range n.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch key, _ := field.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "Code":
			list[0] = field.Value
		case key.Name == "Message":
			list[1] = field.Value
		}
	}
	return list
}

// textOf returns the text of a literal, of a sum of literals, or of the first argument of fmt.Sprintf.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := textOf(e.X)
		right, more := textOf(e.Y)
		return left + right, e.Op == token.ADD && (ok || more)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			return textOf(e.Args[0])
		}
	}
	return "", false
}

// inserted matches what a format inserts, with quotes around it, and commas: they separate the phrases.
var inserted = regexp.MustCompile(`['"` + "`" + `]?%[-+#0-9.\[\]]*[a-zA-Z]['"` + "`" + `]?|,`)

// spoken returns the words of a message, or "" if there are few.
func spoken(format string) string {
	words := strings.Fields(inserted.ReplaceAllString(format, " "))
	if len(words) < 2 {
		return ""
	}
	return strings.Join(words, " ")
}
