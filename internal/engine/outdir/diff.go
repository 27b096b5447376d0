package outdir

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
)

// Diff writes a unified diff of what Write would change, and reports whether there is nothing to
// change. It only reads.
func (t Target) Diff(ctx context.Context, w io.Writer, files []emit.File) (same bool, err error) {
	list, err := t.differing(ctx, files)
	if err != nil {
		return false, err
	}
	var out []byte
	for _, v := range list {
		out = v.appendDiff(out, t.shown(v.path))
	}
	if len(out) > 0 {
		_, err = w.Write(out)
	}
	return len(out) == 0, err
}

// FileChange is a file that Write would change, before and after: nil where it does not exist.
// Files that are not regular have no text.
type FileChange struct {
	Path     string
	Old, New []byte
}

// Changes returns the files that Write would change. It only reads.
func (t Target) Changes(ctx context.Context, files []emit.File) ([]FileChange, error) {
	list, err := t.differing(ctx, files)
	changes := make([]FileChange, len(list))
	for i, v := range list {
		changes[i] = FileChange{Path: v.path}
		if v.exists || v.opaque {
			changes[i].Old = append([]byte{}, v.old...)
		}
		if v.stays {
			changes[i].New = append([]byte{}, v.new...)
		}
	}
	return changes, err
}

// differing returns the files that Write would change, sorted by path.
func (t Target) differing(ctx context.Context, files []emit.File) ([]version, error) {
	files, err := cleanAll(files, onWindows)
	if err != nil {
		return nil, err
	}
	name := t.Dir
	if t.Emptied {
		p, err := t.place()
		if err != nil {
			return nil, err
		}
		name = p.path()
	}
	d, err := readDir(name)
	if err != nil {
		return nil, err
	}
	list, err := t.versions(ctx, d, files)
	if d != nil {
		d.close()
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b version) int { return strings.Compare(a.path, b.path) })
	return slices.DeleteFunc(list, version.same), nil
}

// version is a file before and after Write.
type version struct {
	path          string
	old, new      []byte
	exists, stays bool
	opaque        bool // a link or a device: it exists, but has no text
}

func (v version) same() bool {
	return v.exists && v.stays && string(v.old) == string(v.new)
}

func (v version) appendDiff(dst []byte, shown string) []byte {
	if v.opaque {
		return append(dst, "Not a file, and removed: "+diag.Visible(shown)+"\n"...)
	}
	const nothing = "/dev/null"
	from, to := nothing, nothing
	if v.exists {
		from = diag.Visible(shown)
	}
	if v.stays {
		to = diag.Visible(shown)
	}
	return unified.Append(dst, from, to, v.old, v.new)
}

// versions returns all files before and after Write. d is nil if the directory does not exist yet.
func (t Target) versions(ctx context.Context, d *directory, files []emit.File) ([]version, error) {
	var list []version
	for _, f := range files {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		v := version{path: f.Path, new: f.Data, stays: true}
		if d != nil {
			if err := v.read(d, t.Emptied); err != nil {
				return nil, err
			}
		}
		list = append(list, v)
	}
	if d == nil || !t.Emptied && !t.Prune {
		return list, nil
	}
	removed, err := t.removals(d, newManifest(files))
	if err != nil {
		return nil, err
	}
	return append(list, removed...), nil
}

// read reads the file on disk. Anything else at its path is an error, unless all of it is replaced.
func (v *version) read(d *directory, replaced bool) error {
	info, err := d.lookup(v.path)
	if info == nil || err != nil {
		if replaced {
			return nil
		}
		return err
	}
	v.exists = true
	if v.old, err = d.root.ReadFile(v.path); err != nil {
		return d.failed("reading", v.path, err)
	}
	return nil
}

// removals returns the files that Write would remove.
func (t Target) removals(d *directory, stay manifest) ([]version, error) {
	paths, err := t.removed(d, stay)
	if err != nil {
		return nil, err
	}
	var list []version
	for _, p := range paths {
		v := version{path: p}
		if err := v.read(d, t.Emptied); err != nil {
			return nil, err
		}
		v.opaque = !v.exists
		list = append(list, v)
	}
	return list, nil
}

// removed returns the paths that Write would remove.
func (t Target) removed(d *directory, stay manifest) ([]string, error) {
	if !t.Emptied {
		before, err := d.readManifest()
		if err != nil {
			return nil, err
		}
		pruned, err := t.prune(d, before, stay)
		if err != nil {
			return nil, err
		}
		return pruned.stale, nil
	}
	var paths []string
	err := fs.WalkDir(d.root.FS(), ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return d.failed("reading", "", err)
		}
		if !entry.IsDir() && !stay.has(p) {
			paths = append(paths, p)
		}
		return d.holdsGit(p, entry)
	})
	return paths, err
}
