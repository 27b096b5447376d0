package staged

import (
	"bytes"
	"io"
	"io/fs"
	"time"
)

// Info describes a file or a folder in memory. The mode of a folder has fs.ModeDir.
type Info struct {
	Base   string // the last element of its path
	Length int64
	Bits   fs.FileMode
}

func (i Info) Name() string       { return i.Base }
func (i Info) Size() int64        { return i.Length }
func (i Info) Mode() fs.FileMode  { return i.Bits }
func (i Info) ModTime() time.Time { return time.Time{} }
func (i Info) IsDir() bool        { return i.Bits.IsDir() }
func (i Info) Sys() any           { return nil }

// OpenFile returns a file that is open for reading.
func OpenFile(info fs.FileInfo, data []byte) fs.File { return &openFile{info, bytes.NewReader(data)} }

type openFile struct {
	info fs.FileInfo
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

// OpenDir returns a folder that is open for reading.
func OpenDir(info fs.FileInfo, entries []fs.DirEntry) fs.ReadDirFile { return &openDir{info, entries} }

type openDir struct {
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.entries) {
		if n > 0 && len(d.entries) == 0 {
			return nil, io.EOF
		}
		n = len(d.entries)
	}
	some := d.entries[:n]
	d.entries = d.entries[n:]
	return some, nil
}
