package weft_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"weft/internal/check/lint"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
	"weft/internal/project"
	"weft/internal/project/test"
	"weft/internal/serve/krm"
	"weft/internal/testing/cases"
)

// Between these comments a page has a table that is made of what the program knows:
//
//	codes GROUP/ CODE ...     diagnostics with their severity: of whole groups, or single ones
//	causes GROUP/ CODE ...    the same without the severity
//	annotations GROUP/ ...    annotations of groups
//	keys NAME                 keys of weft.yml: top, environment, flags, or those of a key
//	tests NAME                keys of test files: test, or those of a key
//	krm                       keys of the configuration of weft krm
//	functions                 what the modules have
//	builtins, methods         what Starlark has
//	lint                      rules of the linter, and how often they were right
//	json COMMAND              the JSON Schema of what a command prints with -o json
var docTable = regexp.MustCompile(
	`(?s)(<!-- table: ([^\n]*) -->\n)(\n.*?)??(\n<!-- end of the table -->\n)`,
)

// TestTables holds the tables of the reference to those of the program. With -update they are
// rewritten.
func TestTables(t *testing.T) {
	documented := map[diag.Code]bool{} // in messages.md, which has all
	var annotations string
	for _, page := range docPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		now := docTable.ReplaceAllFunc(text, func(block []byte) []byte {
			m := docTable.FindSubmatch(block)
			kind, args, _ := strings.Cut(string(m[2]), " ")
			var table string
			switch kind {
			case "codes", "causes":
				infos := codesOf(t, strings.Fields(args))
				table = codeTable(infos, kind == "codes")
				for _, info := range infos {
					documented[info.Code] = documented[info.Code] ||
						page == "docs/reference/messages.md"
				}
			case "annotations":
				table = annotationTable(strings.Fields(args))
				annotations += table
			case "keys":
				table = project.Reference(args)
			case "tests":
				table = test.Reference(args)
			case "krm":
				table = krm.Reference()
			case "functions":
				table = functionTable()
			case "builtins":
				table = builtinTable(func(b modules.Builtin) bool { return b.Of == "" && b.Params != "" })
			case "methods":
				table = builtinTable(func(b modules.Builtin) bool { return b.Of != "" })
			case "lint":
				table = lintTable()
			case "json":
				table = jsonSchema(t, args)
			default:
				t.Errorf("%s: there is no table of %q", page, kind)
			}
			return slices.Concat(m[1], []byte("\n"), []byte(table), m[4])
		})
		if *cases.Update {
			if err := os.WriteFile(page, now, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(string(text), string(now)); diff != "" {
			t.Errorf("%s differs from the tables; go test . -run TestTables -update rewrites it (-page +tables):\n%s", page, diff)
		}
	}
	for _, info := range diag.Codes() {
		if !documented[info.Code] {
			t.Errorf("messages.md does not have %s", info.Code)
		}
	}
	for _, m := range tree.Meanings() {
		if !strings.Contains(annotations, "| `@"+m.Name+"` |") {
			t.Errorf("no table has @%s", m.Name)
		}
	}
}

// codesOf are the codes of groups, as `overlay/`, and single ones, in the order of their names
// here.
func codesOf(t *testing.T, names []string) (infos []diag.Info) {
	for _, name := range names {
		n := len(infos)
		for _, info := range diag.Codes() {
			if string(info.Code) == name ||
				strings.HasSuffix(name, "/") && strings.HasPrefix(string(info.Code), name) {
				infos = append(infos, info)
			}
		}
		if len(infos) == n {
			t.Errorf("there is no code %s", name)
		}
	}
	return infos
}

func codeTable(infos []diag.Info, severity bool) string {
	var b strings.Builder
	if severity {
		b.WriteString("| code | severity | cause | fix |\n|---|---|---|---|\n")
	} else {
		b.WriteString("| code | cause | fix |\n|---|---|---|\n")
	}
	for _, info := range infos {
		fmt.Fprintf(&b, "| `%s` |", info.Code)
		if severity {
			fmt.Fprintf(&b, " %s |", info.Severity)
		}
		fmt.Fprintf(&b, " %s | %s |\n", info.Title, info.Doc)
	}
	return b.String()
}

func lintTable() string {
	var b strings.Builder
	b.WriteString("| rule | level | if proven | findings | projects | right |\n|---|---|---|---|---|---|\n")
	for _, r := range lint.Rules() {
		grade := r.Grade.String()
		if r.Sure != "" {
			grade = r.Sure
		}
		right := "–"
		if r.Real.Judged() {
			right = fmt.Sprintf("%d", r.Real.Right)
		}
		fmt.Fprintf(&b, "| [`%[1]s`](../lint/%[1]s.md) | %s | %s | %d | %d | %s |\n",
			r.Code, r.Level(), grade, r.Real.Findings, r.Real.Projects, right)
	}
	return b.String()
}

func annotationTable(groups []string) string {
	var b strings.Builder
	b.WriteString("| annotation | keywords | on | meaning |\n|---|---|---|---|\n")
	for _, group := range groups {
		for _, name := range tree.Known(group) {
			m, _ := tree.MeaningOf(name)
			var keywords []string
			for _, k := range m.Keywords {
				keywords = append(keywords, fmt.Sprintf("`%s` (%s)", k.Name, k.Type))
			}
			fmt.Fprintf(
				&b,
				"| `@%s` | %s | %s | %s |\n",
				m.Name,
				strings.Join(keywords, ", "),
				m.On,
				m.Doc,
			)
		}
	}
	return b.String()
}

func functionTable() string {
	var b strings.Builder
	b.WriteString("| function | | example |\n|---|---|---|\n")
	for _, f := range modules.Functions() {
		fmt.Fprintf(&b, "| `%s.%s%s` | %s | %s |\n", f.Module, f.Name, f.Params, f.Doc, f.Example())
	}
	return b.String()
}

func builtinTable(in func(modules.Builtin) bool) string {
	var b strings.Builder
	b.WriteString("| | |\n|---|---|\n")
	for _, f := range modules.Builtins() {
		if name := f.Name; in(f) {
			if f.Of != "" {
				name = f.Of + "." + name
			}
			fmt.Fprintf(&b, "| `%s%s` | %s |\n", name, f.Params, f.Doc)
		}
	}
	return b.String()
}

// TestBuiltins holds the table of builtins and methods to what templates see.
func TestBuiltins(t *testing.T) {
	documented := map[string][]string{}
	for _, b := range modules.Builtins() {
		documented[b.Of] = append(documented[b.Of], b.Name)
		if b.Doc == "" || strings.HasSuffix(b.Doc, ".") {
			t.Errorf("%s.%s: want documentation without a full stop", b.Of, b.Name)
		}
	}
	seen := map[string][]string{"": starlark.Universe.Keys()}
	for of, value := range exampleOf {
		text, list := renderText(t, fmt.Sprintf(loadExamples+"names: #@ dir(%s)\n"+
			"-- _ytt_lib/1/x.yml --\nx: 1\n", value))
		if text == "" {
			t.Fatalf("%s: %+v", of, list)
		}
		for line := range strings.Lines(text) {
			if item, ok := strings.CutPrefix(line, "- "); ok {
				seen[of] = append(seen[of], strings.TrimSpace(item))
			}
		}
	}
	for of := range documented {
		slices.Sort(documented[of])
		slices.Sort(seen[of])
	}
	if diff := cmp.Diff(documented, seen); diff != "" {
		t.Errorf("builtins and methods (-table +templates):\n%s", diff)
	}
}

// exampleOf has a value of each type with methods.
var exampleOf = map[string]string{
	"string": `"x"`, "list": "[1]", "dict": `{"1": 1}`, "set": "set([1])", "bytes": `b"x"`,
	"library": `library.get("1")`, "ip.addr": `ip.parse_addr("::1")`, "ip.net": `ip.parse_cidr("::1/64")[1]`,
	"url": `url.parse("https://me:x@example.com")`, "assertion": `assert.one_of("1", "2")`,
}

// loadExamples loads the modules that exampleOf uses.
const loadExamples = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:ip\", \"ip\")\n" +
	"#@ load(\"@ytt:url\", \"url\")\n#@ load(\"@ytt:assert\", \"assert\")\n"

// TestBuiltinParameters calls builtins and methods with several numbers of arguments: the table says what
// is refused.
func TestBuiltinParameters(t *testing.T) {
	count := regexp.MustCompile(`got \d+ arguments?, want|expected (exactly|at most|at least|\d+)|unpacking|` +
		`missing (1 )?argument|accepts \d+ positional|want at|does not accept|expected no argument|too many|at least one|at most`)
	for _, b := range modules.Builtins() {
		if b.Params == "" || b.Name == "print" || b.Name == "fail" {
			continue
		}
		p, name := parametersOf(b.Params), b.Name
		if b.Of != "" {
			name = exampleOf[b.Of] + "." + b.Name
		}
		for n := range p.required + p.optional + 3 {
			_, list := renderText(t, fmt.Sprintf(loadExamples+"#@ x = %s(%s)\na: 1\n"+
				"-- _ytt_lib/1/x.yml --\nx: 1\n", name, strings.Join(slices.Repeat([]string{`"1"`}, n), ", ")))
			message := ""
			if len(list) > 0 {
				message = list[0].Message
			}
			most := p.required + p.optional
			if b.Of != "library" { // its methods take keywords by name only
				most += len(p.keywords)
			}
			fits := n >= p.required && (p.more || n <= most)
			if count.MatchString(message) == fits {
				t.Errorf("%s%s with %d arguments: %q", name, b.Params, n, message)
			}
		}
	}
}

// TestParameters calls each function of the modules with none, one, two and more arguments, and
// gives each keyword a value that cannot be right: the table says what is refused.
func TestParameters(t *testing.T) {
	count := regexp.MustCompile(
		`(expected|want|got) (exactly|at most|at least|one or two|\d+)\b.* arguments?|unexpected positional`,
	)
	call := func(f modules.Function, args ...string) string {
		_, list := renderText(t, fmt.Sprintf("#@ load(%q, m=%q)\n#@ x = m.%s(%s)\na: 1\n"+
			"-- _ytt_lib/1/x.yml --\nx: 1\n",
			"@ytt:"+f.Module, f.Module, f.Name, strings.Join(args, ", ")))
		if len(list) == 0 {
			return ""
		}
		return list[0].Message
	}
	for _, f := range modules.Functions() {
		if f.Params == "" {
			continue
		}
		p := parametersOf(f.Params)
		for n := range p.required + p.optional + 3 {
			message := call(f, slices.Repeat([]string{`"1"`}, n)...)
			fits := n >= p.required && (p.more || n <= p.required+p.optional)
			if count.MatchString(message) == fits {
				t.Errorf("%s.%s%s with %d arguments: %q", f.Module, f.Name, f.Params, n, message)
			}
		}
		args := slices.Repeat([]string{`"1"`}, p.required)
		for _, keyword := range p.keywords {
			wrong := call(f, append(args, keyword+"={}")...)
			if wrong == "" || wrong == call(f, args...) {
				t.Errorf("%s.%s: the keyword %s may have any value: %q",
					f.Module, f.Name, keyword, wrong)
			}
		}
	}
}

// parameters is what a function takes, as the table writes it.
type parameters struct {
	required, optional int      // without a name
	more               bool     // any number of arguments may follow
	keywords           []string // that have defaults
}

// parametersOf reads "(a, [b], key=default, ...)". What is before "..." is what follows.
func parametersOf(text string) (p parameters) {
	named := false // the last one
	if text == "()" {
		return p
	}
	for _, one := range strings.Split(strings.Trim(text, "()"), ", ") {
		name, value, keyword := strings.Cut(one, "=")
		switch {
		case one == "...":
			p.more = !named
		case keyword && value == "...": // any name
		case keyword:
			p.keywords = append(p.keywords, name)
		case strings.HasPrefix(one, "["):
			p.optional++
		default:
			p.required++
		}
		named = keyword
	}
	return p
}

// TestFunctions holds the table of functions to what templates see.
func TestFunctions(t *testing.T) {
	documented := map[string][]string{}
	for _, f := range modules.Functions() {
		documented[f.Module] = append(documented[f.Module], f.Name)
		if f.Doc == "" || strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s.%s: want documentation without a full stop", f.Module, f.Name)
		}
	}
	for _, name := range modules.Names() {
		text, list := renderText(
			t,
			fmt.Sprintf("#@ load(%q, m=%q)\nnames: #@ dir(m)\n", "@ytt:"+name, name),
		)
		if text == "" {
			t.Fatalf("%s: %+v", name, list)
		}
		var names []string
		for line := range strings.Lines(text) {
			if item, ok := strings.CutPrefix(line, "- "); ok {
				names = append(names, strings.TrimSpace(item))
			}
		}
		if diff := cmp.Diff(documented[name], names); diff != "" {
			t.Errorf("module %s (-table +module):\n%s", name, diff)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("there is no module %s", name)
	}
}

// exampleFiles are what the examples of functions use.
const exampleFiles = `
-- schema.yml --
#@data/values-schema
---
db:
  host: db
-- pages/about.md --
about
-- _ytt_lib/app/app.yml --
a: 1
`

// failing are the functions whose examples fail by themselves, with the messages.
var failing = map[string]string{
	"assert.fail": "assert.fail: fail: no port",
	"overlay.documents": "overlay.documents has no documents yet: " +
		"call it in a function of by=, via= or expects=",
}

// TestFunctionExamples runs the examples of functions and compares what they print with the table.
func TestFunctionExamples(t *testing.T) {
	loads := ""
	for _, name := range modules.Names() {
		loads += fmt.Sprintf("#@ load(%q, %q)\n", "@ytt:"+name, name)
	}
	for _, f := range modules.Functions() {
		name := f.Module + "." + f.Name
		if (f.Example() == "") != (name == "overlay.all") { // whose use is its name
			t.Errorf("%s has the example %q", name, f.Example())
		}
		code := loads + "#@ got = " + name + f.Use + "\n"
		if f.Result != "" {
			code += fmt.Sprintf("#@ assert.equals(%q, str(got).rstrip(\"\\n\"))\n", f.Result)
		}
		text, list := renderText(t, code+"---\na: 1\n"+exampleFiles)
		message := ""
		if text == "" {
			message = list[0].Message
		}
		if message != failing[name] {
			t.Errorf("%s%s: got the error %q, want %q", name, f.Use, message, failing[name])
		}
	}
}

// TestEditorSchemas holds the JSON Schemas of the extension for VS Code to those that the program prints.
func TestEditorSchemas(t *testing.T) {
	for name, want := range map[string][]byte{
		"weft.schema.json": project.Schema(), "tests.schema.json": test.Schema(),
	} {
		path := "editors/vscode/schemas/" + name
		if *cases.Update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: run the test with -update (-want +got):\n%s", path, diff)
		}
	}
}
