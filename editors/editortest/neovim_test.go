package editortest_test

import (
	"slices"
	"testing"

	"weft/editors/editortest"
)

// TestNeovim opens a project in Neovim with the plugin in editors/neovim.
func TestNeovim(t *testing.T) {
	nvim := editortest.Program(t, "nvim")
	var got struct {
		Error         string
		Timeouts      []string
		Filetype      string
		PlainFiletype string `json:"plain_filetype"`
		Omnifunc      string
		Diagnostics   []struct {
			Line            int
			Message, Source string
		}
		Corrected     []struct{ Message string }
		Hover         string
		Completion    []string
		Formatted     string
		Environment   string
		Blame         string
		Preview       string
		PreviewType   string `json:"preview_filetype"`
		PreviewCursor string `json:"preview_cursor"`
		Clients       int
	}
	editortest.Run(t, &got, editortest.Project(t), nil, nvim, "--headless", "-u", "NORC", "-i", "NONE",
		"-n", "--cmd", "let &runtimepath = '"+absolute(t, "..", "neovim")+",' . &runtimepath",
		"-c", "luafile "+absolute(t, "testdata", "neovim.lua"))
	if got.Error != "" {
		t.Error(got.Error)
	}
	for _, what := range got.Timeouts {
		t.Errorf("waited for %s, which did not come", what)
	}
	want(t, "the file type of a template", got.Filetype, "yaml.weft")
	want(t, "the file type of plain YAML", got.PlainFiletype, "yaml")
	want(t, "omnifunc", got.Omnifunc, "v:lua.vim.lsp.omnifunc")
	if len(got.Diagnostics) != 1 {
		t.Fatalf("diagnostics: %v", got.Diagnostics)
	}
	wantText(t, "the diagnostic", got.Diagnostics[0].Message, "nmae", "did you mean .name?")
	want(t, "its line", got.Diagnostics[0].Line, 4)
	want(t, "diagnostics after the mistake is corrected", len(got.Corrected), 0)
	want(t, "the formatted line", got.Formatted, "  replicas:    #@ data.values.replicas")
	want(t, "the environment", got.Environment, "prod")
	want(t, "servers", got.Clients, 1)
	wantText(t, "the hover", got.Hover, "replicas", "how many pods run", "prod")
	if got.Completion != nil && !slices.Contains(got.Completion, "replicas") {
		t.Errorf("the completion: %q", got.Completion)
	}
	wantText(t, "the preview", got.Preview, "name: shop\n", "replicas: 5")
	want(t, "the file type of the preview", got.PreviewType, "yaml")
	want(t, "the line that the cursor leads to", got.PreviewCursor, "  replicas: 5")
	wantText(t, "the history of the line", got.Blame, "spec.replicas", "app.yml:12")
}
