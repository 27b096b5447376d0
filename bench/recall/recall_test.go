package main

import (
	"testing"
)

// TestRecall holds blame to what changes in some drawn projects. The floors are a little below what
// the command prints for 300 projects.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a thousand times")
	}
	m, err := measure(1, 6)
	if err != nil {
		t.Fatal(err)
	}
	var all score
	for _, s := range m.kinds {
		all.pairs += s.pairs
		all.found += s.found
		all.claims += s.claims
		all.right += s.right
	}
	t.Logf("\n%s", m)
	if least := 98.5; percent(all.found, all.pairs) < least {
		t.Errorf("blame names less than %.1f %% of what changes:", least)
		for _, x := range m.missed {
			t.Log(x)
		}
	}
	if least := 88.0; percent(all.right, all.claims) < least {
		t.Errorf("less than %.0f %% of what blame says is right", least)
	}
	if least := 98.5; percent(m.impact.found, m.impact.pairs) < least {
		t.Errorf("impact lists less than %.1f %% of what changes: %q", least, m.unlisted)
	}
	if least := 78.0; percent(m.impact.right, m.impact.claims) < least {
		t.Errorf("less than %.0f %% of what impact lists changes", least)
	}
}
