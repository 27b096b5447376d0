package browsertest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"weft/web/browsertest"
)

// vscodeWork is what a person does in one window of VS Code, with a copy of the project that other editors
// are tested with.
type vscodeWork struct {
	*browsertest.VSCode
	t      *testing.T
	server *browsertest.CodeServer
	dir    string
}

// TestVSCode uses the extension in VS Code, which is a page of code-server. It needs 400 MB of packages, so
// it runs only if it is asked for.
func TestVSCode(t *testing.T) {
	if os.Getenv("WEFT_TEST_VSCODE") == "" {
		t.Skip("WEFT_TEST_VSCODE is not set")
	}
	profiles := []struct {
		name     string
		settings map[string]any
		others   []string // folders of other extensions
		work     []vscodeCase
	}{
		{"first use", nil, nil, []vscodeCase{{"trust", (*vscodeWork).halfType, (*vscodeWork).trust}}},
		{"trusted", map[string]any{
			"security.workspace.trust.enabled": false, "workbench.startupEditor": "none",
			"git.enabled": false, "files.autoSave": "off", "editor.autoClosingBrackets": "never",
			"chat.disableAIFeatures": true, "extensions.ignoreRecommendations": true,
			"workbench.secondarySideBar.defaultVisibility": "hidden",
			"terminal.integrated.gpuAcceleration":          "off", // so that its text is in the page
		}, []string{filepath.Join("testdata", "image-check")}, []vscodeCase{
			{"problems", nil, (*vscodeWork).problems},
			{"code", (*vscodeWork).correct, (*vscodeWork).code},
			{"preview", (*vscodeWork).correct, (*vscodeWork).preview},
			{"cursors", (*vscodeWork).correct, (*vscodeWork).cursors},
			{"others", (*vscodeWork).addPod, (*vscodeWork).others},
			{"environments", (*vscodeWork).correct, (*vscodeWork).environments},
			{"overlay", (*vscodeWork).correct, (*vscodeWork).overlay},
			{"restart", (*vscodeWork).correct, (*vscodeWork).restart},
			{"cancel", (*vscodeWork).addSlowProject, (*vscodeWork).cancel},
			{"tests", (*vscodeWork).correct, (*vscodeWork).tests},
			{"described", (*vscodeWork).addFunction, (*vscodeWork).described},
			{"unsaved", nil, (*vscodeWork).unsaved},
			{"walkthrough", (*vscodeWork).correct, (*vscodeWork).walkthrough},
		}},
	}
	for _, p := range profiles {
		t.Run(p.name, func(t *testing.T) {
			server := browsertest.StartCodeServer(t, p.settings, p.others...)
			for _, c := range p.work {
				t.Run(c.name, func(t *testing.T) {
					w := &vscodeWork{t: t, server: server, dir: filepath.Join(t.TempDir(), "shop")}
					project := filepath.Join("..", "..", "editors", "editortest", "testdata", "project")
					if err := os.CopyFS(w.dir, os.DirFS(project)); err != nil {
						t.Fatal(err)
					}
					if c.files != nil {
						c.files(w)
					}
					w.VSCode = server.Open(t, w.dir)
					c.do(w)
				})
			}
		})
	}
}

type vscodeCase struct {
	name  string
	files func(*vscodeWork) // changes files before the window is opened
	do    func(*vscodeWork)
}

// correct removes the mistake of the project.
func (w *vscodeWork) correct() {
	w.write("config/broken.yml", strings.Replace(w.read("config/broken.yml"), "nmae", "name", 1))
}

// problem is a row of the list of problems.
const problem = ".markers-panel .monaco-list-row"

// halfType adds a file that is not finished.
func (w *vscodeWork) halfType() { w.write("config/half.yml", "#@ x = 1\na: [\n") }

