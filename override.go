package weft

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/outdir"
	"weft/internal/override"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/yaml"
)

// OverrideOptions is everything that decides how documents are overridden.
type OverrideOptions struct {
	// Inputs are the files to override, directories of them, or "-" for Stdin. If there are none, the profile may name one.
	Inputs []string

	// Overrides are what is to be changed, in this order: the last one wins.
	Overrides []Override

	// Profile is the kind of documents.
	Profile OverrideProfile

	// MergeKeys are the values of --merge-key, PATH=KEY: the key by which the entries of a list are told apart. It is "name" elsewhere.
	MergeKeys []string

	// Lists are the values of --lists, PATH=append, PATH=replace or PATH=union.
	Lists []string

	// Select are the values of --select, each PATH=VALUE with commas between: the documents to override are those that any of them describes. None is all of them.
	Select []string

	// Strict refuses overrides of what is not there.
	Strict bool

	// Effective gives descriptors of CEKit with all that CEKit fills in, to be read by it. Without it only what overrides change is changed.
	Effective bool

	// Verbose tells everything that a profile's schema has against a document, not only the first thing.
	Verbose bool

	// Format is the form of the output.
	Format OverrideFormat

	// Warnings says what happens to warnings. By default they are in Overridden.Warnings.
	Warnings Warnings

	// Explain keeps a record of what each override changed.
	Explain bool

	// InPlace says that the files are to be written back: until WriteInPlace or Close is called, other runs that would do so wait.
	InPlace bool

	// Symlinks says which symbolic links may be followed, among inputs and overrides.
	Symlinks Symlinks

	// Stdin is what "-" reads; nil is an empty one.
	Stdin io.Reader

	// YAML is the version of the language that inputs and overrides are written in.
	YAML Version

	// MaxDepth and MaxNodes are limits, as those of Options.
	MaxDepth, MaxNodes int
}

// Override is one override: a mapping of what is to be changed.
type Override struct {
	// Text is the override itself, in YAML or JSON, or where it is.
	Text string
	// File says that Text is the path of a file, a directory of files, a URL, or "-" for standard input.
	File bool
}

// OverrideProfile is a kind of documents.
type OverrideProfile uint8

// The profiles.
const (
	GenericProfile OverrideProfile = iota // any YAML
	CEKitProfile                          // image descriptors of CEKit
)

// OverrideFormat is a form of overridden documents.
type OverrideFormat uint8

// The formats.
const (
	AsWritten     OverrideFormat = iota // the text of the inputs, in which only what is overridden differs
	CanonicalYAML                       // as Render prints it
	CanonicalJSON                       // one document a line
)

// Overridden is what overriding made.
type Overridden struct {
	opts    OverrideOptions
	files   *source.Set
	inputs  []override.Input
	docs    [][]tree.Document
	texts   [][][]byte // of each input, as written, in pieces
	changes []override.Change
	hold    *outdir.Hold

	// Warnings are what is probably a mistake but is allowed, with the files that their positions point into.
	Warnings *Error
}

// ApplyOverrides reads documents and overrides and applies the one to the other. If the input is wrong, the error is an *Error.
func ApplyOverrides(ctx context.Context, opts OverrideOptions) (*Overridden, error) {
	res := &Overridden{opts: opts, files: &source.Set{}}
	if err := res.apply(ctx); err != nil {
		res.Close()
		if ctx.Err() != nil {
			return nil, ended(ctx, err, res.files)
		}
		return nil, opts.Warnings.failure(res.files, append(res.warnings(), diag.Of(err)...))
	}
	switch list := opts.Warnings.settle(res.warnings()); {
	case list.Failed():
		res.Close()
		return nil, &Error{files: res.files, list: list}
	case list == nil:
		res.Warnings = nil
	}
	return res, nil
}

