// Package vendor keeps copies of what others release: the sources of the key `vendor`, as weft.lock pins
// them. It takes a project, and restores, checks and updates its folder of sources.
//
//	vendor.go   Vendor: the sources of a project and their lock; what does not fit together
//	lock.go     weft.lock: read and written
//	tree.go     the files of a source, their hash, and which of them are taken
//	version.go  versions and ranges of versions
//	fetch.go    a version is chosen and fetched
//	restore.go  Restore: the folder as the lock says
//	check.go    Check: whether the folder is as the lock says, and what is different
//	update.go   Candidates, Write, Outdated: other versions
//	add.go      Add: a new source
package vendor

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/git"
)

// The codes of this package's diagnostics.
const (
	CodeFetch   diag.Code = git.CodeFetch    // a source cannot be fetched
	CodeLock    diag.Code = "vendor/lock"    // weft.lock is wrong, or does not fit to weft.yml
	CodeChanged diag.Code = "vendor/changed" // the files of a source are not those of the lock
	CodeVersion diag.Code = "vendor/version" // there is no such version
)

// Vendor is the sources of a project, and their lock.
type Vendor struct {
	Project *project.Description
	Sources []project.Vendored // sorted by name
	Lock    *Lock

	before *project.Description // the project on disk, if the project file is to be changed; or nil
}

// Open reads the sources of a project and their lock.
func Open(p *project.Description) (*Vendor, error) {
	lock, err := readLock(p)
	if err != nil {
		return nil, err
	}
	return &Vendor{Project: p, Sources: p.Vendored(), Lock: lock}, nil
}

// dir returns the directory of the project file.
func (v *Vendor) dir() string { return filepath.Dir(v.Project.Path()) }

// hold keeps other runs from changing the sources of the project.
func (v *Vendor) hold(ctx context.Context) (*outdir.Hold, error) {
	return outdir.HoldDirs(ctx, []string{v.dir()})
}

// Names returns the names of the sources.
func (v *Vendor) Names() (names []string) {
	for _, s := range v.Sources {
		names = append(names, s.Name)
	}
	return names
}

// Source returns a source by its name. The error has a hint about the nearest name.
func (v *Vendor) Source(name string) (project.Vendored, error) {
	i := slices.IndexFunc(v.Sources, func(s project.Vendored) bool { return s.Name == name })
	if i >= 0 {
		return v.Sources[i], nil
	}
	d := diag.Failf(CodeLock, "%s has no source '%s'", v.Project.Path(), name)
	if near := diag.Nearest(name, v.Names()); near != "" {
		return project.Vendored{}, d.WithHint("did you mean %s?", near)
	}
	if len(v.Sources) > 0 {
		return project.Vendored{}, d.WithHint("its sources are %s", strings.Join(v.Names(), ", "))
	}
	return project.Vendored{}, d.WithHint("add it: weft vendor add %s SOURCE", diag.InShell(name))
}

// from returns where a source comes from, as the lock has it.
func (v *Vendor) from(s project.Vendored) string {
	switch s.Kind {
	case "git":
		return "git+" + git.Shown(s.URL.Text)
	case "oci":
		return "oci://" + strings.TrimPrefix(s.URL.Text, "oci://")
	case "chart":
		from := "chart+" + git.Shown(s.URL.Text)
		if s.Chart.Text != "" {
			from = strings.TrimSuffix(from, "/") + "#" + s.Chart.Text
		}
		return from
	case "dir":
		return "dir+" + v.relative(s.URL.Text)
	}
	return git.Shown(s.URL.Text)
}

// relative returns a path relative to the directory of the project file, with slashes.
func (v *Vendor) relative(name string) string {
	rel, err := filepath.Rel(v.dir(), name)
	if err != nil {
		rel = name
	}
	return path.Clean(filepath.ToSlash(rel))
}

// locked returns the entry of a source if it fits to weft.yml, or the reason why not.
func (v *Vendor) locked(s project.Vendored) (Entry, *diag.Diagnostic) {
	e, ok := v.Lock.Entry(s.Name)
	command := "weft vendor update " + diag.InShell(s.Name)
	switch {
	case !ok:
		return e, diag.Errorf(s.At, CodeLock, "source '%s' is not in %s", s.Name, v.Lock.path).
			WithHint("choose a version and lock it: %s", command)
	case e.From != v.from(s):
		return e, diag.Errorf(s.URL.At, CodeLock, "source '%s' comes from '%s', but %s has '%s'", s.Name, v.from(s),
			v.Lock.path, e.From).WithHint("lock it again: %s", command)
	case !e.satisfies(s.Version.Text):
		return e, diag.Errorf(s.Version.At, CodeLock, "source '%s' has version %s in %s, which %s does not allow",
			s.Name, cmp.Or(e.Version, e.id()), v.Lock.path, s.Version.Text).
			WithHint("lock another version: %s", command)
	case !slices.Equal(texts(s.Paths), e.Paths) || !slices.Equal(texts(s.Exclude), e.Exclude):
		return e, diag.Errorf(s.At, CodeLock, "source '%s' takes other files than %s says", s.Name, v.Lock.path).
			WithHint("lock them: %s", command)
	case s.SHA256.Text != "" && e.Digest != "sha256:"+s.SHA256.Text:
		return e, diag.Errorf(s.SHA256.At, CodeLock, "source '%s' has the digest %s in %s, but weft.yml says %s",
			s.Name, e.Digest, v.Lock.path, s.SHA256.Text).WithHint("lock it again: %s", command)
	}
	return e, nil
}

// satisfies reports whether what is locked is what weft.yml asks for: a version, a range, a commit or its
// beginning, or a digest.
func (e Entry) satisfies(spec string) bool {
	const shortest = 7 // as git shortens commits
	switch {
	case spec == "" || spec == e.Commit || spec == e.Digest:
		return true
	case e.Version == "":
		return len(spec) >= shortest && strings.HasPrefix(e.Commit, spec)
	}
	return allows(spec, e.Version)
}

// failure returns errors with the files that their places are in.
func (v *Vendor) failure(list diag.List) error {
	if len(list) == 0 {
		return nil
	}
	return &diag.Failure{Files: v.Project.Files, List: list}
}

func texts(items []project.Item) (all []string) {
	for _, x := range items {
		all = append(all, x.Text)
	}
	return all
}
