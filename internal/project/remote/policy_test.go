//go:build !js

package remote

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

var quiet = log.New(io.Discard, "", 0) // servers complain of clients that go away

// refused are URLs that are never requested, whatever is at their end.
var refused = map[string]string{
	"https://169.254.169.254/latest/meta-data": "link-local",
	"https://[fe80::1]/x":                      "link-local",
	"https://[fe80::1%25eth0]/x":               "link-local",
	"https://[::ffff:169.254.169.254]/x":       "link-local",
	"https://[::ffff:a9fe:a9fe]/x":             "link-local",
	"https://[64:ff9b::a9fe:a9fe]/x":           "link-local",
	"https://[2002:a9fe:a9fe::1]/x":            "link-local",
	"https://[::169.254.169.254]/x":            "link-local",
	"https://[fd00:ec2::254]/x":                "metadata",
	"https://100.100.100.200/x":                "metadata",
	"https://127.0.0.1/x":                      "this machine",
	"https://127.8.9.10/x":                     "this machine",
	"https://[::1]/x":                          "this machine",
	"https://[::ffff:127.0.0.1]/x":             "this machine",
	"https://0.0.0.0/x":                        "this machine",
	"https://[::]/x":                           "this machine",
	"https://localhost/x":                      "this machine",
	"https://LOCALHOST./x":                     "this machine",
	"https://a.localhost/x":                    "this machine",
	"https://2130706433/x":                     "not a host name",
	"https://0x7f.0.0.0x1/x":                   "not a host name",
	"https://127.1/x":                          "not a host name",
	"https://１６９.254.169.254/x":                "not in ASCII",
	"https://ⓛocalhost/x":                      "not in ASCII",
	"http://example.com/x":                     "not encrypted",
	"ftp://example.com/x":                      "not an https URL",
	"file://host/etc/passwd":                   "not an https URL",
	"https://joe:s3cret@example.com/x":         "user name or a password",
	"https://joe@example.com/x":                "user name or a password",
}

// sealed is a client that fails the test if it connects to anything.
func sealed(t *testing.T) *Client {
	c := New(Options{})
	c.transport.DialContext = func(_ context.Context, _, target string) (net.Conn, error) {
		t.Errorf("it connects to %s", target)
		return nil, errors.New("sealed")
	}
	return c
}

func TestRefusedURLs(t *testing.T) {
	c := sealed(t)
	for u, want := range refused {
		_, err := c.HTTP(t.Context(), u, "")
		wantFail(t, err, CodeHost, want)
		if err != nil && strings.Contains(err.Error()+hintOf(err), "s3cret") {
			t.Errorf("it shows a password: %v", err)
		}
	}
}

// A redirect must not lead where a URL must not.
func TestRefusedRedirects(t *testing.T) {
	for to, want := range refused {
		s, c := serve(t, http.RedirectHandler(to, http.StatusFound))
		_, err := c.HTTP(t.Context(), s.URL+"/a.yml", "")
		if strings.HasPrefix(to, "https://") {
			wantFail(t, err, CodeHost, want)
		} else {
			wantFail(t, err, CodeFetch, "redirected from https")
		}
		if err != nil && strings.Contains(err.Error()+hintOf(err), "s3cret") {
			t.Errorf("it shows a password: %v", err)
		}
	}
}

// Neither may another server of this machine be asked, by address or by name.
func TestRedirectToThisMachine(t *testing.T) {
	var asked atomic.Int64
	private, _ := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	_, port, _ := net.SplitHostPort(private.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		s, c := serve(t, http.RedirectHandler("https://"+host+":"+port+"/", http.StatusFound))
		_, err := c.HTTP(t.Context(), s.URL+"/a.yml", "")
		wantFail(t, err, CodeHost, "this machine")
	}
	if asked.Load() > 0 {
		t.Error("a server that is not allowed was asked")
	}
}

