package workspace

import "testing"

// An outcome from before an edit is kept while an overlay or a file with overrides is edited, and only then: it
// takes as much memory as the newest one.
func TestBefore(t *testing.T) {
	t.Parallel()
	const overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n"
	files := map[string]string{
		"schema.yml": "#@data/values-schema\n---\na: 1\n",
		"app.yml":    "kind: A\n",
		"over.yml":   overlay + "kind: B\n",
		"weft.yml":   "weft: 2026\ninputs: [schema.yml, app.yml, over.yml]\noverrides: [ride.yml]\n",
		"ride.yml":   "note: a\n",
	}
	m := NewMemory()
	var outcomes []*Outcome // the last good one after each step
	show := func() *View {
		t.Helper()
		if err := m.Show(files, DefaultSettings()); err != nil {
			t.Fatal(err)
		}
		doc := m.Document("app.yml")
		m.Evaluate(t.Context(), doc)
		outcomes = append(outcomes, doc.View().LastGood())
		return doc.View()
	}
	show()
	for i, step := range []struct {
		path, text string
		want       int // the step whose outcome is kept, or -1
	}{
		{"schema.yml", "#@data/values-schema\n---\na: 2\n", -1},
		{"over.yml", overlay + "kind: B1\n", 1},
		{"over.yml", overlay + "kind: B2\n", 1},
		{"app.yml", "kind: C\n", -1},
		{"over.yml", overlay + "kind: B3\n", 4},
		{"schema.yml", "#@data/values-schema\n---\na: 3\n", -1},
		{"ride.yml", "note: b\n", 6},
		{"ride.yml", "note: c\n", 6},
	} {
		files[step.path] = step.text
		v := show()
		if outcomes[i] == nil || outcomes[i+1] == outcomes[i] {
			t.Fatalf("%d: nothing was evaluated", i)
		}
		var want *Outcome
		if step.want >= 0 {
			want = outcomes[step.want]
		}
		if v.before != want {
			t.Errorf("step %d, an edit of %s: kept %p, want %p of %v", i, step.path, v.before, want, outcomes)
		}
		if want == nil {
			want = outcomes[i+1]
		}
		if got, _ := v.knownBefore(step.path); got != want {
			t.Errorf("step %d, an edit of %s: before it was %p, want %p of %v", i, step.path, got, want, outcomes)
		}
	}
}
