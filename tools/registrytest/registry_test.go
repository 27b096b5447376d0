// Package registrytest compares package remote with real registries and with the clients that people push
// with. It is a module, so that users of weft do not download these.
package registrytest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	gcr "github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	helm "helm.sh/helm/v3/pkg/registry"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/file"
	orasremote "oras.land/oras-go/v2/registry/remote"

	"weft/internal/project/archive"
	"weft/internal/project/remote"
)

// start starts a registry on the loopback, and returns its host and a client that may ask it.
func start(t *testing.T) (string, *remote.Client) {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	quiet := log.New(io.Discard, "", 0)
	s := httptest.NewServer(registry.New(registry.Logger(quiet), registry.WithReferrersSupport(true)))
	t.Cleanup(s.Close)
	c := remote.New(remote.Options{AllowOutside: []string{s.URL}})
	t.Cleanup(c.Close)
	return s.Listener.Addr().String(), c
}

// project are the files that tests push.
var project = map[string]string{
	"a.yml": "a: 1\n", "d/b.yml": "b: 2\n", "d/e/run.sh*": "#!/bin/sh\n", ".imgpkg/images.yml": "images: []\n",
}

// contents returns files as weft has them; a name that ends in * is executable.
func contents(f *archive.Files) map[string]string {
	got := map[string]string{}
	for file := range f.All() {
		name := file.Name
		if file.Executable {
			name += "*"
		}
		got[name] = string(file.Data)
	}
	return got
}

func wantFiles(t *testing.T, what string, got remote.Fetched, want map[string]string) {
	t.Helper()
	if g := contents(got.Files); fmt.Sprint(g) != fmt.Sprint(want) {
		t.Errorf("%s: got %q, want %q", what, g, want)
	}
}

// pack returns a tar archive of files below a directory.
func pack(t *testing.T, below string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		name, executable := strings.CutSuffix(n, "*")
		h := &tar.Header{Typeflag: tar.TypeReg, Name: below + name, Mode: 0o644, Size: int64(len(files[n]))}
		if executable {
			h.Mode = 0o755
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[n]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

// image returns an image of layers, each a set of files.
func image(t *testing.T, layers ...[]byte) v1.Image {
	t.Helper()
	img := empty.Image
	for _, data := range layers {
		l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		})
		if err == nil {
			img, err = mutate.AppendLayers(img, l)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return img
}

// push pushes an image with go-containerregistry, and returns its digest.
func push(t *testing.T, ref string, img v1.Image) string {
	t.Helper()
	r, err := name.ParseReference(ref, name.Insecure)
	if err == nil {
		err = gcr.Write(r, img)
	}
	if err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest.String()
}

// Bundles of imgpkg are images of one layer, of docker's media types or of OCI's.
func TestImages(t *testing.T) {
	host, c := start(t)
	data := pack(t, "", project)
	oci := mutate.MediaType(image(t, data), types.OCIManifestSchema1)
	for tag, img := range map[string]v1.Image{
		"docker": image(t, data),
		"oci":    mutate.ConfigMediaType(oci, types.OCIConfigJSON),
		"gzip":   image(t, gzipped(data)),
	} {
		digest := push(t, host+"/team/base:"+tag, img)
		for _, version := range []string{tag, digest, tag + "@" + digest} {
			got, err := c.OCI(t.Context(), host+"/team/base", version)
			if err != nil {
				t.Fatalf("%s: %v", version, err)
			}
			wantFiles(t, version, got, project)
			if got.Digest != digest {
				t.Errorf("%s: got %s, want %s", version, got.Digest, digest)
			}
		}
	}
}

// What layers add up to is what go-containerregistry makes of them.
func TestLayers(t *testing.T) {
	host, c := start(t)
	img := image(t,
		pack(t, "", map[string]string{"a": "1", "b": "1", "c/d": "1", "c/e": "1", "f/g": "1", "h": "1"}),
		pack(t, "", map[string]string{"a": "2", ".wh.b": "", "c/.wh.d": "", "f/.wh..wh..opq": "", "f/i": "2"}),
		pack(t, "", map[string]string{"b": "3", "c/.wh.e": "", "j/k*": "3"}),
	)
	push(t, host+"/layers:1", img)
	got, err := c.OCI(t.Context(), host+"/layers", "1")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	flat := mutate.Extract(img)
	defer flat.Close()
	for r := tar.NewReader(flat); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg && !strings.Contains(h.Name, ".wh.") {
			name := h.Name
			if h.Mode&0o111 != 0 {
				name += "*"
			}
			want[name] = string(text)
		}
	}
	// go-containerregistry does not treat opaque directories.
	delete(want, "f/g")
	wantFiles(t, "layers", got, want)
}

// An index with one image leads to it; one for several platforms is an error.
func TestIndexes(t *testing.T) {
	host, c := start(t)
	img := image(t, pack(t, "", project))
	one := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: img})
	two := mutate.AppendManifests(one, mutate.IndexAddendum{
		Add:        image(t, pack(t, "", map[string]string{"x": "1"})),
		Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}},
	})
	for tag, index := range map[string]v1.ImageIndex{"one": one, "two": two} {
		ref, err := name.ParseReference(host+"/index:"+tag, name.Insecure)
		if err == nil {
			err = gcr.WriteIndex(ref, index)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := c.OCI(t.Context(), host+"/index", "one")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "an index", got, project)
	if digest, _ := one.Digest(); got.Digest != digest.String() {
		t.Errorf("got %s, want that of the index, %s", got.Digest, digest)
	}
	_, err = c.OCI(t.Context(), host+"/index", "two")
	if err == nil || !strings.Contains(err.Error(), "2 platforms") {
		t.Errorf("got %v", err)
	}
}

