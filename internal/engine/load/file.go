package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
)

// stdinName is the relative path of standard input.
const stdinName = "stdin.yml"

const onWindows = runtime.GOOS == "windows"

// slashed returns a path with forward slashes. Only Windows has a second separator: elsewhere a
// backslash is an ordinary character.
func slashed(path string, windows bool) string {
	if windows {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}

// file is a file that was found but not read, with the effects of marks so far.
type file struct {
	rel   string // relative path as found, which marks match
	path  string // where it is, as the user would write it
	name  string // its name in messages, once that is known
	fsys  fs.FS  // the file system that contains it; nil means the disk
	stdin bool
	url   string // where to fetch it, if it is not on disk

	memory *Memory // its content, if it is not on disk; or nil

	listed bool // found in a directory
	// not a regular file, and found in a directory rather than named
	irregular bool

	unnamed bool // it has no name, not even from its URL

	moved    string // new relative path; "" if none
	excluded bool
	typed    bool // a mark has set type and template
	typ      Type
	template bool
	output   output
}

// output is what marks say about a file's output; by default, the type decides.
type output uint8

const (
	unmarked output = iota
	on
	off
	exclusive // yes, even if marks on other files would leave it out
)

// input returns the file for later stages, without its bytes.
func (f *file) input() (Input, error) {
	if f.irregular {
		return Input{}, irregular(f.shown()).WithHint("weft reads only regular files in a "+
			"directory: move it elsewhere, or exclude it with --file-mark %s", diag.InShell(f.rel+":exclude=true"))
	}
	if f.unnamed && !f.typed && f.moved == "" {
		return Input{}, diag.Failf(CodeURL, "cannot tell the file type of URL '%s': it does "+
			"not end in a file name", ShownURL(f.url)).
			WithHint("give it a name: -f %s", diag.InShell("config.yml="+ShownURL(f.url)))
	}
	in := Input{Path: orElse(f.moved, f.rel), source: f}
	in.Type, in.Library = typeOf(in.Path)
	in.Template = in.Type == YAML || in.Type == Text
	if f.memory != nil && f.memory.Plain {
		in.Type, in.Template, in.Library = YAML, false, false
	}
	if f.typed {
		in.Type, in.Template = f.typ, f.template
		// A name like x.lib.yml still makes the file a library; Starlark always is one.
		in.Library = in.Type == Starlark || in.Library && (in.Type == YAML || in.Type == Text)
	}
	printable := in.Type == YAML || in.Type == Text
	in.Output = printable && !in.Library
	switch f.output {
	case on, exclusive:
		if !printable {
			return Input{}, diag.Failf(CodeUnknownType,
				"unknown file type: '%s' is marked for output, but only YAML and text files "+
					"have output", in.Path).
				WithHint("set its type: --file-mark %s", diag.InShell(f.rel+":type=yaml-plain"))
		}
		in.Output = true
	case off:
		in.Output = false
	}
	return in, nil
}

// onDisk reports whether the file can be read at any time, with its neighbors.
func (f *file) onDisk() bool { return f.memory == nil && f.url == "" && !f.stdin && f.fsys == nil }

// unreadable returns the error that the file could not be read.
func (f *file) unreadable(err error) error {
	if _, whole := err.(*diag.Diagnostic); err == nil || whole || f.url != "" {
		return err // the message is complete
	}
	return diag.Failf(CodeUnreadable, "reading file '%s': %s", f.shown(), reason(err))
}

func (f *file) bytes(opt *Options) ([]byte, error) {
	switch {
	case f.memory != nil:
		return f.memory.Data, nil
	case f.url != "":
		if opt.Fetch == nil {
			return Fetch(context.Background(), f.url, opt.RedirectsOf(f.url))
		}
		return opt.Fetch(f.url)
	case f.stdin:
		stdin := opt.Stdin
		if o, ok := stdin.(*once); ok {
			if o.used {
				return nil, stdinTwice()
			}
			o.used = true
		}
		if stdin == nil {
			return nil, nil
		}
		return f.readAll(stdin, 0, maxStream, 1)
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return f.readAll(r, 0, maxStream, 1)
	}
	return f.readAll(r, info.Size(), source.MaxSize, opt.Workers)
}

func (f *file) open() (fs.File, error) {
	if f.fsys != nil {
		return f.fsys.Open(f.path)
	}
	return os.Open(f.path)
}

// maxStream is the maximum number of bytes from a pipe. Its length is unknown, so an endless one
// must fail before it fills the memory.
const maxStream = 1 << 30

// readAll reads r, which claims to have size bytes and may have at most limit.
func (f *file) readAll(r io.Reader, size, limit int64, workers parallel.Workers) ([]byte, error) {
	if file, ok := r.(*os.File); ok && size >= 2*sliceSize && size <= limit {
		if data := readSlices(file, size, workers); data != nil {
			return data, nil
		}
	}
	if size <= limit {
		data, err := readStream(io.LimitReader(r, limit+1), int(size))
		if err != nil || int64(len(data)) <= limit {
			return data, err
		}
	}
	err := diag.Failf(CodeTooLarge, "reading file '%s': it is larger than %d "+
		"bytes", f.shown(), limit)
	if limit < source.MaxSize {
		err.WithHint("write it to a file first: files may be larger than pipes")
	}
	return nil, err
}

// A long stream is read in pieces of growing size.
const (
	smallPiece = 64 << 10
	largePiece = 32 << 20
)

// readStream reads r, which probably has size bytes. Longer streams are read in pieces, since a
// growing buffer would take several times the memory.
func readStream(r io.Reader, size int) ([]byte, error) {
	var pieces [][]byte
	total := 0
	next := size + 1 // one byte more, to detect the end
	if size == 0 {
		next = smallPiece
	}
	for ; ; next = min(max(2*next, smallPiece), largePiece) {
		piece := make([]byte, next)
		n, err := io.ReadFull(r, piece)
		pieces = append(pieces, piece[:n])
		total += n
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(pieces) == 1 {
		return pieces[0], nil
	}
	data := make([]byte, 0, total)
	for i, p := range pieces {
		data = append(data, p...)
		pieces[i] = nil
	}
	if total > 2*largePiece {
		// the pieces are garbage, and the next allocation may be large; there is hardly anything to
		// scan yet
		debug.FreeOSMemory()
	}
	return data, nil
}

// sliceSize is the size of the slices of a large file that are read in parallel: touching memory
// for the first time costs more than reading.
const sliceSize = 2 << 20

// readSlices reads a file of the given size, or returns nil if the size is different.
func readSlices(r io.ReaderAt, size int64, workers parallel.Workers) []byte {
	data := make([]byte, size)
	var odd atomic.Bool
	workers.Each(int((size+sliceSize-1)/sliceSize), func(i int) {
		start := int64(i) * sliceSize
		part := data[start:min(start+sliceSize, size)]
		if n, _ := r.ReadAt(part, start); n < len(part) {
			odd.Store(true)
		}
	})
	if n, err := r.ReadAt(make([]byte, 1), size); n > 0 || err != io.EOF || odd.Load() {
		return nil
	}
	return data
}

// StdinShown is the name of standard input in messages, whatever its name in templates.
const StdinShown = "(stdin)"

// shown returns the name of the file in messages: as the user would find it.
func (f *file) shown() string {
	switch {
	case f.stdin:
		return StdinShown
	case f.memory != nil:
		return f.rel
	case f.url != "":
		return ShownURL(f.url)
	}
	return filepath.FromSlash(f.path)
}

// below returns the path of a file below the directory dir, which stays as the user has written it;
// the working directory is left out.
func below(dir, rel string) string {
	if filepath.Clean(dir) == "." {
		return rel
	}
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + rel
	}
	return dir + string(filepath.Separator) + rel
}

// reason returns the last part of an error of the operating system, without the path.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// list finds the files at path: path itself, or everything below it. name is for a single file
// only.
func (s Symlinks) list(name, path string) ([]*file, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, statError(path, err, namesIn)
	}
	root := path
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, root, err = s.follow(path); err != nil {
			return nil, err
		}
	}
	if !info.IsDir() {
		if !readable(info) {
			return nil, irregular(path)
		}
		return []*file{
			{rel: orElse(name, slashed(filepath.Base(path), onWindows)), path: path},
		}, nil
	}
	return s.walk(path, root)
}

