// Package overrides applies overrides to files: weft override. Documents and overrides come in; the
// same files come out with only the overridden parts changed, or the documents in another format.
package overrides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/engine/override"
	"weft/internal/engine/override/cekit"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/unified"
	"weft/internal/lang/yaml"
	"weft/internal/origin/compare"
)

// Config is everything that decides how documents are overridden.
type Config struct {
	Inputs    []string // files, directories of them, or "-"; none if the profile names one
	Overrides []override.Argument
	Profile   Profile
	MergeKeys []string // PATH=KEY
	Lists     []string // PATH=append, PATH=replace or PATH=union
	Select    []string // PATH=VALUE with commas between; none is all documents
	ByName    bool     // an override with kind and name is for the document that they name
	Split     bool     // aliases of changed anchors are written out as they were
	Strict    bool     // overrides without a target are errors
	Force     bool     // templates are changed, too
	Effective bool     // CEKit descriptors include everything that CEKit fills in
	Verbose   bool     // report all schema violations, not only the first
	Format    Format
	Explain   bool // record what each override changed
	InPlace   bool // the files will be written back, so other runs must wait
	Warnings  engine.Warnings
	FS        fs.FS // has the files; nil means the disk, which InPlace needs
	Symlinks  load.Symlinks
	Stdin     io.Reader
	YAML      yaml.Options
}

// Profile is a kind of documents.
type Profile uint8

// The profiles.
const (
	Generic Profile = iota // any YAML
	CEKit                  // image descriptors of CEKit
)

// Format is a form of overridden documents.
type Format uint8

// The formats.
const (
	// the text of the inputs, in which only overridden parts differ
	AsWritten     Format = iota
	CanonicalYAML        // the format that the pipeline prints
	CanonicalJSON        // one document per line
)

// Result is the result of applying overrides.
type Result struct {
	config  Config
	files   *source.Set
	inputs  []override.Input
	docs    [][]tree.Doc
	drafts  [][]tree.Value // the documents before their aliases follow; nil if they are the same
	texts   [][][]byte     // the text of each input, as written, in pieces
	changes []override.ValueChange
	hold    *outdir.Hold

	warnings diag.List
}

// Apply reads documents and overrides and applies the overrides. If the input is wrong, the error
// is a *diag.Failure.
func Apply(ctx context.Context, config Config) (*Result, error) {
	o := &Result{config: config, files: &source.Set{}}
	if err := o.apply(ctx); err != nil {
		o.Close()
		if ctx.Err() == nil {
			err = append(o.warnings, diag.Of(err)...)
		}
		return nil, config.Warnings.Fail(ctx, o.files, err)
	}
	if o.warnings = config.Warnings.Apply(o.warnings); o.warnings.Failed() {
		o.Close()
		return nil, &diag.Failure{Files: o.files, List: o.warnings}
	}
	return o, nil
}

// Warnings returns warnings about probable mistakes.
func (o *Result) Warnings() diag.List { return o.warnings }

// Files returns the files that positions in the warnings refer to.
func (o *Result) Files() *source.Set { return o.files }

func (o *Result) apply(ctx context.Context) error {
	config := &o.config
	rules, err := override.ParseRules(config.MergeKeys, config.Lists)
	if err != nil {
		return err
	}
	sel, err := override.ParseSelector(config.Select)
	if err != nil {
		return err
	}
	if len(config.Inputs) == 0 && config.Profile == CEKit {
		config.Inputs = []string{cekit.Descriptor}
	}
	r := override.Reader{
		Files: o.files, Stdin: load.Once(config.Stdin), FS: config.FS, YAML: config.YAML,
		Symlinks: config.Symlinks,
	}
	if config.Profile == CEKit {
		cekit.Adapt(&r)
	}
	if config.InPlace && config.FS != nil {
		return errors.New("files that are not on disk cannot be written back")
	}
	if config.InPlace {
		r.Hold = func(dirs []string) (err error) {
			o.hold, err = outdir.HoldDirs(ctx, dirs)
			return err
		}
	}
	// Overrides are read first, as in CEKit, so their errors are reported first.
	overrides, err := r.Overrides(ctx, config.Overrides)
	if err != nil {
		return err
	}
	if o.inputs, err = r.Inputs(ctx, config.Inputs); err != nil {
		return err
	}
	if list := o.templates(); len(list) > 0 {
		return list
	}
	left := make([][]tree.Doc, len(o.inputs))
	for i := range o.inputs {
		left[i] = o.inputs[i].Docs
	}
	opt := override.Options{
		Rules: rules, Select: sel, Strict: config.Strict, Written: true, Warn: o.warn,
		Workers: config.YAML.Workers, Only: r.Only, ByName: config.ByName,
		SplitAliases: config.Split,
	}
	for i := range o.inputs {
		opt.Files = append(opt.Files, shown(&o.inputs[i]))
	}
	switch {
	case config.Profile == CEKit:
		err = o.applyCEKit(ctx, left, overrides, cekit.Options{
			Options: opt, Effective: config.Effective, Verbose: config.Verbose,
			Dir: r.Dir, ReadFile: config.readFile(), Files: o.files,
		})
	case config.Explain:
		o.drafts = make([][]tree.Value, len(left))
		for i := range left {
			o.drafts[i] = make([]tree.Value, len(left[i]))
		}
		opt.Draft = func(file, doc int, v tree.Value) { o.drafts[file][doc] = v }
		o.changes, o.docs, err = override.Explain(ctx, left, overrides, opt)
	case config.Format == AsWritten:
		o.texts, err = override.Rewrite(ctx, o.inputs, overrides, opt, config.YAML)
		return err
	default:
		o.docs, err = override.Apply(ctx, left, overrides, opt)
	}
	if err != nil {
		return err
	}
	return o.check()
}

