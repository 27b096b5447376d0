package cli

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"weft/internal/lang/shell"
	"weft/internal/serve/cli/help"
)

// hintFiles is a project, and what mistakes need beside it.
var hintFiles = map[string]string{
	"weft.yml": "weft: 2026\ninputs: [config]\ndefault: dev\noutput: {dir: 'out/{env}'}\n" +
		"environments: {dev: {}, prod: {values: {replicas: 3}}, web: {}}\n",
	"noout.yml":         "weft: 2026\ninputs: [config]\n",
	"config/schema.yml": "#@data/values-schema\n---\nreplicas: 1\n",
	"config/app.yml": "#@ load(\"@ytt:data\", \"data\")\n---\nkind: Deployment\nmetadata:\n  name: web\n" +
		"spec:\n  replicas: #@ data.values.replicas\n",
	"plain/a.yml":   "a: 1\n",
	"plain/b.yml":   "a: 2\n",
	"envs/dev.yml":  "replicas: 1\n",
	"envs/prod.yml": "replicas: 2\n",
	"a.test.yml":    "tests: [{name: a, expect: [{select: kind=Deployment}]}]\n",
	"image.yaml":    "schema_version: 1\nname: a\nversion: \"1\"\nfrom: b\n",
	"live.yml":      "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 4}\n",
	"cloud.yml":     "#cloud-config\na: 1\n",
	"empty/a.txt":   "",
	"bare/app.yml":  "#@ x = 1\n---\na: #@ x\n",

	"old/weft.yml":   "weft: 2026\ninputs: [.]\n",
	"old/vendir.yml": "apiVersion: vendir.k14s.io/v1alpha1\nkind: Config\n",

	"values.schema.json": `{"properties": {"a": {"type": "string", "not": {}}}}`,
	"values.yml":         "a: 1\n",
	"README.md":          "<!-- weft schema -->\n<!-- end of weft schema -->\n",
	"OTHER.md":           "# Other\n",
}

