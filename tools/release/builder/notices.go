package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// notices collects the licenses of all dependencies of a program for a target, as most licenses require:
// Go modules, Go itself, and packages of npm.
func (r *release) notices(ctx context.Context, t target, p program) ([]byte, error) {
	list, err := runGo(ctx, filepath.Join(r.dir, p.dir), t.environment(), "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}",
		p.source)
	if err != nil {
		return nil, err
	}
	goroot, err := runGo(ctx, r.dir, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := slices.DeleteFunc(strings.Split(list, "\n"), func(s string) bool {
		return s == "" || strings.HasPrefix(s, r.module+" ")
	})
	slices.Sort(modules)
	var out strings.Builder
	out.WriteString(p.name + " contains software of others, under these licenses.\n")
	for _, m := range slices.Compact(modules) {
		name, dir, _ := strings.Cut(m, "\t")
		if err := addNotice(&out, name, dir); err != nil {
			return nil, err
		}
	}
	if err := addNotice(&out, "Go", goroot); err != nil {
		return nil, err
	}
	for _, p := range p.npm {
		if err := addNotice(&out, p.name+" "+p.version, p.dir); err != nil {
			return nil, err
		}
	}
	return []byte(out.String()), nil
}

// licenseFile matches the names of files with a license or a required notice.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(-[a-z0-9]+)?(\.(md|txt|mit))?$`)

// addNotice adds the licenses in a folder.
func addNotice(out *strings.Builder, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, entry := range entries {
		if entry.IsDir() || !licenseFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 72), name,
			strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no license in %s", name, dir)
	}
	return nil
}

// npmPackage is a package of npm that is in the page of the playground.
type npmPackage struct{ name, version, license, dir string }

// npmPackages returns the packages except those for development, sorted.
func npmPackages(web string) ([]npmPackage, error) {
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	text, err := os.ReadFile(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("web/package-lock.json: %w", err)
	}
	var list []npmPackage
	for path, p := range lock.Packages {
		if path != "" && !p.Dev {
			_, name, _ := strings.Cut(path, "node_modules/")
			dir := filepath.Join(web, filepath.FromSlash(path))
			list = append(list, npmPackage{name, p.Version, p.License, dir})
		}
	}
	slices.SortFunc(list, func(a, b npmPackage) int { return strings.Compare(a.name, b.name) })
	return list, nil
}
