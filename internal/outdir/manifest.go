package outdir

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"weft/internal/diag"
	"weft/internal/emit"
)

// manifest is the files that runs have written to a directory, sorted: the file .weft-manifest. It
// is made by the first run with Prune and kept up to date by all runs from then on. Nil is no
// manifest.
//
// It holds a path a line, in quotes if the path has odd characters. Lines that begin with "#" say
// nothing. Whoever can write to the directory can change it, so its paths are trusted no more than
// any other: they go through cleanPath.
type manifest []string

const manifestHead = "# Files that weft wrote here; --prune deletes those that it no longer " +
	"writes.\n"

func newManifest(files []emit.File) manifest {
	m := make(manifest, 0, len(files))
	for _, f := range files {
		m = append(m, f.Path)
	}
	slices.Sort(m)
	return slices.Compact(m)
}

func (m manifest) equal(o manifest) bool { return (m == nil) == (o == nil) && slices.Equal(m, o) }

func (m manifest) union(o manifest) manifest {
	both := append(append(manifest{}, m...), o...)
	slices.Sort(both)
	return slices.Compact(both)
}

// without are the paths of m that o does not have.
func (m manifest) without(o manifest) []string {
	var paths []string
	for _, p := range m {
		if _, found := slices.BinarySearch(o, p); !found {
			paths = append(paths, p)
		}
	}
	return paths
}

func (m manifest) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(manifestHead)
	for _, p := range m {
		if quoted := strconv.Quote(p); quoted != `"`+p+`"` || p[0] == '#' ||
			strings.TrimSpace(p) != p {
			p = quoted
		}
		b.WriteString(p)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// parseManifest reads a manifest. Lines that cannot be paths of output are passed over: not to
// remove a file is always the safe mistake.
func parseManifest(data []byte, windows bool) manifest {
	m := manifest{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '"' {
			p, err := strconv.Unquote(line)
			if err != nil {
				continue
			}
			line = p
		}
		if p, problem := cleanPath(line, windows); problem == "" {
			m = append(m, p)
		}
	}
	slices.Sort(m)
	return slices.Compact(m)
}

func (d *directory) readManifest() (manifest, error) {
	info, err := d.root.Lstat(manifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, d.failed("reading", manifestName, err)
	case !info.Mode().IsRegular():
		return nil, diag.Failf(
			CodePath,
			"expected '%s' to be a file that weft wrote, but it is not a regular file",
			d.shown(manifestName),
		)
	}
	data, err := d.root.ReadFile(manifestName)
	if err != nil {
		return nil, d.failed("reading", manifestName, err)
	}
	return parseManifest(data, onWindows), nil
}

// stale are the files of before that are still there, and have no place in now. What has been
// replaced by something that weft does not write, such as a link, is not weft's any more.
func (d *directory) stale(before, now manifest) []string {
	var paths []string
	for _, p := range before.without(now) {
		if info, err := d.lookup(p); err == nil && info != nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// writeManifest puts a manifest in the place of another, if it says something else.
func (d *directory) writeManifest(before, m manifest, sync bool) error {
	if m.equal(before) {
		return nil
	}
	const staged = stagingName + "/manifest"
	err := d.write(staged, m.bytes(), nil, sync)
	if err == nil {
		err = d.root.Rename(staged, manifestName)
	}
	if err != nil {
		return d.failed("writing", manifestName, err)
	}
	return nil
}
