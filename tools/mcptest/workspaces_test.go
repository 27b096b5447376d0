package mcptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	dataModule    = "#@ load(\"@ytt:data\", \"data\")\n"
	overlayModule = "#@ load(\"@ytt:overlay\", \"overlay\")\n"
)

// workspaces are directories in which agents work, by the names that tasks have for them.
var workspaces = map[string]map[string]string{
	// three environments that share templates, one of which does not render
	"store": {
		"weft.yml": `weft: 2026
inputs: [config]
default: dev
valueFiles: [values/common.yml]
environments:
  dev: {}
  staging: {valueFiles: [values/staging.yml]}
  prod:
    valueFiles: [values/prod.yml]
    overlays: [overlays/labels.yml]
  broken: {values: {web: {replicas: lots}}}
`,
		"config/schema.yml": `#@data/values-schema
---
web:
  #@schema/validation max=20
  replicas: 1
worker: {memory: 256Mi}
domain: example.com
#@schema/secret
password: quicksilver-lake
`,
		"config/web.yml": dataModule + `---
kind: Deployment
metadata: {name: web}
spec:
  replicas: #@ data.values.web.replicas
  env:
  - name: DB
    value: #@ "app:" + data.values.password.upper()
`,
		"config/worker.yml": dataModule + `---
kind: Deployment
metadata: {name: worker}
spec:
  memory: #@ data.values.worker.memory
---
kind: Ingress
metadata: {name: web}
spec:
  host: #@ "shop." + data.values.domain
`,
		"overlays/labels.yml": overlayModule + `#@overlay/match by=overlay.subset({"kind": "Deployment"}), expects="1+"
---
metadata:
  #@overlay/match missing_ok=True
  labels: {tier: gold}
`,
		"values/common.yml":  "domain: shop.test\n",
		"values/staging.yml": "web:\n  replicas: 5\n",
		"values/prod.yml":    "web:\n  replicas: 3\n",
	},
	// two projects, and none above them
	"projects": {
		"services/pay/weft.yml":     "weft: 2026\ninputs: [app.yml]\nenvironments: {eu: {}, us: {}}\n",
		"services/pay/app.yml":      "kind: Pay\n",
		"services/ship/weft.yml":    "weft: 2026\ninputs: [app.yml]\n",
		"services/ship/app.yml":     "kind: Ship\n",
		"services/.cache/weft.yml":  "weft: 2026\n",
		"services/notes/readme.txt": "hello\n",
	},
	// files without a project, with names that are not ASCII, and Windows lines
	"files": {
		"plain/schema.yml": "#@data/values-schema\r\n---\r\nname: café\r\n",
		"plain/über cfg.yml": strings.ReplaceAll(dataModule+"---\nkind: ConfigMap\nmetadata:\n"+
			"  name: #@ data.values.name\ndata:\n  日本: 値\n", "\n", "\r\n"),
	},
	// many documents, and Windows lines in weft.yml
	"large": {
		"weft.yml": "weft: 2026\r\ninputs: [schema.yml, app.yml]\r\nenvironments:\r\n  one: {}\r\n  two:\r\n" +
			"    values: {note: second}\r\n",
		"schema.yml": "#@data/values-schema\n---\nnote: first\n",
		"app.yml": dataModule + "---\nkind: Note\ntext: #@ data.values.note\n" +
			"#@ for i in range(700):\n---\nkind: Part\nmetadata:\n  name: #@ \"part-%d\" % i\n#@ end\n",
	},
}

// workspace writes a workspace to a new directory, as a git repository.
func workspace(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if name == "" {
		if err := os.CopyFS(dir, os.DirFS("../../examples")); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range workspaces[name] {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, dir)
	return dir
}
