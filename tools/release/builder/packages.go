package main

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // these register themselves
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

const (
	summary     = "Render, patch and check YAML"
	description = summary + `
weft renders, patches and checks YAML: Kubernetes manifests, CI pipelines, any configuration
written in YAML. Templates, data values, overlays and overrides work on documents, maps and
lists instead of text. weft is the successor to ytt and reads the same files.`
	helperSummary = "Helm charts and kustomizations for weft"
	license       = "Apache-2.0"
)

// packages builds the packages for Linux.
func (r *release) packages(ctx context.Context) error {
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm", "apk"} {
			installed, err := r.installed(ctx, t, format)
			if err != nil {
				return err
			}
			err = r.pack(t, format, parcel{
				name: "weft", summary: summary, description: description, files: installed,
				recommends: []string{"git"}, // for weft diff --rev
				suggests:   []string{"weft-engines"},
			})
			if err == nil && r.helping[t] != nil {
				err = r.pack(t, format, r.helperParcel(t, format))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// parcel is what is in a package.
type parcel struct {
	name, summary, description    string
	files                         []file
	depends, recommends, suggests []string
}

// helperParcel returns the package with weft-engines, which goes next to weft of the same version.
func (r *release) helperParcel(t target, format string) parcel {
	const docs = "/usr/share/doc/weft-engines/"
	p := parcel{
		name: "weft-engines", summary: helperSummary,
		description: helperSummary + "\nweft starts weft-engines for projects with Helm charts or " +
			"kustomizations. It contains the\nengines of Helm and kustomize, reads no files and makes no connections.",
		depends: []string{map[string]string{
			"deb": "weft (= " + r.version.packaged() + ")", "rpm": "weft = " + r.version.packaged(),
			"apk": "weft=" + r.version.alpine() + "-r0",
		}[format]},
	}
	places := map[string]string{
		"LICENSE": docs + "copyright", "NOTICES.txt": docs + "NOTICES.txt",
		"weft-engines": "/usr/bin/weft-engines",
	}
	for _, f := range r.helping[t] {
		p.files = append(p.files, file{places[f.path], f.mode, f.data})
	}
	return p
}

func (r *release) pack(t target, format string, p parcel) error {
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	contents, err := r.stage(filepath.Join(r.tmp, p.name+"_"+format+"_"+t.arch), p.files)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: p.name, Platform: t.os, Arch: t.arch, Version: r.version.String(), Release: "1",
		Section: "utils", Priority: "optional", Maintainer: r.maintainer, Vendor: r.publisher,
		Description: p.description, Homepage: r.url, License: license, MTime: r.time,
		Overridables: nfpm.Overridables{
			Depends: p.depends, Recommends: p.recommends, Suggests: p.suggests,
			Contents: contents,
			// The default is the name of this machine.
			RPM: nfpm.RPM{BuildHost: "localhost", Group: "Applications/System", Summary: p.summary},
		},
	})
	if format == "apk" {
		info.Version, info.Prerelease, info.Release = r.version.alpine(), "", "0"
		info.Description = p.summary // one line there
	}
	var out bytes.Buffer
	if err := packager.Package(info, &out); err != nil {
		return err
	}
	return r.write(strings.Replace(r.folder(t), "weft", p.name, 1)+"."+format, out.Bytes())
}

// installed returns the files of a package, at the paths where programs look for them.
func (r *release) installed(ctx context.Context, t target, format string) ([]file, error) {
	zsh := "/usr/share/zsh/site-functions/_weft"
	if format == "deb" {
		zsh = "/usr/share/zsh/vendor-completions/_weft"
	}
	places := map[string]string{
		"LICENSE":               "/usr/share/doc/weft/copyright",
		"NOTICES.txt":           "/usr/share/doc/weft/NOTICES.txt",
		"README.md":             "/usr/share/doc/weft/README.md",
		"completions/weft.bash": "/usr/share/bash-completion/completions/weft",
		"completions/weft.fish": "/usr/share/fish/vendor_completions.d/weft.fish",
		"completions/_weft":     zsh,
	}
	contents, err := r.contents(ctx, t)
	if err != nil {
		return nil, err
	}
	list := []file{{"/usr/bin/weft", 0o755, r.binaries[t]}}
	for _, f := range contents {
		if page, ok := strings.CutPrefix(f.path, "man/"); ok {
			data, err := gzipped(f.data)
			if err != nil {
				return nil, err
			}
			list = append(list, file{"/usr/share/man/man1/" + page + ".gz", 0o644, data})
		} else if place, ok := places[f.path]; ok {
			list = append(list, file{place, f.mode, f.data})
		}
	}
	return list, nil
}

// stage writes files to a folder, where nfpm reads them.
func (r *release) stage(dir string, list []file) (files.Contents, error) {
	var contents files.Contents
	for _, f := range sorted(list) {
		name := filepath.Join(dir, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, f.data, f.mode); err != nil {
			return nil, err
		}
		contents = append(contents, &files.Content{
			Source: filepath.ToSlash(name), Destination: path.Clean(f.path),
			FileInfo: &files.ContentFileInfo{
				Owner: "root", Group: "root", Mode: f.mode, MTime: r.time,
			},
		})
	}
	return contents, nil
}
