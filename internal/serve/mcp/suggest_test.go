package mcp

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"weft/internal/serve/lsp/wire"
)

var five = args{"environment": "prod", "changes": []string{"Deployment/shop:spec.replicas=5"}}

// Without --write, the change is shown and no file changes; the argument that writes does not exist.
func TestSuggest(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{})
	r := c.call("suggest", five)
	for _, want := range []string{
		"weft.yml:6", "replicas: 3 → 5", "-  prod: {values: {replicas: 3}", "+  prod: {values: {replicas: 5}",
	} {
		if r.IsError || !strings.Contains(r.StructuredContent.Data, want) {
			t.Errorf("%q is missing in %v\n%s", want, r.IsError, r.Content[0].Text)
		}
	}
	write := args{"changes": five["changes"], "write": true}
	e := c.refused("tools/call", args{"name": "suggest", "arguments": write})
	if e.Code != wire.InvalidParams || !strings.Contains(e.Message, `unknown argument "write"`) {
		t.Errorf("got %v", e)
	}
	if text, err := os.ReadFile("weft.yml"); err != nil || string(text) != shopProject {
		t.Errorf("weft.yml is %s, %v", text, err)
	}
	same := c.call("suggest", args{"environment": "prod", "changes": []string{"Deployment/shop:spec.replicas=3"}})
	if same.IsError || !strings.HasPrefix(same.StructuredContent.Summary, "nothing changes") {
		t.Errorf("got %v", same)
	}
	for _, wrong := range []string{"", "x", "Deployment/none:spec.replicas=1", "Deployment/shop:spec.replicas"} {
		if r := c.call("suggest", args{"environment": "prod", "changes": []string{wrong}}); !r.IsError {
			t.Errorf("%q: got %v", wrong, r)
		}
	}
	hidden := c.call("suggest", args{
		"environment": "prod", "changes": []string{"Deployment/shop:spec.url=db://robin99"},
	})
	if text := hidden.Content[0].Text; strings.Contains(text, "nightingale") {
		t.Errorf("a secret is shown:\n%s", text)
	}
}

// With --write, a call that asks for it writes, and other calls do not.
func TestSuggestWrites(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{Write: true})
	c.call("suggest", five)
	if text, err := os.ReadFile("weft.yml"); err != nil || string(text) != shopProject {
		t.Errorf("weft.yml is %s, %v", text, err)
	}
	r := c.call("suggest", args{"environment": "prod", "changes": five["changes"], "write": true})
	if r.IsError || !strings.HasSuffix(r.StructuredContent.Summary, "is written") {
		t.Errorf("got %v", r)
	}
	got := c.call("render", args{"environment": "prod", "path": "spec.replicas"}).StructuredContent.Data
	if !strings.HasSuffix(got, "\n5\n") {
		t.Errorf("got %s", got)
	}
	var list struct{ Tools []describedTool }
	c.request("tools/list", nil, &list)
	for _, tool := range list.Tools {
		if tool.Annotations.ReadOnly == (tool.Name == "suggest") {
			t.Errorf("%s says that it only reads: %v", tool.Name, tool.Annotations.ReadOnly)
		}
	}
}

// Calls at the same time are all written.
func TestSuggestWritesInTurn(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{Write: true})
	var calls sync.WaitGroup
	for i := range 4 {
		calls.Go(func() {
			var r called
			change := fmt.Sprintf("Deployment/shop:spec.more%d=x", i)
			err := c.conn.Call(t.Context(), "tools/call", args{"name": "suggest", "arguments": args{
				"environment": "prod", "changes": []string{change}, "write": true,
			}}, &r)
			if err != nil || r.IsError {
				t.Errorf("%s: got %v, %v", change, r, err)
			}
		})
	}
	calls.Wait()
	text := c.call("render", args{"environment": "prod", "document": "Deployment/shop"}).Content[0].Text
	for i := range 4 {
		if want := fmt.Sprintf("more%d: x", i); !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// Files outside of the directory of the server are not written, also if they are of the project.
func TestSuggestWritesInside(t *testing.T) {
	files := shop()
	for _, name := range []string{"sub/a.yml", ".git/HEAD", ".git/objects/x", ".git/refs/x"} {
		files[name] = "" // weft.yml is found above in a repository
	}
	inDir(t, files)
	if err := os.Chdir("sub"); err != nil {
		t.Fatal(err)
	}
	c := start(t, Options{Write: true})
	r := c.call("suggest", args{"environment": "prod", "changes": five["changes"], "write": true})
	if !r.IsError || !strings.Contains(r.StructuredContent.Data, "is outside of the directory of the server") {
		t.Errorf("got %v", r)
	}
	if text, err := os.ReadFile("../weft.yml"); err != nil || string(text) != shopProject {
		t.Errorf("weft.yml is %s, %v", text, err)
	}
}
