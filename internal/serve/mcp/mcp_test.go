package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/internal/serve/lsp/wire"
)

// client is an agent that is connected to a server.
type client struct {
	t    testing.TB
	conn *wire.Conn
	log  *bytes.Buffer
}

// start starts a server in the current directory, and says hello.
func start(t testing.TB, opt Options) *client {
	t.Helper()
	c := &client{t: t, log: &bytes.Buffer{}}
	var mu sync.Mutex
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Memory == 0 {
		opt.Memory = DefaultMemory
	}
	opt.Version = "test"
	opt.Log = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(c.log, format+"\n", args...)
	}
	toServer, in := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(context.Background(), toServer, out, opt)
		out.Close()
	}()
	c.conn = wire.MCP.NewConn(fromServer, in, t.Logf)
	go func() {
		_ = c.conn.Serve(context.Background(), wire.Handler{
			Notify: func(string, json.RawMessage) error { return nil },
			Request: func(method string, _ json.RawMessage) (wire.Answer, error) {
				return nil, wire.Errorf(wire.MethodNotFound, "%s", method)
			},
		})
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	var hello struct{ ProtocolVersion string }
	c.request("initialize", args{"protocolVersion": "2025-06-18", "capabilities": args{}}, &hello)
	if hello.ProtocolVersion != "2025-06-18" {
		t.Fatalf("the version is %q", hello.ProtocolVersion)
	}
	c.conn.Notify("notifications/initialized", nil)
	return c
}

func (c *client) request(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(context.Background(), method, params, result); err != nil {
		c.t.Fatal(err)
	}
}

type args = map[string]any

// called is the result of a call.
type called struct {
	Content           []content
	StructuredContent structured
	IsError           bool
}

// call calls a tool and checks what all answers have in common.
func (c *client) call(tool string, with args) called {
	c.t.Helper()
	var r called
	c.request("tools/call", args{"name": tool, "arguments": with}, &r)
	checkAnswer(c.t, r)
	return r
}

var beginning = regexp.MustCompile(`(?m)^<(weft-data-[A-Z2-7]{26})>$`)

// checkAnswer reports an answer that is too large, or whose text is not what its structured content says.
func checkAnswer(t testing.TB, r called) {
	t.Helper()
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("the content is %v", r.Content)
	}
	data := r.StructuredContent.Data
	if len(data) > maxData {
		t.Errorf("an answer has %d bytes", len(data))
	}
	text := r.Content[0].Text
	mark := beginning.FindStringSubmatch(text)
	if data == "" {
		if mark != nil {
			t.Errorf("an empty answer has marks:\n%s", text)
		}
		return
	}
	if mark == nil {
		t.Fatalf("an answer has no mark:\n%s", text)
	}
	_, rest, _ := strings.Cut(text, "<"+mark[1]+">\n")
	between, after, ok := strings.Cut(rest, "</"+mark[1]+">\n")
	if !ok || after != "" || strings.TrimSuffix(between, "\n") != strings.TrimSuffix(data, "\n") {
		t.Errorf("between the marks is something else than\n%s\n%s", data, text)
	}
	if strings.Contains(r.StructuredContent.Summary, "\n") {
		t.Errorf("the summary is %q", r.StructuredContent.Summary)
	}
}

// refused returns the error of a request that has no result.
func (c *client) refused(method string, params any) *wire.Error {
	c.t.Helper()
	err := c.conn.Call(context.Background(), method, params, nil)
	e, ok := errors.AsType[*wire.Error](err)
	if !ok {
		c.t.Fatalf("%s: got %v, want an error of the protocol", method, err)
	}
	return e
}

// inDir changes the current directory to a new one with these files.
func inDir(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chdir(old) })
	return dir
}

