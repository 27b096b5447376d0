//go:build !js

package remote

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/fetch"
	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// TestMain trusts the certificate of test servers as people trust a private CA: with SSL_CERT_FILE. No
// test reads the credentials of whoever runs it.
func TestMain(m *testing.M) {
	if url := os.Getenv("WEFT_TEST_FETCH"); url != "" {
		fetchInChild(url)
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "weft-remote")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s := httptest.NewTLSServer(nil)
	s.Close()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	file := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"SSL_CERT_FILE": file, "HOME": dir, "NETRC": filepath.Join(dir, "netrc"), "DOCKER_CONFIG": dir,
		"HTTP_PROXY": "", "HTTPS_PROXY": "", "NO_PROXY": "",
		"http_proxy": "", "https_proxy": "", "no_proxy": "",
	} {
		os.Setenv(name, value)
	}
	return m.Run()
}

// fetchInChild fetches a URL in a process of its own, as the environment is read only once.
func fetchInChild(url string) {
	f, err := New(Options{}).HTTP(context.Background(), url, "")
	if err != nil {
		fmt.Println("error:", err, hintOf(err))
		return
	}
	fmt.Println(f.Digest, f.Files.Names())
}

// serve starts an https server, and returns it with a client that may ask it.
func serve(t *testing.T, h http.Handler, more ...string) (*httptest.Server, *Client) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	c := New(Options{AllowOutside: append(more, s.URL), Timeout: 20 * time.Second, MaxBytes: 1 << 20})
	t.Cleanup(c.Close)
	return s, c
}

// answer answers each request with the same bytes.
func answer(data []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
}

func hintOf(err error) string {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		return d.Hint
	}
	return ""
}

func codeOf(err error) diag.Code {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		return d.Code
	}
	return ""
}

// wantFail fails the test unless err has a code, a hint, and a text in its message.
func wantFail(t *testing.T, err error, code diag.Code, text string) {
	t.Helper()
	if err == nil || codeOf(err) != code || hintOf(err) == "" || !strings.Contains(err.Error(), text) {
		t.Errorf("got %s %v (hint: %s)\nwant %s … %s … and a hint", codeOf(err), err, hintOf(err), code, text)
	}
}

// contents returns files as name, mode and text.
func contents(t *testing.T, f *archive.Files) map[string]string {
	t.Helper()
	got := map[string]string{}
	for file := range f.All() {
		got[file.Name] = fmt.Sprintf("%o %s", file.Mode(), file.Data)
	}
	return got
}

