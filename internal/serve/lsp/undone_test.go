package lsp_test

import (
	"slices"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// An overlay that is half written removes what the user wants to change. Its keys are completed even so,
// whether the file is opened in this state or typed with pauses.
func TestKeysUnderUnfinishedOverlays(t *testing.T) {
	t.Parallel()
	const overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n" +
		"#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\nspec:\n"
	files := map[string]string{
		"config/a.yml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n" +
			"spec:\n  replicas: 1\n  selector: {}\n  template: {}\n",
		"config/o.yml": overlay,
	}
	offered := func(t *testing.T, c *client) {
		t.Helper()
		want := []string{"replicas", "selector", "template"}
		got := c.offered("config/o.yml", overlay+"  ")
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	t.Run("opened", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, files)
		c := dial(t, dir, nil)
		c.open("config/o.yml", overlay)
		c.settle()
		offered(t, c)
	})
	t.Run("override", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		const override = "kind: Deployment\nmetadata: {name: web}\nspec:\n"
		write(t, dir, map[string]string{
			"config/a.yml": files["config/a.yml"], "ride.yml": override,
			"weft.yml": "weft: 2026\ninputs: [config]\noverrides: [ride.yml]\n",
		})
		c := dial(t, dir, nil)
		c.open("ride.yml", override)
		c.settle()
		if got := c.offered("ride.yml", override+"  "); !slices.Contains(got, "replicas") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("typed", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, files)
		write(t, dir, map[string]string{"config/o.yml": ""})
		c := dial(t, dir, nil)
		c.open("config/o.yml", "")
		c.settle()
		for i := range overlay {
			c.change("config/o.yml", protocol.ContentChange{Text: overlay[:i+1]})
			c.settle()
		}
		offered(t, c)
	})
}
