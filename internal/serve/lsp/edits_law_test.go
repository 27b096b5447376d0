package lsp_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"weft"
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
	"extra/only.yml": "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\n---\n" +
		"kind: Service\nmetadata: {name: s-prod}\n#@ if/end data.values.mode:\nonly: 1\n",
	"over/ride.yml":    "metadata:\n  note: a\n",
	"config/raw.yml":   "raw: 1\n",
	"config/list.json": "{\"on\": true}\n",
	"config/text.txt":  "two\n",
	"config/spare.yml": "#@ def spare():\n#@   return 1\n#@ end\n",
	"config/shut.yml":  "kind: Shut\nmetadata:\n  name: s\n",
	"schemas/v1.31.0-standalone-strict/service-v1.json": `{"type": "object", "properties": {
		"kind": {}, "apiVersion": {}, "metadata": {"type": "object", "properties": {"name": {"type": "string"}}}},
		"additionalProperties": false}`,
	"config/_ytt_lib/part/schema.yml": "#@data/values-schema\n---\nsize: 1\nspare: 1\n",
	"config/_ytt_lib/part/part.json":  "{\"on\": true}\n",
	"config/_ytt_lib/part/part.yml": `#@ load("@ytt:data", "data")
#@ load("@ytt:json", "json")
---
kind: #@ "Service" if data.values.size == 2 else "Part"
metadata:
  name: #@ "s-dev" if json.decode(data.read("part.json"))["on"] else "other"
`,
	"config/lib/own.star": "def own():\n  return \"o\"\nend\n",
	"config/probes.yml": `#@ load("@ytt:data", "data")
#@ load("lib/own.star", "own")
---
probes:
  own: #@ own()
  #@ if/end data.values.target + data.read("text.txt") == "Deploymenttwo\n":
  text: 1
  #@ if/end "zone" in data.values.asked:
  asked: 1
  #@ if/end len(data.values.sized) > 1:
  sized: 1
  #@ if/end [k for k in data.values.named] == ["a", "b"]:
  named: 1
  #@ if/end hasattr(data.values.had, "more"):
  had: 1
  #@ if/end data.values.extra and hasattr(data.values.spared, "two"):
  spared: 1
  #@ if/end data.values.deep.inside.one == 1:
  deep: 1
`,
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
base: b1
target: Deployment
asked: {one: 1}
sized: {one: 1}
named: {a: 1, b: 2}
had: {one: 1}
spared: {one: 1}
deep:
  inside: {one: 1}
patch:
  sizes: 1
more:
- name: ""
  port: 0
ports:
- name: http
  port: 80
`,
	"config/values.yml": `#@data/values
---
registry: example.com
labels:
  team: b
ports:
- name: grpc
  port: 90
more:
- name: grpc
  port: 91
