package weft_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"weft"
)

// Runs with the same cache may be concurrent.
func TestCacheConcurrentFleet(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"in/schema.yml": "#@data/values-schema\n---\nname: a\n",
		"in/app.yml":    "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n",
		"prod.yml":      "name: prod\n",
	} {
		p := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var cache weft.Cache
	var wait sync.WaitGroup
	prod := weft.Environment{Name: "prod", Values: filepath.Join(dir, "prod.yml")}
	opts := weft.FleetOptions{Environments: []weft.Environment{prod}}
	opts.Inputs, opts.Cache = []string{filepath.Join(dir, "in")}, &cache
	for range 2 {
		wait.Go(func() {
			for range 20 {
				if err := weft.Fleet(t.Context(), opts, func(_ int, r weft.EnvironmentResult) {
					if r.Err != nil {
						t.Error(r.Err)
					}
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// A change that is announced while files are read is not lost.
func TestCacheChangedWhileRead(t *testing.T) {
	dir, cache := t.TempDir(), &weft.Cache{}
	app := filepath.Join(dir, "app.yml")
	put := func(text string) {
		if err := os.WriteFile(app, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("a: old\n")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		put("a: new\n")
		cache.Changed(app)
		_, _ = io.WriteString(w, "b: 1\n")
	}))
	defer s.Close()
	opts := weft.Options{Inputs: []string{app, s.URL + "/b.yml"}, Cache: cache}
	opts.Limits.Parallelism = 1
	render := func() string {
		res, err := weft.Render(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := res.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	render()
	if got := render(); !strings.Contains(got, "new") {
		t.Errorf("got %q", got)
	}
}
