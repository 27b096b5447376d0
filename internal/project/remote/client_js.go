package remote

import (
	"context"

	"weft/internal/lang/diag"
)

// Client fetches nothing: HTTP and TLS are a third of a program, and a page has its own.
type Client struct{}

// New returns a client.
func New(Options) *Client { return &Client{} }

// Close does nothing.
func (c *Client) Close() {}

// Announce does nothing: no host is asked.
func (c *Client) Announce(...string) {}

func unsupported() error {
	return diag.Failf(CodeFetch, "weft in WebAssembly does not fetch sources").
		WithHint("run weft vendor outside of it, and commit the files")
}

func (c *Client) Addresses(context.Context, string, bool) ([]string, error) {
	return nil, unsupported()
}

func (c *Client) HTTP(context.Context, string, string) (Fetched, error) {
	return Fetched{}, unsupported()
}

func (c *Client) OCI(context.Context, string, string) (Fetched, error) {
	return Fetched{}, unsupported()
}

func (c *Client) OCIDigest(context.Context, string, string) (string, error) { return "", unsupported() }

func (c *Client) ChartDigest(context.Context, string, string, string) (string, error) {
	return "", unsupported()
}

func (c *Client) OCITags(context.Context, string) ([]string, error) { return nil, unsupported() }

func (c *Client) Chart(context.Context, string, string, string) (Fetched, error) {
	return Fetched{}, unsupported()
}

func (c *Client) ChartVersions(context.Context, string, string) ([]string, error) {
	return nil, unsupported()
}
