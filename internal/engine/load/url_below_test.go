//go:build !js

package load

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestBelowURL checks which URLs another one allows: never by their text.
func TestBelowURL(t *testing.T) {
	for _, tt := range []struct {
		above, url string
		want       bool
	}{
		{"https://trusted.example/pub", "https://trusted.example/pub", true},
		{"https://trusted.example/pub", "https://trusted.example/pub/a.yml", true},
		{"https://trusted.example/pub/", "https://trusted.example/pub/a.yml?x=1#y", true},
		{"https://trusted.example", "https://TRUSTED.example:443/a", true},
		{"https://trusted.example:443/", "https://trusted.example/a", true},
		{"http://trusted.example", "http://user:pw@trusted.example/a", true},
		{"https://trusted.example/pub", "https://trusted.example/pub/a/../b.yml", true},
		{"https://trusted.example/pub", "https://trusted.example/x/../pub/b.yml", true},
		{"https://trusted.example/p%75b", "https://trusted.example/pub/b.yml", true},
		{"https://trusted.example/a?x=1", "https://trusted.example/a?x=1", true},

		{"https://trusted.example", "http://trusted.example/a", false},
		{"https://trusted.example", "https://trusted.example:8443/a", false},
		{"https://trusted.example", "https://trusted.example.evil/a", false},
		{"https://trusted.example", "https://evil-trusted.example/a", false},
		{"http://trusted.example", "http://trusted.example@127.0.0.1/", false},
		{"http://trusted.example", "http://trusted.example:80@127.0.0.1/", false},
		{"http://trusted.example/", "http://127.0.0.1/#http://trusted.example/", false},
		{"http://trusted.example/", `http://127.0.0.1\@trusted.example/`, false},
		{"http://trusted.example/", "http://trusted.example./", false},
		{"https://trusted.example/pub", "https://trusted.example/public", false},
		{"https://trusted.example/pub", "https://trusted.example/", false},
		{"https://trusted.example/pub", "https://trusted.example/pub/../priv", false},
		{"https://trusted.example/pub", "https://trusted.example/pub/%2e%2e/priv", false},
		{"https://trusted.example/pub", "https://trusted.example/pub/.%2E/priv", false},
		{"https://trusted.example/pub", "https://trusted.example/pub/..%2fpriv", false},
		{"https://trusted.example/pub", "https://trusted.example/pub/..%5cpriv", false},
		{"https://trusted.example/pub", `https://trusted.example/pub/..\priv`, false},
		{"https://trusted.example/pub", "https://trusted.example/pub/..;x/priv", false},
		{"https://trusted.example/pub", "https://trusted.example/pub//../priv", false},
		{"https://trusted.example/pub", "https://trusted.example/x//../pub", false},
		{"https://trusted.example/pub", "https://trusted.example/x%2f..%2fpub", false},
		{"https://trusted.example/pub", "https://trusted.example/Pub/a", false},
		{"https://trusted.example/a?x=1", "https://trusted.example/a?x=2", false},
		{"https://trusted.example/a?x=1", "https://trusted.example/a/b?x=1", false},
		{"https://\u212Aelvin.example", "https://kelvin.example", false},
		{"/etc", "https://trusted.example/etc", false},
		{"https://trusted.example", "file:///etc/passwd", false},
	} {
		if got := BelowURL(tt.above, tt.url); got != tt.want {
			t.Errorf("%s below %s: got %t", tt.url, tt.above, got)
		}
	}
}

// TestRedirects checks that a redirect can be refused, before anything is asked of where it leads.
func TestRedirects(t *testing.T) {
	asked := false
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		_, _ = w.Write([]byte("secret"))
	}))
	defer private.Close()
	public := httptest.NewServer(http.RedirectHandler(private.URL+"/x", http.StatusFound))
	defer public.Close()
	f := fetcher{limit: 1 << 20, timeout: 10 * time.Second, allowed: []string{public.URL}}
	data, err := f.get(t.Context(), public.URL)
	if err == nil || !strings.Contains(err.Error(), "does not allow") || asked {
		t.Errorf("got %q, %v; asked: %t", data, err, asked)
	}
}
