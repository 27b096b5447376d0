package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"weft/internal/serve/cli"
	"weft/internal/testing/cases"
)

// TestExamplesRenderAsOnTheCommandLine has every example of the gallery print what weft prints in a
// folder with its files.
func TestExamplesRenderAsOnTheCommandLine(t *testing.T) {
	list, err := readExamples(os.DirFS(filepath.Join("..", "..", "web", "playground", "examples")))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 15 {
		t.Errorf("the gallery has %d examples, expected 15 or more", len(list))
	}
	for _, x := range list {
		t.Run(x.ID, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := []string{"-f", "."}
			for _, f := range x.Files {
				if f.Path == "weft.yml" {
					args = []string{"render"}
				}
				if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(f.Path, []byte(f.Data), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if x.Environment != "" {
				args = append(args, x.Environment)
			}
			var stdout, stderr bytes.Buffer
			code := cli.Main(args, strings.NewReader(""), &stdout, &stderr)
			if (code != 0) != x.Fails {
				t.Errorf("weft %q exits with %d\n%s", args, code, &stderr)
			}
			if stdout.String() != x.Output {
				t.Errorf("the page shows\n%s\nand weft prints\n%s", x.Output, &stdout)
			}
		})
	}
}

// TestBundleIsReproducible builds the page twice. It needs what npm installs.
func TestBundleIsReproducible(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("the page is not built: npm is not installed")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "web", "node_modules")); err != nil {
		t.Skip("the page is not built: run npm ci in web")
	}
	b := [2]builder{}
	for i := range b {
		b[i] = builder{root: root, web: filepath.Join(root, "web"), files: map[string][]byte{}}
		for _, step := range []func() error{b[i].bundle, b[i].copies, b[i].examples, b[i].notices, b[i].serviceWorker} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range b[0].names() {
		if !bytes.Equal(b[0].files[name], b[1].files[name]) {
			t.Errorf("%s differs from build to build", name)
		}
	}
	for _, name := range []string{"@codemirror/view ", "@marijn/find-cluster-break ", "go.starlark.net ", "\nGo\n"} {
		if !strings.Contains(string(b[0].files["notices.txt"]), name) {
			t.Errorf("the notices do not name %s", name)
		}
	}
}

