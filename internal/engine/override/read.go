package override

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Argument is one value of --overrides or --overrides-file. Both flags form one list.
type Argument struct {
	Text string
	File bool // from --overrides-file: a path, a URL or "-"
	// Select limits it to some documents, as ReadSelector reads it; "" is all.
	Select string
}

// Input is a file with documents to override.
type Input struct {
	Name  string // as it was given
	Path  string // on disk; empty for standard input
	Real  string // Path without links, resolved when the file was read
	Data  []byte
	Trees []*yaml.Tree // a large file is read in parts
	Docs  []tree.Doc

	file load.Input
}

// Reader reads documents and overrides.
type Reader struct {
	Files *source.Set
	Stdin io.Reader // from load.Once, so that only one argument reads it; nil means empty
	FS    fs.FS     // the file system; nil means the disk
	YAML  yaml.Options
	// Typed says that inline overrides do not keep their spelling: see yaml.Options.
	Typed bool

	// Check rejects documents that a dialect cannot read; nil accepts all.
	Check func([]tree.Doc) error
	// Argument reads an argument for a dialect; name is for messages. If it is nil, Text and File
	// read arguments.
	Argument func(ctx context.Context, a Argument, name string) ([]tree.Doc, error)
	// AnyKind accepts overrides that are not mappings: the dialect has its own messages for them.
	AnyKind bool

	// Symlinks says which links are followed, for documents and overrides.
	Symlinks load.Symlinks
	// Hold, if not nil, is called with the directories of documents before they are read, to lock
	// them.
	Hold func(dirs []string) error

	// Only is filled in by Overrides, if an argument has Select: for Options.
	Only []Selector

	dirs map[*source.File]string // the directory of each file, for relative paths in it
	home string                  // the directory for other input: the same as for the first input
}

