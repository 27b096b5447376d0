//go:build !js

package remote

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// tools/registrytest compares this package with real registries and clients. Here, registries do what real
// ones never do.

// registry answers paths below /v2/ with bytes, whatever they are.
type registry map[string][]byte

func (r registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	data, ok := r[strings.TrimPrefix(req.URL.Path, "/v2/")]
	if !ok {
		http.NotFound(w, req)
		return
	}
	_, _ = w.Write(data)
}

// artifact adds a manifest with layers to a registry, and returns the digest of the manifest.
func (r registry) artifact(t *testing.T, name, tag string, layers ...descriptor) string {
	t.Helper()
	text, err := json.Marshal(manifest{SchemaVersion: 2, Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	r[name+"/manifests/"+tag] = text
	r[name+"/manifests/"+digestOf(text)] = text
	return digestOf(text)
}

// blob adds bytes to a registry, and returns their descriptor.
func (r registry) blob(name, mediaType string, data []byte, annotations ...string) descriptor {
	r[name+"/blobs/"+digestOf(data)] = data
	d := descriptor{MediaType: mediaType, Digest: digestOf(data), Size: int64(len(data))}
	for i := 0; i < len(annotations); i += 2 {
		if d.Annotations == nil {
			d.Annotations = map[string]string{}
		}
		d.Annotations[annotations[i]] = annotations[i+1]
	}
	return d
}

// host returns the host and the port of a server.
func host(s *httptest.Server) string { return s.Listener.Addr().String() }

func TestOCIFailures(t *testing.T) {
	r := registry{}
	archived := r.blob("a", "x", tgz(t, "a.yml", "a"))
	wrong := r.blob("a", "x", tgz(t, "b.yml", "b"))
	r["a/blobs/"+wrong.Digest] = tgz(t, "b.yml", "c") // as long, but other bytes
	short := r.blob("a", "x", tgz(t, "c.yml", "c"))
	r["a/blobs/"+short.Digest] = r["a/blobs/"+short.Digest][:20]
	long := r.blob("a", "x", tgz(t, "d.yml", "c"))
	r["a/blobs/"+long.Digest] = append(r["a/blobs/"+long.Digest], 'x')
	missing := archived
	missing.Digest = digestOf(nil)
	large := archived
	large.Size = 1 << 40
	r.artifact(t, "a", "wrong", archived, wrong)
	r.artifact(t, "a", "short", short)
	r.artifact(t, "a", "long", long)
	r.artifact(t, "a", "missing", missing)
	r.artifact(t, "a", "large", large)
	half := r.blob("a", "x", make([]byte, 600_000))
	r.artifact(t, "a", "together", half, half)
	r.artifact(t, "a", "empty", r.blob("a", emptyMediaType, []byte("{}")))
	r.artifact(t, "a", "text", r.blob("a", "text/plain", []byte("no archive, and no title")))
	r.artifact(t, "a", "out", r.blob("a", "x", []byte("x"), titleKey, "../out"))
	r.artifact(t, "a", "git", r.blob("a", "x", []byte("x"), titleKey, ".git/config"))
	for tag, text := range map[string]string{
		"json": "{", "v1": `{"schemaVersion": 1}`, "many": `{"schemaVersion": 2, "layers": [` +
			strings.TrimSuffix(strings.Repeat(`{"digest":"`+archived.Digest+`"},`, 300), ",") + `]}`,
		"path":  `{"schemaVersion": 2, "layers": [{"digest": "../../other", "size": 1}]}`,
		"md5":   `{"schemaVersion": 2, "layers": [{"digest": "md5:00", "size": 1}]}`,
		"minus": `{"schemaVersion": 2, "layers": [{"digest": "` + archived.Digest + `", "size": -1}]}`,
		"both": `{"schemaVersion": 2, "layers": [{"digest": "` + archived.Digest + `"}], ` +
			`"manifests": [{"digest": "` + archived.Digest + `"}]}`,
		"plenty": `{"schemaVersion": 2, "manifests": [` +
			`{"digest": "` + archived.Digest + `", "platform": {"os": "linux"}}, ` +
			`{"digest": "` + archived.Digest + `", "platform": {"os": "plan9"}}]}`,
	} {
		r["a/manifests/"+tag] = []byte(text)
	}
	other := digestOf([]byte("other"))
	r["a/manifests/"+other] = r["a/manifests/wrong"] // a registry that lies
	inner := r["a/manifests/plenty"]
	r["a/manifests/"+digestOf(inner)] = inner
	r["a/manifests/nested"] = []byte(`{"schemaVersion": 2, "manifests": [` +
		`{"digest": "` + digestOf(inner) + `"}]}`)
	s, c := serve(t, r)
	for _, tt := range []struct {
		version string
		code    diag.Code
		want    string
	}{
		{"wrong", CodeDigest, "a layer has the digest"},
		{"short", CodeFetch, "a layer has 20 bytes"},
		{"long", CodeFetch, "more than"},
		{"missing", CodeFetch, "404"},
		{"large", CodeFetch, "more than 1 MiB"},
		{"together", CodeFetch, "more than 1 MiB"},
		{"empty", CodeFetch, "no files"},
		{"text", archive.CodeArchive, "not an archive"},
		{"out", archive.CodeArchive, "leads out"},
		{"git", archive.CodeArchive, "belongs to git"},
		{"json", CodeFetch, "not valid JSON"},
		{"v1", CodeFetch, "schema version"},
		{"many", CodeFetch, "more than 200"},
		{"path", CodeFetch, "digest"},
		{"md5", CodeFetch, "digest"},
		{"minus", CodeFetch, "negative"},
		{"both", CodeFetch, "at once"},
		{"plenty", CodeFetch, "2 platforms: linux/, plan9/"},
		{"nested", CodeFetch, "another index"},
		{other, CodeDigest, "the manifest has the digest"},
		{"wrong@" + other, CodeDigest, "the manifest has the digest"},
		{"nope", CodeFetch, "404"},
		{"../../x", CodeFetch, "not a tag"},
		{"a b", CodeFetch, "not a tag"},
		{"", CodeFetch, "not a tag"},
		{"sha256:0", CodeFetch, "not a digest"},
		{"x@md5:0", CodeFetch, "not a digest"},
	} {
		_, err := c.OCI(t.Context(), host(s)+"/a", tt.version)
		if wantFail(t, err, tt.code, tt.want); t.Failed() {
			t.Fatalf("version %q", tt.version)
		}
	}
}

func TestReferences(t *testing.T) {
	c := sealed(t)
	for address, want := range map[string]string{
		"nginx":                                 "host of a registry",
		"library/nginx":                         "host of a registry",
		"https://a.example/b":                   "host of a registry",
		"oci://":                                "host of a registry",
		"-a.example/b":                          "host of a registry",
		"a.example:1:2/b":                       "host of a registry",
		"joe:s3cret@a.example/b":                "host of a registry",
		"oci://joe:s3cret@a.example/b":          "host of a registry",
		"a.example/b:1.0":                       "a tag or a digest",
		"a.example/b@sha256:0":                  "a tag or a digest",
		"a.example/B":                           "name of a repository",
		"a.example/../b":                        "name of a repository",
		"a.example/b?c":                         "name of a repository",
		"a.example/b%2f..":                      "name of a repository",
		"a.example/":                            "name of a repository",
		"a.example/" + strings.Repeat("a", 300): "name of a repository",
	} {
		_, err := c.OCI(t.Context(), address, "1")
		wantFail(t, err, CodeFetch, want)
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("a password is shown: %v", err)
		}
	}
	for address, want := range map[string]string{
		"localhost:5000/a":        "https://localhost:5000/v2/a",
		"oci://a.example/b/c_d/":  "https://a.example/v2/b/c_d",
		"docker.io/nginx":         "https://registry-1.docker.io/v2/library/nginx",
		"docker.io/bitnami/nginx": "https://registry-1.docker.io/v2/bitnami/nginx",
		"[fd00::1]:5000/a":        "https://[fd00::1]:5000/v2/a",
		"169.254.169.254/a":       "https://169.254.169.254/v2/a",
	} {
		ref, err := c.parseReference(address)
		if err != nil || c.url(ref, "").String() != want {
			t.Errorf("%s: got %s, %v", address, c.url(ref, ""), err)
		}
	}
	for _, address := range []string{"169.254.169.254/a", "localhost:5000/a", "[::1]:5000/a"} {
		_, err := c.OCI(t.Context(), address, "1")
		wantFail(t, err, CodeHost, "")
		_, err = c.OCITags(t.Context(), address)
		wantFail(t, err, CodeHost, "")
		_, err = c.Chart(t.Context(), "oci://"+address, "", "1")
		wantFail(t, err, CodeHost, "")
	}
}

func TestTags(t *testing.T) {
	pages := map[string]string{"": "a", "2": "b", "3": "c"}
	next := map[string]string{"": `</v2/a/tags/list?page=2>; rel="next"`, "2": "<list?page=3>;rel=next", "3": ""}
	s, c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := r.URL.Query().Get("page")
		w.Header().Set("Link", next[page])
		fmt.Fprintf(w, `{"name": "a", "tags": [%q, "not a tag"]}`, pages[page])
	}))
	got, err := c.OCITags(t.Context(), host(s)+"/a")
	if diff := cmp.Diff([]string{"a", "b", "c"}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	next["3"] = next[""]
	_, err = c.OCITags(t.Context(), host(s)+"/a")
	wantFail(t, err, CodeFetch, "does not end")
	for _, to := range []string{"https://other.example/v2/", "http://" + host(s) + "/v2/", "//other.example/"} {
		next["3"] = "<" + to + `>; rel="next"`
		_, err = c.OCITags(t.Context(), host(s)+"/a")
		wantFail(t, err, CodeFetch, "goes on at")
	}
}