// readFile returns the function that reads the files that a descriptor names, by their paths on disk; nil
// reads none.
func (c *Config) readFile() func(string) ([]byte, error) {
	if c.FS != nil {
		return nil
	}
	return os.ReadFile
}

// templates returns an error for each input that is a template: its code would compute the values
// that overrides set.
func (o *Result) templates() diag.List {
	if o.config.Force || len(o.config.Overrides) == 0 {
		return nil
	}
	var list diag.List
	for i := range o.inputs {
		in := &o.inputs[i]
		for _, t := range in.Trees {
			at := slices.IndexFunc(t.Comments(), func(c yaml.Comment) bool {
				return bytes.HasPrefix(t.CommentText(c), []byte("@"))
			})
			if at < 0 {
				continue
			}
			list = append(list, diag.Errorf(t.CommentSpan(t.Comments()[at]), override.CodeTemplate,
				"%s is a template: overrides change plain YAML", in.Name).
				WithHint("change what it renders: weft -f %s --overrides '{…}'; or change its text with --force",
					diag.InShell(in.Name)))
			break
		}
	}
	return list
}

// applyCEKit applies overrides to descriptors.
func (o *Result) applyCEKit(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt cekit.Options,
) (err error) {
	switch {
	case !o.config.Explain:
		o.docs, err = cekit.Apply(ctx, left, overrides, opt)
	case o.config.Effective:
		err = o.explainEffective(ctx, left, overrides, opt)
	default:
		o.changes, o.docs, err = cekit.Explain(ctx, left, overrides, opt)
	}
	return err
}

// explainEffective separates what overrides change from what CEKit fills in.
func (o *Result) explainEffective(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt cekit.Options,
) error {
	quiet := opt
	quiet.Effective, quiet.Warn = false, nil
	changes, plain, err := cekit.Explain(ctx, left, overrides, quiet)
	if err != nil {
		return err
	}
	if o.docs, err = cekit.Apply(ctx, left, overrides, opt); err != nil {
		return err
	}
	o.changes = append(changes, cekit.Filled(plain, o.docs)...)
	return nil
}

// check finds what cannot be printed, before anything is printed.
func (o *Result) check() error {
	if o.config.Format != CanonicalJSON {
		return nil
	}
	if list := emit.CheckJSON(o.all()); list != nil {
		return list
	}
	return nil
}

func (o *Result) warn(d *diag.Diagnostic) { o.warnings = append(o.warnings, d) }

// all returns all documents as they are printed in canonical form.
func (o *Result) all() []tree.Doc {
	var list []tree.Doc
	for _, docs := range o.docs {
		list = append(list, docs...)
	}
	if o.config.Profile == CEKit {
		list = cekit.View(list)
	}
	return list
}

// pieces returns the text of input i with its documents overridden.
func (o *Result) pieces(i int) ([][]byte, error) {
	if o.texts == nil {
		o.texts = make([][][]byte, len(o.inputs))
	}
	if o.texts[i] == nil {
		values := make([]tree.Value, len(o.docs[i]))
		for j, d := range o.docs[i] {
			values[j] = d.Value
		}
		drafts := values
		if o.drafts != nil {
			drafts = o.drafts[i]
		}
		texts, err := override.Text(o.inputs[i].Trees, drafts, values, o.config.YAML)
		if err != nil {
			return nil, &diag.Failure{Files: o.files, List: diag.Of(err)}
		}
		o.texts[i] = texts
	}
	return o.texts[i], nil
}