const (
	shopProject = "weft: 2026\ninputs: [config]\ndefault: dev\nenvironments:\n  dev: {labels: {tier: low}}\n" +
		"  prod: {values: {replicas: 3}, overlays: [prod.yml], output: {dir: out}}\n"
	shopSchema = "#@data/values-schema\n---\nname: shop\nreplicas: 1\n#@schema/secret\npassword: nightingale\n" +
		"#@schema/secret\ndebug: true\n#@schema/desc \"names of hosts\"\nhosts:\n- \"\"\n"
	shopTemplate = "#@ load(\"@ytt:data\", \"data\")\n---\nkind: Deployment\nmetadata:\n  name: #@ data.values.name\n" +
		"spec:\n  replicas: #@ data.values.replicas\n  url: #@ \"db://\" + data.values.password\n---\nkind: Secret\n" +
		"metadata:\n  name: keys\nstringData:\n  key: #@ data.values.password\n  other: hushhush\n"
	shopOverlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n" +
		"---\nspec:\n  #@overlay/match missing_ok=True\n  paused: true\n"
)

func shop() map[string]string {
	return map[string]string{
		"weft.yml": shopProject, "config/schema.yml": shopSchema, "config/app.yml": shopTemplate,
		"prod.yml": shopOverlay,
	}
}

func TestTools(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{})
	for _, test := range []struct {
		tool          string
		with          args
		summary, data string
	}{
		{
			"environments", nil, "2 environments",
			"dev  weft.yml:5  default  tier=low\nprod  weft.yml:6  output: out\n",
		},
		{
			"values",
			args{"environment": "prod"},
			"5 data values",
			"name = shop  config/schema.yml:3  string\nreplicas = 3  weft.yml:6  integer\n" +
				"password = ‹secret›  config/schema.yml:6  string\ndebug = ‹secret›  config/schema.yml:8  boolean\n" +
				"hosts = []  config/schema.yml:10  array of string  # names of hosts\n",
		},
		{"values", args{"value": "replicas"}, "1 data value", "replicas = 1  config/schema.yml:4  integer\n"},
		{
			"render", nil, "2 documents",
			"Deployment/shop  config/app.yml:2  6 lines\nSecret/keys  config/app.yml:9  6 lines\n",
		},
		{
			"render",
			args{"document": "Secret"},
			"1 document",
			"# Secret/keys  config/app.yml:9\nkind: Secret\nmetadata:\n  name: keys\nstringData:\n  key: ‹secret›\n" +
				"  other: ‹secret›\n",
		},
		{
			"render",
			args{"path": "spec.url"},
			"1 place",
			"# Deployment/shop  spec.url  config/app.yml:8\ndb://‹secret›\n",
		},
		{
			"blame",
			args{"environment": "prod", "document": "Deployment/shop", "path": "spec.replicas"},
			"the history of this place, the last change first",
			"Deployment/shop  spec.replicas\n  3  config/app.yml:7  replicas: #@ data.values.replicas\n" +
				"     replicas = 3      weft.yml:6  project\n" +
				"                       over 1  config/schema.yml:4  schema default\n",
		},
		{
			"impact",
			args{"value": "replicas"},
			"what depends on the value; = copied from it, ~ computed, > overwritten later, ? decided by it",
			"replicas = 1  config/schema.yml:4\n  Deployment/shop  spec.replicas  = config/app.yml:7\n",
		},
		{
			"impact",
			args{"set": args{"replicas": 7}},
			"what changes in the output; + added, - removed, ~ changed",
			"~ Deployment/shop  spec.replicas: 1 → 7\n= 1 document\n",
		},
		{"impact", args{"set": args{"replicas": 1}}, "nothing changes", ""},
		{
			"explain",
			args{"environment": "prod"},
			"what each overlay matches and changes",
			"prod.yml:3: matched 1 document\n  config/app.yml:2 Deployment/shop\n    spec.paused: added true (prod.yml:6)\n",
		},
		{"explain", nil, "what each overlay matches and changes", "there are no overlays\n"},
		{"check", nil, "lint: 0 findings; no tests", ""},
	} {
		t.Run(test.tool, func(t *testing.T) {
			if test.with["environment"] == nil && test.tool != "environments" && test.tool != "check" {
				test.summary += "; in the default environment"
			}
			r := c.call(test.tool, test.with)
			if got := r.StructuredContent; r.IsError || got.Summary != test.summary ||
				test.data != "" && got.Data != test.data {
				t.Errorf("%v: got %v %s\n%swant %s\n%s",
					test.with, r.IsError, got.Summary, got.Data, test.summary, test.data)
			}
		})
	}
	d := c.call("diff", args{"from": "dev", "to": "prod"}).StructuredContent.Data
	for _, want := range []string{"replicas 1 → 3", "spec.paused: true", "prod.yml", "weft.yml:6"} {
		if !strings.Contains(d, want) {
			t.Errorf("the difference lacks %s:\n%s", want, d)
		}
	}
	b := c.call("blame", nil).StructuredContent.Data
	if !strings.Contains(b, "config/app.yml:7") || strings.Contains(b, "nightingale") {
		t.Errorf("blame is\n%s", b)
	}
}

