package outdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// WriteFile writes a file to an existing directory like Write: completely or not at all, never
// through a link, and never to a path that belongs to git.
func WriteFile(ctx context.Context, name string, data []byte) error {
	d, err := openFor(ctx, name)
	if err != nil {
		return err
	}
	defer d.close()
	files, err := cleanAll([]emit.File{{Path: filepath.Base(name), Data: data}}, onWindows)
	if err != nil {
		return err
	}
	_, err = Target{Dir: filepath.Dir(name)}.updateIn(ctx, d, files)
	return err
}

func openFor(ctx context.Context, name string) (*directory, error) {
	if err := MayWrite(name); err != nil {
		return nil, err
	}
	return openDir(ctx, filepath.Dir(name))
}

// CreateFile creates a file in an existing directory. The error is fs.ErrExist if the file exists.
func CreateFile(ctx context.Context, name string, data []byte) error {
	d, err := openFor(ctx, name)
	if err != nil {
		return err
	}
	defer d.close()
	return d.create(name, data)
}

// create creates a file in the open directory.
func (d *directory) create(name string, data []byte) error {
	base, problem := cleanPath(filepath.Base(name), onWindows)
	if problem != "" {
		return diag.Failf(CodePath, "cannot write a file at the path '%s': %s", name, problem)
	}
	err := d.write(base, data, nil, false)
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	}
	if err != nil {
		_ = d.root.Remove(base) // it was just created
		return d.failed("writing", base, err)
	}
	return nil
}

// CreateBelow is CreateFile for a file below a directory. It creates the directories in between. No
// link among them may point outside of the directory.
func CreateBelow(ctx context.Context, dir, below string, data []byte) error {
	return (&Hold{}).createBelow(ctx, dir, below, data)
}

// createBelow is CreateBelow while directories are held.
func (h *Hold) createBelow(ctx context.Context, dir, below string, data []byte) error {
	name := filepath.Join(dir, below)
	if err := MayWrite(name); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return dirError(dir, err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(below), dirMode); err != nil {
		return err
	}
	if abs, err := filepath.Abs(name); err == nil && h.dirs[filepath.Dir(abs)] != nil {
		return h.dirs[filepath.Dir(abs)].create(name, data)
	}
	return CreateFile(ctx, name, data)
}

// OpenLog opens a file for appending. It follows a link only if the target is not a regular file,
// such as a terminal.
func OpenLog(name string) (*os.File, error) {
	if err := MayWrite(name); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
			return nil, linkError(name, readlink(name))
		}
	}
	return os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, fileMode)
}

func readlink(name string) string {
	target, err := os.Readlink(name)
	if err != nil {
		return "?"
	}
	return target
}

// MakeDir creates a directory and its parents.
func MakeDir(name string) error {
	_, err := makeDir(name)
	return err
}
