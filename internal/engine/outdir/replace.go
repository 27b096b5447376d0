package outdir

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// CodeChanged is for a file that has changed since weft read it.
const CodeChanged diag.Code = "emit/changed"

// Replacement is a file that was read and is to be written back. Its path contains no links.
type Replacement struct {
	Path     string
	Old, New []byte
}

// Hold keeps other runs of weft from writing to directories, so that files there can be read,
// changed and written back without losing what those runs wrote.
type Hold struct {
	dirs    map[string]*directory
	release []func()
}

// maxHeld is the maximum number of directories held at once. Each takes two open files, and a
// process may only have so many.
const maxHeld = 100

// HoldDirs waits until no other run writes to the directories, and then keeps other runs out. If
// there are too many directories, it holds none: then Replace alone makes sure that nothing is
// lost. All runs take directories in the same order, so that two runs never wait for each other.
func HoldDirs(ctx context.Context, dirs []string) (*Hold, error) {
	h := &Hold{dirs: map[string]*directory{}}
	abs := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		if p, err := filepath.Abs(dir); err == nil {
			dir = p
		}
		abs = append(abs, dir)
	}
	slices.Sort(abs)
	abs = slices.Compact(abs)
	if len(abs) > maxHeld {
		return h, nil
	}
	for _, dir := range abs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue // reading the directory reports the error
		}
		d, err := openDir(ctx, dir)
		if err != nil {
			h.Release()
			return nil, err
		}
		h.dirs[dir] = d
		release, err := hold(ctx, dir)
		if err != nil {
			h.Release()
			return nil, err
		}
		h.release = append(h.release, release)
	}
	return h, nil
}