// Names are looked up when a connection is made, and that address counts.
func TestRefusedConnections(t *testing.T) {
	s := httptest.NewServer(answer(nil))
	defer s.Close()
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	p := newPolicy(nil)
	for target, want := range map[string]string{
		"localhost:" + port:           "this machine", // as any name that leads here
		"127.0.0.1:" + port:           "this machine",
		"[::ffff:127.0.0.1]:" + port:  "this machine",
		"0.0.0.0:" + port:             "this machine",
		"169.254.169.254:80":          "link-local",
		"[::ffff:169.254.169.254]:80": "link-local",
		"[fd00:ec2::254]:80":          "metadata",
	} {
		conn, err := p.dial(t.Context(), "tcp", target)
		e, ok := errors.AsType[*hostError](err)
		if !ok || !strings.Contains(e.message, want) {
			t.Errorf("%s: got %v, want %s", target, err, want)
		}
		if conn != nil {
			conn.Close()
		}
	}
	for _, link := range []string{"169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]"} {
		c := New(Options{AllowOutside: []string{"https://" + link}})
		_, err := c.HTTP(t.Context(), "https://"+link+"/x", "")
		wantFail(t, err, CodeHost, "link-local") // nothing allows these
		allowing := newPolicy([]string{"https://" + link})
		if _, err := allowing.dial(t.Context(), "tcp", link+":443"); !isA[*hostError](err) {
			t.Errorf("%s: got %v", link, err)
		}
	}
	conn, err := newPolicy([]string{"http://localhost:" + port}).dial(t.Context(), "tcp", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

// The hint of an error about this machine, and that about http, work when followed.
func TestFollowHints(t *testing.T) {
	plain := httptest.NewServer(answer([]byte("a")))
	defer plain.Close()
	secure, _ := serve(t, answer([]byte("a")))
	for _, u := range []string{plain.URL, secure.URL} {
		_, err := New(Options{}).HTTP(t.Context(), u+"/a.yml", "")
		_, allowed, ok := strings.Cut(hintOf(err), "--allow-outside ")
		if !ok {
			t.Fatalf("%v has the hint %q", err, hintOf(err))
		}
		if _, err := New(Options{AllowOutside: []string{allowed}}).HTTP(t.Context(), u+"/a.yml", ""); err != nil {
			t.Errorf("with --allow-outside %s: %v", allowed, err)
		}
	}
	if _, err := New(Options{AllowOutside: []string{strings.Replace(plain.URL, "http", "https", 1)}}).
		HTTP(t.Context(), plain.URL+"/a.yml", ""); err == nil {
		t.Error("allowing https allows http")
	}
}

func TestUntrustedCertificate(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "none.pem")
	if err := os.WriteFile(cert, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := serve(t, answer([]byte("a")))
	p := startProxy(t, s.Listener.Addr().String())
	out := inChild(t, "https://example.com/a.yml",
		"HTTPS_PROXY="+p, "SSL_CERT_FILE="+cert, "SSL_CERT_DIR="+t.TempDir())
	if !strings.Contains(out, "error:") || !strings.Contains(out, "SSL_CERT_FILE") {
		t.Errorf("got %s", out)
	}
}

// Proxies of the environment are used, also on this machine; what they must not be asked for is refused.
func TestProxy(t *testing.T) {
	s, _ := serve(t, answer([]byte("a: 1\n")))
	p := startProxy(t, s.Listener.Addr().String())
	want := digestOf([]byte("a: 1\n")) + " [a.yml]\n"
	if out := inChild(t, "https://example.com/a.yml", "HTTPS_PROXY="+p); out != want {
		t.Errorf("got %s, want %s", out, want)
	}
	out := inChild(t, "https://169.254.169.254/a.yml", "HTTPS_PROXY="+p)
	if !strings.Contains(out, "link-local") {
		t.Errorf("got %s", out)
	}
	// The proxy itself is not a source.
	if out := inChild(t, p+"/a.yml", "HTTPS_PROXY="+p); !strings.Contains(out, "not encrypted") {
		t.Errorf("got %s", out)
	}
	secret := strings.Replace(p, "://", "://joe:s3cret@", 1)
	if out := inChild(t, "https://example.com/a.yml", "HTTPS_PROXY="+secret); out != want {
		t.Errorf("got %s, want %s", out, want)
	}
	broken := httptest.NewServer(answer(nil))
	broken.Close()
	secret = strings.Replace(broken.URL, "://", "://joe:s3cret@", 1)
	out = inChild(t, "https://example.com/a.yml", "HTTPS_PROXY="+secret)
	if strings.Contains(out, "s3cret") || !strings.Contains(out, "proxyconnect") {
		t.Errorf("got %s", out)
	}
}

// inChild fetches a URL in another process.
func inChild(t *testing.T, url string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "WEFT_TEST_FETCH="+url, "NO_PROXY=none.example"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// startProxy starts a proxy that connects to a server, whichever host it is asked for.
func startProxy(t *testing.T, server string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "only CONNECT", http.StatusBadRequest)
			return
		}
		to, err := net.Dial("tcp", server)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer to.Close()
		w.WriteHeader(http.StatusOK)
		from, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		go func() { _, _ = io.Copy(to, rw) }()
		_, _ = io.Copy(from, to)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// setNetrc makes a text the netrc file.
func setNetrc(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NETRC", file)
}

// Credentials of the netrc file go to their host, and to no other place that a redirect leads to: not even
// to another port of the same host, for which net/http would keep them.
func TestNetrcAndRedirects(t *testing.T) {
	setNetrc(t, "default login any password wrong\nmachine 127.0.0.1\n  login joe\n  password s3cret\n")
	var seen []string
	record := func(r *http.Request) {
		h := r.Header
		seen = append(seen, fmt.Sprintf("%s %s%s", r.URL.Path, h.Get("Authorization"), h.Get("Referer")))
	}
	other, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record(r)
		w.WriteHeader(http.StatusForbidden)
	}))
	s, c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record(r)
		http.Redirect(w, r, other.URL+"/b?token=t0ken", http.StatusFound)
	}), other.URL)
	_, err := c.HTTP(t.Context(), s.URL+"/a.yml", "")
	wantFail(t, err, CodeFetch, "403")
	plain := httptest.NewServer(nil)
	defer plain.Close()
	s2, c2 := serve(t, http.RedirectHandler(plain.URL+"/?token=t0ken", http.StatusFound), plain.URL)
	_, err2 := c2.HTTP(t.Context(), s2.URL+"/a.yml", "")
	wantFail(t, err2, CodeFetch, "redirected from https to "+plain.URL)
	if strings.Contains(err2.Error(), "t0ken") {
		t.Errorf("a query is shown: %v", err2)
	}
	want := []string{"/a.yml Basic " + base64.StdEncoding.EncodeToString([]byte("joe:s3cret")), "/b "}
	if strings.Join(seen, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", seen, want)
	}
	if text := err.Error() + hintOf(err); strings.Contains(text, "s3cret") || strings.Contains(text, "t0ken") {
		t.Errorf("a secret is shown: %s", text)
	}
}

