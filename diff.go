package weft

import (
	"bytes"
	"context"
	"io"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/origin/compare"
	"weft/internal/origin/diff"
	"weft/internal/project/fleet"
)

// Side is one of the two sides of a comparison: where its documents come from.
type Side struct {
	// Options are the options that the side is rendered with.
	Options

	// Plain reads Inputs as data: nothing is evaluated. Files in a directory are compared as text if
	// their names are neither YAML nor JSON.
	Plain bool

	// Name is what the report calls the side, such as prod. It may be empty.
	Name string
}

// DiffOptions configures Diff.
type DiffOptions struct {
	// Order reports documents, and items of lists with keys, that have moved.
	Order bool

	// Ignore are the paths to ignore, such as metadata.annotations.*: `*` is any key or item, `**`
	// any number of them.
	Ignore []string

	// Select are the documents to compare, such as Deployment/web or kind=Deployment: those that any
	// of them matches. If it is empty, all documents are compared.
	Select []string

	// MergeKeys are the values of --merge-key, PATH=KEY: the key that identifies the items of a
	// list. The default is "name". A key that is not unique is not used.
	MergeKeys []string

	// Secrets says what is hidden.
	Secrets Secrets

	// Causes finds out which change of the inputs causes which change of the documents, if both sides
	// are rendered. It renders once more for each input that differs, at most 32 times.
	Causes bool
}

// Secrets says which values reports hide. They always hide the data of Kubernetes Secrets, and data
// values that the schema marks with @schema/secret.
type Secrets struct {
	Show  bool     // hide nothing
	Paths []string // paths in documents and data values that are hidden too, as in DiffOptions.Ignore
}

// rules returns the secrets in the form of other packages.
func (s Secrets) rules() (secret.Rules, error) {
	paths, err := patterns("--secret", s.Paths)
	return secret.Rules{Show: s.Show, Paths: paths}, err
}

func patterns(flag string, texts []string) ([]path.Pattern, error) {
	var list []path.Pattern
	for _, s := range texts {
		p, err := path.Parse(flag, s)
		if err != nil {
			return nil, ErrorOf(err)
		}
		list = append(list, p)
	}
	return list, nil
}

// DiffReport is the difference between two sides, or those of several environments: see DiffAll. It can be
// written any number of times.
type DiffReport struct {
	comparison   *compare.Comparison
	environments *diff.Environments
}

// Diff obtains the documents of two sides and compares them by what they mean. If both have the
// same Stdin, each reads all of it. If the input is wrong, the error is an *Error.
func Diff(ctx context.Context, a, b Side, opts DiffOptions) (*DiffReport, error) {
	d, err := diffSides(ctx, a, b, opts)
	if err != nil {
		return nil, err
	}
	if err := d.comparison.Unselected(); err != nil {
		return nil, public(err)
	}
	return d, nil
}

// diffSides is Diff, but a selector may select nothing.
func diffSides(ctx context.Context, a, b Side, opts DiffOptions) (*DiffReport, error) {
	opt, err := opts.options(b.syntax())
	if err != nil {
		return nil, err
	}
	defer b.Observe.Timings.end()
	if load.SameReader(a.Stdin, b.Stdin) {
		stdin := load.Share(a.Stdin)
		a.Stdin, b.Stdin = stdin.Reader(), stdin.Reader()
	}
	before, after := a.side(), b.side()
	before.Secret, after.Secret = opt.Secrets.Paths, opt.Secrets.Paths
	c, err := compare.Runs(ctx, before, after, opt, opts.Causes)
	if err != nil {
		return nil, public(err)
	}
	for _, i := range c.UnmatchedSecrets(ctx) {
		c.Warnings = append(c.Warnings, hidesNothing(opts.Secrets.Paths[i]))
	}
	if rules := c.Secrets(); !rules.Show {
		secret.KeeperOf(ctx).Add(rules.Texts)
	}
	return &DiffReport{comparison: c}, nil
}

// codeSecretPath is the code of the warning about a path of --secret that matches nothing.
const codeSecretPath diag.Code = "diff/path"

// hidesNothing warns about a path of --secret that matches nothing.
func hidesNothing(secret string) *diag.Diagnostic {
	return diag.Warningf(source.Span{}, codeSecretPath,
		"--secret '%s' hides nothing: no document has such a path", secret)
}

