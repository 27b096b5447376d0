package project

import "testing"

// A value of a list on the command line is added to those of weft.yml; any other value replaces it.
func TestIsList(t *testing.T) {
	for flag, want := range map[string]bool{
		"data-value-file": true, "allow-symlink-destination": true, "keep": true,
		"strict": false, "yaml": false, "max-depth": false, "no-such-flag": false,
	} {
		if got := IsList(flag); got != want {
			t.Errorf("%s is a list: %t", flag, got)
		}
	}
}