// trust opens a folder in an empty profile. As long as the user does not trust it, files are checked one by
// one and nothing runs.
func (w *vscodeWork) trust() {
	w.Shows(".statusbar-item", "Restricted Mode")
	w.OpenFile("broken.yml", 5, 1)
	w.OpenFile("half.yml", 1, 1)
	w.Shows("#status\\.editor\\.mode", "weft YAML")
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, "never closed")
	w.Hides(problem, "nmae") // what only evaluation finds
	w.Command("weft: Open Preview to the Side")
	w.Shows(".notification-list-item", "In restricted mode, weft runs no code of this folder")
	w.OpenFile("app.test.yml", 1, 1)
	w.Command("Testing: Focus on Test Explorer View")
	w.Shows(".test-explorer, .pane-body", "No tests have been found")
	w.Hides(".codelens-decoration", "run test")
	w.Shoot("vscode-restricted")

	w.Command("Workspaces: Manage Workspace Trust")
	w.ClickOn(".workspace-trust-editor .monaco-button", "Trust")
	w.Hides(".statusbar-item", "Restricted Mode")
	w.Dismiss(".workspace-trust-editor") // it is in front of the others
	w.write("config/half.yml", "#@ x = 1\na: []\n")
	w.OpenFile("broken.yml", 5, 1)
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, "did you mean .name?")
	w.Command("Testing: Focus on Test Explorer View")
	w.Shows(".test-explorer .monaco-list-row", "tests/app.test.yml")
	w.Shoot("vscode-trusted")
}

// problems corrects a mistake by typing, and once more by a quick fix.
func (w *vscodeWork) problems() {
	w.OpenFile("broken.yml", 5, 1)
	w.Shows("#status\\.editor\\.mode", "weft YAML")
	w.serverRuns()
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, "did you mean .name?")
	w.Shoot("vscode-problem")
	w.OpenFile("broken.yml", 5, 28)
	w.Press(kb.Backspace + kb.Backspace + kb.Backspace + "ame")
	w.Shows(".markers-panel", "No problems")
	w.saves("config/broken.yml", "#@ data.values.name\n")

	w.changes("config/broken.yml", ".name", ".nmae")
	w.Shows(problem, "did you mean .name?")
	w.OpenFile("broken.yml", 5, 26)
	w.Command("Quick Fix...")
	w.Shows(".action-widget .monaco-list-row.focused", "name")
	w.Shoot("vscode-fix")
	w.Press(kb.Enter)
	w.Shows(".markers-panel", "No problems")
	w.saves("config/broken.yml", "#@ data.values.name\n")
}

// code completes a data value, reads about it, and renames it in all files.
func (w *vscodeWork) code() {
	w.OpenFile("app.yml", 12, 36)
	w.serverRuns()
	w.Press(kb.Enter + "pods: #@ data.values.rep")
	w.Command("Trigger Suggest")
	w.Shows(".suggest-widget .monaco-list-row.focused", "replicas")
	w.Shoot("vscode-completion")
	w.Press("\t")
	w.saves("config/app.yml", "pods: #@ data.values.replicas")

	w.OpenFile("app.yml", 12, 30)
	w.Command("Show or Focus Hover")
	w.Shows(".monaco-hover", "how many pods run")
	w.Shoot("vscode-hover")

	w.OpenFile("schema.yml", 6, 3)
	w.Command("Rename Symbol")
	w.Until("the field for the name", `() => document.activeElement?.classList.contains("rename-input")
		&& document.activeElement.value === "replicas"`)
	w.Press("pods" + kb.Enter)
	w.saves("config/schema.yml", "\npods: 1")
	w.saves("config/app.yml", "replicas: #@ data.values.pods")
	w.saves("weft.yml", "{pods: 5,")
}

// preview looks at the output, asks where a line comes from, and changes it.
func (w *vscodeWork) preview() {
	w.OpenFile("app.yml", 12, 36)
	w.serverRuns()
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "replicas: 1")
	w.Shows(".tab", "Preview app.yml")
	w.Shoot("vscode-preview")

	const outdated = "The preview shows the last output without errors"
	w.OpenFile("app.yml", 12, 36) // it has the focus again
	w.Press("x")
	w.Shows(".statusbar-item", outdated)
	w.Shoot("vscode-outdated")
	w.Press(kb.Backspace)
	w.Hides(".statusbar-item", outdated)
	w.changesPreview("config/schema.yml", "replicas: 1", "replicas: 4")
	w.changesPreview("config/schema.yml", "replicas: 4", "replicas: 1")

	w.clickInPreview("replicas: 1")
	w.Command("weft: Show Where This Line Comes From")
	w.Shows(".tab.active", "weft blame: app.yml (dev)")
	w.hasTwoColumns()
	w.Shoot("vscode-origin")
	w.ClickOn(`.editor-group-container.active .editor-actions [aria-label^="Change This Line"]`, "")
	w.Shows(".quick-input-widget", "The new value, in YAML")
	w.Enter("7")
	w.Shows(".quick-input-list .monaco-list-row.focused .quick-input-list-label-meta", "replicas")
	w.Shows(".quick-input-list .monaco-list-row.focused", "1 → 7")
	w.Shoot("vscode-change")
	w.Press(kb.Enter)
	w.Shows(".editor-group-container.active .view-lines", "replicas: 7")
	w.Shows(".tab.active", "dev.yml")
	w.hasTwoColumns()
	w.Shoot("vscode-changed")
}

