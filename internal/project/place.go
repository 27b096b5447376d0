package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// FileName is the name of a project file.
const FileName = "weft.yml"

// places resolves the paths of a project, and checks which it may use.
type places struct {
	fsys    fs.FS // nil means the disk
	root    string
	real    string   // root without links
	outside []string // what may be used outside of root, without links
	urls    []string // URLs that may be fetched, with everything below them
	name    string   // the name of root in messages; "" means the project

	drafted string // a project file that is not read, because draft is its text
	draft   []byte

	reads func(path string) // called before a path is read

	gitMu sync.Mutex
	git   gitdir.Finder

	mu      sync.Mutex
	checked map[string]*diag.Diagnostic // the error of a path, or nil
	written map[string]*diag.Diagnostic // the error of a path that is written, or nil
}

// find locates the project. It returns the path of the project file.
func (p *places) find(opts Options) (string, error) {
	p.fsys = opts.FS
	p.checked, p.written = map[string]*diag.Diagnostic{}, map[string]*diag.Diagnostic{}
	p.reads = opts.Reads
	if p.reads == nil || p.fsys != nil {
		p.reads = func(string) {}
	}
	if p.fsys != nil {
		p.root, p.real = ".", "."
		isPath := func(o string) bool { return !load.IsRemote(o) }
		p.urls = slices.DeleteFunc(slices.Clone(opts.AllowOutside), isPath)
		file := FileName
		if opts.Path != "" {
			file = path.Clean(filepath.ToSlash(opts.Path))
		}
		if _, err := fs.Stat(p.fsys, file); errors.Is(err, fs.ErrNotExist) && opts.Path == "" {
			return "", ErrNone
		}
		return file, nil
	}
	file := filepath.Clean(opts.Path)
	if opts.Path == "" {
		var err error
		if file, err = search(opts.Dir); err != nil {
			return "", err
		}
	}
	p.enclose(rootOf(filepath.Dir(file)), opts.AllowOutside)
	if d := p.escapes(file); d != nil { // messages show lines of the file
		return "", d
	}
	return file, nil
}

// enclose sets the directory that paths must not leave, and the exceptions.
func (p *places) enclose(root string, allow []string) {
	p.root, p.real = root, resolved(root)
	for _, o := range allow {
		if load.IsRemote(o) {
			p.urls = append(p.urls, o)
		} else {
			p.outside = append(p.outside, resolved(load.DiskPath(o)))
		}
	}
}

// called returns the name in messages of the directory that paths must not leave.
func (p *places) called() string {
	if p.name == "" {
		return "the project"
	}
	return p.name
}

// search looks for a project file in a directory and its parents, up to the repository's root.
// Without a repository it looks only in the directory: its parents may belong to anyone.
func search(dir string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", diag.Failf(CodeFile, "finding the current directory: %s", reason(err))
	}
	root := rootOf(from)
	for at := from; ; at = filepath.Dir(at) {
		file := filepath.Join(at, FileName)
		if _, err := os.Lstat(file); err == nil {
			return relative(file), planted(file)
		}
		if at == root {
			return "", ErrNone
		}
	}
}

// planted returns an error for a project file that another user has put into a directory that
// everyone may write to. A file named explicitly is fine.
func planted(file string) error {
	if !ownedByOther(file) || !openToAll(filepath.Dir(file)) {
		return nil
	}
	shown := relative(file)
	return diag.Failf(CodeFile, "'%s' belongs to another user, in a directory that all users may write to",
		shown).WithHint("if you trust it, name it: --project %s", diag.PathInShell(shown))
}

// rootOf returns the directory that paths of a project in dir may not leave: its repository, or dir
// if there is none. A repository in the home directory does not count, since it contains everything.
func rootOf(dir string) string {
	home, _ := os.UserHomeDir()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at := abs; at != home && filepath.Dir(at) != at; at = filepath.Dir(at) {
		if isRepository(at) {
			return at
		}
	}
	return abs
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// relative returns a path for messages: relative to the current directory, if possible.
func relative(file string) string {
	wd, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(wd, file)
	if err != nil {
		return file
	}
	return rel
}

// resolved returns a path without links, as far as it exists.
func resolved(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(resolved(dir), filepath.Base(abs))
	}
	return abs
}

// from resolves a path in a project file, relative to the current directory.
func (p *places) from(file *File, name string) string {
	if p.fsys != nil {
		if path.IsAbs(name) {
			return name
		}
		return path.Join(path.Dir(file.Path), name)
	}
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	joined := filepath.Join(filepath.Dir(file.Path), name)
	if load.IsURL(joined) { // a directory may be called `file:`
		joined = "." + string(filepath.Separator) + joined
	}
	return joined
}

// check returns an error if a path cannot be read: it must exist, and stay in the project.
func (p *places) check(name string, at source.Span) *diag.Diagnostic {
	return p.once(p.checked, name, at, p.problem)
}

// once returns the result of find for a path that is named at a place. It calls find once for each
// path: the settings of an environment are computed several times, and most of that time would be
// spent in find.
func (p *places) once(
	known map[string]*diag.Diagnostic, name string, at source.Span, find func(string) *diag.Diagnostic,
) *diag.Diagnostic {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, ok := known[name]
	if !ok {
		d = find(name)
		known[name] = d
	}
	if d == nil {
		return nil
	}
	placed := *d
	placed.At = at
	return &placed
}

