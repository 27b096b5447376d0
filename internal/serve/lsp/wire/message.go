package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
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

// ErrBug is the answer to a request whose work panicked.
var ErrBug = Errorf(InternalError, "internal error: this is a bug in weft")

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
		return Errorf(InvalidParams, "%s", Unfit(err))
	}
	return nil
}

// Unfit returns what is wrong with JSON that cannot be decoded, in the words of JSON and not of Go.
func Unfit(err error) string {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err.Error()
	}
	name, found, wanted := cmp.Or(e.Field, "it"), e.Value, ""
	switch e.Type.Kind() {
	case reflect.String:
		wanted = "a string"
	case reflect.Bool:
		wanted = "true or false"
	case reflect.Slice, reflect.Array:
		wanted = "an array"
	case reflect.Map, reflect.Struct, reflect.Pointer:
		wanted = "an object"
	default:
		wanted = "a whole number"
	}
	return fmt.Sprintf("%s has to be %s, but is %s", name, wanted, articled(found))
}

// articled returns the name of a type of JSON with its article. What follows the name is a number.
func articled(found string) string {
	kind, _, _ := strings.Cut(found, " ")
	switch kind {
	case "bool":
		return "true or false"
	case "array", "object":
		return "an " + kind
	}
	return "a " + kind
}

// refused returns the error about a message that cannot be decoded.
func refused(body []byte, err error) *Error {
	switch {
	case !json.Valid(body):
		return Errorf(ParseError, "the message is not JSON: %s", err)
	case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
		return Errorf(InvalidRequest, "weft takes no batches: send each message by itself")
	}
	return Errorf(InvalidRequest, "the message is not a request: %s", Unfit(err))
}

// idOf returns the id of a message that cannot be decoded, or null.
func idOf(body []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &m) != nil || !isID(m.ID) {
		return null
	}
	return m.ID
}

// isID reports whether a value can be the id of a request: a string or an integer.
func isID(id json.RawMessage) bool {
	return len(id) > 0 &&
		(id[0] == '"' || strings.Trim(strings.TrimPrefix(string(id), "-"), "0123456789") == "")
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
	v.Version = "2.0"
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