// hintCases are mistakes, what their hints say, and the commands of people who follow them.
var hintCases = []struct {
	args   string
	hint   string
	follow []string // 0 and 1 are answers, 2 is another mistake
	dir    string
}{
	{args: "blame prod Deployment spec replicas", hint: "weft blame -e prod Deployment spec.replicas"},
	{
		args: "blame web", hint: "write weft blame -e web for the environment, or weft blame -e web web for",
		follow: []string{"weft blame -e web", "weft blame -e web web"},
	},
	{
		args: "blame", hint: "creates one from the files in this directory; or name inputs with -f", dir: "bare",
		follow: []string{"weft blame -f ."},
	},
	{
		args: "explain", hint: "or name inputs with -f", dir: "bare", follow: []string{"weft explain -f ."},
	},
	{
		args: "impact x", hint: "or name inputs with -f", dir: "bare",
		follow: []string{"weft impact -f ../config replicas"},
	},
	{
		args: "suggest prod", hint: "name the file with --to, or change one value with --set Deployment/web:spec.replicas=5",
		follow: []string{
			"weft suggest prod --to plain/a.yml", "weft suggest prod --set Deployment/web:spec.replicas=5",
		},
	},
	{
		args: "suggest prod --live", hint: "name what kubectl get -o yaml prints with --to; - is standard input",
		follow: []string{"weft suggest prod --live --to live.yml"},
	},
	{
		args: "suggest prod --to plain --keep all",
		hint: "name a file with --to, or leave out --keep: then only what documents mean has to be the same",
		follow: []string{
			"weft suggest prod --to plain/a.yml --keep all", "weft suggest prod --to plain",
		},
	},
	{
		args: "suggest -f ../config --set Deployment/web:a=1", dir: "bare",
		hint:   "allow it with --allow-outside, or change to a directory above it",
		follow: []string{"weft suggest -f ../config --set Deployment/web:a=1 --allow-outside ../config"},
	},
	{
		args: "suggest prod --to empty", hint: "name the directory that weft render --output-files writes to",
		follow: []string{"weft suggest prod --to plain"},
	},
	{
		args: "suggest prod plain/a.yml", hint: "name the edited output with --to",
		follow: []string{"weft suggest prod --to plain/a.yml"},
	},
	{args: "template plain", hint: "name files with -f: weft -f plain", follow: []string{"weft -f plain"}},
	{args: "template plain/a.yml", hint: "weft -f plain/a.yml", follow: []string{"weft -f plain/a.yml"}},
	{
		args: "exp", hint: "did you mean weft explain?", follow: []string{"weft explain"},
	},
	{
		args: "eval", hint: "in a project write weft render, and for the files in this directory weft .",
		follow: []string{"weft render", "weft ."},
	},
	{args: "diff dev prod web", hint: "name two: weft diff dev prod", follow: []string{"weft diff dev prod"}},
	{
		args: "blame prod spec.replicas", hint: "name the document before it, Deployment/web spec.replicas",
		follow: []string{"weft blame prod Deployment/web spec.replicas"},
	},
	{args: "diff prod", hint: "name another one: weft diff prod dev", follow: []string{"weft diff prod dev"}},
	{
		args: "blame prod Deployment web", hint: "write Deployment/web",
		follow: []string{"weft blame prod Deployment/web"},
	},
	{args: "test dev", hint: "write weft test -e dev", follow: []string{"weft test -e dev a.test.yml"}},
	{
		args: "explain Deployment/web", hint: "write weft explain --select Deployment/web",
		follow: []string{"weft explain --select Deployment/web"},
	},
	{
		args: "lint Deployment/web", hint: "weft lint --select Deployment/web",
		follow: []string{"weft lint --select Deployment/web"},
	},
	{
		args: "-f config -v replicas:3", hint: "write = instead of the colon: replicas=3",
		follow: []string{"weft -f config -v replicas=3"},
	},
	{args: "schema import", hint: "weft schema import values.schema.json"},
	{
		args: "schema import values.schema.json --strict", hint: "without --strict, it becomes a comment",
		follow: []string{"weft schema import values.schema.json"},
	},
	{
		args: "schema import plain", hint: "name the file, or the directory of a Helm chart",
		follow: []string{"weft schema import plain/a.yml", "weft schema import ."},
	},
	{
		args: "schema infer", hint: "weft schema infer values.yml, or weft schema infer -f config",
		follow: []string{"weft schema infer values.yml", "weft schema infer -f config"},
	},
	{args: "schema export --to markdown --check", hint: "weft schema export --to markdown --write README.md"},
	{
		args: "schema export README.md", hint: "to write a file, add --write; name inputs with -f",
		follow: []string{"weft schema export --to markdown --write README.md", "weft schema export -f config"},
	},
	{
		args: "schema export --to markdown --write NEW.md", hint: "make it, with the two lines",
		follow: []string{"weft schema export --to markdown --write README.md"},
	},
	{
		args: "schema exports", hint: "did you mean weft schema export?", follow: []string{"weft schema export"},
	},
	{
		args: "schema x", hint: "the commands are import, infer and export",
		follow: []string{"weft schema import values.yml", "weft schema infer values.yml", "weft schema export"},
	},
	{args: "impact", hint: "weft --data-values-inspect"},
	{args: "impact -e prod", hint: "weft -e prod --data-values-inspect"},
	{
		args: "impact replicas --set replicas=2", hint: "--set replicas=... alone",
		follow: []string{"weft impact --set replicas=2"},
	},
	{
		args: "override", hint: "--profile cekit reads image.yaml",
		follow: []string{"weft override --profile cekit"},
	},
	{
		args: "fleet --env envs/dev.yml envs/prod.yml -f config -o none", hint: "--env 'envs/*.yml'",
		follow: []string{"weft fleet --env 'envs/*.yml' -f config -o none"},
	},
	{
		args: "fleet --env envs/dev.yml -f config", hint: "add --output-files 'out/{env}', or -o none",
		follow: []string{
			"weft fleet --env envs/dev.yml -f config --output-files 'out/{env}'",
			"weft fleet --env envs/dev.yml -f config -o none",
		},
	},
	{
		args: "fleet -f config -o none", hint: "add --env 'envs/*.yml'",
		follow: []string{"weft fleet -f config -o none --env 'envs/*.yml'"},
	},
	{
		args: "render --all --output-files x", hint: "its own directory: " + filepath.Join("x", "{env}"),
		follow: []string{"weft render --all --output-files x/{env}"},
	},
	{
		args: "prod --write", hint: "--write is a flag of `weft render`: write",
		follow: []string{"weft render prod --write"},
	},
	{
		args: "render prod -o ./out", hint: "use --output-files ./out",
		follow: []string{"weft render prod --output-files ./out"},
	},
	{args: "render ''", hint: "weft env"},
	{
		args: "render prod -f config", hint: "remove -f, or name the project: --project weft.yml",
		follow: []string{"weft render prod", "weft render prod -f config --project weft.yml"},
	},
	{args: "render x", dir: "bare", hint: "weft init --write"},
	{args: "diff dev prod", dir: "bare", hint: "weft init --write"},
	{args: "env dev -e prod", hint: "weft env -e prod"},
	{
		args: "render dev --all", hint: "remove --all, or the names",
		follow: []string{"weft render dev", "weft render --all"},
	},
	{args: "lint config", hint: "weft lint -f config"},
	{args: "lint app.yml", hint: "weft lint -f app.yml", dir: "bare"},
	{
		args: ".spec.replicas=3 config/app.yml", hint: "weft override FILE --overrides '{spec: {replicas: 3}}'",
		follow: []string{"weft override plain/a.yml --overrides '{spec: {replicas: 3}}'"},
	},
	{
		args: "override plain/a.yml a=1", hint: "as a mapping: --overrides '{spec: {replicas: 3}}'",
		follow: []string{"weft override plain/a.yml --overrides '{spec: {replicas: 3}}'"},
	},
	{
		args: "-i plain/a.yml", hint: "weft override -i FILE --overrides '{spec: {replicas: 3}}'",
		follow: []string{"weft override -i plain/a.yml --overrides '{spec: {replicas: 3}}'"},
	},
	{
		args: "-w", hint: "weft render --write writes the output of a project; without one, use --output-files DIR",
		follow: []string{"weft render --write", "weft config/ --output-files out"},
	},
	{args: "upgrade --install web", hint: "weft render ENV | kubectl", follow: []string{"weft render prod"}},
	{args: "blame --all -o html", hint: "weft blame ENV -o html", follow: []string{"weft blame prod -o html"}},
	{
		args: "diff plain/a.yml plain/b.yml -f config", hint: "remove the arguments, or -f, --a and --b",
		follow: []string{"weft diff plain/a.yml plain/b.yml"},
	},
	{
		args: "diff", dir: "bare", hint: "render both sides: weft diff -f config --a '-v x=1' --b '-v x=2'",
		follow: []string{"weft diff -f app.yml --a '-v x=1' --b '-v x=2'"},
	},
	{
		args: "diff app.yml", dir: "bare", hint: "write weft diff A B",
		follow: []string{"weft diff -f app.yml --a '' --b ''"},
	},
	{
		args: "diff plain/a.yml plain/b.yml -v x=1", hint: "weft diff -f config --a FLAGS --b FLAGS",
		follow: []string{"weft diff -f config --a '--data-value-yaml replicas=1' --b ''"},
	},
	{
		args: "fmt -f plain/a.yml plain/b.yml", hint: "remove -f, or use it for each of them",
		follow: []string{"weft fmt plain/a.yml plain/b.yml", "weft fmt -f plain/a.yml -f plain/b.yml"},
	},
	{args: "fmt -f plain", hint: "weft fmt plain"},
	{
		args: "fmt --write -f plain/a.yml", hint: "to format a file in place, write weft fmt FILE",
		follow: []string{"weft fmt plain/a.yml"},
	},
	{
		args: "render -f config --write", hint: "use --output-files DIR",
		follow: []string{"weft render -f config --output-files DIR"},
	},
	{
		args: "render prod --write --output-files x", hint: "remove --write, or --output-files",
		follow: []string{"weft render prod --write", "weft render prod --output-files x"},
	},
	{
		args: "render --write --project noout.yml", hint: "or --output-files DIR",
		follow: []string{"weft render --project noout.yml --output-files DIR"},
	},
	{
		args: "test -f config", hint: "weft test -f config FILE",
		follow: []string{"weft test -f config a.test.yml"},
	},
	{args: "init --write", hint: "weft init --diff"},
	{
		args: "-f config --keep comments -o json", hint: "remove --keep, or print YAML",
		follow: []string{"weft -f config -o json", "weft -f config --keep comments"},
	},
	{args: "version now", hint: "weft version --help"},
	{args: "template -", hint: "weft -f -"},
	{args: "template config/app.yml", hint: "weft -f config/app.yml"},
	{args: "template rel config", hint: "weft config/"},
	{args: "template rel chart", hint: "weft PATH", follow: []string{"weft config/"}},
	{args: "'config/*.yml'", hint: "weft config/"},
	{args: "-f '*.yml'", hint: "weft .", follow: []string{"weft plain/ config/"}},
	{args: "foo", hint: "weft --help"},
	{args: "verson", hint: "weft --version"},
	{args: "rendr", hint: "weft render"},
	{
		args: "lint --check", hint: "add --fix; weft lint alone writes nothing",
		follow: []string{"weft lint --fix --check", "weft lint"},
	},
	{
		args: "lint --list -o sarif", hint: "write -o json; without --list, -o sarif prints findings",
		follow: []string{"weft lint --list -o json", "weft lint -o sarif"},
	},
	{args: "lint --write", hint: "weft lint --fix"},
	{
		args: "lint -f config --all", hint: "remove --all, or write --info",
		follow: []string{"weft lint -f config", "weft lint -f config --info"},
	},
	{args: "--fiel plain", hint: "--file", follow: []string{"weft --file plain"}},
	{args: "--nothing-like-it", hint: "weft help flags"},
	{args: "lint --nothing-like-it", hint: "weft lint --help"},
	{
		args: "override plain/a.yml --output-files x", hint: "--output-files is a flag of `weft`: write each",
		follow: []string{"weft plain/a.yml --output-files x"},
	},
	{args: "help match-count", hint: "weft help overlay/match-count"},
	{args: "help overlay/match-cont", hint: "weft help overlay/match-count"},
	{args: "help nothing-like-it", hint: "weft help topics lists the topics, and weft --help", follow: []string{
		"weft help topics", "weft --help",
	}},
	{args: "migrate --edition 2026", hint: "remove --edition", follow: []string{"weft migrate"}},
	{args: "migrate -e prod", hint: "remove -e prod", follow: []string{"weft migrate"}},
	{args: "vendor sync", hint: "weft vendor fetches", follow: []string{"weft vendor"}},
	{args: "render -e dev,prod", hint: "-e dev -e prod", follow: []string{"weft render -e dev -e prod"}},
	{args: "migrate --to ytt --write", hint: "weft migrate --to ytt"},
	{args: "migrate --to helm", hint: "weft migrate --to ytt"},
	{args: "migrate --from helm", hint: "weft migrate --from vendir", dir: "old"},
	{
		args: "migrate --from vendir", hint: "in the directory that has it",
		follow: []string{"weft migrate --from vendir --project old"},
	},
	{args: "diff dev -e prod", hint: "weft diff A B", follow: []string{"weft diff dev prod"}},
	{args: "diff dev", hint: "weft diff dev prod", follow: []string{"weft diff dev prod"}},
	{args: "diff", hint: "name two environments", follow: []string{"weft diff dev prod"}},
	{args: "diff prod plain/a.yml", hint: "weft render prod --output-files DIR"},
	{
		args: "render prod -v replicas 3", hint: "--data-value replicas=3",
		follow: []string{"weft render prod --data-value replicas=3"},
	},
	{
		args: "render --shard 0/2 --project noout.yml", hint: "add some, or use weft render",
		follow: []string{"weft render --project noout.yml"},
	},
	{args: "render -l x=y", hint: "weft env"},
	{
		args: "-f config -o json --output-files x", hint: "remove -o json, or print to standard output",
		follow: []string{"weft -f config --output-files x", "weft -f config -o json"},
	},
	{
		args: "render prod --prune", hint: "add --write for the output of weft.yml, or --output-files DIR",
		follow: []string{"weft render prod --prune --write", "weft render prod --prune --output-files DIR"},
	},
	{
		args: "-f config --prune", hint: "add --output-files DIR",
		follow: []string{"weft -f config --prune --output-files DIR"},
	},
	{
		args: "impact --all replicas --project noout.yml", hint: "remove --all",
		follow: []string{"weft impact replicas --project noout.yml"},
	},
	{
		args: "diff -f config --a plain", hint: "-f plain",
		follow: []string{"weft diff -f config --a '-f plain'"},
	},
	{
		args: `diff -f config --a "-v 'x"`, hint: "close the quote",
		follow: []string{`weft diff -f config --a "--data-value-yaml 'replicas=2'"`},
	},
	{
		args: `diff -f config --a 'x\'`, hint: "for a backslash",
		follow: []string{`weft diff -f config --a '-f plain'`},
	},
	{args: "krm plain/a.yml", hint: "weft krm < plain/a.yml"},
	{
		args: "plain/a.yml cloud.yml --keep comments",
		hint: "print this file alone, or write files with --output-files DIR",
		follow: []string{
			"weft cloud.yml --keep comments", "weft plain/a.yml cloud.yml --keep comments --output-files DIR",
		},
	},
	{args: "render --allow-env ''", hint: "--allow-env APP", follow: []string{"weft render --allow-env APP"}},
}

