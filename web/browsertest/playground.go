package browsertest

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Pages builds the site, with the playground in it, once for all tests, and returns its folder.
// WEFT_TEST_SITE names a folder that is built already.
func Pages(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("WEFT_TEST_SITE"); dir != "" {
		return dir
	}
	if _, err := exec.LookPath("npm"); err != nil {
		missing(t, "npm is not installed, which builds the playground")
	}
	dir, err := builtSite()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Playground returns the folder of the playground as a static web page.
func Playground(t testing.TB) string {
	t.Helper()
	return filepath.Join(Pages(t), "playground")
}

var builtSite = sync.OnceValues(func() (string, error) {
	dir, err := newFolder("weft-site-")
	if err != nil {
		return "", err
	}
	return dir, inRepository("go", "run", "./tools/site", "-o", dir)
})

// Local starts weft playground and returns the link that it prints.
func Local(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(BinaryWithPage(t), append([]string{"playground", "--no-open"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("weft playground prints no link: %v", err)
	}
	return strings.TrimSpace(link)
}

// Site is a web server for a folder.
type Site struct {
	URL string

	handler http.Handler
	mu      sync.Mutex
	gone    map[string]bool
	all     bool // answer 404 for everything
}

// Serve serves a folder like a simple web server: below a path, and without support for WebAssembly.
func Serve(t testing.TB, dir string) *Site {
	t.Helper()
	s := &Site{gone: map[string]bool{}}
	files := http.StripPrefix("/some/path/", http.FileServer(http.Dir(dir)))
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isGone(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		if filepath.Ext(r.URL.Path) == ".wasm" {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		files.ServeHTTP(w, r)
	})
	s.URL = s.again(t)
	return s
}

// again serves the folder once more, until the end of a test, and returns the address.
func (s *Site) again(t testing.TB) string {
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.Close)
	return server.URL + "/some/path/"
}

// Lose makes the server answer 404 for a file.
func (s *Site) Lose(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone["/some/path/"+name] = true
}

// LoseAll makes the server answer 404 for everything.
func (s *Site) LoseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = true
}

func (s *Site) isGone(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all || s.gone[path]
}
