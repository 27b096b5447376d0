package cli

import (
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
}

// blameForms are the formats of the report.
var blameForms = []string{"text", "json", "html", "map"}

// newBlame makes the command that tells where each line comes from.
func newBlame() *cobra.Command {
	f := &blameFlags{}
	cmd := &cobra.Command{
		Use:   "blame [flags] [SELECT [PATH]]",
		Short: "Show where each line of the output comes from",
		Long: `blame renders the inputs like weft without a command, and prints each line of the result with its
origin: to the left who wrote it, to the right how it came about.

  =  copied from a data value          >  wins over what was there before
  ~  computed from data values         -  removed by an overlay or an override
  +  added by an overlay or override   ?  left out: this decided it

SELECT is a document (Deployment/web, web or Deployment; '#2' for the second; app.yml for those of a
file) or a file that is no YAML, and PATH is a place in it.`,
		Example: `  weft blame -f config
  weft blame -f config Deployment/web
  weft blame -f config --long Deployment/web spec.replicas
  weft blame -f config -o html > blame.html`,
		Args: blameArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json, html (one page) or map (a source map)")
	addSecrets(flags, &f.what.Secrets)
	flags.BoolVar(&f.long, "long", false, "print the whole history of each line")
	flags.BoolVar(&f.what.Prove, "prove", false,
		"render again with other data values, and say which of those found do change the lines")
	help.Output.Of(flags)
	return cmd
}

// blameArgs refuses more than a document and a place in it.
func blameArgs(cmd *cobra.Command, args []string) error {
	if len(args) <= 2 {
		return nil
	}
	d := process.Usagef("blame takes a document and a path in it, but found '%s'",
		strings.Join(args, "', '"))
	if line, ok := withFlag(cmd, args); ok {
		return d.WithHint("name the environment with -e: %s", line)
	}
	return d.WithHint("write the path with dots: %s %s %s", cmd.CommandPath(), diag.InShell(args[0]),
		diag.InShell(strings.Join(args[1:], ".")))
}

// run renders and prints the report.
func (f *blameFlags) run(cmd *cobra.Command, args []string) error {
	if !slices.Contains(blameForms, f.form) {
		return process.Usagef("unknown output type '%s': blame prints text, json, html or map", f.form)
	}
	if f.long && f.form != "text" {
		return process.Usagef("--long is for text; -o %s has the whole history in any case", f.form)
	}
	if len(args) > 0 {
		f.what.Select = args[0]
	}
	if len(args) > 1 {
		f.what.Path = args[1]
	}
	opts, err := f.render.inProject(cmd)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.blame)
}

func (f *blameFlags) blame(cmd *cobra.Command, opts weft.Options) error {
	b, err := weft.Blame(cmd.Context(), opts, f.what)
	if err != nil {
		unknown := weft.ErrorOf(err).Diagnostics()[0].Code == string(blame.CodeSelect)
		if unknown && isEnvironment(cmd, f.what.Select) {
			return process.Usagef("no document is called '%s', but an environment is", f.what.Select).
				WithHint("name the environment with -e: weft blame -e %s", diag.InShell(f.what.Select))
		}
		return err
	}
	process.MessagesOf(cmd).Warn(b)
	how := weft.ReportOptions{Color: process.Colored(cmd), Long: f.long}
	switch {
	case f.long:
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
