package vendor

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/unified"
	"weft/internal/project"
	"weft/internal/project/archive"
	"weft/internal/project/git"
)

// Difference is a source whose files are not those of the lock, or that the lock does not have as weft.yml
// says.
type Difference struct {
	Name    string
	Problem *diag.Diagnostic
	Patch   []byte // what is different, as a unified diff, if the repository knows the locked files; or nil
}

// Check compares the folder of sources with the lock. It makes no request, and runs git only for files
// of this repository.
func (v *Vendor) Check(ctx context.Context, names []string) ([]Difference, error) {
	sources, err := v.named(names)
	if err != nil {
		return nil, err
	}
	var found []Difference
	for _, s := range sources {
		e, d := v.locked(s)
		if d != nil {
			found = append(found, Difference{Name: s.Name, Problem: d})
			continue
		}
		there, err := folder(s)
		switch {
		case err != nil:
			return nil, v.failure(diag.Of(sourceError(s, err)))
		case there == nil:
			found = append(found, Difference{Name: s.Name, Problem: missingFolder(s)})
		case !there.is(e):
			found = append(found, v.difference(ctx, s, e, there))
		}
	}
	if len(names) == 0 {
		found = append(found, v.leftOver()...)
	}
	return found, context.Cause(ctx)
}

// missingFolder returns the error that the files of a source are not there.
func missingFolder(s project.Vendored) *diag.Diagnostic {
	if s.Kind == "dir" {
		return changedDir(s, false)
	}
	return diag.Errorf(s.At, CodeChanged, "the folder '%s' is missing", s.Dir).WithHint("fetch it: weft vendor")
}

// asOverlay returns how to restore a source, and keep what was edited in it as an overlay. Commands do that
// only if there is one output: an environment that does not have the source would not have the edit.
func (v *Vendor) asOverlay(name string) string {
	names, restore := v.Project.Names(), "weft vendor --force "+diag.InShell(name)
	env := ""
	switch len(names) {
	case 0:
	case 1:
		env = " " + diag.InShell(names[0])
	default:
		return "move the change into an overlay, then restore the files: " + restore
	}
	return "turn the change into an overlay: t=$(mktemp) && weft render" + env + ` > "$t" && ` + restore +
		" && weft suggest" + env + ` --to "$t" --write`
}

// difference returns how the files of a source differ from those that were locked.
func (v *Vendor) difference(ctx context.Context, s project.Vendored, e Entry, there *Tree) Difference {
	d := Difference{Name: s.Name, Problem: changedDir(s, true)}
	if s.Kind != "dir" {
		d.Problem = diag.Errorf(s.At, CodeChanged, "the files in '%s' are not those of %s", s.Dir, v.Lock.path).
			WithHint("%s", v.asOverlay(s.Name))
	}
	if s.Kind != "dir" && there.withLF().is(e) {
		d.Problem.Message = "git has changed the line ends of files in '" + s.Dir + "'"
		d.Problem.WithHint("add the line `%s/** -text` to %s, commit it, and restore the files: "+
			"weft vendor --force %s",
			v.relative(v.Project.VendorDir()), filepath.Join(v.dir(), ".gitattributes"), diag.InShell(s.Name))
		return d
	}
	if was := v.committed(ctx, s, e); was != nil {
		d.Patch = patch(filepath.ToSlash(s.Dir), was, there.as(e))
	}
	return d
}

// committed returns the files of a source as they were committed with the lock, or nil if the repository
// does not have them.
func (v *Vendor) committed(ctx context.Context, s project.Vendored, e Entry) *Tree {
	root := v.Project.Root()
	for _, rev := range []string{"HEAD", git.LastChange(ctx, root, v.Lock.path)} {
		if rev == "" {
			continue
		}
		if t := treeAt(ctx, s, rev); t != nil && t.Hash() == e.Tree {
			return t
		}
	}
	return nil
}

// treeAt returns the files of a source at a revision, or nil.
func treeAt(ctx context.Context, s project.Vendored, rev string) *Tree {
	r, err := git.Open(ctx, s.Dir, rev)
	if err != nil {
		return nil
	}
	defer r.Close()
	var files []archive.File
	err = fs.WalkDir(r, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fs.ErrInvalid)
		}
		data, err := fs.ReadFile(r, name)
		files = append(files, archive.File{Name: name, Data: data, Executable: info.Mode()&0o100 != 0})
		return err
	})
	if err != nil {
		return nil
	}
	return newTree(files, nil).of(s)
}

// patch returns the difference between two trees as a unified diff.
func patch(dir string, was, is *Tree) (out []byte) {
	old, now := byName(was), byName(is)
	names := slices.Collect(maps.Keys(old))
	for name := range now {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		a, inOld := old[name]
		b, inNew := now[name]
		from, to := path.Join(dir, name), path.Join(dir, name)
		if !inOld {
			from = "/dev/null"
		}
		if !inNew {
			to = "/dev/null"
		}
		switch {
		case !bytes.Equal(a.Data, b.Data) || inOld != inNew:
			out = unified.Append(out, from, to, a.Data, b.Data)
		case a.Executable != b.Executable:
			out = append(out, "the permissions of "+to+" have changed\n"...)
		}
	}
	return out
}

func byName(t *Tree) map[string]archive.File {
	files := map[string]archive.File{}
	for _, f := range t.files {
		files[f.Name] = f
	}
	return files
}

// leftOver returns entries of the lock that weft.yml does not have.
func (v *Vendor) leftOver() (found []Difference) {
	for _, name := range slices.Sorted(maps.Keys(v.Lock.entries)) {
		if _, err := v.Source(name); err != nil {
			found = append(found, Difference{Name: name, Problem: diag.Failf(CodeLock,
				"%s has '%s', which is not a source of %s", v.Lock.path, name, v.Project.Path()).
				WithHint("bring the two together: weft vendor update")})
		}
	}
	return found
}