// hasTwoColumns fails if the window has more editors side by side than two.
func (w *vscodeWork) hasTwoColumns() {
	w.t.Helper()
	if n := len(w.Texts(".editor-group-container")); n != 2 {
		w.t.Errorf("there are %d editors side by side", n)
	}
}

// changesPreview changes a text in a file that is not open, as another program does, until a preview shows it: on a
// busy machine VS Code may miss a change that comes soon after it has opened the folder.
func (w *vscodeWork) changesPreview(name, text, other string) {
	w.t.Helper()
	changed := strings.Replace(w.read(name), text, other, 1)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		w.write(name, changed)
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			for _, line := range w.Texts(".view-line") {
				if strings.Contains(strings.ReplaceAll(line, "\u00a0", " "), other) {
					return
				}
			}
		}
	}
	w.t.Fatalf("no preview shows %q of %s", other, name)
}

// clickInPreview clicks on a line of a preview.
func (w *vscodeWork) clickInPreview(text string) {
	w.t.Helper()
	w.ClickOn(".view-line", text)
	w.Shows(".editor-group-container.active .view-line", text)
	w.Shows("#status\\.editor\\.mode", "YAML")
	w.Until("the cursor in the preview", `text => {
		const all = selector => [...document.querySelectorAll(".editor-group-container.active " + selector)];
		const top = e => e.getBoundingClientRect().top;
		return all(".view-line").some(l => l.textContent.replaceAll("\u00a0", " ").includes(text)
			&& all(".cursor").some(c => Math.abs(top(c) - top(l)) < 10));
	}`, text)
}

// cursors moves the cursor in a template and in its preview: the other one follows.
func (w *vscodeWork) cursors() {
	w.OpenFile("app.yml", 12, 3)
	w.serverRuns()
	w.Command("weft: Open Preview to the Side")
	w.follows("2", 9, "replicas: 1")
	w.Chord("Control", "1")
	w.OpenFile("app.yml", 9, 3)
	w.follows("2", 3, "name: shop-dev")
	w.Shoot("vscode-cursors")
	w.clickInPreview("replicas: 1")
	w.follows("1", 12, "replicas: #@ data.values.replicas")
	w.clickInPreview("team: web") // which comes from another file
	w.Hides(followed, "")
}

// followed is what marks the line that belongs to the cursor of the other editor.
const followed = `.view-overlays [class*="ced-"]`

// follows waits until the line of the other editor that belongs to the cursor is marked, and has the cursor.
func (w *vscodeWork) follows(column string, line int, text string) {
	w.t.Helper()
	w.Until("a mark at "+text, `(followed, text) => {
		const top = e => e.getBoundingClientRect().top;
		const lines = [...document.querySelectorAll(".editor-group-container:not(.active) .view-line")].filter(
			e => e.textContent.replaceAll("\u00a0", " ").includes(text));
		const marks = [...document.querySelectorAll(".editor-group-container:not(.active) " + followed)];
		return lines.length === 1 && marks.length === 1 && Math.abs(top(lines[0]) - top(marks[0])) < 10;
	}`, followed, text)
	w.Chord("Control", column)
	w.Shows("#status\\.editor\\.selection", fmt.Sprintf("Ln %d, Col 1", line))
}

// addPod adds a template that makes something to which another extension objects.
func (w *vscodeWork) addPod() {
	w.correct()
	w.write("config/pod.yml", "#@ def image(version):\n#@   return \"web:\" + version\n#@ end\n---\nkind: Pod\n"+
		"spec:\n  containers:\n  - name: web\n    image: #@ image(\"latest\")\n")
}

