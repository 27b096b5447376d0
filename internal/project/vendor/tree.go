package vendor

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/archive"
)

// Tree is the files of a source, sorted by name. It never changes.
type Tree struct {
	files []archive.File
	links map[string]bool // names of symbolic links on disk, whose data is their target; weft writes none
	bare  bool            // they are on a disk that has no mark for programs, as on Windows
}

// newTree returns the tree of files.
func newTree(files []archive.File, links map[string]bool) *Tree {
	slices.SortFunc(files, func(a, b archive.File) int { return strings.Compare(a.Name, b.Name) })
	return &Tree{files: files, links: links}
}

// Files returns the files, sorted by name.
func (t *Tree) Files() []archive.File { return t.files }

// taken returns the files of a release that patterns choose, below the folder that all patterns have in
// common, and the names of files that are left out because a clone of the project would not be the same with
// them.
func taken(all *archive.Files, paths, exclude []string) (t *Tree, left []string, err error) {
	keep := chosenBy(paths, exclude)
	chosen, err := all.Select(func(name string) bool {
		return keep(name) && !gitdir.IsCheckout(path.Base(name))
	})
	if err != nil {
		return nil, nil, err
	}
	if len(chosen.Names()) == 0 {
		return nil, nil, noFiles(all.Names(), paths)
	}
	for _, name := range all.Names() {
		if keep(name) && gitdir.IsCheckout(path.Base(name)) {
			left = append(left, name)
		}
	}
	prefix := CommonDir(paths)
	var files []archive.File
	for f := range chosen.All() {
		full := f.Name
		f.Name = strings.TrimPrefix(full, prefix)
		if problem := outdir.Problem(f.Name); problem != "" {
			return nil, nil, diag.Failf(CodeFetch, "'%s' of the source cannot be written: %s", full, problem).
				WithHint("leave it out: list it in `exclude`, or the files you need in `paths`")
		}
		files = append(files, f)
	}
	t = newTree(files, nil)
	if dir, ok := gitdir.InTree(t.names()); ok {
		return nil, nil, diag.Failf(CodeFetch, "git would take the folder '%s' of the source for a repository",
			dir).WithHint("leave out its file HEAD: list it in `exclude`, or the files you need in `paths`")
	}
	return t, left, nil
}

// names returns the names of the files.
func (t *Tree) names() []string {
	names := make([]string, len(t.files))
	for i, f := range t.files {
		names[i] = f.Name
	}
	return names
}

// Takes returns a function that reports whether a source takes a file.
func Takes(s project.Vendored) func(name string) bool {
	return chosenBy(texts(s.Paths), texts(s.Exclude))
}

// chosenBy returns a function that reports whether patterns choose a file.
func chosenBy(paths, exclude []string) func(name string) bool {
	return func(name string) bool {
		return (len(paths) == 0 || matchesAny(paths, name)) && !matchesAny(exclude, name)
	}
}

// noFiles returns the error that patterns choose none of the files of a source.
func noFiles(names, paths []string) error {
	if len(names) == 0 {
		return diag.Failf(CodeFetch, "the source has no files")
	}
	d := diag.Failf(CodeFetch, "none of the %s of the source matches %s", diag.Count(len(names), "file"),
		"'"+strings.Join(paths, "', '")+"'")
	if len(paths) == 0 {
		return d.WithHint("`exclude` leaves out all of them")
	}
	if near := diag.Nearest(paths[0], names); near != "" {
		return d.WithHint("did you mean %s?", near)
	}
	return d.WithHint("the first file is %s; ** matches any folders, as in **/*.yml", names[0])
}

// Hash returns the hash of the names, the modes and the bytes of all files, in the manner of the sums of
// Go modules: that of a list with one line per file, which begins with the hash of the file.
func (t *Tree) Hash() string {
	all := sha256.New()
	for _, f := range t.files {
		mode := "-"
		switch {
		case t.links[f.Name]:
			mode = "l"
		case f.Executable:
			mode = "x"
		}
		fmt.Fprintf(all, "%x %s %s\n", sha256.Sum256(f.Data), mode, f.Name)
	}
	return fmt.Sprintf("sha256:%x", all.Sum(nil))
}

// withLF returns the tree with the line ends that text has on most systems.
func (t *Tree) withLF() *Tree {
	files := slices.Clone(t.files)
	for i := range files {
		files[i].Data = bytes.ReplaceAll(files[i].Data, []byte("\r\n"), []byte("\n"))
	}
	return &Tree{files, t.links, t.bare}
}

