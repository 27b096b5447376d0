//go:build !js

package remote

import (
	"net/url"
	"strings"

	"weft/internal/lang/lazy"
)

// reference is the name of a repository of a registry.
type reference struct {
	address    string // as it was written
	registry   string // host and port
	repository string
}

// The rules of the OCI distribution specification, and what a host with an optional port is.
var (
	repositories = lazy.Regexp{
		Text: `^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$`,
	}
	tags       = lazy.Regexp{Text: `^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`}
	registries = lazy.Regexp{
		Text: `^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?$`,
	}
)

// dockerHub is the registry that the name docker.io stands for.
const dockerHub = "registry-1.docker.io"

// parseReference reads REGISTRY/REPOSITORY, with or without oci:// before it.
func (c *Client) parseReference(address string) (reference, error) {
	const longest = 255
	host, repository, ok := strings.Cut(strings.TrimPrefix(address, "oci://"), "/")
	repository = strings.TrimSuffix(repository, "/")
	switch {
	case !ok || !isRegistry(host):
		return reference{}, c.fail(address, "it does not begin with the host of a registry").
			WithHint("write REGISTRY/REPOSITORY, such as docker.io/library/NAME")
	case strings.ContainsAny(repository, ":@"):
		return reference{}, c.fail(address, "it contains a tag or a digest").
			WithHint("write that as the version: remove what follows the name of the repository")
	case len(repository) > longest || !repositories.Get().MatchString(repository):
		return reference{}, c.fail(address, "'%s' is not the name of a repository", repository).
			WithHint("use lower case letters, digits, and . _ - / between them")
	}
	switch host {
	case "docker.io", "index.docker.io":
		host = dockerHub
	}
	if host == dockerHub && !strings.Contains(repository, "/") {
		repository = "library/" + repository
	}
	return reference{address, host, repository}, nil
}

// isRegistry reports whether a name is that of a host, and not of a repository of some default registry.
func isRegistry(host string) bool {
	return registries.Get().MatchString(host) && (strings.ContainsAny(host, ".:") || host == "localhost")
}

// hostOfAddress returns the host of a URL or a reference, or "".
func hostOfAddress(address string) string {
	if !strings.Contains(address, "://") {
		address = "oci://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.Scheme == "oci" && (u.Host == "docker.io" || u.Host == "index.docker.io") {
		return dockerHub
	}
	return u.Host
}

// url returns a URL of the API of the registry. It is https, unless the person allows http for this host.
func (c *Client) url(ref reference, path string) *url.URL {
	u := &url.URL{Scheme: "http", Host: ref.registry, Path: "/v2/" + ref.repository + path}
	if !c.policy.origins[originOf(u)] {
		u.Scheme = "https"
	}
	return u
}