// Answers and errors have no secrets, whatever a tool is asked.
func TestNoSecrets(t *testing.T) {
	files := shop()
	files["tests/a.test.yml"] = "tests:\n- name: secret\n  expect:\n  - select: Deployment/shop\n    contains: {spec: {url: wrong}}\n"
	inDir(t, files)
	c := start(t, Options{})
	all := []args{
		nil,
		{"document": "Deployment"},
		{"document": "Secret"},
		{"path": "**"},
		{"document": "nightingale"},
		{"path": "spec.nightingale"},
		{"value": "password"},
		{"set": args{"password": "hummingbird"}},
		{"environment": "prod"},
		{"from": "dev", "to": "prod"},
		{"value": "nothing"},
		{"set": args{"replicas": "x"}},
	}
	for _, tool := range tools() {
		for _, with := range all {
			if _, err := tool.decode(encoded(t, with)); err != nil {
				continue
			}
			r := c.call(tool.name, with)
			text := strings.ReplaceAll(r.Content[0].Text, "'nightingale'", "") // which the caller said
			text = strings.ReplaceAll(text, "spec.nightingale", "")
			for _, s := range []string{"nightingale", "hummingbird", "hushhush", "bmlnaHRpbmdhbGU"} {
				if strings.Contains(text, s) {
					t.Errorf("%s %v shows %s:\n%s", tool.name, with, s, text)
				}
			}
		}
	}
}

func encoded(t testing.TB, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) == "null" {
		return nil
	}
	return b
}

// Errors of a run are answers with a place and a hint, which the model can use.
func TestFailures(t *testing.T) {
	files := shop()
	files["tests/a.test.yml"] = "tests:\n- name: three\n  expect:\n  - select: Deployment/shop\n    contains: {spec: {replicas: 4}}\n"
	inDir(t, files)
	c := start(t, Options{})
	for _, test := range []struct {
		tool string
		with args
		want []string
	}{
		{"render", args{"environment": "prd"}, []string{"there is no environment 'prd'", "did you mean prod?"}},
		{"render", args{"document": "Deployment/shp"}, []string{"matches no document", "did you mean Deployment/shop?"}},
		{"render", args{"document": "Deployment/shop", "path": "spec.x"}, []string{"nothing is at 'spec.x'", "hint: there are replicas"}},
		{"render", args{"files": []string{"config"}, "project": "."}, []string{"the call names both"}},
		{"render", args{"path": "spec.replcas"}, []string{"did you mean 'replicas'?"}},
		{"blame", args{"path": "spec.x"}, []string{"nothing in"}},
		{"blame", args{"path": "replicas"}, []string{"did you mean spec.replicas?"}},
		{"blame", args{"document": "Deployment/shop", "path": "no"}, []string{"call blame with Deployment/shop alone"}},
		{"values", args{"value": "replica"}, []string{"did you mean 'replicas'?"}},
		{"suggest", args{"changes": []string{}}, []string{"`changes` is empty"}},
		{"suggest", args{"changes": []string{"Deployment/shop:spec.items[3]=1"}}, []string{"there are "}},
		{"impact", args{"value": "nothing"}, []string{"no data value 'nothing'", "the tool values shows all of them"}},
		{"impact", args{}, []string{"either `value` or `set`"}},
		{"impact", args{"value": "a", "set": args{"a": 1}}, []string{"either `value` or `set`"}},
		{"impact", args{"set": args{"replicas": "x"}}, []string{"replicas"}},
		{"diff", args{"from": "dev", "to": "prodd"}, []string{"there is no environment 'prodd'"}},
		{"diff", args{"from": "dev"}, []string{"diff needs two sides", "or a `revision`"}},
		{"diff", args{"from": "dev", "to": "prod", "revision": "HEAD"}, []string{"or one with its revision"}},
		{"values", args{"value": "nothing"}, []string{"nothing is at 'nothing'"}},
		{"render", args{"project": "config"}, []string{"weft.yml"}},
		{"render", args{"cursor": "AAAA"}, []string{"the cursor does not belong to this answer"}},
	} {
		r := c.call(test.tool, test.with)
		for _, want := range test.want {
			if !r.IsError || !strings.Contains(r.StructuredContent.Data, want) {
				t.Errorf("%s %v: want %q in an error, got %v\n%s", test.tool, test.with, want, r.IsError,
					r.StructuredContent.Data)
			}
		}
	}
	r := c.call("check", nil)
	if r.IsError || !strings.Contains(r.StructuredContent.Summary, "1 test failed") ||
		!strings.Contains(r.StructuredContent.Data, "tests/a.test.yml:5") {
		t.Errorf("check says %v %v", r.IsError, r.StructuredContent)
	}
}

