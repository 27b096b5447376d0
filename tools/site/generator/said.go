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

// saidWith returns the messages of each code, without what they insert: readers paste those that they got into the
// search. A message is the first text after a code among the arguments of a call, or the Message beside it.
func saidWith(root string) (map[diag.Code][]string, error) {
	named := map[string]diag.Code{} // the codes, by the names of their constants: "schema.CodeType"
	var files []*ast.File
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
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
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a site of other pages has no code
		return nil, err
	}
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
			code := diag.Code("")
			for _, e := range list {
				if text, ok := textOf(e); ok && code != "" {
					if text = spoken(text); text != "" && !slices.Contains(said[code], text) {
						said[code] = append(said[code], text)
					}
					break
				}
				switch e := e.(type) {
				case *ast.Ident:
					code = known(named[file.Name.Name+"."+e.Name], code)
				case *ast.SelectorExpr:
					if x, ok := e.X.(*ast.Ident); ok {
						code = known(named[x.Name+"."+e.Sel.Name], code)
					}
				}
			}
			return true
		})
	}
	return said, nil
}

// known returns a code that has a page, or the one before it.
func known(code, before diag.Code) diag.Code {
	if _, ok := diag.About(code); ok {
		return code
	}
	return before
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
