package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Conn writes and reads lines.
type Conn struct {
	in     *bufio.Reader
	out    *bufio.Writer
	engine sync.Mutex // locked while weft-engines asks a question or answers a request
}

// NewConn returns a connection over a reader and a writer.
func NewConn(in io.Reader, out io.Writer) *Conn {
	return &Conn{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10)}
}

// Send writes a message.
func (c *Conn) Send(message any) error {
	e := json.NewEncoder(c.out) // ends with a line break
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		return err
	}
	return c.out.Flush()
}

// Receive reads a message. It returns io.EOF at the end.
func (c *Conn) Receive(message any) error {
	line, err := c.line()
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(message); err != nil {
		return fmt.Errorf("not a message of this version: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("a line with more than one message")
	}
	return nil
}

func (c *Conn) line() ([]byte, error) {
	var line []byte
	for {
		part, err := c.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxLine:
			return nil, fmt.Errorf("a message is longer than %d MB", MaxLine>>20)
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// Converse sends a request, replies to the questions of weft-engines with read, and returns the answer,
// which is checked. After an error, there is nothing more to say on this connection.
func (c *Conn) Converse(r *Request, read func(path string) Reply) (*Answer, error) {
	if err := c.Send(r); err != nil {
		return nil, err
	}
	for range MaxQuestions {
		var from FromEngines
		if err := c.Receive(&from); err != nil {
			return nil, err
		}
		if from.Answer != nil {
			return from.Answer, from.Answer.check()
		}
		if from.Ask == nil {
			return nil, errors.New("neither a question nor an answer")
		}
		if err := checkQuestion(*from.Ask); err != nil {
			return nil, err
		}
		if err := c.Send(read(*from.Ask)); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("more than %d questions about one request", MaxQuestions)
}

// Ask asks weft about a path.
func (c *Conn) Ask(path string) (r Reply, err error) {
	c.engine.Lock()
	defer c.engine.Unlock()
	if err = c.Send(FromEngines{Ask: &path}); err == nil {
		err = c.Receive(&r)
	}
	return r, err
}

// Answer answers a request.
func (c *Conn) Answer(a *Answer) error {
	c.engine.Lock()
	defer c.engine.Unlock()
	return c.Send(FromEngines{Answer: a})
}

// LastAnswer answers a request that goes on, and will not end in time: nothing more can be asked or answered.
func (c *Conn) LastAnswer(a *Answer) error {
	c.engine.Lock() // for good
	return c.Send(FromEngines{Answer: a})
}
