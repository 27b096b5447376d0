// Package fetch sends one HTTP request and reads the whole answer, within limits of bytes, time and
// redirects.
//
// It takes a Request and returns a Response, of any status, or an error in plain words without the URL.
// Which URLs may be asked and what an answer means is left to the caller.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// The limits of a request that sets none. Configuration is far smaller, but a server might never stop
// sending. Timeout covers the whole request, including redirects and the body.
const (
	MaxBytes     = 64 << 20
	Timeout      = 60 * time.Second
	MaxRedirects = 10
)

// DialTimeout is how long a connection, and a TLS handshake, may take.
const DialTimeout = 10 * time.Second

// Request is a request with its limits.
type Request struct {
	Method string // "" means GET
	URL    string
	Header http.Header
	Body   io.Reader

	MaxBytes  int64
	Timeout   time.Duration
	Transport http.RoundTripper

	// Redirect, if not nil, returns an error for a URL that a redirect must not lead to.
	Redirect func(to *url.URL) error

	// Progress, if not nil, is called with the bytes of the body that have arrived, and with all there are, or -1.
	Progress func(done, total int64)
}

// Response is a complete answer.
type Response struct {
	Code   int
	Status string // "404 Not Found"
	Header http.Header
	Body   []byte
	URL    *url.URL // after redirects
}

// OK reports whether the request succeeded.
func (r *Response) OK() bool { return r.Code >= 200 && r.Code <= 299 }

// TooLargeError is the error of an answer with more bytes than the limit.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	if e.Limit < 1<<20 {
		return fmt.Sprintf("more than %d bytes", e.Limit)
	}
	return fmt.Sprintf("more than %d MiB", e.Limit>>20)
}

// TimeoutError is the error of an answer that is not complete in time.
type TimeoutError struct{ Limit time.Duration }

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("no complete response within %s", e.Limit)
}

// NewTransport returns a transport that uses the proxies of the environment.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: DialTimeout}).DialContext,
		TLSHandshakeTimeout: DialTimeout,
		ForceAttemptHTTP2:   true,
	}
}

// Do sends the request. It follows redirects, but not from https to http: someone who wrote https does not
// want the last step to be readable in transit. Credentials are not sent on: a redirected request has no
// Authorization, no cookies and no referrer. The error of the caller's context is returned unchanged: the
// whole run ends, not only this request.
func (r Request) Do(ctx context.Context) (*Response, error) {
	within, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(within, r.Method, r.URL, r.Body)
	if err != nil {
		return nil, err
	}
	if r.Header != nil {
		req.Header = r.Header.Clone()
	}
	req.Header.Set("User-Agent", "weft")
	client := http.Client{Transport: r.Transport, CheckRedirect: r.checkRedirect}
	resp, err := client.Do(req)
	if err != nil {
		return nil, r.failed(ctx, within, err)
	}
	defer resp.Body.Close()
	body, err := r.read(resp)
	if err == nil {
		// A server that notices the end of the connection before it happens may end its answer in good
		// order, where it is: it is cut off all the same.
		err = within.Err()
	}
	if err != nil {
		return nil, r.failed(ctx, within, err)
	}
	return &Response{resp.StatusCode, resp.Status, resp.Header, body, resp.Request.URL}, nil
}

// read reads the body. That of an error is for people, and of no interest.
func (r Request) read(resp *http.Response) ([]byte, error) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		const longest = 64 << 10
		body, _ := io.ReadAll(io.LimitReader(resp.Body, longest))
		return body, nil
	}
	body := io.Reader(resp.Body)
	if r.Progress != nil {
		body = &counted{resp.Body, r.Progress, 0, resp.ContentLength}
	}
	data, err := io.ReadAll(io.LimitReader(body, r.MaxBytes+1))
	if err == nil && int64(len(data)) > r.MaxBytes {
		err = &TooLargeError{r.MaxBytes}
	}
	return data, err
}

func (r Request) checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > MaxRedirects {
		return fmt.Errorf("more than %d redirects", MaxRedirects)
	}
	if last := via[len(via)-1]; last.URL.Scheme == "https" && next.URL.Scheme != "https" {
		to := *next.URL
		to.RawQuery = "" // it may have a token
		return fmt.Errorf("redirected from https to %s", to.Redacted())
	}
	// net/http keeps these headers for subdomains, and on other ports of the same host.
	next.Header.Del("Authorization")
	next.Header.Del("Cookie")
	next.Header.Del("Referer") // a query may have a token
	if r.Redirect == nil {
		return nil
	}
	return r.Redirect(next.URL)
}

func (r Request) failed(ctx, within context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if within.Err() != nil {
		return &TimeoutError{r.Timeout}
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the rest of the message repeats the URL
	}
	return err
}

// counted tells how much of a body has been read.
type counted struct {
	r           io.Reader
	progress    func(done, total int64)
	done, total int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	c.progress(c.done, c.total)
	return n, err
}
