package diag

import "testing"

// Names that would break a list of files into other lines, or steer a terminal, are quoted in it.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"out/ä b.yml": "out/ä b.yml", "out/a\ncreating: b": `"out/a\ncreating: b"`, "out/\x1b[31m": `"out/\x1b[31m"`,
		"a\u2028b": `"a\u2028b"`, "out/\u009b31m": `"out/\u009b31m"`, "out/\x9b31m": `"out/\x9b31m"`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
