package editortest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/editors/editortest"
)

// TestNeovim opens a project in Neovim with the plugin in editors/neovim.
func TestNeovim(t *testing.T) { testNeovim(t, editortest.Program(t, "nvim")) }

// TestNewerNeovim does so in those that keep servers themselves.
func TestNewerNeovim(t *testing.T) { newerNeovims(t, testNeovim) }

// newerNeovims runs a test with those that the script newer has put into a folder.
func newerNeovims(t *testing.T, test func(t *testing.T, nvim string)) {
	for _, name := range []string{"nvim", "nvim-newest"} {
		t.Run(name, func(t *testing.T) { test(t, editortest.Newer(t, name)) })
	}
}

func testNeovim(t *testing.T, nvim string) {
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
		Test          string
		Preview       string
		PreviewType   string `json:"preview_filetype"`
		PreviewCursor string `json:"preview_cursor"`
		ChangeFrom    string `json:"change_from"`
		Change        string
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
	want(t, "the value that is offered for a change", got.ChangeFrom, "5")
	wantText(t, "the suggested change", got.Change, "weft.yml:6", "replicas: 5 → 7")
	wantText(t, "the outcome of a test", got.Test, "large [prod]", "1 test")
	wantText(t, "the history of the line", got.Blame, "spec.replicas", "app.yml:12")
}

// TestNeovimYAML opens files in Neovim beside yaml-language-server, which people have set up for all
// YAML: templates are weft's alone, and plain YAML has both. There is no weft.yml.
func TestNeovimYAML(t *testing.T) { testNeovimYAML(t, editortest.Program(t, "nvim")) }

// TestNewerNeovimYAML does so in those that find file types by themselves and say when servers are attached.
func TestNewerNeovimYAML(t *testing.T) { newerNeovims(t, testNeovimYAML) }

func testNeovimYAML(t *testing.T, nvim string) {
	editortest.Program(t, "node")
	server := yamlServer(t)
	for _, c := range []struct{ name, named, before string }{
		{"file types", "", ""},
		{"by name", "1", ""},
		{"found by Neovim", "", "let g:do_filetype_lua = 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := unnamedProject(t)
			var got struct {
				Error       string
				Timeouts    []string
				Attached    map[string]string
				Diagnostics map[string][]string
				Became      string
				Completion  map[string]map[string][]string // labels by path and server
			}
			editortest.Run(t, &got, dir, []string{"YAML_LANGUAGE_SERVER=" + server, "NAMED=" + c.named}, nvim,
				"--headless", "--noplugin", "-u", "NORC", "-i", "NONE", "-n", "--cmd", c.before,
				"--cmd", "let &runtimepath = '"+absolute(t, "..", "neovim")+",' . &runtimepath",
				"-c", "luafile "+absolute(t, "testdata", "neovim-yaml.lua"))
			if got.Error != "" {
				t.Error(got.Error)
			}
			for _, what := range got.Timeouts {
				t.Errorf("waited for %s, which did not come", what)
			}
			for _, path := range []string{"config/app.yml", "config/values.yml", "config/names.star"} {
				want(t, "the servers of "+path, got.Attached[path], "weft")
				for _, source := range got.Diagnostics[path] {
					if !strings.HasPrefix(source, "weft") {
						t.Errorf("%s has a diagnostic of %q", path, source)
					}
				}
			}
			want(t, "the servers of plain values", got.Attached["values/prod.yml"], "weft yamlls")
			want(t, "the servers of YAML outside of the repository", got.Attached["../outside/twice.yml"], "yamlls")
			want(t, "who reports errors there", strings.Join(got.Diagnostics["../outside/twice.yml"], " "), "YAML")
			for path, key := range completedBesideYAML {
				if !slices.Contains(got.Completion[path]["weft"], key) {
					t.Errorf("completion in %s: %q", path, got.Completion[path])
				}
				for _, label := range got.Completion[path]["weft"] {
					if slices.Contains(got.Completion[path]["yamlls"], label) {
						t.Errorf("%s is completed twice in %s", label, path)
					}
				}
			}
			want(t, "the file type of what becomes a template", got.Became, "yaml.weft")
		})
	}
}

// yamlServer is the path of yaml-language-server.
func yamlServer(t *testing.T) string {
	t.Helper()
	server := absolute(t, "node_modules", "yaml-language-server", "bin", "yaml-language-server")
	if _, err := os.Stat(server); err != nil {
		editortest.Missing(t, "npm ci has not been run in editors/editortest")
	}
	return server
}

// completedBesideYAML are keys that weft completes in files that yaml-language-server has, too. The first one is below
// no weft.yml: a setting names it, as the README says.
var completedBesideYAML = map[string]string{
	"values/prod.yml": "name", "named/prod.yml": "name", "named/weft.yml": "fmt",
}

// unnamedProject is a repository with templates and without a weft.yml for them. yaml-language-server has
// errors to report in it: a key that is there twice, in both branches of an if.
func unnamedProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repository")
	for name, text := range map[string]string{
		".git/HEAD":            "ref: refs/heads/main\n",
		"named/weft.yml":       "weft: 2026\ninputs: [config]\nenvironments:\n  prod: {valueFiles: [prod.yml]}\n",
		"named/prod.yml":       "big: false\n",
		"named/config/all.yml": "#@data/values-schema\n---\nbig: true\nname: web\n",
		"../outside/twice.yml": "a: 1\na: 2\n",
		"config/app.yml":       "#@ load(\"@ytt:data\", \"data\")\n#@ if data.values.big:\nsize: 2\n#@ else:\nsize: 1\n#@ end\n",
		"config/values.yml":    "#@data/values\n---\nbig: true\nname: web\n",
		"config/names.star":    "def name():\n  return \"web\"\nend\n",
		"values/prod.yml":      "big: false\n",
		"plain.yml":            "a: 1\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
