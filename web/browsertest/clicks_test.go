package browsertest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"weft/web/browsertest"
)

// names returns a JavaScript function that names what can be clicked. Things of one kind have one name.
const names = `(e => {
	const text = e.textContent.trim() || e.getAttribute("aria-label")
	const kinds = {
		".cm-editor *": "", "#tabs [aria-selected=true]": "file: open", "#tabs *": "file",
		"#values summary": "values", "#recent li *": "recent",
		".gallery *": "example: " + (e.querySelector("b")?.textContent ?? text),
		".ref": "place", ".fix": "fix", ".reset": "reset", ".problem a": "code",
		"#dialog-buttons *": "dialog: " + text, "#tour *": "tour: " + text,
		".tree summary": "tree: section", ".tree a": "tree: page", ".contents a": "contents",
		".anchor": "anchor", ".copy": "copy", ".edit": "edit",
		".open": "open", ".editor *": "file", ".turn a": "turn: " + e.rel, "figure.live *": "live: " + text,
		"#results *": "", ".button": "button: " + text, "article a": "link", ".top nav a": "top: " + text,
	}
	const kind = Object.keys(kinds).find(k => e.matches(k))
	return kind ? kinds[kind] : e.id ? "#" + e.id : e.className && !text ? "." + e.className : text
})`

// keepsBlob keeps what the page offers to save, as window.zip.
const keepsBlob = `() => {
	const create = URL.createObjectURL
	URL.createObjectURL = b => { window.zip = b; return create(b) }
}`

// clickable selects what can be clicked.
const clickable = `"button, summary, a[href], [role=tab], [role=button]"`

// visit is what a first visitor does: clicks, each with what must be true after it.
type visit struct {
	page   string // which is opened for it, in a new tab
	width  int64  // of the window; 0 means as wide as usual
	before string // JavaScript that prepares the page
	clicks [][2]string
}

// clicks makes visits, and fails if a page has something that no visit clicks on. hidden is what first
// visitors never see.
func clicks(t *testing.T, open func(*testing.T, string) *browsertest.Page, visits []visit, hidden ...string) {
	found, clicked := map[string]bool{}, map[string]bool{}
	for _, v := range visits {
		t.Run(v.clicks[0][0], func(t *testing.T) {
			p := open(t, v.page)
			if v.width != 0 {
				p.Resize(v.width, 800)
			}
			if v.before != "" {
				browsertest.Eval[any](p, v.before)
			}
			for _, c := range v.clicks {
				all := `[...document.querySelectorAll(` + clickable + `)]`
				for _, name := range browsertest.Eval[[]string](p, `() => `+all+`.map(`+names+`)`) {
					found[name] = true
				}
				p.Until("something to click: "+c[0], `name => {
					for (const e of document.querySelectorAll("[data-now]")) delete e.dataset.now
					const e = `+all+`.find(e => `+names+`(e) === name && !e.disabled && e.checkVisibility())
					if (e) e.dataset.now = ""
					return Boolean(e)
				}`, c[0])
				p.Click("[data-now]", p.Texts("[data-now]")[0])
				clicked[c[0]] = true
				p.Until(c[0]+": "+c[1], `() => Boolean(`+c[1]+`)`)
			}
		})
	}
	for name := range found {
		if name != "" && !clicked[name] && !slices.Contains(hidden, name) {
			t.Errorf("nothing clicks on %s", name)
		}
	}
}

