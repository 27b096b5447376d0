package integrationtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

// patched are parts of what both versions of Helm print for the example: comments of the chart and of
// the overlay, the layout of what nothing changes, and code in a comment that was not run.
var patched = []string{
	"# The shop. Ask the platform team before you change it.\n",
	"  name: web\n  labels: {app: shop, team: storefront}\n",
	"  replicas: 3 # per zone\n",
	"        image: \"registry.example.com/shop:1.10\"\n        #@ This is no code",
	"      # Ends TLS.\n      - name: proxy\n        image: registry.example.com/proxy:2.1\n",
}

// TestHelm3 renders the example chart with the post-renderer of Helm 3.
func TestHelm3(t *testing.T) {
	helm := integrationtest.Tool(t, integrationtest.Helm3)
	s := integrationtest.NewSandbox(t, "helm", "example")
	text, err := os.ReadFile(rendered)
	if err != nil {
		t.Fatal(err)
	}
	want(t, rendered, s.Run(helm, "template", "web", "chart", "--set=replicas=3"), string(text))
	args := []string{
		"template", "web", "chart", "--set=replicas=3",
		"--post-renderer=" + absolute(t, "helm", "weft-post-renderer"),
		"--post-renderer-args=-f=overlays",
	}
	out := s.Run(helm, append(args, "--post-renderer-args=-v=proxy=2.1")...)
	wantText(t, "Helm 3", out, patched...)
	wantText(t, "the other resource", out, "kind: Service\nmetadata:\n  name: web\n  labels:\n    team: storefront\n")

	direct := s.Run(helm, "template", "web", "chart", "--set=replicas=3", "--post-renderer=weft",
		"--post-renderer-args=-f=-", "--post-renderer-args=--file-mark=stdin.yml:type=yaml-plain",
		"--post-renderer-args=--keep=all", "--post-renderer-args=-f=overlays",
		"--post-renderer-args=-v=proxy=2.1")
	want(t, "weft itself as the post-renderer", direct, out)

	failed := s.Try(helm, append(args, "--post-renderer-args=-v=prox=2.1")...)
	want(t, "the exit code of a data value that is not declared", failed.Code, 1)
	want(t, "its output", failed.Stdout, "")
	wantText(t, "its message", failed.Stderr, "--data-value prox=2.1: error:", `hint: did you mean "proxy"?`)
}

// TestHelm4 installs the plugin for Helm 4, and renders the example chart with it.
func TestHelm4(t *testing.T) {
	helm := integrationtest.Tool(t, integrationtest.Helm4)
	s := integrationtest.NewSandbox(t, "helm", "example")
	s.Set("HELM_DATA_HOME", filepath.Join(s.Home, "data"), "HELM_CACHE_HOME", filepath.Join(s.Home, "cache"))
	s.Run(helm, "plugin", "install", absolute(t, "helm", "plugin"))
	args := []string{
		"template", "web", "chart", "--set=replicas=3", "--post-renderer=weft", "--post-renderer-args=-f=overlays",
	}
	wantText(t, "Helm 4", s.Run(helm, append(args, "--post-renderer-args=-v=proxy=2.1")...), patched...)

	failed := s.Try(helm, append(args, "--post-renderer-args=-v=prox=2.1")...)
	want(t, "the exit code of a data value that is not declared", failed.Code, 1)
	want(t, "its output", strings.TrimSpace(failed.Stdout), "")
}
