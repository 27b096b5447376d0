package browsertest_test

import (
	"strings"
	"testing"

	"weft/web/browsertest"
)

// Keys of WebDriver.
const (
	backspace = "\ue003"
	tab       = "\ue004"
	enter     = "\ue007"
	control   = "\ue009"
	escape    = "\ue00c"
	end       = "\ue010"
	home      = "\ue011"
	down      = "\ue015"
)

// TestFirefox takes the main path of a visitor in Firefox: the playground, a link, an example, the search.
func TestFirefox(t *testing.T) {
	beside(t)
	f := browsertest.StartFirefox(t)
	site := browsertest.Serve(t, browsertest.Pages(t))
	text := func() string { return browsertest.EvalFirefox[string](f, `() => weftPlayground.output.text`) }
	const isReady = `() => typeof weftPlayground === "object" && weftPlayground.state.result !== null`
	watch := func() {
		browsertest.EvalFirefox[any](f, `() => {
			window.bad = []
			addEventListener("error", e => bad.push(e.message))
			addEventListener("unhandledrejection", e => bad.push(String(e.reason)))
			document.addEventListener("securitypolicyviolation", e => bad.push(e.violatedDirective + " " + e.sourceFile))
			return null
		}`)
	}
	noTrouble := func() {
		t.Helper()
		for _, bad := range browsertest.EvalFirefox[[]string](f, `() => window.bad`) {
			t.Error(bad)
		}
	}

	f.Go(site.URL + "playground/index.html")
	watch()
	f.Until("the first output", isReady)
	if !strings.Contains(text(), "replicas: 2\n") {
		t.Errorf("the first output is\n%s", text())
	}
	paint := browsertest.EvalFirefox[[]float64](f, `() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, weftPlayground.state.firstOutput]`)
	if paint[0] > paint[1] {
		t.Errorf("the page is painted after %.0f ms, and weft has rendered after %.0f ms", paint[0], paint[1])
	}

	f.Click("#editor .cm-content")
	f.Press(end, control)
	f.Press(enter + "---" + enter + "added: 1")
	f.Until("the output of what was typed", `() => weftPlayground.output.text.endsWith("---\nadded: 1\n")`)

	f.Press(enter + "x: #@ y")
	f.Until("the error", `() => document.querySelector(".problem.error")?.textContent.includes("undefined: y") ?? false`)
	for range "x: #@ y" {
		f.Press(backspace)
	}
	f.Until("no error", `() => weftPlayground.state.problems.length === 0 && !weftPlayground.state.result.failed`)
	f.Press(escape)
	f.Press(tab)
	f.Until("the keyboard is out of the editor", `() => !weftPlayground.editor.view.hasFocus && document.activeElement !== document.body`)

	f.Until("where lines come from", `() => weftPlayground.state.history !== null`)
	f.Click("#output .cm-line")
	f.Until("the history of a line", `() => document.getElementById("line").checkVisibility() &&
		document.querySelector("#line .ref") !== null && document.querySelector("#editor .lit") !== null`)

	f.Click("#edit")
	f.Press(home, control)
	f.Press(strings.Repeat(down, 8) + end + backspace + "7") // replicas
	f.Until("a suggestion", `() => document.getElementById("apply") !== null`)
	f.Click("#apply")
	f.Until("the suggestion in the file", `() => weftPlayground.editor.text("schema.yml")?.includes("replicas: 7") &&
		weftPlayground.state.result.output?.includes("replicas: 7")`)

	before := text()
	f.Click("#share-button")
	f.Until("the link", `() => document.getElementById("link") !== null`)
	link := browsertest.EvalFirefox[string](f, `() => document.getElementById("link").value`)
	noTrouble()
	f.Go(site.URL + "tutorial.html")
	f.Go(link)
	f.Until("the shared output", isReady)
	if got := text(); got != before {
		t.Errorf("the link shows\n%s\nexpected\n%s", got, before)
	}

	f.Go(site.URL + "guides/overlays.html")
	watch()
	f.Click("figure.run .edit")
	f.Until("the example", `() => document.querySelector("figure.live")?.dataset.state === "done"`)
	if got := browsertest.EvalFirefox[string](f, `() => document.querySelector("figure.live .status").textContent`); !strings.HasPrefix(got, "as documented") {
		t.Errorf("the example: %s", got)
	}
	f.Press("a", control)
	f.Press("kind: Typed")
	f.Until("what was typed", `() => document.querySelector("figure.live pre").textContent.includes("kind: Typed")`)
	noTrouble()

	f.Go(site.URL + "tutorial.html")
	watch()
	f.Press("/which value wins")
	f.Until("results", `() => document.querySelectorAll("#results [role=option]").length > 2`)
	noTrouble()
	f.Press(enter)
	f.Until("the page", `() => location.href.endsWith("/reference/which-value-wins.html")`)
}
