package overlay

import "go.starlark.net/starlark"

// caller calls the functions that authors write into annotations: matchers, counts and `via`.
// It is made for one goroutine.
type caller struct {
	opt      *Options
	overlay  *plan            // whose functions are called
	thread   *starlark.Thread // that calls them, once the first has been called
	borrowed bool             // thread was handed in, and calls the functions of all overlays
	print    func(string)     // takes what they print
	now      step             // when they are called, as if overlays were applied one after another
}

// begin sets the overlay whose functions may be called.
func (c *caller) begin(p *plan) {
	c.overlay = p
	if !c.borrowed {
		c.thread = nil
	}
}

// call calls a function of the author's.
func (c *caller) call(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	if c.thread == nil {
		c.thread = c.newThread()
	}
	if !c.borrowed {
		// A limit is one for each call: which calls share a thread depends on the number of
		// processors.
		c.thread.Steps = 0
	}
	return starlark.Call(c.thread, fn, args, nil)
}

// newThread makes a thread for the functions of the current overlay.
func (c *caller) newThread() *starlark.Thread {
	t := &starlark.Thread{Name: "overlay"}
	if c.opt.Thread != nil && c.overlay != nil {
		t = c.opt.Thread(c.overlay.at.Pos)
	}
	if print := c.print; print != nil {
		t.Print = func(_ *starlark.Thread, text string) { print(text) }
	}
	return t
}

// mute keeps functions from printing until the function that it returns is called. They are muted
// where they are asked a second time, to explain.
func (c *caller) mute() (unmute func()) {
	if c.thread == nil {
		return func() {}
	}
	t, print := c.thread, c.thread.Print
	t.Print = func(*starlark.Thread, string) {}
	return func() { t.Print = print }
}
