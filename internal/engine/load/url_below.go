package load

import (
	"net/url"
	"slices"
	"strings"
)

// IsRemote reports whether an argument is a URL to fetch.
func IsRemote(arg string) bool {
	u := parseURL(arg)
	return u != nil && u.Scheme != "file"
}

// RedirectsOf returns the URLs that redirects of a URL may lead to, with everything below; nil
// means anywhere.
func (opt *Options) RedirectsOf(url string) []string {
	if !slices.Contains(opt.Untrusted, url) {
		return nil
	}
	return slices.Concat([]string{}, opt.Allowed)
}

// BelowURL reports whether a URL equals another one or is below it: with the same scheme, host and
// port, and a path that begins with the same segments. If above has a query, the URLs must be
// equal. User names and passwords are ignored: they do not affect where a URL leads.
func BelowURL(above, rawURL string) bool {
	a, u := parseURL(above), parseURL(rawURL)
	if a == nil || u == nil || a.Scheme != u.Scheme || hostOf(a) != hostOf(u) {
		return false
	}
	first, ok := urlSegments(a)
	all, okay := urlSegments(u)
	switch {
	case !ok || !okay || len(all) < len(first) || !slices.Equal(all[:len(first)], first):
		return false
	case a.RawQuery != "":
		return len(all) == len(first) && a.RawQuery == u.RawQuery
	}
	return true
}

// hostOf returns the host and the port of a URL.
func hostOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := u.Hostname()
	if strings.Trim(host, asciiHost) == "" { // non-ASCII letters have no agreed case
		host = strings.ToLower(host)
	}
	return host + " " + port
}

const asciiHost = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]%"

// urlSegments returns the segments of the path of a URL, unescaped. Servers disagree about what
// leads upward: two dots may be escaped, or come with parameters, with escaped slashes, or after
// empty segments. For such a path it returns false; plain dots are resolved.
func urlSegments(u *url.URL) (list []string, ok bool) {
	path := u.EscapedPath()
	if strings.Contains(path, "//") && strings.Contains(path, "..") {
		return nil, false
	}
	for s := range strings.SplitSeq(path, "/") {
		text, err := url.PathUnescape(s)
		name, _, _ := strings.Cut(text, ";")
		switch {
		case err != nil, strings.ContainsAny(text, "/\\\x00"):
			return nil, false
		case text == "" || text == ".":
		case s == "..":
			if len(list) > 0 {
				list = list[:len(list)-1]
			}
		case name == ".." || name == ".":
			return nil, false
		default:
			list = append(list, text)
		}
	}
	return list, true
}