// setDocker makes a text docker's config file.
func setDocker(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", dir)
}

func basicOf(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }

// dockerAuths returns a config file with a password for a registry.
func dockerAuths(registry, login string) string {
	text := base64.StdEncoding.EncodeToString([]byte(login))
	return fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, registry, text)
}

// challenged is a registry that wants credentials, and records those it gets.
func challenged(challenge func() string, want string, seen *[]string, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*seen = append(*seen, r.Header.Get("Authorization"))
		if r.Header.Get("Authorization") != want {
			w.Header().Set("WWW-Authenticate", challenge())
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
}

func TestBasic(t *testing.T) {
	r := registry{}
	r.artifact(t, "a", "1", r.blob("a", "x", tgz(t, "a", "1")))
	var seen []string
	s, c := serve(t, challenged(func() string { return `Basic realm="x"` }, basicOf("joe:s3cret"), &seen, r))
	_, err := c.OCI(t.Context(), host(s)+"/a", "1")
	wantFail(t, err, CodeFetch, "401")
	if !strings.Contains(hintOf(err), "docker login "+host(s)) {
		t.Errorf("the hint is %s", hintOf(err))
	}
	setDocker(t, dockerAuths(host(s), "joe:s3cret"))
	c = New(Options{AllowOutside: []string{s.URL}})
	if _, err := c.OCI(t.Context(), host(s)+"/a", "1"); err != nil {
		t.Fatal(err)
	}
	// It asks without credentials first, and then no more than it must.
	want := []string{"", "", basicOf("joe:s3cret"), basicOf("joe:s3cret")}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The credentials of a registry go to the token server that it names, and to no other.
func TestBearer(t *testing.T) {
	r := registry{}
	r.artifact(t, "a/b", "1", r.blob("a/b", "x", tgz(t, "a", "1")))
	var tokenSeen, seen []string
	tokens, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := r.Method + " " + r.URL.RawQuery + " " + r.Header.Get("Authorization")
		if r.Method == http.MethodPost {
			_ = r.ParseForm()
			text += r.PostForm.Encode()
		}
		tokenSeen = append(tokenSeen, text)
		fmt.Fprint(w, `{"access_token": "t0ken"}`)
	}))
	challenge := func() string {
		return `Bearer realm="` + tokens.URL + `/token?x=1",service="reg, \"istry\"",` +
			`scope="repository:a/b:pull,push repository:secret:pull"`
	}
	s, _ := serve(t, challenged(challenge, "Bearer t0ken", &seen, r))
	other, _ := serve(t, challenged(challenge, "Bearer t0ken", &seen, r))
	fetch := func(s *httptest.Server) error {
		_, err := New(Options{AllowOutside: []string{s.URL, tokens.URL}}).OCI(t.Context(), host(s)+"/a/b", "1")
		return err
	}
	setDocker(t, dockerAuths("https://"+host(s)+"/v1/", "joe:s3cret"))
	for _, server := range []*httptest.Server{s, other} {
		if err := fetch(server); err != nil {
			t.Fatal(err)
		}
	}
	query := "x=1&scope=repository%3Aa%2Fb%3Apull&service=reg%2C+%22istry%22"
	want := []string{"GET " + query + " " + basicOf("joe:s3cret"), "GET " + query + " "}
	if diff := cmp.Diff(want, tokenSeen); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if all := strings.Join(seen, " "); strings.Contains(all, "Basic") {
		t.Errorf("the registry itself got a password: %q", seen)
	}
	tokenSeen = nil
	setDocker(t, fmt.Sprintf(`{"auths": {%q: {"identitytoken": "1dentity"}}}`, host(s)))
	if err := fetch(s); err != nil {
		t.Fatal(err)
	}
	want = []string{"POST x=1 client_id=weft&grant_type=refresh_token&refresh_token=1dentity&" +
		"scope=repository%3Aa%2Fb%3Apull&service=reg%2C+%22istry%22"}
	if diff := cmp.Diff(want, tokenSeen); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	tokenSeen = nil
	setDocker(t, fmt.Sprintf(`{"auths": {%q: {"registrytoken": "t0ken"}}}`, host(s)))
	if err := fetch(s); err != nil || tokenSeen != nil {
		t.Errorf("got %v, %q", err, tokenSeen)
	}
}

