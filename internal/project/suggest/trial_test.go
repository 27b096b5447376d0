package suggest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

// TestAllowedURLs checks that the proof reads the URLs that rendering may read, and no others.
func TestAllowedURLs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "kind: T\n")
	}))
	defer server.Close()
	fsys := fstest.MapFS{
		"weft.yml": {Data: []byte("weft: 2026\ninputs: [base]\nenvironments:\n  prod: {}\n  dev: {inputs: [" +
			server.URL + "/d.yml]}\n")},
		"base/s.yml": {Data: []byte("kind: S\na: 1\n")},
	}
	for _, allowed := range [][]string{nil, {server.URL}} {
		r, err := Find(context.Background(), Input{
			FS: fsys, Project: "weft.yml", Env: "prod", Set: []string{"S:a=2"}, AllowOutside: allowed,
			Given: func(string) bool { return false },
		})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Best()
		if p == nil {
			t.Fatalf("no suggestion: %v", r.Problems)
		}
		if known := len(p.Same)+len(p.Others) == 1; known != (allowed != nil) || known == (len(p.Failing) == 1) {
			t.Errorf("allowed %v: same %v, failing %v", allowed, p.Same, p.Failing)
		}
	}
}
