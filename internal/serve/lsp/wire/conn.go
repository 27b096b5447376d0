package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
)

// Handler handles messages. Both functions are called with one message at a time, in the order in which
// they come, and should not take long.
type Handler struct {
	// Notify handles a notification.
	Notify func(method string, params json.RawMessage) error

	// Request returns the function that answers a request, which runs in a goroutine. The answer must
	// not depend on later messages.
	Request func(method string, params json.RawMessage) (Answer, error)
}

// Answer answers a request. Its result is encoded as JSON; nil is null.
type Answer func(ctx context.Context) (any, error)

// Log receives lines about errors. It may be called from several goroutines.
type Log func(format string, args ...any)

// Conn is one end of a connection. Its methods may be called from several goroutines.
type Conn struct {
	protocol Protocol
	framing  framing
	out      writer
	log      Log

	mu      sync.Mutex
	next    int                     // the id of the last request that was sent
	waiting map[string]chan message // requests that were sent and have no answer yet, by ids
	running map[string]func()       // cancels requests that came and have no answer yet, by ids
	done    sync.WaitGroup          // of running
}

// NewConn returns a connection over two streams.
func (p Protocol) NewConn(in io.Reader, out io.Writer, log Log) *Conn {
	return &Conn{
		protocol: p, framing: p.framing(in), out: writer{w: out}, log: log,
		waiting: map[string]chan message{}, running: map[string]func(){},
	}
}

// Serve reads messages until the stream or ctx ends, and waits for the answers. The error is about
// reading frames.
func (c *Conn) Serve(ctx context.Context, h Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.read(ctx, h) }()
	var err error
	select {
	case err = <-ended:
		if c.protocol.drain {
			c.done.Wait()
		}
	case <-ctx.Done(): // the goroutine that reads may block forever
	}
	cancel()
	c.done.Wait()
	return err
}

func (c *Conn) read(ctx context.Context, h Handler) error {
	for ctx.Err() == nil {
		body, err := c.framing.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if e, ok := errors.AsType[*Error](err); ok {
			c.answer(null, nil, e)
			continue
		}
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.log("a message is not JSON-RPC: %s", err)
			c.answer(idOf(body), nil, refused(body, err))
			continue
		}
		c.take(ctx, h, m)
	}
	return nil
}

func (c *Conn) take(ctx context.Context, h Handler, m message) {
	switch {
	case m.Method == "" && (m.Result != nil || m.Error != nil):
		c.deliver(m)
	case len(m.ID) > 0 && !isID(m.ID):
		c.answer(null, nil, Errorf(InvalidRequest, "the id of a request has to be a string or an integer"))
	case m.Method == "" && len(m.ID) > 0:
		c.answer(m.ID, nil, Errorf(InvalidRequest, "a request has no method"))
	case m.Version != "" && m.Version != "2.0" && len(m.ID) > 0:
		c.answer(m.ID, nil, Errorf(InvalidRequest, `jsonrpc has to be "2.0", but is %.20q`, m.Version))
	case m.Method == c.protocol.cancel:
		c.cancel(m.Params)
	case m.Method == "":
		c.answer(null, nil, Errorf(InvalidRequest, "a message has neither a method nor an id"))
	case len(m.ID) == 0:
		if err := c.notify(h, m); err != nil {
			c.log("%s: %s", m.Method, err)
		}
	default:
		c.begin(ctx, h, m)
	}
}

func (c *Conn) notify(h Handler, m message) (err error) {
	defer c.recovered(m.Method, &err)
	return h.Notify(m.Method, m.Params)
}

