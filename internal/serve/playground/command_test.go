package playground

import (
	"context"
	"strings"
	"testing"
)

const shop = app + `
-- values/prod.yml --
replicas: 7
-- name.txt --
4
-- wrong.yml --
a: #@ data.value
`

// TestScreen shows what a terminal does. The generator of the site compares the examples of all pages with
// what the command prints.
func TestScreen(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-f app.yml -f schema.yml", "kind: Deployment\nspec:\n  replicas: 2\n"},
		{
			"render -f app.yml --file=schema.yml --data-value-yaml replicas=3",
			"kind: Deployment\nspec:\n  replicas: 3\n",
		},
		{"-f app.yml -f schema.yml -o json", `{"kind":"Deployment","spec":{"replicas":2}}` + "\n"},
		{"-f schema.yml --data-values-inspect --data-values-file values/prod.yml", "replicas: 7\n"},
		{"-f schema.yml --data-values-inspect --data-values-file values", "replicas: 7\n"},
		{
			`-f app.yml -fschema.yml --overrides {"spec":{"replicas":4}}`,
			"kind: Deployment\nspec:\n  replicas: 4\n",
		},
		{"-f name.txt --edition 2026", ""},
		{"-f=app.yml -f=schema.yml -o=json", `{"kind":"Deployment","spec":{"replicas":2}}` + "\n"},
		{"-f app.yml -f schema.yml --warn-unused=true --data-values-inspect=false --", "kind: Deployment\nspec:\n  replicas: 2\n"},
		{`override --overrides {"replicas":8} -- values/prod.yml`, "replicas: 8\n"},
		{"app.yml schema.yml --data-value-yaml replicas=3", "kind: Deployment\nspec:\n  replicas: 3\n"},
		{"schema.yml --data-values-inspect --data-values-file values -- app.yml", "replicas: 7\n"},
		{"values", "replicas: 7\n"},
		{"diff -- values/prod.yml values/prod.yml", "= 1 document\n"},
		{`override values/prod.yml --overrides {"replicas":8}`, "replicas: 8\n"},
		{
			`override values/prod.yml --overrides {"replicas":8} --explain`,
			"values/prod.yml: replicas: 7 → 8  by --overrides #1:1:2\n",
		},
		{"diff values/prod.yml values/prod.yml", "= 1 document\n"},
		{
			"diff -f app.yml -f schema.yml --b=--data-value-yaml=replicas=3",
			"replicas 2 → 3  (--data-value-yaml replicas=3)  1 document\n" +
				"  ~ app.yml#1  spec.replicas\n= 0 documents\n",
		},
		{
			"blame -f app.yml -f schema.yml Deployment spec.replicas",
			"app.yml:5    replicas: 2  = replicas  schema.yml:4 default\n",
		},
		{
			"impact -f app.yml -f schema.yml replicas",
			"replicas = 2  schema.yml:4\n  app.yml#1  spec.replicas  = app.yml:5\n",
		},
		{"explain -f app.yml -f schema.yml", "there are no overlays\n"},
		{
			"suggest -f app.yml -f schema.yml --set Deployment:spec.replicas=5",
			"1  schema.yml:4  replicas: 2 → 5  (value, 1 document)\n" +
				"proved: the output renders what was edited\n" +
				"suggest: nothing is written; --write applies the change\n",
		},
		{"-f wrong.yml", "wrong.yml:1:7: error: undefined: data [script/undefined]\n"},
	} {
		res := runScreen(tt.args)
		if got := res.Screen; got != tt.want && !(res.Failed && strings.HasPrefix(got, tt.want)) {
			t.Errorf("weft %s prints\n%s\nexpected\n%s%v", tt.args, got, tt.want, res.Diagnostics)
		}
	}
}

// TestScreenRefuses has arguments, which links may bring, reach nothing but the files of the request.
func TestScreenRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"-f -":                       "there is no file '-'",
		"-f https://example.com/a":   "there is no file 'https://example.com/a'",
		"-f ../app.yml":              "there is no file '../app.yml'",
		"-f x.yml=app.yml":           "there is no file 'x.yml=app.yml'",
		"-f /etc/passwd":             "there is no file '/etc/passwd'",
		"--data-values-file -":       "there is no file '-'",
		"--data-value-file a=/x":     "there is no file '/x'",
		"--data-value-file a":        "there is no file ''",
		"--output-files out":         "'--output-files' cannot be used here",
		"--data-values-env X":        "'--data-values-env' cannot be used here",
		"test -f app.yml":            "'test' cannot be used here",
		"blame -f /etc/passwd":       "there is no file '/etc/passwd'",
		"blame -f app.yml --diff":    "'--diff' cannot be used here",
		"diff app.yml /etc/passwd":   "there is no file '/etc/passwd'",
		"diff app.yml -":             "there is no file '-'",
		"override /etc/passwd":       "there is no file '/etc/passwd'",
		"override -":                 "there is no file '-'",
		"override app.yml --write":   "'--write' cannot be used here",
		"suggest --to /etc/passwd":   "there is no file '/etc/passwd'",
		"render --project /weft.yml": "there is no file '/weft.yml'",
		"-f app.yml --overrides-file https://example.com/a":       "there is no file 'https://example.com/a'",
		"override app.yml --overrides-file https://example.com/a": "there is no file 'https://example.com/a'",
		"render prod":                    "no weft.yml",
		"-f app.yml -f":                  "a value is missing after '-f'",
		"-f app.yml -o html":             "unknown format 'html'",
		"-f app.yml --warn-unused=":      "'--warn-unused' cannot be used here",
		"-f app.yml --warn-unused=maybe": "'--warn-unused' cannot be used here",
		"-f app.yml -- -f":               "'-f' cannot be used here",
		"app.yml -- -fschema.yml":        "there is no file '-fschema.yml'",
		"/etc/passwd":                    "there is no file '/etc/passwd'",
		"https://example.com/a":          "there is no file 'https://example.com/a'",
		"app.yml prod":                   "'prod' cannot be used here",
		"override -- --overrides":        "there is no file '--overrides'",
	} {
		res := runScreen(args)
		if !res.Failed || !strings.Contains(res.Diagnostics[0].Message, want) || res.Screen != "" {
			t.Errorf("weft %s: %v %s, expected %s", args, res.Diagnostics, res.Screen, want)
		}
	}
}

func runScreen(args string) Response {
	req := Request{Files: filesOf(shop), Args: strings.Fields(args), Want: []string{"screen"}}
	return Run(context.Background(), req, usual)
}
