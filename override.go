package weft

import (
	"context"
	"io"
	"io/fs"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/rewrite/overrides"
)

// OverrideOptions configures ApplyOverrides.
type OverrideOptions struct {
	// Inputs are the files to override, directories of them, or "-" for Stdin. If it is empty and CEKit
	// is set, the default descriptor of CEKit is read.
	Inputs []string

	// Overrides apply in this order; the last one wins.
	Overrides []Override

	// CEKit applies the merge rules, the schema and the defaults of CEKit image descriptors.
	CEKit bool

	// MergeKeys are the values of --merge-key, PATH=KEY: the key by which entries of a list are
	// matched. The default is "name".
	MergeKeys []string

	// Lists are the values of --lists: PATH=append, PATH=replace or PATH=union.
	Lists []string

	// Select are the values of --select: names such as Deployment/web, or conditions such as
	// kind=Deployment. A document is overridden if any of them matches; if empty, all documents are,
	// unless an override says otherwise.
	Select []string

	// SplitAliases writes out the aliases (*a) of anchors (&a) that an override changes, so that they keep
	// their values. Without it they follow.
	SplitAliases bool

	// Strict rejects overrides that match nothing.
	Strict bool

	// Force also changes templates. Without it they are an error, because their code may compute the
	// values that overrides set.
	Force bool

	// Effective writes CEKit descriptors with all values that CEKit would fill in, so that CEKit can
	// read them. Without it, only what the overrides change is changed.
	Effective bool

	// Verbose reports all violations of the schema of CEKit, not only the first.
	Verbose bool

	// Format is the output format, YAML or JSON. YAML keeps the text and the layout of the inputs: only
	// overridden values differ.
	Format Format

	// Canonical prints YAML as Render does.
	Canonical bool

	// Warnings decides what happens to warnings. By default, OverrideReport.Warnings returns them.
	Warnings Warnings

	// Explain records what each override changes, for Write.
	Explain bool

	// InPlace prepares for WriteInPlace: other runs that want to write to the same directories wait
	// until WriteInPlace or Close is called.
	InPlace bool

	// FS has the inputs and the files of overrides; nil means the disk. InPlace needs the disk.
	FS fs.FS

	// Symlinks lists the symbolic links that may be followed, in inputs and overrides.
	Symlinks Symlinks

	// Stdin is what "-" reads; nil means empty input.
	Stdin io.Reader

	// Edition decides what an override with kind and metadata.name is for: in Edition2026 for the
	// document that they name. It also decides YAML, if that is zero.
	Edition Edition

	// YAML is the YAML version of inputs and overrides.
	YAML Version

	// Limits bounds what is read. Only Depth and Nodes have an effect.
	Limits Limits
}

// Override is one override: a mapping that contains what should change.
type Override struct {
	// Text is the override itself, in YAML or JSON; if File is set, it is where to read the override.
	Text string
	// File means that Text is the path of a file or directory, a URL, or "-" for standard input.
	File bool
	// Select limits the override to some documents: the name of one, such as Deployment/web, conditions
	// such as kind=Deployment, or the same as a mapping in YAML. If it is empty, the override itself
	// decides.
	Select string
}

// config returns the options in the form of the pipeline.
func (o OverrideOptions) config() overrides.Config {
	c := overrides.Config{
		Inputs: o.Inputs, FS: o.FS,
		MergeKeys: o.MergeKeys, Lists: o.Lists, Select: o.Select,
		Strict: o.Strict, Force: o.Force, Effective: o.Effective, Verbose: o.Verbose,
		Explain: o.Explain, InPlace: o.InPlace,
		Warnings: engine.Warnings(o.Warnings), Symlinks: load.Symlinks(o.Symlinks), Stdin: o.Stdin,
		YAML:   Options{Edition: o.Edition, YAML: o.YAML, Limits: o.Limits}.syntax(),
		ByName: o.Edition == Edition2026, Split: o.SplitAliases,
	}
	if o.CEKit {
		c.Profile = overrides.CEKit
	}
	switch {
	case o.Format == JSON:
		c.Format = overrides.CanonicalJSON
	case o.Canonical:
		c.Format = overrides.CanonicalYAML
	}
	for _, a := range o.Overrides {
		c.Overrides = append(c.Overrides, override.Argument(a))
	}
	return c
}

// OverrideReport is the result of ApplyOverrides.
type OverrideReport struct{ res overrides.Result }

// ApplyOverrides reads documents and overrides, and applies the overrides to the documents. If the
// input is wrong, the error is an *Error.
func ApplyOverrides(ctx context.Context, opts OverrideOptions) (*OverrideReport, error) {
	res, err := overrides.Apply(ctx, opts.config())
	if err != nil {
		return nil, public(err)
	}
	return &OverrideReport{*res}, nil
}

// Warnings returns the warnings of the run.
func (o *OverrideReport) Warnings() Messages {
	return Messages{o.res.Files(), o.res.Warnings()}
}

// WriteTo writes the documents in the format that OverrideOptions.Format names.
func (o *OverrideReport) WriteTo(w io.Writer) (int64, error) {
	n, err := o.res.WriteTo(w)
	return n, public(err)
}

// WriteInPlace writes changed inputs back to their files and returns the names of the files it
// wrote. It replaces each file atomically, and does not overwrite a file that another program
// changed after it was read.
func (o *OverrideReport) WriteInPlace(ctx context.Context) ([]string, error) {
	names, err := o.res.WriteInPlace(ctx)
	return names, public(err)
}

// Close lets other runs write to the directories of files that were read with
// OverrideOptions.InPlace. WriteInPlace does that too.
func (o *OverrideReport) Close() { o.res.Close() }

// Diff writes the changes to the inputs as a unified diff, and returns the names of those that change.
func (o *OverrideReport) Diff(w io.Writer) (changed []string, err error) {
	texts, err := o.res.Texts()
	if err != nil {
		return nil, public(err)
	}
	for _, t := range texts {
		changed = append(changed, t.Path)
	}
	err = withoutData(w, texts, func(w io.Writer) error {
		_, err := o.res.Diff(w)
		return err
	})
	return changed, public(err)
}

// Write writes what each override changed as Text, one line per change, in order. Values that CEKit
// fills in follow after an empty line.
func (o *OverrideReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{Text: func(w io.Writer) error { return o.hidden(w, o.res.WriteChanges) }})
}

// hidden writes a report without the data of Kubernetes Secrets.
func (o *OverrideReport) hidden(w io.Writer, write func(io.Writer) error) error {
	texts, err := o.res.Texts()
	if err != nil {
		return err
	}
	return withoutData(w, texts, write)
}