// hintRun runs a command line in the project of hintFiles.
func hintRun(t *testing.T, dir, line string) (code int, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeAll(t, hintFiles)
	if dir != "" {
		if err := os.Remove("weft.yml"); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
	}
	line, file, redirected := strings.Cut(line, " < ")
	stdin := "a: 1\n"
	if redirected {
		stdin = hintFiles[file]
	}
	words, unfinished := shell.Words(line)
	if unfinished != nil {
		t.Fatalf("%s: %v", line, unfinished)
	}
	var args []string
	for _, w := range words {
		args = append(args, w.Text)
	}
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &errs)
	return code, errs.String()
}

// hintsIn returns the hints of messages.
func hintsIn(stderr string) (hints []string) {
	for line := range strings.Lines(stderr) {
		if hint, ok := strings.CutPrefix(line, "hint: "); ok {
			hints = append(hints, strings.TrimSpace(hint))
		}
	}
	return hints
}

// Who follows a hint of the command line gets on: no command that it names is another mistake.
func TestHintsAreFollowed(t *testing.T) {
	var seen []string
	for _, tt := range hintCases {
		t.Run(tt.args, func(t *testing.T) {
			_, stderr := hintRun(t, tt.dir, tt.args)
			hints := hintsIn(stderr)
			if len(hints) != 1 || !strings.Contains(hints[0], tt.hint) {
				t.Fatalf("the hint is not %q:\n%s", tt.hint, stderr)
			}
			seen = append(seen, hints[0])
			follow := tt.follow
			if follow == nil {
				follow = []string{tt.hint}
			}
			for _, line := range follow {
				line, ok := strings.CutPrefix(line, "weft")
				if !ok {
					t.Fatalf("%q is not a command of weft", line)
				}
				if code, stderr := hintRun(t, tt.dir, line); code > 1 || strings.Contains(stderr, "[cli/usage]") {
					t.Errorf("weft%s: exit code %d:\n%s", line, code, stderr)
				}
			}
		})
	}
	for where, format := range hintsOfSource(t) {
		if !isSeen(format, seen) && !inScripts(t, format) && notFollowed[format] == "" {
			t.Errorf("%s: no test follows the hint %q: add it to hintCases", where, format)
		}
	}
}

