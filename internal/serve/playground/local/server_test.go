package local

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/serve/playground"
	"weft/internal/serve/playground/assist"
)

const address = "127.0.0.1:4567"

// serve makes a server for a folder with files.
func serve(t *testing.T, write bool, files map[string]string) (*Server, string) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page := fstest.MapFS{"index.html": {Data: []byte(`<meta name="weft-engine" content="wasm">`)}}
	return &Server{
		Disk: OpenDisk([]string{dir}, false, weft.Symlinks{}), Page: page, Index: "index.html", Write: write,
	}, dir
}

// call calls a function as the page does, after change has changed the request.
func call(s *Server, name, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/api/"+name, strings.NewReader(body))
	r.Host = address
	r.Header.Set("Origin", "http://"+address)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Weft-Token", s.Token())
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.Handler(address).ServeHTTP(w, r)
	return w
}

func TestServerLetsOnlyThePageIn(t *testing.T) {
	s, _ := serve(t, true, map[string]string{"app.yml": "a: 1\n"})
	for name, tt := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"the page":      {nil, http.StatusOK},
		"localhost":     {func(r *http.Request) { r.Host = "localhost:4567"; r.Header.Del("Origin") }, http.StatusOK},
		"another host":  {func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"rebound host":  {func(r *http.Request) { r.Host = "evil.example:4567" }, http.StatusForbidden},
		"another port":  {func(r *http.Request) { r.Host = "127.0.0.1:80" }, http.StatusForbidden},
		"another page":  {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"null":          {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"https":         {func(r *http.Request) { r.Header.Set("Origin", "https://"+address) }, http.StatusForbidden},
		"another site":  {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"no token":      {func(r *http.Request) { r.Header.Del("X-Weft-Token") }, http.StatusForbidden},
		"a wrong token": {func(r *http.Request) { r.Header.Set("X-Weft-Token", "x") }, http.StatusForbidden},
		"GET":           {func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
		"OPTIONS":       {func(r *http.Request) { r.Method = http.MethodOptions }, http.StatusMethodNotAllowed},
		"a form":        {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
	} {
		for _, function := range []string{"files", "run", "assist", "save"} {
			body := map[string]string{"files": "{}", "run": "{}", "assist": "{}", "save": `{"path":"app.yml","data":"a: 1\n","old":"a: 1\n"}`}[function]
			w := call(s, function, body, tt.change)
			if w.Code != tt.status {
				t.Errorf("%s, %s: %d, expected %d: %s", name, function, w.Code, tt.status, w.Body)
			}
			for header := range w.Header() {
				if strings.HasPrefix(header, "Access-Control") {
					t.Errorf("%s: the answer has %s", name, header)
				}
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
				w.Header().Get("Referrer-Policy") != "no-referrer" ||
				w.Header().Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s: the headers are %v", name, w.Header())
			}
		}
	}
	if other, _ := serve(t, false, nil); other.Token() == s.Token() || len(s.Token()) < 22 {
		t.Error("tokens are not random")
	}
}

func TestServerRefusesWhatIsTooMuchOrWrong(t *testing.T) {
	s, _ := serve(t, true, map[string]string{"app.yml": "a: 1\n"})
	for name, tt := range map[string]struct {
		function, body string
		status         int
	}{
		"large":    {"run", `{"pinned":"` + strings.Repeat("x", largestBody) + `"}`, http.StatusRequestEntityTooLarge},
		"not JSON": {"run", "files=1", http.StatusBadRequest},
		"assist":   {"assist", "[]", http.StatusBadRequest},
		"unknown":  {"exec", "{}", http.StatusNotFound},
		"wait":     {"wait", "[]", http.StatusBadRequest},
		"save":     {"save", "1", http.StatusBadRequest},
	} {
		if w := call(s, tt.function, tt.body, nil); w.Code != tt.status {
			t.Errorf("%s: %d: %.200s", name, w.Code, w.Body)
		}
	}
	if w := call(s, "run", `{"inputs":["http://127.0.0.1/x"],"want":["output"]}`, nil); !strings.Contains(w.Body.String(), `"failed":true`) {
		t.Errorf("URLs are refused: %s", w.Body)
	}
}

func TestServerShowsThePage(t *testing.T) {
	s, _ := serve(t, true, nil)
	get := func(method, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Host = address
		w := httptest.NewRecorder()
		s.Handler(address).ServeHTTP(w, r)
		return w
	}
	if w := get("GET", "/"); w.Code != 200 || w.Body.String() != `<meta name="weft-engine" content="local">` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/other.html", "/../server.go", "/index.html/", "/.git/config"} {
		if w := get("GET", path); w.Code == 200 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := get("POST", "/"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("%d", w.Code)
	}
}

func TestServerRendersAndSaves(t *testing.T) {
	s, dir := serve(t, true, map[string]string{"app.yml": "a: 1\n", "sub/b.yml": "b: 2\r\n", "x.bin": "\x00", ".git/x": "no"})
	var listed listing
	if err := json.Unmarshal(call(s, "files", "{}", nil).Body.Bytes(), &listed); err != nil {
		t.Fatal(err)
	}
	want := []playground.File{{Path: "app.yml", Data: "a: 1\n"}, {Path: "sub/b.yml", Data: "b: 2\r\n"}}
	if diff := cmp.Diff(want, listed.Files); diff != "" {
		t.Error(diff)
	}
	body, _ := json.Marshal(playground.Request{Files: listed.Files, Inputs: listed.Inputs, Want: []string{"output"}})
	if w := call(s, "run", string(body), nil); !strings.Contains(w.Body.String(), `"output":"a: 1\n---\nb: 2\n"`) {
		t.Errorf("%s", w.Body)
	}
	ask, _ := json.Marshal(assist.Request{
		Request: playground.Request{
			Files: []playground.File{{Path: "app.yml", Data: "a: #@ le"}}, File: "app.yml", Want: []string{"complete"},
		},
		Character: len("a: #@ le"),
	})
	if w := call(s, "assist", string(ask), nil); !strings.Contains(w.Body.String(), `"label":"len"`) {
		t.Errorf("%s", w.Body)
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	for name, tt := range map[string]struct {
		body   string
		status int
	}{
		"another file":              {`{"path":"other.yml","data":"x","old":""}`, 403},
		"a new file that is there":  {`{"path":"app.yml","data":"x","old":null}`, 409},
		"outside":                   {`{"path":"../x.yml","data":"x","old":""}`, 403},
		"a new file outside":        {`{"path":"../x.yml","data":"x","old":null}`, 403},
		"a new file of git":         {`{"path":".git/hooks/post-checkout","data":"x","old":null}`, 403},
		"a new file through a link": {`{"path":"out/x.yml","data":"x","old":null}`, 403},
		"binary":                    {`{"path":"x.bin","data":"x","old":"\u0000"}`, 403},
		"changed":                   {`{"path":"app.yml","data":"x","old":"a: 2\n"}`, 409},
	} {
		if w := call(s, "save", tt.body, nil); w.Code != tt.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("files were written outside: %v, %v", list, err)
	}
	for _, body := range []string{
		`{"path":"sub/b.yml","data":"b: 3\r\n","old":"b: 2\r\n"}`,
		`{"path":"new.yml","data":"n: 1\n","old":null}`,
		`{"path":"a/new/dir.yml","data":"n: 2\n","old":null}`,
		`{"path":"new.yml","data":"n: 3\n","old":"n: 1\n"}`,
	} {
		if w := call(s, "save", body, nil); w.Code != 200 {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for name, text := range map[string]string{
		"app.yml": "a: 1\n", "sub/b.yml": "b: 3\r\n", "new.yml": "n: 3\n", "a/new/dir.yml": "n: 2\n",
	} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("%s has %q, %v", name, data, err)
		}
	}
	s.Write = false
	if w := call(s, "save", `{"path":"app.yml","data":"x","old":"a: 1\n"}`, nil); w.Code != 403 {
		t.Errorf("without --write: %d %s", w.Code, w.Body)
	}
}

// One server as it runs: it listens, follows changes, and ends with its context.
func TestServerFollowsChanges(t *testing.T) {
	s, dir := serve(t, false, map[string]string{"app.yml": "a: 1\n"})
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	s.Token()
	go func() { done <- s.Serve(ctx, l) }()
	post := func(name, body string) string {
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+l.Addr().String()+"/api/"+name, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Weft-Token", s.Token())
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return string(text)
	}
	if got := post("files", "{}"); !strings.Contains(got, `"revision":0`) {
		t.Fatal(got)
	}
	time.AfterFunc(300*time.Millisecond, func() {
		_ = os.WriteFile(filepath.Join(dir, "app.yml"), []byte("a: 2\n"), 0o644)
	})
	if got := post("wait", `{"revision":0}`); !strings.Contains(got, `a: 2\n`) || strings.Contains(got, `"revision":0`) {
		t.Errorf("after a change: %s", got)
	}
	stop()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("the server does not end")
	}
}

func TestDiskNamesFilesApart(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a/config/app.yml", "b/config/app.yml", "b/one.yml"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		_ = os.MkdirAll(filepath.Dir(file), 0o755)
		_ = os.WriteFile(file, []byte("x: 1\n"), 0o644)
	}
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(root, filepath.FromSlash(n)))
		}
		return paths
	}
	for _, tt := range []struct{ paths, names, inputs []string }{
		{in("a/config"), []string{"app.yml"}, []string{"."}},
		{in("a/config", "b/config", "b/one.yml"), []string{"config/app.yml", "2/config/app.yml", "one.yml"}, []string{"config", "2/config", "one.yml"}},
		{in("b/one.yml"), []string{"one.yml"}, []string{"one.yml"}},
	} {
		d := OpenDisk(tt.paths, false, weft.Symlinks{})
		files, err := d.Read()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Path)
		}
		if diff := cmp.Diff(tt.names, names); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(tt.inputs, d.Inputs()); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := OpenDisk(in("gone"), false, weft.Symlinks{}).Read(); err == nil {
		t.Error("a missing directory is no error")
	}
}

