// Package remote fetches vendored sources over the network: files and archives over https, artifacts and
// images of OCI registries, Helm charts. Addresses may come from a weft.yml that someone else wrote.
//
// It takes addresses and versions, and returns Files with the digest of what was fetched. It leaves to
// others which versions fit a range, which files are kept, the lock, and git.
package remote

import (
	"context"
	"time"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// The codes of this package's diagnostics.
const (
	CodeFetch diag.Code = "vendor/fetch" // an answer that is missing, late, cut or not as expected
	CodeHost  diag.Code = "vendor/host"  // an address that must not be asked
)

// Options are what the person at the command line allows and wants to see.
type Options struct {
	// AllowOutside are URLs, or hosts with an optional port, that --allow-outside names. A loopback address
	// is used only if it is among them, and plain http only for a URL that begins with http://.
	AllowOutside []string

	// Progress, if not nil, is told how many bytes of an address have arrived. name is the address as it
	// was passed to the method of Client; total is -1 if the server does not say it. It is called by
	// several goroutines at once if the Client is used by them.
	Progress func(name string, done, total int64)

	Timeout  time.Duration // for each request, with its redirects and its body; zero means the default
	MaxBytes int64         // of each response; zero means the default

	// Announce, if not nil, is called before the first request to each host, also to those of redirects
	// and of token servers. Calls do not overlap.
	Announce func(hosts []string)
}

// Client fetches sources. Goroutines may share it, and then share connections and tokens.
type Client struct {
	options Options
}

// New returns a client. It asks nothing yet.
func New(o Options) *Client { return &Client{options: o} }

// Fetched is what an address leads to.
type Fetched struct {
	// Digest identifies what was fetched, as sha256:HEX: the bytes of a file, an archive or a chart, or the
	// manifest of an OCI artifact.
	Digest string

	// Files are the files of an archive, or the only file. Select checks them; WriteTo does so, too.
	Files *archive.Files
}

// Announce calls Options.Announce once with the hosts of several addresses, before any is asked.
func (c *Client) Announce(addresses ...string) {}

// HTTP fetches a URL: a tar, tar.gz or zip archive, recognized by its content, or a single file, named as
// in the URL. If all of an archive is in one directory, that directory is left out. sha256 is the expected
// digest, with or without "sha256:"; "" accepts any.
func (c *Client) HTTP(ctx context.Context, url, sha256 string) (Fetched, error) {
	return Fetched{}, later(url)
}

// OCI fetches an artifact or an image, such as registry.example.com/platform/base; version is a tag, a
// digest, or TAG@DIGEST, of which the digest counts.
func (c *Client) OCI(ctx context.Context, ref, version string) (Fetched, error) {
	return Fetched{}, later(ref)
}

// OCITags returns the tags of a repository, in the order of the registry.
func (c *Client) OCITags(ctx context.Context, ref string) ([]string, error) {
	return nil, later(ref)
}

// Chart fetches a chart from a repository with an index.yaml or, if the address begins with oci://, from a
// registry, where name may be "" if the address has it. version is exact, or VERSION@DIGEST to get exactly
// these bytes.
func (c *Client) Chart(ctx context.Context, repo, name, version string) (Fetched, error) {
	return Fetched{}, later(repo)
}

// ChartVersions returns the versions of a chart, in the order of the repository.
func (c *Client) ChartVersions(ctx context.Context, repo, name string) ([]string, error) {
	return nil, later(repo)
}

func later(address string) error {
	return diag.Failf(CodeFetch, "cannot fetch '%s': this build of weft has no network sources", address)
}
