package workspace

import (
	"path/filepath"
	"slices"

	"weft/internal/project/watch"
)

// Watch watches the files of the folders on disk, for clients that do not.
func (s *Session) Watch() {
	s.mu.Lock()
	s.watching = true
	s.mu.Unlock()
	for _, f := range s.list() {
		f.watch()
	}
}

func (f *Folder) watch() {
	if f.disk == nil {
		return
	}
	w := watch.New(false)
	for _, name := range foreignNames {
		w.Ignore(filepath.Join(f.root, name))
	}
	w.Add(f.root)
	go func() {
		defer w.Close()
		for {
			changes, err := w.Next(f.ctx)
			if err != nil {
				return
			}
			paths := slices.Concat(changes.Files, changes.Passed)
			for i, p := range paths {
				paths[i] = f.pathOf(p)
			}
			f.diskChanged(paths)
		}
	}()
}

// pathOf returns a path on disk as a path in the folder.
func (f *Folder) pathOf(name string) string {
	rel, err := filepath.Rel(f.root, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}
