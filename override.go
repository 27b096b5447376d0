package weft

import (
	"context"
	"io"

	"weft/internal/override"
	"weft/internal/pipeline"

	"weft/internal/load"
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

// config is the options as the pipeline takes them.
func (o OverrideOptions) config() pipeline.OverrideConfig {
	c := pipeline.OverrideConfig{
		Inputs: o.Inputs, Profile: pipeline.OverrideProfile(o.Profile),
		MergeKeys: o.MergeKeys, Lists: o.Lists, Select: o.Select,
		Strict: o.Strict, Effective: o.Effective, Verbose: o.Verbose,
		Format: pipeline.OverrideFormat(o.Format), Explain: o.Explain, InPlace: o.InPlace,
		Warnings: pipeline.Warnings(o.Warnings), Symlinks: load.Symlinks(o.Symlinks), Stdin: o.Stdin,
		YAML: Options{YAML: o.YAML, MaxDepth: o.MaxDepth, MaxNodes: o.MaxNodes}.syntax(),
	}
	for _, a := range o.Overrides {
		c.Overrides = append(c.Overrides, override.Argument(a))
	}
	return c
}

// Overridden is what overriding made.
type Overridden struct{ made *pipeline.Overridden }

// ApplyOverrides reads documents and overrides and applies the one to the other. If the input is
// wrong, the error is an *Error.
func ApplyOverrides(ctx context.Context, opts OverrideOptions) (*Overridden, error) {
	made, err := pipeline.Override(ctx, opts.config())
	if err != nil {
		return nil, public(err)
	}
	return &Overridden{made}, nil
}

// Warnings are what is probably a mistake but is allowed.
func (o *Overridden) Warnings() []Diagnostic { return diagnostics(o.made.Files(), o.made.Warnings()) }

// WriteWarnings writes the warnings for people, as Error.Render writes errors.
func (o *Overridden) WriteWarnings(w io.Writer, color bool) error {
	return writeWarnings(w, o.made.Files(), o.made.Warnings(), color)
}

// WriteTo writes the documents in the format that the options asked for.
func (o *Overridden) WriteTo(w io.Writer) (int64, error) {
	n, err := o.made.WriteTo(w)
	return n, public(err)
}

// WriteInPlace writes the inputs back to their files, if they have changed. Each file is at any
// moment wholly old or wholly new, and one that somebody else has changed since it was read is not
// written over. It gives the names of those that were written.
func (o *Overridden) WriteInPlace(ctx context.Context) ([]string, error) {
	names, err := o.made.WriteInPlace(ctx)
	return names, public(err)
}

// Close lets others write to the directories of files that were read with
// OverrideOptions.InPlace. WriteInPlace does so too.
func (o *Overridden) Close() { o.made.Close() }

// Diff writes what the overrides change in the inputs as a unified diff, and reports whether that
// is nothing.
func (o *Overridden) Diff(w io.Writer) (same bool, err error) {
	same, err = o.made.Diff(w)
	return same, public(err)
}

// WriteChanges writes what each override changed, a line for each change, in the order in which it
// happened. What no override did, but CEKit fills in, stands below, behind an empty line.
func (o *Overridden) WriteChanges(w io.Writer) error { return o.made.WriteChanges(w) }
