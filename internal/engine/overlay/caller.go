package overlay

import "go.starlark.net/starlark"

// Caller calls the functions that authors write into annotations: matchers, counts and `via`.
// It is made for one goroutine.
type Caller struct {
	opt      *Options
	overlay  *Plan            // whose functions are called
	thread   *starlark.Thread // that calls them, once the first has been called
	Borrowed bool             // thread was handed in, and calls the functions of all overlays
	print    func(string)     // takes what they print
	Now      Moment           // when they are called, as if overlays were applied one after another
}

// begin sets the overlay whose functions may be called.
func (c *Caller) begin(p *Plan) {
	c.overlay = p
	if !c.Borrowed {
		c.thread = nil
	}
}

// call calls a function of the author's.
func (c *Caller) call(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	if c.thread == nil {
		c.thread = c.newThread()
	}
	if !c.Borrowed {
		// A limit is one for each call: which calls share a thread depends on the number of
		// processors.
		c.thread.Steps = 0
	}
	return starlark.Call(c.thread, fn, args, nil)
}

// newThread makes a thread for the functions of the current overlay.
func (c *Caller) newThread() *starlark.Thread {
	t := &starlark.Thread{Name: "overlay"}
	if c.opt.Thread != nil && c.overlay != nil {
		t = c.opt.Thread(c.overlay.At.Pos)
	}
	if print := c.print; print != nil {
		t.Print = func(_ *starlark.Thread, text string) { print(text) }
	}
	return t
}

// Mute keeps functions from printing until the function that it returns is called. They are muted
// where they are asked a second time, to explain.
func (c *Caller) Mute() (unmute func()) {
	if c.thread == nil {
		return func() {}
	}
	t, print := c.thread, c.thread.Print
	t.Print = func(*starlark.Thread, string) {}
	return func() { t.Print = print }
}
