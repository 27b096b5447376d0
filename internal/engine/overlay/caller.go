package overlay

import (
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Caller calls the functions that authors write into annotations: matchers, counts and `via`. It is
// not safe for concurrent use.
type Caller struct {
	opt      *Options
	overlay  *Plan            // the overlay whose functions are called
	thread   *starlark.Thread // created on the first call
	Borrowed bool             // thread belongs to the caller and serves all overlays
	print    func(string)     // receives printed text
	Now      Moment           // the moment of the call, as if overlays were applied one after another

	docs  *documents   // what overlay.documents returns, if that is known
	asked *atomic.Bool // whether functions called overlay.documents without that; nil if nothing follows from it
}

// begin sets the overlay whose functions may be called.
func (c *Caller) begin(p *Plan) {
	c.overlay, c.docs = p, nil
	if !c.Borrowed {
		c.thread = nil
	}
}

// call calls a function written by the author.
func (c *Caller) call(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	if c.thread == nil {
		c.thread = c.newThread()
	}
	if !c.Borrowed {
		// The limit applies to each call, because which calls share a thread depends on the number
		// of processors.
		c.thread.Steps = 0
	}
	res, err := starlark.Call(c.thread, fn, args, nil)
	if c.asked != nil && c.asked.Load() {
		return nil, errStop // even if the function handles the error
	}
	return res, err
}

// newThread returns a thread for the functions of the current overlay.
func (c *Caller) newThread() *starlark.Thread {
	t := &starlark.Thread{Name: "overlay"}
	if c.opt.Thread != nil && c.overlay != nil {
		t = c.opt.Thread(c.overlay.At.Pos)
	}
	if print := c.print; print != nil {
		t.Print = func(_ *starlark.Thread, text string) { print(text) }
	}
	switch {
	case c.docs != nil:
		t.SetLocal(documentsKey, c.docs)
	case c.asked != nil:
		t.SetLocal(documentsKey, &documents{asked: c.asked})
	}
	return t
}

// Mute discards what functions print until unmute is called. Explanations use it to call functions
// a second time.
func (c *Caller) Mute() (unmute func()) {
	if c.thread == nil {
		return func() {}
	}
	t, print := c.thread, c.thread.Print
	t.Print = func(*starlark.Thread, string) {}
	return func() { t.Print = print }
}
