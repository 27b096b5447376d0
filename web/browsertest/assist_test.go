package browsertest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"weft/web/browsertest"
)

// helped is a project to type in.
var helped = []file{
	{"app.yml", `#@ load("@ytt:data", "data")
#@ load("names.star", "title")
kind: Deployment
replicas: #@ data.values.replicas
title: #@ title(data.values.name)
more: 
`},
	{"names.star", "def title(name):\n  \"The title of something.\"\n  return name.upper()\nend\n"},
	{"schema.yml", "#@data/values-schema\n---\n#@schema/desc \"How <b>many</b> there are\"\nreplicas: 2\nname: shop\n"},
}

// TestAssist types with the help of completion and hover, in the static page.
func TestAssist(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := browsertest.Playground(t)
	site := browsertest.Serve(t, dir)
	fragment := "#" + link(t, map[string]any{"f": pairs(helped)})
	open := func(t *testing.T) *browsertest.Page {
		t.Helper()
		p := b.Visit(t, site, fragment)
		ready(p)
		return p
	}

	t.Run("nothing is loaded for who only looks", func(t *testing.T) {
		p := open(t)
		histories(p)
		if asked(p) {
			t.Error("assist.wasm is loaded before somebody types")
		}
		cursor(p, "app.yml", "more: ")
		p.Press("x")
		p.Until("the loading", `() => performance.getEntriesByName(new URL("assist.wasm", location).href).length === 1`)
		early := browsertest.Eval[bool](p, `() =>
			performance.getEntriesByName(new URL("assist.wasm", location).href)[0].startTime < weftPlayground.state.firstOutput`)
		if early {
			t.Error("assist.wasm is loaded before the first output")
		}
	})

	t.Run("typing", func(t *testing.T) { typing(t, open(t)) })
	t.Run("asking", func(t *testing.T) { asking(t, open(t)) })

	t.Run("everyone can use it", func(t *testing.T) {
		p := open(t)
		for _, colors := range []string{"light", "dark"} {
			for _, width := range browsertest.Widths() {
				p.PreferColors(colors)
				p.Resize(width, 800)
				cursor(p, "app.yml", "#@ data.values.")
				p.Chord("Control", " ")
				listed(p)
				name := fmt.Sprintf("playground-complete-%s-%d", colors, width)
				p.Until("the documentation", `() => document.querySelector(".cm-completionInfo") !== null`)
				usable(t, p, name)
				p.Shoot(name)
				p.Press(kb.Escape)
				cursor(p, "app.yml", "#@ data.values.repl")
				p.Chord("Control", "i")
				p.Until("what is known", `() => document.querySelector(".about") !== null`)
				usable(t, p, name+"-hover")
				p.Shoot(name + "-hover")
				p.Press(kb.Escape)
				want(t, p, ".about")
			}
		}
	})

	t.Run("a worker that does not answer is replaced", func(t *testing.T) {
		p := open(t)
		cursor(p, "app.yml", "#@ data.values.")
		p.Chord("Control", " ")
		listed(p)
		p.Press(kb.Escape)
		browsertest.Eval[any](p, `async () => { (await weftPlayground.assistant.engine).worker.postMessage = () => {} }`)
		p.Chord("Control", "i")
		p.Until("the words", `() => document.getElementById("status").textContent === "Stopped: the code takes too long."`)
		p.Chord("Control", " ")
		listed(p)
	})

	t.Run("code without an end does not keep who types", func(t *testing.T) {
		p := open(t)
		setText(p, "app.yml", "#@ load(\"@ytt:data\", \"data\")\n#@ for i in range(1000*1000*1000*1000):\n#@ end\na: #@ data.values.\n")
		cursor(p, "app.yml", "data.values.")
		p.Chord("Control", " ")
		if got := listed(p); !slices.Contains(got, "replicas") {
			t.Errorf("the list is %q", got)
		}
	})

	t.Run("without assist.wasm there are words", func(t *testing.T) {
		broken := browsertest.Serve(t, dir)
		broken.Lose("assist.wasm")
		p := b.OpenURL(t, broken.URL+fragment)
		ready(p)
		cursor(p, "app.yml", "#@ data.values.")
		p.Chord("Control", " ")
		p.Until("the words", `() => document.getElementById("status").textContent.includes("assist.wasm could not be loaded")`)
		for _, problem := range p.Problems() {
			if !strings.Contains(problem, "assist.wasm") {
				t.Error(problem)
			}
		}
	})

	t.Run("after the first visit it works without a network", func(t *testing.T) {
		alone := browsertest.Serve(t, dir)
		p := b.OpenURL(t, alone.URL+fragment)
		ready(p)
		if asked(p) {
			t.Error("assist.wasm is loaded with the page")
		}
		p.Until("the copy", `async () => {
			for (const name of await caches.keys()) if (await (await caches.open(name)).match("assist.wasm")) return true
			return false
		}`)
		alone.LoseAll()
		for range 2 {
			cursor(p, "app.yml", "#@ data.values.")
			p.Chord("Control", " ")
			if got := listed(p); !slices.Contains(got, "replicas") {
				t.Errorf("the list is %q", got)
			}
			p.Reload()
			ready(p)
		}
	})

	t.Run("completion is quick", func(t *testing.T) {
		p := open(t)
		inTime(t, "from a key to the list (95 of 100)", 100, func() float64 {
			times := browsertest.Eval[[]float64](p, typingTimes)
			slices.Sort(times)
			t.Logf("from a key to the list, in ms: %.0f", times)
			return times[len(times)*95/100]
		})
	})
}

