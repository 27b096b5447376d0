package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/origin/blame"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// blameFlags are the flags of the blame command.
type blameFlags struct {
	render renderFlags
	what   weft.BlameOptions
	form   string
	long   bool
	all    bool
	line   *outputLine // the line of a file that the report is about, or nil
}

// blameForms are the formats of the report.
var blameForms = []string{"text", "json", "html", "map"}

// newBlame returns the command that shows where each line comes from.
func newBlame() *cobra.Command {
	f := &blameFlags{}
	cmd := &cobra.Command{
		Use:   "blame [ENV] [SELECT [PATH]] [flags]",
		Short: "Show where each line comes from",
		Long: `blame renders an environment of the project, or the inputs that -f names, and prints each line of the
result with its origin: left the file and line that produced it, right how its value was determined.

  =  copied from a data value or another document   >  wins over what was there before
  ~  computed from these                            -  removed by an overlay or an override
  +  added by an overlay or override                ?  left out: this decided it

SELECT is a document (Deployment/web, web or Deployment; '#2' for the second; app.yml for those of a
file; kind=Deployment for those that have it) or a file that is no YAML, and PATH is a place in it.
FILE:LINE is a line of a file that an environment writes.`,
		Example: `  weft blame prod
  weft blame prod Deployment/web
  weft blame --all Deployment/web spec.replicas
  weft blame out/prod/app.yml:374
  weft blame -f config --long Deployment/web spec.replicas
  weft blame -f config -o html > blame.html`,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json, html (one page) or map (a source map)")
	addSecrets(flags, &f.what.Secrets)
	flags.Lookup("environment").Usage = severalUsage
	flags.BoolVar(&f.all, "all", false, allUsage)
	help.Environments.Of(flags)
	flags.BoolVar(&f.long, "long", false, "print the whole history of each line")
	flags.BoolVar(&f.what.Prove, "prove", false,
		"render again with other data values, and say which of those found do change the lines")
	help.Output.Of(flags)
	return cmd
}

// arguments reads the arguments: an environment first, if there is one, then a document, and a path
// in it.
func (f *blameFlags) arguments(cmd *cobra.Command, args []string) error {
	rest, err := f.render.project.takeFirst(cmd, args)
	if err != nil {
		return err
	}
	if len(rest) < len(args) {
		f.what.Environment = args[0]
	}
	switch len(rest) {
	case 0:
	case 1:
		if at, ok := parseOutputLine(rest[0]); ok {
			return f.takeLine(cmd, at)
		}
		f.what.Select = rest[0]
	case 2:
		f.what.Select, f.what.Path = rest[0], rest[1]
	default:
		return process.Usagef("blame takes a document and a path in it, but found '%s'",
			strings.Join(rest, "', '")).
			WithHint("write the path with dots: weft blame %s%s", f.render.inShell(),
				diag.WordsInShell([]string{rest[0], strings.Join(rest[1:], ".")}))
	}
	return nil
}

// bothSpellings adds a hint to the error that the first argument is the name of an environment and of
// a document: how to write each.
func (f *blameFlags) bothSpellings(err error) error {
	list := weft.ErrorOf(err).Diagnostics()
	if len(list) != 1 || list[0].Code != string(blame.CodeAmbiguous) {
		return err
	}
	env := []string{"-e", f.what.Environment}
	var rest []string
	if f.what.Select != "" {
		rest = append(rest, f.what.Select)
	}
	return diag.Failf(blame.CodeAmbiguous, "%s", list[0].Message).
		WithHint("write weft blame %s for the environment, or weft blame %s for the document",
			diag.WordsInShell(env), diag.WordsInShell(slices.Concat(env, env[1:], rest)))
}

// run renders and prints the report.
func (f *blameFlags) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(blameForms, f.form) {
		return process.Usagef("unknown output type '%s': blame prints text, json, html or map", f.form)
	}
	if f.long && f.form != "text" {
		return process.Usagef("--long is for text; -o %s has the whole history in any case", f.form)
	}
	if err := f.arguments(cmd, args); err != nil {
		return err
	}
	if f.line != nil && f.all {
		return process.Usagef("a line of '%s' is of one environment, and cannot be used with --all", f.line.file)
	}
	if f.render.project.several(f.all) {
		return f.blameEach(cmd)
	}
	opts, err := f.render.understood(cmd)
	if err != nil {
		return err
	}
	if err := f.selectLine(opts); err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.blame)
}

// blameEach prints where the lines of several environments come from.
func (f *blameFlags) blameEach(cmd *cobra.Command) error {
	how := weft.ReportOptions{Color: process.Colored(cmd), Long: f.long, Columns: process.Width(cmd)}
	switch f.form {
	case "json":
		how.Format = weft.JSON
	case "text":
	default:
		return process.Usagef("-o %s is for one environment", f.form).
			WithHint("name one of them: weft blame ENV -o %s", f.form)
	}
	each := reportEach{render: &f.render, all: f.all, form: f.form, how: how}
	each.one = func(ctx context.Context, opts weft.Options) (*warnedReport, error) {
		b, err := weft.Blame(ctx, opts, f.what)
		if err != nil {
			return nil, err
		}
		return &warnedReport{Report: b, Warned: b}, nil
	}
	return each.run(cmd)
}

func (f *blameFlags) blame(cmd *cobra.Command, opts weft.Options) error {
	if err := f.line.warnMoved(cmd, opts); err != nil {
		return err
	}
	b, err := weft.Blame(cmd.Context(), opts, f.what)
	if err != nil {
		return f.bothSpellings(err)
	}
	process.MessagesOf(cmd).Warn(b)
	how := weft.ReportOptions{Color: process.Colored(cmd), Long: f.long, Columns: process.Width(cmd)}
	switch {
	case f.long || how.Columns > 0:
		return process.PrintReport(cmd, b, how)
	case f.form != "text":
		how.Format = map[string]weft.Format{
			"json": weft.JSON, "html": weft.HTML, "map": weft.SourceMap,
		}[f.form]
		return process.PrintReport(cmd, b, how)
	}
	if err := b.Write(process.ReportTo(cmd), how); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	return nil
}