// begin starts to answer a request. One that is cancelled is answered at once, even if it takes a moment
// to end or to encode its result, and by the goroutine that reads: another one would have to wait for a
// processor, and the work to cancel may use all of them.
func (c *Conn) begin(parent context.Context, h Handler, m message) {
	answer, err := c.prepare(h, m)
	if err != nil {
		c.answer(m.ID, nil, err)
		return
	}
	ctx, cancel := context.WithCancelCause(parent)
	id := string(m.ID)
	var answered atomic.Bool
	reply := func(body []byte, err error) {
		if !answered.CompareAndSwap(false, true) {
			return
		}
		c.mu.Lock()
		delete(c.running, id)
		c.mu.Unlock()
		switch {
		case ctx.Err() != nil && parent.Err() == nil:
			if !c.protocol.silent {
				c.answer(m.ID, nil, errCancelled)
			}
		case err != nil:
			c.answer(m.ID, nil, err)
		default:
			c.write(body)
		}
	}
	c.mu.Lock()
	c.running[id] = func() {
		cancel(errCancelled)
		reply(nil, nil)
	}
	c.mu.Unlock()
	c.done.Go(func() {
		result, err := c.run(ctx, m.Method, answer)
		var body []byte
		if err == nil {
			body, err = encode(outgoing{ID: m.ID, Result: orNull(result)})
		}
		reply(body, err)
		cancel(nil)
	})
}

func (c *Conn) prepare(h Handler, m message) (answer Answer, err error) {
	defer c.recovered(m.Method, &err)
	return h.Request(m.Method, m.Params)
}

func (c *Conn) run(ctx context.Context, method string, answer Answer) (result any, err error) {
	defer c.recovered(method, &err)
	return answer(ctx)
}

// Panicked writes a panic with its stack to the log, and to that of the client if it has one.
func (c *Conn) Panicked(what string, v any, stack []byte) {
	text := fmt.Sprintf("%s: internal error: %v\n%s", what, v, stack)
	c.log("%s", text)
	if c.protocol.log != "" {
		c.Notify(c.protocol.log, map[string]any{"type": 1, "message": text})
	}
}

// recovered turns a panic into an error.
func (c *Conn) recovered(method string, err *error) {
	v := recover()
	if v == nil {
		return
	}
	c.Panicked(method, v, debug.Stack())
	*err = ErrBug
}

func (c *Conn) answer(id json.RawMessage, result any, err error) {
	if err == nil {
		err = c.send(outgoing{ID: id, Result: orNull(result)})
	}
	if err != nil {
		c.sendOrLog(outgoing{ID: id, Error: errorOf(err)})
	}
}

// cancel cancels a request of the other side.
func (c *Conn) cancel(params json.RawMessage) {
	var p map[string]json.RawMessage
	if err := Decode(params, &p); err != nil {
		c.log("%s: %s", c.protocol.cancel, err)
		return
	}
	c.mu.Lock()
	cancel := c.running[string(p[c.protocol.cancelled])]
	c.mu.Unlock()
	if cancel != nil { // otherwise it has been answered
		cancel()
	}
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.sendOrLog(outgoing{Method: method, Params: orNull(params)})
}

// Call sends a request, waits for the answer and decodes it, unless result is nil. A Handler must not
// call it, since the answer is not read before the Handler returns.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	c.mu.Lock()
	c.next++
	id := strconv.Itoa(c.next)
	came := make(chan message, 1)
	c.waiting[id] = came
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, id)
	}()
	err := c.send(outgoing{ID: json.RawMessage(id), Method: method, Params: orNull(params)})
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case m := <-came:
		if m.Error != nil {
			return fmt.Errorf("%s: %w", method, m.Error)
		}
		if result == nil {
			return nil
		}
		return Decode(m.Result, result)
	}
}

// deliver passes an answer to the Call that waits for it.
func (c *Conn) deliver(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if came := c.waiting[string(m.ID)]; came != nil {
		delete(c.waiting, string(m.ID))
		came <- m
	}
}

// send sends a message. It returns an error if the message cannot be encoded; errors of writing are
// only logged.
func (c *Conn) send(m outgoing) error {
	body, err := encode(m)
	if err == nil {
		c.write(body)
	}
	return err
}

func (c *Conn) write(body []byte) {
	if err := c.out.write(c.framing.frame(body)); err != nil {
		c.log("sending a message: %s", err)
	}
}

func (c *Conn) sendOrLog(m outgoing) {
	if err := c.send(m); err != nil {
		c.log("sending a message: %s", err)
	}
}
