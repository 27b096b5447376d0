package browsertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"weft/web/browsertest"
)

const typedText = "typed: by hand\n"

// TestWorkIsKept types into the playground and does what has thrown edits away: another example, the
// tour, a link, Back, a closed tab.
func TestWorkIsKept(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	site := browsertest.Serve(t, browsertest.Playground(t))
	open := func(t *testing.T, fragment string) *browsertest.Page {
		t.Helper()
		p := b.OpenURL(t, site.URL+fragment)
		ready(p)
		return p
	}
	edited := func(p *browsertest.Page) {
		p.Until("what was typed", `text => weftPlayground.state.files.some(f => f.data === text) &&
			weftPlayground.output.text === text`, typedText)
	}
	edit := func(p *browsertest.Page) {
		browsertest.Eval[any](p, `() => {
			for (const f of weftPlayground.state.files) f.data = ""
		}`)
		setText(p, "app.yml", typedText)
		edited(p)
	}

	choose := func(p *browsertest.Page) {
		p.Until("the examples", `() => document.querySelectorAll(".gallery b").length > 0`)
		browsertest.Eval[any](p, `() => [...document.querySelectorAll(".gallery b")].at(-1).click()`)
	}

	t.Run("a first visitor has an explanation at once", func(t *testing.T) {
		p := open(t, "")
		histories(p)
		p.Click(".chip", "Explain it")
		p.Until("the explanation", `() => !document.getElementById("line").hidden &&
			document.getElementById("line").textContent !== ""`)
	})
	t.Run("another example", func(t *testing.T) {
		p := open(t, "")
		edit(p)
		p.Click("#examples-button", "Examples")
		choose(p)
		p.Until("the example", `() => weftPlayground.state.example !== "quickstart"`)
		p.Until("the way back", `() => [...document.querySelectorAll(".chip")].some(c => c.textContent.startsWith("Back to your edits"))`)
		browsertest.Eval[any](p, `() => [...document.querySelectorAll(".chip")].find(c => c.textContent.startsWith("Back to your edits")).click()`)
		edited(p)
	})
	t.Run("the button Back, and a link", func(t *testing.T) {
		p := open(t, "")
		edit(p)
		p.Click("#examples-button", "Examples")
		choose(p)
		p.Until("the example", `() => weftPlayground.state.example !== "quickstart"`)
		browsertest.Eval[any](p, `() => history.back()`)
		edited(p)
		browsertest.Eval[any](p, `() => { location.hash = "example=values" }`)
		p.Until("the link", `() => weftPlayground.state.example === "values"`)
		browsertest.Eval[any](p, `() => history.back()`)
		edited(p)
	})
	t.Run("what was typed can be undone after another example", func(t *testing.T) {
		p := open(t, "")
		before := browsertest.Eval[string](p, `() => weftPlayground.editor.text("app.yml")`)
		setText(p, "app.yml", typedText)
		edited(p)
		p.Click("#examples-button", "Examples")
		choose(p)
		p.Until("the example", `() => weftPlayground.state.example !== "quickstart"`)
		setText(p, p.Texts("#tabs [aria-selected=true]")[0], "typed: in the example\n")
		p.Until("it is kept", `() => weftPlayground.state.work.kept !== undefined`)
		browsertest.Eval[any](p, `() => history.back()`)
		edited(p)
		undone := func(what string) {
			browsertest.Eval[any](p, `() => weftPlayground.editor.view.focus()`)
			p.Chord("Control", "z")
			if got := browsertest.Eval[string](p, `() => weftPlayground.editor.view.state.doc.toString()`); got != before {
				t.Errorf("undone %s, the file is\n%s", what, got)
			}
			p.Chord("Control", "y")
			edited(p)
		}
		undone("after Back")
		browsertest.Eval[any](p, `() => document.getElementById("rename").click()`)
		p.Press("sub/other")
		p.Press(kb.Enter)
		p.Until("the name", `() => weftPlayground.state.current === "sub/other.yml"`)
		undone("after another name")
	})
	t.Run("a reload after sharing", func(t *testing.T) {
		p := open(t, "")
		edit(p)
		p.Click("#share-button", "Share")
		p.Until("the link", `() => location.hash.startsWith("#1")`)
		id := browsertest.Eval[string](p, `() => weftPlayground.state.work.id`)
		p.Reload()
		ready(p)
		edited(p)
		if got := browsertest.Eval[string](p, `() => weftPlayground.state.work.id`); got != id {
			t.Errorf("it is another project than before: %s", p.Texts("#intro"))
		}
	})
	t.Run("a tab that was duplicated", func(t *testing.T) {
		p := open(t, "")
		edit(p)
		p.Until("it is kept", `() => weftPlayground.state.work.kept !== undefined`)
		id := browsertest.Eval[string](p, `() => weftPlayground.state.work.id`)
		same := p.Another(site.URL)
		ready(same)
		browsertest.Eval[any](same, `stored => sessionStorage.setItem("weft-work", stored)`,
			browsertest.Eval[string](p, `() => sessionStorage.getItem("weft-work")`))
		same.Reload()
		ready(same)
		edited(same)
		same.Until("a name of its own", `id => weftPlayground.state.work.id !== id`, id)
		setText(same, "app.yml", "typed: elsewhere\n")
		same.Until("it is kept, too", `() => (weftPlayground.state.work.kept ?? "").includes("elsewhere")`)
		same.Settle()
		same.Click("#examples-button", "Examples")
		same.Until("both projects", `() => document.querySelectorAll("#recent li").length === 2`)
		edited(p)
	})
	t.Run("a closed tab", func(t *testing.T) {
		p := open(t, "")
		edit(p)
		// It is written a moment later, as the tab is hidden or half a second after the last key.
		p.Until("it is kept", `() => weftPlayground.state.work.kept !== undefined`)
		p.Settle()
		browsertest.Eval[any](p, `() => sessionStorage.clear()`)
		p.Go(site.URL + "#example=values")
		p.Go(site.URL)
		ready(p)
		p.Until("the example", `() => weftPlayground.state.example === "quickstart"`)
		p.Click("#examples-button", "Examples")
		p.Until("the list", `() => document.querySelectorAll("#recent li").length > 0`)
		browsertest.Eval[any](p, `() => document.querySelector("#recent li button").click()`)
		edited(p)
	})
	t.Run("an engine that cannot start says so", func(t *testing.T) {
		p := b.OpenURL(t, site.URL)
		ready(p)
		browsertest.Eval[any](p, `() => {
			const {engine} = weftPlayground
			engine.module = "no program"
			engine.broken("a test")
		}`)
		setText(p, "app.yml", "a: 2\n")
		p.Until("the words", `() => document.getElementById("problems").textContent.includes("weft could not be started in this browser")`)
		if restarts := browsertest.Eval[int](p, `() => weftPlayground.engine.restarts`); restarts != 1 {
			t.Errorf("it was started again %d times", restarts)
		}
		p.Problems()
	})
}

