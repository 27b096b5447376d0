package browsertest_test

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"weft/web/browsertest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	browsertest.RemoveBuilt()
	os.Exit(code)
}

// beside lets a test run beside others, as browsers wait a lot. Long runs measure times, one after another.
func beside(t *testing.T) {
	if !browsertest.Long() {
		t.Parallel()
	}
}

// TestSite reads the site, searches it and runs its examples, as people do.
func TestSite(t *testing.T) {
	beside(t)
	b := browsertest.StartLocal(t)
	dir := browsertest.Pages(t)
	site := browsertest.Serve(t, dir)

	t.Run("HTML is valid", func(t *testing.T) { validHTML(t, dir) })

	t.Run("pages are complete without scripts", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"index.html")
		p.Scripts(false)
		defer p.Scripts(true) // the end of a test needs them
		p.Go(site.URL + "guides/overlays.html")
		text := strings.Join(p.Texts("article"), "\n")
		for _, want := range []string{"Left, right, result", "weft -f base.yml -f image.yml", "image: web:2.0"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not show %q", want)
			}
		}
		if links := p.Texts(".tree a"); len(links) < 30 {
			t.Errorf("the tree has %d pages", len(links))
		}
		for _, selector := range []string{".edit", ".copy", "#search:not([hidden])", "#theme:not([hidden])"} {
			want(t, p, selector)
		}
		p.Shoot("site-without-scripts")
		want(t, p, ".turn [rel=next]", "Next My overlay does not match")
	})

	t.Run("the front page shows a template and its output", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"index.html")
		const output = `() => [...document.querySelectorAll(".made pre")].filter(e => e.checkVisibility()).map(e => e.textContent).join()`
		if got := browsertest.Eval[string](p, output); !strings.Contains(got, "replicas: 3\n") {
			t.Errorf("the output is\n%s", got)
		}
		p.Click("label[for=replicas-1]", "1")
		if got := browsertest.Eval[string](p, output); !strings.HasSuffix(got, "replicas: 1\n") {
			t.Errorf("the output is\n%s", got)
		}
		p.Click("label[for=replicas-5]", "5")
		lit := browsertest.Eval[[]string](p, `() => {
			const line = [...document.querySelectorAll("#made-5 .step")].find(s => s.textContent.includes("name:"))
			line.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))
			return [...document.querySelectorAll(".step.lit")].filter(e => e.checkVisibility()).map(e => e.textContent.trim())
		}`)
		if diff := cmp.Diff([]string{"name: #@ data.values.name", "name: shop"}, lit); diff != "" {
			t.Errorf("lit lines (-want +got):\n%s", diff)
		}
	})

	t.Run("search finds", func(t *testing.T) { searches(t, b, site) })

	t.Run("on a disk, search finds, too", func(t *testing.T) {
		p := b.OpenIn(t, dir, "guides/overlays.html")
		p.Press("/")
		p.Press("which value wins")
		p.Until("results", `() => document.querySelectorAll("#results [role=option]").length > 2`)
		p.Press(kb.Enter)
		p.Until("the page", `() => location.href.endsWith("/reference/which-value-wins.html")`)
		p.Go(browsertest.FileURL(t, dir, "guides/overlays.html"))
		want(t, p, ".edit") // browsers load no programs from a disk
		p.Go(browsertest.FileURL(t, dir, "playground/index.html"))
		p.Until("the words", `() => document.getElementById("problems").textContent.includes("needs a web server")`)
	})

	t.Run("an example is opened in the playground", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"guides/overlays.html")
		tested := browsertest.Eval[string](p, `() => {
			const link = document.querySelector("figure.run a.open"), text = link.closest("figure").querySelector("pre").textContent
			link.click()
			return text
		}`)
		p.Until("the playground", `() => location.pathname.includes("/playground/") && typeof weftPlayground === "object"`)
		ready(p)
		if got := output(p); got != tested+"\n" {
			t.Errorf("the playground shows\n%s\nexpected\n%s", got, tested)
		}
		p.Click("h1 a", "weft")
		p.Until("the front page", `() => document.querySelector(".idea") !== null`)
	})

	t.Run("the playground is shown in a frame", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"playground/index.html?embed#example=values")
		ready(p)
		for _, hidden := range []string{"#share-button", "#intro", "#docs"} {
			if browsertest.Eval[bool](p, `id => document.querySelector(id).checkVisibility()`, hidden) {
				t.Errorf("%s is shown", hidden)
			}
		}
		p.Shoot("playground-embedded")
		if got := browsertest.Eval[string](p, `() => document.getElementById("whole").href`); got != site.URL+"playground/index.html#example=values" {
			t.Errorf("the link leads to %s", got)
		}
	})

	t.Run("messages lead to the pages of their codes", func(t *testing.T) {
		leadToCodes(t, b.OpenURL(t, site.URL+"guides/overlay-does-not-match.html"), "article pre a")
	})

	t.Run("an example is changed and run", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"guides/overlays.html")
		tested := p.Texts("figure.run pre")[0]
		browsertest.Eval[any](p, `() => document.querySelector("figure.run .edit").click()`)
		p.Until("the output", `() => document.querySelector("figure.live")?.dataset.state === "done"`)
		if diff := cmp.Diff(tested, p.Texts("figure.live pre")[0]); diff != "" {
			t.Errorf("(-tested +run):\n%s", diff)
		}
		p.Shoot("site-live")
		want(t, p, "figure.live [role=tab]", "base.yml", "more.yml")
		want(t, p, "figure.live [role=tab][aria-selected=true]", "more.yml")
		for _, bad := range p.Axe() {
			t.Error(bad)
		}
		typed(p, "replicas: a: b")
		p.Until("the error", `() => document.querySelector("figure.live pre").textContent.includes("more.yml:1:12: error: ")`)
		leadToCodes(t, p, "figure.live pre a")
		if status := p.Texts("figure.live .status")[0]; !strings.HasPrefix(status, "changed · failed · ") {
			t.Errorf("the status is %q", status)
		}
		p.Until("the mark", `() => document.querySelector("#live-1").shadowRoot.querySelector(".cm-lintRange-error") !== null`)
		p.Shoot("site-live-error")
		browsertest.Eval[any](p, `() => [...document.querySelectorAll("figure.live button")].find(b => b.textContent === "Reset").click()`)
		p.Until("the tested output", `want => document.querySelector("figure.live pre").textContent === want`, tested)
		typed(p, "added: a/b") // a slash is not for the search there
		p.Until("the change", `() => document.querySelector("figure.live pre").textContent.includes("added: a/b")`)
		browsertest.Eval[any](p, `() => document.querySelector("figure.live a.open").click()`)
		p.Until("the playground", `() => location.pathname.includes("/playground/") && typeof weftPlayground === "object"`)
		ready(p)
		if got := output(p); !strings.Contains(got, "added: a/b") {
			t.Errorf("the playground shows\n%s", got)
		}
	})

	t.Run("pages load what runs examples when it is used", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"guides/overlays.html")
		const loaded = `() => performance.getEntriesByType("resource").map(e => e.name.replace(/.*\//, "")).filter(n => /^(live|weft|share|find)/.test(n))`
		if got := browsertest.Eval[[]string](p, loaded); len(got) > 0 {
			t.Errorf("a page that is read loads %q", got)
		}
		browsertest.Eval[any](p, `() => document.querySelector("figure.run .edit").click()`)
		p.Until("the output", `() => document.querySelector("figure.live")?.dataset.state === "done"`)
		if diff := cmp.Diff([]string{"live.js", "weft.wasm"}, browsertest.Eval[[]string](p, loaded)); diff != "" {
			t.Errorf("(-want +loaded):\n%s", diff)
		}
		budget(t, "live.js with gzip", gzipped(t, filepath.Join(dir, "assets", "live.js")), 120_000)
	})

	t.Run("an example without an end is stopped", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"index.html")
		browsertest.Eval[any](p, `() => document.querySelector("figure.run .edit").click()`)
		p.Until("the output", `() => document.querySelector("figure.live")?.dataset.state === "done"`)
		typed(p, "#@ for i in range(1000*1000*1000*1000):\n#@ end\n")
		p.Until("the end", `() => /too long|steps/.test(document.querySelector("figure.live pre").textContent)`)
	})

	t.Run("without weft.wasm there are words", func(t *testing.T) {
		broken := browsertest.Serve(t, dir)
		broken.Lose("playground/weft.wasm")
		p := b.OpenURL(t, broken.URL+"tutorial.html")
		browsertest.Eval[any](p, `() => document.querySelector("figure.run .edit").click()`)
		p.Until("the words", `() =>
			Boolean(document.querySelector("figure.live .status")?.textContent.includes("404 for weft.wasm"))`)
		for _, problem := range p.Problems() {
			if !strings.Contains(problem, "404") {
				t.Error(problem)
			}
		}
	})

	t.Run("examples print in the browser what was tested", func(t *testing.T) {
		runExamples(t, b, site, dir)
	})

	t.Run("a phone shows all of a list of codes", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"reference/lint-rules.html")
		for _, width := range []int64{390, 320} {
			p.Resize(width, 800)
			tables := browsertest.Eval[[]bool](p, `() => [...document.querySelectorAll(".table")]
				.filter(e => e.querySelector("th:nth-child(2)")?.textContent === "severity").map(e => e.scrollWidth <= e.clientWidth)`)
			if len(tables) < 5 || slices.Contains(tables, false) {
				t.Errorf("at %d pixels, the tables fit: %v", width, tables)
			}
			if height := browsertest.Eval[int](p, `() => document.querySelector(".top").offsetHeight`); height > 100 {
				t.Errorf("at %d pixels, the head of the page takes %d pixels", width, height)
			}
		}
		usable(t, p, "site-lint-rules")
		p.Shoot("site-lint-rules")
	})

	t.Run("everyone can use it", func(t *testing.T) {
		p := b.OpenURL(t, site.URL+"index.html")
		for _, name := range []string{
			"index", "guides/data-values", "benchmarks", "comparison", "reference/codes/overlay/match-count",
		} {
			p.Go(site.URL + name + ".html")
			for i, width := range browsertest.Widths() {
				for j, colors := range []string{"light", "dark"} {
					p.PreferColors(colors)
					p.Resize(width, 900)
					label := fmt.Sprintf("site-%s-%s-%d", strings.ReplaceAll(name, "/", "-"), colors, width)
					p.Shoot(label)
					if i%2 == j || name == "index" { // other pages are made of the same parts
						usable(t, p, label)
					}
				}
			}
		}
	})
}

