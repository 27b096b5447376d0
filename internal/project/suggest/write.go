package suggest

import (
	"context"
	"path/filepath"

	"weft/internal/engine/outdir"
)

// Write writes the files of a plan below a directory. It writes nothing if one of them has
// changed since it was read, and undoes everything if one cannot be written.
func (p *Plan) Write(ctx context.Context, dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	var files []outdir.Replacement
	for _, f := range p.Files {
		files = append(files, outdir.Replacement{Path: filepath.FromSlash(f.Path), Old: f.Old, New: f.New})
	}
	return outdir.Change(ctx, dir, files)
}