`,
	"config/z.yml": "#@data/values\n---\nlater: 3\n",
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
  more: #@ data.values.more
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
apiVersion: v1
kind: Service
metadata:
  name: #@ "s-" + data.values.mode
  keys: #@ keys(data.values.labels)
  #! weft: ignore[yaml/changed-scalar] as it was
  size: yes
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
#@overlay/match by=overlay.subset({"kind": "Service"}), expects="0+"
#@overlay/match-child-defaults expects="0+"
---
metadata:
  absents: 1
#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="0+"
#@overlay/match-child-defaults expects="0+"
---
spec:
  ports:
  #@overlay/match by="name"
  - name: grp
    port: 1
#@overlay/match by=lambda i, l, r: "kind" in l and l["kind"] == data.values.target, expects="0+"
---
#@overlay/match missing_ok=True
aimed: true
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
	// secrets, which hints hide
	{"config/schema.yml", "ports:\n", "#@schema/secret\nports:\n"},
	{"config/schema.yml", "registry:", "#@schema/secret\nregistry:"},
	// a value that others are computed from
	{"config/schema.yml", "base: b1\n", "base: b1\n#@schema/computed lambda v: v.base + \"x\"\nmade: \"\"\n"},
	{"config/schema.yml", "v.base + ", "\"y\" + "},
	// the same values from other files, at which the linter points
	{"config/z.yml", "later: 3\n", "later: 3\nmore:\n- name: grpc\n  port: 91\n"},
	{"config/z.yml", "---\n", "---\npatch:\n  sizes: 1\n"},
	{"config/over.yml", "  absents: 1\n", "  #@overlay/match missing_ok=True\n  ports: #@ data.values.more\n"},
	{"config/over.yml", "metadata:\n  absents: 1\n", "metadata: #@ data.values.patch\n"},
	{"config/over.yml", "  ports:\n  #@overlay/match by=\"name\"\n", "  ports:\n"},
	{"config/over.yml", "  ports:\n", "  #@overlay/match missing_ok=True\n  more:\n  - name: grpc\n  ports:\n"},
	{"config/values.yml", "more:", "#! why\nmore:"},
	{"config/schema.yml", "patch:", "#! why\npatch:"},
	// other roles
	{"config/z.yml", "#@data/values\n", ""},
	{
		"config/z.yml", "#@data/values\n---\n",
		"#@ load(\"@ytt:data\", \"data\")\n---\n#@ if/end data.values.mode == \"x\":\n",
	},
	{"config/z.yml", "later: 3\n", "later: 3\n---\nkind: Service\nmetadata: {name: s-dev}\n"},
	{"config/z.yml", "#@data/values", "#@data/values-schema"},
	// warnings, and comments that ignore them
	{"config/schema.yml", "registry:", "#@schema/deprecated \"use another\"\nregistry:"},
	// an error that comes with an environment, and objects that are twice in the output
	{"config/service.yml", "\"s-\" +", "\"s-\" + data.values.extra +"},
	{
		"config/service.yml", "kind: Service",
		"kind: #@ \"Service\" if data.values.mode == \"x\" else \"Deployment\"",
	},
	{"config/service.yml", "\"s-\" + data.values.mode", "\"app\""},
	{"weft.yml", "inputs: [config]", "inputs: [config]\n# a comment"},
	{"weft.yml", "  prod:", "  prod2:"},
	// values that only one template reads, each in another way
	{"config/schema.yml", "asked: {one: 1}", "asked: {one: 1, zone: 1}"},
	{"config/schema.yml", "sized: {one: 1}", "sized: {one: 1, two: 2}"},
	{"config/schema.yml", "named: {a: 1, b: 2}", "named: {b: 2, a: 1}"},
	{"config/schema.yml", "had: {one: 1}", "had: {one: 1, more: 1}"},
	{"config/schema.yml", "inside: {one: 1}", "inside: {one: 2}"},
	// what a schema says about templates that do the same
	{"config/schema.yml", "spared: {one: 1}", "spared: {one: 1, two: 2}"},
	{"config/schema.yml", "spared: {one: 1}", "#@schema/nullable\nspared: {one: 1, two: 2}"},
	{"config/schema.yml", "#@ load(\"lib", "#@ load(\"spare.yml\", \"spare\")\n#@ load(\"lib"},
	{"config/schema.yml", "#@data/values-schema", "#@data/values"},
	{"config/schema.yml", "target: Deployment", "target: Nothing"}, // which a function of an overlay reads
	{"config/schema.yml", "v.base + ", "v.target + "},
	{"config/z.yml", "---\n", "#! a line\n---\n"},
	{"config/z.yml", "#@data/values\n", "#@library/ref \"@part\"\n#@data/values\n"}, // which nothing uses
	// files that templates read, and those that schemas do
	{"config/list.json", "true", "false"},
	{"config/lib/own.star", "\"o\"", "\"p\""},
	{"config/probes.yml", "probes:\n", "probes:\n  #@ if/end \"a note\" in data.read(\"schema.yml\") + data.values.target:\n  note: 1\n"},
	{"config/probes.yml", "probes:\n", "probes:\n  #@ if/end \"true\" in data.read(\"list.json\") + data.values.target:\n  json: 1\n"},
	{"config/text.txt", "two", "three"},
	{"config/schema.yml", "base: b1", "base: #@ data.read(\"text.txt\")"},
	{"config/schema.yml", "base: b1", "base: #@ str(data.list())"},
	{"config/schema.yml", "base: b1", "base: #@ str(is_name(\"x\"))"},
	{"config/schema.yml", "#@ load(\"lib", "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib"},
	{"config/lib/names.star", "return name", "return name + \"1\""},
	{"config/app.yml", "\"/app\"", "data.values.base"},
	{"config/app.yml", "\"/app\"", "\"/\" + data.read(\"text.txt\")"},
	{"config/app.yml", "kind: Deployment", "kind: Deployment\n1: x"}, // which JSON does not have
	{"config/shut.yml", "name: s\n", "name: #@ \"s-dev\"\n"},
	{"config/shut.yml", "kind: Shut", "kind: Service # with a name"},
	{"config/raw.yml", "raw: 1", "raw: #@ nobody"},
	{"config/raw.yml", "raw: 1", "raw: 2"},
	// a private library, which templates use if config/part.yml is there
	{"config/_ytt_lib/part/part.json", "true}", "false}"},
	{"config/_ytt_lib/part/schema.yml", "size: 1", "size: 2"},
	{"config/_ytt_lib/part/schema.yml", "size: 1", "#! a line\nsize: 1"},
	{"config/_ytt_lib/part/part.yml", "\"Part\"", "\"Parts\""},
	// what a project says
	{"weft.yml", "inputs: [config]", "inputs: [config]\noverrides: [{file: over/ride.yml, select: Service}]"},
	{"over/ride.yml", "note: a", "note: b"},
	{"over/ride.yml", "note: a", "name: s # as another"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\nexclude: [service.yml]"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\nmarks: {raw.yml: {type: text-plain}}"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\noutput: {format: json}"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\noutput: {validate: {kubernetes: 1.31, schemas: [schemas]}}"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\noutput: {validate: {kubernetes: 1.31, schemas: [extra]}}"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\nlint: {rules: {values/unread: error}}"},
	{"weft.yml", "inputs: [config]", "inputs: [config]\nflags: {warnings: \"off\"}"},
	{"weft.yml", "prod: {", "prod: {inputs: [extra], "},
	{"weft.yml", "prod: {", "prod: {kubernetes: {namespace: shop}, "},
	{"weft.yml", "prod: {", "prod: {overrides: [over/ride.yml], "},
	{"weft.yml", "[envs/prod.yml]", "[envs/prod.yml, envs/dev.yml]"},
	{"extra/only.yml", "only: 1", "only: #@ data.values.mode"},
}

// projectFiles are files that come and go. Those that are not opened are only on disk.
var projectFiles = []struct {
	path, text string
	opened     bool
}{
	{"config/zz.yml", "kind: Service\nmetadata:\n  name: s-dev\n  more: 1\n", true},
	{"config/zy.yml", "kind: Zy\n", false},
	{"config/zx.yml", "#@data/values\n---\ntarget: Nothing\n", false},
	{"config/part.yml", `#@ load("@ytt:library", "library")