// searches looks for things with the keyboard.
func searches(t *testing.T, b *browsertest.Browser, site *browsertest.Site) {
	p := b.OpenURL(t, site.URL+"tutorial.html")
	first := func(query string) []string {
		browsertest.Eval[any](p, `() => { document.getElementById("query").value = ""; document.activeElement.blur() }`)
		p.Press("/")
		p.Insert(query) // each key would search
		p.Until("results for "+query, `() => !document.getElementById("results").hidden`)
		return browsertest.Eval[[]string](p, `() => [...document.querySelectorAll("#results [role=option]")].slice(0, 3).map(o => o.dataset.url)`)
	}
	if urls := first("zzz-qqq"); len(urls) > 0 {
		t.Errorf("zzz-qqq: found %q", urls)
	}
	text, err := os.ReadFile("testdata/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	queries, missed := strings.Split(strings.TrimSpace(string(text)), "\n"), 0
	for _, line := range queries {
		query, pages, _ := strings.Cut(line, "\t")
		urls := strings.Join(first(query), " ")
		if !slices.ContainsFunc(strings.Split(pages, "|"), func(page string) bool { return strings.Contains(urls, page) }) {
			missed++
			t.Logf("%s: found %s, expected %s among the first three", query, urls, pages)
		}
	}
	if len(queries) < 41 || missed*41 > 3*len(queries) {
		t.Errorf("of %d queries, %d do not find the right page among the first three", len(queries), missed)
	}
	browsertest.Eval[any](p, `() => { document.getElementById("query").value = ""; document.activeElement.blur() }`)
	p.Press("/")
	p.Press("blame")
	p.Until("results", `() => document.querySelectorAll("#results [role=option]").length > 2`)
	for _, width := range []int64{390, 768, 1280} {
		p.Resize(width, 900)
		if wide := browsertest.Eval[int64](p, `() => document.documentElement.scrollWidth`); wide > width {
			t.Errorf("with results, a window of %d pixels has a page of %d", width, wide)
		}
	}
	for _, bad := range p.Axe() {
		t.Error(bad)
	}
	p.Shoot("site-search")
	p.Resize(360, 740)
	if box := browsertest.Eval[struct{ Left, Right float64 }](p, `() => {
		const {left, right} = document.getElementById("results").getBoundingClientRect()
		return {left, right}
	}`); box.Left < 0 || box.Right > 360 {
		t.Errorf("on a phone, the results are cut: they reach from %v to %v", box.Left, box.Right)
	}
	p.Resize(1280, 800)
	p.Press(kb.ArrowDown)
	chosen := browsertest.Eval[string](p, `() => document.querySelectorAll("#results [role=option]")[1].dataset.url`)
	p.Press(kb.Enter)
	p.Until("the page", `url => location.href.endsWith(url.replace(/^(\.\.\/)*/, ""))`, chosen)
}

// typed replaces the text of the file that a live example shows.
func typed(p *browsertest.Page, text string) {
	p.Until("the editor", `() => document.activeElement?.shadowRoot?.activeElement?.classList.contains("cm-content") ?? false`)
	p.Chord("Control", "a")
	p.Press(text)
}

// leadToCodes follows links from messages: each leads to the page of its code.
func leadToCodes(t *testing.T, p *browsertest.Page, selector string) {
	t.Helper()
	links := browsertest.Eval[[][2]string](p, `selector => Promise.all([...document.querySelectorAll(selector)].map(async a => {
		const page = new DOMParser().parseFromString(await (await fetch(a.href)).text(), "text/html")
		return [a.textContent, page.querySelector("h1")?.textContent.replace(/ #$/, "") ?? ""]
	}))`, selector)
	if len(links) == 0 {
		t.Errorf("there are no links from codes in %s", selector)
	}
	for _, l := range links {
		if !strings.Contains(l[1], l[0]) {
			t.Errorf("%s leads to the page %q", l[0], l[1])
		}
	}
}

// validHTML has a validator read the pages. Of those that are made of tables, it reads a part.
func validHTML(t *testing.T, dir string) {
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		filepath.Join(web, "node_modules", "html-validate", "bin", "html-validate.mjs"),
		"--config", filepath.Join(web, "htmlvalidate.json"),
	}
	for _, pattern := range []string{"*.html", "*/*.html", "reference/codes/overlay/*.html"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, names...)
	}
	cmd := exec.Command("node", args...)
	cmd.Dir = web
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

