package browsertest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"weft/web/browsertest"
)

// TestBlamePage uses the page of weft blame as a person does.
func TestBlamePage(t *testing.T) {
	beside(t)
	b := browsertest.Start(t)
	html := browsertest.Weft(t, filepath.Join("testdata", "blame"),
		"blame", "-f", ".", "-o", "html")
	file := filepath.Join(t.TempDir(), "blame.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	open := func(t *testing.T) *browsertest.Page { return b.Open(t, file) }

	t.Run("a line shows its history and its source", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "  replicas: 5")
		want(t, p, ".row.pick .text", "  replicas: 5")
		want(t, p, "#why h2", "Deployment/web  spec.replicas")
		want(t, p, "#why li",
			"5 changed at overlay.yml:6:3 by overlay.yml:4:1",
			"3 written at app.yml:14:3, copied from replicas")
		want(t, p, "#why dt", "replicas")
		want(t, p, "#why dd",
			"3 — data values document production.yml:3:1", "over 1 — schema default schema.yml:4:1")
		want(t, p, "#source h2", "overlay.yml")
		want(t, p, ".src.pick", "6  replicas: 5")
		p.Shoot("blame-line")

		p.Click("#why button", "app.yml:14:3")
		want(t, p, "#source h2", "app.yml")
		want(t, p, ".src.pick", "14  replicas: #@ data.values.replicas")
	})

	t.Run("a line of a function shows its call", func(t *testing.T) {
		p := open(t)
		p.Press("jjjjj")
		want(t, p, ".row.pick .text", "    app: web")
		want(t, p, "#why li p", "called at app.yml:12:20")
		p.Click("#why button", "app.yml:12:20")
		want(t, p, ".src.pick", "12  labels: #@ labels()")
	})

	t.Run("what is absent shows the reason", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "    (no port)")
		want(t, p, "#why h2", "(no port)")
		want(t, p, "#why dt", "public")
		want(t, p, ".src.pick", "19    #@ if data.values.public:")
	})

	t.Run("a line of a text template has a history", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "Welcome to web\r")
		want(t, p, "#why dt", "name")
		want(t, p, ".src.pick", "2Welcome to (@= data.values.name @)\r")
	})

	t.Run("a line without a value shows no history", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "  replicas: 5")
		p.Click(".row .text", "---")
		want(t, p, "#why", "This line belongs to no value.")
		want(t, p, ".src")
	})

	t.Run("a value marks all its lines", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "  name: web-service")
		p.Click("#why dt button", "name")
		want(t, p, ".row.mark .text", "  name: web", "    app: web", "  name: web-service",
			"    app: web", "Welcome to web\r")
		want(t, p, "#count", "5 lines with name")
		p.Shoot("blame-value")
	})

	t.Run("search finds lines and counts them", func(t *testing.T) {
		p := open(t)
		p.Click("label", "Search ")
		p.Press("REPLICAS")
		want(t, p, ".row.mark .text", "  replicas: 5", "  minReady: 1")
		want(t, p, "#count", "2 lines")
		p.Press(kb.Enter)
		want(t, p, ".row.pick .text", "  replicas: 5")
		p.Press("n")
		want(t, p, ".row.pick .text", "  minReady: 1")
		p.Press("n")
		want(t, p, ".row.pick .text", "  replicas: 5")
		p.Press("/strategy")
		want(t, p, "#count", "1 line")
		p.Press(" is not there")
		want(t, p, "#count", "0 lines")
		want(t, p, ".row.mark")
		p.Press(kb.Escape)
		want(t, p, "#count", "")
	})

	t.Run("keys choose lines", func(t *testing.T) {
		p := open(t)
		p.Press(kb.ArrowDown)
		want(t, p, ".row.pick .text", "kind: Deployment")
		p.Press("j" + kb.ArrowDown)
		want(t, p, ".row.pick .text", "  name: web")
		p.Press("k" + kb.ArrowUp + kb.ArrowUp)
		want(t, p, ".row.pick .text", "kind: Deployment")
		p.Press(strings.Repeat("j", 100))
		want(t, p, ".row.pick .text", "second line\r")
		p.Press("/jk")
		want(t, p, ".row.pick .text", "second line\r")
		p.Press(kb.Escape + "k")
		want(t, p, ".row.pick .text", "Welcome to web\r")
		active := browsertest.Eval[string](p, `() => document.getElementById(
			document.activeElement.getAttribute("aria-activedescendant")).textContent`)
		if !strings.Contains(active, "Welcome to web") {
			t.Errorf("screen readers are told of %q", active)
		}
	})

	t.Run("what looks like HTML stays text", func(t *testing.T) {
		p := open(t)
		greeting := `grüß dich </script><img src=x onerror=alert(1)> & 'you'`
		p.Click(".row .text", "    greeting: "+greeting)
		want(t, p, "#why li strong", greeting)
		want(t, p, "img")
	})

	t.Run("secrets are not in the page", func(t *testing.T) {
		p := open(t)
		p.Click(".row .text", "    password: ‹secret›")
		want(t, p, "#why li strong", "‹secret›")
		p.Click("#why dd button", "production.yml:5:1")
		want(t, p, ".src.pick", "5password: ‹secret›")
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
		p.Click(".row .text", "  replicas: 5")
		p.Click("#why dt button", "replicas")
		for _, colors := range []string{"light", "dark"} {
			for _, width := range browsertest.Widths() {
				name := fmt.Sprintf("blame-%s-%d", colors, width)
				p.PreferColors(colors)
				p.Resize(width, 800)
				usable(t, p, name)
				p.Shoot(name)
			}
		}
	})
}

// usable checks that everything is in the window, and that axe has no complaint.
func usable(t *testing.T, p *browsertest.Page, state string) {
	t.Helper()
	outside := browsertest.Eval[[]string](p, `() =>
		[...document.querySelectorAll("header *, section")]
			.filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML)`)
	for _, html := range outside {
		t.Errorf("%s: this sticks out of the window: %.200s", state, html)
	}
	for _, violation := range p.Axe() {
		t.Errorf("%s: %s", state, violation)
	}
}

// want compares the texts of what a selector finds.
func want(t *testing.T, p *browsertest.Page, selector string, texts ...string) {
	t.Helper()
	if diff := cmp.Diff(texts, p.Texts(selector), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-expected +found):\n%s", selector, diff)
	}
}

// background is the color after the page, as red, green and blue.
func background(p *browsertest.Page) [3]int {
	return browsertest.Eval[[3]int](p,
		`() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)`)
}
