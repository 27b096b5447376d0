package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive, a package or an image. Its mode is 0644 or 0755.
type file struct {
	path string // with slashes
	mode fs.FileMode
	data []byte
}

// sorted returns files sorted by path.
func sorted(files []file) []file {
	byPath := func(a, b file) int { return cmp.Compare(a.path, b.path) }
	return slices.SortedFunc(slices.Values(files), byPath)
}

// below returns files moved into a folder.
func below(folder string, files []file) []file {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].path = path.Join(folder, moved[i].path)
	}
	return moved
}

// readFiles reads all files of a directory. Their modes do not depend on the umask.
func readFiles(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, file{filepath.ToSlash(rel), 0o644, data})
		return err
	})
	return sorted(files), err
}

// tarball returns a reproducible archive: order, owner and time are fixed. Folders come before their
// content.
func tarball(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	created := map[string]bool{".": true, "/": true}
	for _, f := range sorted(files) {
		for _, dir := range parents(f.path) {
			if created[dir] {
				continue
			}
			created[dir] = true
			err := w.WriteHeader(&tar.Header{
				Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: at,
			})
			if err != nil {
				return nil, err
			}
		}
		if err := writeTar(w, f, at); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// writeTar adds a file, or a folder if its path ends with a slash.
func writeTar(w *tar.Writer, f file, at time.Time) error {
	header := &tar.Header{
		Typeflag: tar.TypeReg, Name: f.path, Size: int64(len(f.data)), Mode: int64(f.mode),
		ModTime: at,
	}
	if strings.HasSuffix(f.path, "/") {
		header.Typeflag = tar.TypeDir
	}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	_, err := w.Write(f.data)
	return err
}

// parents returns the parent folders of a path, the outermost first.
func parents(name string) []string {
	var dirs []string
	dir := path.Dir(strings.TrimSuffix(name, "/"))
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// zipped returns a zip archive for Windows, as reproducible as tarball.
func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode)
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// gzipped compresses data, without a name and time in the header.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
