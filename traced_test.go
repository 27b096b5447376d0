package weft_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/engine"
	"weft/internal/engine/cover"
)

// TestGoldenTraced holds a traced run to the outcome of any other: the same output, to the byte, and
// the same messages with the same places.
func TestGoldenTraced(t *testing.T) {
	engine.AlwaysTrace = true
	defer func() { engine.AlwaysTrace = false }()
	sameGoldens(t)
}

// TestGoldenCovered does the same for a run that measures coverage.
func TestGoldenCovered(t *testing.T) {
	engine.AlwaysCover = &cover.Recorder{}
	defer func() { engine.AlwaysCover = nil }()
	sameGoldens(t)
	if figures := engine.AlwaysCover.Report().Figures(); figures.Score().Percent() < 60 {
		t.Errorf("goldens cover %v of themselves: are they measured?", figures)
	}
}

// sameGoldens runs the goldens in another way than usual.
func sameGoldens(t *testing.T) {
	t.Helper()
	paths := goldens(t)
	for i, p := range paths {
		paths[i], _ = filepath.Abs(p)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return strings.Contains(p, "limit_") // large, and as large as without a trace
	})
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(data)
			if bytes.Contains(part(a, flagsPart), []byte("--max-steps")) {
				t.Skip("such a program takes more steps")
			}
			stdout, stderr, _ := runGolden(t, a)
			if diff := cmp.Diff(string(stdout), string(part(a, yamlPart))); diff != "" {
				t.Errorf("standard output (-got +want):\n%s", diff)
			}
			if diff := cmp.Diff(string(stderr), string(part(a, errPart))); diff != "" {
				t.Errorf("standard error (-got +want):\n%s", diff)
			}
		})
	}
}
