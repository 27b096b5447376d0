package project

import "testing"

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		dir, name, want string
		ok              bool
	}{
		{".", "a", "a", true},
		{".", "./a/../b", "b", true},
		{".", ".", "", false},
		{".", "..", "", false},
		{".", "../a", "", false},
		{".", "..a", "..a", true},
		{".", "/a", "", false},
		{"c", "c/a", "a", true},
		{"c", "c", "", false},
		{"c", "cd/a", "", false},
		{"/c", "/c/a", "a", true},
	} {
		if got, ok := below(tt.dir, tt.name); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s in %s is %q, %t; want %q, %t", tt.name, tt.dir, got, ok, tt.want, tt.ok)
		}
	}
}
