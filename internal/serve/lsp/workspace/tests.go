package workspace

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"weft/internal/project"
)

// maxTestFiles limits the test files that are listed.
const maxTestFiles = 1000

// TestFile is a file that `weft test` runs.
type TestFile struct {
	*TextDocument
	Project string // the path of weft.yml
}

// TestFiles returns the files that `weft test` runs in the projects of the folder, in the order of their paths.
// It returns none if the client does not run tests, or the folder is not trusted.
func (s *Snapshot) TestFiles(ctx context.Context) ([]TestFile, error) {
	if s.folder.disk == nil || s.folder.root == "" || !s.folder.session.opt.RunsTests {
		return nil, nil
	}
	projects, err := s.projectFiles(ctx)
	if err != nil {
		return nil, err
	}
	var list []TestFile
	seen := map[string]bool{}
	for _, file := range projects {
		opened, err := s.folder.session.openFile(ctx, file, s.Files())
		if err != nil {
			continue // diagnostics report it
		}
		for _, name := range testFiles(opened) {
			if d := s.Document(name); d != nil && !seen[name] && len(list) < maxTestFiles {
				seen[name] = true
				list = append(list, TestFile{d, file})
			}
		}
	}
	slices.SortFunc(list, func(a, b TestFile) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// projectFiles returns the paths of all weft.yml in the folder.
func (s *Snapshot) projectFiles(ctx context.Context) (list []string, err error) {
	err = fs.WalkDir(s.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has no tests
		case !e.IsDir() && path.Base(name) == project.FileName:
			list = append(list, name)
		}
		return nil
	})
	return list, err
}
