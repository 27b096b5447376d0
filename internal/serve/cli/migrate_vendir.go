package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/project/vendir"
	"weft/internal/project/vendor"
	"weft/internal/serve/cli/process"
)

// The files of vendir.
const (
	vendirFile = "vendir.yml"
	vendirLock = "vendir.lock.yml"
)

// vendir shows the sources of vendir.yml as those of weft.yml, or adds them there.
func (f *migrateFlags) vendir(cmd *cobra.Command) error {
	p, err := project.Open(project.Options{Path: projectFile(f.render.project.file)})
	if err != nil && !errors.Is(err, project.ErrNone) {
		return err
	}
	dir := "."
	if p != nil {
		dir = filepath.Dir(p.Path())
	} else if f.write {
		return process.Usagef("found no weft.yml, neither here nor above, to write the sources to").
			WithHint("`weft init --write` creates one from the files in this directory")
	}
	files := &source.Set{}
	r, err := readVendir(files, dir)
	if err != nil {
		return err
	}
	if len(r.Notes) > 0 {
		process.MessagesOf(cmd).Report(&diag.Failure{Files: files, List: r.Notes})
	}
	if len(r.Sources) == 0 {
		process.MessagesOf(cmd).Note("migrate: " + vendirFile + " has no sources for weft.yml\n")
		return nil
	}
	if !f.write {
		if _, err := cmd.OutOrStdout().Write(r.Text()); err != nil {
			return process.OutputError(err)
		}
	} else if err := declare(cmd, p, r); err != nil {
		return err
	}
	return f.afterVendir(cmd, p, r)
}

// readVendir reads both files of vendir in a directory.
func readVendir(files *source.Set, dir string) (*vendir.Result, error) {
	config, err := readVendirFile(files, filepath.Join(dir, vendirFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, process.Usagef("found no '%s'", filepath.ToSlash(filepath.Join(dir, vendirFile))).
			WithHint("run weft migrate --from vendir in the directory that has it, or with --project DIR")
	}
	if err != nil {
		return nil, err
	}
	lock, err := readVendirFile(files, filepath.Join(dir, vendirLock))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	r, err := vendir.Translate(config, lock, "")
	if err != nil {
		return nil, &diag.Failure{Files: files, List: diag.Of(err)}
	}
	return r, nil
}

// readVendirFile reads a file that does not lead out of the repository.
func readVendirFile(files *source.Set, name string) (*source.File, error) {
	if _, err := os.Lstat(name); err != nil {
		return nil, err
	}
	if err := leadsOut(project.BoundsOf(filepath.Dir(name), nil), name); err != nil {
		return nil, err
	}
	f, err := readRegular(name)
	if err != nil {
		return nil, process.Usagef("cannot read '%s': %s", name, reasonOf(err))
	}
	return files.Add(f.Name, f.Data)
}

// declare writes the sources to weft.yml.
func declare(cmd *cobra.Command, p *project.Description, r *vendir.Result) error {
	v, err := vendor.Open(p)
	if err != nil {
		return err
	}
	if err := v.Declare(cmd.Context(), r.Text()); err != nil {
		return err
	}
	added := diag.Count(len(r.Sources), "source") + " added to " + p.Path()
	process.MessagesOf(cmd).Note("migrate: " + added + "\n")
	return nil
}

// afterVendir says what is left to do.
func (f *migrateFlags) afterVendir(cmd *cobra.Command, p *project.Description, r *vendir.Result) error {
	msg := process.MessagesOf(cmd)
	for _, s := range r.Sources {
		if to := path.Join(filepath.ToSlash(vendorDirOf(p)), s.Name); s.Kind != "dir" && s.Was != to {
			msg.Note("migrate: " + diag.Visible(s.Was) + " becomes " + diag.Visible(to) + "\n")
		}
	}
	next := "migrate: next: weft vendor update, and name the new folders in `inputs`"
	if !f.write {
		next = "migrate: next: add this to weft.yml, or use --write; then weft vendor update"
	}
	msg.Note(next + "\n")
	return nil
}

// vendorDirOf returns the folder of vendored sources.
func vendorDirOf(p *project.Description) string {
	if p == nil {
		return "vendor"
	}
	return p.VendorDir()
}