// TestRestarts stops the program again and again, as endless loops do, and has it end with words after three
// restarts. Reloading the page, as the words say, brings it back, with what was edited.
func TestRestarts(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	site := browsertest.Serve(t, browsertest.Playground(t))
	p := b.OpenURL(t, site.URL)
	ready(p)
	setText(p, "app.yml", "edited: 1\n")
	p.Until("the output", `() => weftPlayground.output.text.includes("edited: 1")`)
	histories(p) // after that, the page asks nothing
	got := browsertest.Eval[[]string](p, `async () => {
		const {engine} = weftPlayground, messages = []
		const deaf = () => { engine.worker.postMessage = () => {} } // it does not answer
		const start = engine.start.bind(engine)
		engine.start = () => {
			const ready = start()
			deaf()
			return ready
		}
		deaf()
		for (let i = 0; i < 5; i++) {
			await engine.ready.catch(() => {})
			const answer = engine.ask("test", {files: [], want: ["output"]}).then(() => "answered", err => err.message)
			await new Promise(resolve => setTimeout(resolve)) // the request is running
			if (engine.running) engine.broken("Stopped: the code takes too long.")
			messages.push(await answer)
		}
		return [...messages, String(engine.restarts)]
	}`)
	const stopped = "Stopped: the code takes too long."
	const end = stopped + " It stopped 4 times in a row, and is not started again: reload the page."
	if diff := cmp.Diff([]string{stopped, stopped, stopped, end, end, "3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	setText(p, "app.yml", "edited: 2\n")
	p.Until("the words", `() => document.getElementById("problems").textContent.includes("reload the page")`)
	p.Reload()
	p.Until("the output", `() => typeof weftPlayground === "object" && weftPlayground.output.text.includes("edited: 2")`)
}

// TestSecondVisit opens the page once more, by its file, from a server that redirects that to the folder, as many
// do: what the service worker has kept is a redirected answer, which browsers refuse as a page.
func TestSecondVisit(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	site := browsertest.Serve(t, browsertest.Pages(t))
	p := b.OpenURL(t, site.URL+"playground/index.html")
	ready(p)
	p.Until("the service worker", `() => navigator.serviceWorker.controller !== null`)
	p.Go(site.URL + "playground/index.html?embed#example=values")
	ready(p)
	p.Until("the example", `() => weftPlayground.state.example === "values"`)
}

// TestLocalWorkIsKept changes files of this machine on both sides, reloads the page, and lets a request
// fail.
func TestLocalWorkIsKept(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("app.yml", "a: 1\n")
	write("other.yml", "b: 1\n")
	p := b.OpenURL(t, browsertest.Local(t, dir, "-f", ".", "--write"))
	ready(p)

	setText(p, "app.yml", "a: 2\n")
	p.Until("the output", `() => weftPlayground.output.text === "a: 2\n---\nb: 1\n"`)
	if !browsertest.Eval[bool](p, `() => !window.dispatchEvent(new Event("beforeunload", {cancelable: true}))`) {
		t.Error("the page goes without asking")
	}
	dontAsk := func() {
		browsertest.Eval[any](p, `() => { onbeforeunload = null }`)
	}
	dontAsk()
	p.Reload()
	ready(p)
	dontAsk()
	p.Until("what was not saved", `() => weftPlayground.output.text === "a: 2\n---\nb: 1\n"`)

	write("app.yml", "a: 3\n")
	p.Until("the conflict", `() => document.getElementById("conflict").textContent.includes("has changed on disk, and here, too")`)
	p.Click("#conflict button", "Keep mine")
	p.Until("no conflict", `() => document.getElementById("conflict").hidden`)
	browsertest.Eval[any](p, `() => document.getElementById("save").click()`)
	p.Until("the file on disk", `() => weftPlayground.state.files.find(f => f.path === "app.yml").disk === "a: 2\n"`)

	browsertest.Eval[any](p, `() => {
		const real = window.fetch
		let failures = 1
		window.fetch = (url, ...rest) => String(url).endsWith("api/wait") && failures-- > 0 ? Promise.reject(new Error("gone")) : real(url, ...rest)
	}`)
	write("other.yml", "b: 2\n") // ends the request that waits; the next one fails
	p.Until("the change", `() => weftPlayground.output.text === "a: 2\n---\nb: 2\n"`)
	write("other.yml", "b: 3\n")
	p.Until("a change after a failure", `() => weftPlayground.output.text === "a: 2\n---\nb: 3\n"`)

	browsertest.Eval[any](p, `() => { weftPlayground.state.files.push({path: "new.yml", data: "n: 1\n"}) }`)
	setText(p, "other.yml", "b: 4\n")
	p.Until("the tab", `() => [...document.querySelectorAll("#tabs [role=tab]")].some(t => t.textContent === "new.yml")`)
	browsertest.Eval[any](p, `() => {
		[...document.querySelectorAll("#tabs [role=tab]")].find(t => t.textContent === "new.yml").click()
		document.getElementById("save").click()
	}`)
	p.Until("the file on disk", `() => weftPlayground.state.files.find(f => f.path === "new.yml").disk === "n: 1\n"`)
	if data, err := os.ReadFile(filepath.Join(dir, "new.yml")); err != nil || !strings.HasPrefix(string(data), "n: 1") {
		t.Errorf("the new file has %q, %v", data, err)
	}
}