// is reports whether the files are those of an entry. Where the disk has no mark for programs, those of the
// entry are programs.
func (t *Tree) is(e Entry) bool { return t.as(e).Hash() == e.Tree }

// as returns the tree with the programs of an entry, where the disk has no mark for them.
func (t *Tree) as(e Entry) *Tree {
	if !t.bare {
		return t
	}
	programs := map[string]bool{}
	for _, name := range e.Executable {
		programs[name] = true
	}
	files := slices.Clone(t.files)
	for i := range files {
		files[i].Executable = programs[files[i].Name]
	}
	return newTree(files, t.links)
}

// programs returns the names of the programs.
func (t *Tree) programs() (names []string) {
	for _, f := range t.files {
		if f.Executable {
			names = append(names, f.Name)
		}
	}
	return names
}

// ReadFolder reads the files of a source from its folder. It returns nil if there are none.
func ReadFolder(dir string) (*Tree, error) { return onDisk(dir) }

// folder returns the files of a source that are there, or nil if there are none.
func folder(s project.Vendored) (*Tree, error) {
	all, err := onDisk(s.Dir)
	if err != nil || all == nil {
		return nil, err
	}
	t := all.of(s)
	if len(t.files) == 0 {
		return nil, noFiles(all.names(), texts(s.Paths))
	}
	return t, nil
}

// of returns the files in the folder of a source that belong to it: all, unless the folder is one of the
// repository, which may have others.
func (t *Tree) of(s project.Vendored) *Tree {
	if s.Kind != "dir" {
		return t
	}
	keep := Takes(s)
	chosen := slices.DeleteFunc(slices.Clone(t.files), func(f archive.File) bool { return !keep(f.Name) })
	return &Tree{chosen, t.links, t.bare}
}

// onDisk reads the files below a directory. It returns nil if there are none. Links are not followed, and
// what belongs to git is left out.
func onDisk(dir string) (*Tree, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return nil, diag.Failf(CodeChanged, "'%s' is a symbolic link, not a folder", dir).
			WithHint("remove the link, and run weft vendor")
	case err == nil && !info.IsDir():
		return nil, diag.Failf(CodeChanged, "'%s' is a file, not a folder", dir).
			WithHint("remove it, and run weft vendor")
	}
	var files []archive.File
	links := map[string]bool{}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && gitdir.IsName(d.Name()):
			return fs.SkipDir
		case d.IsDir() || gitdir.IsName(d.Name()):
			return nil
		}
		f, link, err := readFile(root, name, d)
		if err != nil {
			return err
		}
		if link {
			links[name] = true
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, unreadable(dir, err)
	}
	if files == nil { // git keeps no empty folders
		return nil, nil
	}
	t := newTree(files, links)
	t.bare = runtime.GOOS == "windows"
	return t, nil
}

// readFile reads a file, or the target of a link.
func readFile(root *os.Root, name string, d fs.DirEntry) (f archive.File, link bool, err error) {
	f.Name = name
	info, err := d.Info()
	switch {
	case err != nil:
		return f, false, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		f.Data = []byte(target)
		return f, true, err
	case !info.Mode().IsRegular():
		return f, false, fmt.Errorf("'%s' is not a regular file", name)
	}
	f.Executable = outdir.IsExecutable(info)
	f.Data, err = root.ReadFile(name)
	return f, false, err
}

func unreadable(dir string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return diag.Failf(CodeChanged, "cannot read '%s': %s", filepath.Join(dir, e.Path), e.Err)
	}
	return diag.Failf(CodeChanged, "cannot read '%s': %s", dir, err)
}

// matchesAny reports whether a pattern matches a name, or a folder that it is in.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		return load.MatchPath(p, name) || strings.HasPrefix(name, p+"/")
	})
}

// CommonDir returns the folder, with a slash at its end, that the files of all patterns are in; "" for
// none.
func CommonDir(patterns []string) string {
	common := ""
	for i, p := range patterns {
		fixed, _, starred := strings.Cut(p, "*")
		dir := ""
		if !starred && !strings.HasSuffix(p, "/") {
			dir = path.Dir(p) + "/"
		} else if n := strings.LastIndexByte(fixed, '/'); n >= 0 {
			dir = fixed[:n+1]
		}
		if dir == "./" {
			dir = ""
		}
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	return common
}

// output returns the files for outdir, and which of them are programs.
func (t *Tree) output() (files []emit.File, executable func(string) bool) {
	programs := map[string]bool{}
	for _, f := range t.files {
		files = append(files, emit.File{Path: f.Name, Data: f.Data})
		programs[f.Name] = f.Executable
	}
	return files, func(name string) bool { return programs[name] }
}