// A challenge must not lead where a URL must not, nor take credentials along unencrypted or redirected.
func TestHostileChallenges(t *testing.T) {
	got := []string{}
	record := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"token": "t0ken"}`)
	})
	plain := httptest.NewServer(record)
	defer plain.Close()
	secure, _ := serve(t, record)
	moved, _ := serve(t, http.RedirectHandler(secure.URL, http.StatusTemporaryRedirect))
	realm := ""
	var seen []string
	s, _ := serve(t, challenged(func() string { return realm }, "none", &seen, registry{}))
	setDocker(t, dockerAuths(host(s), "joe:s3cret"))
	for _, tt := range []struct {
		realm string
		code  diag.Code
		want  string
	}{
		{"https://169.254.169.254/token", CodeHost, "link-local"},
		{"https://localhost:1/token", CodeHost, "this machine"},
		{"http://example.com/token", CodeHost, "not encrypted"},
		{plain.URL, CodeHost, "not encrypted"},
		{"https://joe:x@example.com/token", CodeHost, "user name"},
		{"token", CodeFetch, "no token server"},
		{moved.URL, CodeFetch, "another address"},
	} {
		realm = `Bearer realm="` + tt.realm + `"`
		c := New(Options{AllowOutside: []string{s.URL, moved.URL, secure.URL}})
		_, err := c.OCI(t.Context(), host(s)+"/a", "1")
		wantFail(t, err, tt.code, tt.want)
	}
	if len(got) > 0 {
		t.Errorf("a token server that is not allowed got %q", got)
	}
}

// A registry without encryption that the person allows gets credentials on this machine only, and cannot send
// them to another host.
func TestPlainRegistry(t *testing.T) {
	var tokenSeen, seen []string
	tokens, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tokenSeen = append(tokenSeen, r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"token": "t0ken"}`)
	}))
	r := registry{}
	r.artifact(t, "a", "1", r.blob("a", "x", tgz(t, "a", "1")))
	challenge := func() string { return `Bearer realm="` + tokens.URL + `"` }
	s := httptest.NewServer(challenged(challenge, "Bearer t0ken", &seen, r))
	defer s.Close()
	setDocker(t, dockerAuths(host(s), "joe:s3cret"))
	_, err := New(Options{AllowOutside: []string{s.URL, tokens.URL}}).OCI(t.Context(), host(s)+"/a", "1")
	if diff := cmp.Diff([]string{""}, tokenSeen); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// A challenge of a host that a redirect leads to is not met.
