//go:build !js

package remote

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"weft/internal/engine/fetch"
	"weft/internal/project/archive"
)

// Client fetches sources. Goroutines may share it, and then share connections and tokens.
type Client struct {
	options   Options
	policy    *policy
	transport *http.Transport
	people    people

	mu        sync.Mutex
	announced map[string]bool
	tokens    map[string]string // Authorization headers, by origin and repository
	secrets   map[string]bool   // what no message may show
	noted     sync.Mutex        // held while Options.Announce runs
}

// New returns a client. It asks nothing yet.
func New(o Options) *Client {
	o.Timeout = cmp.Or(o.Timeout, fetch.Timeout)
	o.MaxBytes = cmp.Or(o.MaxBytes, fetch.MaxBytes)
	p := newPolicy(o.AllowOutside)
	return &Client{
		options: o, policy: p, transport: p.transport(),
		announced: map[string]bool{}, tokens: map[string]string{}, secrets: map[string]bool{},
	}
}

// Close closes connections that are kept for further requests.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Announce calls Options.Announce once with the hosts of several addresses, before any is asked: URLs, or
// references of artifacts and charts.
func (c *Client) Announce(addresses ...string) {
	var hosts []string
	for _, a := range addresses {
		if host := hostOfAddress(a); host != "" {
			hosts = append(hosts, host)
		}
	}
	slices.Sort(hosts)
	c.announce(slices.Compact(hosts))
}

func (c *Client) announce(hosts []string) {
	c.noted.Lock()
	defer c.noted.Unlock()
	hosts = slices.DeleteFunc(hosts, func(h string) bool { return c.announced[h] })
	for _, h := range hosts {
		c.announced[h] = true
	}
	if len(hosts) > 0 && c.options.Announce != nil {
		c.options.Announce(hosts)
	}
}

// limits are those of an archive.
func (c *Client) limits() archive.Limits { return archive.Limits{Bytes: 4 * c.options.MaxBytes} }