// notFollowed are hints that a test cannot follow, and why.
var notFollowed = map[string]string{
	"write to a directory outside of '%s'":                                "needs a run that watches",
	"change to a directory in '%s'":                                       "needs a project of another repository",
	"weft vendor add lantern https://git.example.com/lantern/lantern.git": "needs a server",
	"change to a directory above it":                                      "needs a revision",
	"name a directory that is there at the revision":                      "needs a revision",
	"add -f config to render it, or name a directory of plain YAML":       "needs a revision",
	"add --rev main": "needs a revision",
	"name the files to show: weft playground -f PATH":                             "starts a server",
	"choose another --port, or leave it out":                                      "starts a server",
	"raise the limit that `ulimit -v` or `ulimit -d` shows":                       "needs a small system",
	"run it on your machine and commit the golden files":                          "needs another machine",
	"`weft env` lists the environments and their labels":                          "needs a revision",
	"weft diff --rev REV ENV shows what has changed in one":                       "needs a revision",
	"give each environment a directory that is only its own, such as 'out/{env}'": "is for people",
	"add --kubernetes 1.31, or `kubernetes` to output.validate in weft.yml":       "needs schemas of Kubernetes",
	"rename one of them": "is for people",
	"leave out the document, or --keep: then only what documents mean has to be the same":   "needs an editor",
	"set the variable: EDITOR=vi weft edit; or edit a file, and use weft suggest --to FILE": "needs an editor",
	"VISUAL or EDITOR names it": "needs an editor",
	"rename the file":           "is for people",
	"an environment is named after its file, without the extension: rename the file": "is for people",
	"move it elsewhere, or use a narrower pattern than '%s'":                         "is for people",
	"rename the file or the directory":                                               "is for people",
	"copy the code from the brackets at the end of a message":                        "is for people",
}