func (p *places) problem(name string) *diag.Diagnostic {
	if p.fsys != nil {
		return p.problemInFS(name)
	}
	if d := p.escapes(name); d != nil {
		return d
	}
	p.reads(name)
	if _, err := os.Stat(name); err != nil {
		return missing(name, err, namesIn)
	}
	return irregular(name)
}

func (p *places) problemInFS(name string) *diag.Diagnostic {
	if d := p.escapesFS(name); d != nil {
		return d
	}
	if _, err := fs.Stat(p.fsys, name); err != nil {
		return missing(name, err, func(dir string) []string {
			entries, _ := fs.ReadDir(p.fsys, path.Clean(filepath.ToSlash(dir)))
			return entryNames(entries)
		})
	}
	return nil
}

// escapesFS is escapes for a file system. If it cannot tell links, only the name counts.
func (p *places) escapesFS(name string) *diag.Diagnostic {
	if !fs.ValidPath(name) && !gitdir.IsBelow(name) {
		return diag.Failf(CodeOutside, "'%s' is outside of the project", name)
	}
	if gitdir.InFS(p.fsys, name) {
		return ofGit(name)
	}
	switch real, ok := gitdir.RealIn(p.fsys, name); {
	case ok:
		return nil
	case real == name:
		return diag.Failf(CodeOutside, "'%s' is outside of the project", name)
	default:
		return diag.Failf(CodeOutside, "'%s' leads to '%s', outside of the project", name, real)
	}
}

// escapes returns an error if a path leads out of the project, even through links. It need not
// exist.
func (p *places) escapes(name string) *diag.Diagnostic {
	real := resolved(name)
	if p.isGit(name, real) {
		return ofGit(name)
	}
	for _, dir := range append([]string{p.real}, p.outside...) {
		if within(dir, real) {
			return nil
		}
	}
	hint := "move it into " + p.called() + ", or allow it with --allow-outside %s"
	if abs, err := filepath.Abs(name); err == nil && within(p.root, abs) { // through a link
		return diag.Failf(CodeOutside, "'%s' leads to '%s', outside of %s", name, real, p.called()).
			WithHint(hint, diag.PathInShell(real))
	}
	return diag.Failf(CodeOutside, "'%s' is outside of %s, which is in '%s'", name, p.called(),
		relative(p.root)).WithHint(hint, diag.PathInShell(name))
}

// checkWritten returns an error if an output would be outside of the project.
func (p *places) checkWritten(name string, at source.Span) *diag.Diagnostic {
	return p.once(p.written, name, at, p.escapes)
}

// isGit reports whether a path, which is real without links, belongs to git.
func (p *places) isGit(name, real string) bool {
	p.gitMu.Lock()
	defer p.gitMu.Unlock()
	return gitdir.IsBelow(name) || p.git.OfReal(real) != ""
}

// ofGit returns the error that a path belongs to git. No project has a reason to name such a path:
// reading there may reveal a password, and files written there may be run.
func ofGit(name string) *diag.Diagnostic {
	return diag.Failf(CodeGit, "'%s' belongs to git, and a project must not name it", name).
		WithHint("choose another path")
}

// checkInside returns an error for a path that leads out of the project. It need not exist.
func (p *places) checkInside(name string, at source.Span) *diag.Diagnostic {
	escapes := p.escapes
	if p.fsys != nil {
		escapes = p.escapesFS
	}
	d := escapes(name)
	if d != nil {
		d.At = at
	}
	return d
}

// within reports whether a path is a directory itself, or below it.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// fetches returns an error if a URL may not be fetched.
func (p *places) fetches(url string, at source.Span) *diag.Diagnostic {
	if slices.ContainsFunc(p.urls, func(allowed string) bool { return load.BelowURL(allowed, url) }) {
		return nil
	}
	who := p.called()
	if p.name != "" {
		who = "the configuration"
	}
	return diag.Errorf(at, CodeOutside, "%s reads the URL '%s'", who, diag.Shortened(load.ShownURL(url))).
		WithHint("allow it with --allow-outside %s, or keep a copy in %s",
			diag.InShell(load.ShownURL(url)), p.called())
}

// missing returns the error that a path does not exist, with a suggestion.
func missing(name string, err error, names func(dir string) []string) *diag.Diagnostic {
	if !errors.Is(err, fs.ErrNotExist) {
		return diag.Failf(CodePath, "cannot read '%s': %s", name, reason(err))
	}
	d := diag.Failf(CodePath, "'%s' does not exist", name)
	dir, base := filepath.Split(filepath.Clean(name))
	if dir == "" {
		dir = "."
	}
	if near := diag.Nearest(base, names(filepath.Clean(dir))); near != "" {
		d.WithHint("did you mean %s?", diag.QuotedPathInShell(filepath.Join(dir, near)))
	}
	return d
}

func namesIn(dir string) []string {
	entries, _ := os.ReadDir(dir)
	return entryNames(entries)
}

func entryNames(entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// read returns the bytes of a project file.
func (p *places) read(name string) ([]byte, error) {
	if p.draft != nil && name == p.drafted {
		return p.draft, nil
	}
	if p.fsys != nil {
		return fs.ReadFile(p.fsys, name)
	}
	p.reads(name)
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	return os.ReadFile(name)
}

// reason returns an error without the path, which the message already names.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}
