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

// manifest is the files that runs have written to a directory, sorted: the file .weft-manifest. It
// is made by the first run with Prune and kept up to date by all runs from then on. Nil is no
// manifest.
//
// It holds the digest and the path of a file a line, as sha256sum prints them, with the path in
// quotes if it has odd characters. Lines that begin with "#" say nothing. Whoever can write to the
// directory can change it, and whoever can commit to a repository can put it into each clone. So it
// is proof of nothing: its paths go through manifestPath, and a file whose content has another
// digest, or that someone reads, is not deleted.
type manifest []entry

// entry is a file as a run has written it. A path has several while a run is under way.
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

// has reports whether a path is one of m.
func (m manifest) has(p string) bool {
	_, found := slices.BinarySearchFunc(m, p, func(e entry, p string) int { return strings.Compare(e.path, p) })
	return found
}

// without returns the entries of m whose paths o does not have.
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

// listed is what a manifest file says.
type listed struct {
	manifest
	undated int // how many lines have no digest, as earlier versions of weft wrote them
	refused int // how many have a path that weft does not write
}

// isWhole reports whether all that the file says is used.
func (l listed) isWhole() bool { return l.undated+l.refused == 0 }

// parseManifest reads a manifest. Lines that no run has written are counted and passed over: not to
// remove a file is always the safe mistake.
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

// manifestPath returns the path of a line, if it is one that Write would have written as it is.
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

// writeManifest puts a manifest in the place of another, if it says something else.
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
