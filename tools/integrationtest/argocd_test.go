package integrationtest_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"weft/tools/integrationtest"
)

// command is a command of the manifest, as Argo CD decodes it.
type command struct {
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
}

// plugin is the manifest, as Argo CD decodes it. Argo CD itself is far too large to be a tool here.
type plugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version  string  `json:"version,omitempty"`
		Init     command `json:"init"`
		Generate command `json:"generate"`
		Discover struct {
			Find struct {
				command
				Glob string `json:"glob,omitempty"`
			} `json:"find"`
			FileName string `json:"fileName,omitempty"`
		} `json:"discover"`
		Parameters struct {
			Static  []announcement `json:"static,omitempty"`
			Dynamic command        `json:"dynamic"`
		} `json:"parameters"`
		PreserveFileMode bool `json:"preserveFileMode,omitempty"`
	} `json:"spec"`
}

// announcement is a parameter, as Argo CD decodes it.
type announcement struct {
	Name           string            `json:"name"`
	Title          string            `json:"title"`
	Tooltip        string            `json:"tooltip"`
	Required       bool              `json:"required"`
	ItemType       string            `json:"itemType"`
	CollectionType string            `json:"collectionType"`
	String         string            `json:"string"`
	Array          []string          `json:"array"`
	Map            map[string]string `json:"map"`
}

// TestArgoCD runs the commands of the plugin as Argo CD does.
func TestArgoCD(t *testing.T) {
	s := repository(t)
	var p plugin
	if err := yaml.UnmarshalStrict([]byte(read(t, "argocd", "plugin.yaml")), &p); err != nil {
		t.Fatal(err)
	}
	want(t, "the kind", p.Kind, "ConfigManagementPlugin") // Argo CD asks for kind, name and generate
	want(t, "the name", p.Metadata.Name, "weft")
	want(t, "what is run before", len(p.Spec.Init.Command), 0)
	found, err := filepath.Glob(filepath.Join(s.Dir, p.Spec.Discover.FileName))
	if err != nil || len(found) != 1 {
		t.Errorf("the plugin discovers %q (%v), want the weft.yml", found, err)
	}

	s.Set("ARGOCD_ENV_WEFT_ENV", "prod")
	var list []announcement
	announce, generate := p.Spec.Parameters.Dynamic.Command, p.Spec.Generate.Command
	want(t, "the programs", announce[0]+" "+generate[0], "weft weft")
	out := s.Run(integrationtest.Weft(t), announce[1:]...)
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(list) != 1 || list[0].Name != "replicas" || list[0].String != "3" || list[0].ItemType != "number" {
		t.Errorf("the parameters are %+v, want replicas with 3", list)
	}

	s.Set("ARGOCD_APP_PARAMETERS", `[{"name": "replicas", "string": "7"}]`)
	wantText(t, "what is generated", s.Run(integrationtest.Weft(t), generate[1:]...),
		"kind: A\n", "replicas: 7\n")
}

// TestPatchOfArgoCD applies the patch that adds the sidecar, with kustomize, to a deployment that has
// the volumes of Argo CD's.
func TestPatchOfArgoCD(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	s := integrationtest.NewSandbox(t, "argocd")
	s.Write("kustomization.yaml", "resources: [deployment.yaml]\npatches:\n- path: sidecar.yaml\n")
	s.Write("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: argocd-repo-server\n"+
		"spec:\n  template:\n    spec:\n      containers:\n      - name: argocd-repo-server\n"+
		"      volumes:\n      - {name: var-files, emptyDir: {}}\n      - {name: plugins, emptyDir: {}}\n")
	wantText(t, "the deployment", s.Run(kustomize, "build", "."), "/var/run/argocd/argocd-cmp-server",
		"name: weft\n", "name: argocd-repo-server\n", "name: weft-tmp\n", "name: var-files\n")
}
