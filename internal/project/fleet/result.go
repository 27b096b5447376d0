package fleet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/compare"
	"weft/internal/project"
)

// Result is the result of rendering an environment. It can be written any number of times.
type Result struct {
	engine.Result

	format  Format
	yaml    yaml.Options
	workers parallel.Workers
	project bool                    // it belongs to a project
	paths   func() []string         // what all environments of that project read; or nil
	tested  func() ([]string, bool) // what its tests name; or nil
	inputs  *inputFiles             // the files that it must not overwrite
	printed *printed                // what earlier results of the same cache have printed; or nil
}

// Result returns the result of an evaluation, to be written as the options say.
func (o Options) Result(res *engine.Result) *Result {
	return &Result{
		Result: *res, format: o.Format, yaml: o.Syntax(),
		workers: parallel.Workers(o.Limits.Parallelism), project: o.Layers != nil, paths: o.Paths,
		tested: o.Tested, inputs: &inputFiles{},
	}
}

// WriteTo writes the documents in the format of the options. Text files are left out.
func (r *Result) WriteTo(w io.Writer) (int64, error) {
	switch {
	case r.format == Pos:
		return emit.Pos(w, r.Result.Files, r.Docs)
	case r.format == YAML && r.keeps():
		n, err := w.Write(r.joined())
		return int64(n), err
	case r.printed != nil && r.Outputs != nil:
		return r.writePrinted(w)
	case r.format == JSON:
		return emit.JSON(w, r.Docs)
	}
	return emit.YAML(w, r.Docs, r.workers)
}

// YAML returns a document of the result as text, without a `---` line.
func (r *Result) YAML(d tree.Doc) []byte {
	if r.keeps() {
		return bytes.Clone(r.Keep.Document(r.Result.Files, d)) // the text may be part of a file
	}
	return emit.Bytes([]tree.Doc{d})
}

// Files returns the files of the result, first text files, then YAML files. The caller may change
// their bytes.
func (r *Result) Files() []emit.File { return r.owned(r.files()) }

// Split returns the files of the result with one file for each document, named by a pattern.
func (r *Result) Split(pattern string) ([]emit.File, error) {
	files, err := r.split(pattern)
	return r.owned(files), r.placed(err)
}

// owned returns files whose bytes callers may change. It copies those that are kept for the next
// result, or may be part of an input.
func (r *Result) owned(files []emit.File) []emit.File {
	if r.printed != nil || r.keeps() {
		for i := range files {
			files[i].Data = bytes.Clone(files[i].Data)
		}
	}
	return files
}

// files is like Files for callers that only read them.
func (r *Result) files() []emit.File {
	if r.Placed {
		return r.placedFiles()
	}
	data := r.fileTexts()
	var texts, docs []emit.File
	var more map[string][][]byte // the texts of files with documents of several outputs, by path
	for i, out := range r.Outputs {
		file := emit.File{
			Path: out.File.Input.Path,
			Data: data[i],
			From: out.File.Input.File.Span(0, 0),
		}
		switch {
		case out.File.Input.Type == load.Text:
			texts = append(texts, file)
		case out.Joins:
			if more == nil {
				more = map[string][][]byte{}
			}
			more[file.Path] = append(more[file.Path], file.Data)
		case len(file.Data) > 0 || out.Kept:
			docs = append(docs, file)
		}
	}
	for i := range docs {
		if parts := more[docs[i].Path]; parts != nil {
			docs[i].Data = r.join(append([][]byte{docs[i].Data}, parts...))
			delete(more, docs[i].Path)
		}
	}
	return append(texts, docs...)
}

// join returns texts of documents as one file.
func (r *Result) join(parts [][]byte) []byte {
	parts = slices.DeleteFunc(parts, func(text []byte) bool { return len(text) == 0 })
	if r.keeps() {
		return keep.Join(parts, r.yaml)
	}
	return bytes.Join(parts, []byte("---\n"))
}

// fileData returns the content of the file of an output.
func (r *Result) fileData(out *eval.Output) []byte {
	switch {
	case out.File.Input.Type == load.Text:
		return []byte(out.Text)
	case !browser.IsFirst && r.keeps():
		from := keep.Source{File: out.File.Input.File, Docs: out.Docs}
		return r.Keep.Bytes(r.Result.Files, from)
	}
	return emit.Bytes(out.Docs)
}

// keeps reports whether comments and layout of the files are kept.
func (r *Result) keeps() bool { return r.Keep != nil && r.Outputs != nil }

// joined returns the YAML files of the result as one stream.
func (r *Result) joined() []byte { return keep.Join(r.yamlTexts(), r.yaml) }

