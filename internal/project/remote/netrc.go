//go:build !js

package remote

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// people are the credentials of the person who runs weft. They are read when a request first needs them.
type people struct {
	netrcOnce sync.Once
	netrc     map[string]login
	netrcErr  error

	dockerOnce sync.Once
	docker     dockerConfig
	dockerErr  error
}

// login is a user name with its password.
type login struct{ user, password string }

// basic returns the login as an Authorization header.
func (c *Client) basic(l login) string {
	text := base64.StdEncoding.EncodeToString([]byte(l.user + ":" + l.password))
	c.hide(l.password, url.QueryEscape(l.password), text)
	return "Basic " + text
}

// mayCarry reports whether credentials may be sent to a URL: encrypted, or within this machine.
func mayCarry(u *url.URL) bool {
	addr, err := netip.ParseAddr(hostOf(u))
	return u.Scheme == "https" || isLocal(hostOf(u)) || err == nil && embedded(addr).IsLoopback()
}

// netrcAuth returns the Authorization header that the netrc file has for a URL, or "".
func (c *Client) netrcAuth(u *url.URL) (string, error) {
	c.people.netrcOnce.Do(func() { c.people.netrc, c.people.netrcErr = readNetrc() })
	if err := c.people.netrcErr; err != nil {
		return "", c.fail(u.String(), "the netrc file cannot be read: %s", err).
			WithHint("check its permissions, or set the variable NETRC to another file")
	}
	l, ok := c.people.netrc[hostOf(u)]
	if !ok || !mayCarry(u) {
		return "", nil
	}
	return c.basic(l), nil
}

// readNetrc reads the file that the variable NETRC names, or the one in the home directory.
func readNetrc() (map[string]login, error) {
	name := os.Getenv("NETRC")
	if name == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, nil
		}
		name = filepath.Join(home, ".netrc")
		if _, err := os.Stat(name); err != nil && runtime.GOOS == "windows" {
			name = filepath.Join(home, "_netrc")
		}
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, e.Err
	}
	return parseNetrc(string(text)), err
}

// parseNetrc returns the logins of a netrc file by host. The entry "default" is left out: it would give a
// password to any host that a weft.yml names.
func parseNetrc(text string) map[string]login {
	logins := map[string]login{}
	host, l := "", login{}
	done := func() {
		if _, again := logins[host]; host != "" && !again && l != (login{}) {
			logins[host] = l // the first entry of a host counts
		}
		host, l = "", login{}
	}
	for words := netrcWords(text); len(words) > 0; {
		key, value := words[0], ""
		if words = words[1:]; key == "default" {
			done()
			continue
		}
		if len(words) > 0 {
			value, words = words[0], words[1:]
		}
		switch key {
		case "machine":
			done()
			host = strings.ToLower(value)
		case "login":
			l.user = value
		case "password":
			l.password = value
		}
	}
	done()
	return logins
}

// netrcWords returns the words of a netrc file, without comments and without macros, which end with an
// empty line.
func netrcWords(text string) (words []string) {
	macro := false
	for line := range strings.Lines(text) {
		if macro = macro && strings.TrimSpace(line) != ""; macro {
			continue
		}
		for i, word := range strings.Fields(line) {
			if macro = word == "macdef"; macro || i == 0 && strings.HasPrefix(word, "#") {
				break
			}
			words = append(words, word)
		}
	}
	return words
}
