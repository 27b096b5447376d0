package editortest_test

import (
	"os/exec"
	"slices"
	"testing"

	"weft/editors/editortest"
)

// TestEmacs opens a project in Emacs with eglot and editors/emacs/weft.el.
func TestEmacs(t *testing.T) {
	emacs := editortest.Program(t, "emacs")
	if err := exec.Command(emacs, "--batch", "--eval",
		"(progn (package-initialize) (require 'eglot))").Run(); err != nil {
		editortest.Missing(t, "Emacs has no eglot, which is elpa-eglot in Debian")
	}
	var got struct {
		Error       string
		Timeout     string
		Mode        string
		Diagnostic  string
		Line        int
		Servers     int
		Hover       string
		Completion  []string
		Formatted   string
		Environment string
	}
	editortest.Run(t, &got, editortest.Project(t),
		[]string{"WEFT_EL=" + absolute(t, "..", "emacs", "weft.el")},
		emacs, "--batch", "-l", absolute(t, "testdata", "emacs.el"))
	if got.Error != "" {
		t.Error(got.Error)
	}
	if got.Timeout != "" {
		t.Errorf("waited for %s, which did not come", got.Timeout)
	}
	want(t, "the mode of a template", got.Mode, "weft-mode")
	wantText(t, "the diagnostic", got.Diagnostic, "nmae", "did you mean .name?")
	want(t, "its line", got.Line, 5)
	want(t, "servers", got.Servers, 1)
	want(t, "the formatted line", got.Formatted, "  replicas: #@ data.values.replicas")
	want(t, "the environment", got.Environment, "prod")
	wantText(t, "the hover", got.Hover, "replicas", "how many pods run", "prod")
	if got.Completion != nil && !slices.Contains(got.Completion, "replicas") {
		t.Errorf("the completion: %q", got.Completion)
	}
}