func (o *Overridden) apply(ctx context.Context) error {
	opts := &o.opts
	rules, err := override.ParseRules(opts.MergeKeys, opts.Lists)
	if err != nil {
		return err
	}
	sel, err := override.ParseSelector(opts.Select)
	if err != nil {
		return err
	}
	if len(opts.Inputs) == 0 && opts.Profile == CEKitProfile {
		opts.Inputs = []string{override.CEKitDescriptor}
	}
	r := override.Reader{
		Files: o.files, Stdin: load.Once(opts.Stdin), YAML: opts.yaml(), Profile: override.Profile(opts.Profile),
		Symlinks: load.Symlinks(opts.Symlinks),
	}
	if opts.InPlace {
		r.Hold = func(dirs []string) (err error) {
			o.hold, err = outdir.HoldDirs(ctx, dirs)
			return err
		}
	}
	// Overrides are read first, as CEKit does: what is wrong with them is told first.
	overrides, err := r.Overrides(ctx, arguments(opts.Overrides))
	if err != nil {
		return err
	}
	if o.inputs, err = r.Inputs(ctx, opts.Inputs); err != nil {
		return err
	}
	left := make([][]tree.Document, len(o.inputs))
	for i := range o.inputs {
		left[i] = o.inputs[i].Docs
	}
	opt := override.Options{
		Profile: override.Profile(opts.Profile), Rules: rules, Select: sel, Strict: opts.Strict, Verbose: opts.Verbose, Effective: opts.Effective,
		Written: true, Warn: o.warn, Dir: r.Dir, ReadFile: os.ReadFile, Files: o.files,
	}
	if opts.Format == AsWritten && opts.Profile == GenericProfile && !opts.Explain {
		o.texts, err = override.Rewrite(ctx, o.inputs, overrides, opt, opts.yaml())
		return err
	}
	switch {
	case opts.Explain && opts.Effective && opts.Profile == CEKitProfile:
		err = o.explainEffective(ctx, left, overrides, opt)
	case opts.Explain:
		o.changes, o.docs, err = override.Explain(ctx, left, overrides, opt)
	default:
		o.docs, err = override.Apply(ctx, left, overrides, opt)
	}
	if err != nil {
		return err
	}
	return o.check()
}

// explainEffective tells apart what overrides change and what CEKit fills in.
func (o *Overridden) explainEffective(ctx context.Context, left [][]tree.Document, overrides []tree.Document, opt override.Options) error {
	quiet := opt
	quiet.Effective, quiet.Warn = false, nil
	changes, plain, err := override.Explain(ctx, left, overrides, quiet)
	if err != nil {
		return err
	}
	if o.docs, err = override.Apply(ctx, left, overrides, opt); err != nil {
		return err
	}
	o.changes = append(changes, override.Filled(plain, o.docs)...)
	return nil
}

// check finds what cannot be printed, before anything is.
func (o *Overridden) check() error {
	if o.opts.Format != CanonicalJSON {
		return nil
	}
	if list := emit.CheckJSON(o.all()); list != nil {
		return list
	}
	return nil
}

// arguments are overrides as the stage takes them.
func arguments(overrides []Override) []override.Argument {
	list := make([]override.Argument, len(overrides))
	for i, a := range overrides {
		list[i] = override.Argument(a)
	}
	return list
}

// override applies the overrides of the options to what templates and overlays made.
func (r *run) override(outputs []eval.Output, log *said) error {
	if len(r.opts.Overrides) == 0 {
		return nil
	}
	defer r.opts.Timings.stage("override")()
	overrides, err := r.overrides, error(nil)
	if overrides == nil {
		if overrides, err = r.readOverrides(); err != nil {
			return err
		}
	}
	left := make([][]tree.Document, len(outputs))
	empty := true
	for i := range outputs {
		left[i] = outputs[i].Docs
		empty = empty && !slices.ContainsFunc(left[i], func(d tree.Document) bool { return !d.Value.IsNull() })
	}
	if empty {
		return nil // templates may make nothing
	}
	docs, err := override.Apply(r.ctx, left, overrides, override.Options{
		Files: r.files, Warn: func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
	})
	if err != nil {
		return err
	}
	for i := range outputs {
		outputs[i].Docs = docs[i]
	}
	return nil
}

// readOverrides reads the overrides of the options.
func (r *run) readOverrides() ([]tree.Document, error) {
	if err := r.opts.noteOverrides(); err != nil {
		return nil, err
	}
	read := override.Reader{Files: r.files, Stdin: r.opts.Stdin, FS: r.opts.FS, YAML: r.opts.compile().YAML, Symlinks: load.Symlinks(r.opts.Symlinks)}
	return read.Overrides(r.ctx, arguments(r.opts.Overrides))
}

func (o *OverrideOptions) yaml() yaml.Options {
	return Options{YAML: o.YAML, MaxDepth: o.MaxDepth, MaxNodes: o.MaxNodes}.compile().YAML
}

func (o *Overridden) warn(d *diag.Diagnostic) {
	if o.Warnings == nil {
		o.Warnings = &Error{files: o.files}
	}
	o.Warnings.list = append(o.Warnings.list, d)
}

func (o *Overridden) warnings() diag.List {
	if o.Warnings == nil {
		return nil
	}
	return o.Warnings.list
}

// all are all documents as they are printed in canonical form.
func (o *Overridden) all() []tree.Document {
	var list []tree.Document
	for _, docs := range o.docs {
		list = append(list, docs...)
	}
	if o.opts.Profile == CEKitProfile {
		list = override.CEKitView(list)
	}
	return list
}

