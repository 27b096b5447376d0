package weft

import (
	"context"
	"io"
	"path/filepath"

	"weft/internal/engine/emit"
	"weft/internal/project/fleet"
)

// File is a file in memory: an input, or a file of a result.
type File struct {
	Path string // relative, with forward slashes
	Data []byte

	// Plain makes an input YAML whose annotations have no meaning, whatever its extension is, as
	// --file-mark type=yaml-plain does.
	Plain bool
}

// Files returns the files of the result, with the relative paths of the inputs that produced them:
// first text files, then YAML files. YAML files contain YAML whatever Options.Format is, as in ytt.
// A file that produced no document is left out; one whose documents were all removed by overlays is
// empty.
func (r *Result) Files() []File { return filesOf(r.res.Files()) }

// Split returns the files of the result with one file for each document, named by a pattern such as
// {kind|lower}-{name}.yml. Text files keep their paths. With the format JSON, documents are written
// as JSON. If a document has no name, or two have the same, the error is an *Error with their
// places.
func (r *Result) Split(pattern string) ([]File, error) {
	files, err := r.res.Split(pattern)
	if err != nil {
		return nil, public(err)
	}
	return filesOf(files), nil
}

func filesOf(list []emit.File) []File {
	files := make([]File, len(list))
	for i, f := range list {
		files[i] = File{Path: f.Path, Data: f.Data}
	}
	return files
}

// LateHeader returns the place of a #cloud-config line that WriteTo does not write as the first line,
// where cloud-init expects it. It returns false if there is none; see Options.Keep.
func (r *Result) LateHeader() (Place, bool) {
	at, ok := r.res.LateHeader()
	if !ok {
		return Place{}, false
	}
	return placeIn(r.res.Result.Files, at), true
}

// Dir is a directory to write files to, and how.
type Dir struct {
	Path string

	// Emptied replaces the whole directory, so that it contains the files and nothing else, in one
	// step where the system supports that. It returns an error for directories such as the home
	// directory.
	Emptied bool

	// Prune deletes files that earlier runs wrote to the directory and this one does not. It keeps
	// a list of the files that weft wrote in .weft-manifest.
	Prune bool

	// Split, if it is not empty, writes one file for each document, named by this pattern: see
	// Result.Split.
	Split string

	// Sync waits until everything is safe on disk, even if the machine stops at once.
	Sync bool

	// Single, if not empty, is the name of the one file in the directory that gets all documents, as
	// WriteTo writes them. Text files are left out.
	Single string
}

// Changes lists what WriteFiles did, as paths that start with Dir.Path.
type Changes struct {
	Created   []string // all files of the result in order, whether they existed before or not
	Updated   []string // the ones that existed with other contents
	Unchanged []string // the ones that existed with the same contents
	Removed   []string // files that Prune deleted

	// Kept lists files of earlier runs that Prune did not delete, although this one does not write
	// them.
	Kept []KeptFile
}

// KeptFile is a file that Prune did not delete, and why: it has changed since it was written, or
// something reads it.
type KeptFile struct{ Path, Why string }

// WriteFiles writes the files of the result to a directory. It replaces each file atomically and
// does not touch files that stay the same. New files have mode 0644 and new directories 0755, minus
// the umask; existing ones keep their mode. If there is not enough room for all files, or one may
// not be written, none is. The error may be that of the context, or one whose code and hint ErrorOf
// returns.
func (r *Result) WriteFiles(ctx context.Context, d Dir) (Changes, error) {
	done, err := r.res.Write(ctx, fleet.Dir(d))
	changes := Changes{
		Created: done.Created, Updated: done.Updated, Unchanged: done.Unchanged, Removed: done.Removed,
	}
	for _, k := range done.Kept {
		changes.Kept = append(changes.Kept, KeptFile(k))
	}
	return changes, public(err)
}

// Diff writes what WriteFiles would change as a unified diff, and returns the paths of the files that
// would change. The paths start with Dir.Path.
func (r *Result) Diff(ctx context.Context, w io.Writer, d Dir) (changed []string, err error) {
	texts, err := r.res.Changes(ctx, fleet.Dir(d))
	if err != nil {
		return nil, public(err)
	}
	for _, t := range texts {
		changed = append(changed, filepath.Join(d.Path, filepath.FromSlash(t.Path)))
	}
	err = withoutData(w, texts, func(w io.Writer) error {
		_, err := r.res.Diff(ctx, w, fleet.Dir(d))
		return err
	})
	return changed, public(err)
}