// A file, or a directory above it, that becomes a link after it was read is not written through.
func TestSaveFollowsNoNewLink(t *testing.T) {
	for _, name := range []string{"app.yml", "sub"} {
		s, dir := serve(t, true, map[string]string{"app.yml": "a: 1\n", "sub/app.yml": "a: 1\n"})
		call(s, "files", "{}", nil)
		outside := t.TempDir()
		target := filepath.Join(outside, "app.yml")
		if err := os.WriteFile(target, []byte("a: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		link, to, path := filepath.Join(dir, name), target, "app.yml"
		if name == "sub" {
			to, path = outside, "sub/app.yml"
		}
		if err := os.RemoveAll(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		if w := call(s, "save", `{"path":"`+path+`","data":"a: 2\n","old":"a: 1\n"}`, nil); w.Code == 200 {
			t.Errorf("%s: it was saved", name)
		}
		if data, err := os.ReadFile(target); err != nil || string(data) != "a: 1\n" {
			t.Errorf("%s: the target has %q, %v", name, data, err)
		}
	}
}

// The link that a browser is started with does not have the token, and leads to the page once.
func TestTicket(t *testing.T) {
	s, _ := serve(t, false, map[string]string{"app.yml": "a: 1\n"})
	get := func(method, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Host = address
		w := httptest.NewRecorder()
		s.Handler(address).ServeHTTP(w, r)
		return w
	}
	path := s.Ticket()
	if strings.Contains(path, s.Token()) {
		t.Fatalf("%s has the token", path)
	}
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/open/", http.StatusGone},
		{http.MethodGet, path + "x", http.StatusGone},
		{http.MethodHead, path, http.StatusGone},
		{http.MethodGet, path, http.StatusSeeOther},
		{http.MethodGet, path, http.StatusGone},
		{http.MethodGet, "/open/", http.StatusGone},
	} {
		w := get(c.method, c.path)
		to := w.Header().Get("Location")
		if w.Code != c.status || (to == "/#token="+s.Token()) != (c.status == http.StatusSeeOther) {
			t.Errorf("%s %s: %d, %q", c.method, c.path, w.Code, to)
		}
	}
	late := s.Ticket()
	s.ticket.ends = time.Now().Add(-time.Second)
	if w := get(http.MethodGet, late); w.Code != http.StatusGone {
		t.Errorf("late: %d", w.Code)
	}
}
