package browsertest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"weft/web/browsertest"
)

// TestCoveragePage uses the page of weft test --coverage=html as a person does.
func TestCoveragePage(t *testing.T) {
	beside(t)
	b := browsertest.Start(t)
	file := filepath.Join(t.TempDir(), "coverage.html")
	browsertest.Weft(t, filepath.Join("testdata", "coverage"), "test", "-q", "-f", ".",
		"--coverage=html", "--coverage-file", file, "a.test.yml")
	html, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := func(t *testing.T) *browsertest.Page { return b.Open(t, file) }

	t.Run("all files have their figures and misses", func(t *testing.T) {
		p := open(t)
		want(t, p, "#summary",
			"nodes 75 % branches 2/6 functions 0/1 rules 2/4 values 0/3")
		want(t, p, ".file", "app.yml nodes 75 % branches 2/4",
			"names.star branches 0/2 functions 0/1", "schema.yml rules 2/4 values 0/3")
		want(t, p, ".miss", "7 if", "8–9 never rendered", "13 else",
			"1 long: never called", "2 if", "2 else",
			"3 never failed", `3 "large" never used`, "4 size: set by no test",
			"5 public: set by no test", "7 password: set by no test")
	})

	t.Run("a source has its marks", func(t *testing.T) {
		p := open(t)
		want(t, p, "#source h2", "app.yml")
		want(t, p, ".src.hit .no", "3", "4", "5", "6", "10", "11")
		want(t, p, ".src.missed .no", "8", "9")
		want(t, p, ".src.some .no", "7", "13")
		want(t, p, ".src .why", "if", "else")
		p.Click(".file", "names.star branches 0/2 functions 0/1")
		want(t, p, "#source h2", "names.star")
		want(t, p, ".src.missed .text", "def long(name):", "  if name:")
	})

	t.Run("a miss leads to its lines", func(t *testing.T) {
		p := open(t)
		p.Click(".miss", "8–9 never rendered")
		want(t, p, ".miss.pick", "8–9 never rendered")
		want(t, p, ".src.pick .text", "  memory: 4Gi", "  cpu: 2")
		want(t, p, "#count", "2 of 11: app.yml:8–9 never rendered")
		p.Shoot("coverage-miss")
	})

	t.Run("keys lead from miss to miss, in all files", func(t *testing.T) {
		p := open(t)
		p.Press("n")
		want(t, p, ".miss.pick", "7 if")
		p.Press("nnn")
		want(t, p, ".miss.pick", "1 long: never called")
		want(t, p, "#source h2", "names.star")
		want(t, p, ".src.pick .no", "1")
		p.Press("p")
		want(t, p, "#source h2", "app.yml")
		want(t, p, ".src.pick .no", "13")
		p.Press("ppp")
		want(t, p, ".miss.pick", "7 password: set by no test")
	})

	t.Run("what looks like HTML stays text", func(t *testing.T) {
		p := open(t)
		want(t, p, "img")
	})

	t.Run("secrets are not in the page", func(t *testing.T) {
		p := open(t)
		p.Click(".file", "schema.yml rules 2/4 values 0/3")
		p.Click(".miss", "7 password: set by no test")
		want(t, p, ".src.pick .text", "password: ‹secret›")
		if bytes.Contains(html, []byte("correct horse")) {
			t.Error("the page has the password")
		}
	})

	t.Run("colors follow the user", func(t *testing.T) {
		p := open(t)
		light := background(p)
		p.PreferColors("dark")
		dark := background(p)
		if light[0] < 200 || dark[0] > 60 {
			t.Errorf("the background is %v for light colors and %v for dark ones", light, dark)
		}
	})

	t.Run("everyone can use it", func(t *testing.T) {
		p := open(t)
		usable(t, p, "at first")
		p.Press("nn")
		for _, colors := range []string{"light", "dark"} {
			for _, width := range browsertest.Widths() {
				name := fmt.Sprintf("coverage-%s-%d", colors, width)
				p.PreferColors(colors)
				p.Resize(width, 800)
				usable(t, p, name)
				p.Shoot(name)
			}
		}
	})
}
