package weft_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLabelledEdits counts how often the first suggestion is what an experienced person would choose: at least
// 80 of 100, and all that are not known to be missed. testdata/suggest/README.md has the format of the labels.
func TestLabelledEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("it compares what one goroutine does, for long")
	}
	names, err := filepath.Glob("testdata/suggest/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(strings.TrimSpace(string(ar.Comment)), "\n\n")
		for i, block := range blocks[1:] { // the first one says what the project is
			e := parseLabelled(t, block)
			t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(name), ".txtar"), i+1), func(t *testing.T) {
				if needsEngines(ar) {
					e.args = append(e.args, "--engines", withEngines(t))
				}
				all++
				got := e.measure(t, ar)
				switch {
				case got == "" && e.missed:
					t.Errorf("the label is found; remove the line with !:\n%s", block)
				case got == "":
					right++
				case !e.missed:
					t.Errorf("%s\n%s\nfound: %s", name, block, got)
				}
			})
		}
	}
	t.Logf("%d of %d edits get the form that a person would choose", right, all)
	if all < 100 || right*100 < all*80 {
		t.Errorf("only %d of %d labelled edits get the form that a person would choose", right, all)
	}
}

// labelled is an edit with its label.
type labelled struct {
	args  []string   // the environment and the inputs
	every bool       // all places that have the lines are edited
	edits [][]string // lines with - and +
	steps []string   // KIND FILE, sorted
	texts []string   // what the new lines have

	missed bool // it is known that the suggestion is another one
}

func parseLabelled(t *testing.T, block string) (e labelled) {
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		sign, rest, _ := strings.Cut(line, " ")
		last := len(e.edits) - 1
		switch sign {
		case "@":
			e.args = slices.DeleteFunc(strings.Fields(rest), func(arg string) bool { return arg == "-" })
			if n := len(e.args); n > 0 && e.args[n-1] == "all" {
				e.every, e.args = true, e.args[:n-1]
			}
		case "-", "+":
			if last < 0 || sign == "-" && strings.HasPrefix(e.edits[last][len(e.edits[last])-1], "+") {
				e.edits, last = append(e.edits, nil), last+1
			}
			e.edits[last] = append(e.edits[last], line)
		case "=":
			step, _, _ := strings.Cut(rest, " | ")
			e.steps = append(e.steps, step)
		case "!":
			e.missed = true
		case "~":
			e.texts = append(e.texts, rest)
		default:
			t.Fatalf("cannot read the line %q", line)
		}
	}
	slices.Sort(e.steps)
	return e
}

// measure returns what is suggested instead of the label, or "".
func (e labelled) measure(t *testing.T, ar *txtar.Archive) string {
	inRepository(t, ar)
	code, out, stderr := runSuggest(t, append([]string{"render"}, e.args...)...)
	if code != 0 {
		t.Fatal(stderr)
	}
	writeText(t, "edited.out", e.edit(t, out))
	suggest := func(args ...string) (out, stderr string) {
		_, out, stderr = runSuggest(t, slices.Concat([]string{"suggest", "--to", "edited.out"}, args, e.args)...)
		return out, stderr
	}
	patch := ""
	if e.texts != nil {
		patch, _ = suggest("-o", "patch", "--show-secrets")
	}
	if e.matches(e.found(t), patch) {
		return ""
	}
	text, stderr := suggest()
	patch, _ = suggest("-o", "patch", "--show-secrets")
	return text + stderr + patch
}

// needsEngines reports whether a project has charts or kustomizations.
func needsEngines(ar *txtar.Archive) bool {
	return slices.ContainsFunc(ar.Files, func(f txtar.File) bool {
		return path.Base(f.Name) == "Chart.yaml" || path.Base(f.Name) == "kustomization.yaml"
	})
}

// inRepository goes to a new repository with these files.
func inRepository(t *testing.T, ar *txtar.Archive) {
	dir := t.TempDir()
	for _, f := range append(ar.Files, txtar.File{Name: ".git/HEAD"}) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := cmp.Or(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// edit returns a text with the lines of the edit.
func (e labelled) edit(t *testing.T, text string) string {
	text = "\n" + text
	for _, lines := range e.edits {
		was, now := "\n", "\n"
		for _, line := range lines {
			if rest, ok := strings.CutPrefix(line, "- "); ok {
				was += rest + "\n"
			} else {
				now += line[2:] + "\n"
			}
		}
		if n := strings.Count(text, was); n == 0 || n > 1 && !e.every {
			t.Fatalf("%d places have %q:\n%s", n, was, text)
		}
		text = strings.ReplaceAll(text, was, now)
	}
	return text[1:]
}

// found returns the steps of the first suggestion, in the form of labels.
func (e labelled) found(t *testing.T) (steps []string) {
	_, out, stderr := runSuggest(t, append([]string{"suggest", "--to", "edited.out", "-o", "json"}, e.args...)...)
	var report struct {
		Suggestions []struct {
			Steps  []struct{ Kind, File string }
			Others []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%s\n%s%s", err, out, stderr)
	}
	if len(report.Suggestions) == 0 {
		return []string{"refused"}
	}
	for _, s := range report.Suggestions[0].Steps {
		if s.Kind != "project" {
			steps = append(steps, s.Kind+" "+s.File)
		}
	}
	for _, o := range report.Suggestions[0].Others {
		steps = append(steps, "changes "+o.Name)
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// matches reports whether steps are those of the label, and the new lines have its texts.
func (e labelled) matches(steps []string, patch string) bool {
	for _, text := range e.texts {
		if !slices.ContainsFunc(strings.Split(patch, "\n"), func(line string) bool {
			return strings.HasPrefix(line, "+") && strings.Contains(line, text)
		}) {
			return false
		}
	}
	return slices.EqualFunc(steps, e.steps, func(step, label string) bool {
		kind, file, _ := strings.Cut(label, " ")
		return step == label || file == "any" && strings.HasPrefix(step, kind+" ")
	})
}