func TestChallengeAfterRedirect(t *testing.T) {
	var seen []string
	other, _ := serve(t, challenged(func() string { return "Basic" }, "none", &seen, registry{}))
	s, _ := serve(t, http.RedirectHandler(other.URL+"/v2/a/manifests/1", http.StatusTemporaryRedirect))
	setDocker(t, dockerAuths(host(s), "joe:s3cret"))
	_, err := New(Options{AllowOutside: []string{s.URL, other.URL}}).OCI(t.Context(), host(s)+"/a", "1")
	wantFail(t, err, CodeFetch, "401")
	if strings.Join(seen, "") != "" {
		t.Errorf("credentials crossed a redirect: %q", seen)
	}
}

func TestCredentialHelper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helper is a shell script")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\nread server\necho \"$1 $server\" >> " + bin + "/log\n" +
		`case $server in *:1) echo "credentials not found in native keychain"; exit 1;; ` +
		`*:2) echo s3cret; exit 1;; *:3) echo s3cret;; ` +
		`*) echo '{"Username": "joe", "Secret": "s3cret"}';; esac` + "\n"
	if err := os.WriteFile(filepath.Join(bin, "docker-credential-test"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ask := func(config, registry string) (credentials, error) {
		setDocker(t, config)
		return New(Options{}).registryCredentials(t.Context(), reference{registry + "/a", registry, "a"})
	}
	joe := credentials{login: login{"joe", "s3cret"}}
	for _, config := range []string{
		`{"credsStore": "test"}`, `{"credHelpers": {"a.example": "test"}, "credsStore": "nope"}`,
	} {
		if got, err := ask(config, "a.example"); got != joe || err != nil {
			t.Errorf("%s: got %v, %v", config, got, err)
		}
	}
	got, err := ask(`{"credHelpers": {"b.example": "test"}}`, "a.example")
	if got != (credentials{}) || err != nil {
		t.Errorf("the helper of another registry: %v, %v", got, err)
	}
	got, err = ask(`{"credsStore": "test", "auths": {"a:1": {"username": "ann", "password": "p"}}}`, "a:1")
	if got.login.user != "ann" || err != nil {
		t.Errorf("the helper has nothing: %v, %v", got, err)
	}
	if got, err := ask(`{"credsStore": "test"}`, dockerHub); got != joe || err != nil {
		t.Errorf("Docker Hub: %v, %v", got, err)
	}
	log, err := os.ReadFile(filepath.Join(bin, "log"))
	if want := "get https://index.docker.io/v1/\n"; err != nil || !strings.HasSuffix(string(log), want) {
		t.Errorf("the helper was called with %q, %v", log, err)
	}
	for _, tt := range []struct{ config, registry, want string }{
		{`{"credsStore": "test"}`, "a:2", "failed"},
		{`{"credsStore": "test"}`, "a:3", "did not answer"},
		{`{"credsStore": "missing"}`, "a", "not on PATH"},
		{`{"credsStore": "../test"}`, "a", "not a name"},
		{`{"credsStore": "-x"}`, "a", "not a name"},
		{`{"auths": "s3cret"}`, "a", "cannot be read"},
	} {
		_, err := ask(tt.config, tt.registry)
		wantFail(t, err, CodeFetch, tt.want)
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("a secret is shown: %v", err)
		}
	}
	t.Chdir(bin)
	t.Setenv("PATH", ".")
	_, err = ask(`{"credsStore": "test"}`, "a")
	wantFail(t, err, CodeFetch, "relative directory")
}

