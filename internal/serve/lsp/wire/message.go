package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// message is any message: a request has a method and an id, a notification only a method, an answer
// only an id.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// outgoing is a message to send, which is encoded as a whole.
type outgoing struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Error is the error of a request, as it is sent.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Code is the kind of an Error.
type Code int

// The codes of JSON-RPC and of the language server protocol.
const (
	ParseError           Code = -32700
	InvalidRequest       Code = -32600
	MethodNotFound       Code = -32601
	InvalidParams        Code = -32602
	InternalError        Code = -32603
	ServerNotInitialized Code = -32002
	RequestFailed        Code = -32803 // the request is valid, but cannot be done
	ContentModified      Code = -32801 // the document has changed since the request
	RequestCancelled     Code = -32800
)

// Errorf returns an Error.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrModified is the cause of contexts that end because the document has changed.
var ErrModified = Errorf(ContentModified, "the document has changed")

// errCancelled is the cause of contexts that end because the other side cancels the request.
var errCancelled = Errorf(RequestCancelled, "cancelled")

// errorOf returns an error as it is sent.
func errorOf(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Errorf(RequestFailed, "%s", err)
}

// Decode decodes the parameters of a message. It ignores unknown fields, because the protocol may add
// some.
func Decode(params json.RawMessage, into any) error {
	if len(params) == 0 || string(params) == "null" {
		return nil
	}
	if err := json.Unmarshal(params, into); err != nil {
		return Errorf(InvalidParams, "%s", err)
	}
	return nil
}

var null = json.RawMessage("null")

// orNull returns a value, or null for nil, which JSON encoding would leave out.
func orNull(v any) any {
	if v == nil {
		return null
	}
	return v
}

// encode encodes a message, without escapes for HTML.
func encode(v outgoing) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
