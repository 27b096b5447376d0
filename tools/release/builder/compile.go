package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// compile builds weft for all targets.
func (r *release) compile(ctx context.Context) error {
	for i, t := range r.targets {
		progress("building weft for %s (%d of %d)", t, i+1, len(r.targets))
		profile := "auto"
		if !r.profile {
			profile = "off"
		}
		data, err := r.goBuild(ctx, t, r.weft(), profile)
		if err != nil {
			return err
		}
		r.binaries[t] = data
	}
	return nil
}

// program is a program of a release.
type program struct {
	name   string
	dir    string // its module, relative to the sources
	source string // the package in the module
	npm    []npmPackage
}

// weft returns the program that this is all about.
func (r *release) weft() program { return program{"weft", ".", "./cmd/weft", r.npm} }

// path returns the path of a compiled program.
func (r *release) path(t target, p program) string {
	return filepath.Join(r.tmp, t.os+"_"+t.arch, t.binary(p.name))
}

// goBuild builds a program so that the binary does not depend on the machine. The linker sets the version.
// The commit is in build.json, since the copied sources are not a clone.
func (r *release) goBuild(ctx context.Context, t target, p program, profile string) ([]byte, error) {
	file := r.path(t, p)
	version := r.module + "/internal/serve/cli/process.version=" + r.version.String()
	_, err := runGo(ctx, filepath.Join(r.dir, p.dir), t.environment(),
		"build", "-trimpath", "-buildvcs=false", "-pgo="+profile,
		"-ldflags=-s -w -buildid= -X "+version, "-o", file, p.source)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// engines builds weft-engines, which weft starts for charts and kustomizations, and writes an archive and
// an SBOM for each target. It is larger than weft, so it has archives, packages and an image apart from
// weft's. The archives for Windows have both, because package managers there install one archive.
func (r *release) engines(ctx context.Context) error {
	if !r.helpers {
		return nil
	}
	p := program{"weft-engines", "engines", ".", nil}
	license, err := os.ReadFile(filepath.Join(r.dir, "LICENSE"))
	if err != nil {
		return err
	}
	for i, t := range r.targets {
		progress("building weft-engines for %s (%d of %d)", t, i+1, len(r.targets))
		data, err := r.goBuild(ctx, t, p, "off")
		if err != nil {
			return err
		}
		notices, err := r.notices(ctx, t, p)
		if err != nil {
			return err
		}
		folder := r.helperFolder(t)
		r.helping[t] = []file{
			{"LICENSE", 0o644, license}, {"NOTICES.txt", 0o644, notices}, {t.binary(p.name), 0o755, data},
		}
		err = r.writeArchive(t, folder, r.helping[t])
		if err != nil {
			return err
		}
		bill, err := r.sbom(t, p, data)
		if err != nil {
			return err
		}
		if err := r.write(folder+".cdx.json", bill); err != nil {
			return err
		}
	}
	return nil
}

// helperFolder returns the name of the folder in an archive of weft-engines.
func (r *release) helperFolder(t target) string {
	return strings.Replace(r.folder(t), "weft", "weft-engines", 1)
}

// helper returns the files of weft-engines for a folder that it shares with weft.
func (r *release) helper(t target) (list []file) {
	for _, f := range r.helping[t] {
		switch f.path {
		case "NOTICES.txt":
			list = append(list, file{"NOTICES-weft-engines.txt", f.mode, f.data})
		case t.binary("weft-engines"):
			list = append(list, f)
		}
	}
	return list
}

// host returns the path of a weft for this machine. If the release does not include this target, host
// builds it.
func (r *release) host(ctx context.Context) (string, error) {
	here := target{runtime.GOOS, runtime.GOARCH}
	if !r.has(here) {
		if _, err := r.goBuild(ctx, here, r.weft(), "off"); err != nil {
			return "", err
		}
	}
	return r.path(here, r.weft()), nil
}

// buildInfo writes build.json: what is needed to reproduce the release.
func (r *release) buildInfo(ctx context.Context) error {
	goVersion, err := runGo(ctx, r.dir, nil, "env", "GOVERSION")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(struct {
		Version string   `json:"version"`
		Commit  string   `json:"commit"`
		Go      string   `json:"go"`
		Epoch   int64    `json:"sourceDateEpoch"`
		Command []string `json:"command"`
	}{r.version.String(), r.commit, goVersion, r.time.Unix(), r.command()})
	if err != nil {
		return err
	}
	return r.write("build.json", out.Bytes())
}

// command returns the command line that builds the same release.
func (r *release) command() []string {
	args := []string{
		"go", "run", "./tools/release", r.version.String(),
		"--url", r.url, "--downloads", r.downloads,
		"--publisher", r.publisher, "--maintainer", r.maintainer,
	}
	if r.snapshot {
		targets := strings.ReplaceAll(joined(r.targets), " ", "")
		args = append(args, "--snapshot", "--target", targets)
	}
	for _, part := range []struct {
		flag string
		has  bool
	}{
		{"--without-site", r.site},
		{"--without-vsix", r.vsix},
		{"--without-playground", r.playground},
		{"--without-profile", r.profile},
		{"--without-engines", r.helpers},
	} {
		if !part.has {
			args = append(args, part.flag)
		}
	}
	return args
}