// others shows in the template what another extension reports about the preview, until it is corrected.
func (w *vscodeWork) others() {
	w.OpenFile("pod.yml", 9, 28)
	w.serverRuns()
	w.Command("Problems: Focus on Problems View")
	w.Shows(".markers-panel", "No problems")
	w.OpenFile("pod.yml", 9, 28)
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "image: web:latest")
	w.Command("Problems: Focus on Problems View")
	const report = "the image has no version"
	w.Shows(problem, report+"image-check[Ln 5, ") // of the preview
	w.Shows(problem, report+" (in the output for dev)image-check[Ln 9, ")
	w.Shoot("vscode-others")
	w.OpenFile("pod.yml", 9, 28)
	w.Press(strings.Repeat(kb.Backspace, len("latest")) + "1.2")
	w.Shows(".view-lines", "image: web:1.2")
	w.Shows(".markers-panel", "No problems")
}

// environments chooses an environment, compares it with another one, and renders it into a file.
func (w *vscodeWork) environments() {
	w.OpenFile("app.yml", 12, 36)
	w.serverRuns()
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "replicas: 1")
	w.ChooseFrom("weft: Choose Environment", "prod")
	w.Shows(environment, "weft: prod")
	w.Shows(".view-lines", "replicas: 5")
	w.Shoot("vscode-environment")

	w.ChooseFrom("weft: Compare Two Environments", "dev")
	w.Choose("prod")
	w.Shows(".tab.active", "dev ↔ prod")
	w.Shows(".editor.original .view-lines", "replicas: 1")
	w.Shows(".editor.modified .view-lines", "replicas: 5")
	w.Shoot("vscode-compare")

	w.OpenFile("app.yml", 12, 36)
	w.Command("weft: Render into a New File")
	w.Shows(".tab.active.dirty", "Untitled")
	w.Shows(".editor-group-container.active .view-lines", "replicas: 5")
	w.Shows(".editor-group-container.active .view-lines", "kind: Service")
	w.Press("a") // it can be edited
	w.Shows(".editor-group-container.active .view-lines", "akind")
}

// overlay asks what an overlay matches and changes.
func (w *vscodeWork) overlay() {
	w.OpenFile("overlay.yml", 5, 1)
	w.serverRuns()
	w.Command("weft: Explain Overlay")
	w.Shows(".tab", "weft explain: overlay.yml (dev)")
	w.Shows(".view-lines", "config/app.yml")
	w.hasTwoColumns()
	w.Shoot("vscode-overlay")
	w.Command("View: Close Editors in Other Groups")
	w.Hides(".tab", "weft explain")
	w.ClickOn(".codelens-decoration a", "matches 1 document")
	w.Shows(".tab", "weft explain: overlay.yml (dev)")
}

// restart restarts the server, which then knows the text that is not saved and the environment that was
// chosen.
func (w *vscodeWork) restart() {
	w.OpenFile("app.yml", 12, 36)
	w.serverRuns()
	w.ChooseFrom("weft: Choose Environment", "prod")
	w.Shows(environment, "weft: prod")
	w.OpenFile("app.yml", 12, 36)
	w.Press("s")
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, ".replicass")
	before := w.server.LanguageServers(w.t)
	w.Command("weft: Restart Language Server")
	w.restarts(before)
	w.OpenFile("app.yml", 12, 37)
	w.Shows(environment, "weft: prod")
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, ".replicass")
	w.OpenFile("app.yml", 12, 37)
	w.Press(kb.Backspace)
	w.Shows(".markers-panel", "No problems")
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "replicas: 5")
}

// restarts waits until there are other language servers than before.
func (w *vscodeWork) restarts(before []string) {
	w.t.Helper()
	isOld := func(id string) bool { return slices.Contains(before, id) }
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if now := w.server.LanguageServers(w.t); len(now) > 0 && !slices.ContainsFunc(now, isOld) {
			return
		}
	}
	w.t.Fatalf("the language servers are still %q", before)
}

// addSlowProject adds a project that takes minutes to render.
func (w *vscodeWork) addSlowProject() {
	w.correct()
	w.write("slow/weft.yml", "weft: 2026\ninputs: [config]\n")
	for i := range 200 {
		w.write(fmt.Sprintf("slow/config/slow%d.yml", i), slowTemplate)
	}
}

const slowTemplate = `#@ def count():
#@   n = 0
#@   for i in range(1500000):
#@     n = n + i
#@   end
#@   return n
#@ end
n: #@ count()
`

