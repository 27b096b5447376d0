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

// The limits of Below: it is for a hint.
const (
	mostSearched = 10_000 // files and directories
	mostBelow    = 5      // projects
)

// Below returns the directories below dir, relative to it, that have a project file, or the first few of them. It
// follows no links, and skips directories whose name begins with a dot.
func Below(dir string) (list []string) {
	count := 0
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		count++
		switch rel, _ := filepath.Rel(dir, path); {
		case err != nil: // others can be listed
		case count > mostSearched || len(list) == mostBelow:
			return filepath.SkipAll
		case entry.IsDir() && rel != "." && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.Name() == FileName && !entry.IsDir():
			list = append(list, filepath.ToSlash(filepath.Dir(rel)))
		}
		return nil
	})
	return list
}
