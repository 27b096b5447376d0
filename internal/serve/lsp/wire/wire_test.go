package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

func TestFramesAreRead(t *testing.T) {
	t.Parallel()
	body := `{"jsonrpc":"2.0"}`
	tests := []struct{ name, text, want, err string }{
		{"a frame", "Content-Length: 17\r\n\r\n" + body, body, ""},
		{"other headers", "Content-Type: x\r\ncontent-length:17\r\n\r\n" + body, body, ""},
		{"line feeds alone", "Content-Length: 17\n\n" + body, body, ""},
		{"nothing", "", "", "EOF"},
		{"half a header", "Content-Le", "", "unexpected EOF"},
		{"half a body", "Content-Length: 17\r\n\r\n{", "", "unexpected EOF"},
		{"no length", "Content-Type: x\r\n\r\n{}", "", "a message has no Content-Length"},
		{"no colon", "hello\r\n\r\n", "", "expected a header `Name: value`, but found \"hello\""},
		{"a negative length", "Content-Length: -1\r\n\r\n", "", "expected a Content-Length from 0"},
		{"a huge length", "Content-Length: 99999999999\r\n\r\n", "", "expected a Content-Length from 0"},
		{"a long header", strings.Repeat("x", 5000), "", "the header of a message is longer than"},
		{"many headers", strings.Repeat("a: b\r\n", 2000), "", "the header of a message is longer than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := LSP.framing(strings.NewReader(test.text)).read()
			if test.err == "" && (err != nil || string(got) != test.want) {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
			if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("got %v, want %q", err, test.err)
			}
		})
	}
}

func TestLinesAreRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine+1)
	tests := []struct{ name, text, want string }{
		{"lines", "a\nb\r\n", "a|b|EOF"},
		{"empty lines", "\n\r\n\na\n\n", "a|EOF"},
		{"no line feed at the end", "a\nb", "a|b|EOF"},
		{"nothing", "", "EOF"},
		{"longer than the buffer", long[:3*maxHeader] + "\nb", long[:3*maxHeader] + "|b|EOF"},
		{"the longest", long[:maxLine-1] + "\nb", long[:maxLine-1] + "|b|EOF"},
		{"too long", long + "\nb", "a message is longer than 4194304 bytes|b|EOF"},
		{"not UTF-8", "{\"id\":\"\xff\"}\nb", "a message is not UTF-8|b|EOF"},
		{"too long, and the last", long, "a message is longer than 4194304 bytes|EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for f := MCP.framing(strings.NewReader(test.text)); ; {
				line, err := f.read()
				if err != nil {
					line = []byte(err.Error())
				}
				got = append(got, string(line))
				if err == io.EOF {
					break
				}
			}
			if text := strings.Join(got, "|"); text != test.want {
				t.Errorf("got %.200q, want %.200q", text, test.want)
			}
		})
	}
}

// peer is the other end of a connection under test.
type peer struct {
	t   *testing.T
	in  framing
	out *writer
	log bytes.Buffer
	mu  sync.Mutex
	end chan error
}

func serve(t *testing.T, h Handler) (*peer, *Conn) { return serveAs(t, LSP, h) }

func serveAs(t *testing.T, as Protocol, h Handler) (*peer, *Conn) {
	t.Helper()
	a, b := io.Pipe()
	c, d := io.Pipe()
	p := &peer{t: t, in: as.framing(a), out: &writer{w: d}, end: make(chan error, 1)}
	conn := as.NewConn(c, b, func(format string, args ...any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		fmt.Fprintf(&p.log, format+"\n", args...)
	})
	go func() { p.end <- conn.Serve(context.Background(), h) }()
	t.Cleanup(func() { d.Close(); a.Close() })
	return p, conn
}

