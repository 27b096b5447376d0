package suggest

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/lang/keep"
	"weft/internal/project/fleet"
)

// exactSearch returns the search for a text that is printed by files without code.
func exactSearch(t *testing.T, edited string, files map[string]string) *search {
	t.Helper()
	fsys := fstest.MapFS{}
	in := Input{FS: fsys, Exact: true, Options: fleet.Options{Keep: keep.Everything, FS: fsys}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	in.Options.Inputs, in.Show = []string{"."}, func(path string) string { return path }
	in.Edited = []File{{Path: "edited.yml", Data: []byte(edited)}}
	tried, err := newTrial(context.Background(), &in)
	if err != nil {
		t.Fatal(err)
	}
	s := &search{trial: tried, attempt: attempt{shared: true}}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRewrittenHasNoCode checks that an edited text does not become code of a file, which a trial would run.
func TestRewrittenHasNoCode(t *testing.T) {
	files := map[string]string{"s.yml": "kind: S\n# why\na: 1 # one\n"}
	for edited, changes := range map[string]bool{
		"kind: S\n# why not\na: 1 # one\n":              true,
		"kind: S\n# why #@ x\na: 1 # one\n":             true,
		"kind: S\n#@ x = fail(\"ran\")\na: 1 # one\n":   false,
		"kind: S\n# why\na: 1 #@ 1\n":                   false,
		"#@data/values\n---\nkind: S\n# why\na: 1\n":    false,
		"kind: S\n# why\na: 1 # one\n---\n#@ x = 1\n":   false,
		"kind: S\n# why\na: 1 # one\nb: |\n  #@ text\n": true,
	} {
		b := exactSearch(t, edited, files).rewritten()
		if got := b != nil; got != changes {
			t.Errorf("%q: changes files: %v, but expected %v", edited, got, changes)
		} else if got && !bytes.Equal(b.draft.texts["s.yml"], []byte(edited)) {
			t.Errorf("%q: got %q", edited, b.draft.texts["s.yml"])
		}
	}
}

// TestRewrittenFile checks that edited lines go to the file that prints them, also if files have the same text or
// are part of each other.
func TestRewrittenFile(t *testing.T) {
	small, large, code := "kind: S\na: 1\n", "kind: S\na: 1\nb: 2\n", "#@ x = 2\n---\nkind: S\na: #@ x\n"
	names := []string{"a.yml", "b.yml", "c.yml", "d.yml", "e.yml"}
	files := map[string]string{
		"a.yml": small, "b.yml": small, "c.yml": code, "d.yml": large, "e.yml": small,
	}
	printed := []string{small, small, "kind: S\na: 2\n", large, small}
	for i, name := range names {
		edited := slices.Clone(printed)
		edited[i] = strings.Replace(edited[i], "\n", " # one\n", 1)
		b := exactSearch(t, strings.Join(edited, "---\n"), files).rewritten()
		if files[name] == code {
			if b != nil {
				t.Errorf("%s: an edit of the output of code changes files", name)
			}
			continue
		}
		if got := slices.Collect(maps.Keys(b.draft.texts)); len(got) != 1 || got[0] != name {
			t.Errorf("%s: an edit of its lines changes %v", name, got)
		}
	}
}
