package vendor

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tarball returns a tar.gz of files.
func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// site is an http server whose files a test changes.
type site struct {
	mu       sync.Mutex
	files    map[string][]byte
	requests atomic.Int64
	delay    time.Duration
	url      string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{files: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		time.Sleep(s.delay)
		s.mu.Lock()
		data, ok := s.files[r.URL.Path]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// set makes a file have other bytes, also while the server answers.
func (s *site) set(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = data
}

func TestHTTP(t *testing.T) {
	s := newSite(t)
	s.files["/crds.yaml"] = []byte("kind: CustomResourceDefinition\n")
	s.files["/release.tgz"] = tarball(t, map[string]string{"r-1/deploy/a.yml": "a: 1\n", "r-1/README": "x"})
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{s.url}}
	ctx := context.Background()
	v := open(t, "vendor:\n  crds: {http: '"+s.url+"/crds.yaml'}\n  release: {http: '"+s.url+
		"/release.tgz', paths: ['deploy/*']}\n")
	if _, err := v.Candidates(ctx, nil, false, Options{}); !strings.Contains(messages(err), "--allow-outside") {
		t.Errorf("plain http on this machine: got %s", messages(err))
	}
	update(t, v, opts)
	if got := read(t, "vendor/crds/crds.yaml"); got != string(s.files["/crds.yaml"]) {
		t.Errorf("got %q", got)
	}
	if got := read(t, "vendor/release/a.yml"); got != "a: 1\n" {
		t.Errorf("got %q", got)
	}
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256(s.files["/crds.yaml"]))
	if !strings.Contains(read(t, "weft.lock"), "  digest: "+sum+"\n") {
		t.Errorf("the lock has no digest %s:\n%s", sum, read(t, "weft.lock"))
	}
	before := s.requests.Load()
	if _, err := open(t, "").Restore(ctx, nil, false, opts); err != nil || s.requests.Load() != before {
		t.Errorf("a second run asks again: %s", messages(err))
	}
	// Other bytes under the same address are not restored, and the folder stays as it is.
	s.files["/crds.yaml"] = []byte("kind: Evil\n")
	if err := os.RemoveAll("vendor/crds"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, "").Restore(ctx, nil, false, opts); err == nil {
		t.Error("other bytes were restored")
	}
	if _, err := os.Stat("vendor/crds"); err == nil {
		t.Error("something was written")
	}
	update(t, open(t, ""), opts)
	if got := read(t, "vendor/crds/crds.yaml"); got != "kind: Evil\n" {
		t.Errorf("an update got %q", got)
	}
	put(t, "weft.yml", "weft: 2026\nvendor: {crds: {http: '"+s.url+"/crds.yaml', sha256: "+
		strings.Repeat("ab", 32)+"}}\n")
	if _, err := open(t, "").Candidates(ctx, nil, false, opts); err == nil {
		t.Error("a digest that weft.yml expects does not matter")
	}
}

func TestChart(t *testing.T) {
	s := newSite(t)
	var index strings.Builder
	index.WriteString("apiVersion: v1\nentries:\n  lantern:\n")
	for _, version := range []string{"1.17.3", "1.18.0", "1.18.2", "1.19.0"} {
		chart := tarball(t, map[string]string{
			"lantern/Chart.yaml": "apiVersion: v2\nname: lantern\nversion: " + version + "\n", "lantern/values.yaml": "a: 1\n",
		})
		s.files["/lantern-"+version+".tgz"] = chart
		fmt.Fprintf(&index, "  - {name: lantern, version: %s, digest: %x, urls: ['lantern-%s.tgz']}\n", version,
			sha256.Sum256(chart), version)
	}
	s.files["/index.yaml"] = []byte(index.String())
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{s.url}}
	v := open(t, "vendor: {lantern: {chart: '"+s.url+"', name: lantern, version: 1.18.x}}\n")
	update(t, v, opts)
	if !strings.Contains(read(t, "vendor/lantern/Chart.yaml"), "version: 1.18.2") {
		t.Errorf("got %s", read(t, "vendor/lantern/Chart.yaml"))
	}
	if lock := read(t, "weft.lock"); !strings.Contains(lock, "from: chart+"+s.url+"#lantern\n") &&
		!strings.Contains(lock, "from: 'chart+"+s.url+"#lantern'\n") || !strings.Contains(lock, "version: 1.18.2\n") {
		t.Errorf("got %s", lock)
	}
	list, err := open(t, "").Outdated(context.Background(), nil, opts)
	if err != nil || list[0].Wanted != "1.18.2" || list[0].Latest != "1.19.0" || list[0].Moved {
		t.Errorf("got %+v, %v", list, err)
	}
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, "").Restore(context.Background(), nil, false, opts); err != nil {
		t.Fatal(messages(err))
	}
	if found, err := open(t, "").Check(context.Background(), nil); err != nil || len(found) > 0 {
		t.Errorf("got %v, %v", found, err)
	}
}