var (
	pageExamples = regexp.MustCompile(`(?s)<script type="application/json" id="examples">(.*?)</script>`)
	pageRun      = regexp.MustCompile(`(?s)<figure class="run" data-run="\d+">.*?<pre tabindex="0"><code>(.*?)</code></pre>`)
	tag          = regexp.MustCompile(`<[^>]*>`)
)

// liveRun is an example of a page, as the page has it.
type liveRun struct {
	Page   string   `json:"page"`
	Args   []string `json:"args"`
	Files  []file   `json:"files"`
	Output string   `json:"output"`
}

// runsOf reads the live examples of all pages.
func runsOf(t *testing.T, dir string) (list []liveRun) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" || strings.Contains(name, "/codes/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		m := pageExamples.FindSubmatch(data)
		if m == nil {
			return nil
		}
		var page struct {
			Texts []string
			Runs  []struct {
				Args  []string
				Files map[string]int
				Live  bool
			}
		}
		if err := json.Unmarshal(m[1], &page); err != nil {
			return err
		}
		shown := pageRun.FindAllSubmatch(data, -1)
		if len(shown) != len(page.Runs) {
			return fmt.Errorf("%s shows %d examples, and has %d", name, len(shown), len(page.Runs))
		}
		for i, r := range page.Runs {
			if !r.Live {
				continue
			}
			x := liveRun{Page: name, Args: r.Args}
			for path, text := range r.Files {
				x.Files = append(x.Files, file{path, page.Texts[text]})
			}
			x.Output = html.UnescapeString(string(tag.ReplaceAll(shown[i][1], nil)))
			list = append(list, x)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// runExamples runs the examples of the site in the browser: one in four, and all of them in long runs.
// The tests of the repository have run them all, with weft for this machine.
func runExamples(t *testing.T, b *browsertest.Browser, site *browsertest.Site, dir string) {
	list := runsOf(t, dir)
	if len(list) < 280 {
		t.Errorf("%d examples are live, expected 280 or more", len(list))
	}
	if !browsertest.Long() {
		var some []liveRun
		for part := range slices.Chunk(list, 4) {
			some = append(some, part[0])
		}
		list = some
	}
	p := b.OpenURL(t, site.URL+"index.html")
	for part := range slices.Chunk(list, 12) {
		outputs := browsertest.Eval[[]string](p, `async (base, list) => {
			const {execute} = await import(base + "assets/live.js")
			const outputs = []
			for (const x of list) outputs.push((await execute("test", x.args, x.files)).screen)
			return outputs
		}`, site.URL, part)
		for i, x := range part {
			if diff := cmp.Diff(x.Output, strings.TrimSuffix(outputs[i], "\n")); diff != "" {
				t.Errorf("%s: weft %s (-tested +browser):\n%s", x.Page, strings.Join(x.Args, " "), diff)
			}
		}
	}
	t.Logf("%d examples", len(list))
}
