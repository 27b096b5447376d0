package outdir

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"slices"

	"weft/internal/lang/diag"
)

// Kept is a file that Prune does not delete, although this run does not write it.
type Kept struct{ Path, Why string }

// pruning decides which files of earlier runs are deleted.
type pruning struct {
	target Target
	d      *directory
	now    map[string]string // the paths that this run writes, by key

	stale []string // the files to delete
	kept  []Kept
}

// prune finds the files in before that still exist and are not in now.
func (t Target) prune(d *directory, before listed, now manifest) (*pruning, error) {
	w := &pruning{target: t, d: d, now: map[string]string{}}
	if before.undated > 0 {
		w.keep(manifestName, "it has "+diag.Count(before.undated, "line")+" without digests, as earlier "+
			"versions of weft wrote them, and the files that they name are not deleted")
	}
	if before.refused > 0 {
		w.keep(manifestName, "it has "+diag.Count(before.refused, "line")+" with paths that weft would not write")
	}
	rest := before.without(now)
	if len(rest) == 0 {
		return w, nil
	}
	for _, e := range now {
		w.now[Key(e.path)] = e.path
	}
	for len(rest) > 0 {
		p := rest[0].path
		n := slices.IndexFunc(rest, func(e entry) bool { return e.path != p })
		if n < 0 {
			n = len(rest)
		}
		if err := w.decide(p, rest[:n]); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	w.leaveShared()
	return w, nil
}

// leaveShared deletes nothing in a directory that is not for output alone. The manifest proves
// nothing, and people's files there are worth more than output that weft can write again.
func (w *pruning) leaveShared() {
	if len(w.stale) == 0 || w.target.Foreign == nil {
		return
	}
	if p := w.target.Foreign(); p != "" {
		w.keep(".", "it is not for output alone ('"+relative(p)+"' is there, too), so nothing in it is deleted")
		w.stale = nil
	}
}

func (w *pruning) keep(p, why string) {
	w.kept = append(w.kept, Kept{w.target.shown(p), why})
}

// decide decides whether to delete a file, which earlier runs wrote with one of these digests.
func (w *pruning) decide(p string, as manifest) error {
	info, err := w.d.lookup(p)
	switch {
	case err != nil:
		w.keep(p, "weft did not write what is there now") // such as a link
		return nil
	case info == nil || w.isWritten(p, info):
		return nil
	}
	digest, err := w.d.digest(p)
	if err != nil {
		return err
	}
	if !slices.Contains(as, entry{p, digest}) {
		w.keep(p, "it has changed since weft wrote it")
		return nil
	}
	if w.d.inOtherTree(p) {
		w.keep(p, "it is in another work tree of git")
		return nil
	}
	if keep := w.target.Keep; keep != nil {
		if why := keep(w.d.real(p)); why != "" {
			w.keep(p, why)
			return nil
		}
	}
	w.stale = append(w.stale, p)
	return nil
}

// isWritten reports whether this run writes the file under another spelling of its name that the
// file system treats as equal.
func (w *pruning) isWritten(p string, info fs.FileInfo) bool {
	now, ok := w.now[Key(p)]
	if !ok {
		return false
	}
	other, err := w.d.root.Lstat(now)
	return err == nil && os.SameFile(info, other)
}

func (d *directory) digest(p string) (string, error) {
	f, err := d.root.Open(p)
	if err != nil {
		return "", d.failed("reading", p, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", d.failed("reading", p, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
