package project

import (
	"os"
	"path/filepath"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Bounds limits what a file may refer to. It is for files that the person who runs weft may not have
// written: a weft.yml, a test file, the configuration of a KRM function. Paths must stay in one
// directory, even through links, and lead to files and directories; other paths, and URLs, must be
// allowed.
type Bounds struct{ places *places }

// Bounds returns the bounds of the project.
func (p *Description) Bounds() *Bounds { return &Bounds{&p.places} }

// NewBounds returns the bounds of a directory, which messages call name, plus what allow lists
// outside of it.
func NewBounds(dir, name string, allow []string) *Bounds {
	p := &places{
		name: name, reads: func(string) {},
		checked: map[string]*diag.Diagnostic{}, written: map[string]*diag.Diagnostic{},
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	p.enclose(dir, allow)
	return &Bounds{p}
}

// BoundsOf returns the bounds of a file that belongs to no project: its repository, or the current
// directory if the file is below that, or its own directory.
func BoundsOf(file string, allow []string) *Bounds {
	dir := filepath.Dir(file)
	root := rootOf(dir)
	if wd, err := os.Getwd(); err == nil && !isRepository(root) && within(resolved(wd), resolved(dir)) {
		root = wd
	}
	return NewBounds(root, "the repository", allow)
}

// Encloses reports whether a path is below the directory, even through links.
func (b *Bounds) Encloses(name string) bool {
	abs, err := filepath.Abs(name)
	return err == nil && within(b.places.root, abs)
}

// Check returns an error if a path must not be read.
func (b *Bounds) Check(name string, at source.Span) *diag.Diagnostic { return b.places.check(name, at) }

// CheckInside returns an error for a path outside of the bounds, or that is neither a file nor a
// directory. The path need not exist.
func (b *Bounds) CheckInside(name string, at source.Span) *diag.Diagnostic {
	d := b.places.checkInside(name, at)
	if d == nil && b.places.fsys == nil {
		if d = irregular(name); d != nil {
			d.At = at
		}
	}
	return d
}

// Writes returns an error for a path that must not be written: one outside of the bounds, or
// through a link.
func (b *Bounds) Writes(name string, at source.Span) *diag.Diagnostic {
	if d := b.CheckInside(name, at); d != nil {
		return d
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return diag.Errorf(at, CodePath, "cannot write '%s': %s", name, reason(err))
	}
	if rel, err := filepath.Rel(b.places.root, abs); err == nil && filepath.IsLocal(rel) {
		abs = filepath.Join(b.places.real, rel) // links above the directory are harmless
	}
	if real := resolved(abs); real != abs {
		return diag.Errorf(at, CodeOutside, "'%s' is a link or in one, which leads to '%s'", name, real).
			WithHint("name the file that is to be written")
	}
	return nil
}

// Fetches returns an error for a URL that may not be fetched.
func (b *Bounds) Fetches(url string, at source.Span) *diag.Diagnostic {
	return b.places.fetches(url, at)
}

// URLs returns the URLs that may be fetched, with everything below them.
func (b *Bounds) URLs() []string {
	if b == nil || b.places == nil {
		return nil
	}
	return b.places.urls
}

// irregular returns an error for a path to something that has no end or may block: a device, a pipe,
// a socket.
func irregular(name string) *diag.Diagnostic {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return nil
	}
	return diag.Failf(CodePath, "'%s' is not a regular file", name)
}