// Errors in files without a project have places, too.
func TestFailuresOfFiles(t *testing.T) {
	inDir(t, map[string]string{"wrong/app.yml": "a: #@ nothing\n"})
	c := start(t, Options{})
	for _, test := range []struct{ tool, file, want string }{
		{"render", "wrong", "wrong/app.yml:1:7"},
		{"render", "wrong", "undefined"},
		{"render", "missing", "missing"},
		{"explain", "wrong", "wrong/app.yml:1:7"},
		{"check", "wrong", "wrong/app.yml:1"},
	} {
		r := c.call(test.tool, args{"files": []string{test.file}})
		if r.IsError != (test.tool != "check") || !strings.Contains(r.StructuredContent.Data, test.want) {
			t.Errorf("%s %s: want %q, got %v", test.tool, test.file, test.want, r)
		}
	}
}

func TestNoProject(t *testing.T) {
	inDir(t, nil)
	c := start(t, Options{})
	r := c.call("render", nil)
	if !r.IsError || !strings.Contains(r.StructuredContent.Data, "found no weft.yml") {
		t.Errorf("got %v", r)
	}
}

func TestProtocolErrors(t *testing.T) {
	inDir(t, shop())
	c := start(t, Options{})
	for _, test := range []struct {
		method string
		params any
		code   wire.Code
		want   string
	}{
		{"nothing", nil, wire.MethodNotFound, "does not know the method"},
		{"prompts/list", nil, wire.MethodNotFound, "does not know the method"},
		{"tools/call", nil, wire.InvalidParams, "weft has no tool"},
		{"tools/call", 7, wire.InvalidParams, "it has to be an object, but is a number"},
		{"tools/call", args{"name": "shell"}, wire.InvalidParams, `weft has no tool "shell"`},
		{"tools/call", args{"name": "render", "arguments": []int{1}}, wire.InvalidParams, "have to be an object"},
		{"tools/call", args{"name": "render", "arguments": args{"path": 1}}, wire.InvalidParams, "render: path has to be a string, but is a number"},
		{"tools/call", args{"name": "render", "arguments": args{"Path": "a"}}, wire.InvalidParams, `unknown argument "Path"`},
		{"tools/call", args{"name": "render", "arguments": args{"value": "a"}}, wire.InvalidParams, `unknown argument "value"`},
		{"resources/read", args{"uri": "file:///etc/passwd"}, notFound, "weft has no page"},
		{"resources/read", args{"uri": "weft://docs/../go.mod"}, notFound, "weft has no page"},
		{"resources/read", args{"uri": "weft://docs/guides"}, notFound, "weft has no page"},
		{"resources/read", args{"uri": 1}, wire.InvalidParams, "uri has to be a string, but is a number"},
		{"initialize", args{}, wire.InvalidParams, "initialize needs a protocolVersion"},
		{"initialize", 1, wire.InvalidParams, "it has to be an object, but is a number"},
	} {
		e := c.refused(test.method, test.params)
		if e.Code != test.code || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s %v: got %d %s", test.method, test.params, e.Code, e.Message)
		}
	}
	c.request("ping", nil, nil)
	var templates struct{ ResourceTemplates []any }
	c.request("resources/templates/list", nil, &templates)
}

