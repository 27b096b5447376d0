package integrationtest_test

import (
	"os"
	"testing"

	"weft/tools/integrationtest"
)

// What Helm, kbld and kapp are given can be tested without them: building them takes minutes.

// rendered is what Helm renders the example chart to. TestHelm3 holds it to what Helm prints.
const rendered = "testdata/helm/rendered.yml"

// TestPostRenderer gives the post-renderer what Helm would.
func TestPostRenderer(t *testing.T) {
	s := integrationtest.NewSandbox(t, "helm", "example")
	text, err := os.ReadFile(rendered)
	if err != nil {
		t.Fatal(err)
	}
	s.Write("rendered.yml", string(text))
	s.Set("POST_RENDERER", absolute(t, "helm", "weft-post-renderer"))
	got := pipe(t, s, `"$POST_RENDERER" -f=overlays -v=proxy=2.1 <rendered.yml`)
	want(t, "the exit code", got.Code, 0)
	wantText(t, "the post-renderer", got.Stdout, patched...)

	failed := pipe(t, s, `"$POST_RENDERER" -f=overlays -v=prox=2.1 <rendered.yml`)
	want(t, "the exit code of a data value that is not declared", failed.Code, 1)
	want(t, "its output", failed.Stdout, "")
}

// TestInputOfKbld renders what kbld and kapp are given: the configuration of kbld is among the documents.
func TestInputOfKbld(t *testing.T) {
	s := integrationtest.NewSandbox(t, "kapp", "example")
	out := s.Run(integrationtest.Weft(t), "-f", "config", "-v", "version=1.4")
	wantText(t, "the deployment", out, "kind: Deployment\n", "name: web\n", "image: shop:1.4\n")
	wantText(t, "the configuration", out, "kind: Config\n", "image: shop:1.4\n", "@sha256:4e38")
}