// A server that repeats what it was sent does not get it into messages.
func TestNoSecretsInErrors(t *testing.T) {
	setNetrc(t, "machine localhost login joe password s3cret")
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 4096)
			n, _ := conn.Read(head)
			_, value, _ := strings.Cut(string(head[:n]), "Authorization: Basic ")
			value, _, _ = strings.Cut(value, "\r\n")
			fmt.Fprintf(conn, "NONSENSE %s s3cret\r\n\r\n", value)
			conn.Close()
		}
	}()
	base := "http://localhost:" + fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	_, err = New(Options{AllowOutside: []string{base}}).HTTP(t.Context(), base+"/a", "")
	wantFail(t, err, CodeFetch, "‹secret›")
	secret := base64.StdEncoding.EncodeToString([]byte("joe:s3cret"))
	if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), secret)) {
		t.Errorf("a secret is shown: %v", err)
	}
}

func TestParseNetrc(t *testing.T) {
	got := parseNetrc(`# machine no.example login a password b
machine one.example login joe password p1
machine TWO.example
	login ann account x
	password p#2
macdef init
machine no.example login a password b

machine
three.example login only
machine one.example login again password p3
default login any password wrong
machine last.example login`)
	want := map[string]login{
		"one.example": {"joe", "p1"}, "two.example": {"ann", "p#2"}, "three.example": {"only", ""},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Over a plain connection, credentials stay on this machine.
func TestMayCarry(t *testing.T) {
	for text, want := range map[string]bool{
		"https://a.example": true, "http://a.example": false, "http://10.0.0.1": false,
		"http://localhost:5000": true, "http://127.0.0.1:5000": true, "http://[::1]:5000": true,
	} {
		u, err := url.Parse(text)
		if err != nil || mayCarry(u) != want {
			t.Errorf("%s: got %v, want %v", text, !want, want)
		}
	}
}

// SSL_CERT_FILE works on systems where Go leaves it out.
func TestCertificates(t *testing.T) {
	if certificates("linux") != nil {
		t.Error("Go reads SSL_CERT_FILE on Linux itself")
	}
	s, _ := serve(t, nil)
	for _, system := range []string{"darwin", "windows"} {
		pool := certificates(system)
		if pool == nil {
			t.Fatalf("%s: no certificates", system)
		}
		if _, err := s.Certificate().Verify(x509.VerifyOptions{Roots: pool}); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
	t.Setenv("SSL_CERT_FILE", filepath.Join(t.TempDir(), "missing"))
	if certificates("darwin") != nil {
		t.Error("a file that is missing gives certificates")
	}
}

// Without NETRC and DOCKER_CONFIG, files of the home directory count; without a home directory, none.
func TestHome(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".docker"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".netrc":              "machine a.example login joe password s3cret",
		".docker/config.json": dockerAuths("a.example", "ann:p"),
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("NETRC", "")
	t.Setenv("DOCKER_CONFIG", "")
	for dir, want := range map[string]string{
		home: "{joe s3cret} {ann p}", t.TempDir(): "{ } { }", "": "{ } { }",
	} {
		t.Setenv("HOME", dir)
		t.Setenv("USERPROFILE", dir)
		netrc, err := readNetrc()
		if err != nil {
			t.Fatal(err)
		}
		c := New(Options{})
		docker, err := c.registryCredentials(t.Context(), reference{"a.example/b", "a.example", "b"})
		if got := fmt.Sprint(netrc["a.example"], " ", docker.login); got != want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", dir, got, err, want)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NETRC", filepath.Join(home, "folder"))
	_, err := New(Options{}).HTTP(t.Context(), "https://a.example/x?token=t0ken", "")
	wantFail(t, err, CodeFetch, "'https://a.example/x?…': the netrc file cannot be read")
}

// A name that leads to this machine, known only when a connection is made, is an error in plain words.
func TestRefusedByConnection(t *testing.T) {
	refused := checkAddress(netip.IPv6Loopback(), false, "https", "a.example:443")
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: refused}
	err := New(Options{}).failed(t.Context(), "https://a.example/x", dial)
	wantFail(t, err, CodeHost, "cannot fetch 'https://a.example/x': it leads to this machine")
	if !strings.HasSuffix(hintOf(err), "--allow-outside https://a.example:443") {
		t.Errorf("the hint is %s", hintOf(err))
	}
}