// tgz returns an archive of names and texts; a name that ends in * is executable.
func tgz(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for pair := range slices.Chunk(files, 2) {
		name, executable := strings.CutSuffix(pair[0], "*")
		h := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(pair[1])), Typeflag: tar.TypeReg}
		if executable {
			h.Mode = 0o711
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for pair := range slices.Chunk(files, 2) {
		w, err := z.Create(pair[0])
		if err == nil {
			_, err = io.WriteString(w, pair[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHTTP(t *testing.T) {
	release := []string{"app-1.2/deploy/a.yml", "a: 1\n", "app-1.2/run.sh*", "#!/bin/sh\n"}
	inside := map[string]string{"deploy/a.yml": "644 a: 1\n", "run.sh": "755 #!/bin/sh\n"}
	tests := []struct {
		name, path string
		data       []byte
		want       map[string]string
	}{
		{"file", "/x/crds.yaml", []byte("kind: A\n"), map[string]string{"crds.yaml": "644 kind: A\n"}},
		{"query", "/crds.yaml?raw=1", []byte("a"), map[string]string{"crds.yaml": "644 a"}},
		{"empty", "/empty.yml", nil, map[string]string{"empty.yml": "644 "}},
		{"tgz", "/any", tgz(t, release...), inside},
		{
			"two at the top", "/any.yaml", tgz(t, "a/x", "1", "b/y", "2"),
			map[string]string{"a/x": "644 1", "b/y": "644 2"},
		},
		{
			"zip", "/download", zipped(t, "top/a", "1", "top/b/c", "2"),
			map[string]string{"a": "644 1", "b/c": "644 2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, c := serve(t, answer(tt.data))
			for _, sum := range []string{"", digestOf(tt.data), strings.TrimPrefix(digestOf(tt.data), "sha256:")} {
				got, err := c.HTTP(t.Context(), s.URL+tt.path, sum)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, contents(t, got.Files)); diff != "" || got.Digest != digestOf(tt.data) {
					t.Errorf("%s, -want +got:\n%s", got.Digest, diff)
				}
			}
		})
	}
}

// What a server does wrong is an error with a hint.
func TestHTTPFailures(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/a.yml", answer([]byte("a: 1\n")))
	mux.Handle("/cut.tgz", answer(tgz(t, "a", strings.Repeat("text", 1000))[:60]))
	mux.Handle("/damaged.tgz", answer(append(tgz(t, "a", "1")[:40], "more"...)))
	mux.Handle("/file.gz", answer(gzipped(t, "no tar archive")))
	mux.Handle("/file.xz", answer([]byte("\xfd7zXZ\x00…")))
	mux.Handle("/large", answer(make([]byte, 1<<20+1)))
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("a: 1\n"))
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("a: "))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/circle", http.StatusFound)
	})
	mux.HandleFunc("/nowhere", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "https://exa mple/?token=s3cret")
		w.WriteHeader(http.StatusFound)
	})
	for _, code := range []int{401, 403, 404, 500} {
		mux.HandleFunc(fmt.Sprint("/", code), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	s, c := serve(t, mux)
	for _, tt := range []struct {
		path, sum string
		code      diag.Code
		want      string
	}{
		{"/a.yml", strings.Repeat("0", 64), CodeDigest, "has the digest sha256:"},
		{"/a.yml", "0123", CodeFetch, "not a SHA-256 digest"},
		{"/cut.tgz", "", archive.CodeArchive, "cut off"},
		{"/damaged.tgz", "", archive.CodeArchive, ""},
		{"/file.gz", "", archive.CodeArchive, "not a tar archive"},
		{"/file.xz", "", archive.CodeArchive, "compressed with xz"},
		{"/large", "", CodeFetch, "more than 1 MiB"},
		{"/short", "", CodeFetch, "cut off"},
		{"/circle", "", CodeFetch, "more than 10 redirects"},
		{"/nowhere", "", CodeFetch, "redirected to an invalid address"},
		{"/401", "", CodeFetch, "401"},
		{"/403", "", CodeFetch, "403"},
		{"/404", "", CodeFetch, "404"},
		{"/500", "", CodeFetch, "500"},
	} {
		_, err := c.HTTP(t.Context(), s.URL+tt.path, tt.sum)
		wantFail(t, err, tt.code, tt.want)
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("a query is shown: %v", err)
		}
	}
	quick := New(Options{AllowOutside: []string{s.URL}, Timeout: 100 * time.Millisecond})
	_, err := quick.HTTP(t.Context(), s.URL+"/slow", "")
	wantFail(t, err, CodeFetch, "no complete response within 100ms")
	_, err = c.HTTP(t.Context(), s.URL, "")
	wantFail(t, err, CodeFetch, "404") // the server has nothing there
	_, c2 := serve(t, nil)
	s3, _ := serve(t, answer([]byte("x")))
	_, err = New(Options{AllowOutside: []string{s3.URL}}).HTTP(t.Context(), s3.URL, "")
	wantFail(t, err, CodeFetch, "does not end in a file name")
	_, err = c2.HTTP(t.Context(), "https://", "")
	wantFail(t, err, CodeFetch, "not a valid URL")
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestProgressAndHosts(t *testing.T) {
	data := bytes.Repeat([]byte("x"), 300_000)
	target, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data)
	}))
	s, _ := serve(t, http.RedirectHandler(target.URL+"/b.yml", http.StatusFound))
	var done, total int64
	var hosts []string
	c := New(Options{
		AllowOutside: []string{s.URL, target.URL},
		Progress: func(name string, d, t int64) {
			if name == s.URL+"/a.yml" {
				done, total = d, t
			}
		},
		Announce: func(h []string) { hosts = append(hosts, strings.Join(h, " ")) },
	})
	c.Announce(
		"registry.example.com/platform/base", s.URL+"/a.yml", "https://b.example/x", "oci://docker.io/library/a")
	for range 2 {
		if _, err := c.HTTP(t.Context(), s.URL+"/a.yml", ""); err != nil {
			t.Fatal(err)
		}
	}
	if done != 300_000 || total != 300_000 {
		t.Errorf("progress ends with %d of %d", done, total)
	}
	host := strings.TrimPrefix(s.URL, "https://")
	want := []string{
		host + " b.example registry-1.docker.io registry.example.com", strings.TrimPrefix(target.URL, "https://"),
	}
	if diff := cmp.Diff(want, hosts); diff != "" {
		t.Errorf("hosts, -want +got:\n%s", diff)
	}
}

