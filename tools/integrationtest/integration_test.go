package integrationtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/tools/integrationtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	integrationtest.RemoveWeft()
	os.Exit(code)
}

// absolute is the absolute path of a file below integrations.
func absolute(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"..", "..", "integrations"}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// wantText fails if a text does not hold all parts, in this order.
func wantText(t *testing.T, what, got string, parts ...string) {
	t.Helper()
	rest := got
	for _, p := range parts {
		_, after, found := strings.Cut(rest, p)
		if !found {
			t.Errorf("%s: want %q in\n%s", what, p, got)
			return
		}
		rest = after
	}
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