// hold waits until tryHold succeeds.
func hold(ctx context.Context, dir string) (release func(), err error) {
	deadline := time.Now().Add(lockTime)
	for {
		if release, ok := tryHold(dir); ok {
			return release, nil
		}
		if time.Now().After(deadline) {
			return nil, diag.Failf(
				CodeWrite,
				"another program has held a lock on the directory '%s' for %s",
				dir,
				lockTime,
			)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Release lets other runs write. It may be called more than once, and on nil.
func (h *Hold) Release() {
	if h == nil {
		return
	}
	for _, release := range h.release {
		release()
	}
	h.release = nil
	for dir, d := range h.dirs {
		d.close()
		delete(h.dirs, dir)
	}
}

// Replace writes files back. Each must still have the content that was read; if one does not,
// nothing is written.
func (h *Hold) Replace(ctx context.Context, files []Replacement) error {
	folders := map[string][]Replacement{}
	var order []string
	for _, f := range files {
		if err := withoutLinks(f.Path); err != nil {
			return err
		}
		p, err := filepath.Abs(f.Path)
		if err != nil {
			return diag.Failf(CodeWrite, "finding the file '%s': %s", f.Path, reason(err))
		}
		dir := filepath.Dir(p)
		if folders[dir] == nil {
			order = append(order, dir)
		}
		f.Path = p
		folders[dir] = append(folders[dir], f)
	}
	slices.Sort(order)
	if err := unchanged("", files); err != nil {
		return err
	}
	state := "nothing was written; run weft again"
	for _, dir := range order {
		if err := h.replaceIn(ctx, dir, folders[dir], state); err != nil {
			return err
		}
		state = "files of other directories have been written; run weft again"
	}
	return nil
}

// Change writes files below a directory, which has no links in its path: replacements, and new files, whose
// Old is nil. It keeps other calls out, from the check that all files are as they were read to the last rename.
// New files come first, since others may name them. If one cannot be written, all are as they were.
func Change(ctx context.Context, dir string, files []Replacement) (err error) {
	h, err := HoldDirs(ctx, []string{dir})
	if err != nil {
		return err
	}
	defer h.Release()
	if err := unchanged(dir, files); err != nil {
		return err
	}
	var undo []func() error
	defer func() {
		if err == nil {
			return
		}
		for _, f := range slices.Backward(undo) {
			if f() != nil { // a file that another program has changed may name those that came before
				return
			}
		}
	}()
	for _, f := range files {
		if f.Old != nil {
			continue
		}
		folders := missing(dir, filepath.Dir(f.Path))
		undo = append(undo, func() error { removeAll(folders); return nil })
		if err := h.createBelow(ctx, dir, f.Path, f.New); err != nil {
			return err
		}
		undo = append(undo, func() error { return os.Remove(filepath.Join(dir, f.Path)) })
	}
	for _, f := range files {
		if f.Old == nil {
			continue
		}
		f.Path = filepath.Join(dir, f.Path)
		if err := h.Replace(ctx, []Replacement{f}); err != nil {
			return err
		}
		undo = append(undo, func() error {
			back := []Replacement{{Path: f.Path, Old: f.New, New: f.Old}}
			return h.Replace(context.WithoutCancel(ctx), back)
		})
	}
	return nil
}

// unchanged returns an error if files below a directory are not as they were read.
func unchanged(dir string, files []Replacement) error {
	for _, f := range files {
		name := filepath.Join(dir, f.Path)
		data, err := os.ReadFile(name)
		if f.Old == nil && err == nil || f.Old != nil && err == nil && !bytes.Equal(data, f.Old) {
			return changedError(name).WithHint("nothing was written; run weft again")
		}
	}
	return nil
}

// missing returns the folders on the way to one below a directory that do not exist, the innermost first.
func missing(dir, below string) (list []string) {
	for ; below != "."; below = filepath.Dir(below) {
		p := filepath.Join(dir, below)
		if _, err := os.Lstat(p); errors.Is(err, fs.ErrNotExist) {
			list = append(list, p)
		}
	}
	return list
}

// removeAll removes folders that are empty.
func removeAll(folders []string) {
	for _, p := range folders {
		_ = os.Remove(p)
	}
}

// WriteFile writes a file to a directory that is held, as the function of this name does.
func (h *Hold) WriteFile(ctx context.Context, name string, data []byte) error {
	p, err := filepath.Abs(name)
	if err != nil {
		return diag.Failf(CodeWrite, "finding the file '%s': %s", name, reason(err))
	}
	d := h.dirs[filepath.Dir(p)]
	if d == nil {
		return WriteFile(ctx, name, data)
	}
	if err := MayWrite(name); err != nil {
		return err
	}
	files, err := cleanAll([]emit.File{{Path: filepath.Base(p), Data: data}}, onWindows)
	if err != nil {
		return err
	}
	_, err = Target{Dir: filepath.Dir(p), Unlisted: true}.updateIn(ctx, d, files)
	return err
}

func (h *Hold) replaceIn(ctx context.Context, dir string, files []Replacement, state string) error {
	d := h.dirs[dir]
	if d == nil {
		var err error
		if d, err = openDir(ctx, dir); err != nil {
			return err
		}
		defer d.close()
	}
	news := make([]emit.File, len(files))
	for i, f := range files {
		name := filepath.Base(f.Path)
		data, err := d.root.ReadFile(name)
		if err != nil {
			return d.failed("reading", name, err)
		}
		if !bytes.Equal(data, f.Old) {
			return changedError(f.Path).WithHint("%s", state)
		}
		news[i] = emit.File{Path: name, Data: f.New}
	}
	t := Target{Dir: dir}
	news, err := cleanAll(news, onWindows)
	if err != nil {
		return err
	}
	_, err = t.updateIn(ctx, d, news)
	return err
}

// withoutLinks returns an error if a path contains a link that was not there when its file was
// read.
func withoutLinks(name string) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return diag.Failf(CodeWrite, "finding the file '%s': %s", name, reason(err))
	}
	if real != filepath.Clean(name) {
		return linkError(name, real)
	}
	return nil
}

func changedError(path string) *diag.Diagnostic {
	return diag.Failf(
		CodeChanged,
		"'%s' was changed by another program after weft read it, so it is not overwritten",
		path,
	)
}
