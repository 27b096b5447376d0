package suggest

import (
	"context"
	"path/filepath"

	"weft/internal/engine/outdir"
)

// Write writes the files of a plan below a directory. New files come first: until weft.yml names them, they
// have no effect. Files that are there must be as they were when they were read.
func (p *Plan) Write(ctx context.Context, dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	var files []outdir.Replacement
	for _, f := range p.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if f.Old == nil {
			if err := outdir.CreateBelow(ctx, dir, filepath.FromSlash(f.Path), f.New); err != nil {
				return err
			}
			continue
		}
		files = append(files, outdir.Replacement{Path: name, Old: f.Old, New: f.New})
	}
	return (&outdir.Hold{}).Replace(ctx, files)
}