// isSeen reports whether one of the printed hints has a format.
func isSeen(format string, seen []string) bool {
	pattern := regexp.MustCompile(`%(\[\d\])?[a-z]`).ReplaceAllString(format, "\x00")
	pattern = strings.ReplaceAll(regexp.QuoteMeta(pattern), "\x00", ".*")
	re := regexp.MustCompile("^" + pattern + "$")
	for _, hint := range seen {
		if re.MatchString(hint) {
			return true
		}
	}
	return false
}

// inScripts reports whether a script of testdata looks for a hint, and so follows it.
func inScripts(t *testing.T, format string) bool {
	t.Helper()
	longest := ""
	for _, part := range regexp.MustCompile(`%(\[\d\])?[a-z]`).Split(format, -1) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	longest = strings.ReplaceAll(strings.TrimSpace(longest), "'", "''")
	scripts, err := filepath.Glob("../../../testdata/script/*.txtar")
	if err != nil || scripts == nil {
		t.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.ReplaceAll(string(text), `\`, "")
		if strings.Contains(plain, longest) {
			return true
		}
	}
	return false
}

// hintsOfSource are the formats of all hints of the command line, by their places.
func hintsOfSource(t *testing.T) map[string]string {
	t.Helper()
	formats := map[string]string{}
	files := token.NewFileSet()
	for _, pattern := range []string{"*.go", "help/*.go", "process/*.go"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if fun, ok := call.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "WithHint" {
					if text, ok := textOf(call.Args[0]); ok && text != "%s" {
						formats[files.Position(call.Pos()).String()] = text
					}
				}
				return true
			})
		}
	}
	if len(formats) < 50 {
		t.Errorf("found %d hints, which cannot be all", len(formats))
	}
	return formats
}

// textOf returns the text of literals that are added.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		a, ok := textOf(e.X)
		b, ok2 := textOf(e.Y)
		return a + b, ok && ok2
	}
	return "", false
}

// What other programs call a command: whoever follows the hint gets on.
func TestElsewhereIsFollowed(t *testing.T) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "help/suggest.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("weft [^`|,:?;]*")
	followed := 0
	ast.Inspect(f, func(n ast.Node) bool {
		fun, ok := n.(*ast.FuncDecl)
		if !ok || fun.Name.Name != "Elsewhere" {
			return true
		}
		ast.Inspect(fun, func(n ast.Node) bool {
			clause, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			word, _ := textOf(clause.List[0])
			for _, line := range command.FindAllString(help.Elsewhere(word), -1) {
				line = strings.TrimSuffix(strings.TrimSpace(line), " in a project")
				if !strings.Contains(line, " ") || regexp.MustCompile(`^weft (prints|renders) `).MatchString(line) {
					continue // a sentence
				}
				followed++
				line = strings.NewReplacer("DIR", "config/", "ENV", "prod", "base.yml", "plain/a.yml",
					"overlay.yml", "plain/b.yml").Replace(strings.TrimPrefix(line, "weft"))
				if strings.HasPrefix(line, " override") {
					line += " plain/a.yml"
				} else if strings.HasPrefix(line, " diff") {
					line += " dev prod"
				}
				if code, stderr := hintRun(t, "", line); code > 1 || strings.Contains(stderr, "[cli/usage]") {
					t.Errorf("%s: weft%s: exit code %d:\n%s", word, line, code, stderr)
				}
			}
			return true
		})
		return false
	})
	if followed < 12 {
		t.Errorf("followed only %d", followed)
	}
}