// TestSideBySide checks that many sources take about as long as the slowest.
func TestSideBySide(t *testing.T) {
	s := newSite(t)
	var text strings.Builder
	text.WriteString("vendor:\n")
	for i := range 20 {
		s.files[fmt.Sprintf("/%d.yml", i)] = fmt.Appendf(nil, "a: %d\n", i)
		fmt.Fprintf(&text, "  s%d: {http: '%s/%d.yml'}\n", i, s.url, i)
	}
	t.Chdir(t.TempDir())
	opts := Options{AllowOutside: []string{s.url}}
	update(t, open(t, text.String()), opts)
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	s.delay = 500 * time.Millisecond
	counts := counted(&opts)
	began := time.Now()
	if _, err := open(t, "").Restore(context.Background(), nil, false, opts); err != nil {
		t.Fatal(messages(err))
	}
	t.Logf("20 sources of %s take %s", s.delay, time.Since(began))
	if got := counts(); got != "20 of 20 sources, 20 addresses, 110 bytes" {
		t.Errorf("the progress ends with %s", got)
	}
	if took := time.Since(began); took > 10*s.delay {
		t.Errorf("20 sources take %s, although each takes %s", took, s.delay)
	}
	for i := range 20 {
		got := read(t, filepath.Join("vendor", fmt.Sprintf("s%d", i), fmt.Sprintf("%d.yml", i)))
		if got != fmt.Sprintf("a: %d\n", i) {
			t.Errorf("source %d is %q", i, got)
		}
	}
}

// counted has the progress counted, and returns what it ends with.
func counted(opts *Options) func() string {
	var mu sync.Mutex
	bytes := map[string]int64{}
	opts.Bytes = func(address string, n int64) {
		mu.Lock()
		defer mu.Unlock()
		bytes[address] = n
	}
	var done, total int
	opts.Sources = func(d, t int) { done, total = d, t }
	return func() string {
		var size int64
		for _, n := range bytes {
			size += n
		}
		return fmt.Sprintf("%d of %d sources, %d addresses, %d bytes", done, total, len(bytes), size)
	}
}

// TestHosts checks that git does not ask this machine, or link-local addresses, unless that is allowed.
func TestHosts(t *testing.T) {
	u := newUpstream(t)
	url, requests := u.serve(true)
	t.Chdir(t.TempDir())
	for _, address := range []string{
		url, strings.Replace(url, "127.0.0.1", "localhost", 1), "https://169.254.169.254/x", "https://[fe80::1]/x",
		"https://[::ffff:169.254.169.254]/x", "https://0x7f.1/x", "ssh://127.0.0.1/x", "git@localhost:x", "https://[::1]/x",
	} {
		v := open(t, "vendor: {l: {git: '"+address+"'}}\n")
		_, err := v.Candidates(context.Background(), nil, false, Options{})
		if err == nil || !strings.Contains(messages(err), "must not be asked") {
			t.Errorf("%s: got %v", address, messages(err))
		}
	}
	if requests.Load() > 0 {
		t.Error("the server was asked")
	}
	// A server that sends git elsewhere is not followed.
	other := httptest.NewServer(http.RedirectHandler(url, http.StatusFound))
	t.Cleanup(other.Close)
	v := open(t, "vendor: {l: {git: '"+other.URL+"/lantern'}}\n")
	_, err := v.Candidates(context.Background(), nil, false, Options{AllowOutside: []string{other.URL}})
	if err == nil || requests.Load() > 0 {
		t.Errorf("a redirect was followed: %s", messages(err))
	}
}
