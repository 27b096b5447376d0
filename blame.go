package weft

import (
	"context"
	"io"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
	"weft/internal/origin/diff"
)

// BlameOptions says what Blame reports.
type BlameOptions struct {
	// Select selects a document by its kind and name (Deployment/web, web or Deployment), by its number
	// in the output (#2) or by the file that it comes from, or a file that is not YAML by its path; ""
	// means everything.
	Select string

	// Path is a place in the selected documents, such as spec.replicas or
	// spec.containers[0].image; "" means all of them.
	Path string

	// Environment is the name of the environment if a person typed it where the name of a document is
	// possible too. Blame returns an error if a document has this name, unless Select names another one.
	Environment string

	// Secrets says what is hidden. Its paths are those of documents and of data values.
	Secrets Secrets

	// Prove renders again with changed data values, and reports which of them really change the
	// selected lines.
	Prove bool
}

// BlameReport shows where each line of the output comes from.
type BlameReport struct {
	res    engine.Result
	report blame.Report
	chosen *blame.Selection
}

// Blame renders like Render and returns where each line of the output comes from.
func Blame(ctx context.Context, opts Options, what BlameOptions) (*BlameReport, error) {
	defer opts.Observe.Timings.end()
	stdin := load.Share(opts.Stdin)
	opts.Stdin = stdin.Reader()
	b, err := traced(ctx, opts, what)
	if err != nil || !what.Prove || browser.IsFirst {
		return b, err
	}
	opts.Stdin = stdin.Reader()
	err = prove(ctx, opts, func(render blame.Render) error {
		return b.report.Prove(ctx, b.chosen, render)
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// prove calls report with a function that renders again with other data values.
func prove(ctx context.Context, opts Options, report func(blame.Render) error) error {
	render, err := altered(ctx, opts)
	if err == nil {
		err = report(render)
	}
	return public(err)
}

// traced renders and reports where each line comes from.
func traced(ctx context.Context, opts Options, what BlameOptions) (*BlameReport, error) {
	rules, err := what.Secrets.rules()
	if err != nil {
		return nil, public(err)
	}
	config := opts.config()
	config.Once, config.Origins, config.Secret = true, true, rules.Paths
	s, err := opts.options().Session(ctx, "blame", config)
	if err != nil {
		return nil, public(err)
	}
	res, err := s.Evaluate(ctx, engine.Request{Print: opts.Observe.Print})
	if err != nil {
		return nil, public(err)
	}
	b := &BlameReport{res: *res}
	texts := res.Secrets
	for _, d := range res.Docs {
		texts = secret.Texts(texts, d.Value)
	}
	rules.Hide(texts)
	if !rules.Show {
		secret.HideData(ctx, res.Docs)
	}
	if err := b.fill(what, rules); err != nil {
		return nil, public(err)
	}
	secret.KeeperOf(ctx).Add(b.report.HiddenTexts())
	b.checkSecrets(what.Secrets, rules)
	return b, nil
}

// altered returns a function that renders with other data values. It has its own session, which does
// not trace.
func altered(ctx context.Context, opts Options) (blame.Render, error) {
	opts.Observe.Timings, opts.Observe.Debug, opts.Warnings = nil, nil, WarningsOff
	s, err := opts.options().Session(ctx, "altered", opts.config())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, changes []tree.Value) ([]tree.Doc, error) {
		layers, err := s.Changed(ctx, changes)
		if err != nil {
			return nil, err
		}
		res, err := s.Evaluate(ctx, engine.Request{Layers: layers})
		if err != nil {
			return nil, err
		}
		return res.Docs, nil
	}, nil
}

// fill completes the report.
func (b *BlameReport) fill(what BlameOptions, rules secret.Rules) error {
	in := blame.Input{
		Docs: b.res.Docs, Files: b.res.Files, Origins: b.res.Origins, Secrets: rules,
	}
	for _, out := range b.res.Outputs {
		if out.Text != "" {
			in.Texts = append(in.Texts, blame.Text{
				File: out.File.Input.Path, Text: out.Text, Lines: out.Lines,
			})
		}
	}
	b.report = *blame.New(in)
	var err error
	if what.Select != "" || what.Path != "" {
		b.chosen, err = b.report.Select(what.Select, what.Path)
	}
	if env := what.Environment; env != "" && (what.Select == "" || err != nil) && b.has(env) {
		return diag.Failf(blame.CodeAmbiguous,
			"'%s' is an environment, and a document of it has this name, too", env)
	}
	return err
}

// has reports whether a document or a text of the output has this name.
func (b *BlameReport) has(name string) bool {
	_, err := b.report.Select(name, "")
	return err == nil
}

// checkSecrets warns about secret paths that match no document and no data value.
func (b *BlameReport) checkSecrets(secrets Secrets, rules secret.Rules) {
	if secrets.Show || len(rules.Paths) == 0 {
		return
	}
	search := diff.NewSearch(rules.Paths, diff.Options{Secrets: rules})
	in := func(v tree.Value) { search.In(&diff.Side{Docs: []diff.SideDocument{{Value: v}}}) }
	for _, d := range b.res.Docs {
		in(d.Value)
	}
	for _, d := range b.res.Origins.DataValues() {
		in(d.Value)
	}
	for _, i := range search.Unmatched() {
		b.res.Warnings = append(b.res.Warnings, hidesNothing(secrets.Paths[i]))
	}
}

// Warnings returns the warnings of the run.
func (b *BlameReport) Warnings() Messages { return Messages{b.res.Files, b.res.Warnings} }

// Write writes, as Text, each line with its origin, or with Long its whole history; as JSON the
// history of each node; as HTML one page with the output, the sources, and the history of each line;
// as SourceMap (ECMA-426) the place that last set each line.
func (b *BlameReport) Write(w io.Writer, how ReportOptions) error {
	if browser.IsFirst {
		return b.report.WriteLines(w)
	}
	text, json := b.report.WriteLong, b.report.WriteJSON
	if !how.Long {
		text = func(w io.Writer, chosen *blame.Selection, color bool) error {
			return b.report.WriteText(w, chosen, how.Columns, color)
		}
	}
	if how.Lines {
		json = func(w io.Writer, _ *blame.Selection) error { return b.report.WriteLines(w) }
	}
	return how.write(w, writers{
		Text:      func(w io.Writer) error { return text(w, b.chosen, how.Color) },
		JSON:      func(w io.Writer) error { return json(w, b.chosen) },
		HTML:      func(w io.Writer) error { return b.report.WriteHTML(w, b.chosen) },
		SourceMap: b.report.WriteMap,
	})
}