#@ load("@ytt:template", "template")
--- #@ template.replace(library.get("part").eval())
`, true},
}

// projectMoves are files that get other names.
var projectMoves = [][2]string{
	{"config/z.yml", "config/a.yml"}, // then other values win
	{"config/note.txt", "config/notes.txt"},
	{"config/service.yml", "config/a/service.yml"},
	{"config/app.yml", "config/apq.yml"}, // its place in the order stays
	{"config/shut.yml", "config/shux.yml"},
}

// projectClosed are files that are closed. Then the text on disk counts, and edits are made there.
var projectClosed = []string{"config/z.yml", "config/app.yml", "config/service.yml", "weft.yml", "envs/dev.yml"}

// neverOpened are files that are on disk only.
var neverOpened = []string{"config/shut.yml", "config/list.json", "envs/prod.yml", "over/ride.yml"}

// projectSequences are edits that matter only after others, by a part of their texts, or by the paths of files
// that come, go, are moved or are closed.
var projectSequences = [][]string{
	{"more:\n  - name: grpc", "later: 3\nmore:"},             // an item is in another file
	{"metadata: #@ data.values.patch", "patch:\n  sizes: 1"}, // a key is
	{"v.base + \"x\"", "\"y\" + "},                           // what a function of the schema reads
	{"v.base + \"x\"", "v.target + "},
	{"v.base + \"x\"", "target: Nothing"},
	{"#@schema/secret\nports", "#@schema/secret\nregistry"},                       // other secrets
	{"more:\n  - name: grpc", "#@schema/secret\nports", "#@schema/secret\nports"}, // no secret any more
	{"use another", "registry: other.com"},                                        // warnings
	{"\"s-\" + data.values.extra +", "mode: prod\nextra: x"},                      // an error in one environment
	{"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib", "data.read(\"text.txt\")", "three", "data.values.base"},
	{"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib", "str(data.list())", "data.values.base", "config/zy.yml"},
	{"is_name(\"x\")", "data.values.base", "> 1"},
	{"str(len(data.list()))", "config/zy.yml", "config/zx.yml"},
	{"\"/\" + data.read(\"text.txt\")", "three"},
	{"\"a note\" in data.read", "#! a note"},
	{"more: 1}"},
	{"later: 3\nmore:", "#! a line\n---"},
	{"data.read(\"list.json\")", "later: 2", "false"},
	{"config/part.yml", "size: 2", "#! a line\nsize", "\"Parts\"", "later: 2"},
	{"config/part.yml", "later: 2", "false}"},
	{"config/part.yml", "size: 2", "false}"},
	{"overrides: [{file", "note: b", "note: b", "# with a name", "# as another", "config/zz.yml"},
	{"name: #@ \"s-dev\"", "# with a name", "config/shut.yml"},
	{"raw: #@ nobody", "marks: {raw.yml", "raw: 2"},
	{"format: json", "\n1: x", "later: 2"},
	{"schemas: [schemas]", "later: 2", "kind: Deployment", "number of copies"},
	{"schemas: [extra]", "later: 2", "number of copies"},
	{"warnings: \"off\"", "use another", "#! why\nmore"},
	{"prod: {inputs: [extra]", "only: #@ data.values.mode", "later: 2", "name: #@ \"s-dev\""},
	{"prod: {kubernetes", "s-\" + data.values.mode", "mode: prod"},
	{"prod: {overrides", "note: b", "number of copies"},
	{"exclude: [service.yml]", "size: 2", "kind: Deployment"},
	{"registry: other.com", "config/z.yml", "config/app.yml", "image2:", "replicas: 2"},
	{"config/zy.yml", "config/z.yml"},
	{"image2:", "close config/app.yml", "\"later\""},
	{"#@ if/end data.values.mode == \"x\":\nkind", "close config/service.yml", "later: 2", "config/service.yml"},
	{"later: 3\nmore:", "close config/z.yml", "#! a line\n---"},
	{"prod2:", "close weft.yml", "# a comment"},
	{"replicas: 2", "close envs/dev.yml", "mode: prod"},
}

// editing is an editor with that project, and the command line beside it.
type editing struct {
	*client
	t      *testing.T
	dir    string
	active []int             // the changes that were made, in their order
	paths  map[string]string // where files are that have other names now
	disk   map[string]string // what is on disk
	files  map[string]string // what the editor has: the texts of open documents, and of other files on disk
	opened map[string]bool
}

// newEditing opens most files. Evaluations with origins are never kept, as if they were
// large.
func newEditing(t *testing.T) *editing {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, editable)
	e := &editing{
		t: t, dir: dir, paths: map[string]string{}, opened: map[string]bool{},
		disk: maps.Clone(editable), files: maps.Clone(editable),
	}
	e.client = dialWith(t, dir, lsp.Options{MaxWait: time.Minute, MaxKeptTrace: -1}, nil)
	e.detailed = true
	for path, text := range editable {
		if !slices.Contains(neverOpened, path) {
			e.open(path, text)
			e.opened[path] = true
		}
	}
	e.settle()
	return e
}

// changes is the number of changes that apply can make.
var changes = len(projectEdits) + len(projectFiles) + len(projectMoves) + len(projectClosed)

// apply makes a change, or takes it back if it was made before. It returns what it does.
func (e *editing) apply(i int) (what string) {
	i %= changes
	if at := slices.Index(e.active, i); at >= 0 {
		e.active = slices.Delete(e.active, at, at+1)
		defer func() { what += ", taken back" }()
	} else {
		e.active = append(e.active, i)
	}
	if i < len(projectEdits) {
		x := projectEdits[i]
		e.set(x.path, e.edited(x.path))
		return fmt.Sprintf("%s: %q → %q", x.path, x.old, x.text)
	}
	if i -= len(projectEdits); i < len(projectFiles) {
		return e.appear(i)
	}
	if i -= len(projectFiles); i < len(projectMoves) {
		return e.move(projectMoves[i])
	}
	return e.toggle(projectClosed[i-len(projectMoves)])
}

// edited is the text of a file with the edits that were made.
func (e *editing) edited(path string) string {
	text := editable[path]
	for _, i := range e.active {
		if i < len(projectEdits) && projectEdits[i].path == path {
			text = strings.ReplaceAll(text, projectEdits[i].old, projectEdits[i].text)
		}
	}
	return text
}

// set gives a file another text, in the editor or on disk.
func (e *editing) set(path, text string) {
	path = cmp.Or(e.paths[path], path)
	if was, ok := e.files[path]; ok && was == text {
		return
	}
	e.files[path] = text
	if e.opened[path] {
		e.change(path, protocol.ContentChange{Text: text})
		return
	}
	e.disk[path] = text
	write(e.t, e.dir, map[string]string{path: text})
	e.changedOnDisk(path)
}

// remove removes a file from disk.
func (e *editing) remove(path string) {
	if err := os.Remove(filepath.Join(e.dir, filepath.FromSlash(path))); err != nil {
		e.t.Fatal(err)
	}
	if e.opened[path] {
		e.conn.Notify("textDocument/didClose", e.document(path))
	}
	delete(e.disk, path)
	delete(e.files, path)
	delete(e.opened, path)
}

func (e *editing) changedOnDisk(paths ...string) {
	var p protocol.WatchedFilesParams
	for _, path := range paths {
		p.Changes = append(p.Changes, protocol.FileEvent{URI: e.uri(path)})
	}
	e.conn.Notify("workspace/didChangeWatchedFiles", p)
}

// appear makes a file that was not there, or removes it.
func (e *editing) appear(i int) string {
	x := projectFiles[i]
	if _, ok := e.files[x.path]; ok {
		e.remove(x.path)
		e.changedOnDisk(x.path)
		return x.path
	}
	e.set(x.path, x.text)
	if e.opened[x.path] = x.opened; x.opened {
		e.open(x.path, x.text)
	}
	return x.path
}

// move gives a file its other name, on disk and in the editor.
func (e *editing) move(names [2]string) string {
	from := cmp.Or(e.paths[names[0]], names[0])
	to := names[1]
	if from == to {
		to = names[0]
	}
	text, opened := e.files[from], e.opened[from]
	e.remove(from)
	e.paths[names[0]], e.disk[to], e.files[to] = to, text, text
	write(e.t, e.dir, map[string]string{to: text})
	e.changedOnDisk(from, to)
	if e.opened[to] = opened; opened {
		e.open(to, text)
	}
	return from + " → " + to
}

// toggle closes a document without saving it, or opens it with all its edits.
func (e *editing) toggle(name string) string {
	path := cmp.Or(e.paths[name], name)
	if e.opened[path] = !e.opened[path]; e.opened[path] {
		e.files[path] = e.edited(name)
		e.open(path, e.files[path])
		return "open " + path
	}
	e.files[path] = e.disk[path]
	e.conn.Notify("textDocument/didClose", e.document(path))
	return "close " + path
}

// find returns the first change with a text or a path.
func (e *editing) find(text string) int {
	e.t.Helper()
	closed, isClosed := strings.CutPrefix(text, "close ")
	n := len(projectEdits)
	for i, x := range projectEdits {
		if strings.Contains(x.text, text) {
			return i
		}
	}
	for i, x := range projectFiles {
		if x.path == text {
			return n + i
		}
	}
	n += len(projectFiles)
	for i, x := range projectMoves {
		if x[0] == text {
			return n + i
		}
	}
	n += len(projectMoves)
	if i := slices.Index(projectClosed, closed); isClosed && i >= 0 {
		return n + i
	}
	e.t.Fatalf("no change has %q", text)
	return 0
}

// check compares the diagnostics with those of the command line, and previews with what it prints.
func (e *editing) check(when string) {
	e.t.Helper()
	e.settle()
	dir := e.t.TempDir()
	write(e.t, dir, e.files)
	printed := map[string]string{}
	law := lawCase{files: e.files, detailed: true, rendered: func(env string, res *weft.Result) {
		var b strings.Builder
		_, _ = res.WriteTo(&b) // which cannot fail
		printed[env] = b.String()
	}}
	e.compare(when, weftDiagnostics(e.t, dir, law), e.files)
	for env, want := range printed {
		if strings.Contains(e.files["weft.yml"], "format: json") {
			break // previews are YAML
		}
		var got protocol.Preview
		e.call("weft/preview", protocol.PreviewParams{
			DocumentParams: e.document("config/over.yml"), Environment: env, Scope: protocol.ScopeProject,
		}, &got)
		if diff := gocmp.Diff(want, got.Text); diff != "" || got.Stale {
			e.t.Errorf("%s, the preview of %s, stale %t (-command line +server):\n%s", when, env, got.Stale, diff)
		}
	}
	if e.t.Failed() {
		e.t.Fatalf("files: %v", e.files)
	}
}

// After each change of a schema, of data values, modules, templates, overlays, files of data, libraries and the
// project, one after another, the editor shows what the command line does. So it does with files that come,
// go, get other names and are closed.
func TestEditsEndLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	e := newEditing(t)
	e.check("at first")
	step, rounds := 1, cases.Number(40, 600)
	if testing.Short() { // with the race detector, all take four minutes
		step, rounds = 5, 10
	}
	for i := 0; i < changes; i += step {
		e.check(e.apply(i))
		e.takeBack(i)
	}
	for i := 0; i < len(projectSequences); i += step {
		texts := projectSequences[i]
		var sequence []int
		for _, text := range texts {
			sequence = append(sequence, e.find(text))
		}
		for _, i := range sequence {
			e.check(e.apply(i))
		}
		for _, i := range sequence {
			e.takeBack(i)
		}
		e.check(fmt.Sprint(texts, ", taken back"))
	}
	random := rand.New(rand.NewPCG(3, 4))
	var applied []string
	for i := range rounds {
		for range 1 + random.IntN(2) { // with few edits at a time, most states have no errors
			next := random.IntN(changes)
			if len(e.active) > 3 && random.IntN(4) > 0 {
				next = e.active[random.IntN(len(e.active))]
			}
			if i%10 == 9 {
				e.environment([]string{"dev", "prod"}[random.IntN(2)])
			}
			applied = append(applied, e.apply(next))
			if len(applied) > 8 {
				applied = applied[1:]
			}
			time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond) // so that work is cancelled in its middle
		}
		e.check(strings.Join(applied, "\n"))
	}
	e.healthy()
}

// takeBack takes a change back. Only long tests look at the result.
func (e *editing) takeBack(i int) {
	if what := e.apply(i); cases.Long() {
		e.check(what)
	}
	e.settle()
}

// environment makes an environment the active one, if there is one of that name.
func (e *editing) environment(name string) {
	p := protocol.SetEnvironmentParams{DocumentParams: e.document("config/over.yml"), Environment: name}
	_ = e.try("weft/setEnvironment", p, nil)
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
			applied = append(applied, e.apply(int(b&127)+changes/2*(i%2)))
			if b < 128 || i == len(data)-1 { // otherwise the next edit follows at once
				e.check(strings.Join(applied, "\n"))
			}
		}
		e.healthy()
	})
}