// TestEveryButtonOfThePlayground clicks on everything that the page has, as a first visitor.
func TestEveryButtonOfThePlayground(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := browsertest.Pages(t)
	site := browsertest.Serve(t, dir)
	open := func(t *testing.T, fragment string) *browsertest.Page {
		p := b.Visit(t, site, "playground/index.html"+fragment)
		ready(p)
		return p
	}
	const (
		dialog   = `document.getElementById("dialog").open`
		noDialog = `!document.getElementById("dialog").open`
		front    = `document.querySelector(".idea")`
		status   = `document.getElementById("status").textContent`
		state    = `weftPlayground.state`
	)
	shown := func(id string) string { return `document.getElementById("` + id + `").checkVisibility()` }
	visits := []visit{
		{clicks: [][2]string{
			{"Skip to the editor", `location.hash === "#editor"`},
		}, before: `() => document.querySelector(".skip").focus()`},
		{clicks: [][2]string{{"weft", front}}},
		{clicks: [][2]string{{"Docs", `location.href.endsWith("/tutorial.html")`}}},
		{page: "?embed", clicks: [][2]string{{"#whole", `true`}}},
		{clicks: [][2]string{{"#theme-button", `document.documentElement.dataset.theme === "light"`}}},
		{clicks: [][2]string{{"#intro-close", `!` + shown("intro")}}},
		{clicks: [][2]string{
			{"Break it", shown("stale")},
			{"place", `weftPlayground.editor.view.hasFocus`},
			{"code", `true`},
		}},
		{clicks: [][2]string{
			{"Override it", state + `.files.length === 3 && document.querySelector("#panel-diff .plus")`},
		}},
		{clicks: [][2]string{
			{"Break it", shown("stale")},
			{"Override it", `document.querySelector("#panel-diff .plus") && !` + shown("stale")},
			{"Break it", shown("stale")},
			{"Explain it", shown("line") + ` && !` + shown("stale")},
			{"#edit", `weftPlayground.suggestion.on && !` + shown("line")},
		}},
		{clicks: [][2]string{
			{"Explain it", shown("line")},
			{"#step-on", `document.querySelector("#line .steps")`},
			{"#step-back", `document.querySelector("#line .steps")`},
			{"#step-close", `!` + shown("line")},
		}},
		{page: "#example=mistake", clicks: [][2]string{
			{"#problems-button", `!` + shown("problems")},
			{"#problems-button", shown("problems")},
			{"fix", `!` + state + `.result.failed && !document.querySelector(".problem.error")`},
		}},
		{width: 390, clicks: [][2]string{{"#side-out", shown("output")}, {"#side-in", shown("editor")}}},
		{clicks: [][2]string{
			{"file", state + `.current === "schema.yml"`},
			{"file: open", state + `.current === "schema.yml"`},
		}},
		{clicks: [][2]string{
			{"#add", dialog},
			{"dialog: Cancel", noDialog},
			{"#add", dialog},
			{"dialog: OK", state + `.current === "new.yml"`},
		}},
		{clicks: [][2]string{{"⋯", shown("rename")}, {"#rename", dialog}, {"dialog: OK", noDialog}}},
		{clicks: [][2]string{
			{"⋯", shown("remove")},
			{"#remove", dialog},
			{"dialog: Remove", state + `.files.length === 1`},
		}},
		{clicks: [][2]string{{"⋯", shown("format")}, {"#format", status + `.startsWith("Formatted ")`}}},
		{
			before: `() => document.getElementById("upload-input").addEventListener("click", e => {
				e.preventDefault()
				window.asked = true
			})`,
			clicks: [][2]string{{"⋯", shown("upload")}, {"#upload", `window.asked`}},
		},
		{
			before: keepsBlob,
			clicks: [][2]string{{"⋯", shown("zip")}, {"#zip", `window.zip?.size > 100`}},
		},
		{clicks: [][2]string{{"values", `!document.getElementById("values").open`}}, before: `() => {}`},
		{before: `() => {
			const field = document.querySelector("#form input[type=number], #form input")
			field.value = "7"
			field.dispatchEvent(new Event("input", {bubbles: true}))
			field.dispatchEvent(new Event("change", {bubbles: true}))
		}`, clicks: [][2]string{{"reset", `weftPlayground.form.flags.length === 0`}}},
		{clicks: [][2]string{
			{"#view-why", shown("panel-why")},
			{"#view-diff", shown("panel-diff")},
			{"#view-output", shown("panel-output")},
		}},
		{clicks: [][2]string{
			{"#view-diff", shown("panel-diff")},
			{"Pin the output", `/same as the pinned one/.test(document.querySelector("#panel-diff").textContent)`},
		}},
		{clicks: [][2]string{
			{"#pin", status + `.startsWith("Pinned")`},
			{"#pin", status + `.includes("no longer pinned")`},
		}},
		{clicks: [][2]string{{"#copy", status + `.includes("cop")`}}},
		{clicks: [][2]string{
			{"#edit", `weftPlayground.suggestion.on`},
			{"#edit", `!weftPlayground.suggestion.on`},
		}},
		{clicks: [][2]string{
			{"#share-button", dialog},
			{"dialog: Copy the link", noDialog + ` && /copied|address bar/.test(` + status + `)`},
		}},
		{
			before: keepsBlob,
			clicks: [][2]string{
				{"#share-button", dialog},
				{"dialog: Download as zip", `window.zip?.size > 100`},
			},
		},
		{clicks: [][2]string{{"#share-button", dialog}, {"dialog: Close", noDialog}}},
		{clicks: [][2]string{
			{"#tour-button", `document.getElementById("tour").open`},
			{"tour: Next", `document.querySelector("#tour .count").textContent.includes("2 of")`},
			{"tour: Back", `document.querySelector("#tour .count").textContent.includes("1 of")`},
			{"tour: End the tour", `!document.getElementById("tour").open`},
		}},
		{clicks: [][2]string{
			{"Break it", shown("stale")},
			{"#examples-button", dialog},
			{"example: A first overlay", state + `.example === "overlay"`},
			{"Back to your edits of Quick start", state + `.files.some(f => /values\.replica\n/.test(f.data))`},
			{"#examples-button", dialog},
			{"recent", noDialog},
			{"#examples-button", dialog},
			{"example: Forget these", status + `.includes("forgotten")`},
		}},
	}
	tour := visit{clicks: [][2]string{{"#tour-button", `document.getElementById("tour").open`}}}
	const steps = 8
	for i := 2; i <= steps; i++ {
		tour.clicks = append(tour.clicks,
			[2]string{"tour: Next", fmt.Sprintf(
				`document.querySelector("#tour .count").textContent === "Step %d of %d"`, i, steps)})
	}
	tour.clicks = append(tour.clicks, [2]string{"tour: Done", `!document.getElementById("tour").open`})
	gallery := visit{}
	for _, x := range galleryOf(t, dir) {
		gallery.clicks = append(gallery.clicks, [2]string{"#examples-button", dialog},
			[2]string{"example: " + x.Title, state + `.example === "` + x.ID + `" && ` + state + `.result !== null`})
	}
	// The page of weft playground has a button to save, which local_test.go uses.
	clicks(t, open, append(visits, tour, gallery), "#save")
}

