//go:build !js

package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"weft/internal/engine/fetch"
)

// policy decides which addresses may be asked. A weft.yml, a redirect, an index or a registry may name any,
// also one that answers with secrets to whoever is on the same machine.
//
// A URL is checked before it is requested, and the address that its name leads to when a connection is
// made, so that no answer of a name server gets around it. If a proxy is used, the proxy looks names up,
// and weft checks only addresses that are written in URLs.
type policy struct {
	origins map[string]bool // scheme://host:port that the person allows
	hosts   map[string]bool // host:port of these

	mu      sync.Mutex
	proxies map[string]bool // host:port of proxies that the environment names
}

// hostError is the error of an address that must not be asked, with what allows it, if anything does.
type hostError struct{ message, hint string }

func (e *hostError) Error() string { return e.message }

func newPolicy(allow []string) *policy {
	p := &policy{origins: map[string]bool{}, hosts: map[string]bool{}, proxies: map[string]bool{}}
	for _, a := range allow {
		if !strings.Contains(a, "://") {
			a = "https://" + a
		}
		u, err := url.Parse(a)
		if err != nil || u.Host == "" {
			continue // a path: --allow-outside names these, too
		}
		if u.Scheme == "oci" {
			u.Scheme = "https"
		}
		p.origins[originOf(u)] = true
		p.hosts[hostPort(u)] = true
	}
	return p
}

// originOf returns the scheme, the host and the port of a URL.
func originOf(u *url.URL) string { return u.Scheme + "://" + hostPort(u) }

// hostPort returns the host and the port of a URL, in lower case and without a dot at the end.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(hostOf(u), port)
}

func hostOf(u *url.URL) string { return strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")) }

// check returns an error for a URL that must not be requested.
func (p *policy) check(u *url.URL) error {
	host, allowed := hostOf(u), p.origins[originOf(u)]
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return &hostError{"it is not an https URL", "begin the address with https://"}
	case host == "":
		return &hostError{"the URL has no host", "write https://HOST/PATH"}
	case u.User != nil:
		return &hostError{
			"the URL contains a user name or a password",
			"remove it from the URL, and put it in your netrc file: machine " + host + " login NAME password …",
		}
	case u.Scheme == "http" && !allowed:
		return &hostError{
			"plain http is not encrypted",
			"use https, or allow it with --allow-outside http://" + u.Host,
		}
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		// Some of these letters stand for others: a name in them may be an address.
		return &hostError{fmt.Sprintf("'%s' is not in ASCII", host), "write the host as xn--…"}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return checkAddress(addr, allowed, u.Scheme, u.Host)
	}
	switch {
	case isNumeric(host):
		return &hostError{fmt.Sprintf("'%s' is not a host name", host), "write an address as four numbers"}
	case isLocal(host) && !allowed:
		return checkAddress(netip.IPv6Loopback(), false, u.Scheme, u.Host)
	}
	return nil
}

// isLocal reports whether a name is for the own machine by definition.
func isLocal(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

// isNumeric reports whether some programs read a name as an address in an unusual form: 2130706433,
// 0x7f.1 and 127.1 are all 127.0.0.1.
func isNumeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}

// isMetadata reports whether an address tells any program of a machine in a cloud its credentials, but is
// not link-local.
func isMetadata(addr netip.Addr) bool {
	switch addr {
	case netip.AddrFrom16([16]byte{0: 0xfd, 2: 0x0e, 3: 0xc2, 14: 0x02, 15: 0x54}), // fd00:ec2::254
		netip.AddrFrom4([4]byte{100, 100, 100, 200}), netip.AddrFrom4([4]byte{192, 0, 0, 192}):
		return true
	}
	return false
}

// checkAddress returns an error for an address that must not be asked. allowed is for addresses of the own
// machine only.
func checkAddress(addr netip.Addr, allowed bool, scheme, host string) error {
	addr = embedded(addr)
	switch {
	case isMetadata(addr):
		return &hostError{fmt.Sprintf("%s is the address of a metadata service", addr), hintAddress}
	case addr.IsLinkLocalUnicast() || addr.IsMulticast():
		return &hostError{fmt.Sprintf("%s is a link-local address, which weft never asks", addr), hintAddress}
	case (addr.IsLoopback() || addr.IsUnspecified() || addr.Is4() && addr.As4()[0] == 0) && !allowed:
		return &hostError{
			"it leads to this machine",
			"if a server here is meant, allow it with --allow-outside " + scheme + "://" + host,
		}
	}
	return nil
}

const hintAddress = "correct the address: nothing allows this one"

// embedded returns the IPv4 address that an IPv6 address stands for, if it does.
func embedded(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr
	}
	b := addr.As16()
	at := -1
	switch {
	case [12]byte(b[:12]) == [12]byte{0, 0x64, 0xff, 0x9b}: // NAT64
		at = 12
	case [12]byte(b[:12]) == [12]byte{} && b[12] != 0: // compatible; :: and ::1 are not
		at = 12
	case b[0] == 0x20 && b[1] == 0x02: // 6to4
		at = 2
	default:
		return addr
	}
	return netip.AddrFrom4([4]byte(b[at : at+4]))
}

// transport returns a transport that connects only to addresses of the policy.
func (p *policy) transport() *http.Transport {
	t := fetch.NewTransport()
	t.Proxy = p.proxy
	t.DialContext = p.dial
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: certificates(runtime.GOOS)}
	return t
}

// certificates returns those of the system with those of SSL_CERT_FILE, where Go leaves the variable out;
// nil means that Go does all of it.
func certificates(system string) *x509.CertPool {
	file := os.Getenv("SSL_CERT_FILE")
	if file == "" || system != "darwin" && system != "windows" {
		return nil
	}
	pool, err := x509.SystemCertPool()
	text, unread := os.ReadFile(file)
	if err != nil || unread != nil {
		return nil
	}
	pool.AppendCertsFromPEM(text)
	return pool
}

// proxy returns the proxy of the environment for a request, and notes that it may be connected to, wherever
// it is: the person chose it.
func (p *policy) proxy(req *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(req)
	if u != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.proxies[hostPort(u)] = true
	}
	return u, err
}

// dial connects to a host and port, but not to an address that must not be asked. The system calls Control
// with each address just before it connects, so that there is no second look-up in between.
func (p *policy) dial(ctx context.Context, network, target string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	key := net.JoinHostPort(strings.ToLower(strings.TrimSuffix(host, ".")), port)
	p.mu.Lock()
	isProxy := p.proxies[key]
	p.mu.Unlock()
	d := net.Dialer{Timeout: fetch.DialTimeout}
	if !isProxy {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return errors.New("the address is not an IP address")
			}
			return checkAddress(to.Addr(), p.hosts[key], "https", target)
		}
	}
	return d.DialContext(ctx, network, target)
}

// shown returns a URL for messages: without a password, and without a query, which may have a signature.
func shown(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery != "" {
		return clean.String() + "?…"
	}
	return clean.String()
}
