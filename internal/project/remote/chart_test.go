//go:build !js

package remote

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// chartServer is a chart repository; its index has %s for the URL of the server.
func chartServer(t *testing.T, index string, files map[string][]byte, more ...string) (string, *Client) {
	t.Helper()
	url := ""
	s, c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/charts/")
		data, ok := files[name]
		if name == "index.yaml" {
			data, ok = []byte(strings.ReplaceAll(index, "%s", url)), true
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}), more...)
	url = s.URL
	return s.URL + "/charts", c
}

func TestChart(t *testing.T) {
	chart := tgz(t, "app/Chart.yaml", "name: app\n", "app/templates/a.yaml", "a: 1\n", "app/.helmignore", "")
	digest := digestOf(chart)
	index := `apiVersion: v1
entries:
  other: []
  app:
  - {version: v1.10.0, urls: [app.tgz], digest: ` + strings.TrimPrefix(digest, "sha256:") + `}
  - version: 1.10
    urls: ["%s/charts/app.tgz"]
    digest: ` + digest + `
  - {version: "1.9.0+build", urls: [app.tgz]}
  - {version: 1.8.0, urls: [app.tgz], digest: ` + digestOf(nil) + `}
  - {version: 1.7.0, urls: [missing.tgz]}
  - {version: 1.6.0, urls: [text.tgz]}
  - {version: 1.5.0, urls: [app.tgz], digest: wrong}
  - {version: 1.4.0, urls: ["https://169.254.169.254/app.tgz"]}
  - {version: 1.3.0, urls: ["file:///etc/passwd"]}
  - {version: 1.2.0, urls: ["oci://a.example/app"]}
  - {version: 1.1.0, urls: [nochart.tgz]}
  - {version: no-url}
  - {urls: [x]}
`
	repo, c := chartServer(t, index, map[string][]byte{
		"app.tgz": chart, "text.tgz": []byte("text"), "nochart.tgz": tgz(t, "app/x", "1"),
	})
	want := map[string]string{
		"Chart.yaml": "644 name: app\n", "templates/a.yaml": "644 a: 1\n", ".helmignore": "644 ",
	}
	for _, version := range []string{
		"v1.10.0", "1.10.0", "1.10", "1.9.0+build", "1.9.0+build@" + digest, "1.10@" + digest,
	} {
		for _, repo := range []string{repo, repo + "/"} {
			got, err := c.Chart(t.Context(), repo, "app", version)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, contents(t, got.Files)); diff != "" || got.Digest != digest {
				t.Errorf("%s, -want +got:\n%s", got.Digest, diff)
			}
		}
	}
	for _, tt := range []struct {
		version string
		code    diag.Code
		want    string
	}{
		{"1.8.0", CodeDigest, "the chart has the digest"},
		{"1.10@" + digestOf(nil), CodeDigest, "expected"},
		{"1.9.0+build@" + digestOf(nil), CodeDigest, "expected"},
		{"1.10@x", CodeFetch, "not a digest"},
		{"1.7.0", CodeFetch, "404"},
		{"1.6.0", archive.CodeArchive, "not an archive"},
		{"1.5.0", CodeFetch, "invalid digest"},
		{"1.4.0", CodeHost, "link-local"},
		{"1.3.0", CodeHost, "not an https URL"},
		{"1.2.0", CodeFetch, "without a tag"},
		{"1.1.0", CodeFetch, "no Chart.yaml"},
		{"1.10.1", CodeFetch, "no version '1.10.1'"},
		{"no-url", CodeFetch, "no version"},
		{"", CodeFetch, "no version"},
	} {
		_, err := c.Chart(t.Context(), repo, "app", tt.version)
		if wantFail(t, err, tt.code, tt.want); t.Failed() {
			t.Fatalf("version %q", tt.version)
		}
	}
	_, err := c.Chart(t.Context(), repo, "ap", "1.10")
	wantFail(t, err, CodeFetch, "no chart 'ap'")
	if !strings.Contains(hintOf(err), "app") {
		t.Errorf("the hint is %s", hintOf(err))
	}
	versions, err := c.ChartVersions(t.Context(), repo, "app")
	if err != nil || strings.Join(versions[:3], " ") != "v1.10.0 1.10 1.9.0+build" || len(versions) != 11 {
		t.Errorf("got %q, %v", versions, err)
	}
}

func TestIndexFailures(t *testing.T) {
	for index, want := range map[string]string{
		"":                              "empty",
		"a: [":                          "not valid YAML",
		"[]":                            "no `entries`",
		"entries: []":                   "no `entries`",
		"entries: {}":                   "no chart",
		"entries: {app: text}":          "no chart",
		"entries: {app: [1, [], null]}": "no chart",
		"entries: {app: [{version: [1], urls: {}}]}": "no chart",
	} {
		repo, c := chartServer(t, index, nil)
		_, err := c.ChartVersions(t.Context(), repo, "app")
		wantFail(t, err, CodeFetch, want)
	}
}