// options returns the options in the form of other packages.
func (o DiffOptions) options(syntax yaml.Options) (diff.Options, error) {
	opt := diff.Options{Order: o.Order, YAML: syntax}
	var err error
	if opt.Ignore, err = patterns("--ignore", o.Ignore); err != nil {
		return opt, err
	}
	if opt.Select, err = selector.ParseAll("--select", o.Select); err != nil {
		return opt, ErrorOf(err)
	}
	if opt.Secrets, err = o.Secrets.rules(); err != nil {
		return opt, err
	}
	rules, err := override.ParseRules(o.MergeKeys, nil)
	if err != nil {
		return opt, ErrorOf(err)
	}
	if len(o.MergeKeys) > 0 {
		opt.KeyOf = rules.KeyAt
	}
	return opt, nil
}

// Compare returns what WriteFiles would change, compared by meaning: how the files in the directory
// differ from those of the result. It only reads. Files that stay the same do not count.
func (r *Result) Compare(ctx context.Context, d Dir, opts DiffOptions) (*DiffReport, error) {
	texts, err := r.res.Changes(ctx, fleet.Dir(d))
	if err != nil {
		return nil, public(err)
	}
	return compareTexts(texts, opts)
}

// Compare returns how the overridden documents differ from the inputs, compared by meaning.
func (o *OverrideReport) Compare(opts DiffOptions) (*DiffReport, error) {
	texts, err := o.res.Texts()
	if err != nil {
		return nil, public(err)
	}
	return compareTexts(texts, opts)
}

func compareTexts(texts []compare.Text, opts DiffOptions) (*DiffReport, error) {
	opt, err := opts.options(Options{}.syntax())
	if err != nil {
		return nil, err
	}
	c, err := compare.Texts(texts, [2]string{"before", "after"}, opt)
	if err != nil {
		return nil, public(err)
	}
	return &DiffReport{comparison: c}, nil
}

func (s Side) side() compare.Side {
	opts := s.options()
	config := opts.Config()
	config.Keep = 0 // only data is compared, and a change has the place where its value is set
	side := compare.Side{Config: config, Name: s.Name, Plain: s.Plain, Print: s.Observe.Print}
	switch {
	case s.Cache == nil:
	case s.Plain:
		side.Kept = opts.PlainFiles(config)
	default:
		side.Open = func(ctx context.Context, config engine.Config) (*engine.Session, error) {
			return opts.Session(ctx, "diff", config)
		}
	}
	return side
}

// compared returns the comparison; that of the zero value is empty.
func (d *DiffReport) compared() *compare.Comparison {
	if d.comparison == nil {
		return compare.Results(nil, nil, [2]string{}, diff.Options{})
	}
	return d.comparison
}

// Same reports whether there is no difference.
func (d *DiffReport) Same() bool {
	if d.environments != nil {
		return d.environments.Empty()
	}
	return d.compared().Empty()
}

// Warnings returns the warnings of the second side.
func (d *DiffReport) Warnings() Messages {
	return Messages{d.compared().Files, d.compared().Warnings}
}

// Write writes the difference as Text, as Markdown for a comment on a pull request, with less than
// 65,536 characters, or as JSON: an array with one object per change, or with Summary one object with
// the number of documents. As Patch, it turns the files of the first side into those of the second;
// the files of a rendered side are those that WriteFiles would write. A patch cannot hide secrets:
// one that would show them is an error, unless Secrets.Show is set.
func (d *DiffReport) Write(w io.Writer, how ReportOptions) error {
	if browser.IsPage {
		return d.hidden(w, func(w io.Writer) error { return d.compared().WriteText(w, diff.TextOptions{}) })
	}
	if e := d.environments; e != nil {
		return how.write(w, writers{
			Text:     func(w io.Writer) error { return e.WriteText(w, diff.TextOptions{Color: how.Color}) },
			Markdown: e.WriteMarkdown,
			JSON:     e.WriteJSON,
		})
	}
	c := d.compared()
	hidden := func(write func(io.Writer) error) func(io.Writer) error {
		return func(w io.Writer) error { return d.hidden(w, write) }
	}
	return how.write(w, writers{
		Text: hidden(func(w io.Writer) error {
			return c.WriteText(w, diff.TextOptions{Color: how.Color, Summary: how.Summary})
		}),
		Markdown: hidden(func(w io.Writer) error { return c.WriteMarkdown(w, how.Summary) }),
		JSON:     hidden(func(w io.Writer) error { return c.WriteJSON(w, how.Summary) }),
		Patch: func(w io.Writer) error {
			out, err := c.Patch()
			if err != nil {
				return public(err)
			}
			return written(w, out)
		},
	})
}

// hidden writes a report without secrets, wherever they occur: in a comment, in a cause.
func (d *DiffReport) hidden(w io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.mask(b.String()))
	return err
}

// mask returns a text without the secrets of both sides.
func (d *DiffReport) mask(text string) string {
	rules := d.compared().Secrets()
	if rules.Show || len(rules.Texts) == 0 {
		return text
	}
	return rules.MaskWritten(text)
}
