package weft

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/outdir"
	"weft/internal/parallel"
	"weft/internal/source"
	"weft/internal/tree"
)

// File is a file in memory: one that a run reads, or one that it made.
type File struct {
	Path string // relative, with forward slashes
	Data []byte
}

func (o Options) memory() []load.Memory {
	list := make([]load.Memory, len(o.Files))
	for i, f := range o.Files {
		list[i] = load.Memory(f)
	}
	return list
}

// note tells of files that the run has read besides its inputs.
func (o Options) note(inputs []load.Input) {
	if o.noted != nil {
		o.noted(inputs)
	}
}

// read notes which files on disk the run has read.
func (r *Result) read(inputs []load.Input) {
	for _, in := range inputs {
		if p := in.Disk(); p != "" {
			r.inputs = append(r.inputs, p)
		}
	}
}

// protect notes what else the run has been given and must not destroy: what -f names, also where marks leave out all that is in it.
func (r *Result) protect(opts Options) {
	if opts.FS != nil {
		return
	}
	for _, arg := range opts.Inputs {
		if p := load.OnDisk(arg); p != "" {
			r.inputs = append(r.inputs, p)
		}
	}
}

// noteOverrides finds the files on disk that overrides come from, and notes them. Links among them are held to the same rule as elsewhere. What is not there
// is told by those who read it.
func (o Options) noteOverrides() error {
	if o.FS != nil {
		return nil
	}
	for _, over := range o.Overrides {
		p := over.disk()
		if _, err := os.Lstat(p); err != nil {
			continue
		}
		files, err := load.Symlinks(o.Symlinks).Find(p)
		if err != nil {
			return err
		}
		o.note(files)
	}
	return nil
}

// disk is the path on disk of what the override is read from, or "" if it is not read from there.
func (o Override) disk() string {
	if !o.File || o.Text == "-" {
		return ""
	}
	if u, err := url.Parse(o.Text); err == nil {
		switch u.Scheme {
		case "http", "https":
			return ""
		case "file":
			return filepath.FromSlash(u.Path)
		}
	}
	return o.Text
}

// HasText reports whether the run made text, which WriteTo leaves out and Files does not.
func (r *Result) HasText() bool {
	for _, out := range r.outputs {
		if out.File.Input.Type == load.Text {
			return true
		}
	}
	return false
}

// Files are the files that the run made, with the paths of those that it read: first those of text, then those of
// YAML, which hold YAML whatever Options.Format is, as in ytt: a file named app.yml is no JSON. A YAML file that made no document is not among them; one whose documents an overlay took away is empty.
func (r *Result) Files() []File {
	made := r.made()
	files := make([]File, len(made))
	for i, f := range made {
		files[i] = File{Path: f.Path, Data: f.Data}
	}
	return files
}

// made is the same, with the inputs that files are made of.
func (r *Result) made() []emit.File {
	data := make([][]byte, len(r.outputs))
	parallel.Each(len(r.outputs), func(i int) { data[i] = fileData(&r.outputs[i]) })
	var texts, docs []emit.File
	for i, out := range r.outputs {
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
	done, err := r.target(d).Write(ctx, r.made())
	return Changes(done), r.placed(err)
}

// Diff writes what WriteFiles would change as a unified diff, and reports whether that is nothing.
func (r *Result) Diff(ctx context.Context, w io.Writer, d Dir) (same bool, err error) {
	same, err = r.target(d).Diff(ctx, w, r.made())
	return same, r.placed(err)
}

// placed is an error of output with the files that its places point into.
func (r *Result) placed(err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	return &Error{files: r.files, list: list}
}

// Repair puts back a directory that WriteFiles was killed in the middle of replacing. WriteFiles begins with that too;
// call it before Render if a run that fails shall do so as well.
func (d Dir) Repair(ctx context.Context) error { return (&Result{}).target(d).Repair(ctx) }

func (r *Result) target(d Dir) outdir.Target {
	return outdir.Target{Dir: d.Path, Emptied: d.Emptied, Prune: d.Prune, Sync: d.Sync, Inputs: r.inputs}
}

func emitted(files []File) []emit.File {
	list := make([]emit.File, len(files))
	for i, f := range files {
		list[i] = emit.File{Path: f.Path, Data: f.Data}
	}
	return list
}

// inspect makes a document of the paths of all inputs outside of private libraries.
func (r *Result) inspect(inputs []load.Input) *Result {
	var items []tree.Item
	for _, p := range eval.Accessible(inputs) {
		items = append(items, tree.Item{Value: tree.String(p)})
	}
	r.docs = []tree.Document{{Value: tree.Of(tree.NewArray(items, source.Pos{}))}}
	return r
}
