package override

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/testing/yamltest"
)

// TestLargeInputs overrides inputs on which a cost that is not linear would take minutes.
func TestLargeInputs(t *testing.T) {
	const n = 4_000
	list := func(format, sep string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(format, i, i))
		}
		return strings.Join(parts, sep)
	}
	for _, c := range []struct{ name, base, over, want string }{
		{"one line of JSON", `{"l": [` + list(`{"name": "n%d", "v": %d}`, ", ") + "]}\n", "l: [" + list("{name: n%d, v: x%d}", ", ") + "]", "x3999"},
		{"a long list", "l:\n" + list("- name: n%d\n  v: %d\n", ""), "l: [" + list("{name: n%d, v: ~, w: %d}", ", ") + "]", "w: 3999"},
		{"a list that is new", "l: []\n", "l: [" + list("{name: n%d, w: %d}", ", ") + "]", "w: 3999"},
		{"many keys", list("k%d: %d\n", ""), "{" + list("k%d: {a: b%d}", ", ") + "}", "a: b3999"},
		{"keys that are new", "a: 1\n", "{" + list("k%d: %d", ", ") + "}", "k3999: 3999"},
		{"keys that are new in many documents", manyDocuments(1_500, 95), newKeys(95), "j94: 94"},
		{"numbers as texts", list("%d: %d\n", ""), "{" + list(`"%d": x%d`, ", ") + "}", "3999: x3999"},
		{"texts as numbers", list("\"%d\": %d\n", ""), "{" + list(`%d: x%d`, ", ") + "}", "\"3999\": x3999"},
		{"numbers that are new", list("k%d: %d\n", ""), "{" + list(`"%d": x%d`, ", ") + "}", "x3999"},
		{"paths as keys", list("k%d: {a: %d}\n", ""), "{" + list("j%d.a: %d", ", ") + "}", "j3999.a: 3999"},
		{"entries to remove that are not there", "l: [{name: a}]\n", "l: [" + list("{name: n%d, $remove: true} # %d\n", ", ") + "]", "{name: a}"},
		{"keys to remove that are not there", list("k%d: %d\n", ""), "{" + list("j%d: {$remove: true} # %d\n", ", ") + "}", "k3999: 3999"},
		{"words with a dollar", "a: 1\n", "{" + list("$k%d: %d", ", ") + "}", "$k3999: 3999"},
		{"many keys removed", "last: 1\n" + list("k%d:\n  x: %d\n", ""), "{" + list("k%d: ~ # %d\n", ", ") + "}", "last: 1"},
		{"mappings without a list", "m:\n" + list("  k%d:\n    x: %d\n", ""), "{new: {a: b}}", "new:\n  a: b"},
		{"aliases", "a:\n" + list("  k%d: &a%d {x: 1}\n", "") + "b:\n" + list("  k%d: *a%d\n", ""), "{a: {" + list("k%d: {x: 2} # %d\n", ", ") + "}}", "k3999: *a3999"},
		{"merges", "a: &a {x: 1}\nb:\n" + list("  k%d: {<<: *a, y: %d}\n", ""), "{a: {x: 2, new: 1}}", "a: &a {x: 2, new: 1}\nb:\n  k0: {<<: *a, y: 0}"},
		{"depth", "a: {b: " + strings.Repeat("{c: ", 490) + "1" + strings.Repeat("}", 490) + "}\n", "{a: {b: " + strings.Repeat("{c: ", 490) + "2" + strings.Repeat("}", 490) + "}}", "{c: 2}"},
		{"plain items", "l: [" + list("%d.%d", ", ") + "]\n", "l: [" + list("%d.%d", ", ") + ", end]", ", end]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := yamltest.Read(t, c.base)
			text, _, err := applied(s, Options{}, c.over)
			if err != nil {
				t.Fatal(message(s, err))
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%q is not in the result", c.want)
			}
		})
	}
}

// manyDocuments returns n documents with the same keys.
func manyDocuments(n, keys int) string {
	var doc strings.Builder
	for i := range keys {
		fmt.Fprintf(&doc, "some_key_%d: %[1]d\n", i)
	}
	return strings.Repeat("---\n"+doc.String(), n)
}

// newKeys returns an override with n keys.
func newKeys(n int) string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf("j%d: %[1]d", i))
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
