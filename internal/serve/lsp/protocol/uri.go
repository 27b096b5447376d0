package protocol

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns the path on disk of a URI, or "" if it is not one of a file.
func (u DocumentURI) Path() string {
	p := u.path(runtime.GOOS == "windows")
	if p == "" {
		return ""
	}
	return filepath.Clean(filepath.FromSlash(p))
}

func (u DocumentURI) path(windows bool) string {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != "file" {
		return ""
	}
	p := parsed.Path
	if windows {
		if parsed.Host != "" {
			return "//" + parsed.Host + p
		}
		// /c:/config: most programs write the drive in upper case
		if len(p) >= 3 && p[0] == '/' && p[2] == ':' {
			return strings.ToUpper(p[1:2]) + p[2:]
		}
	}
	return p
}

// URIOf returns the URI of a path on disk.
func URIOf(path string) DocumentURI { return uriOf(filepath.ToSlash(path)) }

func uriOf(slashed string) DocumentURI {
	u := url.URL{Scheme: "file", Path: slashed}
	if rest, ok := strings.CutPrefix(slashed, "//"); ok { // a share of Windows
		u.Host, u.Path, _ = strings.Cut(rest, "/")
		u.Path = "/" + u.Path
	} else if !strings.HasPrefix(slashed, "/") {
		u.Path = "/" + slashed
	}
	return DocumentURI(u.String())
}
