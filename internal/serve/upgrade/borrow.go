package upgrade

import (
	"errors"
	"io/fs"

	"weft/internal/project"
	"weft/internal/project/vendor"
)

// Borrow returns the files of a revision, with the folders of vendored sources that it does not have as they
// are on disk today: git may ignore them. It also returns these folders.
func Borrow(revision fs.FS, p *project.Description) (fs.FS, []string, error) {
	var borrowed []string
	with := newFiles([]mount{{".", revision, "."}})
	for _, s := range p.Vendored() {
		dir, err := below(p.Root(), s.Dir)
		if err != nil || s.Kind == "dir" {
			continue
		}
		if _, err := fs.Stat(revision, dir); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		t, err := vendor.ReadFolder(s.Dir)
		if err != nil {
			return nil, nil, err
		}
		if t != nil {
			with.replace(dir, t.Files())
			borrowed = append(borrowed, s.Dir)
		}
	}
	if borrowed == nil {
		return revision, nil, nil
	}
	return with, borrowed, nil
}