// pieces are the text of input i with its documents overridden.
func (o *Overridden) pieces(i int) ([][]byte, error) {
	if o.texts == nil {
		o.texts = make([][][]byte, len(o.inputs))
	}
	if o.texts[i] == nil {
		values := make([]tree.Value, len(o.docs[i]))
		for j, d := range o.docs[i] {
			values[j] = d.Value
		}
		texts, err := override.Text(o.inputs[i].Trees, values, o.opts.yaml())
		if err != nil {
			return nil, &Error{files: o.files, list: diag.Of(err)}
		}
		o.texts[i] = texts
	}
	return o.texts[i], nil
}

// text is the same in one piece.
func (o *Overridden) text(i int) ([]byte, error) {
	pieces, err := o.pieces(i)
	return bytes.Join(pieces, nil), err
}

// WriteTo writes the documents in the format that the options asked for.
func (o *Overridden) WriteTo(w io.Writer) (int64, error) {
	switch o.opts.Format {
	case CanonicalYAML:
		return emit.YAML(w, o.all())
	case CanonicalJSON:
		return emit.JSON(w, o.all())
	}
	for i := range o.inputs { // all or nothing
		if _, err := o.pieces(i); err != nil {
			return 0, err
		}
	}
	var n int64
	write := func(b []byte) error {
		k, err := w.Write(b)
		n += int64(k)
		return err
	}
	var last []byte // the end of what is written
	for i := range o.inputs {
		pieces := slices.Clone(o.texts[i])
		if len(pieces) == 0 {
			continue
		}
		if i > 0 { // files are documents of one stream here
			pieces[0] = override.WithoutMark(pieces[0])
			if err := write([]byte(override.Between(last, pieces[0]))); err != nil {
				return n, err
			}
		}
		if i+1 < len(o.inputs) {
			end := len(pieces) - 1
			pieces[end] = override.Closed(pieces[end], o.opts.yaml())
		}
		for _, p := range pieces {
			if err := write(p); err != nil {
				return n, err
			}
			if len(p) > 0 {
				last = p
			}
		}
	}
	return n, nil
}

// WriteInPlace writes the inputs back to their files, if they have changed. Each file is at any moment wholly old or wholly new, and one that somebody else has changed since it was read
// is not written over. It gives the names of those that were written.
func (o *Overridden) WriteInPlace(ctx context.Context) ([]string, error) {
	defer o.Close()
	var names []string
	var files []outdir.Replacement
	for i, in := range o.inputs {
		if in.Path == "" {
			return nil, fmt.Errorf("standard input cannot be written back: name a file")
		}
		text, err := o.text(i)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(text, in.Data) {
			continue
		}
		// A link stays a link: what it points to is written, as long as that is still the same.
		if real, err := filepath.EvalSymlinks(in.Path); err != nil || real != in.Real {
			return nil, diag.Errorf(source.Span{}, outdir.CodeChanged, "'%s' was replaced after weft read it", in.Path)
		}
		files = append(files, outdir.Replacement{Path: in.Real, Old: in.Data, New: text})
		names = append(names, in.Name)
	}
	hold := o.hold
	if hold == nil {
		hold = &outdir.Hold{}
	}
	if err := hold.Replace(ctx, files); err != nil {
		return nil, err
	}
	return names, nil
}

// Close lets others write to the directories of files that were read with OverrideOptions.InPlace. WriteInPlace does so too.
func (o *Overridden) Close() {
	o.hold.Release()
	o.hold = nil
}

// Diff writes what the overrides change in the inputs as a unified diff, and reports whether that is nothing.
func (o *Overridden) Diff(w io.Writer) (same bool, err error) {
	var out []byte
	for i, in := range o.inputs {
		text, err := o.text(i)
		if err != nil {
			return false, err
		}
		out = outdir.AppendDiff(out, in.Name, in.Data, text)
	}
	if len(out) > 0 {
		_, err = w.Write(out)
	}
	return len(out) == 0, err
}

// WriteChanges writes what each override changed, a line for each change, in the order in which it happened. What no override did, but CEKit fills in, stands below, behind an empty line.
func (o *Overridden) WriteChanges(w io.Writer) error {
	var b bytes.Buffer
	for i, c := range o.changes {
		in := &o.inputs[c.File]
		if c.Filled && i > 0 && !o.changes[i-1].Filled {
			b.WriteByte('\n')
		}
		if in.Path == "" {
			b.WriteString(load.StdinShown)
		} else {
			b.WriteString(in.Name)
		}
		if len(in.Docs) > 1 {
			fmt.Fprintf(&b, " document %d", c.Document+1)
		}
		b.WriteString(": " + c.Text(o.files) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}
