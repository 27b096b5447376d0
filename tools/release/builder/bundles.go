package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// embedPlayground builds the page of the playground into the copy of the sources, where go build
// finds it.
func (r *release) embedPlayground(ctx context.Context) (err error) {
	if !r.playground {
		return nil
	}
	progress("building the playground")
	if _, err := runGo(ctx, r.dir, nil, "run", "./tools/web"); err != nil {
		return err
	}
	r.npm, err = npmPackages(filepath.Join(r.dir, "web"))
	return err
}

// webSite builds the web site, as an archive for a web server.
func (r *release) webSite(ctx context.Context) error {
	if !r.site {
		return nil
	}
	progress("building the web site")
	dir := filepath.Join(r.tmp, "site")
	_, err := runGo(ctx, r.dir, nil, "run", "./tools/site", "-o", dir, "-version", r.version.String())
	if err != nil {
		return err
	}
	files, err := readFiles(dir)
	if err != nil {
		return err
	}
	data, err := tarball(below(r.name("site"), files), r.time)
	if err != nil {
		return err
	}
	if data, err = gzipped(data); err != nil {
		return err
	}
	return r.write(r.name("site")+".tar.gz", data)
}

// extension builds the extension for VS Code.
func (r *release) extension(ctx context.Context) error {
	if !r.vsix {
		return nil
	}
	progress("building the extension for VS Code")
	dir := filepath.Join(r.dir, "editors", "vscode")
	if err := setVersion(filepath.Join(dir, "package.json"), r.version); err != nil {
		return err
	}
	env := []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.time.Unix(), 10)}
	// Do not run the install scripts of packages.
	npm := []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"}
	if _, err := run(ctx, command{dir: dir, env: env, args: npm}); err != nil {
		return err
	}
	npm = []string{"npm", "run", "package"}
	if r.version.isPrerelease() {
		npm = append(npm, "--", "--pre-release")
	}
	if _, err := run(ctx, command{dir: dir, env: env, args: npm}); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, "dist", "weft.vsix"))
	if err != nil {
		return err
	}
	if data, err = r.rezip(data); err != nil {
		return fmt.Errorf("weft.vsix: %w", err)
	}
	return r.write("weft-"+r.version.String()+".vsix", data)
}

// packageVersion is the version in a package.json, which is near its top.
var packageVersion = regexp.MustCompile(`(?m)^  "version": "[^"]*"`)

// setVersion sets the version of the extension. The marketplace accepts only numbers; pre-releases are
// marked by a flag.
func setVersion(file string, v version) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if len(packageVersion.FindAll(text, -1)) != 1 {
		return fmt.Errorf("%s: expected one version", file)
	}
	text = packageVersion.ReplaceAll(text, []byte(`  "version": "`+v.numbers()+`"`))
	return os.WriteFile(file, text, 0o644)
}

// rezip rewrites a zip archive with fixed times, modes and order, so that it does not depend on the
// machine.
func (r *release) rezip(data []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var files []file
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
		files = append(files, file{f.Name, 0o644, text})
	}
	return zipped(files, r.time)
}