func (p *peer) send(text string) {
	p.t.Helper()
	if err := p.out.write(p.in.frame([]byte(text))); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) expect(want string) {
	p.t.Helper()
	got, err := p.in.read()
	if err != nil || string(got) != want {
		p.t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

// answers is a handler that answers each request by its method.
func answers(by map[string]Answer) Handler {
	return Handler{
		Notify: func(string, json.RawMessage) error { return nil },
		Request: func(method string, _ json.RawMessage) (Answer, error) {
			if a := by[method]; a != nil {
				return a, nil
			}
			return nil, Errorf(MethodNotFound, "no %s", method)
		},
	}
}

func TestEveryRequestIsAnswered(t *testing.T) {
	t.Parallel()
	p, _ := serve(t, answers(map[string]Answer{
		"ok":     func(context.Context) (any, error) { return map[string]string{"a": "<"}, nil },
		"null":   func(context.Context) (any, error) { return nil, nil },
		"panic":  func(context.Context) (any, error) { panic("secret") },
		"fail":   func(context.Context) (any, error) { return nil, errors.New("no luck") },
		"encode": func(context.Context) (any, error) { return func() {}, nil },
	}))
	const internal = `"error":{"code":-32603,"message":"internal error: this is a bug in weft"}}`
	for _, c := range [][2]string{
		{`{"jsonrpc":"2.0","id":1,"method":"ok"}`, `{"jsonrpc":"2.0","id":1,"result":{"a":"<"}}`},
		{`{"jsonrpc":"2.0","id":"x","method":"null"}`, `{"jsonrpc":"2.0","id":"x","result":null}`},
		{`{"jsonrpc":"2.0","id":2,"method":"panic"}`, `{"jsonrpc":"2.0","id":2,` + internal},
		{`{"jsonrpc":"2.0","id":3,"method":"fail"}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32803,"message":"no luck"}}`},
		{`{"jsonrpc":"2.0","id":4,"method":"other"}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no other"}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"encode"}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32803,"message":"json: unsupported type: func()"}}`},
		{`{`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON: unexpected end of JSON input"}}`},
		{`{"jsonrpc":"1.0","id":6,"method":"ok"}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32600,"message":"jsonrpc has to be \"2.0\", but is \"1.0\""}}`},
		{`{"jsonrpc":"2.0","id":6}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32600,"message":"a request has no method"}}`},
		{`{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message has neither a method nor an id"}}`},
	} {
		p.send(c[0])
		if strings.Contains(c[0], "panic") {
			told, err := p.in.read()
			if err != nil || !strings.Contains(string(told), "window/logMessage") ||
				!strings.Contains(string(told), "internal error: secret\\ngoroutine ") {
				t.Errorf("the client is told %s, %v", told, err)
			}
		}
		p.expect(c[1])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if log := p.log.String(); !strings.Contains(log, "panic: internal error: secret\ngoroutine ") {
		t.Errorf("the log is %q", log)
	}
}

func TestRequestsAreCancelled(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	p, _ := serve(t, answers(map[string]Answer{
		"wait": func(ctx context.Context) (any, error) { close(began); <-ctx.Done(); return 1, nil },
	}))
	p.send(`{"jsonrpc":"2.0","id":7,"method":"wait"}`)
	<-began
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":8}}`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
	p.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32800,"message":"cancelled"}}`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
}

// A request that is cancelled has its answer before it has ended, and its id may be used again.
func TestCancelledRequestsAreAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	began, proceed, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	p, _ := serve(t, answers(map[string]Answer{
		"busy": func(context.Context) (any, error) {
			close(began)
			<-proceed // it does not look at its context
			defer close(ended)
			return 1, nil
		},
		"wait": func(ctx context.Context) (any, error) { <-ctx.Done(); return 1, nil },
	}))
	p.send(`{"jsonrpc":"2.0","id":7,"method":"busy"}`)
	<-began
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
	const cancelled = `{"jsonrpc":"2.0","id":7,"error":{"code":-32800,"message":"cancelled"}}`
	p.expect(cancelled)
	p.send(`{"jsonrpc":"2.0","id":7,"method":"wait"}`)
	close(proceed)
	<-ended
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
	p.expect(cancelled)
}

// A large result takes a moment to encode. Until then, the request can be cancelled.
func TestRequestsAreCancelledWhileTheirResultsAreEncoded(t *testing.T) {
	t.Parallel()
	began, proceed := make(chan struct{}), make(chan struct{})
	p, _ := serve(t, answers(map[string]Answer{
		"large": func(context.Context) (any, error) {
			return encoded(func() ([]byte, error) {
				close(began)
				<-proceed
				return []byte("1"), nil
			}), nil
		},
		"small": func(context.Context) (any, error) { return 2, nil },
	}))
	p.send(`{"jsonrpc":"2.0","id":7,"method":"large"}`)
	<-began
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
	p.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32800,"message":"cancelled"}}`)
	close(proceed)
	p.send(`{"jsonrpc":"2.0","id":8,"method":"small"}`)
	p.expect(`{"jsonrpc":"2.0","id":8,"result":2}`)
}

// encoded is a function as a value that is encoded as JSON.
type encoded func() ([]byte, error)

func (f encoded) MarshalJSON() ([]byte, error) { return f() }

// The goroutine that reads a cancellation answers it before it reads on: others may wait long for a
// processor.
func TestCancelledRequestsAreAnsweredByTheReader(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	began, end := make(chan struct{}), make(chan struct{})
	conn := LSP.NewConn(nil, &out, t.Logf)
	parts := []string{
		`{"jsonrpc":"2.0","id":7,"method":"busy"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`,
	}
	conn.framing = &headers{bufio.NewReader(readFunc(func(b []byte) (int, error) {
		if len(parts) == 0 {
			want := `{"jsonrpc":"2.0","id":7,"error":{"code":-32800,"message":"cancelled"}}`
			if !strings.HasSuffix(out.String(), want) {
				t.Errorf("before the next message is read, the answer is %q, want %s", out.String(), want)
			}
			close(end)
			return 0, io.EOF
		}
		if len(parts) == 1 {
			<-began
		}
		n := copy(b, conn.framing.frame([]byte(parts[0])))
		parts = parts[1:]
		return n, nil
	}))}
	err := conn.Serve(context.Background(), answers(map[string]Answer{
		"busy": func(context.Context) (any, error) {
			close(began)
			<-end // it does not look at its context
			return 1, nil
		},
	}))
	if err != nil {
		t.Error(err)
	}
}

// readFunc is a function as a reader.
type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

// In the model context protocol, requests that are cancelled get no answer, and a line that is too long is an
// error of its own.
func TestMessagesOfOneLine(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	p, _ := serveAs(t, MCP, answers(map[string]Answer{
		"wait":  func(ctx context.Context) (any, error) { close(began); <-ctx.Done(); return 1, nil },
		"ok":    func(context.Context) (any, error) { return "a\nb", nil },
		"panic": func(context.Context) (any, error) { panic("x") },
	}))
	p.send(`{"jsonrpc":"2.0","id":7,"method":"wait"}`)
	<-began
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	p.send(strings.Repeat(" ", maxLine+1))
	p.expect(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is longer than 4194304 bytes"}}`)
	p.send(strings.Repeat("[", 100_000))
	p.expect(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON: invalid character '[' exceeded max depth"}}`)
	p.send(`{"jsonrpc":"2.0","id":8,"method":"ok"}`)
	p.expect(`{"jsonrpc":"2.0","id":8,"result":"a\nb"}`)
	p.send(`{"jsonrpc":"2.0","id":9,"method":"panic"}`)
	p.expect(`{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"internal error: this is a bug in weft"}}`)
}

// Requests that have begun are answered after the end of the input.
func TestTheEndOfTheInputCancelsNothing(t *testing.T) {
	t.Parallel()
	in, client := io.Pipe()
	began, ended := make(chan struct{}), make(chan struct{})
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() {
		done <- MCP.NewConn(in, &out, t.Logf).Serve(context.Background(), answers(map[string]Answer{
			"slow": func(ctx context.Context) (any, error) { close(began); <-ended; return "done", ctx.Err() },
		}))
	}()
	io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"slow"}`+"\n")
	<-began
	client.Close()
	close(ended)
	if err := <-done; err != nil || out.String() != `{"jsonrpc":"2.0","id":1,"result":"done"}`+"\n" {
		t.Errorf("got %s, %v", out.String(), err)
	}
}

// What a request depends on is settled before the next message is taken.
func TestMessagesAreTakenInOrder(t *testing.T) {
	t.Parallel()
	text, sent := "", make(chan struct{})
	p, _ := serve(t, Handler{
		Notify: func(_ string, params json.RawMessage) error { text += string(params); return nil },
		Request: func(string, json.RawMessage) (Answer, error) {
			now := text
			return func(context.Context) (any, error) {
				<-sent
				return now, nil
			}, nil
		},
	})
	for i := range 5 {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"add","params":[%d]}`, i))
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"get"}`, i))
	}
	close(sent)
	for range 5 {
		body, err := p.in.read()
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			ID     int
			Result string
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatal(err)
		}
		want := ""
		for i := range m.ID + 1 {
			want += fmt.Sprintf("[%d]", i)
		}
		if m.Result != want {
			t.Errorf("request %d saw %s, want %s", m.ID, m.Result, want)
		}
	}
}

func TestTheOtherSideIsAsked(t *testing.T) {
	t.Parallel()
	p, conn := serve(t, answers(nil))
	got := make(chan string, 1)
	go func() {
		var s string
		err := conn.Call(context.Background(), "ask", []int{1}, &s)
		got <- fmt.Sprint(s, err)
	}()
	p.expect(`{"jsonrpc":"2.0","id":1,"method":"ask","params":[1]}`)
	p.send(`{"jsonrpc":"2.0","id":99,"result":"nobody asked"}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":"yes"}`)
	if s := <-got; s != "yes<nil>" {
		t.Errorf("got %s", s)
	}
	go func() { got <- fmt.Sprint(conn.Call(context.Background(), "ask", nil, nil)) }()
	p.expect(`{"jsonrpc":"2.0","id":2,"method":"ask","params":null}`)
	p.send(`{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}`)
	if s := <-got; s != "ask: no" {
		t.Errorf("got %s", s)
	}
}

