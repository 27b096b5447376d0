package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"weft/web/browsertest"
)

// TestOutput uses the output of the playground as a first visitor does: it shows where its lines come from,
// and can be edited.
func TestOutput(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	site := browsertest.Serve(t, browsertest.Playground(t))
	open := func(t *testing.T, fragment string) *browsertest.Page {
		t.Helper()
		p := b.Visit(t, site, fragment)
		ready(p)
		histories(p)
		return p
	}
	const litLines = `() => [...document.querySelectorAll("#editor .cm-line.lit")].map(e => e.textContent.trim())`
	// The arrows beside lines of the editor, each with the text of its line. They are text: colors may be
	// missing.
	const arrows = `() => [...document.querySelectorAll("#editor .cm-gutterElement")].map(e => {
		const {content, color} = getComputedStyle(e, "::after"), at = e.getBoundingClientRect()
		const line = [...document.querySelectorAll("#editor .cm-line")]
			.find(l => Math.abs(l.getBoundingClientRect().top - at.top) < at.height / 2)
		return content === "none" || at.width < 10 ? "" : content.replaceAll('"', "") + " " + line.textContent.trim()
	}).filter(Boolean)`
	const sources = `() => [...document.querySelectorAll("#tabs .source")].map(e => e.textContent)`

	t.Run("the pointer lights up where a line comes from", func(t *testing.T) {
		p := open(t, "")
		browsertest.Eval[any](p, `() => {
			const line = [...document.querySelectorAll("#output .cm-line")].find(l => l.textContent.includes("replicas:"))
			const {x, y} = line.getBoundingClientRect()
			line.dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: x + 30, clientY: y + 5}))
		}`)
		if diff := cmp.Diff([]string{"replicas: #@ data.values.replicas"}, browsertest.Eval[[]string](p, litLines)); diff != "" {
			t.Errorf("lit lines (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"app.yml", "schema.yml"}, browsertest.Eval[[]string](p, sources)); diff != "" {
			t.Errorf("lit files (-want +got):\n%s", diff)
		}
		for _, colors := range []string{"light", "dark", "forced"} {
			p.PreferColors(colors)
			p.Shoot("playground-lit-" + colors)
			if diff := cmp.Diff([]string{"→ replicas: #@ data.values.replicas"}, browsertest.Eval[[]string](p, arrows)); diff != "" {
				t.Errorf("arrows with %s colors (-want +got):\n%s", colors, diff)
			}
		}
		browsertest.Eval[any](p, `() => document.querySelector("#output .cm-content").dispatchEvent(new MouseEvent("mouseleave"))`)
		if got := browsertest.Eval[[]string](p, litLines); len(got) != 0 {
			t.Errorf("still lit: %q", got)
		}
	})

	t.Run("the history of a line is walked", func(t *testing.T) {
		p := open(t, "")
		p.Click(".chip", "Explain it")
		p.Until("the history", `() => !document.getElementById("line").hidden`)
		var shown []string
		for range 2 {
			p.Click("#step-on", "▶")
			shown = append(shown, p.Texts("#tabs [aria-selected=true]")[0]+" "+p.Texts("#editor .cm-line.now")[0])
		}
		want := []string{"schema.yml replicas: 2", "app.yml   replicas: #@ data.values.replicas"}
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		p.Shoot("playground-history")
		p.Click("#step-back", "◀")
		p.Click("#step-close", "×")
		if lit := browsertest.Eval[[]string](p, litLines); len(lit) > 0 || browsertest.Eval[bool](p, `() => !document.getElementById("line").hidden`) {
			t.Errorf("the history is still shown, with %q", lit)
		}
	})

	t.Run("Alt-Enter jumps to what a line produced", func(t *testing.T) {
		p := open(t, "")
		cursor(p, "app.yml", "replicas: #@")
		p.Chord("Alt", kb.Enter)
		p.Until("the line", `() => {
			const {view, line} = weftPlayground.output
			return view.hasFocus && view.state.doc.line(line).text === "  replicas: 2"
		}`)
		p.Until("its history", `() => document.getElementById("line").textContent.includes("spec.replicas")`)
	})

	t.Run("a line stays chosen when it is on another line", func(t *testing.T) {
		p := open(t, "")
		p.Click(".chip", "Explain it")
		p.Until("the history", `() => !document.getElementById("line").hidden`)
		p.Click(".chip", "Override it")
		p.Until("the overlay in it", `() => document.getElementById("line").textContent.includes("production.yml:10")`)
		want(t, p, "#line h3", "Deployment/hello  spec.replicas")
		setText(p, "app.yml", "kind: Deployment\nmetadata: {name: other, labels: {}}\nspec: {replicas: 1}\n")
		p.Until("the end of it", `() => document.getElementById("line").hidden`)
	})

	t.Run("the output is edited", func(t *testing.T) {
		p := open(t, "")
		p.Click("#edit", "Edit")
		browsertest.Eval[any](p, `() => {
			const {view, text} = weftPlayground.output, at = text.indexOf("replicas: 2") + "replicas: ".length
			view.dispatch({selection: {anchor: at, head: at + 1}})
		}`)
		p.Press("7")
		p.Until("a suggestion", `() => document.getElementById("apply") !== null`)
		p.Shoot("playground-suggestion")
		if text := p.Texts("#suggestion pre")[0]; !strings.Contains(text, "schema.yml:7  replicas: 2 → 7") || strings.Contains(text, " -f ") {
			t.Errorf("the suggestion is\n%s", text)
		}
		p.Click("#apply", "Apply to schema.yml")
		p.Until("the output", `() => weftPlayground.output.text.includes("replicas: 7") && !weftPlayground.suggestion.on &&
			weftPlayground.editor.text("schema.yml").includes("replicas: 7")`)
		p.Until("the rendered output", `() => weftPlayground.state.result.output.includes("replicas: 7")`)
		usable(t, p, "playground-edited")
	})

	t.Run("on a phone, nothing moves when the output is edited", func(t *testing.T) {
		p := open(t, "")
		p.Resize(360, 740)
		p.Click("#side-out", "Output")
		const places = `() => [...document.querySelectorAll("#right .bar [role=tab]"), document.getElementById("output")].map(e => {
			const {left, right, top} = e.getBoundingClientRect(), view = e.parentElement.getBoundingClientRect()
			return [left, top, right <= Math.ceil(view.right)].join(" ")
		})`
		before := browsertest.Eval[[]string](p, places)
		p.Click("#edit", "Edit")
		if diff := cmp.Diff(before, browsertest.Eval[[]string](p, places)); diff != "" {
			t.Errorf("left, top and whether all is visible (-before +after):\n%s", diff)
		}
		if slices.ContainsFunc(before, func(place string) bool { return strings.HasSuffix(place, "false") }) {
			t.Errorf("something is cut: left, top and whether all is visible are %q", before)
		}
	})

	t.Run("what is above the output is as wide as there is room for", func(t *testing.T) {
		p := open(t, "#example=environments")
		p.Resize(390, 640)
		p.Click("#side-out", "Output")
		for _, width := range []int64{320, 390, 800, 1000} {
			p.Resize(width, 640)
			if out := browsertest.Eval[[]string](p, `() => [...document.querySelectorAll("#right > .bar :is(button, select)")]
				.filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth).map(e => e.id)`); len(out) > 0 {
				t.Errorf("at %d pixels, these are cut: %q", width, out)
			}
			space := browsertest.Eval[float64](p, `() => parseFloat(getComputedStyle(document.getElementById("view-output")).paddingLeft)`)
			if width == 800 && space < 8 {
				t.Errorf("at %d pixels, there are %v pixels beside the name of a tab", width, space)
			}
			p.Shoot(fmt.Sprintf("playground-bar-%d", width))
		}
	})

	t.Run("a small phone shows all of a dialog", func(t *testing.T) {
		p := open(t, "")
		p.Resize(320, 640)
		p.Click("#side-out", "Output")
		if rows := browsertest.Eval[int](p, `() => document.querySelector("#right > .bar").offsetHeight`); rows > 44 {
			t.Errorf("the bar of the output is %d pixels high", rows)
		}
		p.Click("#share-button", "Share")
		fits := func(selector string) {
			t.Helper()
			p.Until(selector, `selector => document.getElementById("dialog").open && document.querySelector(selector) !== null`, selector)
			if out := browsertest.Eval[[]string](p, `selector => {
				const {left, right} = document.getElementById("dialog").getBoundingClientRect(), small = e => e.getBoundingClientRect()
				return [...document.querySelectorAll(selector)].filter(e => small(e).left < left + 8 || small(e).right > right - 8)
					.map(e => e.textContent)
			}`, selector); len(out) > 0 {
				t.Errorf("these are cut: %q", out)
			}
		}
		fits("#dialog-buttons button")
		p.Click("#dialog-buttons button", "Close")
		p.Click("#examples-button", "Examples")
		fits(".gallery button")
	})

	t.Run("an edit is discarded", func(t *testing.T) {
		p := open(t, "")
		before := output(p)
		p.Click("#edit", "Edit")
		p.Press("x: [" + kb.Enter)
		p.Until("what is wrong", `() => document.querySelector("#suggestion .error") !== null`)
		usable(t, p, "playground-editing")
		p.Click("#edit", "Done")
		if got := output(p); got != before {
			t.Errorf("the output is now\n%s", got)
		}
		p.Press("y") // it cannot be changed any more
		if got := output(p); got != before {
			t.Errorf("the output is now\n%s", got)
		}
		if names := browsertest.Eval[[]string](p, `() => weftPlayground.state.files.map(f => f.path)`); slices.Contains(names, "output.yml") {
			t.Errorf("the files are %q", names)
		}
	})
}
