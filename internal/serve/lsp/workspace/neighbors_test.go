package workspace

import "testing"

// A project may render files of folders above and below it, and of folders of which it is not known
// where they belong; files of a project beside it are of no use to it.
func TestMayInclude(t *testing.T) {
	for _, tt := range []struct {
		own, other string
		want       bool
	}{
		{folderKey + "a", folderKey + "a", true},
		{folderKey + "a", folderKey + "a/b", true},
		{folderKey + "a/b", folderKey + "a", true},
		{folderKey + "a", folderKey + "b", false},
		{folderKey + "a", folderKey + "ab", false},
		{folderKey + "a", unknownKey, true},
		{unknownKey, folderKey + "a", true},
		{folderKey + ".", folderKey + "a", true},
	} {
		if got := (&Configuration{key: tt.own}).mayInclude(tt.other); got != tt.want {
			t.Errorf("%q may include %q: %t", tt.own, tt.other, got)
		}
	}
}
