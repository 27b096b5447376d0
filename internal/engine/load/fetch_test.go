//go:build !js

package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
)

// server answers as tests want it to.
func server(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc(
		"/a.yml",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a: 1\n")) },
	)
	mux.HandleFunc("/created.yml", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte("c: 1\n"))
	})
	mux.HandleFunc(
		"/moved.yml",
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x/../a.yml", http.StatusFound) },
	)
	mux.HandleFunc(
		"/circle",
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) },
	)
	mux.HandleFunc(
		"/agent",
		func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.UserAgent())) },
	)
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		for range 3000 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1024)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(make([]byte, 3<<20))
		_ = z.Close()
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("a: "))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("a: 1\n"))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestFetch(t *testing.T) {
	s := server(t)
	tests := []struct {
		path string
		want string
		err  string // after the URL
	}{
		{path: "/a.yml", want: "a: 1\n"},
		{path: "/a.yml?b=c", want: "a: 1\n"},
		{path: "/created.yml", want: "c: 1\n"},
		{path: "/moved.yml", want: "a: 1\n"},
		{path: "/agent", want: "weft"},
		{path: "/nope.yml", err: "404 Not Found"},
		{path: "/circle", err: "more than 10 redirects"},
		{path: "/endless", err: "more than 1 MiB"},
		{path: "/bomb", err: "more than 1 MiB"},
		{path: "/slow", err: "no complete response within 50ms"},
		{path: "/short", err: "unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(strings.Trim(tt.path, "/"), func(t *testing.T) {
			f := fetcher{limit: 1 << 20, timeout: time.Minute}
			if tt.path == "/slow" {
				f.timeout = 50 * time.Millisecond
			}
			got, err := f.get(t.Context(), s.URL+tt.path)
			want := ""
			if tt.err != "" {
				want = "requesting URL '" + s.URL + tt.path + "': " + tt.err
			}
			message := ""
			if err != nil {
				message = err.Error()
			}
			if string(got) != tt.want || message != want {
				t.Errorf("got %.100q, %s\nwant %q, %s", got, message, tt.want, want)
			}
		})
	}
}

func TestFetchFromNowhere(t *testing.T) {
	s := server(t)
	url := s.URL
	s.Close()
	_, err := Fetch(t.Context(), url+"/a.yml", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "requesting URL '"+url+"/a.yml': dial tcp ") {
		t.Errorf("got %v", err)
	}
}

// The end of the run is not told as a fault of the server.
func TestFetchCancelled(t *testing.T) {
	s := server(t)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	if _, err := Fetch(ctx, s.URL+"/slow", nil); err != cause {
		t.Errorf("got %v, want %v", err, cause)
	}
}

func TestFetchKeepsPasswords(t *testing.T) {
	s := server(t)
	url := strings.Replace(s.URL, "://", "://joe:secret@", 1) + "/nope.yml"
	_, err := Fetch(t.Context(), url, nil)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	_, err = read(Options{Paths: []string{strings.TrimSuffix(url, "nope.yml")}})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestFetchNeverLeavesHTTPS(t *testing.T) {
	plain := server(t)
	secure := httptest.NewUnstartedServer(
		http.RedirectHandler(plain.URL+"/a.yml", http.StatusFound),
	)
	// it complains of a client that does not trust it
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	f := fetcher{limit: 1 << 20, timeout: 10 * time.Second, rounds: secure.Client().Transport}
	_, err := f.get(t.Context(), secure.URL)
	if want := "requesting URL '" + secure.URL + "': redirected from https to " + plain.URL + "/a.yml"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := (fetcher{limit: 1 << 20, timeout: 10 * time.Second}).get(t.Context(), secure.URL); err == nil {
		t.Error("the certificate was not checked")
	}
}

func TestReadURLs(t *testing.T) {
	s := server(t)
	tests := []struct {
		name  string
		paths []string
		marks []string
		want  []string
		err   string
	}{
		{
			name:  "named_by_its_last_segment",
			paths: []string{s.URL + "/a.yml?x=y=z"},
			want:  []string{"a.yml yaml t-o =a: 1\n"},
		},
		{
			name:  "the_name_before_redirects_counts",
			paths: []string{s.URL + "/moved.yml"},
			want:  []string{"moved.yml yaml t-o =a: 1\n"},
		},
		{
			name:  "with_a_name",
			paths: []string{"d/b.txt=" + s.URL + "/a.yml?x=y"},
			want:  []string{"d/b.txt text t-o =a: 1\n"},
		},
		{
			name:  "data_is_read_at_once",
			paths: []string{s.URL + "/agent"},
			want:  []string{"agent data --- =weft"},
		},
		{
			name:  "among_others",
			paths: []string{"-", s.URL + "/a.yml"},
			want:  []string{"stdin.yml yaml t-o =", "a.yml yaml t-o =a: 1\n"},
		},
		{
			name:  "missing",
			paths: []string{s.URL + "/nope.yml"},
			err:   "load/url: requesting URL '" + s.URL + "/nope.yml': 404 Not Found",
		},
		{
			name:  "excluded_is_not_requested",
			paths: []string{s.URL + "/nope.yml"},
			marks: []string{"nope.yml:exclude=true"},
		},
		{
			name:  "typed_by_a_mark",
			paths: []string{s.URL + "/?x"},
			marks: []string{"**/*:type=yaml-plain"},
			err:   "load/url: requesting URL '" + s.URL + "/?x': 404 Not Found",
		},
		{
			name:  "without_a_name",
			paths: []string{s.URL + "/"},
			err:   "load/url: cannot tell the file type of URL '" + s.URL + "/': it does not end in a file name",
		},
		{
			name:  "invalid",
			paths: []string{"http://[::1/a.yml"},
			err:   "load/url: cannot tell the file type of URL 'http://[::1/a.yml': it does not end in a file name",
		},
		{
			name:  "without_a_host",
			paths: []string{"http:///a.yml"},
			err:   "load/url: requesting URL 'http:///a.yml': not a valid URL",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(Options{Paths: tt.paths, Marks: tt.marks})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			hint := ""
			if strings.Contains(tt.err, "does not end in") {
				hint = "give it a name: -f " + diag.InShell("config.yml="+tt.paths[0])
			}
			checkError(t, err, tt.err, hint)
		})
	}
}

func TestURLName(t *testing.T) {
	for url, want := range map[string]string{
		"https://x.org/a/b.yml":       "b.yml",
		"https://x.org/b.yml?ref=a/c": "b.yml",
		"https://x.org/b.yml#part":    "b.yml",
		"https://x.org/a%20b.yml":     "a b.yml",
		"https://x.org/a%2Fb.yml":     "b.yml", // no name leads out of its directory
		"https://x.org/a/..":          "",
		"https://x.org/a/":            "",
		"https://x.org":               "",
		"https://x.org?a.yml":         "",
	} {
		if got := urlName(url); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}
