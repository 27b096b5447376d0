package suggest

import (
	"context"
	"path/filepath"

	"weft/internal/engine/outdir"
)

// Write writes the files of a plan below a directory. Files that are there must be as they were when they
// were read. If one cannot be written, all stay as they are.
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
