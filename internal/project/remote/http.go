//go:build !js

package remote

import (
	"context"
	"net/url"
	"path"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// HTTP fetches a URL: a tar, tar.gz or zip archive, recognized by its content, or a single file, named as
// in the URL. If all of an archive is in one directory, that directory is left out: its name usually
// changes with each version. sha256 is the expected digest, with or without "sha256:"; "" accepts any.
func (c *Client) HTTP(ctx context.Context, address, sha256 string) (Fetched, error) {
	u, err := c.parseURL(address)
	if err != nil {
		return Fetched{}, err
	}
	want := ""
	if sha256 != "" {
		var ok bool
		if want, ok = parseDigest(sha256); !ok {
			return Fetched{}, c.fail(address, "'%s' is not a SHA-256 digest", diag.Shortened(sha256)).
				WithHint("write its 64 hexadecimal digits, as sha256sum prints them")
		}
	}
	data, err := c.download(ctx, address, u, true)
	if err != nil {
		return Fetched{}, err
	}
	digest, err := c.checkDigest(address, "the file", data, want)
	if err != nil {
		return Fetched{}, err
	}
	if archive.FormatOf(data) == archive.Plain {
		files, err := c.single(address, u, data)
		return Fetched{digest, files}, err
	}
	files, err := archive.Read(shownAddress(address), data, c.limits())
	if err != nil {
		return Fetched{}, err
	}
	if top := files.Top(); top != "" {
		files = files.Below(top)
	}
	return Fetched{digest, files}, nil
}

func (c *Client) parseURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, c.fail(address, "it is not a valid URL").WithHint("write https://HOST/PATH")
	}
	return u, nil
}

// single returns a file by the name that the URL has for it.
func (c *Client) single(address string, u *url.URL, data []byte) (*archive.Files, error) {
	name := path.Base(u.Path)
	if name == "." || name == "/" {
		return nil, c.fail(address, "the URL does not end in a file name").
			WithHint("name a file, or an archive of files")
	}
	return archive.New(shownAddress(address), []archive.File{{Name: name, Data: data}})
}

// download gets the bytes of a URL, with the credentials of the netrc file if trusted: someone who named
// the host, and not only a server, wants it to be asked in the name of the person.
func (c *Client) download(ctx context.Context, address string, u *url.URL, trusted bool) ([]byte, error) {
	r := request{address: address, url: u, exact: true, counted: true}
	if trusted {
		auth, err := c.netrcAuth(u)
		if err != nil {
			return nil, err
		}
		r.auth = auth
	}
	return c.get(ctx, r)
}

// get sends a request, and returns the bytes of the answer if it succeeds.
func (c *Client) get(ctx context.Context, r request) ([]byte, error) {
	resp, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	if !resp.OK() {
		return nil, c.refused(r, resp, "add the host to your netrc file: machine "+hostOf(r.url)+
			" login NAME password …")
	}
	return resp.Body, nil
}
