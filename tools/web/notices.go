package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notices collects the licenses of all dependencies: npm packages except those for development, Go
// modules, and Go itself.
func (b *builder) notices() error {
	var out strings.Builder
	out.WriteString("The playground of weft contains software of others, under these licenses.\n")
	if err := b.npmNotices(&out); err != nil {
		return err
	}
	if err := b.goNotices(&out, pageCommand, assistCommand); err != nil {
		return err
	}
	b.files["notices.txt"] = []byte(out.String())
	return nil
}

func (b *builder) npmNotices(out *strings.Builder) error {
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	text, err := os.ReadFile(filepath.Join(b.web, "package-lock.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return err
	}
	var paths []string
	for path, p := range lock.Packages {
		if path != "" && !p.Dev {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		name := strings.TrimPrefix(path, "node_modules/") + " " + lock.Packages[path].Version
		if err := addNotice(out, name, filepath.Join(b.web, filepath.FromSlash(path))); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) goNotices(out *strings.Builder, commands ...string) error {
	const module = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	text, err := output(b.root, []string{"GOOS=js", "GOARCH=wasm"}, "go",
		append([]string{"list", "-deps", "-f", module}, commands...)...)
	if err != nil {
		return err
	}
	modules := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		name, dir, ok := strings.Cut(strings.TrimSpace(m), "\t")
		if !ok {
			continue
		}
		if err := addNotice(out, name, dir); err != nil {
			return err
		}
	}
	goroot, err := output(b.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	return addNotice(out, "Go", strings.TrimSpace(goroot))
}

// addNotice adds the license in a folder.
func addNotice(out *strings.Builder, name, dir string) error {
	for _, file := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING", "license"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err == nil {
			fmt.Fprintf(out, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 72), name,
				strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
			return nil
		}
	}
	return fmt.Errorf("%s has no license in %s", name, dir)
}
