package weft

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"

	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/unified"
	"weft/internal/rewrite/format"
)

// FormatOptions configures FormatText and FormatFiles.
type FormatOptions struct {
	Sequences Sequences // where lists below a key start
	YAML      Version   // the YAML version of the files
	Limits    Limits    // FormatFiles uses Parallelism; Steps has no effect
	Exclude   []string  // patterns of absolute paths that FormatFiles leaves out in directories
	// ForceExclude makes FormatFiles skip excluded files even if they are named.
	ForceExclude bool
}

// Sequences is where lists below a key start.
type Sequences uint8

// The styles of lists.
const (
	// SequencesMajority starts lists where most lists of the file do.
	SequencesMajority = Sequences(format.Majority)
	// SequencesFlush starts lists in the column of the key.
	SequencesFlush = Sequences(format.Flush)
	// SequencesIndented starts lists two columns to the right of the key.
	SequencesIndented = Sequences(format.Indented)
)

// FormatText returns the text of a YAML file or, if the name ends in .star, of a script in weft's
// style. Only white space changes. If the text cannot be read, the error is an *Error.
func FormatText(name string, text []byte, opts FormatOptions) ([]byte, error) {
	files := &source.Set{}
	f, err := files.Add(name, text)
	if err != nil {
		return nil, ErrorOf(err)
	}
	out, err := opts.format(f)
	if err != nil {
		return nil, newError(files, diag.Of(err))
	}
	return out, nil
}

func (o FormatOptions) format(f *source.File) ([]byte, error) {
	o.Limits.Parallelism = 1
	syntax := Options{YAML: o.YAML, Limits: o.Limits}.syntax()
	opt := format.Options{YAML: syntax, Sequences: format.Sequences(o.Sequences)}
	return format.File(f, format.KindOf(f.Name()), opt)
}

// FormatReport lists the files that FormatFiles would change.
type FormatReport struct {
	files   *source.Set
	changed []formattedFile
	errs    diag.List
}

type formattedFile struct {
	name, real string // the path as found, and the path without links
	old, new   []byte
}

// FormatFiles formats files on disk and the files in directories that end in .yml, .yaml or .star, in
// memory. Files that cannot be formatted do not affect the others: see FormatReport.Err. The error is
// about a path, or that of the context.
func FormatFiles(ctx context.Context, paths []string, opts FormatOptions) (*FormatReport, error) {
	names, err := format.Find(paths, opts.Exclude, opts.ForceExclude)
	if err != nil {
		return nil, ErrorOf(err)
	}
	type outcome struct {
		file formattedFile
		err  error
	}
	out := &FormatReport{files: &source.Set{}}
	one := func(i int) (o outcome) {
		if o.err = ctx.Err(); o.err != nil {
			return o
		}
		o.file.name = names[i]
		if o.file.real, o.err = filepath.EvalSymlinks(names[i]); o.err != nil {
			return o
		}
		if o.file.old, o.err = os.ReadFile(names[i]); o.err != nil {
			return o
		}
		f, err := out.files.Add(names[i], o.file.old)
		if err == nil {
			o.file.new, err = opts.format(f)
		}
		o.err = err
		return o
	}
	parallel.InOrder(parallel.Workers(opts.Limits.Parallelism), len(names), one, func(o outcome) bool {
		switch {
		case o.err != nil:
			out.errs = append(out.errs, diag.Of(o.err)...)
		case !bytes.Equal(o.file.old, o.file.new):
			out.changed = append(out.changed, o.file)
		}
		return ctx.Err() == nil
	})
	return out, ctx.Err()
}

// Err returns what is wrong with files that could not be formatted, as an *Error, or nil.
func (f *FormatReport) Err() error {
	if len(f.errs) == 0 {
		return nil
	}
	return newError(f.files, f.errs)
}

// Changed returns the names of the files that are not in weft's style.
func (f *FormatReport) Changed() []string {
	var names []string
	for _, c := range f.changed {
		names = append(names, c.name)
	}
	return names
}

// Write writes the names of the files that change as Text, or the changes as Patch.
func (f *FormatReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text:  func(w io.Writer) error { return writeNames(w, f.Changed()) },
		Patch: func(w io.Writer) error { return written(w, f.patch()) },
	})
}

func (f *FormatReport) patch() (out []byte) {
	for _, c := range f.changed {
		name := diag.Visible(filepath.ToSlash(c.name))
		out = unified.Append(out, name, name, c.old, c.new)
	}
	return out
}

// WriteFiles writes the changed files back. It replaces each file atomically. If a file changed after it
// was read, that is an error.
func (f *FormatReport) WriteFiles(ctx context.Context) error {
	var files []outdir.Replacement
	for _, c := range f.changed {
		files = append(files, outdir.Replacement{Path: c.real, Old: c.old, New: c.new})
	}
	return public((&outdir.Hold{}).Replace(ctx, files))
}
