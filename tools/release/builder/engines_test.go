//go:build unix

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	gcrtar "github.com/google/go-containerregistry/pkg/v1/tarball"
)

// TestEnginesBesideWeft fails if what package managers install does not put weft-engines next to weft, or if
// weft's own archives and packages grow by it. The programs are made up, so nothing is compiled.
func TestEnginesBesideWeft(t *testing.T) {
	opts, err := parseArguments([]string{"0.9.0-rc.1", "--root", root(t)})
	if err != nil {
		t.Fatal(err)
	}
	r := &release{
		options: opts, source: &source{dir: root(t), module: "weft", time: time.Unix(1700000000, 0).UTC()},
		tmp: t.TempDir(), staging: t.TempDir(), binaries: map[target][]byte{}, helping: map[target][]file{},
		sums: map[string]string{},
	}
	linux, windows := target{"linux", "amd64"}, target{"windows", "amd64"}
	r.targets = []target{linux, windows}
	for _, x := range r.targets {
		r.binaries[x] = []byte("weft")
		r.helping[x] = []file{
			{"LICENSE", 0o644, []byte("license")},
			{"NOTICES.txt", 0o644, []byte("notices")},
			{x.binary("weft-engines"), 0o755, []byte("engines")},
		}
	}
	for _, step := range []func() error{
		func() error { return r.archives(t.Context()) },
		func() error { return r.packages(t.Context()) },
		func() error { return r.images(t.Context()) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	file := func(name string) string { return filepath.Join(r.staging, name) }

	t.Run("zip", func(t *testing.T) {
		data := read(t, file("weft_0.9.0-rc.1_windows_amd64.zip"))
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range archive.File {
			names = append(names, strings.TrimPrefix(f.Name, "weft_0.9.0-rc.1_windows_amd64/"))
		}
		want := "NOTICES-weft-engines.txt NOTICES.txt weft-engines.exe weft.exe"
		if got := strings.Join(names, " "); got != want {
			t.Errorf("the archive has %s", got)
		}
	})
	t.Run("tar", func(t *testing.T) {
		data := gunzip(t, read(t, file("weft_0.9.0-rc.1_linux_amd64.tar.gz")))
		if bytes.Contains(data, []byte("weft-engines")) {
			t.Error("the archive of weft has weft-engines")
		}
	})
	t.Run("deb", func(t *testing.T) {
		need(t, "dpkg-deb")
		weft := file("weft_0.9.0-rc.1_linux_amd64.deb")
		fields := output(t, exec.Command("dpkg-deb", "--field", weft, "Suggests"))
		if strings.TrimSpace(fields) != "weft-engines" {
			t.Errorf("weft suggests %q", fields)
		}
		deb := file("weft-engines_0.9.0-rc.1_linux_amd64.deb")
		fields = output(t, exec.Command("dpkg-deb", "--field", deb, "Package", "Version", "Depends"))
		want := "Package: weft-engines\nVersion: 0.9.0~rc.1-1\nDepends: weft (= 0.9.0~rc.1-1)\n"
		if fields != want {
			t.Errorf("the package says\n%s, want\n%s", fields, want)
		}
		to := t.TempDir()
		output(t, exec.Command("dpkg-deb", "--extract", deb, to))
		if got := read(t, filepath.Join(to, "usr/bin/weft-engines")); string(got) != "engines" {
			t.Errorf("weft-engines is %q", got)
		}
	})
	t.Run("rpm", func(t *testing.T) {
		need(t, "rpm")
		rpm := file("weft-engines_0.9.0-rc.1_linux_amd64.rpm")
		got := output(t, exec.Command("rpm", "--query", "--package", "--requires", rpm))
		if !strings.Contains(got, "weft = 0.9.0~rc.1-1\n") {
			t.Errorf("the package requires\n%s", got)
		}
		if got := output(t, exec.Command("rpm", "--query", "--package", "--list", rpm)); !strings.Contains(got,
			"/usr/bin/weft-engines\n") {
			t.Errorf("the package has\n%s", got)
		}
	})
	t.Run("apk", func(t *testing.T) {
		data := read(t, file("weft-engines_0.9.0-rc.1_linux_amd64.apk"))
		if text := string(gunzip(t, data)); !strings.Contains(text, "depend = weft=0.9.0_rc1-r0\n") ||
			!strings.Contains(text, "usr/bin/weft-engines") {
			t.Error("the package does not depend on weft of its version, or lacks weft-engines")
		}
	})
	t.Run("image", func(t *testing.T) {
		for name, want := range map[string]bool{"docker": false, "docker-engines": true} {
			image, err := gcrtar.ImageFromPath(file("weft_0.9.0-rc.1_"+name+"_amd64.tar"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := imageHas(t, image, "usr/bin/weft-engines"); got != want {
				t.Errorf("%s: has weft-engines: %t", name, got)
			}
			if !imageHas(t, image, "usr/bin/weft") {
				t.Errorf("%s: has no weft", name)
			}
		}
	})
}

// imageHas reports whether an image has a file.
func imageHas(t *testing.T, image v1.Image, name string) bool {
	t.Helper()
	in := mutate.Extract(image)
	defer in.Close()
	for r := tar.NewReader(in); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimPrefix(header.Name, "/") == name {
			return true
		}
	}
}
