package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// longestAction is how long a page may take for one action. It ends tests that would hang; it measures
// nothing: on a machine with twenty processes per core, VS Code needs more than a minute to load.
const longestAction = 3 * time.Minute

// Page is a page in a tab that shares nothing with other tabs, except in Visit a process.
type Page struct {
	t        testing.TB
	ctx      context.Context
	stop     context.CancelFunc
	mayAsk   func(url string) bool // what the page may request
	problems problems
}

// Open opens a file. At the end of the test, all Problems of the page fail it.
func (b *Browser) Open(t testing.TB, file string) *Page {
	t.Helper()
	address := FileURL(t, file, "")
	return b.open(t, address, func(url string) bool { return url == address })
}

// OpenIn opens a page in a folder on disk, which may load other files of the folder.
func (b *Browser) OpenIn(t testing.TB, dir, name string) *Page {
	t.Helper()
	root := FileURL(t, dir, "")
	return b.open(t, FileURL(t, dir, name), func(url string) bool { return strings.HasPrefix(url, root) })
}

// FileURL returns the address of a file in a folder.
func FileURL(t testing.TB, dir, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	path := "/" + strings.TrimPrefix(filepath.ToSlash(file), "/") // as in file:///C:/page.html
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// OpenURL opens a page of a server, which may send requests to that server.
func (b *Browser) OpenURL(t testing.TB, address string) *Page {
	t.Helper()
	return b.open(t, address, ofServer(t, address))
}

// ofServer returns a function that reports whether a URL is one of the server of an address.
func ofServer(t testing.TB, address string) func(url string) bool {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	origin := u.Scheme + "://" + u.Host + "/"
	return func(url string) bool { return strings.HasPrefix(url, origin) }
}

// Visit opens a page of a site for a first visitor in half the time that OpenURL takes. Each visit gets its own port,
// so the browser has nothing stored for it, but pages of one host share a process, and the first visit has already
// compiled the program there. The browser keeps that process while one of these pages is open.
func (b *Browser) Visit(t testing.TB, s *Site, page string) *Page {
	t.Helper()
	b.visited.Do(func() {
		ctx, _ := chromedp.NewContext(b.ctx) // open until the browser ends
		if _, err := chromedp.Run(ctx, chromedp.Navigate(s.URL+page)); err != nil {
			t.Fatal(err)
		}
	})
	address := s.again(t) + page
	ctx, stop := chromedp.NewContext(b.ctx)
	return openIn(t, ctx, stop, address, ofServer(t, address))
}

// Another opens a page in another tab, which has the same storage.
func (p *Page) Another(address string) *Page {
	p.t.Helper()
	ctx, stop := chromedp.NewContext(p.ctx)
	return openIn(p.t, ctx, stop, address, p.mayAsk)
}

func (b *Browser) open(t testing.TB, address string, mayAsk func(url string) bool) *Page {
	t.Helper()
	ctx, stop := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	return openIn(t, ctx, stop, address, mayAsk)
}

func openIn(t testing.TB, ctx context.Context, stop func(), address string, mayAsk func(url string) bool) *Page {
	t.Helper()
	t.Cleanup(stop)
	p := &Page{t: t, ctx: ctx, stop: stop, mayAsk: mayAsk}
	p.watch()
	p.Resize(1280, 800)
	p.PreferColors("light")
	p.do(chromedp.Navigate(address))
	return p
}

// Long reports whether tests may take long, because WEFT_TEST_LONG is set.
func Long() bool { return os.Getenv("WEFT_TEST_LONG") != "" }

// Widths returns the widths of windows that pages are tested in: that of a phone, which has the least
// room, and in long runs also those of a tablet, a desktop and a large screen. Other tests use the
// width of a desktop anyway.
func Widths() []int64 {
	if Long() {
		return []int64{390, 768, 1280, 1920}
	}
	return []int64{390}
}

// Resize sets the size of the window, in pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// PreferColors sets what the user prefers: "light" or "dark", or "forced" for the few colors of a high
// contrast.
func (p *Page) PreferColors(scheme string) {
	p.t.Helper()
	feature := emulation.MediaFeature{Name: "prefers-color-scheme", Value: scheme}
	if scheme == "forced" {
		feature = emulation.MediaFeature{Name: "forced-colors", Value: "active"}
	}
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{&feature},
	}))
}

// Scripts lets scripts of the page run, or not. It takes effect with the next page.
func (p *Page) Scripts(run bool) {
	p.t.Helper()
	p.do(call(emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !run}))
}

// Reload loads the page again.
func (p *Page) Reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

// Go opens another page in the same tab.
func (p *Page) Go(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
}

// Press presses one key after another: characters, or keys that package kb names. The focused element
// receives them.
func (p *Page) Press(keys string) {
	p.t.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if len(events) == 3 {
			// chromedp.KeyEvent sends the character separately, so it arrives even if the page
			// handles the key and prevents the default.
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		p.do(call(input.DispatchKeyEvent, down))
		p.do(call(input.DispatchKeyEvent, up))
	}
}

// Insert writes a text into the focused element at once, like pasting it.
func (p *Page) Insert(text string) {
	p.t.Helper()
	p.do(call(input.InsertText, input.InsertTextParams{Text: text}))
}

