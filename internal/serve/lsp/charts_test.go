package lsp_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"weft/internal/project/engines"
	"weft/internal/serve/lsp"
	"weft/internal/testing/enginetest"
)

// The server renders charts and kustomizations with the real program. The archives of testdata/charts have
// markers as those of TestMarkers.
func TestCharts(t *testing.T) {
	program := filepath.Join(t.TempDir(), "weft-engines")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	err := enginetest.Build(program)
	if errors.Is(err, enginetest.ErrModules) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob("testdata/charts/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			runMarkers(t, name, program)
		})
	}
}

// withEngines are options with a program for charts, which ends with the test.
func withEngines(t *testing.T, program string) lsp.Options {
	run := engines.New(program)
	t.Cleanup(run.Close)
	return lsp.Options{MaxWait: time.Minute, Engines: run}
}
