package mcp

import (
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