func galleryOf(t *testing.T, dir string) (list []struct{ ID, Title string }) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "playground", "examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEveryButtonOfTheSite clicks on each kind of thing that pages have, as a first visitor. Where
// links lead is checked when the site is built.
func TestEveryButtonOfTheSite(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	site := browsertest.Serve(t, browsertest.Pages(t))
	open := func(t *testing.T, page string) *browsertest.Page { return b.Visit(t, site, page) }
	const guide = "guides/overlays.html"
	at := func(end string) string { return `location.href.endsWith("` + end + `")` }
	const run = `document.querySelector("figure.live")?.dataset.state === "done"`
	visits := []visit{
		{
			page:   guide,
			before: `() => document.querySelector(".skip").focus()`,
			clicks: [][2]string{
				{"Skip to the content", at("#main")},
			},
		},
		{page: guide, clicks: [][2]string{{"weft", `document.querySelector(".idea")`}}},
		{page: guide, clicks: [][2]string{{"top: Tutorial", at("/tutorial.html")}}},
		{page: guide, clicks: [][2]string{{"top: Reference", at("/reference/cli.html")}}},
		{page: guide, clicks: [][2]string{
			{"top: Playground", `location.pathname.endsWith("/playground/")`},
		}},
		{page: guide, clicks: [][2]string{
			{"#theme", `document.documentElement.dataset.theme === "light"`},
		}},
		{page: guide, clicks: [][2]string{
			{"tree: section", `document.querySelector(".tree details details").open`},
			{"tree: page", at("/install.html") +
				` || document.querySelector(".tree [aria-current]") && !` + at(guide)},
		}},
		{page: guide, clicks: [][2]string{{"contents", `location.hash !== ""`}}},
		{page: guide, clicks: [][2]string{{"link", `!` + at(guide)}}},
		{
			page:   guide,
			before: `() => document.querySelector(".anchor").focus()`,
			clicks: [][2]string{
				{"anchor", `location.hash !== ""`},
			},
		},
		{
			page:   guide,
			before: `() => document.querySelector(".copy").focus()`,
			clicks: [][2]string{
				{"copy", `/Copied|Not allowed/.test(document.querySelector(".copy").textContent)`},
			},
		},
		{page: guide, clicks: [][2]string{
			{"edit", run},
			{"file", `document.querySelector("figure.live [role=tab]").ariaSelected === "true"`},
			{"live: Run", run},
			{"live: Reset", run},
			{"open", `location.pathname.endsWith("/playground/")`},
		}},
		{page: guide, clicks: [][2]string{{"turn: prev", `!` + at(guide)}}},
		{page: guide, clicks: [][2]string{{"turn: next", `!` + at(guide)}}},
		{page: "index.html", clicks: [][2]string{{"button: Start the tutorial", at("/tutorial.html")}}},
		{page: "index.html", clicks: [][2]string{
			{"button: Try it in your browser", `location.pathname.endsWith("/playground/")`},
		}},
		{page: "index.html", clicks: [][2]string{
			{"button: Compare with other tools", at("/comparison.html")},
		}},
		{page: guide, width: 390, clicks: [][2]string{{"tree: section", `true`}}},
	}
	clicks(t, open, visits)
}
