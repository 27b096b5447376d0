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

// TestScreen shows what a terminal does. The generator of the site compares the examples of all pages with what
// the command prints.
func TestScreen(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-f app.yml -f schema.yml", "kind: Deployment\nspec:\n  replicas: 2\n"},
		{"render -f app.yml --file=schema.yml --data-value-yaml replicas=3", "kind: Deployment\nspec:\n  replicas: 3\n"},
		{"-f app.yml -f schema.yml -o json", `{"kind":"Deployment","spec":{"replicas":2}}` + "\n"},
		{"-f schema.yml --data-values-inspect --data-values-file values/prod.yml", "replicas: 7\n"},
		{"-f schema.yml --data-values-inspect --data-values-file values", "replicas: 7\n"},
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
		"-f -":                      "there is no file '-'",
		"-f https://example.com/a":  "there is no file 'https://example.com/a'",
		"-f ../app.yml":             "there is no file '../app.yml'",
		"-f x.yml=app.yml":          "there is no file 'x.yml=app.yml'",
		"-f /etc/passwd":            "there is no file '/etc/passwd'",
		"--data-values-file -":      "there is no file '-'",
		"--data-value-file a=/x":    "there is no file '/x'",
		"--data-value-file a":       "there is no file ''",
		"--output-files out":        "'--output-files' cannot be used here",
		"--data-values-env X":       "'--data-values-env' cannot be used here",
		"blame -f app.yml":          "'blame' cannot be used here",
		"render prod":               "no weft.yml",
		"-f app.yml -f":             "a value is missing after '-f'",
		"-f app.yml -o html":        "unknown format 'html'",
		"-f app.yml --warn-unused=": "'--warn-unused' cannot be used here",
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