// An index must not have another host asked with the person's credentials.
func TestIndexAndCredentials(t *testing.T) {
	chart := tgz(t, "app/Chart.yaml", "name: app\n")
	setNetrc(t, "machine 127.0.0.1 login joe password s3cret")
	var seen []string
	other, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		_, _ = w.Write(chart)
	}))
	index := "entries: {app: [{version: 1.0.0, urls: ['" + other.URL + "/app.tgz']}]}"
	repo, c := chartServer(t, index, nil, other.URL)
	if _, err := c.Chart(t.Context(), repo, "app", "1.0.0"); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(seen) != "[]" || len(seen) != 1 {
		t.Errorf("another host got %q", seen)
	}
}

// An index may lead to a registry, and then has the digest of the chart or of the artifact.
func TestChartInRegistry(t *testing.T) {
	r := registry{}
	chart := tgz(t, "app/Chart.yaml", "name: app\n")
	layer := r.blob("charts/app", chartMediaType, chart)
	digest := r.artifact(t, "charts/app", "1.0.0_b1", layer, r.blob("charts/app", "other", []byte("provenance")))
	r.artifact(t, "charts/app", "2.0.0", r.blob("charts/app", "other", []byte("provenance")))
	r["charts/app/tags/list"] = []byte(`{"tags": ["1.0.0_b1", "2.0.0"]}`)
	s, c := serve(t, r)
	base := "oci://" + host(s) + "/charts"
	for _, tt := range []struct{ repo, name, version string }{
		{base, "app", "1.0.0+b1"}, {base + "/app", "", "1.0.0+b1"}, {base + "/", "app", "1.0.0+b1@" + digest},
	} {
		got, err := c.Chart(t.Context(), tt.repo, tt.name, tt.version)
		if err != nil || got.Digest != digest || fmt.Sprint(got.Files.Names()) != "[Chart.yaml]" {
			t.Errorf("got %v, %v", got, err)
		}
	}
	_, err := c.Chart(t.Context(), base, "app", "2.0.0")
	wantFail(t, err, CodeFetch, "not a Helm chart")
	versions, err := c.ChartVersions(t.Context(), base, "app")
	if err != nil || fmt.Sprint(versions) != "[1.0.0+b1 2.0.0]" {
		t.Errorf("got %q, %v", versions, err)
	}
	for told, ok := range map[string]bool{digest: true, layer.Digest: true, "": true, digestOf(nil): false} {
		index := fmt.Sprintf(
			"entries: {app: [{version: 1.0.0+b1, digest: %q, urls: ['%s/app:1.0.0_b1']}]}", told, base)
		repo, c := chartServer(t, index, nil, s.URL)
		got, err := c.Chart(t.Context(), repo, "app", "1.0.0+b1")
		if ok && (err != nil || got.Digest != digest) {
			t.Errorf("%s: got %v, %v", told, got, err)
		} else if !ok {
			wantFail(t, err, CodeDigest, "the chart has the digest")
		}
	}
}

// FuzzIndex reads any text as an index: it ends, and every release has a version and a URL.
func FuzzIndex(f *testing.F) {
	f.Add("entries:\n  app:\n  - version: 1.0.0\n    urls: [a.tgz]\n    digest: abc\n", "app")
	f.Add("entries: &a {app: [*a, {version: &v 1, urls: [*v]}]}", "app")
	f.Add("entries: {app: &a [{<<: {version: 1}, urls: [x, y]}], b: *a}", "b")
	f.Fuzz(func(t *testing.T, text, chart string) {
		releases, _, err := releasesOf([]byte(text), chart)
		for _, r := range releases {
			if r.version == "" || r.url == "" || err != nil {
				t.Errorf("%q: %v, %v", text, r, err)
			}
		}
		if len(releases) == 0 && err == nil {
			t.Errorf("%q: neither a release nor an error", text)
		}
	})
}

// What has a digest must come as it is; an index, which has none, may be compressed.
func TestCompression(t *testing.T) {
	chart := tgz(t, "app/Chart.yaml", "name: app\n")
	asked := map[string]string{}
	s, c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path] = r.Header.Get("Accept-Encoding")
		data := chart
		if r.URL.Path == "/index.yaml" {
			data = gzipped(t, "entries: {app: [{version: 1.0.0, urls: [app.tgz]}]}")
			w.Header().Set("Content-Encoding", "gzip")
		}
		_, _ = w.Write(data)
	}))
	if _, err := c.Chart(t.Context(), s.URL, "app", "1.0.0"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"/index.yaml": "gzip", "/app.tgz": "identity"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
