// Package wire is JSON-RPC 2.0 over a pair of byte streams, for the language server protocol and the model
// context protocol.
//
// It passes messages to a Handler in order, and sends answers, notifications and requests. The only
// method that it knows is the one that cancels requests. Every request is answered, even if its handler
// panics.
//
//	frame.go     bytes ⇄ frames with headers
//	lines.go     bytes ⇄ messages of one line
//	message.go   frames ⇄ messages, and their errors
//	protocol.go  how the two protocols differ
//	conn.go      the order of messages, cancellation, answers
package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The limits of a frame. A header has two short lines. A body has at most a whole file, in which each
// byte may be escaped.
const (
	maxHeader = 4 << 10
	maxBody   = 512 << 20
)

// headers is the framing of the language server protocol.
type headers struct{ r *bufio.Reader }

// read returns the body of the next frame. After any error, it is unknown where the next frame begins.
func (r *headers) read() ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := r.r.ReadSlice('\n')
		if read += len(line); errors.Is(err, bufio.ErrBufferFull) || read > maxHeader {
			return nil, fmt.Errorf("the header of a message is longer than %d bytes", maxHeader)
		}
		if err == io.EOF && read > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		text := string(trimLine(line))
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, fmt.Errorf("expected a header `Name: value`, but found %q", text)
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue // such as Content-Type, which has one valid value
		}
		length, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || length < 0 || length > maxBody {
			return nil, fmt.Errorf("expected a Content-Length from 0 to %d, but found %q", maxBody, value)
		}
	}
	if length < 0 {
		return nil, errors.New("a message has no Content-Length")
	}
	return r.body(length)
}

func trimLine(line []byte) []byte { return bytes.TrimRight(line, "\r\n") }

// body reads the bytes of a frame. It allocates memory for bytes that have arrived, not for those
// that the header announces.
func (r *headers) body(length int) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(min(length, 64<<10))
	n, err := io.CopyN(&b, r.r, int64(length))
	if n < int64(length) && (err == nil || err == io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), err
}

func (r *headers) frame(body []byte) []byte {
	frame := make([]byte, 0, len(body)+40)
	frame = append(frame, "Content-Length: "...)
	frame = strconv.AppendInt(frame, int64(len(body)), 10)
	frame = append(frame, "\r\n\r\n"...)
	return append(frame, body...)
}
