package weft

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/tree"
	"weft/internal/origin/compare"
	"weft/internal/project"
)

// File is a file in memory: an input, or a file of a result.
type File struct {
	Path string // relative, with forward slashes
	Data []byte

	// Plain makes an input YAML whose annotations mean nothing, whatever its path ends with, as
	// --file-mark type=yaml-plain does.
	Plain bool
}

// Files returns the files of the result, with the relative paths of the inputs that produced them:
// first text files, then YAML files. YAML files contain YAML whatever Options.Format is, as in ytt.
// A file that produced no document is left out; one whose documents were all removed by overlays is
// empty.
func (r *Result) Files() []File {
	made := r.written()
	files := make([]File, len(made))
	for i, f := range made {
		files[i] = r.file(f)
	}
	return files
}

// file is a file of the result for a caller, who may change its bytes. Those that are kept for the
// next result, or that may be part of an input, are copied.
func (r *Result) file(f emit.File) File {
	if r.printed != nil || r.keeps() {
		f.Data = bytes.Clone(f.Data)
	}
	return File{Path: f.Path, Data: f.Data}
}

// Split returns the files of the result with one file for each document, named by a pattern such as
// {kind|lower}-{name}.yml. Text files keep their paths. With the format JSON, documents are written
// as JSON. If a document has no name, or two have the same, the error is an *Error with their
// places.
func (r *Result) Split(pattern string) ([]File, error) {
	made, err := r.split(pattern)
	if err != nil {
		return nil, r.placed(err)
	}
	files := make([]File, len(made))
	for i, f := range made {
		files[i] = r.file(f)
	}
	return files, nil
}

// filesFor is the files that are written to a directory.
func (r *Result) filesFor(d Dir) ([]emit.File, error) {
	var files []emit.File
	var err error
	switch {
	case d.Single != "":
		var b bytes.Buffer
		_, _ = r.WriteTo(&b) // a buffer takes everything
		files = []emit.File{{Path: d.Single, Data: b.Bytes()}}
	case d.Split != "":
		files, err = r.split(d.Split)
	default:
		files = r.written()
	}
	if err == nil && r.project {
		err = r.protect(d, files)
	}
	return files, err
}