// LateHeader returns the place of a #cloud-config line that WriteTo does not write first, although
// cloud-init looks for it only there. It returns false if there is none.
func (r *Result) LateHeader() (source.Span, bool) {
	if !r.keeps() || r.Keep.What&keep.Comments == 0 {
		return source.Span{}, false
	}
	first := true
	for i := range r.Outputs {
		out := &r.Outputs[i]
		if out.File.Input.Type == load.Text || !r.prints(out) {
			continue
		}
		if at, ok := r.Keep.Header(out.File.Input.File); ok && !first {
			return at, true
		}
		first = false
	}
	return source.Span{}, false
}

// prints reports whether an output is written.
func (r *Result) prints(out *eval.Output) bool {
	from := keep.Source{File: out.File.Input.File, Docs: out.Docs}
	return r.Keep.Whole(from) ||
		slices.ContainsFunc(out.Docs, func(d tree.Doc) bool { return !d.Value.Empty() })
}

// Dir is a directory to write files to, and how. The public API documents the fields.
type Dir struct {
	Path    string
	Emptied bool
	Prune   bool
	Split   string
	Sync    bool
	Single  string
}

// Write writes the files of the result to a directory.
func (r *Result) Write(ctx context.Context, d Dir) (outdir.Changes, error) {
	files, err := r.filesFor(d)
	if err != nil {
		return outdir.Changes{}, r.placed(err)
	}
	to := r.target(d)
	to.Written = r.writtenTo(d.Path)
	done, err := to.Write(ctx, files)
	return done, r.placed(err)
}

// Changes returns the files that Write would change, as they are and as they would be.
func (r *Result) Changes(ctx context.Context, d Dir) ([]compare.Text, error) {
	files, err := r.filesFor(d)
	if err != nil {
		return nil, r.placed(err)
	}
	changes, err := r.target(d).Changes(ctx, files)
	if err != nil {
		return nil, r.placed(err)
	}
	texts := make([]compare.Text, len(changes))
	for i, c := range changes {
		texts[i] = compare.Text(c)
	}
	return texts, nil
}

// Diff writes what Write would change as a unified diff, and reports whether nothing would change.
func (r *Result) Diff(ctx context.Context, w io.Writer, d Dir) (same bool, err error) {
	files, err := r.filesFor(d)
	if err != nil {
		return false, r.placed(err)
	}
	same, err = r.target(d).Diff(ctx, w, files)
	return same, r.placed(err)
}

// filesFor returns the files that are written to a directory.
func (r *Result) filesFor(d Dir) ([]emit.File, error) {
	var files []emit.File
	var err error
	switch {
	case d.Single != "":
		var b bytes.Buffer
		_, _ = r.WriteTo(&b) // writing to a buffer cannot fail
		files = []emit.File{{Path: d.Single, Data: b.Bytes()}}
	case d.Split != "":
		files, err = r.split(d.Split)
	default:
		files = r.files()
	}
	if err == nil && r.project {
		err = r.protect(d, files)
	}
	return files, err
}

// protect rejects outputs that would overwrite files of a project: people do not see its output paths
// when they run it.
func (r *Result) protect(d Dir, files []emit.File) error {
	byName := map[string][]string{} // one file may have names that differ in case
	for _, p := range r.Read {
		key := outdir.Key(filepath.Base(p))
		byName[key] = append(byName[key], p)
	}
	var list diag.List
	for _, f := range files {
		target := filepath.Join(d.Path, filepath.FromSlash(f.Path))
		for _, p := range byName[outdir.Key(filepath.Base(target))] {
			if r.inputs.hold(p, target) {
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

// inputFiles is the files that environments of a group read, among those whose names an output also
// has. Each is looked up once, not for every environment.
type inputFiles struct {
	mu    sync.Mutex
	known map[string]os.FileInfo // nil if there is no such file
}

// hold reports whether an output is the same file as an input.
func (f *inputFiles) hold(input, output string) bool {
	is, err := os.Stat(output)
	if err != nil {
		return false
	}
	was := f.stat(input)
	return was != nil && os.SameFile(is, was)
}

func (f *inputFiles) stat(path string) os.FileInfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, ok := f.known[path]
	if !ok {
		info, _ = os.Stat(path) // nil if there is an error
		if f.known == nil {
			f.known = map[string]os.FileInfo{}
		}
		f.known[path] = info
	}
	return info
}

// target returns a directory for the files of the result, and what must not be lost there.
func (r *Result) target(d Dir) outdir.Target {
	t := d.Target()
	keep := r.keeper()
	t.Inputs, t.Keep = r.Read, keep.keeps
	t.Foreign = func() string { return keep.firstIn(d.Path) }
	return t
}

// Target converts the directory for package outdir.
func (d Dir) Target() outdir.Target {
	return outdir.Target{Dir: d.Path, Emptied: d.Emptied, Prune: d.Prune, Sync: d.Sync, Unlisted: d.Single != ""}
}

// placed adds the files to an output error, so that its places can be shown.
func (r *Result) placed(err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	return &diag.Failure{Files: r.Result.Files, List: list}
}
