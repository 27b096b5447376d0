package lsp_test

import (
	"slices"
	"strings"
	"testing"
)

// In an override, conditions go on with conditions only, and the mask of a secret is no text to write again.
func TestOverrideConditions(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"weft.yml": "weft: 2026\ninputs: [config]\noverrides: [free.yml]\n",
		"config/app.yml": "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\n" +
			"stringData: {password: hunter2hunter2}\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	c := dial(t, dir, nil)
	c.open("config/app.yml", files["config/app.yml"])
	c.settle()
	for _, x := range []struct{ text, want, without string }{
		{"$select: kind=Secret, ‸", "kind=Secret, metadata.name=", "kind=Secret, kind="},
		{"$select: Secret/db, ‸", "", "Secret/db,"},
		{"$select: Secret/{db,‸", "", "Secret/{db,"},
		{"$select: {stringData.password: ‸}", "", "‹secret›"},
		{"$select: stringData.password=‸", "", "‹secret›"},
		{"$select: Secret/db\nmetadata:\n  name: ‸", "db", "‹secret›"},
		{"$select: Secret/db\nstringData:\n  password: ‸", "", "‹secret›"},
	} {
		got := c.offered("free.yml", x.text)
		if x.want != "" && !slices.Contains(got, x.want) ||
			slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, x.without) }) {
			t.Errorf("%q: got %q, want %q and nothing with %q", x.text, got, x.want, x.without)
		}
	}
}
