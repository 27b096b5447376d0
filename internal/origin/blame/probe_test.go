package blame

import "testing"

// Another value of a text is one that code and schemas are likely to accept, too.
func TestNeighbour(t *testing.T) {
	for text, want := range map[string]string{
		"v1.2": "v1.3", "v1.9": "v1.8", "v0": "v1", "web-": "wec-", "buzz": "buzy", "": "x",
		"A": "B", "Z": "Y", "a/b:@[`{": "a/c:@[`{", "--": "--x", "é!": "é!x",
	} {
		if got := neighbour(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
