package editortest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/editors/editortest"
)

// fresh is an account with nothing in it but what a README says, and a copy of examples/quickstart with a mistake.
type fresh struct {
	t       *testing.T
	home    string
	project string
	env     []string
}

// mistake is the line that the copy has in addition.
const mistake = "broken: #@ data.values.nope"

func newFresh(t *testing.T) *fresh {
	t.Helper()
	f := &fresh{t: t, home: t.TempDir(), project: filepath.Join(t.TempDir(), "shop")}
	config := filepath.Join(f.project, "config")
	if err := os.CopyFS(config, os.DirFS(absolute(t, "..", "..", "examples", "quickstart"))); err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(config, "app.yml")
	data, err := os.ReadFile(app)
	if err != nil {
		t.Fatal(err)
	}
	f.write(app, string(data)+mistake+"\n")
	bin := filepath.Join(f.home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	weft, err := filepath.Abs(editortest.Weft(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(weft, filepath.Join(bin, "weft")); err != nil {
		t.Fatal(err)
	}
	f.env = append(os.Environ(), "HOME="+f.home, "XDG_CONFIG_HOME="+filepath.Join(f.home, ".config"),
		"XDG_DATA_HOME="+filepath.Join(f.home, ".local"), "XDG_STATE_HOME="+filepath.Join(f.home, ".state"),
		"XDG_CACHE_HOME="+filepath.Join(f.home, ".cache"), "PATH="+bin+":"+os.Getenv("PATH"), "TERM=xterm-256color")
	return f
}

func (f *fresh) write(path, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// pasted is the code of a README that has a text in it, with the path of this repository.
func (f *fresh) pasted(editor, language, has string) string {
	f.t.Helper()
	for _, block := range blocks(f.t, filepath.Join("..", editor, "README.md"), language) {
		if strings.Contains(block, has) {
			return strings.ReplaceAll(block, "/path/to/weft", absolute(f.t, "..", ".."))
		}
	}
	f.t.Fatalf("the README of %s has no %s with %q", editor, language, has)
	return ""
}

// run runs a program in the project, and decodes the JSON that it prints.
func (f *fresh) run(result any, name string, args ...string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = f.project, f.env, time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, result)
	}
	if err != nil {
		f.t.Fatalf("%s %q: %v\n%s\n%s", name, args, err, out, &stderr)
	}
}

// seen is what an editor shows of the copy.
type seen struct {
	Error      string
	Diagnostic string
	Line       int
	Hover      string
}

func (s seen) check(t *testing.T, f *fresh) {
	t.Helper()
	if s.Error != "" {
		t.Error(s.Error)
	}
	wantText(t, "the diagnostic", s.Diagnostic, ".nope")
	data, err := os.ReadFile(filepath.Join(f.project, "config", "app.yml"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, "its line", s.Line, strings.Count(string(data), "\n"))
	wantText(t, "the hover", s.Hover, "replicas", "schema.yml")
}

// yamlls is what people have in their configuration for yaml-language-server: all that Neovim calls yaml.
const yamlls = `
vim.api.nvim_create_autocmd('FileType', { pattern = { 'yaml', 'yaml.*' }, callback = function(args)
  if vim.bo[args.buf].filetype ~= 'yaml' then return end
  yamlls = yamlls or vim.lsp.start_client({
    name = 'yamlls', cmd = { 'node', 'SERVER', '--stdio' }, root_dir = vim.loop.cwd(),
    settings = { yaml = { schemaStore = { enable = false } } },
  })
  vim.lsp.buf_attach_client(args.buf, yamlls)
end })
`

// besideYAML is yamlls, with the server that npm has installed.
func besideYAML(t *testing.T) string {
	t.Helper()
	editortest.Program(t, "node")
	return strings.ReplaceAll(yamlls, "SERVER", yamlServer(t))
}

// TestReadmeNeovim pastes what the README of Neovim says into an empty configuration, and into one with
// yaml-language-server: that must not be in a template.
func TestReadmeNeovim(t *testing.T) {
	beside := besideYAML(t)
	test := func(t *testing.T, nvim, rest string) {
		f := newFresh(t)
		f.write(filepath.Join(f.home, ".config", "nvim", "init.lua"),
			f.pasted("neovim", "lua", "runtimepath:append")+rest)
		f.lookInNeovim(nvim)
		f.completeInNeovim(nvim)
	}
	t.Run("empty", func(t *testing.T) { test(t, editortest.Program(t, "nvim"), "") })
	t.Run("beside yaml-language-server", func(t *testing.T) { test(t, editortest.Program(t, "nvim"), beside) })
	t.Run("newer", func(t *testing.T) {
		newerNeovims(t, func(t *testing.T, nvim string) { test(t, nvim, "") })
	})
	t.Run("newer, beside yaml-language-server", func(t *testing.T) {
		newerNeovims(t, func(t *testing.T, nvim string) { test(t, nvim, beside) })
	})
}

// TestReadmePluginManager does with the entry of the README what lazy.nvim documents: it adds the folder, and
// calls setup of the module with the options.
func TestReadmePluginManager(t *testing.T) {
	nvim := editortest.Program(t, "nvim")
	f := newFresh(t)
	f.write(filepath.Join(f.home, ".config", "nvim", "init.lua"), "local entry = "+f.pasted("neovim", "lua", "dir = ")+`
vim.opt.runtimepath:append(entry.dir)
require(entry.main).setup(entry.opts)
`)
	f.lookInNeovim(nvim)
}

// lazyNvim is the variable with the folder of a clone of lazy.nvim.
const lazyNvim = "WEFT_TEST_LAZY_NVIM"

// TestReadmeLazyNvim pastes the entry of the README into a configuration with lazy.nvim, which loads the plugin.
func TestReadmeLazyNvim(t *testing.T) {
	lazy := os.Getenv(lazyNvim)
	if lazy == "" {
		t.Skipf("%s is not set to a clone of https://github.com/folke/lazy.nvim", lazyNvim)
	}
	newerNeovims(t, func(t *testing.T, nvim string) {
		f := newFresh(t)
		f.write(filepath.Join(f.home, ".config", "nvim", "init.lua"), "vim.opt.runtimepath:prepend('"+lazy+"')\n"+
			"require('lazy').setup({ "+strings.TrimSpace(f.pasted("neovim", "lua", "dir = "))+" })\n")
		f.lookInNeovim(nvim)
	})
}

// TestReadmeNeovimWithoutPlugin does what the README says for Neovim 0.11 and newer: it copies a file, and pastes
// code that enables the server and finds templates.
func TestReadmeNeovimWithoutPlugin(t *testing.T) {
	nvim := editortest.Newer(t, "nvim-newest")
	for name, rest := range map[string]string{"empty": "", "beside yaml-language-server": besideYAML(t)} {
		t.Run(name, func(t *testing.T) {
			f := newFresh(t)
			config := filepath.Join(f.home, ".config", "nvim")
			f.write(filepath.Join(config, "init.lua"), f.pasted("neovim", "lua", "vim.filetype.add")+rest)
			copied := exec.Command("sh", "-ec", f.pasted("neovim", "sh", "lsp/weft.lua"))
			copied.Dir, copied.Env = absolute(t, "..", ".."), f.env
			if out, err := copied.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			f.lookInNeovim(nvim)
			f.completeInNeovim(nvim)
		})
	}
}

// lookInNeovim looks at the copy in Neovim, in which the server of weft must be the only one.
func (f *fresh) lookInNeovim(nvim string) {
	f.t.Helper()
	var got struct {
		seen
		Servers string
	}
	f.run(&got, nvim, "--headless", filepath.Join("config", "app.yml"),
		"-c", "luafile "+absolute(f.t, "testdata", "readme.lua"))
	got.check(f.t, f)
	want(f.t, "servers of the template", got.Servers, "weft")
}

// addValues makes a file of plain data values that a weft.yml names.
func (f *fresh) addValues(name string) {
	f.t.Helper()
	f.write(filepath.Join(f.project, "weft.yml"),
		"weft: 2026\ninputs: [config]\nenvironments: {prod: {valueFiles: ["+name+"]}}\n")
	f.write(filepath.Join(f.project, name), "name: shop\n\n")
}

// completeInNeovim completes a key in plain data values that a weft.yml names.
func (f *fresh) completeInNeovim(nvim string) {
	f.t.Helper()
	f.addValues("values.yml")
	var got struct {
		Error      string
		Timeouts   []string
		Filetype   string
		Completion []string
	}
	f.run(&got, nvim, "--headless", "values.yml", "-c", "luafile "+absolute(f.t, "testdata", "readme-values.lua"))
	want(f.t, "the error", got.Error+strings.Join(got.Timeouts, ", "), "")
	want(f.t, "the file type of data values", got.Filetype, "yaml")
	if !slices.Contains(got.Completion, "replicas") {
		f.t.Errorf("completed in data values: %q", got.Completion)
	}
}

// TestReadmeEmacs pastes what the README of Emacs says into an empty configuration.
func TestReadmeEmacs(t *testing.T) {
	for _, program := range []func(testing.TB, string) string{editortest.Program, editortest.Newer} {
		t.Run("", func(t *testing.T) {
			emacs := program(t, "emacs")
			f := newFresh(t)
			init := filepath.Join(f.home, ".emacs.d", "init.el")
			f.write(init, f.pasted("emacs", "elisp", "(require 'weft)")+f.pasted("emacs", "elisp", "auto-mode-alist"))
			f.addValues("envs/values.yml")
			var got struct {
				seen
				Mode, Completion string
			}
			// Batch mode reads no configuration by itself, and activates no packages.
			f.run(&got, emacs, "--batch", "--eval", "(package-initialize)", "-l", init,
				"-l", absolute(t, "testdata", "readme.el"))
			got.check(t, f)
			want(t, "the mode of data values", got.Mode, "weft-mode")
			wantText(t, "what is completed in data values", got.Completion, "replicas")
		})
	}
}

// TestReadmeHelix runs what the README of Helix says in an empty home, and looks at Helix in a terminal.
func TestReadmeHelix(t *testing.T) {
	hx := editortest.Newer(t, "hx")
	tmux := editortest.Program(t, "tmux")
	f := newFresh(t)
	install := exec.Command("sh", "-ec", f.pasted("helix", "sh", "languages.toml"))
	install.Dir, install.Env = absolute(t, "..", ".."), f.env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	health := exec.Command(hx, "--health", "weft-yaml") // as the README says
	health.Env = f.env
	out, err := health.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(string(out), "")
	wantText(t, "hx --health", plain, "✓ weft: "+filepath.Join(f.home, "bin", "weft"), "Highlight queries: ✓")
	f.write(filepath.Join(f.project, "weft.yml"), "weft: 2026\ninputs: [config]\n")
	socket := filepath.Join(f.home, "tmux")
	terminal := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tmux, append([]string{"-S", socket}, args...)...)
		cmd.Dir, cmd.Env = f.project, f.env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	terminal("-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "60", hx, "config/app.yml:14:30")
	t.Cleanup(func() { _ = exec.Command(tmux, "-S", socket, "kill-server").Run() })
	// waits waits until the screen has a text, or has it no more.
	waits := func(what, pattern string, has bool) {
		t.Helper()
		screen, text := "", regexp.MustCompile(pattern)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if screen = terminal("capture-pane", "-p"); text.MatchString(screen) == has {
				return
			}
		}
		t.Fatalf("%s: want %q %t in\n%s", what, pattern, has, screen)
	}
	// looks opens something that shows a text, and closes it. An Escape that is followed by a key at once would be
	// one key with Alt.
	looks := func(key, what, pattern string) {
		t.Helper()
		terminal("send-keys", "Space", key)
		waits(what, pattern, true)
		terminal("send-keys", "Escape")
		waits("the end of "+what, pattern, false)
	}
	// The line of the status has the file and the number of its diagnostics.
	waits("the mark of the diagnostic", `config/app\.yml .*● 1`, true)
	looks("k", "the hover", `config/schema\.yml:6`)
	looks("d", "the diagnostic", `no \.nope`)
	f.write(filepath.Join(f.project, "config", "hosts.txt"), "(@ x = nope @)\na host\n")
	terminal("send-keys", ":open config/hosts.txt", "Enter")
	waits("the mark of the diagnostic in a text template", `config/hosts\.txt .*● 1`, true)
	looks("d", "its diagnostic", "undefined: nope")
	// In the output of a text template, another mark would be text.
	terminal("send-keys", "2Gx", "C-c")
	waits("a line as a comment", `\(@# a host @\)`, true)
}
