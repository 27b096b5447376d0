//go:build !js

package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"weft/internal/lang/diag"
)

// MaxFetch is the maximum number of bytes from a URL. Configuration is far smaller, but a server
// might never stop sending.
const MaxFetch = 64 << 20

// Timeouts for a server. fetchTimeout covers the whole request, including redirects and the body.
const (
	dialTimeout  = 10 * time.Second
	fetchTimeout = 60 * time.Second
	maxRedirects = 10
)

// Fetch gets the content of an http or https URL. It follows redirects, but not from https to http:
// someone who wrote https does not want the last step to be readable in transit. If allowed is not
// nil, redirects may lead only to these URLs and below.
func Fetch(
	ctx context.Context, rawURL string, allowed []string,
) ([]byte, error) {
	return fetcher{limit: MaxFetch, timeout: fetchTimeout, allowed: allowed}.get(ctx, rawURL)
}

// fetcher is Fetch with its limits, which tests lower. It creates an http.Client for each URL: there
// are few, and a global one would cost time even in runs that fetch nothing.
type fetcher struct {
	limit   int64
	timeout time.Duration
	rounds  http.RoundTripper // nil means the network

	allowed []string // where redirects may lead, with everything below; nil means anywhere
}

func (f fetcher) get(ctx context.Context, rawURL string) ([]byte, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" {
		return nil, diag.Failf(CodeURL, "requesting URL '%s': not a valid URL", rawURL)
	}
	fail := func(format string, args ...any) *diag.Diagnostic {
		return diag.Failf(
			CodeURL,
			"requesting URL '%s': %s",
			u.Redacted(),
			fmt.Sprintf(format, args...),
		)
	}
	within, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(within, http.MethodGet, rawURL, nil)
	if err != nil {
		return nil, fail("%s", err)
	}
	req.Header.Set("User-Agent", "weft")
	client := http.Client{
		Transport: f.transport(), CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if err := checkRedirect(next, via); err != nil || f.allowed == nil {
				return err
			}
			return allows(f.allowed, next.URL)
		},
	}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return nil, f.failed(ctx, within, err, fail)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, fail("%s", resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, f.limit+1))
	switch {
	case err != nil:
		return nil, f.failed(ctx, within, err, fail)
	case int64(len(data)) > f.limit:
		return nil, fail("more than %d MiB", f.limit>>20).WithHint("download it first, and " +
			"pass the file with -f")
	}
	return data, nil
}

func (f fetcher) transport() http.RoundTripper {
	if f.rounds != nil {
		return f.rounds
	}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: f.timeout,
		ForceAttemptHTTP2:     true,
	}
}

// failed explains an error of the client. An error of the caller's context is returned unchanged:
// the whole run ends, not only this request.
func (f fetcher) failed(
	ctx, within context.Context, err error, fail func(string, ...any) *diag.Diagnostic,
) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if within.Err() != nil {
		return fail("no complete response within %s", f.timeout)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the rest of the message repeats the URL
	}
	return fail("%s", err)
}

// allows returns an error for a URL that is neither allowed nor below one that is.
func allows(allowed []string, u *url.URL) error {
	if slices.ContainsFunc(allowed, func(above string) bool { return BelowURL(above, u.String()) }) {
		return nil
	}
	return fmt.Errorf("it leads to '%s', which --allow-outside does not allow", u.Redacted())
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if last := via[len(via)-1]; last.URL.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("redirected from https to %s", req.URL.Redacted())
	}
	return nil
}