// protect refuses to overwrite the files of a project: nobody sees its output paths when it runs.
func (r *Result) protect(d Dir, files []emit.File) error {
	byName := map[string][]string{} // one file may have names in upper and in lower case
	for _, p := range r.made.Read {
		key := outdir.Key(filepath.Base(p))
		byName[key] = append(byName[key], p)
	}
	var list diag.List
	for _, f := range files {
		target := filepath.Join(d.Path, filepath.FromSlash(f.Path))
		for _, p := range byName[outdir.Key(filepath.Base(target))] {
			if sameFile(target, p) {
				list = append(list, diag.Errorf(f.From, project.CodeOutput,
					"the output would overwrite '%s', which the project reads", p).
					WithHint("write to another directory"))
				break
			}
		}
	}
	if list != nil {
		return list
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// written is the same as Files, with the inputs that files are made of.
func (r *Result) written() []emit.File {
	data := r.fileTexts()
	var texts, docs []emit.File
	for i, out := range r.made.Outputs {
		file := emit.File{
			Path: out.File.Input.Path,
			Data: data[i],
			From: out.File.Input.File.Span(0, 0),
		}
		switch {
		case out.File.Input.Type == load.Text:
			texts = append(texts, file)
		case len(file.Data) > 0 || out.Kept:
			docs = append(docs, file)
		}
	}
	return append(texts, docs...)
}

// fileData is what the file of an output holds.
func (r *Result) fileData(out *eval.Output) []byte {
	switch {
	case out.File.Input.Type == load.Text:
		return []byte(out.Text)
	case r.keeps():
		from := keep.Source{File: out.File.Input.File, Docs: out.Docs}
		return r.made.Keep.Bytes(r.made.Files, from)
	}
	return emit.Bytes(out.Docs)
}

// keeps reports whether the result is written as the files have it that it comes from.
func (r *Result) keeps() bool { return r.made.Keep != nil && r.made.Outputs != nil }

// Misplaced returns the place of a #cloud-config line that WriteTo does not write first, although
// cloud-init looks for it nowhere else. It reports false if there is none; see Options.Keep.
func (r *Result) Misplaced() (Place, bool) {
	if !r.keeps() || r.made.Keep.What&keep.Comments == 0 {
		return Place{}, false
	}
	first := true
	for i := range r.made.Outputs {
		out := &r.made.Outputs[i]
		if out.File.Input.Type == load.Text || !r.prints(out) {
			continue
		}
		if at, ok := r.made.Keep.Header(out.File.Input.File); ok && !first {
			return placeIn(r.made.Files, at), true
		}
		first = false
	}
	return Place{}, false
}

// prints reports whether there is something to write of an output.
func (r *Result) prints(out *eval.Output) bool {
	from := keep.Source{File: out.File.Input.File, Docs: out.Docs}
	return r.made.Keep.Whole(from) ||
		slices.ContainsFunc(out.Docs, func(d tree.Document) bool { return !d.Value.Empty() })
}

// joined is the YAML files of the result as one stream.
func (r *Result) joined() []byte { return keep.Join(r.yamlTexts(), r.yaml) }

// ParseBulk reads files from JSON, in the order given: {"files": [{"name": "config.yml", "data":
// "a: 1\n"}]}.
func ParseBulk(data []byte) ([]File, error) {
	parsed, err := emit.ParseBulk(data)
	if err != nil {
		return nil, ErrorOf(err)
	}
	files := make([]File, len(parsed))
	for i, f := range parsed {
		files[i] = File{Path: f.Path, Data: f.Data}
	}
	return files, nil
}

// WriteBulk writes files, or an error, as one JSON value that ParseBulk reads. The member errors
// contains the error as text for people.
func WriteBulk(w io.Writer, files []File, failure error) error {
	var text strings.Builder
	if failure != nil {
		_ = ErrorOf(failure).Render(&text, false) // a builder takes everything
	}
	_, err := emit.Bulk(w, emitted(files), strings.TrimPrefix(text.String(), "weft: error: "))
	return err
}

// Dir is a directory to write files to, and how.
type Dir struct {
	Path string

	// Emptied replaces the whole directory, so that it contains the files and nothing else, in one
	// step where the system supports that. Directories such as the home directory are refused.
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
	Updated   []string // those that existed with other contents
	Unchanged []string // those that existed with the same contents
	Removed   []string // files that Prune deleted

	// Kept lists files of earlier runs that Prune did not delete, although this one does not write
	// them.
	Kept []KeptFile
}

// KeptFile is a file that Prune did not delete, and the reason: it has changed since it was written,
// or something reads it.
type KeptFile struct{ Path, Why string }

// WriteFiles writes the files of the result to a directory. It replaces each file atomically and
// does not touch files that stay the same. New files have mode 0644 and new directories 0755, minus
// the umask; existing ones keep their mode. If there is not enough room for all files, or one may
// not be written, none is. The error may be that of the context, or one whose code and hint ErrorOf
// returns.
func (r *Result) WriteFiles(ctx context.Context, d Dir) (Changes, error) {
	files, err := r.filesFor(d)
	if err != nil {
		return Changes{}, r.placed(err)
	}
	to := r.target(d)
	to.Written = r.writtenTo(d.Path)
	done, err := to.Write(ctx, files)
	made := Changes{
		Created: done.Created, Updated: done.Updated, Unchanged: done.Unchanged, Removed: done.Removed,
	}
	for _, k := range done.Kept {
		made.Kept = append(made.Kept, KeptFile(k))
	}
	return made, r.placed(err)
}

// Diff writes what WriteFiles would change as a unified diff, and reports whether nothing would.
func (r *Result) Diff(ctx context.Context, w io.Writer, d Dir) (same bool, err error) {
	files, err := r.filesFor(d)
	if err != nil {
		return false, r.placed(err)
	}
	changes, err := r.target(d).Changes(ctx, files)
	if err != nil {
		return false, r.placed(err)
	}
	texts := make([]compare.Text, len(changes))
	for i, c := range changes {
		texts[i] = compare.Text(c)
	}
	err = withoutData(w, texts, func(w io.Writer) (err error) {
		same, err = r.target(d).Diff(ctx, w, files)
		return err
	})
	return same, r.placed(err)
}

// placed is an error of output with the files that its places point into.
func (r *Result) placed(err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	return &Error{files: r.made.Files, list: list}
}

// Repair restores a directory that WriteFiles was replacing when it was killed. WriteFiles calls it
// first; call it before Render to restore the directory even if Render fails.
func (d Dir) Repair(ctx context.Context) error { return d.target().Repair(ctx) }

func (d Dir) target() outdir.Target {
	return outdir.Target{Dir: d.Path, Emptied: d.Emptied, Prune: d.Prune, Sync: d.Sync}
}

// target is a directory for the files of the result, and what must not be lost there.
func (r *Result) target(d Dir) outdir.Target {
	t := d.target()
	t.Inputs, t.Keep = r.made.Read, r.keeper()
	return t
}

func emitted(files []File) []emit.File {
	list := make([]emit.File, len(files))
	for i, f := range files {
		list[i] = emit.File{Path: f.Path, Data: f.Data}
	}
	return list
}
