package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"weft"
	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/serve/playground"
)

// Disk is files and directories of the user, under the names that the page shows.
type Disk struct {
	mounts  []mount
	project bool
	links   load.Symlinks

	mu    sync.Mutex
	found map[string]onDisk // the files as they were last read, by their names on the page
}

// mount is a file or a directory that the user has named.
type mount struct {
	path string // its path on disk
	name string // its name on the page; "" shows the content of a directory at the top
}

// onDisk is a file.
type onDisk struct {
	path string // the path without links, as it was when the file was read
	data []byte
}

// The maximum that is shown. Larger folders are rarely meant, and a page could not show them well.
const (
	maxFiles = 1000
	maxBytes = 6 << 20
)

// OpenDisk finds the files that the user has named, as -f does. A single directory is shown without
// its name. If project is true, it is the folder of a project, whose weft.yml decides what to render.
func OpenDisk(paths []string, project bool, links weft.Symlinks) *Disk {
	d := &Disk{project: project, links: load.Symlinks(links)}
	taken := map[string]bool{}
	for _, p := range paths {
		d.mounts = append(d.mounts, mount{p, nameFor(p, len(paths) == 1, taken)})
	}
	return d
}

// nameFor returns the name of a file or directory on the page. Names are different from each other.
func nameFor(p string, alone bool, taken map[string]bool) string {
	if alone && isDir(p) {
		return ""
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		abs = p
	}
	base := strings.Trim(filepath.ToSlash(filepath.Base(abs)), "/:")
	if base == "" {
		base = "root"
	}
	name := base
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%d/%s", i, base)
	}
	taken[name] = true
	return name
}

// Inputs returns the inputs to render; none means that the project decides.
func (d *Disk) Inputs() []string {
	if d.project {
		return nil
	}
	inputs := make([]string, len(d.mounts))
	for i, m := range d.mounts {
		inputs[i] = path.Join(".", m.name)
	}
	return inputs
}

// Read reads all files. Files that are not text are left out.
func (d *Disk) Read() ([]playground.File, error) {
	opt := load.Options{Symlinks: d.links}
	found := map[string]onDisk{}
	var files []playground.File
	size := 0
	for _, m := range d.mounts {
		inputs, err := opt.FindPath(m.path)
		if err != nil {
			return nil, err
		}
		for _, in := range inputs {
			name := in.Path
			if m.name != "" && isDir(m.path) {
				name = path.Join(m.name, in.Path)
			} else if m.name != "" {
				name = m.name
			}
			if hidden(name) || playground.CheckPaths([]playground.File{{Path: name}}) != "" {
				continue
			}
			data, err := opt.Bytes(in)
			if err != nil {
				return nil, err
			}
			if bytes.IndexByte(data, 0) >= 0 {
				continue
			}
			if size += len(data); size > maxBytes || len(files) == maxFiles {
				return nil, diag.Failf(CodeLarge, "the playground shows at most %d files and %d MB, and '%s' "+
					"has more", maxFiles, maxBytes>>20, m.path).
					WithHint("name the files that matter with -f")
			}
			real, err := filepath.EvalSymlinks(in.Disk())
			if err != nil {
				return nil, err
			}
			found[name] = onDisk{real, data}
			files = append(files, playground.File{Path: name, Data: string(data)})
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.found = found
	return files, nil
}

// CodeLarge is the code of the error for more files than the playground shows.
const CodeLarge diag.Code = "playground/large"

// hidden reports whether a file is in a folder without configuration, such as .git.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "node_modules" || gitdir.IsName(part) {
			return true
		}
	}
	return false
}

// errNoFile is the error for a file that the user has not named.
var errNoFile = errors.New(
	"only files named with -f, and new ones in a directory named with -f, can be saved")

// Save writes a file that was read, if its text is still old.
func (d *Disk) Save(ctx context.Context, name, old, data string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, ok := d.found[name]
	if !ok {
		return errNoFile
	}
	return (&outdir.Hold{}).Replace(ctx, []outdir.Replacement{
		{Path: f.path, Old: []byte(old), New: []byte(data)},
	})
}

// Create writes a new file into a directory that the user has named, or into one below it.
func (d *Disk) Create(ctx context.Context, name, data string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, below := d.mountOf(name)
	if dir == "" || hidden(name) || playground.CheckPaths([]playground.File{{Path: name}}) != "" {
		return errNoFile
	}
	err := outdir.CreateBelow(ctx, dir, filepath.FromSlash(below), []byte(data))
	var outside *fs.PathError
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is on disk already", name)
	case errors.As(err, &outside): // a link on the way leads outside
		return errNoFile
	case err != nil:
		return err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(below)))
	if err == nil {
		d.found[name] = onDisk{real, []byte(data)}
	}
	return err
}

// mountOf returns the directory that a new file belongs to, and its path below that; "" if there is
// none.
func (d *Disk) mountOf(name string) (dir, below string) {
	for _, m := range d.mounts {
		rest, ok := strings.CutPrefix(name, m.name+"/")
		if m.name == "" {
			rest, ok = name, true
		}
		if ok && isDir(m.path) {
			return m.path, rest
		}
	}
	return "", ""
}
