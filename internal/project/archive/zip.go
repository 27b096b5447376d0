package archive

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"path"
)

func (e *entries) readZip(data []byte) error {
	// Each entry of the directory at the end begins with these bytes. Archives inside this one may have
	// some, too, so that this is only a bound on the memory that the directory takes.
	if bytes.Count(data, []byte("PK\x01\x02")) > 4*e.limits.Entries {
		return e.failf("it has more than %d entries", e.limits.Entries).WithHint(hintHostile)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return e.broken(err)
	}
	for _, f := range z.File {
		if err := e.addZip(f); err != nil {
			return err
		}
	}
	return nil
}

func (e *entries) addZip(f *zip.File) error {
	const encrypted = 1
	mode := f.Mode()
	switch {
	case mode.IsDir():
		return e.add(f.Name, entry{dir: true})
	case f.Flags&encrypted != 0:
		return e.add(f.Name, entry{why: "is encrypted"})
	case mode&fs.ModeType != 0 && mode&fs.ModeType != fs.ModeSymlink:
		return e.add(f.Name, entry{why: "is a device, a pipe, or of an unknown kind"})
	}
	r, err := f.Open()
	if err != nil {
		return e.broken(err)
	}
	defer r.Close()
	data, err := e.content(r)
	if err != nil {
		return err
	}
	if mode&fs.ModeSymlink != 0 {
		to, why := target(path.Clean(f.Name), string(data))
		return e.add(f.Name, entry{link: true, to: to, why: why})
	}
	return e.add(f.Name, entry{file: File{Data: data, Executable: mode&0o111 != 0}})
}
