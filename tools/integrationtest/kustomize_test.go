package integrationtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

// TestKustomizeBuild builds the example, in which weft is a transformer.
func TestKustomizeBuild(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	s := integrationtest.NewSandbox(t, "kustomize", "example")
	args := []string{"build", "--enable-alpha-plugins", "--enable-exec", "."}
	out := s.Run(kustomize, args...)
	wantText(t, "the service", out, "kind: Service\n", "team: storefront\n")
	wantText(t, "the deployment", out, "kind: Deployment\n", "team: storefront\n", "replicas: 8\n",
		"image: registry.example.com/shop:1.10\n", "image: registry.example.com/proxy:2.0\n")

	s.Write("weft.yaml", strings.ReplaceAll(s.Read("weft.yaml"), "replicas: 8", "replicas: 0"))
	failed := s.Try(kustomize, args...)
	want(t, "the exit code of a data value that is not valid", failed.Code, 1)
	want(t, "its output", failed.Stdout, "")
	wantText(t, "its message", failed.Stderr, "functionConfig values:1:11: error: must be: a value >= 1",
		"overlays/schema.yml:3:1: note: the rule is here")
}

// TestKustomizeGenerate has weft make resources, of a template.
func TestKustomizeGenerate(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	s := integrationtest.NewSandbox(t)
	s.Write("kustomization.yaml", "generators: [weft.yaml]\nnamePrefix: my-\n")
	s.Write("weft.yaml", `apiVersion: weft/v1
kind: Weft
metadata:
  name: zones
  annotations:
    config.kubernetes.io/function: |
      exec: {path: weft, args: [krm]}
spec:
  inline:
    zones.yml: |
      #@ for zone in ["a", "b"]:
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: #@ "zone-" + zone
      #@ end
    all.yml: |
      #@ load("@ytt:overlay", "overlay")
      #@overlay/match by=overlay.all, expects=2
      ---
      #@overlay/match missing_ok=True
      data: {made: "yes"}
`)
	out := s.Run(kustomize, "build", "--enable-alpha-plugins", "--enable-exec", ".")
	want(t, "the resources", out, `apiVersion: v1
data:
  made: "yes"
kind: ConfigMap
metadata:
  name: my-zone-a
---
apiVersion: v1
data:
  made: "yes"
kind: ConfigMap
metadata:
  name: my-zone-b
`)
}

// TestKustomizeRun has weft change files in place, whose comments stay. An error is in the results,
// and leaves the files as they were.
func TestKustomizeRun(t *testing.T) {
	kustomize := integrationtest.Tool(t, integrationtest.Kustomize)
	s := integrationtest.NewSandbox(t, "kustomize", "example")
	s.Write("app/shop.yaml", s.Read("shop.yaml"))
	s.Write("app/weft.yaml", s.Read("weft.yaml"))
	s.Run(kustomize, "fn", "run", "--enable-exec", "app")
	want(t, "the configuration", s.Read("app/weft.yaml"), s.Read("weft.yaml"))
	shop := s.Read("app/shop.yaml")
	wantText(t, "the file", shop, "# The shop. Ask the platform team before you change it.\napiVersion: apps/v1\n",
		"  # Two is enough outside of the holidays.\n  replicas: 8\n",
		"image: registry.example.com/shop:1.10 # without a digest\n",
		"      # Ends TLS.\n      - name: proxy\n", "---\napiVersion: v1\nkind: Service\n")
	want(t, "how often the first comment is there", strings.Count(shop, "# The shop."), 1)
	if strings.Contains(shop, "config.kubernetes.io") {
		t.Errorf("annotations of kustomize are left:\n%s", shop)
	}

	s.Write("app/weft.yaml", strings.ReplaceAll(s.Read("weft.yaml"), "replicas: 8", "replica: 8"))
	results := filepath.Join(s.Home, "results")
	failed := s.Try(kustomize, "fn", "run", "--enable-exec", "--results-dir="+results, "app")
	want(t, "the exit code of an error", failed.Code, 1)
	want(t, "the file after an error", s.Read("app/shop.yaml"), shop)
	wantText(t, "the message", failed.Stderr, "is not declared in schema", `hint: did you mean "replicas"?`)
}
