package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/serve/cli/process"
)

// enclose opens the files that a suggestion may read: those below dir, which may change, and what is allowed
// outside of it, also where links may lead. The file system is that of the innermost directory with all of
// them. The result converts a path of the command line to one in it, in which the current directory is here.
func (s *suggestSource) enclose(
	cmd *cobra.Command, links []string,
) (place func(here, p string) (string, error), err error) {
	real := func(p string) (string, error) {
		abs, err := filepath.Abs(load.DiskPath(p))
		return gitdir.Resolved(abs), err
	}
	if s.dir, err = real(s.dir); err != nil {
		return nil, err
	}
	readable, base := []string{s.dir}, s.dir
	for _, p := range slices.Concat(s.AllowOutside, links) {
		if load.IsRemote(p) {
			continue
		}
		r, err := real(p)
		if err != nil {
			return nil, err
		}
		for !isIn(base, r) {
			up := filepath.Dir(base)
			if up == base { // Windows has several volumes
				return nil, process.Usagef("%s reads files of one volume, but found '%s'", cmd.Name(), p)
			}
			base = up
		}
		readable = append(readable, r)
	}
	var shown []string
	for _, r := range readable {
		rel, err := filepath.Rel(base, r)
		if err != nil {
			return nil, err
		}
		shown = append(shown, filepath.ToSlash(rel))
	}
	s.Root = shown[0]
	if s.root, err = os.OpenRoot(base); err != nil {
		return nil, err
	}
	s.FS = gitdir.NewFence(s.root.FS(), base, shown)
	return func(here, p string) (string, error) {
		if filepath.IsLocal(p) {
			return path.Join(here, filepath.ToSlash(filepath.Clean(p))), nil
		}
		r, err := real(p)
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(readable, func(dir string) bool { return isIn(dir, r) }) {
			return "", process.Usagef("%s reads files of the project only, but found '%s'", cmd.Name(), p).
				WithHint("allow it with --allow-outside, or change to a directory above it")
		}
		rel, err := filepath.Rel(base, r)
		return filepath.ToSlash(rel), err
	}, nil
}

// isIn reports whether a path without links is a directory itself, or below it.
func isIn(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
