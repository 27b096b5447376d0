// Package migrate rewrites YAML files so that they mean in one edition what they mean in another.
//
// Files rewrites the files of a project, and compares their output before and after. Text returns the
// new text of one file, in which only what must change has changed. The steps:
//
//	migrate.go      one file, step by step
//	files.go        the files of a project
//	scalars.go      scalars that the editions read in different ways
//	blocks.go       block scalars at the end of a file
//	comments.go     comments that only one edition prints
//	duplicates.go   duplicate keys, of which the last one counts
//	indent.go       lines that are not indented enough for strict YAML
//	edition.go      the edition that a project file names
//
// The new text is parsed again, and must have the values of the original file.
package migrate

import (
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this package's diagnostics.
const (
	CodeRemoved diag.Code = "migrate/removed" // a warning: an entry that had no effect is removed
	CodeKey     diag.Code = "migrate/key"     // a warning: a key that is not the text that it looks like
	CodeCannot  diag.Code = "migrate/cannot"  // a part of a file that cannot be rewritten

	// files whose documents are not known to stay the same
	CodeUnproven diag.Code = "migrate/unproven"
)

// Options say how a file was read, and how it will be read.
type Options struct {
	From, To yaml.Options
	Comments bool // plain comments are turned into `#!` comments
	Template bool // a key may occur twice: code decides which entry is created
}

// Text returns the text of a file for the options To. The warnings tell the author what else has
// changed; the error is a diag.List of what cannot be rewritten.
func Text(f *source.File, opt Options) (text []byte, warnings diag.List, err error) {
	opt.From.UniqueKeys = false
	opt.To.UniqueKeys = opt.To.UniqueKeys && !opt.Template
	before, err := yaml.Parse(f, opt.From)
	if err != nil || before.Check(false).Failed() {
		return f.Data(), nil, nil // no file with errors can be used anyway
	}
	edits, problems := scalars(before, opt)
	warnings = changedKeys(before, edits)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	edits = append(edits, comments(before, opt)...)
	edits = append(edits, lastBlock(before, opt)...)
	text = edit.Spliced(f.Data(), edits)
	if opt.To.UniqueKeys {
		again := removed(before)
		if warnings = append(warnings, again...); len(again) > 0 {
			text = withoutDuplicates(text, opt.From)
		}
	}
	text = indented(text, opt)
	if err := check(f, before, text, opt); err != nil {
		return nil, nil, err
	}
	return text, warnings, nil
}

// check parses the new text, and checks that it has the values of the original file.
func check(f *source.File, before *yaml.Tree, text []byte, opt Options) error {
	after, err := parse(f.Name(), text, opt.To)
	if err != nil {
		return located(f, err)
	}
	a, b := slices.Collect(before.Documents()), slices.Collect(after.Documents())
	for i := range min(len(a), len(b)) {
		if !edit.Equal(tree.FromSyntax(before, before.Root(a[i])), tree.FromSyntax(after, after.Root(b[i]))) {
			at := before.Start(a[i])
			return diag.List{diag.Errorf(at.To(at.Offset()), CodeCannot,
				"the values of this document would change")}
		}
	}
	if len(a) != len(b) {
		return diag.List{diag.Errorf(f.Span(0, 0), CodeCannot,
			"%d documents would become %d", len(a), len(b))}
	}
	return nil
}

// located returns the errors in a new text, at the lines of the original file: new texts nearly
// always have the same lines.
func located(f *source.File, err error) diag.List {
	var list diag.List
	for _, d := range diag.Of(err) {
		list = append(list, diag.Errorf(f.Span(0, 0), CodeCannot, "%s", d.Message))
	}
	return list
}

// parse reads a text.
func parse(name string, text []byte, opt yaml.Options) (*yaml.Tree, error) {
	var set source.Set
	f, err := set.Add(name, text)
	if err != nil {
		return nil, err
	}
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil, err
	}
	if list := t.Check(false); list.Failed() {
		return nil, list
	}
	return t, nil
}