// The server takes the client's version if it knows it, and answers nothing but ping before initialize.
func TestInitialize(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-11-25": "2025-11-25", "1999-01-01": versions[0], "x": versions[0],
	} {
		var out bytes.Buffer
		in := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"` + asked + `"}}` + "\n"
		if err := Serve(context.Background(), strings.NewReader(in), &out, Options{Log: t.Logf}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			`"id":1,"error":{"code":-32600,"message":"the first request has to be initialize"}`,
			`"id":2,"result":{}`, `"protocolVersion":"` + want + `"`,
		} {
			if !strings.Contains(out.String(), line) {
				t.Errorf("asked for %s: %s is not in\n%s", asked, line, out.String())
			}
		}
	}
}

func TestResources(t *testing.T) {
	inDir(t, nil)
	c := start(t, Options{})
	var list struct{ Resources []resource }
	c.request("resources/list", nil, &list)
	if len(list.Resources) < 100 {
		t.Errorf("there are %d resources", len(list.Resources))
	}
	for _, want := range []string{"weft://docs/guides/agents.md", "weft://docs/help/overlays.md"} {
		var page struct{ Contents []resource }
		c.request("resources/read", args{"uri": want}, &page)
		if len(page.Contents) != 1 || !strings.HasPrefix(page.Contents[0].Text, "# ") {
			t.Errorf("%s is %v", want, page)
		}
		found := false
		for _, r := range list.Resources {
			found = found || r.URI == want && r.Title != ""
		}
		if !found {
			t.Errorf("%s is not listed", want)
		}
	}
}

// The guide has a line for each tool and no others, and states the size of answers.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../../docs/guides/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	var want []string
	for _, tool := range tools() {
		want = append(want, tool.name)
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the guide has %v, the server %v", names, want)
	}
	if !strings.Contains(string(text), "at most 20,000 bytes") || maxData != 20_000 {
		t.Error("the guide states another size of answers")
	}
	if !strings.Contains(string(text), "after a minute") || DefaultTimeout != time.Minute {
		t.Error("the guide states another limit of time")
	}
}

// Each argument has a description, and each tool takes only arguments of the table.
func TestSchemas(t *testing.T) {
	for _, tool := range tools() {
		s := tool.schema()
		for name, p := range s.Properties {
			if p.Type == "" || p.Description == "" {
				t.Errorf("%s: the argument %s has no schema", tool.name, name)
			}
		}
		for _, name := range tool.needs {
			if _, ok := s.Properties[name]; !ok {
				t.Errorf("%s needs %s, but does not take it", tool.name, name)
			}
		}
		if tool.description == "" || tool.title == "" {
			t.Errorf("%s is not described", tool.name)
		}
	}
	if !json.Valid(outputSchema) {
		t.Error("the output schema is not JSON")
	}
}

// Secret data values are hidden whatever their type is, and wherever they are: no text can tell that a boolean
// is secret.
func TestSecretValues(t *testing.T) {
	inDir(t, map[string]string{
		"config/schema.yml": "#@data/values-schema\n---\na.b:\n  #@schema/secret\n  c d: false\n" +
			"#@schema/secret\nall:\n  x:\n  - true\n  y: 1\n" +
			"list:\n- name: a\n  #@schema/secret\n  on: true\nplain: true\n" +
			"#@schema/nullable\n#@schema/secret\nmaybe: true\n",
		"config/values.yml": "#@data/values\n---\nlist:\n- name: b\nall:\n  x: [true]\nmaybe: true\n",
	})
	c := start(t, Options{})
	got := c.call("values", args{"files": []string{"config"}}).StructuredContent.Data
	for line := range strings.Lines(got) {
		shown := strings.Contains(line, " = true") || strings.Contains(line, " = false") ||
			strings.Contains(line, " = 1")
		if shown != strings.HasPrefix(line, "plain") {
			t.Errorf("shown: %v: %s", shown, line)
		}
	}
	if strings.Count(got, "‹secret›") != 5 || !strings.Contains(got, "list[0].name = b") {
		t.Errorf("got\n%s", got)
	}
}