// staging is the directory in which package outdir keeps files before it renames them into place.
// Another run may be using it.
const staging = ".weft-tmp"

// walk finds all files below the directory root, which the user calls dir. Symbolic links count as
// files, even those to directories: so a tree is finite, and each file has one path.
func (s Symlinks) walk(dir, root string) ([]*file, error) {
	var files []*file
	git := gitIn{root: root}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return diag.Failf(CodeUnreadable, "listing files '%s': %s: %s", dir, path, reason(err))
		}
		if path != root && gitdir.IsName(entry.Name()) {
			return skip(entry)
		}
		if entry.IsDir() {
			if path == root {
				return nil
			}
			if entry.Name() == staging || git.has(path) {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		path = below(dir, rel)
		kind := entry.Type() // from the directory entry, without a stat
		if kind&fs.ModeSymlink != 0 {
			info, target, err := s.follow(path)
			if err != nil {
				return within(dir, err)
			}
			if git.leadsTo(target) {
				return nil // skip a link to something that is skipped
			}
			kind = info.Mode()
		}
		files = append(files, &file{
			rel:       slashed(rel, onWindows),
			path:      path,
			listed:    true,
			irregular: !kind.IsDir() && !kind.IsRegular(),
		})
		return nil
	})
	return files, err
}

// gitIn finds what belongs to git in a directory. If the directory itself belongs to git, nothing is
// skipped: the user named it on purpose.
type gitIn struct {
	root     string
	finder   gitdir.Finder
	real, of string // for the root: its path without links, and the git directory that contains it
}

