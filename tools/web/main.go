// Command web builds the playground: the bundle of its page, weft for browsers, and the licenses of
// their dependencies. The same sources give the same bytes.
//
//	go run ./tools/web            for weft playground: fills web/dist, which go build embeds
//	go run ./tools/web -o DIR     for a web server: all files, with weft as WebAssembly
//	go run ./tools/web -o DIR -compress DIR    the same, with compressed files beside large ones
//	go run ./tools/web -site DIR        for the site: what finds its sections and runs its examples
//
// It needs npm, and runs npm ci in web if that has not been done.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	out := flag.String("o", "", "write all files for a web server to `DIR`")
	version := flag.String("version", "", "the `version` that the page shows (default: git describe)")
	docs := flag.String("docs", "", "the `PATH` from the page to the documentation, for links to codes")
	small := flag.String("compress", "", "add NAME.br and NAME.zst to large files in `DIR`, with brotli and zstd")
	address := flag.String("url", "", "the `ADDRESS` of the site that the page is part of, for search engines")
	site := flag.String("site", "", "write the search and the live examples of the site to `DIR`")
	flag.Parse()
	var err error
	if *site != "" {
		err = buildSite(*site)
	}
	if err == nil && (*out != "" || *site+*small == "") {
		err = build(*out, *version, *docs, *address)
	}
	if err == nil && *small != "" {
		err = compress(*small)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// build builds the page, and if out is not empty, the files for a web server.
func build(out, version, docs, address string) error {
	b, err := newBuilder()
	if err != nil {
		return err
	}
	to, hosted := out, out != ""
	if !hosted {
		to = filepath.Join(b.web, "dist")
	}
	for _, step := range []func() error{b.install, b.bundle, b.copies, b.examples, b.notices} {
		if err := step(); err != nil {
			return err
		}
	}
	if hosted {
		for _, step := range []func() error{b.programs, b.worker, b.firstPaint} {
			if err := step(); err != nil {
				return err
			}
		}
		b.showVersion(version)
		b.linkDocs(docs)
		b.nameAddress(docs, address)
		b.pinAssistant()
		if err := b.serviceWorker(); err != nil {
			return err
		}
	}
	return b.write(to)
}

// buildSite builds the scripts of the site that contain npm packages: what finds its sections, and
// what runs its examples, with the engine of the playground.
func buildSite(to string) error {
	b, err := newBuilder()
	if err != nil {
		return err
	}
	if err := b.install(); err != nil {
		return err
	}
	if err := b.script("find.js", "search/find.js", "iife", "--global-name=weftSearch"); err != nil {
		return err
	}
	if err := b.script("live.js", "live/live.js", "esm", "--loader:.css=text"); err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("The search and the live examples contain software of others, under these licenses.\n")
	if err := b.npmNotices(&out); err != nil {
		return err
	}
	b.files["notices.txt"] = []byte(out.String())
	return b.write(to)
}

// builder collects the files of the playground.
type builder struct {
	root, web string
	files     map[string][]byte
	list      []example
}

func newBuilder() (*builder, error) {
	root, err := output("", nil, "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	root = strings.TrimSpace(root)
	return &builder{root: root, web: filepath.Join(root, "web"), files: map[string][]byte{}}, nil
}

// install installs the packages of package-lock.json, unless that was done before.
func (b *builder) install() error {
	lock, err := os.ReadFile(filepath.Join(b.web, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(b.web, "node_modules", ".weft-lock")
	if done, err := os.ReadFile(stamp); err == nil && bytes.Equal(done, sum(lock)) {
		return nil
	}
	// Do not run the install scripts of packages.
	_, err = output(b.web, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	if err != nil {
		return err
	}
	return os.WriteFile(stamp, sum(lock), 0o644)
}

// bundle bundles the page's sources and the packages that they import into one script.
func (b *builder) bundle() error { return b.script("playground.js", "playground/src/main.js", "iife") }

// script bundles a source and the packages that it imports into one script: a module (esm), or not (iife).
func (b *builder) script(name, source, format string, args ...string) error {
	esbuild := filepath.Join(b.web, "node_modules", ".bin", "esbuild")
	if runtime.GOOS == "windows" {
		esbuild += ".cmd"
	}
	text, err := output(b.web, nil, esbuild, append([]string{
		source, "--bundle", "--minify",
		"--format=" + format, "--target=es2022", "--charset=utf8", "--legal-comments=none",
		"--log-level=warning",
	}, args...)...)
	b.files[name] = []byte(text)
	return err
}

// copies adds files that need no build.
func (b *builder) copies() error {
	for _, name := range []string{
		"playground/index.html", "playground/playground.css", "playground/icon.svg", "playground/early.js",
		"site/theme.js",
	} {
		data, err := os.ReadFile(filepath.Join(b.web, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		b.files[path.Base(name)] = data
	}
	var styles []byte
	for _, name := range []string{"site/colors.css", "site/code.css", "playground/editor.css"} {
		data, err := os.ReadFile(filepath.Join(b.web, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		styles = append(styles, data...)
	}
	b.files["playground.css"] = append(styles, b.files["playground.css"]...)
	return nil
}

// examples adds the gallery.
func (b *builder) examples() error {
	list, err := readExamples(os.DirFS(filepath.Join(b.web, "playground", "examples")))
	if err != nil {
		return err
	}
	b.list = list
	b.files["examples.json"], err = json.Marshal(list)
	return err
}

// replace replaces a part of the page.
func (b *builder) replace(old, part string) {
	b.files["index.html"] = bytes.Replace(b.files["index.html"], []byte(old), []byte(part), 1)
}

// The programs of the page and of live examples: one renders; the other, loaded later, assists the editor.
const (
	pageCommand   = "./cmd/weft-wasm"
	assistCommand = "./cmd/weft-assist-wasm"
	assistFile    = "assist.wasm"

	// One tag leaves out features that a page cannot use, the other what the second program has.
	assistTags = "playground"
	pageTags   = assistTags + ",first"
)

// programs builds the programs of the playground's page.
func (b *builder) programs() error {
	if err := b.program(pageCommand, pageTags, "weft.wasm"); err != nil {
		return err
	}
	return b.program(assistCommand, assistTags, assistFile)
}

// program builds a command for browsers, and adds the script of the same Go version that starts it.
func (b *builder) program(command, tags, name string) error {
	dir, err := os.MkdirTemp("", "weft-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	// Functions that are not inlined make the program smaller by a sixth, compressed.
	_, err = output(b.root, []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS="}, "go", "build", "-trimpath",
		"-pgo=off", "-buildvcs=false", "-tags="+tags, "-gcflags=all=-l",
		"-ldflags=-s -w -buildid=", "-o", file, command)
	if err != nil {
		return err
	}
	if b.files[name], err = os.ReadFile(file); err != nil {
		return err
	}
	goroot, err := output(b.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	starter := filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js")
	b.files["wasm_exec.js"], err = os.ReadFile(starter)
	return err
}

// worker adds the script of the worker.
func (b *builder) worker() (err error) {
	b.files["worker.js"], err = os.ReadFile(filepath.Join(b.web, "playground", "worker.js"))
	return err
}

// showVersion writes weft's version into the page. The page of weft playground asks its server instead.
func (b *builder) showVersion(version string) {
	if version == "" {
		out, err := output(b.root, nil, "git", "describe", "--tags", "--always")
		if version = strings.TrimSpace(out); err != nil {
			return // sources without git and without -version
		}
	}
	b.replace(`<span id="version"></span>`, `<span id="version">weft `+html.EscapeString(version)+`</span>`)
}

// pinAssistant writes the hash of the assistant into the page, so that a page that loads it later
// accepts only the one of the same build.
func (b *builder) pinAssistant() {
	digest := sha256.Sum256(b.files[assistFile])
	b.setMeta("weft-assist", "sha256-"+base64.StdEncoding.EncodeToString(digest[:]))
}

// linkDocs adds links to the documentation, which is at a path from the page.
func (b *builder) linkDocs(docs string) {
	if docs == "" {
		return
	}
	b.setMeta("weft-docs", docs)
	at := html.EscapeString(docs)
	b.replace(`</span>weft `, `</span><a href="`+at+`index.html">weft</a> `)
	b.replace(`<nav id="docs" aria-label="Documentation" hidden></nav>`, `<nav id="docs" aria-label="Documentation">`+
		`<a href="`+at+`tutorial.html">Docs</a></nav>`)
}

// nameAddress adds what search engines and previews of links want to know: where the page is, and a
// picture. The documentation is at a path from the page, and below an address if that is known.
func (b *builder) nameAddress(docs, address string) {
	if docs == "" {
		return
	}
	const icon = "assets/icon.png"
	head := `<link rel="apple-touch-icon" href="` + html.EscapeString(docs) + icon + `">`
	if address != "" {
		at := html.EscapeString(strings.TrimSuffix(address, "/") + "/")
		head += "\n" + `<link rel="canonical" href="` + at + `playground/index.html">` +
			"\n" + `<meta property="og:url" content="` + at + `playground/index.html">` +
			"\n" + `<meta property="og:image" content="` + at + icon + `">`
	}
	b.replace("<title>", head+"\n<title>")
}

// setMeta sets the content of an empty meta element of the page.
func (b *builder) setMeta(name, content string) {
	b.replace(fmt.Sprintf(`name="%s" content=""`, name),
		fmt.Sprintf(`name="%s" content="%s"`, name, html.EscapeString(content)))
}

// serviceWorker adds the service worker, with the list of all files and a version computed from their
// contents.
func (b *builder) serviceWorker() error {
	text, err := os.ReadFile(filepath.Join(b.web, "playground", "sw.js"))
	if err != nil {
		return err
	}
	all := sha256.New()
	var names []string
	for _, name := range b.names() {
		if name == "notices.txt" {
			continue
		}
		fmt.Fprintf(all, "%s %x\n", name, sha256.Sum256(b.files[name]))
		if name != assistFile {
			names = append(names, name)
		}
	}
	b.files["sw.js"] = []byte(strings.NewReplacer(
		"{{build}}", hex.EncodeToString(all.Sum(nil)[:8]), "{{files}}", strings.Join(names, " "),
		"{{later}}", assistFile,
	).Replace(string(text)))
	return nil
}

func (b *builder) names() []string {
	var names []string
	for name := range b.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// write writes the files, and prints their sizes.
func (b *builder) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range b.names() {
		if err := os.WriteFile(filepath.Join(dir, name), b.files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%9d %s\n", len(b.files[name]), filepath.Join(dir, name))
	}
	return nil
}

func sum(data []byte) []byte {
	s := sha256.Sum256(data)
	return []byte(hex.EncodeToString(s[:]))
}

// output runs a command and returns what it prints.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out), nil
}

// readAll reads the files of a directory that match a pattern, sorted by name.
func readAll(dir fs.FS, pattern string) (map[string][]byte, []string, error) {
	names, err := fs.Glob(dir, pattern)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[name], err = fs.ReadFile(dir, name); err != nil {
			return nil, nil, err
		}
	}
	return files, names, nil
}
