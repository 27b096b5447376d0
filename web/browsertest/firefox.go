package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Firefox is a Firefox with one tab, which runs until the end of a test. It speaks Marionette, the protocol below
// geckodriver: JSON with a length in front.
type Firefox struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	id   int
}

// StartFirefox starts Firefox without access to other machines. If it is not installed, the test is skipped, or
// fails if WEFT_TEST_FIREFOX is set.
func StartFirefox(t testing.TB) *Firefox {
	t.Helper()
	path := ""
	for _, name := range []string{os.Getenv("WEFT_FIREFOX"), "firefox", "firefox-esr"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		const message = "Firefox is not installed. On Debian: apt-get install firefox-esr. " +
			"Elsewhere, set WEFT_FIREFOX to its path"
		if os.Getenv("WEFT_TEST_FIREFOX") != "" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxSettings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &Firefox{t: t}
	t.Cleanup(func() {
		if f.conn != nil {
			_, _ = f.command("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}})
		}
		end := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		end.Stop()
	})
	f.connect(filepath.Join(profile, "MarionetteActivePort"))
	f.do("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{}})
	return f
}

// firefoxSettings let pages reach nothing but this machine, and leave out what a first start shows.
const firefoxSettings = `user_pref("marionette.port", 0);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("browser.startup.homepage", "about:blank");
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
`

// connect waits until Firefox says where it listens, and greets.
func (f *Firefox) connect(portFile string) {
	f.t.Helper()
	for end := time.Now().Add(longestAction); ; time.Sleep(50 * time.Millisecond) {
		port, err := os.ReadFile(portFile)
		if err == nil {
			f.conn, err = net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		}
		if err == nil {
			break
		}
		if time.Now().After(end) {
			f.t.Fatalf("Firefox does not start: %v", err)
		}
	}
	f.in = bufio.NewReader(f.conn)
	if _, err := f.read(); err != nil {
		f.t.Fatal(err)
	}
}

// command sends a command and returns its answer.
func (f *Firefox) command(name string, params any) (json.RawMessage, error) {
	f.id++
	text, err := json.Marshal([]any{0, f.id, name, params})
	if err != nil {
		return nil, err
	}
	if err := f.conn.SetDeadline(time.Now().Add(longestAction)); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(text), text); err != nil {
		return nil, err
	}
	answer, err := f.read()
	if err != nil {
		return nil, err
	}
	var parts []json.RawMessage // the kind, the number of the command, an error, a result
	if err := json.Unmarshal(answer, &parts); err != nil || len(parts) != 4 {
		return nil, fmt.Errorf("%s: the answer is %s", name, answer)
	}
	if string(parts[2]) != "null" {
		return nil, fmt.Errorf("%s: %s", name, parts[2])
	}
	return parts[3], nil
}

// read reads one message.
func (f *Firefox) read() ([]byte, error) {
	length, err := f.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	data := make([]byte, n)
	_, err = io.ReadFull(f.in, data)
	return data, err
}

func (f *Firefox) do(name string, params any) json.RawMessage {
	f.t.Helper()
	answer, err := f.command(name, params)
	if err != nil {
		f.t.Fatal(err)
	}
	return answer
}

// Go opens a page, and waits until it is loaded.
func (f *Firefox) Go(url string) {
	f.t.Helper()
	f.do("WebDriver:Navigate", map[string]any{"url": url})
}

// EvalFirefox calls a JavaScript function in the page and returns what it returns, or what it promises.
func EvalFirefox[T any](f *Firefox, function string, args ...any) (v T) {
	f.t.Helper()
	if args == nil {
		args = []any{}
	}
	answer := f.do("WebDriver:ExecuteScript", map[string]any{
		"script": "return (" + function + ")(...arguments)", "args": args, "sandbox": nil,
	})
	var result struct{ Value T }
	if err := json.Unmarshal(answer, &result); err != nil {
		f.t.Fatalf("%s: %v in %s", function, err, answer)
	}
	return result.Value
}

// Until waits until a JavaScript function returns true.
func (f *Firefox) Until(what, function string, args ...any) {
	f.t.Helper()
	for end := time.Now().Add(longestAction); !EvalFirefox[bool](f, function, args...); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%s does not happen", what)
		}
	}
}

// Click clicks with the mouse on the first visible element that matches a selector.
func (f *Firefox) Click(selector string) {
	f.t.Helper()
	at := EvalFirefox[point](f, `selector => {
		const e = [...document.querySelectorAll(selector)].find(e => e.checkVisibility())
		if (!e) throw new Error("there is no " + selector)
		e.scrollIntoView({block: "nearest"})
		const box = e.getBoundingClientRect(), x = Math.round(box.left + box.width / 2), y = Math.round(box.top + Math.min(box.height / 2, 12))
		if (!e.contains(document.elementFromPoint(x, y))) throw new Error(selector + " is covered by " + document.elementFromPoint(x, y)?.outerHTML.slice(0, 200))
		return {X: x, Y: y}
	}`, selector)
	f.act("pointer", map[string]any{"type": "pointerMove", "x": int(at.X), "y": int(at.Y)},
		map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
}

// Press presses one key after another, while others are held. Special keys have the numbers of WebDriver.
func (f *Firefox) Press(keys string, held ...string) {
	f.t.Helper()
	var list []map[string]any
	for _, key := range held {
		list = append(list, map[string]any{"type": "keyDown", "value": key})
	}
	for _, r := range keys {
		list = append(list, map[string]any{"type": "keyDown", "value": string(r)}, map[string]any{"type": "keyUp", "value": string(r)})
	}
	for _, key := range held {
		list = append(list, map[string]any{"type": "keyUp", "value": key})
	}
	f.act("key", list...)
}

// act has the mouse or the keyboard do something.
func (f *Firefox) act(device string, list ...map[string]any) {
	f.t.Helper()
	f.do("WebDriver:PerformActions", map[string]any{
		"actions": []any{map[string]any{"type": device, "id": device, "actions": list}},
	})
}
