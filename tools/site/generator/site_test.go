package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
)

const repository = "../../.."

// whole is the site of this repository.
func whole(t *testing.T) *site {
	t.Helper()
	s, err := build(repository, "https://weft.example/docs", true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSite makes the site of this repository, twice.
func TestSite(t *testing.T) {
	s := whole(t)
	t.Run("the same sources give the same bytes", func(t *testing.T) {
		again := whole(t)
		if diff := cmp.Diff(sortedKeys(s.files), sortedKeys(again.files)); diff != "" {
			t.Fatal(diff)
		}
		for name, data := range s.files {
			if !bytes.Equal(data, again.files[name]) {
				t.Errorf("%s differs from build to build", name)
			}
		}
	})
	t.Run("every Markdown file of docs is a page", func(t *testing.T) {
		for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
			names, err := filepath.Glob(filepath.Join(repository, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				rel, _ := filepath.Rel(repository, name)
				if p := s.bySource[filepath.ToSlash(rel)]; p == nil || s.files[p.url] == nil {
					t.Errorf("%s is no page", rel)
				}
			}
		}
	})
	t.Run("messages of examples can be searched", func(t *testing.T) {
		for _, e := range s.bySource["docs/reference/starlark.md"].entries() {
			if strings.Contains(e.Text, "got newline, want ':'") && !strings.Contains(e.Text, "[script/syntax]") {
				return
			}
		}
		t.Error("no section of reference/starlark.html has the message of its example")
	})
	t.Run("words for the search are not shown", func(t *testing.T) {
		sections := s.bySource["docs/recipes/sidecar.md"].entries()
		if !strings.Contains(sections[0].Words, "inject a container") || sections[1].Words != "" {
			t.Errorf("the words of recipes/sidecar.html are %q and %q", sections[0].Words, sections[1].Words)
		}
		for url, data := range s.files {
			if strings.HasSuffix(url, ".html") && strings.Contains(string(data), searched) {
				t.Errorf("%s shows the words for the search", url)
			}
		}
	})
	t.Run("pages say where they are, and the site lists them", func(t *testing.T) {
		page := string(s.files["guides/overlays.html"])
		const address = "https://weft.example/docs/guides/overlays.html"
		if !strings.Contains(page, `<link rel="canonical" href="`+address+`">`) ||
			!strings.Contains(page, `<meta property="og:title" content="Overlays: `) {
			t.Error("guides/overlays.html does not say where it is")
		}
		if !strings.Contains(string(s.files["index.html"]), `name="description" content="weft renders, patches and checks YAML`) {
			t.Error("the front page is described by something else than its first paragraph")
		}
		for _, p := range s.pages {
			page := string(s.files[p.url])
			for _, want := range []string{
				`<link rel="canonical" href="https://weft.example/docs/`, `<meta property="og:url" content="https://`,
				`<meta property="og:image" content="https://weft.example/docs/assets/icon.png">`,
			} {
				if !strings.Contains(page, want) {
					t.Errorf("%s has no %s", p.url, want)
				}
			}
			if strings.Contains(page, `name="description" content=""`) {
				t.Errorf("%s has no description", p.url)
			}
		}
		if list := string(s.files["sitemap.xml"]); strings.Count(list, "<loc>") != len(s.pages)+1 ||
			!strings.Contains(list, "<loc>"+address+"</loc>") || !strings.Contains(list, "/playground/") {
			t.Errorf("the site has %d pages, but its list %d", len(s.pages), strings.Count(list, "<loc>"))
		}
	})
	t.Run("an address that does not exist shows the way to all pages", func(t *testing.T) {
		page := string(s.files["404.html"])
		for _, want := range []string{
			`href="/docs/guides/overlays.html"`, `href="/docs/assets/site.css"`, `data-root="/docs/"`, `id="search"`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("404.html has no %s", want)
			}
		}
	})
	t.Run("every code has a page", func(t *testing.T) {
		for _, info := range diag.Codes() {
			text := string(s.files["reference/codes/"+string(info.Code)+".html"])
			if !strings.Contains(text, "<h1 id=") || !strings.Contains(text, "Severity:") {
				t.Errorf("%s has no page", info.Code)
			}
		}
	})
	t.Run("every tested example is on its page, with its output", func(t *testing.T) {
		if s.runs < 100 {
			t.Errorf("there are only %d examples", s.runs)
		}
		for _, p := range s.pages {
			if got := strings.Count(string(s.files[p.url]), `<figure class="run"`); got != len(p.runs) {
				t.Errorf("%s shows %d of %d examples", p.url, got, len(p.runs))
			}
			for _, r := range p.runs {
				if len(r.files) == 0 {
					t.Errorf("%s: weft %s has no files", p.url, strings.Join(r.args, " "))
				}
			}
		}
	})
	t.Run("every example is live, or static for a reason", func(t *testing.T) { liveOrStatic(t, s) })
	t.Run("no figure has a label besides its caption", func(t *testing.T) {
		label := regexp.MustCompile(`<p><code>[^<]*</code>:</p>\s*<figure class="file"|` +
			`<pre[^>]*><code>(?:<[^>]*>)*\$ weft [^\n]*(?:\\\n[^\n]*)*</pre>\s*<figure class="run"`)
		for _, p := range s.pages {
			if found := label.Find(s.files[p.url]); found != nil {
				t.Errorf("%s has %s", p.url, found)
			}
		}
	})
	t.Run("what pages refer to is there", func(t *testing.T) { references(t, s) })
	t.Run("nothing is loaded from elsewhere", func(t *testing.T) {
		foreign := regexp.MustCompile(`(?:src|<link rel="[^c][^>]* href)="(?:https?:)?//`) // but canonical is only said
		for name, data := range s.files {
			if found := foreign.Find(data); found != nil && strings.HasSuffix(name, ".html") {
				t.Errorf("%s has %s", name, found)
			}
		}
	})
}

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	identity  = regexp.MustCompile(` id="([^"]*)"`)
)

