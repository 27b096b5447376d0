// Package load turns what the user names (files, directories, standard input, URLs) into an ordered
// list of inputs, each with its path, its type and its bytes.
//
// It takes the values of -f and --file-mark and returns Inputs; it does not parse the files. Paths
// of inputs are relative and use forward slashes on every system.
package load

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
)

// The codes of this package's diagnostics.
const (
	CodeNotFound    diag.Code = "load/not-found"
	CodeUnreadable  diag.Code = "load/unreadable"
	CodeIrregular   diag.Code = "load/irregular" // neither a file nor a directory
	CodeSymlink     diag.Code = "load/symlink"
	CodeStdinTwice  diag.Code = "load/stdin-twice"
	CodeTooLarge    diag.Code = "load/too-large"
	CodeURL         diag.Code = "load/url"
	CodeBadName     diag.Code = "load/bad-name" // NAME=PATH
	CodeBadMark     diag.Code = "load/bad-mark"
	CodeMarkNoMatch diag.Code = "load/mark-no-match"
	CodeUnknownType diag.Code = "load/unknown-type"
)

// Options selects what to read.
type Options struct {
	Memory []Memory // files in memory: each is a group, before those of Paths
	// files, directories, "-", URLs, or NAME=PATH: each is a group, in this order
	Paths    []string
	Exclude  []string  // patterns of relative paths to leave out; they need not match
	Marks    []string  // PATH:KEY=VALUE, applied in this order
	Stdin    io.Reader // what "-" reads; nil means empty
	Symlinks Symlinks  // which symbolic links may be followed
	FS       fs.FS     // the file system of Paths; nil means the disk
	Revision string    // identifies the content of FS, which then never changes; may be ""

	Libraries []Library // folders that inputs may use as libraries, by name
	used      []Library // those of them that inputs name

	Workers parallel.Workers // how many files are read in parallel

	// Rewrite, if not nil, returns the text to use for an input. It must be safe for concurrent
	// use.
	Rewrite func(in Input, text []byte) []byte

	// Refuse, if not nil, returns why a file of FS with this size is not read, or nil. Its place is the
	// beginning of the file. Files for data.read are always read.
	Refuse func(size int64) *diag.Diagnostic

	// Untrusted are URLs that a file names, not the user. Their redirects may lead only to Allowed URLs
	// and below.
	Untrusted, Allowed []string

	// Fetch gets the content of a URL. If it is nil, the function Fetch is used, without a
	// deadline.
	Fetch func(url string) ([]byte, error)
}

// Fixed reports whether the files never change.
func (opt *Options) Fixed() bool { return opt.FS != nil && opt.Revision != "" }

// Input is one file of the run. It never changes.
type Input struct {
	File *source.File // its bytes; nil if Type is Data, which is read on demand: see Read
	Path string       // its relative path, by which it is loaded, marked and written
	Type Type

	Template bool // its annotations count; otherwise it is plain
	Library  bool // it is used only if other files load it
	Output   bool // its result is part of the output

	source *file
}

// SameKind reports whether two inputs differ at most in their texts.
func (in Input) SameKind(as Input) bool {
	return in.Path == as.Path && in.Type == as.Type && in.Template == as.Template &&
		in.Library == as.Library && in.Output == as.Output && in.Shown() == as.Shown() &&
		(in.File == nil) == (as.File == nil)
}

// Read reads a file of type Data, or one that was found. Each call reads it again.
func (in Input) Read() ([]byte, error) { return Options{}.Bytes(in) }

// Read lists the files that opt names, applies the marks, and reads what is left. The order of inputs
// decides the order of documents: groups as given, and inside a group by path, byte by byte. The
// bytes of each input are added to set under its path; messages show the path that the user can open.
func Read(set *source.Set, opt Options) ([]Input, error) {
	files, inputs, err := opt.find()
	if err != nil {
		return nil, err
	}
	data, err := opt.readAll(set, files, inputs, func(int) bool { return true })
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if !f.wanted(inputs[i]) {
			continue
		}
		if opt.Rewrite != nil && inputs[i].Type != Data {
			data[i] = opt.Rewrite(inputs[i], data[i])
		}
		if inputs[i].File, err = set.AddShown(inputs[i].Path, f.name, data[i]); err != nil {
			return nil, diag.Failf(CodeTooLarge, "%s", err)
		}
	}
	inputs, _, err = opt.withLibraries(set, inputs)
	return inputs, err
}

// List lists the files that opt names, as Read does, without reading any.
func (opt Options) List() ([]Input, error) {
	_, inputs, err := opt.find()
	return inputs, err
}

// find lists the files that opt names, with the marks applied, as files and as inputs.
func (opt *Options) find() ([]*file, []Input, error) {
	files, err := opt.list()
	if err != nil {
		return nil, nil, err
	}
	files = exclude(files, opt.Exclude)
	if files, err = mark(files, opt.Marks); err != nil {
		return nil, nil, err
	}
	libraries, err := opt.listLibraries()
	if err != nil {
		return nil, nil, err
	}
	files = append(files, libraries...)
	nameShown(files)
	inputs := make([]Input, len(files))
	for i, f := range files {
		if inputs[i], err = f.input(); err != nil {
			return nil, nil, f.unreadable(err)
		}
	}
	return files, inputs, nil
}

