package browsertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"weft/web/browsertest"
)

// vscodeProject is a copy of the project that other editors are tested with. The tests need 400 MB of packages,
// so they run only if they are asked for.
func vscodeProject(t *testing.T) string {
	t.Helper()
	if os.Getenv("WEFT_TEST_VSCODE") == "" {
		t.Skip("WEFT_TEST_VSCODE is not set")
	}
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "editors", "editortest", "testdata", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// vscodeSettings are settings of a user who wants to see nothing but files.
func vscodeSettings(t *testing.T, trust bool) map[string]any {
	return map[string]any{
		"weft.path": browsertest.Binary(t), "security.workspace.trust.enabled": trust,
		"workbench.startupEditor": "none", "git.enabled": false, "editor.autoClosingBrackets": "never", "chat.disableAIFeatures": true,
		"workbench.secondarySideBar.defaultVisibility": "hidden", "extensions.ignoreRecommendations": true,
	}
}

// rewrite changes a text in a file on disk.
func rewrite(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), from) {
		t.Fatalf("%s has no %q: %v", path, from, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVSCode uses the extension in VS Code, which is a page of code-server.
func TestVSCode(t *testing.T) {
	dir := vscodeProject(t)
	v := browsertest.OpenVSCode(t, dir, vscodeSettings(t, false))

	// a diagnostic, and none after it is corrected
	v.OpenFile("broken.yml", 5, 1)
	v.Shows("#status\\.editor\\.mode", "weft YAML")
	v.Shows("#weft\\.weft\\.weft\\.environment", "weft: dev")
	v.Command("Problems: Focus on Problems View")
	v.Shows(".markers-panel .monaco-list-row", "did you mean .name?")
	v.Shoot("vscode-problem")
	v.OpenFile("broken.yml", 5, 28)
	v.Press(kb.Backspace + kb.Backspace + kb.Backspace + "ame")
	v.Shows(".markers-panel", "No problems")
	v.Command("File: Save All")

	// a hover, and the preview
	v.OpenFile("app.yml", 12, 30)
	v.Command("Show or Focus Hover")
	v.Shows(".monaco-hover", "how many pods run")
	v.Shoot("vscode-hover")
	v.Command("weft: Open Preview to the Side")
	v.Shows(".view-lines", "replicas: 1")
	v.Shoot("vscode-preview")

	// the test explorer
	v.Command("Testing: Focus on Test Explorer View")
	v.Shows(".test-explorer .monaco-list-row", "tests/app.test.yml")
	v.Command("Test: Run All Tests")
	v.Shows(".result-summary", "2/2")
	v.Shoot("vscode-tests")
	rewrite(t, filepath.Join(dir, "tests", "app.test.yml"), "5}", "6}")
	v.Command("Test: Run All Tests")
	v.Shows(".result-summary", "1/2")
	v.OpenFile("app.test.yml", 8, 1)
	v.Shows(".monaco-list-row", "expected 6, but found 5")
	v.Until("the message at its line", `() => {
		const lines = [...document.querySelectorAll(".view-line")].filter(e => e.textContent.includes("replicas:\u00a06}"));
		const messages = [...document.querySelectorAll(".monaco-editor *")].filter(
			e => e.childElementCount === 0 && e.textContent.startsWith("[prod]"));
		const top = e => e.getBoundingClientRect().top;
		return lines.some(l => messages.some(m => Math.abs(top(l) - top(m)) < 10));
	}`)
	v.Shoot("vscode-failed-test")
	rewrite(t, filepath.Join(dir, "tests", "app.test.yml"), "6}", "5}")
	v.Shows(".view-lines", "spec.replicas: 5}")
	v.Command("Test: Run Test at Cursor")
	v.Shows(".result-summary", "1/1")

	// a document that is not saved
	v.Command("File: New Untitled Text File")
	v.Command("Change Language Mode")
	v.Choose("weft YAML")
	v.Shows("#status\\.editor\\.mode", "weft YAML")
	v.Press("sum: #@ 20 + 22")
	v.Command("weft: Open Preview to the Side")
	v.Shows(".view-lines", "sum: 42")
	v.Press("2 + nope")
	v.Command("Problems: Focus on Problems View")
	v.Shows(".markers-panel .monaco-list-row", "nope")
	v.Shoot("vscode-unsaved")

	// the icon, and the walkthrough
	v.Command("Extensions: Show Installed Extensions")
	v.Until("the icon", `() => [...document.querySelectorAll(".extensions-list img")].some(
		e => e.src.includes("icon.png") && e.naturalWidth === 128)`)
	v.Shoot("vscode-icon")
	v.Command("Welcome: Open Walkthrough...")
	v.Choose("Get started with weft")
	for _, step := range []string{
		"Open a project", "Render", "See where a line comes from", "Run a test", "Change a line",
	} {
		v.Shows(".getting-started-step .step-title", step)
	}
	v.Shoot("vscode-walkthrough")
}

// TestVSCodeRestricted opens a folder that the user does not trust: files are checked, and nothing runs.
func TestVSCodeRestricted(t *testing.T) {
	dir := vscodeProject(t)
	if err := os.WriteFile(filepath.Join(dir, "config", "half.yml"), []byte("#@ x = 1\na: [\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v := browsertest.OpenVSCode(t, dir, vscodeSettings(t, true))
	v.Shows(".statusbar-item", "Restricted Mode")
	v.OpenFile("broken.yml", 5, 1)
	v.OpenFile("half.yml", 1, 1)
	v.Shows("#status\\.editor\\.mode", "weft YAML")
	v.Command("Problems: Focus on Problems View")
	v.Shows(".markers-panel .monaco-list-row", "never closed")
	for _, row := range v.Texts(".markers-panel .monaco-list-row") {
		if strings.Contains(row, "nmae") {
			t.Errorf("a template was evaluated: %s", row)
		}
	}
	v.OpenFile("app.test.yml", 1, 1)
	v.Command("Testing: Focus on Test Explorer View")
	v.Shows(".test-explorer, .pane-body", "No tests have been found")
	v.Shoot("vscode-restricted")
}
