package outdir

import (
	"bytes"
	"io/fs"
	"os"
	"sync"

	"weft/internal/engine/emit"
)

// Written describes the files of a directory as the last Write left them, so that the next Write need
// not read unchanged files to compare them. Whether a file has changed is decided by its metadata,
// not by its content. The zero value describes no files.
type Written struct {
	mu    sync.Mutex
	files map[string]writtenFile
}

type writtenFile struct {
	data []byte
	info fs.FileInfo
}

// use locks w until the returned function is called.
func (w *Written) use() (done func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	return w.mu.Unlock
}

// holds reports whether the existing file, described by info, is known to be the same as f.
func (w *Written) holds(f emit.File, info fs.FileInfo) bool {
	if w == nil {
		return false
	}
	was, ok := w.files[f.Path]
	return ok && untouched(was.info, info) && bytes.Equal(was.data, f.Data)
}

// untouched reports whether a file has not changed.
func untouched(was, is fs.FileInfo) bool {
	return os.SameFile(was, is) && was.Size() == is.Size() && was.Mode() == is.Mode() &&
		was.ModTime().Equal(is.ModTime())
}

// remember records the files as they are now. It leaves out files that it cannot stat.
func (w *Written) remember(d *directory, files []emit.File, seen map[string]fs.FileInfo) {
	if w == nil {
		return
	}
	w.files = make(map[string]writtenFile, len(files))
	for _, f := range files {
		info := seen[f.Path]
		if info == nil {
			var err error
			if info, err = d.root.Lstat(f.Path); err != nil {
				continue
			}
		}
		w.files[f.Path] = writtenFile{f.Data, info}
	}
}
