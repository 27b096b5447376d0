package mcp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Agents have arguments of tools, not flags: no message names a flag, whatever is wrong with a call.
func TestMessagesNameArguments(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{})
	wrong := map[string][]any{
		"environment": {"nope"},
		"document":    {"Nope/a", "a=,=", "[", "#9"},
		"path":        {"[[", "no.where", "a..b", "$.x"},
		"value":       {"nope", "[["},
		"set":         {args{"nope": 1}, args{"a.[": 1}, args{"replicas": "many"}},
		"changes": {
			[]string{"x"},
			[]string{"Nope/a:b=1"},
			[]string{"Deployment/shop:[[=1"},
			[]string{"Deployment/shop:no.where=1"},
			[]string{"Deployment/shop:spec={"},
			[]string{"a=,=:b=1"},
		},
		"from": {"nope"}, "to": {"nope"}, "revision": {"HEAD", "-x"},
		"files": {[]string{"nope"}, []string{"../x"}}, "project": {"nope", "/"}, "cursor": {"x"},
	}
	sides := args{"from": "dev", "to": "prod"}
	count, named := 0, map[string]bool{}
	for _, tool := range tools() {
		for _, name := range tool.names() {
			for _, value := range wrong[name] {
				with := args{}
				if tool.name == "diff" && name != "revision" && name != "environment" {
					with = args{"from": sides["from"], "to": sides["to"]}
				} else if name != "files" && name != "from" && name != "to" && name != "cursor" &&
					strings.Contains(strings.Join(tool.takes, " "), "environment") {
					with["environment"] = "prod"
				}
				if tool.name == "suggest" {
					with["changes"] = five["changes"]
				}
				with[name] = value
				r := c.call(tool.name, with)
				if !r.IsError {
					continue
				}
				count++
				for line := range strings.Lines(r.Content[0].Text) {
					if strings.Contains(strings.ReplaceAll(line, "---", ""), "--") { // excerpts have ---
						t.Errorf("%s %v: %s", tool.name, with, line)
					}
					if strings.Contains(line, "`"+name+"`") {
						named[name] = true
					}
				}
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d calls are wrong", count)
	}
	for _, name := range []string{"document", "changes", "path"} {
		if !named[name] {
			t.Errorf("no message names the argument %s", name)
		}
	}
}

// Hints keep the ways that agents have, and say which are for people.
func TestHintsForAgents(t *testing.T) {
	for text, want := range map[string]string{
		"hint: remove one of the two; --implicit-map-key-overrides allows both\n": "hint: remove one of the two\n",
		"hint: raise the limit with --max-depth\n":                                "",
		"hint: write `#!x`, or use --ignore-unknown-comments; edition 2026 allows it\n": "hint: write `#!x`; edition 2026 " +
			"allows it\n",
		"hint: allow it with --allow-outside x, or keep a copy\n": "hint: keep a copy\n",
		"hint: find out why: weft vendor update x\n":              "hint: at the command line: find out why: weft vendor update x\n",
		"hint: weft reads only regular files\n":                   "hint: weft reads only regular files\n",
		"      hint: pass it with --data-values-file\na: 1\n":     "a: 1\n",
		"3 | hint: --flag\n":                                      "3 | hint: --flag\n",
		"weft: error: --select x matches no document\n":           "weft: error: `document` x matches no document\n",
		"--set x: error: y\n  |\n1 | --set x\n":                   "`changes` x: error: y\n  |\n1 | --set x\n",
		"hint: name it with --engines x\n":                        "hint: name it with weft mcp --engines x\n",
	} {
		if got := forAgents(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// No hint that the linter or a run may print names a flag: not a message of any package, wherever it is written.
func TestNoHintNamesFlags(t *testing.T) {
	count := 0
	eachHint(t, func(at token.Position, hint string) {
		count++
		for _, verb := range []string{"x", "[", "-"} { // what a hint is made for
			text := forAgents("hint: " + formatVerb.ReplaceAllString(hint, verb) + "\n")
			for line := range strings.Lines(strings.ReplaceAll(text, "weft mcp --", "")) {
				if anyFlag.Get().MatchString(line) || strings.Contains(line, "weft render ") {
					t.Errorf("%s: %q", at, text)
				}
				if command.Get().MatchString(line) && !strings.HasPrefix(line, "hint: at the command line: ") {
					t.Errorf("%s: does not say that it is a command: %q", at, text)
				}
			}
		}
	})
	if count < 500 {
		t.Errorf("found only %d hints", count)
	}
}

var formatVerb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)

// eachHint calls f with the texts that WithHint gets in the packages of weft.
func eachHint(t *testing.T, f func(at token.Position, hint string)) {
	files := token.NewFileSet()
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		if d.IsDir() && rel != "." && rel != "internal" &&
			!strings.HasPrefix(rel, "internal"+string(filepath.Separator)) {
			return fs.SkipDir
		}
		if d.IsDir() && rel == filepath.Join("internal", "serve") { // of other ways to ask
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if to, ok := call.Fun.(*ast.SelectorExpr); ok && to.Sel.Name == "WithHint" {
				if text, ok := literal(call.Args[0]); ok {
					f(files.Position(call.Pos()), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// literal returns the text of an expression of string literals.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		a, ok := literal(x.X)
		b, also := literal(x.Y)
		return a + b, ok && also
	}
	return "", false
}
