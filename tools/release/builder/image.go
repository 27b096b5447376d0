package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	gcrtar "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// images builds the container images: an OCI layout with an index of all architectures, and for each of
// them an archive for docker load. The image contains only weft and certificates, not even a shell. A second
// one, whose tag ends with -engines, also has weft-engines.
func (r *release) images(ctx context.Context) error {
	var indexes []tagged
	for _, engines := range []bool{false, true} {
		if engines && !r.helpers {
			continue
		}
		index, count, err := r.index(ctx, engines)
		if err != nil {
			return err
		}
		if count > 0 {
			indexes = append(indexes, tagged{r.tag(engines), index})
		}
	}
	if len(indexes) == 0 {
		return nil
	}
	return r.ociLayout(indexes)
}

// tagged is an index of images with its tag.
type tagged struct {
	tag   string
	index v1.ImageIndex
}

// tag returns the tag of an image.
func (r *release) tag(engines bool) string {
	if engines {
		return r.version.String() + "-engines"
	}
	return r.version.String()
}

// index returns an image for all architectures, and how many there are.
func (r *release) index(ctx context.Context, engines bool) (v1.ImageIndex, int, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	index, ok := mutate.Annotations(index, r.annotations()).(v1.ImageIndex)
	if !ok {
		panic("an index with annotations is an index")
	}
	count := 0
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		count++
		image, err := r.image(ctx, t, engines)
		if err != nil {
			return nil, 0, err
		}
		if err := r.dockerArchive(t, image, engines); err != nil {
			return nil, 0, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: t.os, Architecture: t.arch}},
		})
	}
	return index, count, nil
}

// image returns the image for an architecture.
func (r *release) image(ctx context.Context, t target, engines bool) (v1.Image, error) {
	files, err := r.imageFiles(ctx, t, engines)
	if err != nil {
		return nil, err
	}
	content, err := tarball(files, r.time)
	if err != nil {
		return nil, err
	}
	layer, err := gcrtar.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, gcrtar.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	base = mutate.ConfigMediaType(base, types.OCIConfigJSON)
	created := v1.Time{Time: r.time}
	base, err = mutate.ConfigFile(base, &v1.ConfigFile{
		OS: t.os, Architecture: t.arch, Created: created, RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{
			Entrypoint: []string{"/usr/bin/weft"}, WorkingDir: "/work", User: "65532:65532",
			Env:    []string{"PATH=/usr/bin", "HOME=/tmp"},
			Labels: r.annotations(),
		},
	})
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(base, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: created, CreatedBy: "go run ./tools/release"},
	})
	if err != nil {
		return nil, err
	}
	annotated, ok := mutate.Annotations(image, r.annotations()).(v1.Image)
	if !ok {
		panic("an image with annotations is an image")
	}
	return annotated, nil
}

// imageFiles returns the files of an image. Certificates let weft read from https.
func (r *release) imageFiles(ctx context.Context, t target, engines bool) ([]file, error) {
	contents, err := r.contents(ctx, t)
	if err != nil {
		return nil, err
	}
	list := []file{
		{"etc/ssl/certs/ca-certificates.crt", 0o644, certificates()},
		{"tmp/", 0o1777, nil},
		{"usr/bin/weft", 0o755, r.binaries[t]},
		{"work/", 0o755, nil},
	}
	for _, f := range contents {
		if f.path == "LICENSE" || f.path == "NOTICES.txt" {
			list = append(list, below("usr/share/doc/weft", []file{f})...)
		}
	}
	for _, f := range r.helper(t) {
		dir := "usr/share/doc/weft"
		if f.path == "weft-engines" {
			dir = "usr/bin"
		}
		if engines {
			list = append(list, below(dir, []file{f})...)
		}
	}
	return list, nil
}

// certificates returns the root certificates that Mozilla trusts without constraints: a PEM file cannot
// express constraints.
func certificates() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
		}
	}
	return out.Bytes()
}

// annotations returns the description of the image for registries.
func (r *release) annotations() map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       "weft",
		"org.opencontainers.image.description": summary,
		"org.opencontainers.image.version":     r.version.String(),
		"org.opencontainers.image.revision":    r.commit,
		"org.opencontainers.image.created":     r.time.Format("2006-01-02T15:04:05Z"),
		"org.opencontainers.image.licenses":    license,
		"org.opencontainers.image.url":         r.url,
		"org.opencontainers.image.source":      r.url,
	}
}

// dockerArchive writes an archive that every version of docker load can read.
func (r *release) dockerArchive(t target, image v1.Image, engines bool) error {
	tag, err := name.NewTag("weft:" + r.tag(engines))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := gcrtar.Write(tag, image, &out); err != nil {
		return err
	}
	kind := "docker"
	if engines {
		kind = "docker-engines"
	}
	return r.write(r.name(kind, t.arch)+".tar", out.Bytes())
}

// ociLayout writes the layout, as an archive.
func (r *release) ociLayout(indexes []tagged) error {
	dir := filepath.Join(r.tmp, "oci")
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	for _, x := range indexes {
		err := path.AppendIndex(x.index, layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": x.tag,
		}))
		if err != nil {
			return err
		}
	}
	files, err := readFiles(dir)
	if err != nil {
		return err
	}
	data, err := tarball(files, r.time)
	if err != nil {
		return err
	}
	return r.write(r.name("oci")+".tar", data)
}
