// Package mcptest uses weft mcp with the client of the protocol's own library for Go. It is a module of its
// own, so that weft does not depend on it.
package mcptest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// weft is the program under test.
var weft string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	weft = filepath.Join(dir, "weft")
	build := exec.Command("go", "build", "-o", weft, "./cmd/weft")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// connect starts weft mcp in a directory.
func connect(t *testing.T, dir string, flags ...string) *mcp.ClientSession {
	t.Helper()
	command := exec.Command(weft, append([]string{"mcp"}, flags...)...)
	command.Dir, command.Stderr = dir, os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "mcptest", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	return session
}

// call calls a tool.
func call(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	return r
}

// textOf returns the text of an answer.
func textOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("an answer has %d parts", len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text
}

func TestHello(t *testing.T) {
	s := connect(t, "../../examples")
	hello := s.InitializeResult()
	if hello.ServerInfo.Name != "weft" || hello.Capabilities.Tools == nil || hello.Capabilities.Resources == nil ||
		!strings.Contains(hello.Instructions, "data from files") {
		t.Errorf("the server says %+v", hello)
	}
	if err := s.Ping(context.Background(), nil); err != nil {
		t.Error(err)
	}
}

// resolved returns a schema as the library of the protocol reads it.
func resolved(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Tools have valid schemas, say that they only read, and answer as their schema says.
func TestTools(t *testing.T) {
	s := connect(t, "../../examples")
	list, err := s.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) < 8 {
		t.Fatalf("there are %d tools", len(list.Tools))
	}
	for _, tool := range list.Tools {
		input, output := resolved(t, tool.InputSchema), resolved(t, tool.OutputSchema)
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s has the annotations %+v", tool.Name, a)
		}
		with := map[string]any{"environment": "production"}
		switch tool.Name {
		case "environments":
			with = map[string]any{}
		case "impact":
			with["value"] = "name"
		case "suggest":
			with["changes"] = []any{"Deployment/shop:spec.replicas=6"}
		case "diff":
			with = map[string]any{"from": "quickstart", "to": "production"}
		}
		if err := input.Validate(with); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		r := call(t, s, tool.Name, with)
		if r.IsError {
			t.Errorf("%s: %s", tool.Name, textOf(t, r))
		}
		if err := output.Validate(r.StructuredContent); err != nil {
			t.Errorf("%s answers %v: %v", tool.Name, r.StructuredContent, err)
		}
		_, err := s.CallTool(context.Background(), &mcp.CallToolParams{
			Name: tool.Name, Arguments: map[string]any{"nothing": 1},
		})
		if err == nil || input.Validate(map[string]any{"nothing": 1}) == nil {
			t.Errorf("%s takes an argument that it does not have", tool.Name)
		}
	}
}

func TestResources(t *testing.T) {
	s := connect(t, "../../examples")
	count := 0
	for r, err := range s.Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		if count%20 != 1 {
			continue
		}
		page, err := s.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(page.Contents) != 1 || !strings.HasPrefix(page.Contents[0].Text, "# ") {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
	if count < 100 {
		t.Errorf("there are %d pages", count)
	}
	_, err := s.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "weft://docs/../../etc/passwd"})
	if err == nil {
		t.Error("a page outside of the documentation is read")
	}
}

// A call that the client cancels ends, and the server goes on.
func TestCancel(t *testing.T) {
	dir := t.TempDir()
	slow := "#@ def f():\n#@   for i in range(1000000000):\n#@     for j in range(1000000000):\n#@       k = j\n" +
		"#@     end\n#@   end\n#@ end\na: #@ f()\n"
	if err := os.WriteFile(filepath.Join(dir, "a.yml"), []byte(slow), 0o644); err != nil {
		t.Fatal(err)
	}
	s := connect(t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "render", Arguments: with{"files": []string{"a.yml"}}})
	if err == nil {
		t.Error("an endless call ends")
	}
	if err := s.Ping(context.Background(), nil); err != nil {
		t.Error(err)
	}
}

// In a directory that nobody may write to, all tools answer the same.
func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "examples")
	if err := os.CopyFS(dir, os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	ask := func() (all string) {
		s := connect(t, dir)
		for _, one := range []string{"environments", "values", "render", "blame", "explain", "check"} {
			r := call(t, s, one, nil)
			text, err := json.Marshal(r.StructuredContent)
			if err != nil || r.IsError {
				t.Errorf("%s: %v %s", one, err, text)
			}
			all += string(text)
		}
		return all
	}
	before, files := ask(), list(t, dir)
	chmod := func(file, folder os.FileMode) {
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(name, folder)
			}
			return os.Chmod(name, file)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if after := list(t, dir); after != files {
		t.Errorf("files have changed:\n%s\n%s", files, after)
	}
	chmod(0o444, 0o555)
	defer chmod(0o644, 0o755)
	if after := ask(); after != before {
		t.Errorf("the answers are\n%s\nwant\n%s", after, before)
	}
}

// list describes the files of a directory.
func list(t *testing.T, dir string) (all string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all += name + info.Mode().String() + info.ModTime().String() + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