// TestLocalAssist does the same in weft playground, whose server answers.
func TestLocalAssist(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := t.TempDir()
	for _, f := range helped {
		if err := os.WriteFile(filepath.Join(dir, f.Path), []byte(f.Data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	address := browsertest.Local(t, dir, "-f", ".")
	open := func(t *testing.T) *browsertest.Page {
		t.Helper()
		p := b.OpenURL(t, address)
		ready(p)
		return p
	}
	t.Run("typing", func(t *testing.T) { typing(t, open(t)) })
	t.Run("asking", func(t *testing.T) {
		p := open(t)
		asking(t, p)
		if asked(p) {
			t.Error("assist.wasm is loaded, though the server answers")
		}
	})
}

// typing completes with the keyboard.
func typing(t *testing.T, p *browsertest.Page) {
	lists := func(what string, some ...string) {
		t.Helper()
		p.Until("a list with "+some[0], `want => [...document.querySelectorAll(".cm-completionLabel")].some(e => e.textContent === want)`, some[0])
		got := listed(p)
		for _, s := range some {
			if !slices.Contains(got, s) {
				t.Errorf("%s: %s is not in %q", what, s, got)
			}
		}
	}
	cursor(p, "app.yml", "more: ")
	p.Press("#@ data.values.")
	lists("data values", "replicas", "name")
	p.Press("rep")
	p.Until("what begins so", `() => document.querySelectorAll(".cm-completionLabel").length === 1`)
	p.Until("the documentation", `() => document.querySelector(".cm-completionInfo")?.textContent.includes("How <b>many</b> there are")`)
	want(t, p, ".cm-completionInfo b")
	p.Settle()
	p.Press(kb.Enter)
	p.Until("the text", `() => weftPlayground.editor.text("app.yml").includes("more: #@ data.values.replicas\n")`)
	p.Until("the output", `() => weftPlayground.output.text.endsWith("more: 2\n")`)

	p.Press(kb.End + kb.Enter + "#@")
	lists("annotations", "overlay/", "schema/")
	p.Press("over")
	p.Until("what begins so", `() => document.querySelectorAll(".cm-completionLabel").length === 1`)
	p.Settle()
	p.Press(kb.Tab)
	lists("of overlays", "match", "remove")
	p.Press("mat")
	p.Settle()
	p.Press(kb.ArrowDown)
	want(t, p, ".cm-tooltip-autocomplete [aria-selected=true] .cm-completionLabel", "match-child-defaults")
	p.Press(kb.Escape)
	want(t, p, ".cm-completionLabel")

	setText(p, "app.yml", "#@ load(\"\")\na: 1\n")
	cursor(p, "app.yml", "#@ load(\"")
	p.Press("n")
	lists("files", "names.star")
	p.Settle()
	p.Press(kb.Enter)
	p.Until("the text", `() => weftPlayground.editor.text("app.yml").startsWith("#@ load(\"names.star\"")`)
	setText(p, "app.yml", "#@ load(\"names.star\", )\na: 1\n")
	cursor(p, "app.yml", "names.star\", ")
	p.Press(`"`)
	lists("names", "title")

	// The files are those of the page at that time.
	setText(p, "schema.yml", "#@data/values-schema\n---\nother: 2\n")
	setText(p, "app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n")
	cursor(p, "app.yml", "data.values")
	p.Press(".")
	lists("data values of now", "other")
	if got := listed(p); slices.Contains(got, "replicas") {
		t.Errorf("what is gone is in %q", got)
	}
}

// asking asks what is at a place, with the mouse and with the keyboard.
func asking(t *testing.T, p *browsertest.Page) {
	knows := func(some ...string) {
		t.Helper()
		p.Until("what is known", `some => { const text = document.querySelector("#editor .about")?.textContent ?? ""
			return some.every(s => text.includes(s)) }`, some)
	}
	p.PointAt("#editor .cm-line", "replicas: #@ data.values.replicas", "values.repl")
	knows("replicas: integer", "How <b>many</b> there are", "Value: 2", "Set in schema.yml:4")
	want(t, p, ".about b")
	p.Shoot("playground-hover")
	p.PointAt("h1", "weft playground", "weft")
	p.Until("its end", `() => document.querySelector(".about") === null`)

	cursor(p, "app.yml", "#@ tit")
	p.Chord("Control", "i")
	knows("def title(name)", "The title of something.", "names.star:1", `Renders "SHOP"`)
	p.Until("the words", `() => document.getElementById("status").textContent.includes("The title of something.")`)
	p.Press(kb.ArrowLeft)
	want(t, p, ".about")
	cursor(p, "app.yml", "kind: Dep")
	p.Chord("Control", "i")
	p.Until("the words", `() => /Nothing is known|Deployment/.test(document.getElementById("status").textContent)`)
}

// asked reports whether the page has loaded the assistant.
func asked(p *browsertest.Page) bool {
	return browsertest.Eval[bool](p, `() => performance.getEntriesByType("resource").some(e => e.name.includes("assist.wasm"))`)
}

// cursor puts the cursor after a text.
func cursor(p *browsertest.Page, path, behind string) {
	browsertest.Eval[any](p, `(path, behind) => {
		[...document.querySelectorAll("#tabs [role=tab]")].find(t => t.textContent === path).click()
		const {view} = weftPlayground.editor
		const at = view.state.doc.toString().indexOf(behind)
		if (at < 0) throw new Error("there is no " + behind)
		view.dispatch({selection: {anchor: at + behind.length}})
		view.focus()
	}`, path, behind)
}

// listed waits for a list, and returns what is in it.
func listed(p *browsertest.Page) []string {
	p.Until("a list", `() => document.querySelectorAll(".cm-completionLabel").length > 0`)
	return p.Texts(".cm-completionLabel")
}

func pairs(files []file) (list [][2]string) {
	for _, f := range files {
		list = append(list, [2]string{f.Path, f.Data})
	}
	return list
}

// typingTimes types a point after data.values, as a key does, and measures when the list is there.
const typingTimes = `async () => {
	const {editor: {view}, assistant} = weftPlayground, times = []
	const at = view.state.doc.toString().indexOf("data.values") + "data.values".length
	await assistant.ask("hover", view.state, at, true)
	const frame = () => new Promise(requestAnimationFrame)
	for (let i = -3; i < 20; i++) { // the first ones are compiled
		view.dispatch({changes: {from: at, to: view.state.doc.lineAt(at).to}, selection: {anchor: at}, userEvent: "delete"})
		while (document.querySelector(".cm-completionLabel")) await frame()
		await new Promise(resolve => setTimeout(resolve, 450))
		const began = performance.now()
		view.dispatch({changes: {from: at, insert: "."}, selection: {anchor: at + 1}, userEvent: "input.type"})
		while (!document.querySelector(".cm-completionLabel")) await frame()
		if (i >= 0) times.push(performance.now() - began)
		view.dispatch({changes: {from: at, to: at + 1}, selection: {anchor: at}, userEvent: "delete"})
	}
	return times
}`
