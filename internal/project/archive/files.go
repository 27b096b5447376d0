// Package archive turns the bytes of tar, tar.gz and zip archives into Files: checked names, executable
// bits and bytes. Archives come from other people, so each may be an attack.
//
// It takes bytes and limits, and returns Files or a diagnostic. It leaves to others where the bytes come
// from and where the files belong: outdir writes them.
//
//	files.go    Files: listed, selected, checked
//	read.go     which format an archive has, and its limits
//	tar.go      entries of tar archives, also as layers of images
//	zip.go      entries of zip archives
//	entries.go  names that are accepted, and what several layers add up to
//	links.go    links inside an archive, which become copies
package archive

import (
	"bytes"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
)

// CodeArchive is the code of diagnostics about archives and their entries.
const CodeArchive diag.Code = "vendor/archive"

// File is one file of a source.
type File struct {
	Name       string // relative, with forward slashes, clean
	Executable bool
	Data       []byte // shared: must not be changed
}

// Mode returns the mode that the file is written with, before the umask.
func (f File) Mode() fs.FileMode {
	if f.Executable {
		return 0o755
	}
	return 0o644
}

// Files are the files of a source, sorted by name. They do not change.
//
// Some entries of an archive cannot be files of a project: devices, links that lead out. They are
// remembered, and are an error only if they are selected, so that `paths` can leave them out.
type Files struct {
	source  string // how messages call the archive
	list    []File
	refused []refusal // sorted by name
}

// refusal is an entry that cannot be a file of a project.
type refusal struct{ name, why string }

// New returns files that come from no archive, such as those of a git commit. source is how messages
// call them. Names are checked as those of an archive are.
func New(source string, list []File) (*Files, error) {
	e := newEntries(source, Limits{})
	for _, f := range list {
		if err := e.add(f.Name, entry{file: f}); err != nil {
			return nil, err
		}
	}
	return e.files()
}

// Names returns the names of the files, sorted.
func (f *Files) Names() []string {
	names := make([]string, len(f.list))
	for i, file := range f.list {
		names[i] = file.Name
	}
	return names
}

// All yields the files in the order of their names.
func (f *Files) All() iter.Seq[File] { return slices.Values(f.list) }

// Below returns the files below a directory, named relative to it.
func (f *Files) Below(dir string) *Files {
	below := &Files{source: f.source}
	for _, file := range f.list {
		if name, ok := strings.CutPrefix(file.Name, dir+"/"); ok {
			file.Name = name
			below.list = append(below.list, file)
		}
	}
	for _, r := range f.refused {
		if name, ok := strings.CutPrefix(r.name, dir+"/"); ok {
			below.refused = append(below.refused, refusal{name, r.why})
		}
	}
	return below
}

// Top returns the only directory at the top, if everything is below it, or "". Archives of releases have
// such a directory, with the version in its name.
func (f *Files) Top() string {
	top := ""
	for name := range f.everything() {
		first, _, below := strings.Cut(name, "/")
		if !below || top != "" && first != top {
			return ""
		}
		top = first
	}
	return top
}

func (f *Files) everything() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, file := range f.list {
			if !yield(file.Name) {
				return
			}
		}
		for _, r := range f.refused {
			if !yield(r.name) {
				return
			}
		}
	}
}

// Select returns the files for which keep is true; nil keeps all. It returns an error if one of them
// cannot be written on all systems, or is a pointer of git LFS, whose content is elsewhere.
func (f *Files) Select(keep func(name string) bool) (*Files, error) {
	if keep == nil {
		keep = func(string) bool { return true }
	}
	for _, r := range f.refused {
		if keep(r.name) {
			return nil, f.fail("'%s' %s", r.name, r.why)
		}
	}
	selected := &Files{source: f.source}
	for _, file := range f.list {
		if keep(file.Name) {
			selected.list = append(selected.list, file)
		}
	}
	return selected, selected.check()
}

// check returns an error for the first file that must not be written.
func (f *Files) check() error {
	seen := map[string]string{} // each name and directory by what some file system takes it for
	for _, file := range f.list {
		if isPointer(file.Data) {
			return f.fail("'%s' is a git LFS pointer, not the file itself", file.Name)
		}
		for name := file.Name; name != "."; name = path.Dir(name) {
			key := outdir.Key(name)
			if other, ok := seen[key]; ok && other != name {
				return f.fail("'%s' and '%s' are the same file on some systems", other, name)
			} else if ok {
				break // and so are the directories above it
			}
			seen[key] = name
		}
	}
	return nil
}

func (f *Files) fail(format string, args ...any) error {
	return failf(f.source, format, args...).WithHint("leave it out: list the files you need in `paths`")
}

// isPointer reports whether data is a pointer of git LFS, of any version.
func isPointer(data []byte) bool {
	const longest = 1024 // as git LFS has it
	return len(data) < longest && bytes.HasPrefix(data, []byte("version https://")) &&
		(bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")) ||
			bytes.HasPrefix(data, []byte("version https://hawser.github.com/spec/")))
}