// The end of the run is not an error of the server.
func TestCanceled(t *testing.T) {
	s, c := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	if _, err := c.HTTP(ctx, s.URL+"/a.yml", ""); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
}

// Goroutines share a client, its tokens and what it announces.
func TestShared(t *testing.T) {
	r := registry{}
	var want []string
	for i := range 8 {
		name := fmt.Sprint("a", i)
		one, two := r.blob(name, "x", tgz(t, "a", "1")), r.blob(name, "x", tgz(t, "b", "2"))
		want = append(want, r.artifact(t, name, "1", one, two))
	}
	setDocker(t, `{}`)
	s, _ := serve(t, r)
	var announced int
	var mu sync.Mutex
	last := map[string][2]int64{}
	c := New(Options{
		AllowOutside: []string{s.URL},
		Announce:     func([]string) { announced++ },
		Progress: func(name string, done, total int64) {
			mu.Lock()
			defer mu.Unlock()
			if done < last[name][0] {
				t.Errorf("%s goes back from %d to %d", name, last[name][0], done)
			}
			last[name] = [2]int64{done, total}
		},
	})
	var group sync.WaitGroup
	for i, digest := range want {
		group.Go(func() {
			got, err := c.OCI(t.Context(), fmt.Sprintf("%s/a%d", host(s), i), "1")
			if err != nil || got.Digest != digest || fmt.Sprint(got.Files.Names()) != "[a b]" {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	group.Wait()
	if announced != 1 || len(last) != 8 {
		t.Errorf("announced %d hosts; progress of %v", announced, last)
	}
	for name, p := range last {
		if p[0] != p[1] {
			t.Errorf("%s ends at %d of %d", name, p[0], p[1])
		}
	}
}

// docs/security.md has the limits that apply.
func TestDocumentedLimits(t *testing.T) {
	page, err := os.ReadFile("../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(page)), " ")
	c := New(Options{})
	for _, want := range []string{
		fmt.Sprintf("A response has at most %d MiB, takes at most %.0f seconds and %d redirects.",
			c.options.MaxBytes>>20, c.options.Timeout.Seconds(), fetch.MaxRedirects),
		fmt.Sprintf("together have at most %d MiB, and there are at most %d.", c.options.MaxBytes>>20, maxLayers),
		fmt.Sprintf("at most %d,000 entries and %d MiB when unpacked.",
			archive.DefaultLimits.Entries/1000, c.limits().Bytes>>20),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("the page does not have: %s", want)
		}
	}
	if c.limits().Bytes != archive.DefaultLimits.Bytes {
		t.Error("the default limits of archives differ")
	}
}
