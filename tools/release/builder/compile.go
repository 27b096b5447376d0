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
		data, err := r.goBuild(ctx, t, profile)
		if err != nil {
			return err
		}
		r.binaries[t] = data
	}
	return nil
}

// goBuild builds weft so that the binary does not depend on the machine. The linker sets the version.
// The commit is in build.json, since the copied sources are not a clone.
func (r *release) goBuild(ctx context.Context, t target, profile string) ([]byte, error) {
	file := filepath.Join(r.tmp, t.os+"_"+t.arch, t.binary())
	version := r.module + "/internal/serve/cli/process.version=" + r.version.String()
	_, err := runGo(ctx, r.dir, t.environment(),
		"build", "-trimpath", "-buildvcs=false", "-pgo="+profile,
		"-ldflags=-s -w -buildid= -X "+version, "-o", file, "./cmd/weft")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// host returns the path of a weft for this machine. If the release does not include this target, host
// builds it.
func (r *release) host(ctx context.Context) (string, error) {
	here := target{runtime.GOOS, runtime.GOARCH}
	if !r.has(here) {
		if _, err := r.goBuild(ctx, here, "off"); err != nil {
			return "", err
		}
	}
	return filepath.Join(r.tmp, here.os+"_"+here.arch, here.binary()), nil
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
	} {
		if !part.has {
			args = append(args, part.flag)
		}
	}
	return args
}