// Flux pushes one archive with a media type of its own.
func TestFlux(t *testing.T) {
	host, c := start(t)
	layer := static.NewLayer(gzipped(pack(t, "./", project)), "application/vnd.cncf.flux.content.v1.tar+gzip")
	img, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
	if err != nil {
		t.Fatal(err)
	}
	img = mutate.ConfigMediaType(img, "application/vnd.cncf.flux.config.v1+json")
	push(t, host+"/flux:latest", img)
	got, err := c.OCI(t.Context(), "oci://"+host+"/flux", "latest")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "flux", got, project)
}

// oras pushes files with titles, and directories as archives; weft reads what oras pulls again.
func TestOras(t *testing.T) {
	host, c := start(t)
	src := t.TempDir()
	for n, text := range project {
		name, executable := strings.CutSuffix(n, "*")
		mode := os.FileMode(0o644)
		if executable {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(src, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	digest := orasPush(t, host+"/oras", "v1", src, "a.yml", "d")
	got, err := c.OCI(t.Context(), host+"/oras", "v1")
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest != digest {
		t.Errorf("got %s, want %s", got.Digest, digest)
	}
	wantFiles(t, "oras", got, orasPull(t, host+"/oras", "v1"))
	if len(contents(got.Files)) != 3 {
		t.Errorf("got %q", contents(got.Files))
	}
}

func orasPush(t *testing.T, repository, tag, dir string, names ...string) string {
	t.Helper()
	store, err := file.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var layers []ocispec.Descriptor
	for _, n := range names {
		d, err := store.Add(t.Context(), n, "", "")
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, d)
	}
	opts := oras.PackManifestOptions{Layers: layers}
	root, err := oras.PackManifest(t.Context(), store, oras.PackManifestVersion1_1, "application/vnd.test", opts)
	if err == nil {
		err = store.Tag(t.Context(), root, tag)
	}
	if err != nil {
		t.Fatal(err)
	}
	to := orasRepository(t, repository)
	if _, err := oras.Copy(t.Context(), store, tag, to, tag, oras.DefaultCopyOptions); err != nil {
		t.Fatal(err)
	}
	return root.Digest.String()
}

func orasRepository(t *testing.T, name string) *orasremote.Repository {
	t.Helper()
	r, err := orasremote.NewRepository(name)
	if err != nil {
		t.Fatal(err)
	}
	r.PlainHTTP = true
	return r
}

// orasPull returns what oras writes for an artifact.
func orasPull(t *testing.T, repository, tag string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	store, err := file.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	from := orasRepository(t, repository)
	if _, err := oras.Copy(t.Context(), from, tag, store, tag, oras.DefaultCopyOptions); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&0o111 != 0 {
			rel += "*"
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Helm pushes charts with their version as the tag, where a plus sign is an underscore.
func TestHelm(t *testing.T) {
	host, c := start(t)
	client, err := helm.NewClient(helm.ClientOptPlainHTTP(), helm.ClientOptWriter(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	chart := map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.2.3+b4\n", "templates/a.yaml": "a: 1\n",
	}
	pushed, err := client.Push(gzipped(pack(t, "app/", chart)), host+"/charts/app:1.2.3+b4")
	if err != nil {
		t.Fatal(err)
	}
	versions, err := c.ChartVersions(t.Context(), "oci://"+host+"/charts", "app")
	if err != nil || !slices.Equal(versions, []string{"1.2.3+b4"}) {
		t.Fatalf("got %q, %v", versions, err)
	}
	for _, version := range []string{versions[0], versions[0] + "@" + pushed.Manifest.Digest} {
		got, err := c.Chart(t.Context(), "oci://"+host+"/charts/app", "", version)
		if err != nil {
			t.Fatal(err)
		}
		wantFiles(t, "a chart", got, chart)
		if got.Digest != pushed.Manifest.Digest {
			t.Errorf("got %s, want %s", got.Digest, pushed.Manifest.Digest)
		}
	}
}

// The tags are those that go-containerregistry lists.
func TestTags(t *testing.T) {
	host, c := start(t)
	img, err := random.Image(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		push(t, fmt.Sprintf("%s/tags:v1.%d.0", host, i), img)
	}
	repository, err := name.NewRepository(host+"/tags", name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	want, err := gcr.List(repository)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.OCITags(t.Context(), host+"/tags")
	if err != nil || !slices.Equal(got, want) || len(got) != 30 {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	_, err = c.OCITags(t.Context(), host+"/nothing")
	if err == nil || !strings.Contains(err.Error(), http.StatusText(http.StatusNotFound)) {
		t.Errorf("got %v", err)
	}
}
