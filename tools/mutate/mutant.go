package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mutant is a condition that can be flipped.
type mutant struct {
	number     int // from 1, among the chosen mutants
	pkg        string
	file       string
	line       int
	start, end int // of the condition, as offsets in the file
	function   string
	text       string
	caught     string // the test that fails with it
}

func (m *mutant) String() string { return fmt.Sprintf("%s:%d", m.file, m.line) }

// conditions returns the conditions in the folders and files that patterns match, outside of tests.
func conditions(patterns string) (list []*mutant, err error) {
	for pattern := range strings.FieldsSeq(patterns) {
		if !strings.HasSuffix(pattern, ".go") {
			pattern += "/*.go"
		}
		files, err := filepath.Glob(filepath.Clean(pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			found, err := conditionsIn(file)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no condition in %s", patterns)
	}
	return list, nil
}

// conditionsIn returns the conditions of a file. Test files and files for other systems have none.
func conditionsIn(file string) ([]*mutant, error) {
	here, err := build.Default.MatchFile(filepath.Split(file))
	if err != nil || !here || strings.HasSuffix(file, "_test.go") {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return conditionsOf(filepath.ToSlash(file), text)
}

// conditionsOf returns the conditions of a file: those of if statements and of switch cases without a
// tag, and each operand of && and ||.
func conditionsOf(file string, text []byte) (list []*mutant, err error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	function := ""
	add := func(x ast.Expr) {
		start, end := files.Position(x.Pos()), files.Position(x.End())
		list = append(list, &mutant{
			pkg: path.Dir(file), file: file, line: start.Line,
			start: start.Offset, end: end.Offset, function: function,
			text: strings.Join(strings.Fields(string(text[start.Offset:end.Offset])), " "),
		})
	}
	seen := map[ast.Expr]bool{}
	var operands func(x ast.Expr)
	operands = func(x ast.Expr) {
		if seen[x] {
			return
		}
		seen[x] = true
		switch x := x.(type) {
		case *ast.ParenExpr:
			operands(x.X)
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				operands(x.X)
				operands(x.Y)
				return
			}
			add(x)
		default:
			add(x)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
		case *ast.IfStmt:
			operands(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, x := range c.(*ast.CaseClause).List {
						operands(x)
					}
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				operands(n)
			}
		}
		return true
	})
	return list, nil
}

// sample chooses n mutants, about the same number from each group.
func sample(groups [][]*mutant, seed uint64, n int) (chosen []*mutant) {
	random := rand.New(rand.NewPCG(seed, 0))
	for _, g := range groups {
		random.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
	}
	for turn := 0; len(chosen) < n; turn++ {
		before := len(chosen)
		for _, g := range groups {
			if turn < len(g) && len(chosen) < n {
				chosen = append(chosen, g[turn])
			}
		}
		if len(chosen) == before {
			break // there are no more
		}
	}
	slices.SortFunc(chosen, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start))
	})
	for i, m := range chosen {
		m.number = i + 1
	}
	return chosen
}

// helper is the file that is added to each package with mutants. The mutants call its function.
const helper = `package %s

import "os"

var weftMutant, weftMutants = os.Getenv("WEFT_MUTANT"), os.Getenv("WEFT_MUTANTS_REACHED")

func weftFlip[B ~bool](number string, condition B) B {
	if weftMutants != "" {
		_ = os.WriteFile(weftMutants+"/"+number, nil, 0o644)
	}
	if number == weftMutant {
		return !condition
	}
	return condition
}
`

// writeOverlay writes the files with mutants, and returns the path of the file for go build -overlay.
func writeOverlay(dir string, list []*mutant) (string, error) {
	replace := map[string]string{}
	byFile := map[string][]*mutant{}
	for _, m := range list {
		byFile[m.file] = append(byFile[m.file], m)
	}
	for file, mutants := range byFile {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		name, err := packageOf(text)
		if err != nil {
			return "", err
		}
		in := filepath.Dir(file)
		for path, text := range map[string][]byte{
			file:                                 flipped(text, mutants),
			filepath.Join(in, "weft_mutants.go"): fmt.Appendf(nil, helper, name),
		} {
			copied := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
			if replace[path] != "" {
				continue // the package already has its helper
			}
			replace[path] = copied
			if err := os.WriteFile(copied, text, 0o644); err != nil {
				return "", err
			}
		}
	}
	absolute := map[string]string{}
	for path, copied := range replace {
		full, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		absolute[full] = copied
	}
	data, err := json.Marshal(map[string]any{"Replace": absolute})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}

func packageOf(text []byte) (string, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return tree.Name.Name, nil
}

// flipped returns a file whose conditions can be flipped. Conditions may be nested: one can contain a
// function literal with others.
func flipped(text []byte, mutants []*mutant) []byte {
	inserted := map[int]string{}
	for _, m := range mutants {
		inserted[m.start] = fmt.Sprintf("weftFlip(%q, ", strconv.Itoa(m.number))
		inserted[m.end] = ")"
	}
	var out bytes.Buffer
	for i := range len(text) + 1 {
		out.WriteString(inserted[i])
		if i < len(text) {
			out.WriteByte(text[i])
		}
	}
	return out.Bytes()
}
