package load

import (
	"net/url"
	"path"
	"strings"
)

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// urlName returns the relative path for a URL: the last segment of its path, or "" if that is not a
// name.
func urlName(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Path == "" || strings.HasSuffix(u.Path, "/") {
		return ""
	}
	name := path.Base(u.Path)
	if name == "." || name == ".." {
		return ""
	}
	return name
}

// ShownURL returns a URL for messages, without its password.
func ShownURL(rawURL string) string {
	if u, err := url.Parse(rawURL); err == nil {
		return u.Redacted()
	}
	return rawURL
}
