package archive

import (
	"archive/tar"
	"errors"
	"io"
	"path"
	"strings"
)

func (e *entries) readTar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return e.broken(err)
		}
		if e.layer > 0 && e.whiteout(h.Name) {
			if err := e.counted(0); err != nil {
				return err
			}
			continue
		}
		if err := e.addTar(t, h); err != nil {
			return err
		}
	}
}

func (e *entries) addTar(t *tar.Reader, h *tar.Header) error {
	switch h.Typeflag {
	case tar.TypeXGlobalHeader: // git archive has one, with the commit
		return e.counted(0)
	case tar.TypeDir:
		return e.add(h.Name, entry{dir: true})
	case tar.TypeReg, '\x00':
		data, err := e.content(t)
		if err != nil {
			return err
		}
		return e.add(h.Name, entry{file: File{Data: data, Executable: h.Mode&0o111 != 0}})
	case tar.TypeSymlink:
		to, why := target(path.Clean(h.Name), h.Linkname)
		return e.add(h.Name, entry{link: true, to: to, why: why})
	case tar.TypeLink:
		to, problem := cleanName(h.Linkname, false)
		if problem != "" {
			problem = "is a link to '" + h.Linkname + "', outside of the source"
		}
		return e.add(h.Name, entry{link: true, to: to, why: problem})
	default:
		return e.add(h.Name, entry{why: "is a device, a pipe, or of an unknown kind"})
	}
}

// content returns the bytes of a file. The size in the header may be a lie, so that it does not count:
// memory is taken as bytes arrive.
func (e *entries) content(r io.Reader) ([]byte, error) {
	left := e.limits.Bytes - e.bytes
	data, err := io.ReadAll(io.LimitReader(r, left+1))
	if err != nil {
		return nil, e.broken(err)
	}
	if int64(len(data)) > left {
		return nil, e.tooLarge()
	}
	return data, nil
}

// whiteout notes what an entry of a layer says is deleted, and reports whether it is such an entry.
func (e *entries) whiteout(name string) bool {
	dir, base := path.Split(path.Clean(name))
	gone, ok := strings.CutPrefix(base, ".wh.")
	switch {
	case !ok:
		return false
	case gone == ".wh..opq":
		e.opaque[path.Clean(dir)] = true
	default:
		e.gone[path.Join(dir, gone)] = true
	}
	return true
}
