package editortest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/editors/editortest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	editortest.RemoveWeft()
	os.Exit(code)
}

// absolute is the absolute path of a file of this directory.
func absolute(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// wantText fails if a text does not hold all parts.
func wantText(t *testing.T, what, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("%s: want %q in\n%s", what, p, got)
		}
	}
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