// has reports whether a directory below the root belongs to git.
func (g *gitIn) has(dir string) bool {
	g.look()
	rel, err := filepath.Rel(g.root, dir)
	if err != nil {
		return g.leadsTo(dir)
	}
	of := g.finder.OfReal(filepath.Join(g.real, rel))
	return of != "" && of != g.of
}

// leadsTo reports whether the target of a link belongs to git.
func (g *gitIn) leadsTo(target string) bool {
	g.look()
	of := g.finder.Of(target)
	return of != "" && of != g.of
}

// look examines the root. Trees without directories and links do not need that.
func (g *gitIn) look() {
	if g.real != "" {
		return
	}
	g.of, g.real = g.finder.Of(g.root), g.root
	if abs, err := filepath.Abs(g.root); err == nil {
		g.real = gitdir.Resolved(abs)
	}
}

// skip reports what belongs to git: users who name a directory do not ask for it, and it may contain
// a password.
func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil // such as the file in a submodule
}

// within adds the directory to an error, keeping the code and the hint.
func within(dir string, err error) error {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		d.Message = "listing files '" + dir + "': " + d.Message
	}
	return err
}

// statError returns the error that path cannot be read. names lists a directory, to suggest a
// similar name; it may be nil.
func statError(path string, err error, names func(dir string) []string) error {
	if errors.Is(err, fs.ErrNotExist) {
		d := diag.Failf(CodeNotFound, "checking file '%s': no such file or directory", path)
		if scheme, _, ok := strings.Cut(path, "://"); ok {
			return d.WithHint("weft fetches only http:// and https:// URLs, not %s://", scheme)
		}
		if names != nil {
			if near := nearest(path, names); near != "" {
				d.WithHint("did you mean %s?", diag.QuotedPathInShell(near))
			}
		}
		return d
	}
	return diag.Failf(CodeUnreadable, "checking file '%s': %s", path, reason(err))
}

// nearest returns the path of an existing file that path is most likely a misspelling of, or "". It
// corrects the first part that does not exist.
func nearest(path string, names func(dir string) []string) string {
	dir, base := filepath.Split(
		strings.TrimRightFunc(
			path,
			func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) },
		),
	)
	if base == "" {
		return ""
	}
	list := names(orElse(dir, "."))
	if list == nil && dir != "" && filepath.Clean(dir) != string(filepath.Separator) {
		near := nearest(dir, names)
		if near == "" {
			return ""
		}
		return filepath.Join(near, base)
	}
	near := diag.Nearest(base, list)
	if near == "" {
		return ""
	}
	return dir + near
}

// maxNames is the maximum number of names in a directory that are considered for a suggestion.
const maxNames = 10_000

// namesIn returns the names in a directory on disk, or nil if there is none.
func namesIn(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, err := d.Readdirnames(maxNames)
	if err != nil && err != io.EOF {
		return nil
	}
	slices.Sort(names) // sorted, so that the same name is always suggested if two are equally similar
	return names
}

// readable reports whether a file has finite content: a regular file, or a named pipe.
func readable(info fs.FileInfo) bool {
	return info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0
}

func irregular(path string) *diag.Diagnostic {
	return diag.Failf(CodeIrregular, "'%s' is not a regular file", path)
}

// PathBelow returns the path of a file on disk below the folder of the input, at the relative path
// rel, that is not an input; or "".
func (in Input) PathBelow(rel string) string {
	f := in.source
	if f == nil || f.fsys != nil || f.path == "" || f.stdin || f.url != "" || f.memory != nil ||
		!fs.ValidPath(rel) {
		return ""
	}
	p := filepath.Join(filepath.Dir(f.path), filepath.FromSlash(rel))
	if info, err := os.Lstat(p); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return p
}
