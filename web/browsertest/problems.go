package browsertest

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// problems are the events of a page, which include its problems.
type problems struct {
	console  iter.Seq2[chromedp.ConsoleMessage, error]
	requests iter.Seq2[network.EventRequestWillBeSent, error]
	sockets  iter.Seq2[network.EventWebSocketCreated, error]
	told     bool
}

// watch collects events from now on. If the test does not call Problems, problems fail the test.
func (p *Page) watch() {
	p.problems.console = chromedp.Console(p.ctx)
	p.problems.requests = chromedp.Events(p.ctx, network.RequestWillBeSent)
	p.problems.sockets = chromedp.Events(p.ctx, network.WebSocketCreated)
	p.t.Cleanup(func() {
		if p.problems.told {
			return
		}
		for _, problem := range p.Problems() {
			p.t.Error(problem)
		}
	})
}

// The last page of a tab. Events are queued, and those of this page mark the ends of the queues.
const (
	lastWord   = "this is the end"
	lastSocket = "ws://end.invalid/"
	lastPage   = "data:text/html,<script>new WebSocket('" + lastSocket + "');" +
		"console.log('" + lastWord + "')</script>"
)

// Problems ends the page and returns what it did that no page of weft may do: errors and warnings on
// the console, uncaught exceptions, and requests for anything but the page.
func (p *Page) Problems() []string {
	p.t.Helper()
	p.problems.told = true
	// a page with unsaved edits would ask before it closes
	Eval[any](p, "() => { window.onbeforeunload = null }")
	p.do(chromedp.Navigate(lastPage))
	defer time.AfterFunc(longestAction, p.stop).Stop()
	var found []string
	for _, m := range until(p, p.problems.console, func(m chromedp.ConsoleMessage) bool {
		return m.Text == lastWord
	}) {
		switch m.Type {
		case chromedp.ConsoleError, chromedp.ConsoleWarning, chromedp.ConsoleException:
			found = append(found, fmt.Sprintf("console: %s (%s:%d)", m, m.URL, m.Line+1))
		}
	}
	for _, r := range until(p, p.problems.requests, func(r network.EventRequestWillBeSent) bool {
		return r.Type == network.ResourceTypeDocument && strings.HasPrefix(r.Request.URL, "data:")
	}) {
		if url := r.Request.URL; !p.mayAsk(url) && !strings.HasPrefix(url, "data:") {
			found = append(found, "request: "+url)
		}
	}
	for _, s := range until(p, p.problems.sockets, func(s network.EventWebSocketCreated) bool {
		return s.URL == lastSocket
	}) {
		found = append(found, "request: "+s.URL)
	}
	return found
}

// until returns the events before the last one.
func until[E any](p *Page, events iter.Seq2[E, error], last func(E) bool) []E {
	p.t.Helper()
	var all []E
	for e, err := range events {
		if err != nil {
			p.t.Fatalf("waiting for events: %v", err)
		}
		if last(e) {
			return all
		}
		all = append(all, e)
	}
	p.t.Fatal("the events of the page ended early")
	return nil
}
