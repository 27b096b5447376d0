package editortest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"weft/editors/editortest"
)

// TestEmacs opens a project in Emacs with eglot and editors/emacs/weft.el, on each mode for YAML that it can
// build on.
func TestEmacs(t *testing.T) {
	emacs := editortest.Program(t, "emacs")
	needsPackage(t, emacs, "eglot")
	t.Run("yaml-mode", func(t *testing.T) {
		needsPackage(t, emacs, "yaml-mode")
		testEmacs(t, emacs, "", "yaml-mode")
	})
	t.Run("plain", func(t *testing.T) { testEmacs(t, emacs, "conf-unix-mode", "conf-unix-mode") })
}

// needsPackage skips a test for which Emacs lacks a package.
func needsPackage(t *testing.T, emacs, name string) {
	t.Helper()
	if err := exec.Command(emacs, "--batch", "--eval",
		"(progn (package-initialize) (require '"+name+"))").Run(); err != nil {
		editortest.Missing(t, "Emacs has no %s, which is elpa-%[1]s in Debian", name)
	}
}

// TestNewerEmacs does so in an Emacs with tree-sitter.
func TestNewerEmacs(t *testing.T) {
	emacs := editortest.Newer(t, "emacs")
	t.Run("found", func(t *testing.T) { testEmacs(t, emacs, "", "yaml-ts-mode") })
	t.Run("asked for", func(t *testing.T) { testEmacs(t, emacs, "yaml-ts-mode", "yaml-ts-mode") })
	t.Run("plain", func(t *testing.T) { testEmacs(t, emacs, "conf-unix-mode", "conf-unix-mode") })
}

// TestEmacsCompiles compiles weft.el, in which nothing may be obsolete or unknown.
func TestEmacsCompiles(t *testing.T) {
	for _, program := range []func(testing.TB, string) string{editortest.Program, editortest.Newer} {
		t.Run("", func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "weft.el")
			source, err := os.ReadFile(filepath.Join("..", "emacs", "weft.el"))
			if err == nil {
				err = os.WriteFile(file, source, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(program(t, "emacs"), "--batch", "--eval",
				"(progn (package-initialize) (setq byte-compile-error-on-warn t))", "-f", "batch-byte-compile", file,
			).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// testEmacs sets weft-parent-mode, if it is not empty. The parent is the mode that is expected then.
func testEmacs(t *testing.T, emacs, set, parent string) {
	var got struct {
		Error       string
		Timeout     string
		Mode        string
		Parent      string
		Color       string
		Diagnostic  string
		Line        int
		Servers     int
		Hover       string
		Completion  []string
		Formatted   string
		Environment string
		Answer      string

		TextMode, TextColor, TextDiagnostic string

		Described []struct{ Mode, Hover, Diagnostic string }
	}
	dir := editortest.Project(t)
	cases := describe(t, dir)
	env := []string{"WEFT_EL=" + absolute(t, "..", "emacs", "weft.el"), "PARENT=" + set, "CASES=" + cases}
	if dir := os.Getenv(editortest.NewerEditors); dir != "" {
		env = append(env, "GRAMMARS="+dir)
	}
	editortest.Run(t, &got, dir, env, emacs, "--batch", "-l", absolute(t, "testdata", "emacs.el"))
	if got.Error != "" {
		t.Error(got.Error)
	}
	if got.Timeout != "" {
		t.Errorf("waited for %s, which did not come", got.Timeout)
	}
	want(t, "the mode of a template", got.Mode, "weft-mode")
	want(t, "the mode it builds on", got.Parent, parent)
	wantText(t, "the color of code", got.Color, "font-lock-preprocessor-face")
	wantText(t, "the diagnostic", got.Diagnostic, "nmae", "did you mean .name?")
	want(t, "its line", got.Line, 5)
	want(t, "servers", got.Servers, 1)
	want(t, "the formatted line", got.Formatted, "  replicas: #@ data.values.replicas")
	want(t, "the environment", got.Environment, "prod")
	wantText(t, "the hover", got.Hover, "replicas", "how many pods run", "prod")
	wantText(t, "the answer of a lens", got.Answer, "Deployment")
	want(t, "the mode of a text template", got.TextMode, "weft-text-mode")
	wantText(t, "the color of code in text", got.TextColor, "font-lock-preprocessor-face")
	wantText(t, "the diagnostic of a text template", got.TextDiagnostic, "undefined: nope")
	for i, seen := range got.Described {
		c := describedFiles[i]
		want(t, "the mode of "+c.File, seen.Mode, "weft-mode")
		wantText(t, "the hover of "+c.File, seen.Hover, c.hover)
		wantText(t, "the diagnostic of "+c.File, seen.Diagnostic, c.Unknown, c.known)
	}
	if got.Completion != nil && !slices.Contains(got.Completion, "replicas") {
		t.Errorf("the completion: %q", got.Completion)
	}
}
