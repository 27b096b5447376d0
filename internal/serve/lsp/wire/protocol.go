package wire

import (
	"bufio"
	"io"
	"sync"
)

// Protocol is what the protocols on top of JSON-RPC do differently.
type Protocol struct {
	lines     bool   // each message is one line; otherwise it has a header
	cancel    string // the notification that cancels a request
	cancelled string // the key of its parameters that has the id of the request
	silent    bool   // a request that was cancelled is not answered
	drain     bool   // at the end of the input, requests that have begun are answered, and not cancelled
	log       string // the notification that reports a panic to the client, or ""
}

// The protocols.
var (
	LSP = Protocol{cancel: "$/cancelRequest", cancelled: "id", log: "window/logMessage"}
	MCP = Protocol{
		lines: true, cancel: "notifications/cancelled", cancelled: "requestId", silent: true, drain: true,
	}
)

// framing separates messages.
type framing interface {
	// read returns the next message, or io.EOF if there is none. After an *Error, the message that
	// follows can be read.
	read() ([]byte, error)

	// frame returns a message with its frame.
	frame(body []byte) []byte
}

func (p Protocol) framing(in io.Reader) framing {
	r := bufio.NewReaderSize(in, maxHeader)
	if p.lines {
		return &lines{r}
	}
	return &headers{r}
}

// writer writes messages. It may be used from several goroutines.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

// write writes a message with one call of Write.
func (w *writer) write(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.w.Write(message)
	return err
}
