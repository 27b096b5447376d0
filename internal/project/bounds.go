package project

import (
	"os"
	"path/filepath"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Bounds are what files may name that the person who runs weft need not have written: a weft.yml,
// test files, the configuration of a KRM function. Paths stay in one directory, also by way of
// links, and lead to files and directories; others, and URLs, must be allowed.
type Bounds struct{ places *places }

// Bounds returns those of the project.
func (p *Description) Bounds() *Bounds { return &Bounds{&p.places} }

// NewBounds returns those of a directory, which messages call by a name, with what may be used
// outside of it.
func NewBounds(dir, name string, allow []string) *Bounds {
	p := &places{name: name, checked: map[string]*diag.Diagnostic{}, reads: func(string) {}}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	p.enclose(dir, allow)
	return &Bounds{p}
}

// BoundsOf returns those of a file that belongs to no project: its repository, or the current
// directory if it is below that, or its own.
func BoundsOf(file string, allow []string) *Bounds {
	dir := filepath.Dir(file)
	root := rootOf(dir)
	if wd, err := os.Getwd(); err == nil && !isRepository(root) && within(resolved(wd), resolved(dir)) {
		root = wd
	}
	return NewBounds(root, "the repository", allow)
}

// Encloses reports whether a path is below the directory, wherever links lead.
func (b *Bounds) Encloses(name string) bool {
	abs, err := filepath.Abs(name)
	return err == nil && within(b.places.root, abs)
}

// Check reports what is wrong with a path that is to be read.
func (b *Bounds) Check(name string, at source.Span) *diag.Diagnostic { return b.places.check(name, at) }

// Stays reports a path that leads out of them, or that is something other than a file or a directory. It
// need not exist.
func (b *Bounds) Stays(name string, at source.Span) *diag.Diagnostic {
	d := b.places.stays(name, at)
	if d == nil && b.places.fsys == nil {
		if d = irregular(name); d != nil {
			d.At = at
		}
	}
	return d
}

// Writes reports a path that is not to be written: one that leads out of them, or through a link.
func (b *Bounds) Writes(name string, at source.Span) *diag.Diagnostic {
	if d := b.Stays(name, at); d != nil {
		return d
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return diag.Errorf(at, CodePath, "cannot write '%s': %s", name, reason(err))
	}
	if rel, err := filepath.Rel(b.places.root, abs); err == nil && filepath.IsLocal(rel) {
		abs = filepath.Join(b.places.real, rel) // links above the directory are no one else's
	}
	if real := resolved(abs); real != abs {
		return diag.Errorf(at, CodeOutside, "'%s' is a link or in one, which leads to '%s'", name, real).
			WithHint("name the file that is to be written")
	}
	return nil
}

// Fetches reports a URL that may not be fetched.
func (b *Bounds) Fetches(url string, at source.Span) *diag.Diagnostic {
	return b.places.fetches(url, at)
}

// URLs returns those that may be fetched, with all below them.
func (b *Bounds) URLs() []string {
	if b == nil || b.places == nil {
		return nil
	}
	return b.places.urls
}

// irregular reports a path to what has no end, or waits: a device, a pipe, a socket.
func irregular(name string) *diag.Diagnostic {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return nil
	}
	return diag.Failf(CodePath, "'%s' is not a regular file", name)
}
