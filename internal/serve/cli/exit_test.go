package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// exitFiles is a project with everything that can go wrong.
var exitFiles = map[string]string{
	"weft.yml": "weft: 2026\ninputs: [config]\ndefault: good\noutput: {dir: 'out/{env}'}\n" +
		"environments: {good: {}, bad: {inputs: [broken.yml]}}\n",
	"gone.yml":          "weft: 2026\ninputs: [nothing.yml]\nenvironments: {gone: {}}\n",
	"config/app.yml":    "kind: Deployment\nmetadata: {name: web}\n",
	"broken.yml":        "a: #@ nothing\n",
	"syntax.yml":        "a: [1\n",
	"other.yml":         "kind: Deployment\nmetadata: {name: web, labels: {a: b}}\n",
	"template.yml":      "#@ load(\"@ytt:json\", \"json\")\n---\na: 1\n",
	"long.yml":          "a:   1\n",
	"tests/a.test.yml":  "tests: [{name: a, expect: [{select: kind=Deployment}]}]\n",
	"failing.test.yml":  "tests: [{name: a, expect: [{select: kind=Service}]}]\n",
	"bad.test.yml":      "tests: [{name: a, env: bad, expect: [{select: kind=Service}]}]\n",
	"none/weft.yml":     "weft: 2026\ninputs: [a.yml]\n",
	"none/a.yml":        "a: 1\n",
	"wrong/weft.yml":    "weft: 2026\nimputs: []\n",
	"unfinished/a.yml":  "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.missing\n",
	"schema/schema.yml": "#@data/values-schema\n---\nreplicas: 1\n",
}

// The exit codes of all verbs: 0 done, 1 the answer is no, 2 the question could not be asked. Command
// lines that ytt has give 1 for every error.
func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		code int
		args string
	}{
		{0, "render"},
		{0, ""},
		{0, "good"},
		{0, "render good --write"},
		{0, "render good --check"},
		{1, "render bad"},
		{1, "bad"},
		{1, "-e bad"},
		{1, "render --all -o none"},
		{1, "render --all --write"},
		{1, "render good --check --data-value-yaml x=1 --overrides {a:\\x20b}"},
		{2, "render bad --check"},
		{2, "render --all --diff"},
		{2, "render --project gone.yml"},
		{2, "render nothing"},
		{2, "render config"},
		{2, "render --nope"},
		{2, "render good --timeout 1ns"},
		{2, "render good -o xml"},
		{2, "render -f missing.yml"},
		{1, "render -f broken.yml"},
		{1, "render --project wrong/weft.yml"},
		{2, "render --project gone/weft.yml"},
		{2, "--nope"},
		{2, "nonsense"},
		{2, "install"},
		{2, "help nonsense"},
		{2, "man nonsense"},

		{1, "-f broken.yml"},
		{1, "broken.yml"},
		{1, "-f missing.yml"},
		{1, "missing.yml"},
		{1, "-f other.yml --nope"},
		{1, "other.yml --nope"},
		{1, "-f other.yml -o xml"},
		{1, "-f other.yml --timeout 1ns"},
		{1, "--bulk-in {"},
		{1, "other.yml nonsense"},
		{1, "template -f broken.yml"},
		{1, "template --nope"},
		{1, "t a b"},
		{1, "version now"},
		{1, "website now"},
		{1, "completion tcsh"},
		{1, "fmt -f syntax.yml"},
		{1, "fmt -f missing.yml"},
		{1, "-f missing.yml --output-files out --diff"},

		{2, "suggest good --set x"},
		{2, "suggest good"},

		{0, "fmt --check other.yml"},
		{1, "fmt --check long.yml"},
		{2, "fmt --check syntax.yml"},
		{1, "fmt syntax.yml"},
		{2, "fmt missing.yml"},
		{2, "fmt --nope"},
		{0, "lint good"},
		{1, "lint -f template.yml"},
		{2, "lint --project gone.yml"},
		{2, "lint nothing"},
		{2, "lint --nope"},
		{0, "test -e good"},
		{1, "test failing.test.yml"},
		{2, "test bad.test.yml"},
		{2, "test missing.test.yml"},
		{2, "test --project none/weft.yml"},
		{0, "test --project none/weft.yml --allow-none"},
		{0, "diff good good"},
		{1, "diff config other.yml"},
		{2, "diff good bad"},
		{2, "diff good nothing"},
		{2, "diff good"},
		{2, "diff good other.yml"},
		{0, "blame"},
		{1, "blame bad"},
		{2, "blame Service"},
		{2, "blame --project gone.yml"},
		{2, "blame -o xml"},
		{0, "explain"},
		{1, "explain bad"},
		{2, "explain nothing"},
		{0, "impact -f schema replicas"},
		{2, "impact -f schema nothing"},
		{2, "impact"},
		{1, "impact bad x"},
		{0, "env"},
		{0, "env bad"},
		{2, "env nothing"},
		{1, "env --project wrong/weft.yml"},
		{2, "env --nope"},
		{0, "override other.yml --overrides {a:\\x20b}"},
		{1, "override syntax.yml --overrides {a:\\x20b}"},
		{2, "override missing.yml --overrides {a:\\x20b}"},
		{2, "override"},
		{1, "override other.yml --overrides {a:\\x20b} --check"},
		{2, "override syntax.yml --overrides {a:\\x20b} --check"},
		{2, "migrate -f broken.yml"},
		{2, "migrate --nope"},
		{2, "init --nope"},
		{2, "lsp --nope"},
		{1, "fleet"},
		{2, "fleet nothing"},
		{0, "config good"},
		{2, "config nothing"},
		{2, "krm x"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeAll(t, exitFiles)
			if strings.HasSuffix(tt.args, "--check") || strings.Contains(tt.args, "--check ") {
				Main([]string{"render", "good", "--write"}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
			}
			args := strings.Fields(tt.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], `\x20`, " ")
			}
			var stdout, stderr bytes.Buffer
			if code := Main(args, strings.NewReader(""), &stdout, &stderr); code != tt.code {
				t.Errorf("exit code %d, want %d:\n%s%s", code, tt.code, stdout.String(), stderr.String())
			}
		})
	}
}

// writeAll writes files below the current directory.
func writeAll(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if dir, _, ok := strings.Cut(path, "/"); ok {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
