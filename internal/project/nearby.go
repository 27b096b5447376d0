package project

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"

	"weft/internal/engine/gitdir"
	"weft/internal/lang/diag"
)

// mostEntries is how many files and directories Nearby looks at; a second is enough for these.
const mostEntries = 1_000_000

// Nearby returns the path of a project file that may read files of a directory: one in its repository, or below
// it if there is no repository. It returns "" if there is none. The file need not be one that can be opened.
func Nearby(ctx context.Context, dir string) (file string, err error) {
	if file, _ := search(dir); file != "" { // also one that may not be opened
		return file, nil
	}
	root, count := rootOf(dir), 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // no project can be opened in a directory that cannot be listed
		}
		switch count++; {
		case ctx.Err() != nil:
			return ctx.Err()
		case count > mostEntries:
			return diag.Failf(CodeFile, "looking for %s: '%s' has more than %d files", FileName, root, mostEntries)
		case path != root && gitdir.IsName(entry.Name()) && entry.IsDir():
			return filepath.SkipDir
		case strings.EqualFold(entry.Name(), FileName) && path != root: // some systems ignore case
			file = relative(path)
			return filepath.SkipAll
		}
		return nil
	})
	return file, err
}