// cancel opens a preview that takes minutes, and does not wait for it.
func (w *vscodeWork) cancel() {
	w.OpenFile("slow0.yml", 8, 1)
	w.Shows("#status\\.editor\\.mode", "weft YAML")
	w.Command("weft: Open Preview of the Whole Project")
	w.Shows(".notification-list-item", "weft: rendering slow/config/slow0.yml")
	w.Shoot("vscode-cancel")
	w.ClickOn(".notification-list-item .monaco-button", "Cancel")
	w.Hides(".notification-list-item", "weft: rendering")
	w.OpenFile("app.yml", 12, 30)
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "replicas: 1")
	if tabs := w.Texts(".tab"); len(tabs) != 3 {
		w.t.Errorf("a preview that was cancelled has a tab: %q", tabs)
	}
}

// tests runs tests from the explorer, at the cursor and by the lens above one.
func (w *vscodeWork) tests() {
	w.OpenFile("app.test.yml", 8, 1)
	w.serverRuns()
	w.Command("Testing: Focus on Test Explorer View")
	w.Shows(".test-explorer .monaco-list-row", "tests/app.test.yml")
	w.Command("Test: Run All Tests")
	w.Shows(".result-summary", "2/2")
	w.Shoot("vscode-tests")
	w.changes("tests/app.test.yml", "5}", "6}")
	w.Command("Test: Run All Tests")
	w.Shows(".result-summary", "1/2")
	w.OpenFile("app.test.yml", 8, 1)
	w.Until("the message at its line", `() => {
		const lines = [...document.querySelectorAll(".view-line")].filter(
			e => e.textContent.includes("replicas:\u00a06}"));
		const messages = [...document.querySelectorAll(".monaco-editor *")].filter(
			e => e.childElementCount === 0 && e.textContent.startsWith("[prod]")
				&& e.textContent.includes("expected 6, but found 5"));
		const top = e => e.getBoundingClientRect().top;
		return lines.some(l => messages.some(m => Math.abs(top(l) - top(m)) < 10));
	}`)
	w.Shoot("vscode-failed-test")
	w.changes("tests/app.test.yml", "6}", "5}")
	w.Command("Test: Run Test at Cursor")
	w.Shows(".result-summary", "1/1")

	w.OpenFile("app.test.yml", 1, 1)
	w.ClickOn(".codelens-decoration a", "run test")
	w.Shows(".terminal .xterm-rows", "1 test")
	w.Shoot("vscode-lens")
}

// addFunction adds the configuration of weft krm.
func (w *vscodeWork) addFunction() {
	w.correct()
	w.write("fn.yml", "apiVersion: weft/v1\nkind: Weft\nmetadata: {name: fn}\nspec:\n  edition: 2026\n")
}

// described edits the files that weft itself defines: weft.yml, tests, and the configuration of weft krm.
func (w *vscodeWork) described() {
	for _, c := range []struct {
		file               string
		line               int    // where its key is
		hover              string // about the key
		symbol             string
		typed, entry, made string // a key
		wrong, report      string // a key that does not exist
	}{
		{"weft.yml", 3, "environment", "environments", "fm", "fmt", "fmt", "outptu: {}", "output"},
		{
			"app.test.yml", 5, "document", "large", "  - sel", "select", "  - select",
			"  - selekt: kind=Service", "select",
		},
		{"fn.yml", 5, "edition", "spec", "  inl", "inline", "  inline", "  inlnie: {}", "inline"},
	} {
		w.OpenFile(c.file, c.line, 5)
		w.serverRuns()
		w.Command("Show or Focus Hover")
		w.Shows(".monaco-hover", c.hover)
		w.Shoot("vscode-" + c.file + "-hover")
		w.Command("Go to Symbol in Editor...")
		w.Shows(".quick-input-list .monaco-list-row", c.symbol)
		w.Press(kb.Escape)
		w.end(c.file)
		w.Press(c.typed)
		w.Command("Trigger Suggest")
		w.Shows(".suggest-widget .monaco-list-row.focused", c.entry)
		w.Shoot("vscode-" + c.file)
		w.Press("\t")
		w.Shows(".view-lines", c.made)
		w.revert()
		w.end(c.file)
		w.Press(c.wrong)
		w.Command("Problems: Focus on Problems View")
		w.Shows(problem, c.report)
		w.Shoot("vscode-" + c.file + "-problem")
		w.OpenFile(c.file, 1, 1)
		w.revert()
		w.Shows(".markers-panel", "No problems")
	}
	w.OpenFile("app.test.yml", 1, 1)
	w.Shows(".codelens-decoration", "run test")
}

