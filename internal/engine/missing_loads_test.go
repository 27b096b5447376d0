package engine_test

import (
	"fmt"
	"testing"

	"weft/internal/engine"
	"weft/internal/engine/load"
)

// TestMissingLoadsGrowth counts what is allocated for hints about files that load one that is missing:
// a hint does not list all files again.
func TestMissingLoadsGrowth(t *testing.T) {
	count := func(n int) float64 {
		var config engine.Config
		for i := range n {
			config.Load.Memory = append(config.Load.Memory, load.Memory{
				Path: fmt.Sprintf("app%d/templates/file.yml", i),
				Data: []byte("#@ load(\"/values.star\", \"x\")\na: #@ x\n"),
			})
		}
		return testing.AllocsPerRun(2, func() {
			s, err := engine.Open(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Evaluate(t.Context(), engine.Request{Partial: true}); err == nil {
				t.Fatal("missing files are loaded")
			}
		})
	}
	if once, twice := count(200), count(400); twice > 2.5*once {
		t.Errorf("%.0f allocations for 200 files, %.0f for 400", once, twice)
	}
}
