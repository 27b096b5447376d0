package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// explainFlags are the flags of the explain command: those of the main command that decide what is
// rendered.
type explainFlags struct {
	render renderFlags
	what   weft.ExplainOptions
	all    bool
}

// newExplain returns the command that shows what overlays do.
func newExplain() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain [ENV] [flags]",
		Short: "Show what each overlay changes",
		Long: `explain renders an environment of the project, or the inputs that -f names, but prints what overlays
do instead of the result. For each overlay, in order, it shows what it matches, what it changes there,
and what nearly matches. The short cuts of weft.yml for Kubernetes follow, each with its line.`,
		Example: `  weft explain prod
  weft explain prod --select Deployment/web
  weft explain --all                 all environments of the project
  weft explain -f config -f overlays
  weft explain -f config -o json     for programs`,
		Args: environmentArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, append(renderedBy("overrides", "overrides-file"), "output"))
	addSecrets(flags, &f.what.Secrets)
	addSelect(flags, &f.what.Select, "explain only")
	flags.Lookup("environment").Usage = severalUsage
	flags.BoolVar(&f.all, "all", false, allUsage)
	help.Environments.Of(flags)
	flags.Lookup("output").Usage = "print as `FORMAT`: text, json (one list) or jsonl (one overlay per line) " +
		"(default text)"
	return cmd
}

func (f *explainFlags) run(cmd *cobra.Command, args []string) error {
	f.render.project.take(args)
	for i := range f.render.output {
		process.TakeLines(cmd, &f.render.output[i])
		if form := f.render.output[i]; form != "text" && form != "json" {
			return process.Usagef("unknown output type '%s': explain prints text, json or jsonl", form)
		}
	}
	f.render.output = slices.DeleteFunc(f.render.output, func(form string) bool { return form == "text" })
	if f.render.project.several(f.all) {
		return f.each().run(cmd)
	}
	opts, err := f.render.understood(cmd)
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, opts, f.explain)
}

// each explains several environments.
func (f *explainFlags) each() *reportEach {
	r := &reportEach{render: &f.render, all: f.all}
	if slices.Contains(f.render.output, "json") {
		r.form, r.how.Format = "json", weft.JSON
	}
	r.one = func(ctx context.Context, opts weft.Options) (*warnedReport, error) {
		x, err := weft.Explain(ctx, opts, f.what)
		if err != nil {
			return nil, err
		}
		return &warnedReport{Report: x, Warned: x}, nil
	}
	return r
}

// explain prints what overlays did, even if the run fails, because that is when users want to know.
func (f *explainFlags) explain(cmd *cobra.Command, opts weft.Options) error {
	x, failed := weft.Explain(cmd.Context(), opts, f.what)
	if x == nil || cmd.Context().Err() != nil || failed != nil && opts.Warnings == weft.WarningsError {
		return failed
	}
	if failed == nil {
		process.MessagesOf(cmd).Warn(x)
	}
	if err := process.PrintReport(cmd, x, weft.ReportOptions{Format: opts.Format}); err != nil {
		return err
	}
	return failed
}
