package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
)

// codeMessages is the messages of each code, with "…" for what they insert: readers paste those that they got
// into the search.
type codeMessages map[diag.Code][]string

// messagesOfCodes returns the messages in the code of a repository, and those that its tests record.
func messagesOfCodes(root string) (codeMessages, error) {
	all := codeMessages{}
	return all, errors.Join(all.code(filepath.Join(root, "internal")), all.recorded(root))
}

// add adds a message, unless its fixed text is short.
func (s codeMessages) add(code diag.Code, text string) {
	const short = 9
	text = strings.Join(strings.Fields(text), " ")
	if len(strings.ReplaceAll(text, "…", "")) >= short && !slices.Contains(s[code], text) {
		s[code] = append(s[code], text)
	}
}

// recorded adds the messages that tests expect. Some are made by libraries, or of several parts.
func (s codeMessages) recorded(root string) error {
	const longest = 300
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || e.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".txtar") || !strings.Contains(filepath.ToSlash(path), "/testdata/"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range message.FindAllSubmatch(text, -1) {
			code, text := diag.Code(m[2]), string(m[1])
			isPattern := strings.Contains(text, `\`) // of a script
			if isPattern || len(text) > longest || ofTemplates.MatchString(text) {
				continue
			}
			s.add(code, lastName.ReplaceAllString(particular.ReplaceAllString(text, "…"), ": …"))
		}
		return err
	})
}

// message matches what a line of output says about a place, without the place, and its code.
var message = regexp.MustCompile(`(?m)(?:^|: )(?:error|warning): (.*?)(?: \[([a-z0-9/-]+)\])?\r?$`)

// ofTemplates matches messages that templates and schemas of tests write: what they fail with, and rules
// without what was found.
var ofTemplates = regexp.MustCompile(`(?:^|: )fail: |^must be: [^;]*$`)

// particular matches what is different in other messages: what is in quotes, flags, functions, numbers and
// paths. lastName matches the end of "undefined: name".
var particular = regexp.MustCompile(`'[^']*'|"[^"]*"|` + "`[^`]*`" + `|--[\w-]+|function \w+|\(\w+\)` +
	`|[^\s:,;()]*[\d./@\[\]{}][^\s,;()]*[^\s:,;.()]|\d+`)
var lastName = regexp.MustCompile(`: \w+$`)

// code adds the messages in Go files: the first text after a code among the arguments of a call, or the
// Message beside it.
func (s codeMessages) code(dir string) error {
	files, err := parsed(dir)
	if err != nil {
		return err
	}
	named := codesIn(files)
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = fieldsOf(n)
			}
			if code, text := codeAndText(list, file.Name.Name, named); code != "" {
				s.add(code, inserted.ReplaceAllString(text, "…"))
			}
			return true
		})
	}
	return nil
}

// parsed returns the Go files in a folder, without tests; none if it does not exist.
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

// inserted matches what a format inserts, with quotes around it.
var inserted = regexp.MustCompile(`['"` + "`" + `]?%[-+#0-9.\[\]]*[a-zA-Z]['"` + "`" + `]?`)