// TestProgramIsReproducible builds weft for browsers from two folders: the paths of a machine are no
// part of it.
func TestProgramIsReproducible(t *testing.T) {
	if !cases.Long() {
		t.Skip("linking twice takes long: set WEFT_TEST_LONG")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	copySources(t, root, copied)
	var programs [2]map[string][]byte
	for i, dir := range []string{root, copied} {
		b := builder{root: dir, web: filepath.Join(dir, "web"), files: map[string][]byte{}}
		if err := b.programs(); err != nil {
			t.Fatal(err)
		}
		programs[i] = b.files
	}
	for _, name := range []string{"weft.wasm", assistFile} {
		if !bytes.Equal(programs[0][name], programs[1][name]) {
			t.Errorf("%s differs from folder to folder", name)
		}
		if bytes.Contains(programs[0][name], []byte(root)) {
			t.Errorf("%s has the path %s in it", name, root)
		}
	}
}

// copySources copies what weft for browsers is made of.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{"internal", "cmd", "docs", "go.mod", "go.sum", "."} {
		err := filepath.WalkDir(filepath.Join(from, name), func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if entry.Name() == "testdata" || name == "." && path != filepath.Clean(from) {
					return filepath.SkipDir
				}
				return nil
			}
			if name == "." && filepath.Ext(path) != ".go" {
				return nil
			}
			rel, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			target := filepath.Join(to, rel)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			return os.WriteFile(target, data, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestOnePalette has one style sheet name colors, and all others use its names.
func TestOnePalette(t *testing.T) {
	var names []string
	for _, dir := range []string{"site", "playground"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "web", dir, "*.css"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	color := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\b(rgb|hsl|oklch|light-dark)a?\(|:root[^{]*\{[^}]*--`)
	with := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			_, declared, _ := strings.Cut(line, "{") // a selector may have a name after #
			if filepath.Base(name) == "colors.css" {
				declared = line
			}
			if !color.MatchString(declared) {
				continue
			}
			if with++; filepath.Base(name) != "colors.css" {
				t.Errorf("%s has a color: %s", name, line)
			}
		}
	}
	if len(names) < 5 || with < 15 {
		t.Errorf("%d style sheets have %d colors", len(names), with)
	}
}

// TestCompress decompresses what was compressed.
func TestCompress(t *testing.T) {
	for _, command := range compressors {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Skipf("nothing is compressed: %s is not installed", command[0])
		}
	}
	text := bytes.Repeat([]byte("replicas: 2 # and more\n"), 500)
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.js": text, "small.js": []byte("1"), "a.png": text} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time, nothing compressed is compressed
		if err := compress(dir); err != nil {
			t.Fatal(err)
		}
	}
	files, names, err := readAll(os.DirFS(dir), "*")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"a.js", "a.js.br", "a.js.zst", "a.png", "small.js"}) {
		t.Errorf("the files are %q", names)
	}
	for ending, command := range compressors {
		cmd := exec.Command(command[0], "-d", "-c")
		cmd.Stdin = bytes.NewReader(files["a.js"+ending])
		if out, err := cmd.Output(); err != nil || !bytes.Equal(out, text) {
			t.Errorf("%s: %d bytes, %v", ending, len(out), err)
		}
	}
}

// TestProgramsLeaveOut has the programs of the page link nothing that a page cannot use, and the one that renders
// nothing of the language server, either: visitors wait for it.
func TestProgramsLeaveOut(t *testing.T) {
	out := []string{
		"net/http", "crypto/tls", "github.com/fsnotify/", "github.com/spf13/", "weft/internal/serve/cli",
		"weft/internal/serve/krm", "weft/internal/serve/argocd", "weft/internal/serve/mcp",
		"weft/internal/serve/upgrade", "weft/internal/check/kubernetes", "weft/internal/project/git",
		"weft/internal/project/archive", "weft/internal/project/remote", "weft/internal/project/vendor",
		"weft/internal/project/vendir", "weft/internal/project/program", "weft/docs",
	}
	first := append(slices.Clone(out), "weft/internal/serve/lsp", "weft/internal/serve/playground/assist",
		"weft/internal/project/watch", "weft/internal/project/scaffold")
	for _, tt := range []struct {
		command, tags string
		out           []string
	}{{pageCommand, pageTags, first}, {assistCommand, assistTags, out}} {
		text, err := output(filepath.Join("..", ".."), []string{"GOOS=js", "GOARCH=wasm"},
			"go", "list", "-deps", "-tags="+tt.tags, tt.command)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "\nweft/internal/engine\n") {
			t.Errorf("%s: the list of packages is wrong:\n%s", tt.command, text)
		}
		for name := range strings.FieldsSeq(text) {
			if slices.ContainsFunc(tt.out, func(p string) bool { return strings.HasPrefix(name+"/", strings.TrimSuffix(p, "/")+"/") }) {
				t.Errorf("%s links %s", tt.command, name)
			}
		}
	}
}

// TestPageNamesItsAddress has the page tell search engines where it is, if that is known.
func TestPageNamesItsAddress(t *testing.T) {
	for _, tt := range []struct{ docs, address, want string }{
		{"", "", "<title>x"},
		{"../", "", `<link rel="apple-touch-icon" href="../assets/icon.png">` + "\n<title>x"},
		{"../", "https://a.io/b", `<link rel="apple-touch-icon" href="../assets/icon.png">
<link rel="canonical" href="https://a.io/b/playground/index.html">
<meta property="og:url" content="https://a.io/b/playground/index.html">
<meta property="og:image" content="https://a.io/b/assets/icon.png">
<title>x`},
	} {
		b := builder{files: map[string][]byte{"index.html": []byte("<title>x")}}
		b.nameAddress(tt.docs, tt.address)
		if got := string(b.files["index.html"]); got != tt.want {
			t.Errorf("%+v: the page begins with\n%s", tt, got)
		}
	}
}