// revert drops the changes of the file that is open.
func (w *vscodeWork) revert() {
	w.Shows(".tab.active.dirty", "")
	w.Command("File: Revert File")
	w.Hides(".tab.active.dirty", "")
}

// end goes to the last line of a file, which is empty.
func (w *vscodeWork) end(file string) {
	path := file
	if strings.HasSuffix(file, ".test.yml") {
		path = "tests/" + file
	}
	w.OpenFile(file, 1+strings.Count(w.read(path), "\n"), 1)
}

// unsaved edits a document that is not a file yet.
func (w *vscodeWork) unsaved() {
	w.Command("File: New Untitled Text File")
	w.Command("weft: Open Preview to the Side")
	w.Shows(".notification-list-item", "does not have a language of weft")
	w.ClickOn(".notification-list-item .monaco-button", "Change Language")
	w.Choose("weft YAML")
	w.Shows("#status\\.editor\\.mode", "weft YAML")
	w.Press("sum: #@ 20 + 22")
	w.Command("weft: Open Preview to the Side")
	w.Shows(".view-lines", "sum: 42")
	w.Press("2 + nope")
	w.Command("Problems: Focus on Problems View")
	w.Shows(problem, "nope")
	w.Shoot("vscode-unsaved")
}

// walkthrough presses all buttons of the walkthrough, with a template open.
func (w *vscodeWork) walkthrough() {
	w.Command("Extensions: Show Installed Extensions")
	w.Until("the icon", `() => [...document.querySelectorAll(".extensions-list img")].some(
		e => e.src.includes("icon.png") && e.naturalWidth === 128)`)
	w.Shoot("vscode-icon")
	for _, c := range []struct{ step, button, selector, shows string }{
		{"Open a project", "Open Folder", ".quick-input-widget", "Open Folder"},
		{"Open a project", "Set the Path of weft", ".settings-editor", "The weft program"},
		{"Render", "Open Preview to the Side", ".view-lines", "replicas: 1"},
		{"See where a line comes from", "Show Where This Line Comes From", ".view-lines", "spec.replicas"},
		{"Run a test", "Show Tests", ".test-explorer .monaco-list-row", "tests/app.test.yml"},
		{"Change a line", "Change This Line of the Preview", ".quick-input-widget", "The new value, in YAML"},
	} {
		w.OpenFile("app.yml", 12, 30)
		w.serverRuns()
		if c.step == "Change a line" {
			w.Command("weft: Open Preview to the Side")
			w.clickInPreview("replicas: 1")
		}
		w.ChooseFrom("Welcome: Open Walkthrough...", "Get started with weft")
		w.ClickOn(".getting-started-step .step-title", c.step)
		w.ClickOn(".getting-started-step.expanded .monaco-button", c.button)
		if c.selector == ".settings-editor" {
			// where settings of the machine are in a page
			w.ClickOn(".settings-editor .action-label", "Remote")
		}
		w.Shows(c.selector, c.shows)
		w.Shoot("vscode-walkthrough-" + c.button)
		w.Press(kb.Escape)
		w.Command("View: Close All Editors")
	}
}

// serverRuns waits until the server has answered for the file that is open.
func (w *vscodeWork) serverRuns() {
	w.t.Helper()
	w.Shows(environment, "weft: dev")
}

// environment is where the status bar shows the active environment.
const environment = `#weft\.weft\.weft\.environment`

func (w *vscodeWork) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *vscodeWork) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// write writes a file, as another program does.
func (w *vscodeWork) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// changes changes a text in the file that is open, as another program does. VS Code is asked to read it
// again: on a busy machine it may miss a change that comes soon after it has opened the folder.
func (w *vscodeWork) changes(name, text, other string) {
	w.t.Helper()
	w.write(name, strings.Replace(w.read(name), text, other, 1))
	w.Command("File: Revert File")
	w.Shows(".view-lines", other)
}

// saves saves all files until one of them has a text.
func (w *vscodeWork) saves(name, text string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(w.read(name), text); {
		if time.Now().After(end) {
			w.t.Fatalf("%s has no %q:\n%s", name, text, w.read(name))
		}
		w.Command("File: Save All")
	}
}