// references follows every link of every page, as a browser does.
func references(t *testing.T, s *site) {
	ids := map[string]map[string]bool{}
	for name, data := range s.files {
		ids[name] = map[string]bool{}
		for _, m := range identity.FindAllSubmatch(data, -1) {
			ids[name][string(m[1])] = true
		}
	}
	built := regexp.MustCompile(`^playground/`)
	for name, data := range s.files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range reference.FindAllSubmatch(data, -1) {
			link := string(m[1])
			if strings.Contains(link, "://") {
				continue
			}
			file, fragment, _ := strings.Cut(link, "#")
			to := name
			if below, ok := strings.CutPrefix(file, s.path); ok {
				to = below
			} else if file != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if s.files[to] == nil && !built.MatchString(to) {
				t.Errorf("%s links to %s, which is not there", name, link)
			} else if fragment != "" && !ids[to][fragment] {
				t.Errorf("%s links to %s, which has no such place", name, link)
			}
		}
	}
}

// TestMistakesInPages has mistakes of writers reported with their file and line.
func TestMistakesInPages(t *testing.T) {
	tests := map[string]struct{ page, want string }{
		"a link to no page": {
			"# T\n\ntext\n[x](missing.md)\n", "docs/t.md:4: the link leads to docs/missing.md, which is not there",
		},
		"a link to no heading": {
			"# T\n\n[x](#nowhere)\n", "docs/t.md:3: docs/t.md has no heading '#nowhere'",
		},
		"a link to no heading of another page": {
			"# T\n\n[x](../README.md#nowhere)\n", "docs/t.md:3: README.md has no heading '#nowhere'",
		},
		"a link out of the repository": {
			"# T\n\n[x](../../secret)\n", "docs/t.md:3: the link leads to ../secret, which is not there",
		},
		"a picture that is missing": {
			"# T\n\n![x](x.png)\n", "docs/t.md:3: the picture docs/x.png is not there",
		},
		"HTML": {
			"# T\n\n<script>alert(1)</script>\n", "docs/t.md:3: HTML is not allowed here: <script>alert(1)</script>",
		},
		"HTML in a line": {
			"# T\n\na <b>b</b>\n", "docs/t.md:3: HTML is not allowed here: <b>",
		},
		"no title": {
			"text\n", "docs/t.md:1: expected a title, a line such as '# Overlays'",
		},
		"another output": {
			"# T\n\n<!-- example: a.yml -->\n\n```yaml\na: 1\n```\n\n<!-- output: weft -f a.yml -->\n\n```yaml\na: 2\n```\n",
			"docs/t.md:12: weft -f a.yml prints something else; run go test . -run TestDocs -update",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := build(small(t, tt.page), "", false)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v\nexpected %s", err, tt.want)
			}
		})
	}
}

