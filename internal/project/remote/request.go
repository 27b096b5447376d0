//go:build !js

package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/fetch"
	"weft/internal/lang/diag"
)

// request is a request on behalf of a source.
type request struct {
	address string // the source, as messages and progress call it
	url     *url.URL
	method  string
	accept  string
	auth    string // the Authorization header, for this URL only
	form    url.Values
	most    int64 // bytes of the answer; zero means the limit of the client
	exact   bool  // the bytes have a digest, so that the server must not compress them
	still   bool  // redirects are not followed
	counted bool  // it is shown as progress
	before  int64 // bytes of the source that came before, for progress
	total   int64 // bytes of the source; zero means those of this answer
}

// do sends a request, if the policy allows its URL. Answers of all kinds are returned; see refused.
func (c *Client) do(ctx context.Context, r request) (*fetch.Response, error) {
	if err := c.policy.check(r.url); err != nil {
		return nil, c.failed(ctx, r.address, err)
	}
	c.announce([]string{r.url.Host})
	req := fetch.Request{
		Method: r.method, URL: r.url.String(), Header: http.Header{},
		MaxBytes: c.options.MaxBytes, Timeout: c.options.Timeout, Transport: c.transport,
		Redirect: func(to *url.URL) error {
			if r.still {
				return errors.New("the server leads to another address instead of answering")
			}
			if err := c.policy.check(to); err != nil {
				return fmt.Errorf("redirected to '%s': %w", shown(to), err)
			}
			c.announce([]string{to.Host})
			return nil
		},
	}
	if r.most > 0 && r.most < req.MaxBytes {
		req.MaxBytes = r.most
	}
	if c.options.Progress != nil && r.counted {
		req.Progress = func(done, total int64) {
			c.options.Progress(r.address, r.before+done, cmp.Or(r.total, total))
		}
	}
	req.Body = r.headers(req.Header)
	resp, err := req.Do(ctx)
	if err != nil {
		return nil, c.failed(ctx, r.address, err)
	}
	return resp, nil
}

// headers sets the headers, and returns the body.
func (r *request) headers(h http.Header) io.Reader {
	for name, value := range map[string]string{"Accept": r.accept, "Authorization": r.auth} {
		if value != "" {
			h.Set(name, value)
		}
	}
	if r.exact {
		h.Set("Accept-Encoding", "identity")
	}
	if r.form == nil {
		return nil
	}
	h.Set("Content-Type", "application/x-www-form-urlencoded")
	return strings.NewReader(r.form.Encode())
}

// failed explains why a request got no answer.
func (c *Client) failed(ctx context.Context, address string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if e, ok := errors.AsType[*hostError](err); ok {
		message := err.Error()
		if o, ok := errors.AsType[*net.OpError](err); ok && o.Op != "" {
			message = e.message // the rest is about the network
		}
		d := c.fail(address, "%s", message).WithHint("%s", e.hint)
		d.Code = CodeHost
		return d
	}
	message, hint := err.Error(), "check the address and your connection, and try again"
	switch {
	case isA[*fetch.TooLargeError](err):
		hint = "use a smaller archive, or single files of it"
	case isA[*fetch.TimeoutError](err):
		hint = "try again; the server or your connection is slow"
	case isA[*tls.CertificateVerificationError](err):
		hint = "if the server has a certificate of your company, set SSL_CERT_FILE to the file of its CA"
	case errors.Is(err, io.ErrUnexpectedEOF):
		message, hint = "the answer is cut off", "try again"
	case strings.Contains(message, "Location header"): // the rest quotes it, with its query
		message, hint = "redirected to an invalid address", "name the address that the file really has"
	}
	return c.fail(address, "%s", message).WithHint("%s", hint)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// refused explains an answer that is not a success. login is what to do about missing credentials.
func (c *Client) refused(r request, resp *fetch.Response, login string) error {
	d := c.fail(r.address, "'%s' answers %s", shown(r.url), resp.Status)
	switch redirected := resp.URL.String() != r.url.String(); resp.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		if redirected {
			return d.WithHint("name the address that it redirects to, '%s': no credentials are sent there",
				shown(resp.URL))
		}
		return d.WithHint("%s", login)
	case http.StatusNotFound, http.StatusGone:
		return d.WithHint("check the address and the version; if it is private, %s", login)
	}
	return d.WithHint("try again later; if the error stays, ask those who run the server")
}

// fail returns an error about a source. No secret is in it, whatever the server has answered.
func (c *Client) fail(address, format string, args ...any) *diag.Diagnostic {
	d := diag.Failf(CodeFetch, "cannot fetch '%s': %s", shownAddress(address), fmt.Sprintf(format, args...))
	d.Message = c.withoutSecrets(d.Message)
	return d
}

func (c *Client) withoutSecrets(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	secrets := slices.SortedFunc(maps.Keys(c.secrets), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) // one may be a part of another
	})
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "‹secret›")
	}
	return text
}

// hide makes sure that no message shows a secret.
func (c *Client) hide(secrets ...string) {
	const shortest = 4 // less is in any text
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range secrets {
		if len(s) >= shortest {
			c.secrets[s] = true
			c.secrets[strings.Trim(strconv.Quote(s), `"`)] = true
		}
	}
}

// shownAddress returns the address of a source for messages, without what may be a password.
func shownAddress(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return shown(u)
	}
	if at := strings.LastIndexByte(address, '@'); at >= 0 && strings.Contains(address[:at], ":") {
		return "…" + address[at:]
	}
	return address
}

// digestOf returns the digest of data.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// checkDigest returns an error if data does not have a digest; "" accepts any. It returns the digest.
func (c *Client) checkDigest(address, what string, data []byte, want string) (string, error) {
	got := digestOf(data)
	if want == "" || want == got {
		return got, nil
	}
	return "", c.differs(address, what, got, want)
}

// differs returns the error of something that has another digest than expected.
func (c *Client) differs(address, what, got, want string) error {
	d := c.fail(address, "%s has the digest %s, expected %s", what, got, want)
	d.Code = CodeDigest
	return d.WithHint("it changed upstream, or on its way; if you trust the change, replace the digest")
}

// parseDigest returns a digest as sha256:HEX. The prefix may be missing.
func parseDigest(text string) (digest string, ok bool) {
	digits := strings.ToLower(strings.TrimPrefix(text, "sha256:"))
	if len(digits) != 2*sha256.Size || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", false
	}
	return "sha256:" + digits, true
}
