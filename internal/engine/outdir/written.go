package outdir

import (
	"bytes"
	"io/fs"
	"os"
	"sync"

	"weft/internal/engine/emit"
)

// Written is the files of a directory as the last Write left them, for one that follows: files that
// no one has touched since need not be read to be compared. Whether someone has is told by what the
// system says of a file, not by its content. The zero value knows nothing.
type Written struct {
	mu    sync.Mutex
	files map[string]writtenFile
}

type writtenFile struct {
	data []byte
	info fs.FileInfo
}

// use keeps it from others until the function is called that it gives.
func (w *Written) use() (done func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	return w.mu.Unlock
}

// holds reports whether the file that is there, of which info was told, is known to be the same as f.
func (w *Written) holds(f emit.File, info fs.FileInfo) bool {
	if w == nil {
		return false
	}
	was, ok := w.files[f.Path]
	return ok && untouched(was.info, info) && bytes.Equal(was.data, f.Data)
}

// untouched reports whether a file is the one that it was.
func untouched(was, is fs.FileInfo) bool {
	return os.SameFile(was, is) && was.Size() == is.Size() && was.Mode() == is.Mode() &&
		was.ModTime().Equal(is.ModTime())
}

// remember takes the files as they are now. Those of which nothing can be told are left out.
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
