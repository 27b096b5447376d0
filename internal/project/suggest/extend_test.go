package suggest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/yaml"
)

// TestExtended: a new overlay becomes entries of one that is there, with its indentation and line breaks, and none if
// both say something about the same entry.
func TestExtended(t *testing.T) {
	const lines = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n"
	for _, x := range []struct{ name, old, added, want string }{
		{
			name: "a key", old: "spec:\n    a: 1 # one\n\n# the end\n",
			added: "spec:\n  #@overlay/match missing_ok=True\n  b:\n    c: 2\n",
			want:  "spec:\n    a: 1 # one\n    #@overlay/match missing_ok=True\n    b:\n      c: 2\n\n# the end\n",
		},
		{
			name: "no line break at the end", old: "a: 1", added: "b: |\n  x\n\n  y\n",
			want: "a: 1\nb: |\n  x\n\n  y\n",
		},
		{
			name: "CRLF", old: "a:\r\n  b: 1\r\n", added: "a:\n  c: 2\nd: 3\n",
			want: "a:\r\n  b: 1\r\n  c: 2\r\nd: 3\r\n",
		},
		{
			name: "beside an item that is appended", old: "args:\n#@overlay/append\n- --a\n",
			added: "args:\n  #@overlay/append\n  - --b\n", want: "args:\n#@overlay/append\n- --a\n#@overlay/append\n- --b\n",
		},
		{
			name: "in an item with the same match",
			old: "list:\n#@overlay/match by=\"name\", missing_ok=True\n- name: web\n  a: 1\n" +
				"#@overlay/match by=\"name\"\n- name: db\n  a: 1\n",
			added: "list:\n#@overlay/match by=\"name\"\n- name: web\n  b: 2\n",
			want: "list:\n#@overlay/match by=\"name\", missing_ok=True\n- name: web\n  a: 1\n  b: 2\n" +
				"#@overlay/match by=\"name\"\n- name: db\n  a: 1\n",
		},
		{
			name: "another item", old: "list:\n  #@overlay/match by=\"name\"\n  - name: web\n    a: 1\n",
			added: "list:\n#@overlay/match by=\"name\"\n- name: db\n  a: 2\n",
			want: "list:\n  #@overlay/match by=\"name\"\n  - name: web\n    a: 1\n" +
				"  #@overlay/match by=\"name\"\n  - name: db\n    a: 2\n",
		},
		{name: "another value", old: "a: 1\n", added: "a: 2\n"},
		{name: "removed", old: "#@overlay/remove\na:\n  b: 1\n", added: "a:\n  c: 2\n"},
		{name: "replaced", old: "#@overlay/replace\na:\n  b: 1\n", added: "a:\n  c: 2\n"},
		{name: "code", old: "a:\n  #@ if x:\n  b: 1\n  #@ end\n", added: "a:\n  c: 2\n"},
		{name: "flow style", old: "a: {b: 1}\n", added: "a:\n  c: 2\n"},
		{name: "a scalar", old: "a\n", added: "a:\n  c: 2\n"},
	} {
		t.Run(x.name, func(t *testing.T) {
			head := lines
			if strings.Contains(x.old, "\r\n") {
				head = strings.ReplaceAll(lines, "\n", "\r\n")
			}
			overlay := strings.TrimPrefix(lines, loadLine+"\n") + x.added
			now, ok := extended([]byte(head+x.old), 0, overlay, yaml.Options{})
			if ok != (x.want != "") {
				t.Fatalf("found %v:\n%s", ok, now)
			}
			if diff := cmp.Diff(head+x.want, string(now)); ok && diff != "" {
				t.Error(diff)
			}
		})
	}
}
