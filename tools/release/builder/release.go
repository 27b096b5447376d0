package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// release is a release that is being built.
type release struct {
	options
	*source
	tmp      string            // a folder for intermediate files
	staging  string            // the new directory, before it is renamed
	binaries map[target][]byte // the compiled weft
	helping  map[target][]file // the compiled weft-engines, its license and notices
	shared   []file            // files of every archive: texts, completions and man pages
	npm      []npmPackage      // dependencies of the playground
	sums     map[string]string // SHA-256 of the files written so far
}

// build writes the directory of a release, completely or not at all.
func build(ctx context.Context, opts options) error {
	if _, err := os.Lstat(opts.out); err == nil {
		return fmt.Errorf("%s exists; remove it, or choose another directory with -o", opts.out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.MkdirTemp("", "weft-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	progress("copying the sources")
	src, err := takeSource(ctx, opts, filepath.Join(tmp, "source"))
	if err != nil {
		return err
	}
	parent := filepath.Dir(opts.out)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	staging, err := os.MkdirTemp(parent, ".release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staging)
	r := &release{
		options: opts, source: src, tmp: tmp, staging: staging,
		binaries: map[target][]byte{}, helping: map[target][]file{}, sums: map[string]string{},
	}
	if err := r.make(ctx); err != nil {
		return err
	}
	// MkdirTemp creates directories that only their owner can read.
	if err := os.Chmod(staging, 0o755); err != nil {
		return err
	}
	if err := os.Rename(staging, opts.out); err != nil {
		return err
	}
	for _, name := range opts.placeholders() {
		progress("note: %s has a placeholder; pass it for a release that you publish", name)
	}
	return nil
}

// make writes all files. The order matters: manifests contain the checksums of archives, and the list of
// checksums comes last.
func (r *release) make(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		r.changelog,
		r.embedPlayground,
		r.compile,
		r.texts,
		r.engines,
		r.archives,
		r.packages,
		r.images,
		r.sboms,
		r.extension,
		r.webSite,
		r.manifests,
		r.buildInfo,
		r.checksums,
	} {
		if err := errors.Join(ctx.Err(), step(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// write adds a file to the release.
func (r *release) write(name string, data []byte) error {
	file := filepath.Join(r.staging, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	r.sums[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	progress("%9d %s", len(data), name)
	return nil
}

// checksums writes the checksums of all files in the format of sha256sum --check.
func (r *release) checksums(context.Context) error {
	var names []string
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		fmt.Fprintf(&out, "%s  %s\n", r.sums[name], name)
	}
	return r.write("SHA256SUMS", []byte(out.String()))
}

// name returns the common part of the names of files: weft_1.2.3_linux_amd64.
func (r *release) name(parts ...string) string {
	return strings.Join(append([]string{"weft", r.version.String()}, parts...), "_")
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "release: "+format+"\n", args...)
}