// Inputs reads the documents to override. In a directory, it reads all YAML files.
func (r *Reader) Inputs(ctx context.Context, paths []string) ([]Input, error) {
	loader := r.loader(ctx)
	list, err := r.find(loader, paths)
	if err != nil {
		return nil, err
	}
	var wrong diag.List
	for i := range list {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		in := &list[i]
		data, err := loader.Bytes(in.file)
		if err != nil {
			return nil, err
		}
		if *in, err = r.input(*in, data); err != nil {
			wrong = append(wrong, diag.Of(err)...)
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return list, nil
}

// find lists the documents to override, without reading any.
func (r *Reader) find(loader load.Options, paths []string) ([]Input, error) {
	var list []Input
	for _, p := range paths {
		find := loader.FindPath
		if p == "-" {
			find = loader.Find
		}
		files, err := yamlFiles(p, find)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			in := Input{Name: f.Path, file: f}
			if f.IsFile() {
				in.Name, in.Path = f.Shown(), f.Shown()
			}
			list = append(list, in)
		}
	}
	if r.FS != nil {
		return list, nil
	}
	var dirs []string
	for i := range list {
		in := &list[i]
		if in.Path == "" {
			continue
		}
		real, err := filepath.EvalSymlinks(in.Path)
		if err != nil {
			// an open file of this process, or a missing file: reading it reports the error
			real = in.Path
		}
		in.Real = real
		dirs = append(dirs, filepath.Dir(real))
	}
	if r.Hold != nil {
		if err := writable(list); err != nil {
			return nil, err
		}
		return list, r.Hold(dirs)
	}
	return list, nil
}

// writable rejects inputs that cannot be written back, before any is read: those that are not
// files, and files named twice.
func writable(list []Input) error {
	names := map[string]string{}
	for _, in := range list {
		if in.Path == "" {
			return diag.Errorf(
				source.Span{},
				CodeArgument,
				"standard input cannot be written back: name a file",
			)
		}
		if info, err := os.Stat(in.Path); err == nil && !info.Mode().IsRegular() {
			return diag.Errorf(source.Span{}, CodeArgument,
				"'%s' cannot be written back: it is not a regular file", in.Path).
				WithHint("leave out --in-place to print the result")
		}
		switch name, twice := names[in.Real]; {
		case twice && name == in.Path:
			return diag.Errorf(
				source.Span{},
				CodeArgument,
				"'%s' is named twice, but can be written back only once",
				name,
			)
		case twice:
			return diag.Errorf(
				source.Span{},
				CodeArgument,
				"'%s' and '%s' are the same file, which can be written back only once",
				name,
				in.Path,
			)
		}
		names[in.Real] = in.Path
	}
	return nil
}

func (r *Reader) input(in Input, data []byte) (Input, error) {
	shown := in.Path
	if shown == "" {
		shown = load.StdinShown
	}
	f, err := r.Files.AddShown(filepath.ToSlash(in.Name), shown, data)
	if err != nil {
		return in, err
	}
	if in.Trees, err = yaml.ParseParts(f, r.YAML); err != nil {
		return in, yaml.Errors(f, r.YAML, false)
	}
	in.Data = data
	for _, t := range in.Trees {
		if t.Check(false) != nil {
			return in, yaml.Errors(f, r.YAML, false)
		}
		in.Docs = append(in.Docs, DocumentsOf(t)...)
	}
	if r.Check != nil {
		if err := r.Check(in.Docs); err != nil {
			return in, err
		}
	}
	dir := ""
	if in.Path != "" {
		dir = filepath.Dir(in.Path)
	}
	r.setDir(f, dir)
	if r.home == "" {
		r.home = r.dirs[f]
	}
	return in, nil
}

// DocumentsOf returns the documents of a file as they were read.
func DocumentsOf(t *yaml.Tree) []tree.Doc {
	var docs []tree.Doc
	for doc := range t.Documents() {
		docs = append(
			docs,
			tree.Doc{Value: tree.FromSyntax(t, t.Root(doc)), Pos: t.Start(doc)},
		)
	}
	return docs
}

func (r *Reader) parse(shown string, data []byte, opt yaml.Options) (*yaml.Tree, error) {
	f, err := r.Files.AddShown(filepath.ToSlash(shown), shown, data)
	if err != nil {
		return nil, err
	}
	t, err := yaml.Parse(f, opt)
	if err != nil || t.Check(false) != nil {
		return nil, yaml.Errors(f, opt, false)
	}
	return t, nil
}

// setDir records the directory of a file, as an absolute path where possible.
func (r *Reader) setDir(f *source.File, dir string) {
	if r.dirs == nil {
		r.dirs = map[*source.File]string{}
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	r.dirs[f] = dir
}

// Dir returns the directory that relative paths at pos are relative to: that of the file or, for
// other input, that of the first input.
func (r *Reader) Dir(pos source.Pos) string {
	if dir, ok := r.dirs[r.Files.File(pos)]; ok {
		return dir
	}
	return r.home
}

// Overrides reads overrides in order. The error lists the errors of all of them.
func (r *Reader) Overrides(ctx context.Context, args []Argument) ([]tree.Doc, error) {
	var list []tree.Doc
	var wrong diag.List
	inline, files := 0, 0
	for _, a := range args {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		name := ""
		if a.File {
			files++
			name = fmt.Sprintf("--overrides-file #%d", files)
		} else {
			inline++
			name = fmt.Sprintf("--overrides #%d", inline)
		}
		docs, err := r.argument(ctx, a, name)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		list, wrong = append(list, docs...), append(wrong, diag.Of(err)...)
		if a.Select != "" {
			only, err := ReadSelector("select", a.Select)
			wrong = append(wrong, diag.Of(err)...)
			r.limit(len(list)-len(docs), len(list), only)
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	if r.Only != nil {
		r.limit(len(list), len(list), Selector{})
	}
	return list, nil
}

// limit limits some overrides to documents.
func (r *Reader) limit(from, to int, only Selector) {
	r.Only = append(r.Only, make([]Selector, to-len(r.Only))...)
	for i := from; i < to; i++ {
		r.Only[i] = only
	}
}

// argument reads one argument. name is for messages about inline text.
func (r *Reader) argument(ctx context.Context, a Argument, name string) ([]tree.Doc, error) {
	switch {
	case r.Argument != nil:
		return r.Argument(ctx, a, name)
	case !a.File:
		return r.Text(name, []byte(a.Text), true)
	}
	return r.File(ctx, a.Text)
}

// File reads the overrides that --overrides-file names.
func (r *Reader) File(ctx context.Context, p string) ([]tree.Doc, error) {
	loader := r.loader(ctx)
	files, err := yamlFiles(p, loader.Find)
	if err != nil {
		return nil, err
	}
	var list []tree.Doc
	var wrong diag.List
	for _, f := range files {
		data, err := loader.Bytes(f)
		if err != nil {
			return nil, err
		}
		docs, err := r.Text(f.Shown(), data, false)
		if err != nil {
			wrong = append(wrong, diag.Of(err)...)
			continue
		}
		for _, d := range docs {
			if !f.IsFile() {
				break // relative paths in it are relative to the first input
			}
			r.setDir(r.Files.File(d.Value.Start()), filepath.Dir(f.Shown()))
		}
		list = append(list, docs...)
	}
	if wrong != nil {
		return nil, wrong
	}
	return list, nil
}

// Text reads overrides from text: one document if it is inline, otherwise any number. name is for
// messages. Null is not an override.
func (r *Reader) Text(name string, data []byte, inline bool) ([]tree.Doc, error) {
	opt := r.YAML
	opt.Typed = inline && r.Typed
	t, err := r.parse(name, data, opt)
	if err != nil {
		return nil, err
	}
	docs := DocumentsOf(t)
	if inline && len(docs) > 1 {
		at := docs[1].Pos
		return nil, diag.Errorf(at.To(at.Offset()+3), CodeDocuments,
			"an inline override is one document, but a second one begins here").
			WithHint("pass each one with its own --overrides")
	}
	var list []tree.Doc
	for _, d := range docs {
		switch {
		case d.Value.IsNull():
		case d.Value.Kind() != tree.MapKind && !r.AnyKind:
			at := d.Value.Start()
			_, n, _ := d.Value.Syntax()
			bad := diag.Errorf(at.To(min(t.Span(n).End(), at.Offset()+40)), CodeRoot,
				"an override is a mapping, but this is %s", described(d.Value)).
				WithHint("write the changes as a mapping, as in {key: value}")
			if ext := path.Ext(string(data)); inline &&
				(ext == ".yml" || ext == ".yaml" || ext == ".json") {
				bad.WithHint("to read the override from a file, use --overrides-file %s", diag.InShell(string(data)))
			}
			return nil, bad
		default:
			list = append(list, d)
		}
	}
	return list, nil
}

// yamlFiles lists the YAML files that an argument names. find is the loader's function for that. A
// file that is named explicitly may have any extension. Links follow the same rules as for -f.
func yamlFiles(arg string, find func(string) ([]load.Input, error)) ([]load.Input, error) {
	files, err := find(arg)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f load.Input) bool {
		ext := path.Ext(f.Path)
		return f.Listed() && ext != ".yml" && ext != ".yaml"
	})
	if len(files) == 0 {
		return nil, diag.Errorf(
			source.Span{},
			CodeArgument,
			"cannot read '%s': the directory has no YAML files (.yml, .yaml)",
			load.DiskPath(arg),
		)
	}
	return files, nil
}

// loader returns the options for reading files.
func (r *Reader) loader(ctx context.Context) load.Options {
	return load.Options{
		FS: r.FS, Symlinks: r.Symlinks, Stdin: r.Stdin,
		Fetch: func(url string) ([]byte, error) { return load.Fetch(ctx, url, nil) },
	}
}