// small is a repository with one more page.
func small(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	readme := "# weft\n\nweft renders.\n\n## Documentation\n\n- [t](docs/t.md)\n"
	table := "| workload | compared | with | weft | other |\n|---|---|---|---|---|\n| w1 | time | yq | 1.0 ms | 2.0 (1.5) ms |\n"
	for name, data := range map[string]string{
		"README.md": readme, "docs/t.md": text, "bench/README.md": "# Benchmarks\n\n" + table,
	} {
		if err := writeFile(filepath.Join(dir, name), data); err != nil {
			t.Fatal(err)
		}
	}
	for _, source := range sources {
		for _, name := range source.files {
			if name != "bench/README.md" {
				if err := writeFile(filepath.Join(dir, name), "# "+name+"\n"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, name := range []string{"docs/reference/messages.md", "docs/lint/x/y.md"} {
		if err := writeFile(filepath.Join(dir, name), "# "+name+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"examples", "web/site", "web/playground"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(repository, name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestChartsAreOfTheTable has each chart show the figures of the table.
func TestChartsAreOfTheTable(t *testing.T) {
	charts, err := chartsOf("| w1 | time | helm | 263 (199) ms | 1198 (1033) ms | 4 × |\n" +
		"| w1 | time | ytt |  |  |  |\n| w1 | time | cue | 263 (199) ms | > 20000 ms | |\n" +
		"| w2 | peak memory | yq | 1 MB | 2 MB |\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []bar{{"weft", 263, false}, {"helm", 1198, false}, {"cue", 20000, true}}
	if len(charts) != 1 || charts[0].title != "w1" {
		t.Fatalf("got %d charts", len(charts))
	}
	if diff := cmp.Diff(want, charts[0].bars, cmp.AllowUnexported(bar{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if svg := charts[0].svg(); !strings.Contains(svg, "Time for w1: weft 263 ms, helm 1.2 s, cue &gt; 20 s") {
		t.Errorf("the chart is\n%s", svg)
	}
	if _, err := chartsOf("| w1 | time | helm | soon | 2 ms |\n"); err == nil {
		t.Error("a time that is none gives no error")
	}
}

// TestNamed has an example with the files that its command names, and with no others.
func TestNamed(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"app.yml", "config/app.yml", "config/a/b.yml", "config2/x.yml", "envs/a.yml", "x/config/y.yml"} {
		files[name] = ""
	}
	for command, want := range map[string]string{
		"-f config":                         "config/a/b.yml config/app.yml",
		"-f config/":                        "config/a/b.yml config/app.yml",
		"-f app.yml":                        "app.yml",
		"-f config/app.yml":                 "config/app.yml",
		"--env envs/*.yml -f app.yml":       "app.yml envs/a.yml",
		"--b=-fapp.yml":                     "app.yml",
		"--data-values-file=config/a/b.yml": "config/a/b.yml",
		"-v name=web":                       "",
	} {
		got := strings.Join(sortedKeys(named(files, strings.Fields(command))), " ")
		if got != want {
			t.Errorf("%s: got %q, expected %q", command, got, want)
		}
	}
}

// Readers find a code by its messages, without what these insert, and not by those of templates in tests.
func TestMessagesOfCodes(t *testing.T) {
	found, err := messagesOfCodes("../../..")
	if err != nil {
		t.Fatal(err)
	}
	has := func(code diag.Code, want string) bool {
		return slices.ContainsFunc(found[code], func(text string) bool { return strings.Contains(text, want) })
	}
	for code, want := range map[diag.Code]string{
		"load/not-found":   "checking file …: no such file or directory",
		"schema/type":      "found …, expected …",
		"vendor/host":      "must not be asked:",
		"script/undefined": "undefined: …",
		"eval/error":       "int value is not iterable",
	} {
		if !has(code, want) {
			t.Errorf("%s: got %q, expected one with %q", code, found[code], want)
		}
	}
	for _, text := range []string{"zero is even", "this module is broken", "must be: x < z"} {
		for code := range found {
			if has(code, text) {
				t.Errorf("%s: %q is a message of a template in a test", code, text)
			}
		}
	}
}

// TestHero has the front page show what the command line prints, and each line the lines that produce it.
func TestHero(t *testing.T) {
	h, err := newHero()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"app.yml": heroTemplate, "schema.yml": heroSchema} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tag := regexp.MustCompile(`<[^>]*>`)
	for _, out := range h.Outputs {
		var shown, from strings.Builder
		for _, l := range out.Lines {
			text := html.UnescapeString(tag.ReplaceAllString(string(l.Code), ""))
			shown.WriteString(text + "\n")
			if l.Lit {
				from.WriteString(strings.TrimSpace(text) + " from " + l.From + "\n")
			}
		}
		value := fmt.Sprint("replicas=", out.Replicas)
		printed := weft([]string{"-f", "app.yml", "-f", "schema.yml", "--data-value-yaml", value})
		if diff := cmp.Diff(printed, shown.String()); diff != "" {
			t.Errorf("(-printed +shown):\n%s", diff)
		}
		want := fmt.Sprintf("replicas: %d from 8\n", out.Replicas)
		if out.Replicas > 1 {
			want += "strategy: from 10 9\ntype: RollingUpdate from 11 9\n"
		}
		if diff := cmp.Diff(want, from.String()); diff != "" {
			t.Errorf("lines that depend on the value (-want +got):\n%s", diff)
		}
	}
}
