//go:build !js

package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"weft/internal/engine/fetch"
	"weft/internal/lang/diag"
)

// Fetch gets the content of an http or https URL, within the limits of package fetch. If allowed is not
// nil, redirects may lead only to these URLs and below.
func Fetch(ctx context.Context, rawURL string, allowed []string) ([]byte, error) {
	return fetcher{limit: fetch.MaxBytes, timeout: fetch.Timeout, allowed: allowed}.get(ctx, rawURL)
}

// fetcher is Fetch with its limits, which tests lower. It creates a transport for each URL: there are few,
// and a global one would cost time even in runs that fetch nothing.
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
	if f.rounds == nil {
		t := fetch.NewTransport()
		defer t.CloseIdleConnections()
		f.rounds = t
	}
	resp, err := fetch.Request{
		URL: rawURL, MaxBytes: f.limit, Timeout: f.timeout, Transport: f.rounds, Redirect: f.redirect,
	}.Do(ctx)
	if ctx.Err() != nil && err != nil {
		return nil, err
	}
	if err == nil && !resp.OK() {
		err = errors.New(resp.Status)
	}
	if err != nil {
		d := diag.Failf(CodeURL, "requesting URL '%s': %s", u.Redacted(), err)
		if _, ok := errors.AsType[*fetch.TooLargeError](err); ok {
			d.WithHint("download it first, and pass the file with -f")
		}
		return nil, d
	}
	return resp.Body, nil
}

func (f fetcher) redirect(to *url.URL) error {
	if f.allowed == nil {
		return nil
	}
	return allows(f.allowed, to)
}

// allows returns an error for a URL that is neither allowed nor below one that is.
func allows(allowed []string, u *url.URL) error {
	if slices.ContainsFunc(allowed, func(above string) bool { return BelowURL(above, u.String()) }) {
		return nil
	}
	return fmt.Errorf("it leads to '%s', which --allow-outside does not allow", u.Redacted())
}
