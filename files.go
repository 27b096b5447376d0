package weft

import (
	"context"
	"errors"
	"io"
	"strings"

	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/outdir"
	"weft/internal/parallel"
)

// File is a file in memory: one that a run reads, or one that it made.
type File struct {
	Path string // relative, with forward slashes
	Data []byte
}

// Files are the files that the run made, with the paths of those that it read: first those of text, then those of
// YAML, which hold YAML whatever Options.Format is, as in ytt: a file named app.yml is no JSON. A YAML file that made no document is not among them; one whose documents an overlay took away is empty.
func (r *Result) Files() []File {
	made := r.written()
	files := make([]File, len(made))
	for i, f := range made {
		files[i] = File{Path: f.Path, Data: f.Data}
	}
	return files
}

// written is the same, with the inputs that files are made of.
func (r *Result) written() []emit.File {
	data := make([][]byte, len(r.made.Outputs))
	parallel.Each(len(r.made.Outputs), func(i int) { data[i] = fileData(&r.made.Outputs[i]) })
	var texts, docs []emit.File
	for i, out := range r.made.Outputs {
		file := emit.File{Path: out.File.Input.Path, Data: data[i], From: out.File.Input.File.Span(0, 0)}
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
func fileData(out *eval.Output) []byte {
	if out.File.Input.Type == load.Text {
		return []byte(out.Text)
	}
	return emit.Bytes(out.Docs)
}

// ParseBulk reads files from JSON, in the order given: {"files": [{"name": "config.yml", "data": "a: 1\n"}]}.
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

// WriteBulk writes files, or what went wrong, as one JSON value that ParseBulk reads; an error is its member errors, a text for people.
func WriteBulk(w io.Writer, files []File, failure error) error {
	var text strings.Builder
	if failure != nil {
		_ = ErrorOf(failure).Render(&text, false) // a builder takes everything
	}
	_, err := emit.Bulk(w, emitted(files), strings.TrimPrefix(text.String(), "weft: error: "))
	return err
}

// Visible is a name as one line of text, whatever is in it: one that could disturb a terminal or begin a line of its own is put in quotes.
func Visible(name string) string { return diag.Visible(name) }

// Dir is a directory to write files to, and how.
type Dir struct {
	Path string

	// Emptied makes the directory hold the files and nothing else: a new directory takes the place of the old one, in
	// one step where the system can do that. Directories that nobody wants to lose are refused.
	Emptied bool

	// Prune removes the files that earlier runs wrote to the directory and this one does not. From then on the
	// directory has a manifest, .weft-manifest, of what weft wrote.
	Prune bool

	// Sync waits until everything is safe on disk, also if the machine stops at once.
	Sync bool
}

// Changes is what WriteFiles did, as paths that begin with Dir.Path.
type Changes struct {
	Created   []string // all files that were made, in order; those that were there already, byte for byte, too
	Updated   []string // those of them that were there already, with other contents
	Unchanged []string // those of them that were there already, byte for byte
	Removed   []string // what Prune removed
}

// WriteFiles writes the files that the run made to a directory. Files that do not change are not touched, and each is at any moment
// wholly old or wholly new. New files have mode 0644 and new directories 0755, less the umask; what was there keeps its mode. If there is no room for all of them, or not all may be written, none is. The error
// may be a context's, or one with a message for people, of which ErrorOf gives the code and the hint.
func (r *Result) WriteFiles(ctx context.Context, d Dir) (Changes, error) {
	done, err := target(d, r.made.Read).Write(ctx, r.written())
	return Changes(done), r.placed(err)
}

// Diff writes what WriteFiles would change as a unified diff, and reports whether that is nothing.
func (r *Result) Diff(ctx context.Context, w io.Writer, d Dir) (same bool, err error) {
	same, err = target(d, r.made.Read).Diff(ctx, w, r.written())
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

// Repair puts back a directory that WriteFiles was killed in the middle of replacing. WriteFiles begins with that too;
// call it before Render if a run that fails shall do so as well.
func (d Dir) Repair(ctx context.Context) error { return target(d, nil).Repair(ctx) }

func target(d Dir, inputs []string) outdir.Target {
	return outdir.Target{Dir: d.Path, Emptied: d.Emptied, Prune: d.Prune, Sync: d.Sync, Inputs: inputs}
}

func emitted(files []File) []emit.File {
	list := make([]emit.File, len(files))
	for i, f := range files {
		list[i] = emit.File{Path: f.Path, Data: f.Data}
	}
	return list
}
