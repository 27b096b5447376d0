package outdir

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// manifest lists the files that runs have written to a directory, sorted: the file .weft-manifest.
// The first run with Prune creates it, and all later runs keep it up to date. Nil means no manifest.
//
// Each line has the digest and the path of a file, as sha256sum prints them. Paths with unusual
// characters are quoted, and lines that begin with "#" are comments. Anyone who can write to the
// directory can change the manifest, and anyone who can commit to a repository can add one. So it
// proves nothing: its paths go through manifestPath, and a file is not deleted if its digest differs
// or if it is an input.
type manifest []entry

// entry is a file as a run wrote it. A path has several entries while a run is in progress.
type entry struct{ path, digest string }

const manifestHead = "# Files that weft wrote here; --prune deletes those that it no longer " +
	"writes.\n"

func newManifest(files []emit.File) manifest {
	m := make(manifest, 0, len(files))
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		m = append(m, entry{f.Path, hex.EncodeToString(sum[:])})
	}
	return m.sorted()
}

func (m manifest) sorted() manifest {
	slices.SortFunc(m, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.digest, b.digest))
	})
	return slices.Compact(m)
}

func (m manifest) equal(o manifest) bool { return (m == nil) == (o == nil) && slices.Equal(m, o) }

func (m manifest) union(o manifest) manifest {
	return append(append(manifest{}, m...), o...).sorted()
}

// has reports whether m contains a path.
func (m manifest) has(p string) bool {
	_, found := slices.BinarySearchFunc(m, p, func(e entry, p string) int { return strings.Compare(e.path, p) })
	return found
}

// without returns the entries of m whose paths are not in o.
func (m manifest) without(o manifest) manifest {
	rest := manifest{}
	for _, e := range m {
		if !o.has(e.path) {
			rest = append(rest, e)
		}
	}
	return rest
}

func (m manifest) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(manifestHead)
	for _, e := range m {
		p := e.path
		if quoted := strconv.Quote(p); quoted != `"`+p+`"` || strings.TrimSpace(p) != p {
			p = quoted
		}
		b.WriteString(e.digest + "  " + p + "\n")
	}
	return b.Bytes()
}

// listed is the content of a manifest file.
type listed struct {
	manifest
	undated int // lines without a digest, as earlier versions of weft wrote them
	refused int // lines with a path that weft does not write
}

// isWhole reports whether all lines of the file are used.
func (l listed) isWhole() bool { return l.undated+l.refused == 0 }

// parseManifest reads a manifest. It skips and counts lines that no run of weft has written: then
// their files are kept, which is always safe.
func parseManifest(data []byte) listed {
	l := listed{manifest: manifest{}}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		digest, name, ok := strings.Cut(line, "  ")
		if !ok || !isDigest(digest) {
			l.undated++
			continue
		}
		if p, ok := manifestPath(name); ok {
			l.manifest = append(l.manifest, entry{p, digest})
		} else {
			l.refused++
		}
	}
	l.manifest = l.manifest.sorted()
	return l
}

func isDigest(s string) bool {
	return len(s) == hex.EncodedLen(sha256.Size) && strings.Trim(s, "0123456789abcdef") == ""
}

// manifestPath returns the path of a line, if Write would write exactly that path.
func manifestPath(name string) (string, bool) {
	if strings.HasPrefix(name, `"`) {
		p, err := strconv.Unquote(name)
		if err != nil {
			return "", false
		}
		name = p
	}
	p, problem := cleanPath(name, onWindows)
	isDrive := len(name) > 1 && name[1] == ':'
	return p, problem == "" && p == name && !isDrive && !strings.Contains(name, `\`)
}

func (d *directory) readManifest() (listed, error) {
	info, err := d.root.Lstat(manifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return listed{}, nil
	case err != nil:
		return listed{}, d.failed("reading", manifestName, err)
	case !info.Mode().IsRegular():
		return listed{}, diag.Failf(
			CodePath,
			"expected '%s' to be a file that weft wrote, but it is not a regular file",
			d.shown(manifestName),
		)
	}
	data, err := d.root.ReadFile(manifestName)
	if err != nil {
		return listed{}, d.failed("reading", manifestName, err)
	}
	return parseManifest(data), nil
}

// writeManifest replaces a manifest if it has changed.
func (d *directory) writeManifest(before listed, m manifest, sync bool) error {
	if before.isWhole() && m.equal(before.manifest) {
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
