package weft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/testing/cases"
)

// The parts of a mistake that are not files of the first run.
const (
	envPart  = "env"       // variables of both runs, KEY=VALUE lines
	hintPart = "want.hint" // what the first run says: its messages, each with its hint
	// what the hint asks for: files that take the place of the first run's, or its flags
	fixedPrefix = "fixed/"
	emptyFixed  = "#! removed\n"
)

// TestMistakes follows the hints for testdata/mistakes/NAME.txtar: a run gives the hint; with what
// the hint asks for, it succeeds without another word and prints want.yaml.
func TestMistakes(t *testing.T) {
	cases.Each(t, "testdata/mistakes/*.txtar", func(t *testing.T, path string) {
		a := cases.Archive(t, path)
		for kv := range strings.Lines(string(part(a, envPart))) {
			name, value, _ := strings.Cut(strings.TrimSuffix(kv, "\n"), "=")
			t.Setenv(name, value)
		}
		mistake, fixed := mistakeAndFix(a)
		_, stderr, _ := runGolden(t, mistake)
		hint := messages(string(stderr))
		stdout, stderr, code := runGolden(t, fixed)
		if code != 0 || len(stderr) > 0 {
			t.Errorf("who follows the hint gets exit code %d and\n%s", code, stderr)
		}
		if *cases.Update {
			setPart(a, hintPart, []byte(hint), true)
			setPart(a, yamlPart, stdout, true)
			writeArchive(t, path, a)
			return
		}
		if diff := cmp.Diff(hint, string(part(a, hintPart))); diff != "" {
			t.Errorf("hint (-got +want):\n%s", diff)
		}
		if diff := cmp.Diff(string(stdout), string(part(a, yamlPart))); diff != "" {
			t.Errorf("output with the hint followed (-got +want):\n%s", diff)
		}
	})
}

// mistakeAndFix makes the two runs: that with the mistake, and that which follows the hint.
func mistakeAndFix(a *txtar.Archive) (mistake, fixed *txtar.Archive) {
	mistake, fixed = &txtar.Archive{}, &txtar.Archive{}
	for _, f := range a.Files {
		switch name, isFixed := strings.CutPrefix(f.Name, fixedPrefix); {
		case f.Name == envPart || f.Name == hintPart || f.Name == yamlPart:
		case isFixed:
			fixed.Files = slices.DeleteFunc(
				fixed.Files,
				func(g txtar.File) bool { return g.Name == name },
			)
			if string(f.Data) != emptyFixed {
				fixed.Files = append(fixed.Files, txtar.File{Name: name, Data: f.Data})
			}
		default:
			mistake.Files, fixed.Files = append(mistake.Files, f), append(fixed.Files, f)
		}
	}
	return mistake, fixed
}

// messages are the first lines of messages, and their hints.
func messages(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		if strings.Contains(line, ": error: ") || strings.Contains(line, ": warning: ") ||
			strings.HasPrefix(line, "hint: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}