func TestParseChallenge(t *testing.T) {
	for text, want := range map[string]string{
		`Bearer realm="https://a/b",service=c,scope="d, e"`: "bearer map[realm:https://a/b scope:d, e service:c]",
		`BASIC`:                   "basic map[]",
		`Basic Realm = "x`:        "basic map[realm:x]",
		`Bearer realm="a\"b", x`:  `bearer map[realm:a"b]`,
		`Bearer ,,realm="a"  b=c`: "bearer map[b:c realm:a]",
		``:                        " map[]",
	} {
		scheme, parameters := parseChallenge(text)
		if got := fmt.Sprint(scheme, " ", parameters); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzManifest reads any bytes as a manifest: what it accepts cannot lead to another place than a blob of the
// repository.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"schemaVersion": 2, "layers": [` +
		`{"digest": "` + digestOf(nil) + `", "size": 3, "annotations": {"a": "b"}}]}`))
	f.Add([]byte(`{"schemaVersion": 2, "manifests": [{"digest": "sha256:x", "platform": {"os": "unknown"}}]}`))
	c := New(Options{})
	f.Fuzz(func(t *testing.T, text []byte) {
		m, problem := parseManifest(text)
		if problem != "" {
			return
		}
		for _, d := range append(m.Layers, m.Manifests...) {
			u, err := url.Parse(c.url(reference{"", "a.example", "b"}, "/blobs/"+d.Digest).String())
			hex, ok := strings.CutPrefix(u.Path, "/v2/b/blobs/sha256:")
			if err != nil || u.Host != "a.example" || !ok || len(hex) != 64 || d.Size < 0 {
				t.Errorf("%q leads to %v", text, u)
			}
		}
	})
}

// FuzzChallenge reads any text as a challenge.
func FuzzChallenge(f *testing.F) {
	f.Add(`Bearer realm="https://a/b",service=c,scope="d, e\""`)
	f.Fuzz(func(t *testing.T, text string) {
		scheme, parameters := parseChallenge(text)
		if strings.Contains(scheme, " ") || scheme != strings.ToLower(scheme) {
			t.Errorf("%q: the scheme is %q", text, scheme)
		}
		for name, value := range parameters {
			if len(name)+len(value) > len(strings.ToLower(text)) {
				t.Errorf("%q: %q=%q", text, name, value)
			}
		}
	})
}