// readAll returns the bytes of the files to read; those on disk are read in parallel.
func (opt *Options) readAll(
	set *source.Set, files []*file, inputs []Input, read func(i int) bool,
) ([][]byte, error) {
	if refused := opt.refused(set, files, inputs, read); len(refused) > 0 {
		return nil, refused
	}
	data, errs := make([][]byte, len(files)), make([]error, len(files))
	opt.Workers.Each(len(files), func(i int) {
		if f := files[i]; f.wanted(inputs[i]) && f.onDisk() && read(i) {
			data[i], errs[i] = f.bytes(opt)
		}
	})
	for i, f := range files {
		if f.wanted(inputs[i]) && !f.onDisk() && read(i) {
			data[i], errs[i] = f.bytes(opt)
		}
		if errs[i] != nil {
			return nil, f.unreadable(errs[i])
		}
	}
	return data, nil
}

// refused returns why files are not read.
func (opt *Options) refused(
	set *source.Set, files []*file, inputs []Input, read func(i int) bool,
) (list diag.List) {
	if opt.Refuse == nil || opt.FS == nil {
		return nil
	}
	for i, f := range files {
		if f.fsys == nil || !f.wanted(inputs[i]) || !read(i) {
			continue
		}
		info, err := fs.Stat(f.fsys, f.path)
		if err != nil {
			continue // reading it says why
		}
		d := opt.Refuse(info.Size())
		if d == nil {
			continue
		}
		if empty, err := set.AddShown(inputs[i].Path, f.name, nil); err == nil {
			d.At = empty.Span(0, 0)
		}
		list = append(list, d)
	}
	return list
}

// wanted reports whether the bytes of a file are read in advance: files for data.read are not,
// unless they can be read only once.
func (f *file) wanted(in Input) bool { return in.Type != Data || f.stdin || f.url != "" }

// list finds the files that opt.Paths names, without reading any.
func (opt *Options) list() ([]*file, error) {
	var files []*file
	for _, m := range opt.Memory {
		m.Data = bytes.Clone(m.Data) // the caller may change its copy
		files = append(files, &file{rel: m.Path, memory: &m})
	}
	stdin := false
	for _, arg := range opt.Paths {
		name, path, err := splitName(arg, onWindows)
		if err != nil {
			return nil, err
		}
		if path == "-" {
			if stdin {
				return nil, stdinTwice()
			}
			stdin = true
			files = append(files, &file{rel: orElse(name, stdinName), stdin: true})
			continue
		}
		if isURL(path) {
			f := &file{rel: orElse(name, urlName(path)), url: path}
			if f.unnamed = f.rel == ""; f.unnamed {
				f.rel = "url"
			}
			files = append(files, f)
			continue
		}
		group, err := opt.listPath(name, path)
		if err != nil {
			return nil, err
		}
		files = append(files, group...)
	}
	return files, nil
}

// listPath finds the files at a path, on disk or in FS. A file gets the name, unless that is "".
func (opt *Options) listPath(name, path string) ([]*file, error) {
	listed := opt.Symlinks.list
	if opt.FS != nil {
		listed = opt.listFS
	}
	group, err := listed(name, path)
	slices.SortFunc(group, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	return group, err
}

// splitName splits NAME=PATH; a bare PATH has no name. A URL may contain "=".
func splitName(arg string, windows bool) (name, path string, err error) {
	if isURL(arg) {
		return "", arg, nil
	}
	name, path, found := strings.Cut(arg, "=")
	if !found {
		return "", arg, nil
	}
	if strings.Contains(path, "=") && !isURL(path) {
		return "", "", diag.Failf(
			CodeBadName,
			"expected file '%s' to only have a single '=' sign for relative path assignment",
			arg,
		)
	}
	if name == "" || path == "" {
		return "", "", diag.Failf(
			CodeBadName,
			"expected file '%s' to have the form NAME=PATH, but one side of the '=' is empty",
			arg,
		)
	}
	return slashed(name, windows), path, nil
}

// OnDisk returns the path on disk of a value of Paths, or "" if it names none.
func OnDisk(arg string) string {
	_, path, err := splitName(arg, onWindows)
	if err != nil || path == "-" || isURL(path) {
		return ""
	}
	return path
}

// IsDir reports whether a value of Paths names a directory.
func (opt Options) IsDir(arg string) bool {
	_, path, err := splitName(arg, onWindows)
	return err == nil && !isURL(path) && opt.isDir(path)
}

// isDir reports whether a path is that of a directory.
func (opt *Options) isDir(path string) bool {
	var info fs.FileInfo
	var err error
	if opt.FS != nil {
		info, err = fs.Stat(opt.FS, fsPath(path))
	} else {
		info, err = os.Stat(path)
	}
	return err == nil && info.IsDir()
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
