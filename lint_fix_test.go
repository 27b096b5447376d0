package weft

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/check/lint"
)

// fixablePages are the rules whose pages have a fixed example, with the bad one.
func fixablePages(t *testing.T) map[string]string {
	pages := map[string]string{}
	for _, r := range lint.Rules() {
		code := string(r.Code)
		if p := readLintPage(t, code); p.fixed != "" && r.Fix == lint.SafeFix {
			pages[code] = p.bad
		}
	}
	return pages
}

// TestLintFixEnds fixes projects that break many rules: whatever can be fixed is, and who fixes again
// changes nothing.
func TestLintFixEnds(t *testing.T) {
	pages := fixablePages(t)
	codes := make([]string, 0, len(pages))
	for code := range pages {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	if len(codes) <= 10 {
		t.Fatalf("only %d rules have fixes", len(codes))
	}
	t.Chdir(t.TempDir())
	if _, left := fixProject(t, "all", codes, pages); left > 0 {
		t.Errorf("%d findings of %d rules are left", left, len(codes))
	}
	const seed = 26
	random := rand.New(rand.NewPCG(seed, seed))
	for range 12 {
		random.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
		some := codes[:1+random.IntN(len(codes))]
		fixed, left := fixProject(t, "some", some, pages)
		if left > 0 || fixed == 0 {
			t.Errorf("seed %d: %d findings are fixed, %d are left of %s", seed, fixed, left, some)
		}
	}
}

// fixProject writes a project with the bad examples of rules, fixes it and fixes it again. It gives
// how many findings were fixed, and how many are left that could be.
func fixProject(t *testing.T, dir string, codes []string, pages map[string]string) (fixed, left int) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, code := range codes {
		path := filepath.Join(dir, strings.ReplaceAll(code, "/", "-")+".yml")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pages[code]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const names = "a = \"1\"\nb = \"2\"\n"
	if err := os.WriteFile(filepath.Join(dir, "names.star"), []byte(names), 0o644); err != nil {
		t.Fatal(err)
	}
	envs := []Options{{Inputs: []string{dir}, IgnoreUnknownComments: true}}
	first, err := LintFix(t.Context(), envs, LintOptions{All: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.WriteFiles(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := LintFix(t.Context(), envs, LintOptions{All: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	if changed, _ := again.Diff(io.Discard); len(changed) > 0 || again.Fixed > 0 {
		t.Errorf("fixing again changes %s", changed)
	}
	for _, f := range first.Left.Findings() {
		if f.Safe && !slices.Contains(first.Undone, f.Code) {
			t.Logf("left: %s %s:%d %s", f.Code, f.File, f.Line, f.Message)
			left++
		}
	}
	return first.Fixed, left
}