func TestServeEndsWithTheStream(t *testing.T) {
	t.Parallel()
	conn := LSP.NewConn(strings.NewReader("nonsense\r\n"), io.Discard, func(string, ...any) {})
	if err := conn.Serve(context.Background(), answers(nil)); err == nil {
		t.Error("nonsense is no error")
	}
	conn = LSP.NewConn(strings.NewReader(""), io.Discard, func(string, ...any) {})
	if err := conn.Serve(context.Background(), answers(nil)); err != nil {
		t.Error(err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("Content-Length: 46\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"a","params":1}`))
	f.Add([]byte("Content-Length: 9\r\n\r\n[]"))
	f.Add([]byte("\n" + `{"jsonrpc":"2.0","id":1,"method":"a","params":1}` + "\r\n{}\n["))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range []Protocol{LSP, MCP} {
			conn := p.NewConn(bytes.NewReader(data), io.Discard, func(string, ...any) {})
			_ = conn.Serve(context.Background(), answers(nil))
		}
	})
}

// A message that is not a request is refused with the code for its kind, its id if it has one, and without the
// types of Go.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{`[{"jsonrpc":"2.0","id":1,"method":"x"}]`, `"id":null,"error":{"code":-32600,"message":"weft takes no batches`},
		{`[]`, `"id":null,"error":{"code":-32600,`},
		{`7`, `"id":null,"error":{"code":-32600,"message":"the message is not a request: it has to be an object`},
		{`{"id":1,`, `"id":null,"error":{"code":-32700,"message":"the message is not JSON: `},
		{`{"id":1,"method":7}`, `"id":1,"error":{"code":-32600,"message":"the message is not a request: method has to be a string, but is a number"`},
		{`{"id":{"a":1},"method":"x"}`, `"id":null,"error":{"code":-32600,"message":"the id of a request`},
		{`{"id":1.5,"method":"x"}`, `"id":null,"error":{"code":-32600,`},
		{`{"id":1e3,"method":"x"}`, `"id":null,"error":{"code":-32600,`},
		{`{"id":[1],"method":"x"}`, `"id":null,"error":{"code":-32600,`},
		{`{"id":true,"method":"x"}`, `"id":null,"error":{"code":-32600,`},
		{`{"id":null,"method":"x"}`, `"id":null,"error":{"code":-32600,`},
		{`{"id":-3,"method":"x"}`, `"id":-3,"result":"x"`},
		{`{"id":"a","method":"x"}`, `"id":"a","result":"x"`},
	} {
		var out bytes.Buffer
		conn := MCP.NewConn(strings.NewReader(test.text+"\n"), &out, func(string, ...any) {})
		err := conn.Serve(t.Context(), Handler{
			Request: func(method string, _ json.RawMessage) (Answer, error) {
				return func(context.Context) (any, error) { return method, nil }, nil
			},
		})
		if err != nil || !strings.Contains(out.String(), test.want) || strings.Contains(out.String(), "Go ") {
			t.Errorf("%s: %v, got %s, want %s", test.text, err, out.String(), test.want)
		}
	}
}
