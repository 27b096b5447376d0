package lsp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"weft/internal/serve/lsp"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/testing/cases"
)

// editable is a project in which data values decide much: conditions, loops, what overlays match, and what
// the linter finds.
var editable = map[string]string{
	"weft.yml": "weft: 2026\ninputs: [config]\nenvironments:\n  dev: {valueFiles: [envs/dev.yml]}\n" +
		"  prod: {valueFiles: [envs/prod.yml]}\n",
	"envs/dev.yml":  "replicas: 1\nmode: dev\n",
	"envs/prod.yml": "replicas: 2\nmode: prod\n",
	"config/schema.yml": `#@ load("lib/names.star", "is_name")
#@data/values-schema
---
#@schema/desc "how many"
#@schema/validation min=1
replicas: 1
mode: none
registry: ""
#@schema/nullable
extra: ""
labels:
  team: a
  tier: web
#! weft: ignore[values/unread] for later
later: 1
ports:
- name: http
  port: 80
`,
	"config/values.yml": "#@data/values\n---\nregistry: example.com\nlabels:\n  team: b\nports:\n- name: grpc\n  port: 90\n",
	"config/lib/names.star": `load("@ytt:data", "data")
def is_name(s):
  return len(s) > 0
end
def full(name):
  if data.values.mode == "prod":
    return "p-" + name
  end
  return name
end
`,
	"config/note.txt": "note (@= str(1 + 1) @)\n",
	"config/app.yml": `#@ load("@ytt:data", "data")
#@ load("lib/names.star", "full")
---
kind: Deployment
metadata:
  name: #@ full("app")
  labels: #@ data.values.labels
spec:
  replicas: #@ data.values.replicas
  #@ if data.values.extra:
  extra: #@ data.values.extra
  #@ end
  #@ if hasattr(data.values.labels, "zone"):
  zone: #@ data.values.labels.zone
  #@ end
  image: #@ data.values.registry + "/app"
  ports:
  #@ for/end p in data.values.ports:
  - name: #@ p.name
    port: #@ p.port
`,
	"config/service.yml": `#@ load("@ytt:data", "data")
#@ def keys(m):
#@   return [k for k in m]
#@ end
---
kind: Service
metadata:
  name: #@ "s-" + data.values.mode
  keys: #@ keys(data.values.labels)
`,
	"config/over.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=lambda i, l, r: l["spec"]["replicas"] == data.values.replicas if "spec" in l else False
---
spec:
  #@overlay/match missing_ok=True
  paused: true
#@overlay/match by=overlay.subset({"metadata": {"name": data.values.mode}}), expects="0+"
---
metadata:
  #@overlay/match missing_ok=True
  found: true
`,
}

// projectEdits are edits of that project. Each replaces a text, wherever it is.
var projectEdits = []struct{ path, old, text string }{
	{"config/schema.yml", "how many", "the number of copies"},          // a description
	{"config/schema.yml", "#@schema/desc", "#! a note\n#@schema/desc"}, // a comment
	{"config/schema.yml", "min=1", "min=2"},                            // a validation that fails
	{"config/schema.yml", "min=1", "min=1, max=9"},
	{"config/schema.yml", "replicas: 1", "replicas: \"1\""}, // a type
	{"config/schema.yml", "replicas: 1", "replicas: 5"},     // a default that every environment replaces
	{"config/schema.yml", "tier: web", "tier: db"},          // one that counts
	{"config/schema.yml", "tier:", "level:"},                // a name
	{"config/schema.yml", "mode:", "modes:"},
	{"config/schema.yml", "tier: web\n", "tier: web\n  zone: z\n"}, // a key that only hasattr looks for
	{"config/schema.yml", "later: 1\n", "later: 1\nunused: 1\n"},
	{"config/schema.yml", "later: 1\n", "later: 1\nmore:\n  a: 1\n  b: 2\n"},
	{"config/schema.yml", "later: 1\n", "later: 2\n"},            // a value that nothing reads
	{"config/schema.yml", "later: 1\n", "later:\n  a: {b: 1}\n"}, // a map instead
	{"config/schema.yml", "#! weft: ignore[values/unread] for later\n", ""},
	{"config/schema.yml", "#! weft: ignore[values/unread]", "#! weft: ignore[values/no-op]"},
	{"config/schema.yml", "#@schema/nullable\n", ""},
	{"config/schema.yml", "#@schema/nullable\nextra: \"\"", "extra: x"},
	{"config/schema.yml", "\"is_name\"", "\"is_name\", \"full\""},
	{"config/schema.yml", "port: 80", "port: [80"},
	{"config/schema.yml", "---\n", "---\n#@ if True:\nadded: 1\n#@ end\n"},
	{"config/schema.yml", "registry: \"\"", "registry: example.com"}, // what values.yml sets, too
	{"config/schema.yml", "mode: none", "mode: #@ \"no\" + \"ne\""},
	{"config/schema.yml", "#@schema/desc", "#@schema/deprecated \"\"\n#@schema/desc"},
	{"config/schema.yml", "registry:", "#@schema/type any=True\nregistry:"},
	{"config/schema.yml", "labels:", "#@schema/examples (\"x\", {\"team\": \"later\", \"tier\": \"y\"})\nlabels:"},
	{"config/values.yml", "team: b", "team: a"}, // what the schema says
	{"config/values.yml", "team: b", "#! why\n  team: b"},
	{"config/values.yml", "registry: example.com\n", "registry: example.com\nreplicas: 7\n"}, // never counts
	{"config/values.yml", "registry: example.com", "registry: other.com"},
	{"config/values.yml", "team: b", "teams: b"},
	{"config/values.yml", "- name: grpc\n  port: 90\n", ""},
	{"envs/dev.yml", "replicas: 1", "replicas: 2"},
	{"envs/dev.yml", "replicas: 1", "# one\nreplicas: 1"},
	{"envs/dev.yml", "mode: dev", "mode: prod"},
	{"envs/prod.yml", "replicas: 2\n", ""},
	{"envs/prod.yml", "mode: prod", "mode: prod\nextra: x"},
	{"config/lib/names.star", "\"p-\"", "\"q-\""},
	{"config/lib/names.star", "> 0", "> 1"},
	{"config/lib/names.star", "data.values.mode", "data.values.modes"},
	{"config/over.yml", "== data.values.replicas", "!= data.values.replicas"},
	{"config/over.yml", "data.values.mode", "\"s-\" + data.values.mode"},
	{"config/over.yml", "missing_ok=True\n  paused", "missing_ok=False\n  paused"},
	{"config/app.yml", "image:", "image2:"},
	{"config/app.yml", "data.values.extra:", "data.values.labels.team:"},
	{"config/app.yml", "\"zone\"", "\"later\""},
	{"config/app.yml", "data.values.labels, ", "data.values, "},
	{"config/app.yml", "\"/app\"", "data.read(\"schema.yml\")[0]"},
	{"config/app.yml", "\"/app\"", "str(len(data.list()))"},
	{"config/app.yml", "\"/app\"", "str(len(data.values))"},
	{"config/app.yml", "\"/app\"", "\"/app\" if data.values.labels else \"\""},
	{"config/app.yml", "\"/app\"", "\",\".join(dir(data.values))"},
	{"config/app.yml", "\"/app\"", "str(getattr(data.values, \"unused\", \"\"))"},
	{"config/service.yml", "data.values.labels", "data.values"},
	{"config/service.yml", "kind: Service", "kind: Deployment"},
	{"config/service.yml", "kind: Service", "#@ if/end data.values.mode == \"x\":\nkind: Service"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\n# a comment"},
	{"weft.yml", "  prod:", "  prod2:"},
}

// editing is an editor with that project, and the command line beside it.
type editing struct {
	*client
	t     *testing.T
	files map[string]string // as the editor has them
}

// newEditing opens all files. Evaluations with origins are never kept, as if they were
// large.
func newEditing(t *testing.T) *editing {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, editable)
	e := &editing{t: t, files: maps.Clone(editable)}
	e.client = dialWith(t, dir, lsp.Options{MaxWait: time.Minute, MaxKeptTrace: -1}, nil)
	for path, text := range editable {
		e.open(path, text)
	}
	e.settle()
	return e
}

// apply makes an edit, or takes it back if it was applied before.
func (e *editing) apply(i int) string {
	x := projectEdits[i%len(projectEdits)]
	text := e.files[x.path]
	switch {
	case strings.Contains(text, x.text) && (x.text != "" && !strings.Contains(x.old, x.text)):
		text = strings.ReplaceAll(text, x.text, x.old)
	case x.text == "" && !strings.Contains(text, x.old):
		text = editable[x.path]
	default:
		text = strings.ReplaceAll(text, x.old, x.text)
	}
	if text != e.files[x.path] {
		e.files[x.path] = text
		e.change(x.path, protocol.ContentChange{Text: text})
	}
	return fmt.Sprintf("%s: %q → %q", x.path, x.old, x.text)
}

// check compares the diagnostics with those of the command line.
func (e *editing) check(when string) {
	e.t.Helper()
	e.settle()
	dir := e.t.TempDir()
	write(e.t, dir, e.files)
	e.compare(when, weftDiagnostics(e.t, dir, lawCase{files: e.files}), e.files)
	if e.t.Failed() {
		e.t.Fatalf("files: %v", e.files)
	}
}

// After each edit of a schema, of data values, modules, templates and overlays, one after another, the editor
// shows what the command line does.
func TestEditsEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	e := newEditing(t)
	e.check("at first")
	for i := range projectEdits {
		what := e.apply(i)
		e.check(what)
		e.apply(i)
		e.check(what + ", taken back")
	}
	random := rand.New(rand.NewPCG(3, 4))
	var applied []string
	for range cases.Number(20, 400) {
		for range 1 + random.IntN(2) {
			applied = append(applied, e.apply(random.IntN(len(projectEdits))))
			if len(applied) > 8 {
				applied = applied[1:]
			}
		}
		e.check(strings.Join(applied, "\n"))
	}
	e.healthy()
}

// FuzzEdits makes any sequence of edits.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 9, 200, 24})
	f.Add([]byte{5, 6, 128 + 7, 5, 30})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 12 {
			data = data[:12]
		}
		e := newEditing(t)
		var applied []string
		for i, b := range data {
			applied = append(applied, e.apply(int(b&127)))
			if b < 128 || i == len(data)-1 { // otherwise the next edit follows at once
				e.check(strings.Join(applied, "\n"))
			}
		}
		e.healthy()
	})
}
