package vendor

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// registry is an OCI registry with one repository, platform/base, as the distribution specification describes
// it for pulls: manifests by tag and by digest, blobs, and tags in pages of two. tools/registrytest compares
// weft with one that others wrote.
type registry struct {
	mu    sync.Mutex
	bytes map[string][]byte // manifests and blobs by digest
	tags  map[string]string
	host  string
}

func newRegistry(t *testing.T) *registry {
	t.Helper()
	r := &registry{bytes: map[string][]byte{}, tags: map[string]string{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.host = strings.TrimPrefix(server.URL, "http://")
	return r
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name, ok := strings.CutPrefix(req.URL.Path, "/v2/platform/base/")
	kind, ref := path.Split(name)
	digest := ref
	if kind == "manifests/" && r.tags[ref] != "" {
		digest = r.tags[ref]
	}
	switch data := r.bytes[digest]; {
	case ok && name == "tags/list":
		r.list(w, req)
	case !ok || data == nil || kind != "manifests/" && kind != "blobs/":
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"errors": [{"code": "MANIFEST_UNKNOWN"}]}`))
	default:
		w.Header().Set("Docker-Content-Digest", digest)
		_, _ = w.Write(data)
	}
}

func (r *registry) list(w http.ResponseWriter, req *http.Request) {
	var names []string
	for tag := range r.tags {
		if tag > req.URL.Query().Get("last") {
			names = append(names, tag)
		}
	}
	slices.Sort(names)
	if len(names) > 2 {
		names = names[:2]
		w.Header().Set("Link", "</v2/platform/base/tags/list?last="+names[1]+`>; rel="next"`)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"name": "platform/base", "tags": names})
}

// put stores bytes, and returns their digest.
func (r *registry) put(data []byte) string {
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	r.bytes[digest] = data
	return digest
}

// push makes an artifact with files what a tag names. It returns its digest.
func (r *registry) push(t *testing.T, tag string, files map[string]string) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	layer := tarball(t, files)
	text, err := json.Marshal(map[string]any{"schemaVersion": 2, "layers": []any{map[string]any{
		"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "size": len(layer), "digest": r.put(layer),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	r.tags[tag] = r.put(text)
	return r.tags[tag]
}

// TestOCI locks, restores and updates an artifact, and notices that its tag has moved.
func TestOCI(t *testing.T) {
	r := newRegistry(t)
	for _, version := range []string{"1.0.0", "1.2.0", "1.10.0", "2.0.0", "latest", "20231201"} {
		r.push(t, version, map[string]string{"a.yml": "version: " + version + "\n"})
	}
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var notes []string
	opts := Options{AllowOutside: []string{"http://" + r.host}, Note: func(n string) { notes = append(notes, n) }}
	ctx := context.Background()
	update(t, open(t, "vendor: {base: {oci: "+r.host+"/platform/base, version: ^1}}\n"), opts)
	first := r.tags["1.10.0"]
	lock := read(t, "weft.lock")
	if read(t, "vendor/base/a.yml") != "version: 1.10.0\n" || !strings.Contains(lock, "  digest: "+first+"\n") ||
		!strings.Contains(lock, "  version: 1.10.0\n") {
		t.Fatalf("got %s", lock)
	}
	list, err := open(t, "").Outdated(ctx, nil, opts)
	if err != nil || list[0].Err != nil || list[0].Moved || list[0].Wanted != "1.10.0" || list[0].Latest != "2.0.0" {
		t.Errorf("got %+v, %v", list, err)
	}

	// The tag moves: what is locked can still be restored.
	second := r.push(t, "1.10.0", map[string]string{"a.yml": "version: evil\n"})
	remove(t, "vendor")
	if _, err := open(t, "").Restore(ctx, nil, false, opts); err != nil {
		t.Fatal(messages(err))
	}
	if got := read(t, "vendor/base/a.yml"); got != "version: 1.10.0\n" {
		t.Errorf("restored %q", got)
	}
	if list, err = open(t, "").Outdated(ctx, nil, opts); err != nil || !list[0].Moved || !list[0].IsOutdated() {
		t.Errorf("the tag has moved, but outdated says %+v, %v", list, err)
	}

	// It is deleted: then that is an error, and only an update takes the new one.
	remove(t, "vendor")
	delete(r.bytes, first)
	_, err = open(t, "").Restore(ctx, nil, false, opts)
	got := messages(err)
	for _, want := range []string{"version 1.10.0 of source 'base' has moved", first, second, "weft vendor update base"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if _, err := os.Stat("vendor/base"); err == nil {
		t.Error("a folder is left behind")
	}
	notes = nil
	update(t, open(t, ""), opts)
	if all := strings.Join(notes, "\n"); !strings.Contains(all, "base: version 1.10.0 has moved") {
		t.Errorf("update says %q", all)
	}
	if found, err := open(t, "").Check(ctx, nil); err != nil || len(found) > 0 {
		t.Errorf("got %v, %v", found, err)
	}
	notes = nil
	update(t, open(t, ""), opts)
	if notes != nil {
		t.Errorf("a second update says %q", notes)
	}
}

func remove(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}