// text is like pieces, but returns one piece.
func (o *Result) text(i int) ([]byte, error) {
	pieces, err := o.pieces(i)
	return bytes.Join(pieces, nil), err
}

// WriteTo writes the documents in the format that the options select.
func (o *Result) WriteTo(w io.Writer) (int64, error) {
	switch o.config.Format {
	case CanonicalYAML:
		return emit.YAML(w, o.all(), o.config.YAML.Workers)
	case CanonicalJSON:
		return emit.JSON(w, o.all())
	}
	for i := range o.inputs { // write everything or nothing
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
	var last []byte // the last bytes that are written
	for i := range o.inputs {
		pieces := slices.Clone(o.texts[i])
		if len(pieces) == 0 {
			continue
		}
		if i > 0 { // here the files are documents of one stream
			pieces[0] = edit.WithoutMark(pieces[0])
			if err := write([]byte(edit.Between(last, pieces[0]))); err != nil {
				return n, err
			}
		}
		if i+1 < len(o.inputs) {
			end := len(pieces) - 1
			pieces[end] = edit.Closed(pieces[end], o.config.YAML)
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

// WriteInPlace writes changed inputs back to their files. Each file is written atomically, and one
// that has changed since it was read is not overwritten. It returns the names of the written files.
func (o *Result) WriteInPlace(ctx context.Context) ([]string, error) {
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
		// A link stays a link: its target is written, as long as that is still the same.
		if real, err := filepath.EvalSymlinks(in.Path); err != nil || real != in.Real {
			return nil, diag.Errorf(
				source.Span{},
				outdir.CodeChanged,
				"'%s' was replaced after weft read it",
				in.Path,
			)
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

// Close releases the directories of files that were read with Config.InPlace. WriteInPlace does so
// too.
func (o *Result) Close() {
	o.hold.Release()
	o.hold = nil
}

// Diff writes the changes of the inputs as a unified diff, and reports whether there are none.
func (o *Result) Diff(w io.Writer) (same bool, err error) {
	var out []byte
	for i, in := range o.inputs {
		text, err := o.text(i)
		if err != nil {
			return false, err
		}
		if !bytes.Equal(in.Data, text) {
			name := diag.Visible(in.Name)
			out = unified.Append(out, name, name, in.Data, text)
		}
	}
	if len(out) > 0 {
		_, err = w.Write(out)
	}
	return len(out) == 0, err
}

// Texts returns the inputs before and after the overrides.
func (o *Result) Texts() ([]compare.Text, error) {
	var list []compare.Text
	for i, in := range o.inputs {
		text, err := o.text(i)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(in.Data, text) {
			old := append([]byte{}, in.Data...)
			list = append(list, compare.Text{Path: in.Name, Old: old, New: append([]byte{}, text...)})
		}
	}
	return list, nil
}

// WriteChanges writes what each override changed, one line per change, in order. What CEKit filled
// in follows after an empty line.
func (o *Result) WriteChanges(w io.Writer) error {
	var b bytes.Buffer
	names := o.documentNames()
	for i, c := range o.changes {
		in := &o.inputs[c.File]
		if c.Filled && i > 0 && !o.changes[i-1].Filled {
			b.WriteByte('\n')
		}
		if name := names[c.File][c.Document]; len(in.Docs) > 1 && !name.Object.IsZero() {
			b.WriteString(shown(in) + " " + name.String())
		} else if len(in.Docs) > 1 {
			b.WriteString(name.String())
		} else {
			b.WriteString(shown(in))
		}
		b.WriteString(": " + c.Text(o.files) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// documentNames returns the names of the documents of the inputs, by file and index.
func (o *Result) documentNames() [][]selector.Name {
	var docs []selector.Selectable
	for i := range o.inputs {
		for j := range o.inputs[i].Docs {
			docs = append(docs, selector.Selectable{
				Value: o.inputs[i].Docs[j].Value, File: shown(&o.inputs[i]), N: j + 1,
			})
		}
	}
	all := selector.NamesOf(docs)
	names := make([][]selector.Name, len(o.inputs))
	for i := range o.inputs {
		n := len(o.inputs[i].Docs)
		names[i], all = all[:n], all[n:]
	}
	return names
}

// shown returns what messages call an input.
func shown(in *override.Input) string {
	if in.Path == "" {
		return load.StdinShown
	}
	return in.Name
}
