package lsp_test

import (
	"strings"
	"testing"

	"weft/internal/serve/lsp/protocol"
)

// TestOrganizeLoads sorts load statements, joins those of a module, and drops names that nothing uses.
func TestOrganizeLoads(t *testing.T) {
	t.Parallel()
	const rest = "---\na: #@ f(data.values.x) + g() + overlay.all() + h\n"
	for name, test := range map[string]struct{ loads, want string }{
		"in disorder": {
			"#@ load(\"lib.star\", \"g\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:data\", \"data\")\n" +
				"#@ load(\"lib.star\", \"f\", \"unused\", h=\"f\")\n#@ load(\"@ytt:json\", \"json\")\n",
			"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n" +
				"#@ load(\"lib.star\", \"f\", \"g\", h=\"f\")\n",
		},
		"in order": {
			"#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n" +
				"#@ load(\"lib.star\", \"f\", \"g\", h=\"f\")\n", "",
		},
		"below a comment": {
			"#! about\n#@ load(\"@ytt:overlay\", \"overlay\")\r\n#@ load(\"@ytt:data\", \"data\")\n" +
				"#@ load(\"lib.star\", \"f\", \"g\", h=\"f\")\n",
			"#! about\n#@ load(\"@ytt:data\", \"data\")\r\n#@ load(\"@ytt:overlay\", \"overlay\")\r\n" +
				"#@ load(\"lib.star\", \"f\", \"g\", h=\"f\")\r\n",
		},
		"over several lines": {"#@ load(\"@ytt:overlay\",\n#@   \"overlay\")\n#@ load(\"@ytt:data\", \"data\")\n", ""},
		"wrong":              {"#@ load(\"@ytt:data\", \"data\")\n#@ x = (\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, map[string]string{"lib.star": "def f():\n  return 1\nend\ndef g():\n  return 1\nend\n"})
			c := dial(t, dir, nil)
			text := test.loads + rest
			c.open("app.yml", text)
			c.settle()
			p := protocol.CodeActionParams{RangeParams: protocol.RangeParams{DocumentParams: c.document("app.yml")}}
			p.Context.Only = []string{"source.organizeImports"}
			var list []protocol.CodeAction
			c.call("textDocument/codeAction", p, &list)
			switch {
			case test.want == "" && len(list) > 0:
				t.Errorf("got %+v", list[0].Edit)
			case test.want != "" && len(list) != 1:
				t.Errorf("there is no action")
			case test.want != "":
				got, _ := strings.CutSuffix(applyEdits(text, list[0].Edit.Changes[c.uri("app.yml")]), rest)
				if got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}