// Chord presses a key while a modifier is held: "Control", "Shift" or "Alt".
func (p *Page) Chord(modifier, key string) {
	p.t.Helper()
	bits := map[string]int64{"Alt": 1, "Control": 2, "Shift": 8}[modifier]
	events := kb.Encode([]rune(key)[0])
	for _, event := range []input.DispatchKeyEventParams{*events[0], *events[len(events)-1]} {
		event.Modifiers, event.Text, event.UnmodifiedText = bits, "", "" // it produces no text
		p.do(call(input.DispatchKeyEvent, event))
	}
}

// Settle waits until a list of completions can be used: for a moment after it appears, it ignores
// keys that the user was about to type.
func (p *Page) Settle() { time.Sleep(100 * time.Millisecond) }

// PointAt moves the mouse to the end of a text in the only element that matches a selector and
// contains the text.
func (p *Page) PointAt(selector, text, end string) {
	p.t.Helper()
	at := Eval[struct{ X, Y float64 }](p, `(selector, text, end) => {
		const all = [...document.querySelectorAll(selector)].filter(e => e.textContent === text);
		if (all.length !== 1) throw new Error(all.length + " elements, expected one");
		let left = text.indexOf(end) + end.length;
		const texts = document.createTreeWalker(all[0], NodeFilter.SHOW_TEXT);
		for (let n; n = texts.nextNode(); left -= n.length) {
			if (left > n.length) continue;
			const range = document.createRange();
			range.setStart(n, left - 1);
			range.setEnd(n, left);
			const box = range.getBoundingClientRect();
			return {x: box.left + box.width / 2, y: box.top + box.height / 2};
		}
	}`, selector, text, end)
	for _, x := range []float64{at.X - 2, at.X} { // a mouse moves there from somewhere
		p.do(call(input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: at.Y,
		}))
	}
}

// Click clicks with the mouse on the only element that matches a selector and has this text. Like a
// user, it waits until the element stops moving, and cannot click on something that is covered.
func (p *Page) Click(selector, text string) {
	p.t.Helper()
	at, last := p.center(selector, text), point{}
	for ; at != last; at = p.center(selector, text) {
		last = at
		time.Sleep(20 * time.Millisecond)
	}
	p.clickAt(at)
}

func (p *Page) clickAt(at point) {
	p.t.Helper()
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

type point struct{ X, Y float64 }

// center returns the center of the only element that matches a selector and has this text.
func (p *Page) center(selector, text string) point {
	p.t.Helper()
	return Eval[point](p, `(selector, text) => {
		const all = [...document.querySelectorAll(selector)].filter(e => e.textContent === text);
		if (all.length !== 1) throw new Error(all.length + " elements, expected one");
		all[0].scrollIntoView({block: "nearest"});
		const box = all[0].getClientRects()[0];
		const x = box.left + box.width / 2, y = box.top + box.height / 2;
		const top = document.elementFromPoint(x, y);
		if (!all[0].contains(top)) throw new Error("it is covered by " + top?.outerHTML);
		return {x, y};
	}`, selector, text)
}

// Until waits until a JavaScript function returns true.
func (p *Page) Until(what, function string, args ...any) {
	p.t.Helper()
	if !p.happens(function, args...) {
		p.t.Fatalf("%s does not happen", what)
	}
}

// happens waits until a JavaScript function returns true, and reports whether it did.
func (p *Page) happens(function string, args ...any) bool {
	p.t.Helper()
	return p.happensWithin(longestAction, function, args...)
}

func (p *Page) happensWithin(limit time.Duration, function string, args ...any) bool {
	p.t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		is, err := eval[bool](p, function, args...)
		if is {
			return true
		}
		if err != nil && !strings.Contains(err.Error(), "Inspected target navigated") {
			p.t.Fatal(err)
		}
	}
	return false
}

// Texts returns the texts of the elements that match a selector.
func (p *Page) Texts(selector string) []string {
	p.t.Helper()
	return Eval[[]string](p, `s => [...document.querySelectorAll(s)].map(e => e.textContent)`,
		selector)
}

// Eval calls a JavaScript function in the page and returns what it returns, or what it promises.
func Eval[T any](p *Page, function string, args ...any) T {
	p.t.Helper()
	v, err := eval[T](p, function, args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func eval[T any](p *Page, function string, args ...any) (v T, err error) {
	list := make([]string, len(args))
	for i, arg := range args {
		b, err := json.Marshal(arg)
		if err != nil {
			return v, err
		}
		list[i] = string(b)
	}
	code := "(" + function + ")(" + strings.Join(list, ", ") + ")"
	ctx, stop := context.WithTimeout(p.ctx, longestAction)
	defer stop()
	v, err = chromedp.Run(ctx, chromedp.Evaluate[T](code, chromedp.EvalAwaitPromise))
	if err != nil {
		err = fmt.Errorf("calling %s with %s: %w", function, strings.Join(list, ", "), err)
	}
	return v, err
}

// Shoot takes a picture of the page for people to look at: NAME.png in the directory that
// WEFT_TEST_SCREENSHOTS names. Without one, it does nothing.
func (p *Page) Shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("WEFT_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// do runs an action, which must succeed.
func (p *Page) do(action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.ctx, longestAction)
	defer stop()
	if _, err := chromedp.Run(ctx, action); err != nil {
		p.t.Fatal(err)
	}
}

// call returns a command of the protocol as an action.
func call[P any](command cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}
